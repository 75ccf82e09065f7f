"""`which_unit_07` with other numbers: the answer follows from the same idea."""

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.questions import Numbers, block


def variant(rng: Generator) -> Numbers:
    hidden = (
        rng.integers(1, 9, size=(4, 3))
        * np.array([[1, 0, 0], [0, 0, 0], [0, 1, 1], [1, 0, 1]])[rng.permutation(4)]
    )
    W_2, b_2 = rng.integers(-5, 6, size=(3, 2)), rng.integers(-5, 6, size=2)
    one = int(np.flatnonzero((hidden > 0).sum(1) == 1)[0])
    return Numbers(
        f"{block(hidden=hidden, W_2=W_2, b_2=b_2)}\n\n`hidden` is what ReLU has left; a row for"
        " each token, a column for each unit. Which token (from 0) has `b_2` alone as its output?"
        " And which output (two numbers) has the token in which one unit fires?",
        [int(np.flatnonzero((hidden == 0).all(1))[0]), *(hidden @ W_2 + b_2)[one]],
        minutes=4,
        points=3,
    )
