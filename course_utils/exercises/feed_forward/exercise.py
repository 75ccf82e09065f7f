"""The exercise `feed_forward`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils import layers
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import normal, several, sizes

RNG = np.random.default_rng(7)


def feed_forward(X, W_1, b_1, W_2, b_2):
    return layers.feed_forward(X, W_1, b_1, W_2, b_2)


def draw(rng: Generator) -> tuple[Any, ...]:
    *batch, T, D, d_ff = sizes(rng, int(rng.integers(3, 5)))
    return several(rng, (*batch, T, D), (D, d_ff), (d_ff,), (d_ff, D), (D,))


EXERCISE = Exercise(
    "feed_forward",
    feed_forward,
    inputs=[
        normal(RNG, (3, 2), (2, 6), (6,), (6, 2), (2,)),
        normal(
            RNG, (4, 4), (4, 4), (4,), (4, 4), (4,)
        ),  # all square: a wrong order does not fail, it goes wrong
        normal(RNG, (2, 3, 4), (4, 5), (5,), (5, 4), (4,)),  # a batch
    ],
    draw=draw,
    minutes=3,
    difficulty=1,
    nudge=(
        "A wide layer of units that fire or stay silent, then back to the token's width. After"
        " which of the two steps is there an activation?"
    ),
    skeleton="""def my_feed_forward(X, W_1, b_1, W_2, b_2):
    before = ...                          # (..., T, d_ff)  what each hidden unit adds up
    hidden = ...                          # (..., T, d_ff)  ReLU: what is below 0 becomes 0
    return ...                            # (..., T, D)
""",
)
