"""The exercise `layer_norm`."""

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


def layer_norm(x, gamma, beta, eps):
    return layers.layer_norm(x, gamma, beta, eps)


ROW_OF_EQUALS = np.array([[3.0, 3.0, 3.0, 3.0], [1.0, 2.0, 0.0, -1.0]])


def draw(rng: Generator) -> tuple[Any, ...]:
    *batch, T, D = sizes(rng, int(rng.integers(2, 4)))
    return (
        numbers(rng, *batch, T, D),
        numbers(rng, D),
        numbers(rng, D),
        float(rng.choice([1e-5, 0.1, 1.0])),
    )


EXERCISE = Exercise(
    "layer_norm",
    layer_norm,
    inputs=[
        _tokens(3, 5, eps=0.3),
        _tokens(4, 4, eps=0.3),  # square: a mix-up of axes does not fail, it goes wrong
        _tokens(3, 3, 3, eps=1e-5),  # a batch
        _tokens(2, 4, 6, eps=0.1),
    ],
    traps={"a token whose features are all equal": (ROW_OF_EQUALS, np.ones(4), np.zeros(4), 1e-5)},
    draw=draw,
    minutes=7,
    difficulty=2,
    nudge=(
        "Each token is normed alone: two numbers, a mean and a variance, belong to each row. Which"
        " shape do they need, so that NumPy pairs each with its row?"
    ),
    skeleton="""def my_layer_norm(x, gamma, beta, eps):
    mu = ...                              # (..., T, 1)  the mean of each token
    variance = ...                        # (..., T, 1)  and its variance
    standardised = ...                    # (..., T, D)  mean 0, variance nearly 1
    return ...                            # (..., T, D)  stretched and shifted, feature by feature
""",
)
