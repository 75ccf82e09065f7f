"""The exercise `mean_pooling`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import numbers, sizes

RNG = np.random.default_rng(11)


def mean_pooling(states, mask):
    return (states * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)


def _batch(B, T, D, lengths):
    return RNG.normal(size=(B, T, D)) + 0.5, np.arange(T) < np.array(lengths)[:, None]


IN_FRONT = "the padding stands in front"


def draw(rng: Generator) -> tuple[Any, ...]:
    B, T, D = sizes(rng, 3)
    real = rng.random((B, T)) < 0.6
    real[np.arange(B), rng.integers(T, size=B)] = True  # each sentence has a token
    return numbers(rng, B, T, D), real


EXERCISE = Exercise(
    "mean_pooling",
    mean_pooling,
    inputs=[
        _batch(2, 5, 3, [2, 4]),
        _batch(4, 4, 4, [4, 2, 3, 1]),  # as many sentences as tokens and features
        _batch(1, 3, 2, [2]),
        _batch(3, 4, 2, [4, 4, 1]),
        (
            np.array([[[0.0, 2], [3, 0], [5, 5]], [[1.0, 4], [0, 0], [2, 2]]]),
            np.array([[True, True, False], [True, True, True]]),
        ),  # zeros that count
    ],
    traps={
        IN_FRONT: (
            RNG.normal(size=(2, 4, 3)) + 0.5,
            np.array([[False, False, True, True], [False, True, True, True]]),
        )
    },
    draw=draw,
    minutes=5,
    difficulty=1,
    nudge=(
        "A mean is a sum divided by a count. Which tokens may enter the sum, and which the count?"
        " Each sentence has its own."
    ),
    skeleton="""def my_mean_pooling(states, mask):
    real = ...                            # (batch, T, D)  0 where there is padding
    count = ...                           # (batch, 1)  real tokens of each sentence
    return ...                            # (batch, D)
""",
)
