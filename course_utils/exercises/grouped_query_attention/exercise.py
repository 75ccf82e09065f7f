"""The exercise `grouped_query_attention`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils import attention
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import mask, several, sizes

RNG = np.random.default_rng(13)


# Heads that share keys and values.
def grouped_query_attention(Q, K, V, mask):
    return attention.grouped_query_attention(Q, K, V, mask)


def _heads(H, H_kv, T_q, T_kv, d_k, d_v):
    """Queries, fewer heads of keys and values, and the mask of the last T_q of T_kv tokens."""
    shapes = [(H, T_q, d_k), (H_kv, T_kv, d_k), (H_kv, T_kv, d_v)]
    return (*(RNG.normal(size=shape) for shape in shapes), attention.causal_mask(T_q, T_kv))


def draw(rng: Generator) -> tuple[Any, ...]:
    H_kv, group, T_q, T_kv, d_k, d_v = sizes(rng, 6, 4)
    Q, K, V = several(rng, (H_kv * group, T_q, d_k), (H_kv, T_kv, d_k), (H_kv, T_kv, d_v))
    return Q, K, V, mask(rng, T_q, T_kv)


EXERCISE = Exercise(
    "grouped_query_attention",
    grouped_query_attention,
    inputs=[
        _heads(6, 2, 4, 5, 9, 7),
        _heads(4, 2, 2, 2, 2, 2),  # square: a mix-up does not fail, it goes wrong
        _heads(3, 1, 4, 4, 5, 2),  # one head of keys for all
        _heads(2, 2, 3, 3, 3, 3),  # as many of both: the usual heads
        _heads(8, 4, 1, 6, 3, 2),  # one new token and a cache
    ],
    parts=("masked_attention",),
    draw=draw,
    minutes=7,
    difficulty=2,
    nudge=(
        "Six heads of queries, two of keys: heads 0, 1, 2 look at the first, heads 3, 4, 5 at the"
        " second. Which arithmetic turns 0, 1, 2 into 0, and 3, 4, 5 into 1?"
    ),
    skeleton="""
def my_grouped_query_attention(Q, K, V, mask):     # (H, T_q, d_k) (H_kv, T_kv, d_k) (H_kv, T_kv, d_v)
    n = ...                                        # how many heads of queries share one of keys
    outputs, weights = [], []
    for h in range(len(Q)):
        output, A = mine.masked_attention(Q[h], ..., ..., mask)
        outputs.append(output)                     # (T_q, d_v)
        weights.append(A)                          # (T_q, T_kv)
    return np.stack(outputs), np.stack(weights)
""",  # noqa: E501
)
