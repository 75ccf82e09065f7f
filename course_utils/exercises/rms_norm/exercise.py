"""The exercise `rms_norm`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils import layers
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import numbers, sizes

RNG = np.random.default_rng(6)


def _tokens(*shape, eps):
    """Rows of unlike means and spreads, with a γ and a β."""
    x = RNG.normal(size=shape) * RNG.uniform(0.5, 3, size=(*shape[:-1], 1)) + RNG.normal(
        size=(*shape[:-1], 1)
    )
    return x, RNG.uniform(0.5, 2, size=shape[-1]), RNG.normal(size=shape[-1]), eps


def rms_norm(x, gamma, eps):
    return layers.rms_norm(x, gamma, eps)


def _without_beta(x, gamma, beta, eps):
    return x, gamma, eps


def draw(rng: Generator) -> tuple[Any, ...]:
    *batch, T, D = sizes(rng, int(rng.integers(2, 4)))
    return numbers(rng, *batch, T, D), numbers(rng, D), float(rng.choice([1e-5, 0.1, 1.0]))


EXERCISE = Exercise(
    "rms_norm",
    rms_norm,
    inputs=[
        _without_beta(*_tokens(3, 5, eps=0.3)),
        _without_beta(*_tokens(4, 4, eps=0.3)),
        _without_beta(*_tokens(3, 3, 3, eps=1e-5)),
        _without_beta(*_tokens(2, 4, 6, eps=0.1)),
    ],
    traps={"a token of zeros": (np.array([[0.0, 0.0, 0.0], [1.0, 2.0, 3.0]]), np.ones(3), 1e-5)},
    draw=draw,
    minutes=5,
    difficulty=1,
    nudge=(
        "Read the name from right to left: square, mean, root. After which step is there one number"
        " for each token?"
    ),
    skeleton="""def my_rms_norm(x, gamma, eps):
    mean_square = ...                     # (..., T, 1)  one for each token
    size = ...                            # (..., T, 1)  ε stands inside
    return ...                            # (..., T, D)
""",
)
