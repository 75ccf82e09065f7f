"""`catch_scale` for an exam: inputs, of which some have a symmetry that hides a misconception."""

from typing import Any

from numpy.random import Generator


def draw_input(rng: Generator) -> tuple[Any, ...]:
    d = int(rng.choice([1, 2, 4]))
    n, d_v = (int(rng.choice([d, 2, 3])) for _ in range(2))
    Q, K, V = (
        rng.integers(-2, 3, size=(1, d)),
        rng.integers(-2, 3, size=(n, d)),
        rng.integers(0, 6, size=(n, d_v)),
    )
    return Q.astype(float), K.astype(float), V.astype(float)
