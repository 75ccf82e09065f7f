"""`catch_mean_pooling` for an exam: inputs, of which some have a symmetry that hides a
misconception."""

from typing import Any

import numpy as np
from numpy.random import Generator


def draw_input(rng: Generator) -> tuple[Any, ...]:
    b, t = int(rng.integers(1, 3)), int(rng.integers(2, 4))
    mask = (
        np.arange(t) < rng.integers(1, t + 1, size=(b, 1))
        if rng.integers(3)
        else np.tile(np.arange(t) < rng.integers(1, t + 1), (b, 1))
    )
    if rng.integers(3) == 0:
        mask = mask[:, ::-1].copy()
    states = rng.integers(0, 9, size=(b, t, 2)).astype(float)
    return (states * mask[:, :, None] if rng.integers(2) else states), mask
