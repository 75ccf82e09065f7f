"""The exercise `merge_pair`."""

from typing import Any

from numpy.random import Generator

from course_utils import tokens
from course_utils.diagnosis.exercise import Exercise


def merge_pair(ids, pair, new):
    return tokens.merge_pair(ids, pair, new)


THREE = "three equal tokens in a row"


def draw(rng: Generator) -> tuple[Any, ...]:
    ids = [int(i) for i in rng.integers(1, 4, size=rng.integers(10))]
    return ids, tuple(int(i) for i in rng.integers(1, 4, size=2)), 9


EXERCISE = Exercise(
    "merge_pair",
    merge_pair,
    inputs=[
        ([5, 1, 2, 3, 1, 2, 1, 2, 4], (1, 2), 256),
        ([1, 2, 2, 1, 1, 2], (1, 2), 9),
        ([2, 1, 3, 2, 2, 1, 7], (1, 3), 300),
        ([1, 1, 2, 2, 1, 3], (1, 2), 9),
        ([6, 6, 4, 6, 6, 1], (6, 6), 8),
        ([3, 4, 5], (4, 3), 9),  # no such pair
        ([11, 2, 1, 25], (1, 2), 9),  # nor here, though it looks so in a text
        ([7], (7, 7), 9),
        ([0, 1, 300, 301, 0, 1], (0, 1), 256),  # token 0 is a token
        ([5, 300, 301, 300], (300, 301), 400),
    ],
    traps={
        THREE: ([4, 4, 4, 1, 4, 4, 4], (4, 4), 9),
        "an empty list": ([], (1, 2), 9),
    },
    draw=draw,
    returns="tokens",
    minutes=6,
    difficulty=2,
    nudge=(
        "Walk along the list with a place i. If the tokens at i and i + 1 are the pair, one token"
        " goes into the result. How far do you step then, and how far otherwise?"
    ),
    skeleton="""def my_merge_pair(ids, pair, new):
    merged, i = [], 0
    while i < len(ids):
        found = ...                       # do the tokens at i and i + 1 make the pair?
        merged.append(new if found else ids[i])
        i += ...                          # how far to the next token that is not used up?
    return merged
""",
)
