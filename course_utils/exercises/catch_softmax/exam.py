"""`catch_softmax` for an exam: inputs, of which some have a symmetry that hides a misconception."""

from typing import Any

import numpy as np
from numpy.random import Generator


def draw_input(rng: Generator) -> tuple[Any, ...]:
    n = int(rng.integers(2, 4))
    base, lift = rng.integers(-6, 7, size=(n, n)), rng.integers(0, 2) * 1000
    same_sums = [
        base,
        base + base.T,
        np.tile(base[0], (n, 1)),
        np.sort(base, axis=1)[:, ::-1],
        base - base.max(1, keepdims=True),
    ]
    return ((same_sums[rng.integers(len(same_sums))] + lift).astype(float),)
