"""The exercise `merge_heads`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils import attention as course
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import numbers, sizes

RNG = np.random.default_rng(5)


def merge_heads(X):
    return course.merge_heads(X)


def draw(rng: Generator) -> tuple[Any, ...]:
    return (numbers(rng, *sizes(rng, 3)),)


EXERCISE = Exercise(
    "merge_heads",
    merge_heads,
    inputs=[
        (RNG.normal(size=(2, 5, 3)),),
        (RNG.normal(size=(3, 3, 3)),),
        (RNG.normal(size=(3, 4, 2)),),
        (RNG.normal(size=(2, 4, 2)),),
    ],
    traps={
        "one token alone": (RNG.normal(size=(2, 1, 3)),),
    },
    draw=draw,
    minutes=5,
    difficulty=2,
    nudge=(
        "The way back of split_heads: the same two steps, in the other order. Which axis must stand"
        " first before rows are filled?"
    ),
    skeleton="""
def my_merge_heads(X):                 # (H, T, d)
    H, T, d = X.shape
    pieces = ...                       # (T, H, d)  all pieces of a token together
    return ...                         # (T, H * d)
""",
)
