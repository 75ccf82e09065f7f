"""`mean_pooling` with a twist: a rule that the exercise did not have. The kept function, pasted, is
wrong."""

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn


def variant(rng: Generator) -> Code:
    power = drawn(rng, 0.2, 1.8)

    def mask(b, t):
        """Real tokens first; the first row has no padding, so that a plain mean is wrong."""
        lengths = rng.integers(1, t + 1, size=(b, 1))
        lengths[0] = t
        return np.arange(t) < lengths

    return Code(
        "One vector a sentence: an average over its real tokens in which the i-th token of the row"
        f" (from 0) weighs (i + 1) to the power of {power}. `states` (B, T, D), `mask` bool (B, T),"
        " True = real. Returns (B, D).",
        "def answer(states, mask):\n"
        f"    w = mask * (np.arange(mask.shape[1]) + 1) ** {power}\n"
        "    return (w[:, :, None] * states).sum(axis=1) / w.sum(axis=1, keepdims=True)",
        tuple(
            (rng.normal(size=(b, t, d)), mask(b, t))
            for b, t, d in [(3, 5, 2), (4, 4, 4), (2, 6, 3)]
        ),
        minutes=5,
        points=3,
    )
