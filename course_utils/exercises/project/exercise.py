"""The exercise `project`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import normal, several, sizes

RNG = np.random.default_rng(2)


def project(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_K, X @ W_V


def draw(rng: Generator) -> tuple[Any, ...]:
    T, D, d_k, d_v = sizes(rng, 4)
    return several(rng, (T, D), (D, d_k), (D, d_k), (D, d_v))


EXERCISE = Exercise(
    "project",
    project,
    inputs=[
        normal(RNG, (5, 4), (4, 2), (4, 2), (4, 3)),
        normal(
            RNG, (3, 3), (3, 3), (3, 3), (3, 3)
        ),  # all square: a wrong order does not fail, it goes wrong
        normal(RNG, (4, 6), (6, 4), (6, 4), (6, 4)),
    ],
    traps={
        "one token alone": normal(RNG, (1, 2), (2, 2), (2, 2), (2, 3)),
    },
    draw=draw,
    minutes=2,
    difficulty=1,
    nudge=(
        "A token is a row of X. A column of W makes one new feature of the token. Which order is"
        " right, `X @ W` or `W @ X`?"
    ),
    skeleton="""
def my_project(X, W_Q, W_K, W_V):     # (T, D), (D, d_k), (D, d_k), (D, d_v)
    Q = ...                           # (T, d_k)  what each token asks
    K = ...                           # (T, d_k)  what others find in it
    V = ...                           # (T, d_v)  what it sends
    return Q, K, V
""",
)
