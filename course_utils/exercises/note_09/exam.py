"""`note_09` with other numbers: the answer follows from the same idea."""

import numpy as np

from course_utils.attention import softmax
from course_utils.diagnosis.questions import Numbers, shown


def variant(rng):
    logits = rng.permutation(rng.choice(np.arange(-10, 20), 3, replace=False)) / 10
    p = softmax(logits).max()
    return Numbers(f"The logits of three experts for one token: {shown(logits, 1)}. Only the best is kept. Which gate has it if gates are "
                   "renormalised, which if the gate is left as the softmax of all three gave it, and which slope has that second gate by its own "
                   "logit?", [1, p, p * (1 - p)], 2)
