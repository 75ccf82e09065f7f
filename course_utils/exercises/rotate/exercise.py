"""The exercise `rotate`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils import positions
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import numbers, sizes

RNG = np.random.default_rng(8)


def rotate(X, cos, sin):
    return positions.rotary_embedding(X, cos, sin)


def _turns(T, d):
    """An input: vectors (T, d), and the cosines and sines of angles that are far from small."""
    return (RNG.normal(size=(T, d)), *positions.rotary_angles(np.arange(1.0, T + 1), d, base=10.0))


def draw(rng: Generator) -> tuple[Any, ...]:
    T, half = sizes(rng, 2)
    angles = rng.uniform(-4, 4, size=(T, half)) * rng.integers(2)
    return numbers(rng, T, 2 * half), np.cos(angles), np.sin(angles)


EXERCISE = Exercise(
    "rotate",
    rotate,
    inputs=[_turns(5, 6), _turns(4, 8), _turns(3, 2)],
    draw=draw,
    minutes=8,
    difficulty=2,
    nudge=(
        "Take one pair (a, b) and turn it by an angle, as a point in the plane. Which two products"
        " make the new a, which two the new b?"
    ),
    skeleton="""def my_rotate(X, cos, sin):
    a, b = ...                            # (T, d/2) each: the first and the second half of the features
    new_a = ...                           # (T, d/2)
    new_b = ...                           # (T, d/2)
    return np.hstack([new_a, new_b])      # (T, d)
""",  # noqa: E501
)
