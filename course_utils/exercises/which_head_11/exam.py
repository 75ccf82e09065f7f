"""`which_head_11` with other numbers: the answer follows from the same idea."""

import numpy as np
from numpy.random import Generator

from course_utils.attention import causal_mask, softmax
from course_utils.diagnosis.questions import Choice, block, shuffled

WORDS = ["river", "stone", "bank", "green", "runs", "cold", "under", "old", "light", "sings"]


def variant(rng: Generator) -> Choice:
    words = [str(w) for w in rng.choice(WORDS, 5, replace=False)]
    S = np.where(causal_mask(5), 0.5 * rng.normal(size=(5, 5)), -np.inf)
    target = int(rng.integers(3))
    S[4, target] = 3
    other = words[(target + 1) % 3]
    return shuffled(
        rng,
        f"Weights of one head over “{' '.join(words)}”; a row asks, a column"
        f" answers.\n\n{block(A=softmax(S))}\n\nWhat can be said?",
        f"From “{words[4]}” this head looks at “{words[target]}”; whether anything depends on it"
        " must be measured.",
        [
            (
                f"This head makes the next word depend on “{words[target]}”: without it another"
                " word would be written."
            ),
            (
                f"From “{words[target]}” this head looks at “{words[4]}”; whether anything depends"
                " on it must be measured."
            ),
            (
                f"From “{words[4]}” this head looks at “{other}”, since its column holds the larger"
                " numbers."
            ),
        ],
        minutes=3,
        points=2,
    )
