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
        "Rows ask, columns answer. Which columns may row 2 see? Say it as a comparison of the row's"
        " number with the column's."
    ),
    skeleton="""
def my_causal_mask(T):               # -> bool (T, T), True = may attend
    i = np.arange(T)[:, None]        # (T, 1)  the number of the row: who asks
    j = ...                          # (1, T) or (T,)  the number of the column: who answers
    return ...                       # (T, T)  a comparison
""",
)
