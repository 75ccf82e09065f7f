"""The exercise `sinusoidal_positional_encoding`."""

from typing import Any

from numpy.random import Generator

from course_utils import positions
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import sizes


def sinusoidal_positional_encoding(T, D):
    return positions.sinusoidal_positional_encoding(T, D)


def draw(rng: Generator) -> tuple[Any, ...]:
    T, half = sizes(rng, 2, 9)
    return T, 2 * half


EXERCISE = Exercise(
    "sinusoidal_positional_encoding",
    sinusoidal_positional_encoding,
    inputs=[(5, 6), (8, 8), (40, 16), (1, 2), (5, 4)],
    draw=draw,
    minutes=10,
    difficulty=2,
    nudge=(
        "First the angles alone, a row for each position, a column for each pair: how fast does"
        " pair j turn? Then their sines and cosines, side by side."
    ),
    skeleton="""def my_sinusoidal_positional_encoding(T, D):
    j = np.arange(...)                    # (D/2,)  the pairs
    angles = ...                          # (T, D/2)  position times speed; speeds fall from 1 towards 1/10000
    R = np.zeros((T, D))
    R[:, ...] = np.sin(angles)
    R[:, ...] = np.cos(angles)
    return R
""",  # noqa: E501
)
