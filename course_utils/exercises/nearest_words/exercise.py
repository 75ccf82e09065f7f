"""The exercise `nearest_words`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.exercise import Exercise
from course_utils.models import encoder

RNG = np.random.default_rng(11)


def nearest_words(i, vectors, k):
    return encoder.nearest_words(i, vectors, k)


def _table(i, n, D, k):
    """Vectors of very different lengths, all on one side of the origin, as those of real models
    are."""
    return i, (RNG.normal(size=(n, D)) + 0.4) * RNG.uniform(0.3, 3, size=(n, 1)), k


# Rows of length 8: their cosines are multiples of 1/64, and no rounding decides between equals.
A, B, C, D, E = np.array(
    [[7.0, 3, 2, 1, 1], [6, 5, 1, 1, 1], [5, 5, 3, 2, 1], [4, 4, 4, 4, 0], [1, 2, 3, 5, 5]]
)
EQUAL_BEFORE, EQUAL_AFTER = "a row above row i equals it", "a row below row i equals it"


def draw(rng: Generator) -> tuple[Any, ...]:
    n, D = (int(size) for size in rng.integers(2, 7, size=2))
    vectors = rng.normal(size=(n, D)) * rng.uniform(0.3, 3, size=(n, 1))
    return int(rng.integers(n)), vectors, int(rng.integers(1, n))


EXERCISE = Exercise(
    "nearest_words",
    nearest_words,
    inputs=[
        _table(2, 7, 5, 3),
        _table(0, 8, 8, 6),  # as many words as features
        _table(7, 9, 3, 1),
        (
            0,
            np.array([[1.0, 0.2], [-1, 0.1], [-0.8, -0.5], [-0.1, 0.9], [0.3, 2]]),
            2,
        ),  # the cosines add up to less than 0
        (1, RNG.normal(size=(6, 4)), 5),  # all the others, and some of them point the other way
    ],
    traps={
        EQUAL_BEFORE: (3, np.stack([D, A, C, A, B]), 2),
        EQUAL_AFTER: (1, np.stack([B, A, E, D, A]), 2),
    },
    draw=draw,
    minutes=6,
    difficulty=2,
    nudge=(
        "Three steps: the cosine of every row with row i, the numbers of the rows in order, and one"
        " of these numbers left out. Which one, and how do you know it?"
    ),
    skeleton="""def my_nearest_words(i, vectors, k):
    lengths = np.linalg.norm(vectors, axis=1)         # (n,)
    cosine = ...                          # (n,)  of each row with row i
    order = ...                           # (n,)  numbers of rows, the largest cosine first
    others = ...                          # (n - 1,)  without the number i
    return others[...]
""",
)
