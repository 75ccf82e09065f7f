"""The exercise `matrix_slopes`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import normal, several, sizes

RNG = np.random.default_rng(2)


def matrix_slopes(X, W, dY):
    return dY @ W.T, X.T @ dY


def draw(rng: Generator) -> tuple[Any, ...]:
    n, D, k = sizes(rng, 3)
    return several(rng, (n, D), (D, k), (n, k))


EXERCISE = Exercise(
    "matrix_slopes",
    matrix_slopes,
    inputs=[
        normal(RNG, (5, 4), (4, 3), (5, 3)),
        normal(
            RNG, (3, 3), (3, 3), (3, 3)
        ),  # all square: a missing transpose does not fail, it goes wrong
        (
            np.array([[1.0, 2.0], [3.0, 4.0]]),
            np.array([[1.0, 0.0], [2.0, 1.0]]),
            np.array([[1.0, 0.0], [0.0, 2.0]]),
        ),
        normal(RNG, (2, 3), (3, 5), (2, 5)),
    ],
    traps={
        "one row alone": normal(RNG, (1, 2), (2, 2), (1, 2)),
    },
    draw=draw,
    minutes=6,
    difficulty=2,
    nudge=(
        "dX has the shape of X, dW that of W. Which numbers of W multiply one number of X?"
        " Which gradients in dY come back to it?"
    ),
    skeleton="""
def my_matrix_slopes(X, W, dY):       # (n, D), (D, k), (n, k): the gradient at Y = X @ W
    dX = ...                          # (n, D)  each gradient of Y, sent back through W
    dW = ...                          # (D, k)  a sum over the n rows of X
    return dX, dW
""",
)
