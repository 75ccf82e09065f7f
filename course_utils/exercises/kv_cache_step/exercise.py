"""The exercise `kv_cache_step`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.attention import scaled_dot_product_attention
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import several, sizes

RNG = np.random.default_rng(10)


def kv_cache_step(q, k, v, K, V):
    K, V = np.vstack([K, k[None]]), np.vstack([V, v[None]])
    return _attend(q, K, V), K, V


def _attend(q, K, V, scale=None):
    return scaled_dot_product_attention(q[None], K, V, scale=scale)[0][0]


def _cache(t, d_k, d_v):
    return tuple(RNG.normal(size=shape) for shape in [(d_k,), (d_k,), (d_v,), (t, d_k), (t, d_v)])


def draw(rng: Generator) -> tuple[Any, ...]:
    d_k, d_v = sizes(rng, 2)
    t = int(rng.integers(5))
    return several(rng, (d_k,), (d_k,), (d_v,), (t, d_k), (t, d_v))


EXERCISE = Exercise(
    "kv_cache_step",
    kv_cache_step,
    inputs=[
        _cache(5, 3, 2),
        _cache(3, 4, 4),
        _cache(4, 4, 4),
        _cache(1, 3, 5),
        _cache(0, 3, 2),
        (
            np.ones(2),
            np.ones(2),
            np.array([1.0, 3]),
            np.zeros((1, 2)),
            np.ones((1, 2)),
        ),  # a cache of zeros is not empty
    ],
    traps={
        "values of one feature": (
            np.ones(2),
            np.ones(2),
            np.array([2.0]),
            np.zeros((1, 2)),
            np.ones((1, 1)),
        ),
    },
    draw=draw,
    minutes=10,
    difficulty=2,
    nudge=(
        "Let the tables grow first: then the new token finds itself among the keys. How is a row"
        " put below a table? After that it is attention of one query."
    ),
    skeleton="""def my_kv_cache_step(q, k, v, K, V):
    K_new = ...                           # (t + 1, d_k)
    V_new = ...                           # (t + 1, d_v)
    weights = ...                         # (t + 1,)  how much the new token attends to each
    return ..., K_new, V_new              # the output has shape (d_v,)
""",
)
