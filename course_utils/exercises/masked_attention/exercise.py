"""The exercise `masked_attention`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils import attention as course
from course_utils.attention import scaled_dot_product_attention
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import mask, several, sizes

RNG = np.random.default_rng(4)
# Traps of masked attention.
HALF = "half precision (float16), which ends at 65504"
NOTHING = "a query that sees nothing"
LARGE = "scores of several thousand"


def masked_attention(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, mask)


def _qkv(T=5, d_k=3, d_v=2, dtype=float, length=1):
    Q, K, V = (RNG.normal(size=shape).astype(dtype) for shape in [(T, d_k), (T, d_k), (T, d_v)])
    return Q * Q.dtype.type(length), K, V


LAST_TWO_ARE_PADDING = np.array([[True, True, False, False]] * 4)
FIRST_IS_PADDING = np.array([[False, True, True, True]] * 4)
FIRST_ROW_HAS_NOTHING = np.tri(4, k=-1, dtype=bool)


def draw(rng: Generator) -> tuple[Any, ...]:
    T, d_k, d_v = sizes(rng, 3)
    return *several(rng, (T, d_k), (T, d_k), (T, d_v)), mask(rng, T, T)


EXERCISE = Exercise(
    "masked_attention",
    masked_attention,
    inputs=[
        (*_qkv(), course.causal_mask(5)),
        (
            *_qkv(3, 3, 3),
            course.causal_mask(3),
        ),  # all square: a mix-up does not fail, it goes wrong
        (*_qkv(4, 5, 2), LAST_TWO_ARE_PADDING),
        (*_qkv(4, 5, 4), FIRST_IS_PADDING),
        (
            *_qkv(4, 6, 2),
            np.array([[1, 0, 1, 1], [0, 1, 0, 0], [1, 1, 0, 1], [0, 1, 1, 0]], dtype=bool),
        ),
        (
            np.eye(2),
            np.array([[0.0, 1], [1, 1]]),
            np.array([[1.0, 2, 3], [4, 5, 7]]),
            course.causal_mask(2),
        ),  # a score of 0, and allowed
        (
            *(RNG.normal(size=shape) for shape in [(2, 3), (4, 3), (4, 2)]),
            course.causal_mask(2, 4),
        ),  # fewer queries than keys, as with a cache
    ],
    traps={
        HALF: (*_qkv(4, 3, 2, np.float16), course.causal_mask(4)),
        NOTHING: (*_qkv(4, 3, 2), FIRST_ROW_HAS_NOTHING),
        LARGE: (*_qkv(4, 3, 2, length=5000), course.causal_mask(4)),
        "one query and one key": (
            np.ones((1, 2)),
            np.ones((1, 2)),
            np.ones((1, 2)),
            np.ones((1, 1), bool),
        ),
    },
    draw=draw,
    minutes=6,
    difficulty=2,
    nudge=(
        "A hidden key should have no effect: no weight, and no part in the sum that softmax"
        " divides by. For which score is exp exactly 0?"
    ),
    skeleton="""
def my_masked_attention(Q, K, V, mask):          # (T_q, d_k), (T_kv, d_k), (T_kv, d_v), bool (T_q, T_kv)
    scores = ...                                 # (T_q, T_kv)  scaled
    scores = ...                                 # (T_q, T_kv)  where mask is False, a score whose exp is 0
    weights = mine.softmax(scores)               # (T_q, T_kv)  NaN if all keys are hidden
    weights = ...                                # (T_q, T_kv)  zeros in place of NaN: np.where again
    return weights @ V, weights                  # (T_q, d_v), (T_q, T_kv)
""",  # noqa: E501
)
