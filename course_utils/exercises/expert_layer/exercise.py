"""The exercise `expert_layer`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import normal, sizes
from course_utils.exercises.mixture_of_experts.exercise import mixture_of_experts
from course_utils.exercises.top_k_gate.exercise import top_k_gate
from course_utils.layers import relu

RNG = np.random.default_rng(9)


def expert_layer(X, W_g, W_1, b_1, W_2, b_2, k):
    return _experts(X, W_g, W_1, b_1, W_2, b_2, k)


def _experts(X, W_g, W_1, b_1, W_2, b_2, k, gate=top_k_gate, activation=relu):
    said = activation(np.einsum("nd,edf->nef", X, W_1) + b_1)  # (N, E, d_ff)
    return mixture_of_experts(gate(X @ W_g, k), np.einsum("nef,efd->ned", said, W_2) + b_2)


def _layer(N, D, E, d_ff, k):
    shapes = (N, D), (D, E), (E, D, d_ff), (E, d_ff), (E, d_ff, D), (E, D)
    return *(RNG.normal(size=shape) for shape in shapes), k


def draw(rng: Generator) -> tuple[Any, ...]:
    N, D, E, d_ff = sizes(rng, 4)
    shapes = (N, D), (D, E), (E, D, d_ff), (E, d_ff), (E, d_ff, D), (E, D)
    return *normal(rng, *shapes), int(rng.integers(1, E + 1))


EXERCISE = Exercise(
    "expert_layer",
    expert_layer,
    inputs=[
        _layer(5, 3, 4, 6, 2),
        _layer(3, 3, 3, 3, 2),
        _layer(4, 2, 3, 5, 1),
        _layer(2, 4, 5, 3, 3),
        _layer(6, 3, 4, 2, 1),
    ],
    parts=("top_k_gate", "feed_forward", "mixture_of_experts"),
    draw=draw,
    minutes=8,
    difficulty=2,
    nudge=(
        "You have all three parts. top_k_gate takes logits: how do they come from X and W_g?"
        " Each expert is a feed-forward network that answers for all tokens: which matrices and"
        " biases does expert e have?"
    ),
    skeleton="""def my_expert_layer(X, W_g, W_1, b_1, W_2, b_2, k):
    gates = ...                           # (N, E)  above 0 for each token's k best experts
    answers = []
    for e in range(...):
        answers.append(...)               # (N, D)  what expert e says about all tokens
    expert_outputs = np.stack(answers, axis=1)       # (N, E, D)
    return ...                            # (N, D)
""",
)
