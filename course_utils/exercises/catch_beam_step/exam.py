"""`catch_beam_step` for an exam: inputs, of which some have a symmetry that hides a
misconception."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.attention import softmax


def draw_input(rng: Generator) -> tuple[Any, ...]:
    n, n_vocab = int(rng.integers(1, 4)), int(rng.integers(2, 5))
    totals = np.log(
        np.round(np.full(n, 0.3) if rng.integers(2) else rng.permutation([0.5, 0.3, 0.1])[:n], 2)
    )
    return (
        np.round(totals, 2),
        np.round(np.log(softmax(2 * rng.normal(size=(n, n_vocab)))), 2),
        int(rng.integers(1, 3)),
    )
