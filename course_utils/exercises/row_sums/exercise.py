"""The exercise `row_sums`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import numbers, sizes

RNG = np.random.default_rng(0)


def row_sums(A):
    return A.sum(axis=-1)


def draw(rng: Generator) -> tuple[Any, ...]:
    return (numbers(rng, *sizes(rng, 2)),)


EXERCISE = Exercise(
    "row_sums",
    row_sums,
    inputs=[
        (RNG.normal(size=(2, 5)),),
        (RNG.integers(0, 9, (3, 3)).astype(float),),
        (RNG.normal(size=(4, 3)),),
    ],
    draw=draw,
    minutes=2,
    difficulty=1,
    nudge="NumPy adds along an axis. Axis 0 runs down the rows; which one runs along a row?",
    skeleton="""
def my_row_sums(A):                # (T, n) -> (T,)
    axis = ...                     # which one runs along a row?
    return A.sum(axis=axis)        # (T,)
""",
)
