"""The exercise `cross_attention`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.attention.exercise import LARGE, attention
from course_utils.exercises.drawing import normal, several, sizes

RNG = np.random.default_rng(2)


def cross_attention(X, context, W_Q, W_K, W_V):
    return attention(X @ W_Q, context @ W_K, context @ W_V)


def _far(X, context, W_Q, W_K, W_V):
    return 1000 * X, context, W_Q, W_K, W_V


def draw(rng: Generator) -> tuple[Any, ...]:
    T_q, T_kv, D, d_k, d_v = sizes(rng, 5)
    return several(rng, (T_q, D), (T_kv, D), (D, d_k), (D, d_k), (D, d_v))


EXERCISE = Exercise(
    "cross_attention",
    cross_attention,
    inputs=[
        normal(RNG, (2, 6), (5, 6), (6, 3), (6, 3), (6, 4)),
        normal(
            RNG, (3, 3), (3, 3), (3, 3), (3, 3), (3, 3)
        ),  # as many tokens here as there, all square: a mix-up does not fail
        normal(RNG, (4, 3), (4, 3), (3, 2), (3, 2), (3, 2)),
        normal(RNG, (4, 2), (3, 2), (2, 2), (2, 2), (2, 3)),
    ],
    traps={
        LARGE: _far(*normal(RNG, (2, 3), (5, 3), (3, 2), (3, 2), (3, 4))),
        "one query alone": normal(RNG, (1, 2), (3, 2), (2, 2), (2, 2), (2, 2)),
    },
    draw=draw,
    minutes=5,
    difficulty=2,
    nudge=(
        "Make three projections, then use attention as before. Which projections come from X? Which"
        " come from the context?"
    ),
    skeleton="""
def my_cross_attention(X, context, W_Q, W_K, W_V):
    Q = ... @ W_Q                # (T_q, d_k)   who asks?
    K = ... @ W_K                # (T_kv, d_k)  who answers?
    V = ... @ W_V                # (T_kv, d_v)  who sends?
    return ...                   # (T_q, d_v)
""",
)
