"""The exercise `self_attention`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils import attention as course
from course_utils.data import SENTENCES, embed
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import numbers, sizes

RNG = np.random.default_rng(1)
LONG = "vectors 30 times as long, with scores of several thousand"


def self_attention(X):
    return course.softmax(X @ X.T) @ X


def draw(rng: Generator) -> tuple[Any, ...]:
    return (numbers(rng, *sizes(rng, 2)),)


EXERCISE = Exercise(
    "self_attention",
    self_attention,
    inputs=[
        (RNG.normal(size=(5, 3)),),
        (
            RNG.normal(size=(4, 4)),
        ),  # as many tokens as features: mixing them up does not fail, it goes wrong
        (embed(SENTENCES["animal"]),),
        (np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]),),  # two words alike
    ],
    traps={
        LONG: (embed(SENTENCES["sport"]) * 30,),
        "one token alone": (RNG.normal(size=(1, 3)),),
    },
    draw=draw,
    minutes=3,
    difficulty=1,
    nudge=(
        "Three steps: score every pair, share out each row, average the words. Which shape has the"
        " table after each step?"
    ),
    skeleton="""
def my_self_attention(X):       # (T, D) -> (T, D)
    S = ...                     # (T, T)  each token with each
    A = ...                     # (T, T)  each row sums to 1
    return A @ ...              # (T, D)  what is averaged?
""",
)
