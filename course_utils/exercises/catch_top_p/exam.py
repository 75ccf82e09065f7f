"""`catch_top_p` for an exam: inputs, of which some have a symmetry that hides a misconception."""

from typing import Any

import numpy as np
from numpy.random import Generator


def draw_input(rng: Generator) -> tuple[Any, ...]:
    shares = np.round(rng.dirichlet(np.ones(int(rng.integers(3, 6)))), 2)
    shares[0] += 1 - shares.sum()
    return (
        np.round(np.sort(shares)[::-1].copy() if rng.integers(2) else shares, 2),
        int(rng.integers(2, 9)) / 10,
    )
