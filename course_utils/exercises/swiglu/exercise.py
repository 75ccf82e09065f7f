"""The exercise `swiglu`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils import layers
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import several, sizes

RNG = np.random.default_rng(13)


FAR = "a number of 800 before silu"


def swiglu(X, W_gate, W_up, W_down):
    return layers.swiglu(X, W_gate, W_up, W_down)


def _gated(T, D, d_ff):
    return tuple(RNG.normal(size=shape) for shape in [(T, D), (D, d_ff), (D, d_ff), (d_ff, D)])


def draw(rng: Generator) -> tuple[Any, ...]:
    T, D, d_ff = sizes(rng, 3)
    X, *matrices = several(rng, (T, D), (D, d_ff), (D, d_ff), (d_ff, D))
    return X * 10.0 ** rng.integers(4), *matrices


EXERCISE = Exercise(
    "swiglu",
    swiglu,
    inputs=[_gated(3, 5, 7), _gated(4, 4, 4), _gated(1, 2, 3)],
    traps={FAR: (np.array([[800.0, 1.0]]), np.eye(2), np.ones((2, 2)), np.eye(2))},
    draw=draw,
    minutes=4,
    difficulty=1,
    nudge=(
        "Two tables of hidden numbers, from two matrices. One of them goes through silu and"
        " decides, number by number, how much of the other passes."
    ),
    skeleton="""
def my_swiglu(X, W_gate, W_up, W_down):       # (T, D) (D, d_ff) (D, d_ff) (d_ff, D)
    g = ...                                   # (T, d_ff)  before silu
    gate = ...                                # (T, d_ff)  silu: each number times its own sigmoid
    hidden = ...                              # (T, d_ff)  what passes the gate
    return ...                                # (T, D)
""",
)
