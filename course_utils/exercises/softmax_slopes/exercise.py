"""The exercise `softmax_slopes`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.attention import softmax
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import numbers, shares, sizes

RNG = np.random.default_rng(3)


def softmax_slopes(weights, slopes):
    return weights * (slopes - weights @ slopes)


def draw(rng: Generator) -> tuple[Any, ...]:
    (T,) = sizes(rng, 1)
    return shares(rng, T), numbers(rng, T)


EXERCISE = Exercise(
    "softmax_slopes",
    softmax_slopes,
    inputs=[
        (np.array([0.5, 0.3, 0.2]), np.array([1.0, -2.0, 0.5])),
        (softmax(RNG.normal(size=5)), RNG.normal(size=5)),
        (np.array([1.0, 0.0, 0.0, 0.0]), RNG.normal(size=4)),
    ],
    draw=draw,
    minutes=7,
    difficulty=2,
    nudge=(
        "The Jacobian times the slopes is one way. Multiply this out: each slope is compared with"
        " an average. Which average?"
    ),
    skeleton="""
def my_softmax_slopes(weights, slopes):     # (T,), (T,): how the loss answers to each weight
    average = ...                           # a number: the slopes, each with its weight
    return ...                              # (T,): how the loss answers to each score
""",
)
