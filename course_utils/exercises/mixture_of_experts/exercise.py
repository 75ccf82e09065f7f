"""The exercise `mixture_of_experts`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.attention import softmax
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import numbers, shares, sizes

RNG = np.random.default_rng(9)


def mixture_of_experts(gates, expert_outputs):
    return np.einsum("ne,ned->nd", gates, expert_outputs)


def _gates_and_outputs(N, E, D):
    return softmax(RNG.normal(size=(N, E))), RNG.normal(size=(N, E, D))


def draw(rng: Generator) -> tuple[Any, ...]:
    N, E, D = sizes(rng, 3)
    return shares(rng, N, E), numbers(rng, N, E, D)


EXERCISE = Exercise(
    "mixture_of_experts",
    mixture_of_experts,
    inputs=[
        _gates_and_outputs(5, 4, 3),
        _gates_and_outputs(3, 3, 3),  # square: gates may meet the wrong axis
        (np.array([[1.0, 0.0], [0.25, 0.75]]), RNG.normal(size=(2, 2, 3))),
        _gates_and_outputs(2, 3, 3),
    ],
    traps={
        "gates that do not sum to 1": (
            np.array([[0.5, 0.0, 0.2], [0.1, 0.3, 0.0]]),
            RNG.normal(size=(2, 3, 4)),
        ),
        "one token alone": (np.array([[0.5, 0.5]]), np.array([[[1.0, 2.0], [2.0, 3.0]]])),
    },
    draw=draw,
    minutes=5,
    difficulty=1,
    nudge=(
        "For one token, multiply each expert's answer by its gate, and add. A gate is one"
        " number, and an answer has D numbers: which shape must the gates have, to multiply the"
        " answers?"
    ),
    skeleton="""def my_mixture_of_experts(gates, expert_outputs):
    weighted = ...                        # (N, E, D)  each answer times its gate
    return ...                            # (N, D)
""",
)
