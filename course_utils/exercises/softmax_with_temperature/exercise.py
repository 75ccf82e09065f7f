"""The exercise `softmax_with_temperature`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.attention import softmax
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import numbers, sizes
from course_utils.exercises.scaled_attention.exercise import LARGE

RNG = np.random.default_rng(3)
SPREAD = "scores far apart, [1000, 0] and [0, 2000], at temperature 1"


def softmax_with_temperature(scores, temperature):
    return softmax(scores / temperature)


def draw(rng: Generator) -> tuple[Any, ...]:
    return numbers(rng, *sizes(rng, 2)), float(rng.uniform(0.1, 9))


EXERCISE = Exercise(
    "softmax_with_temperature",
    softmax_with_temperature,
    inputs=[
        (RNG.normal(size=(3, 5)), 2.0),
        (RNG.normal(size=(4, 4)), 0.3),
        (RNG.normal(size=(2, 3)), 7.0),
    ],
    traps={
        LARGE: (np.array([[5000.0, 4990.0, 0.0], [5000.0, 5010.0, 4995.0]]), 5.0),
        SPREAD: (np.array([[1000.0, 0.0], [0.0, 1000.0], [0.0, 2000.0]]), 1.0),
    },
    draw=draw,
    minutes=3,
    difficulty=1,
    nudge=(
        "A high temperature flattens the weights, a low one sharpens them. Should the scores grow"
        " or shrink with it?"
    ),
    skeleton="""
def my_softmax_with_temperature(scores, temperature):    # (n, T), a number
    new_scores = ...                                     # (n, T)  closer together where it is hot
    return mine.softmax(new_scores)                      # (n, T)
""",
)
