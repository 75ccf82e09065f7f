"""The exercise `top_k_gate`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils import experts as course
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import sizes

RNG = np.random.default_rng(9)


def top_k_gate(logits, k):
    return course.top_k_gate(logits, np.eye(logits.shape[1]), k)


def draw(rng: Generator) -> tuple[Any, ...]:
    N, E = sizes(rng, 2)
    whole = rng.integers(2)  # whole numbers: 0 is a logit as good as another
    logits = np.argsort(rng.random((N, E)), axis=1) - E // 2 if whole else rng.normal(size=(N, E))
    return logits.astype(float), int(rng.integers(1, E + 1))


EXERCISE = Exercise(
    "top_k_gate",
    top_k_gate,
    inputs=[
        (
            np.array(
                [
                    [2.0, 1.0, -0.5, 0.2, 1.4, -1.1],
                    [1.1, 0.3, 0.8, -2.0, 1.9, 0.1],
                    [0.6, -0.2, 1.7, -0.6, 0.9, -1.3],
                    [2.2, 1.5, 0.9, 0.1, 1.2, -0.4],
                ]
            ),
            3,
        ),  # nobody wants expert 5
        (
            np.array(
                [
                    [2.0, 1.0, -0.5, 0.2],
                    [-1.0, 0.3, 0.8, -2.0],
                    [-3.0, -0.2, -1.0, -0.6],
                    [0.1, 1.5, 0.9, 2.2],
                ]
            ),
            2,
        ),
        (np.array([[0.0, -1.0, 2.0], [-2.0, 0.0, -1.0]]), 2),  # a logit of 0 is as good as another
        (RNG.normal(size=(7, 5)), 2),
        (RNG.normal(size=(3, 4)), 1),
        (RNG.normal(size=(3, 4)), 4),
    ],
    traps={
        "logits far apart": (100 * RNG.normal(size=(4, 6)), 2),
        "logits around -500, one expert": (np.array([[-500.0, -600.0, -700.0]]), 1),
        "logits around 1000 and around -500": (
            np.array([[1000.0, 999.0, 0.0], [-500.0, -600.0, -700.0]]),
            2,
        ),
        "one token alone": (np.array([[1.0, 2.0]]), 1),
    },
    draw=draw,
    minutes=10,
    difficulty=2,
    nudge=(
        "Sort a row: which is the smallest logit that stays? Then ask: which logit does"
        " softmax turn into 0?"
    ),
    skeleton="""def my_top_k_gate(logits, k):
    order = ...                           # (N, E)  the experts of each row, largest logit first
    place = ...                           # (N, E)  the place of each expert in that order
    kept = ...                            # (N, E)  True for the k experts that stay
    masked = ...                          # (N, E)  keep these logits; elsewhere put what softmax turns into 0
    return softmax(masked)
""",  # noqa: E501
)
