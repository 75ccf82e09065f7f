"""The exercise `split_heads`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils import attention as course
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import numbers, sizes

RNG = np.random.default_rng(5)


def split_heads(X, n_heads):
    return course.split_heads(X, n_heads)


def draw(rng: Generator) -> tuple[Any, ...]:
    T, H, d = sizes(rng, 3)
    return numbers(rng, T, H * d), H


EXERCISE = Exercise(
    "split_heads",
    split_heads,
    inputs=[
        (RNG.normal(size=(5, 6)), 2),  # T, D, H and d all different
        (RNG.normal(size=(4, 4)), 2),
        (RNG.normal(size=(6, 6)), 3),
        (RNG.normal(size=(3, 12)), 3),
        (RNG.normal(size=(5, 3)), 1),
    ],
    traps={
        "one token alone": (RNG.normal(size=(1, 6)), 2),
    },
    draw=draw,
    minutes=8,
    difficulty=2,
    nudge=(
        "Two steps: cut each row into pieces of d features, which gives (T, H, d); then let two"
        " axes change places. Which two?"
    ),
    skeleton="""
def my_split_heads(X, n_heads):        # (T, D)
    T, D = X.shape
    pieces = ...                       # (T, H, d)  each row cut into H pieces
    return ...                         # (H, T, d)  heads in front
""",
)
