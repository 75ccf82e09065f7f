"""The exercise `softmax`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils import attention as course
from course_utils.diagnosis.exercise import Exercise
from course_utils.diagnosis.values import WHOLE
from course_utils.exercises.drawing import numbers, sizes

RNG = np.random.default_rng(1)
# Traps of softmax: what exp or a division by 0 does not survive.
LARGE = "scores around 1000"
EDGE = "scores just above 709, where exp overflows"
HALF_WAY = "scores around 400"
FAR_ROWS = "one row far above the other"
SPREAD = "scores far apart, [1000, 0] and [0, 2000]"


def softmax(scores):
    return course.softmax(scores, axis=-1)


def as_usual(scores):
    """A row of nothing but -inf gives NaN, as with a softmax of one's own; the course's: zeros."""
    top = np.max(scores, axis=-1, keepdims=True, initial=-np.inf)
    return softmax(scores) + (top - top)


def draw(rng: Generator) -> tuple[Any, ...]:
    return (numbers(rng, *sizes(rng, 2)) * 10.0 ** rng.integers(4),)


EXERCISE = Exercise(
    "softmax",
    softmax,
    in_a_check=as_usual,
    inputs=[
        (RNG.normal(size=(3, 5)),),
        (RNG.normal(size=(4, 4)),),  # square: a mix-up does not fail, it goes wrong
        (np.array([[1.0, 2.0, 4.0], [3.0, 0.0, 1.0]]),),
    ],
    traps={
        LARGE: (
            np.array([[1000.0, 999.0, 998.0], [1001.0, 1000.0, 1002.0], [997.0, 1000.0, 999.0]]),
        ),
        FAR_ROWS: (np.array([[1000.0, 999.0, 998.0], [0.0, 1.0, 2.0]]),),
        SPREAD: (np.array([[1000.0, 0.0], [0.0, 1000.0], [0.0, 2000.0]]),),
        EDGE: (np.array([[706.0, 707.0, 710.5], [707.0, 705.0, 711.0]]),),
        HALF_WAY: (np.array([[398.0, 400.0, 399.0], [401.0, 400.0, 398.0]]),),
        "scores far below 0": (np.array([[-1000.0, -1001.0], [0.0, 1.0]]),),
        "one row alone": (np.array([[1.0, 2.0]]),),
        WHOLE: (np.array([[1, 2, 4], [3, 0, 1]]),),
    },
    draw=draw,
    minutes=8,
    difficulty=2,
    nudge=(
        "First make every number positive. Then ask: by what must a row be divided so that it sums"
        " to 1? And what can be subtracted from a whole row without changing its shares?"
    ),
    skeleton="""
def my_softmax(scores):          # a table in, a table out
    shifted = scores - ...       # the largest of each row is now 0
    exps = ...                   # all positive
    return exps / ...            # each row by its own sum
""",
)
