"""The exercise `causal_mask`."""

from typing import Any

from numpy.random import Generator

from course_utils import attention as course
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import sizes


def causal_mask(T):
    return course.causal_mask(T)


def draw(rng: Generator) -> tuple[Any, ...]:
    return sizes(rng, 1, 9)


EXERCISE = Exercise(
    "causal_mask",
    causal_mask,
    inputs=[(4,), (1,), (7,)],
    draw=draw,
    minutes=3,
    difficulty=1,
    nudge=(
        "Rows are queries, columns are keys, and both are counted from 0. Which columns should row"
        " 2 see? Write this as a comparison of the row's number with the column's number."
    ),
    skeleton="""
def my_causal_mask(T):               # -> bool (T, T), True = may attend
    i = np.arange(T)[:, None]        # (T, 1)  the row's number: the query
    j = ...                          # (1, T) or (T,)  the column's number: the key
    return ...                       # (T, T)  a comparison
""",
)
