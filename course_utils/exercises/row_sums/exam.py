"""`row_sums` with a twist: a rule that the exercise did not have. The kept function, pasted, is
wrong."""

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn


def variant(rng: Generator) -> Code:
    least = drawn(rng, 0.2, 4)

    def table(shape):
        """Numbers on both sides of the bound: the first is below it, so that a plain sum is
        wrong."""
        below = rng.random(shape) < 0.4
        below[0, 0] = True
        return np.where(below, rng.uniform(0, least, size=shape), rng.uniform(least, 6, size=shape))

    return Code(
        "`A` (n, m), positive numbers. Give the sum of each row, but count only the numbers above"
        f" {least}; a row without any has 0. Returns (n,).",
        f"def answer(A):\n    return np.where(A > {least}, A, 0).sum(axis=1)",
        tuple((table(shape),) for shape in [(3, 3), (4, 6), (5, 2)]),
        minutes=5,
        points=3,
    )
