"""The exercise `attention`."""

import numpy as np

from course_utils.attention import scaled_dot_product_attention
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import normal, queries_keys_values

RNG = np.random.default_rng(2)
LARGE = "queries a thousand times as long, with scores in the thousands"


def attention(Q, K, V):
    return scaled_dot_product_attention(Q, K, V, scale=1)[0]


def _longer(Q, K, V):
    return 1000 * Q, K, V


EXERCISE = Exercise(
    "attention",
    attention,
    inputs=[
        normal(RNG, (2, 3), (5, 3), (5, 4)),  # two queries, five keys; values of another width
        normal(RNG, (3, 3), (3, 3), (3, 3)),  # all square: a mix-up does not fail, it goes wrong
        normal(RNG, (4, 3), (4, 3), (4, 2)),
        normal(RNG, (4, 2), (3, 2), (3, 2)),
    ],
    traps={
        LARGE: _longer(*normal(RNG, (2, 3), (5, 3), (5, 4))),
        "one query's scores far above another's": (
            np.array([[1000.0], [0.0]]),
            np.array([[1.0], [0.5]]),
            np.array([[1.0], [2.0]]),
        ),
        "one query alone": normal(RNG, (1, 2), (3, 2), (3, 2)),
    },
    draw=queries_keys_values,
    minutes=5,
    difficulty=1,
    nudge=(
        "This is like self-attention, but in self-attention X had all three jobs. Which rows ask?"
        " Which rows answer? Which rows are averaged?"
    ),
    skeleton="""
def my_attention(Q, K, V):        # (T_q, d_k), (T_kv, d_k), (T_kv, d_v)
    S = ...                       # (T_q, T_kv)  each query with each key
    A = mine.softmax(...)         # (T_q, T_kv)  each row sums to 1
    return A @ ...                # (T_q, d_v)   what is averaged?
""",
)
