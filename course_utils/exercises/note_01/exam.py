"""`note_01` with other numbers: the answer follows from the same idea."""

import numpy as np

from course_utils.attention import softmax
from course_utils.diagnosis.questions import Numbers, block


def variant(rng):
    short, long = rng.integers(20, 60, size=2) / 100, rng.integers(120, 250, size=2) / 100
    X = np.array([short, long])
    return Numbers(f"Two words have the vectors\n\n{block(X=X)}\n\nPlain self-attention, without a scale. Which score has word 0 with itself, which "
                   "with word 1, and which weight does it give to itself?", [short @ short, short @ long, softmax(X @ X.T)[0, 0]], 2)
