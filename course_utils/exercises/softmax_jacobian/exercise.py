"""The exercise `softmax_jacobian`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.attention import softmax
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import shares, sizes

RNG = np.random.default_rng(3)


def softmax_jacobian(weights):
    return np.diag(weights) - np.outer(weights, weights)


def draw(rng: Generator) -> tuple[Any, ...]:
    return (shares(rng, *sizes(rng, 1)),)


EXERCISE = Exercise(
    "softmax_jacobian",
    softmax_jacobian,
    inputs=[
        (np.array([0.5, 0.3, 0.2]),),
        (softmax(RNG.normal(size=5)),),
        (np.array([1.0, 0.0, 0.0, 0.0]),),
    ],
    draw=draw,
    minutes=5,
    difficulty=2,
    nudge=(
        "The formula has two halves: one lives on the diagonal alone, the other fills the whole"
        " table with products."
    ),
    skeleton="""
def my_softmax_jacobian(weights):     # (T,)
    diagonal = ...                    # (T, T)  a_i where i = j, else 0
    products = ...                    # (T, T)  a_i times a_j
    return ...                        # (T, T)
""",
)
