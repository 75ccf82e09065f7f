"""The exercise `scaled_attention`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.attention import scaled_dot_product_attention
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import queries_keys_values

RNG = np.random.default_rng(3)
LARGE = "scores of several thousand"


def scaled_attention(Q, K, V):
    return scaled_dot_product_attention(Q, K, V)[0]


def _qkv(*shapes, length=1):
    Q, K, V = (RNG.normal(size=shape) for shape in shapes)
    return length * Q, K, V


def draw(rng: Generator) -> tuple[Any, ...]:
    return queries_keys_values(rng)


EXERCISE = Exercise(
    "scaled_attention",
    scaled_attention,
    inputs=[
        _qkv((2, 3), (5, 3), (5, 7)),
        _qkv((3, 3), (3, 3), (3, 3)),
        _qkv((6, 5), (6, 5), (6, 3)),
        _qkv((2, 9), (4, 9), (4, 7)),
    ],
    traps={
        LARGE: _qkv((2, 3), (5, 3), (5, 7), length=3000),
        "one query's scores far above another's": (
            np.array([[1000.0], [0.0]]),
            np.array([[1.0], [0.5]]),
            np.array([[1.0], [2.0]]),
        ),
        "one query alone": _qkv((1, 2), (3, 2), (3, 2)),
    },
    draw=draw,
    minutes=5,
    difficulty=1,
    nudge=(
        "How many products does a score add up? The standard deviation of that sum grows like the"
        " square root of this number."
    ),
    skeleton="""
def my_scaled_attention(Q, K, V):     # (T_q, d_k), (T_kv, d_k), (T_kv, d_v)
    d_k = ...                         # which width does a score add up?
    S = ...                           # (T_q, T_kv)  of standard deviation 1 for random vectors
    return mine.softmax(S) @ V        # (T_q, d_v)
""",
)
