"""The exercise `multi_head_attention`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils import attention as course
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import several, sizes

RNG = np.random.default_rng(5)
LARGE = "scores of several thousand"
WIDTHS = "keys and values whose widths are not D / H"


def multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    return course.multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads)[0]


def _given(T, d_k, H, D=None, d_v=None, length=1):
    """X, the four matrices and the number of heads; unless told, D is H * d_k, and values are as
    wide as keys, as they mostly are."""
    D, d_v = D or H * d_k, d_v or d_k
    X, *matrices = (
        RNG.normal(size=shape)
        for shape in [(T, D), (D, H * d_k), (D, H * d_k), (D, H * d_v), (H * d_v, D)]
    )
    return length * X, *matrices, H


def draw(rng: Generator) -> tuple[Any, ...]:
    T, D, H, d_k, d_v = sizes(rng, 5)
    return *several(rng, (T, D), (D, H * d_k), (D, H * d_k), (D, H * d_v), (H * d_v, D)), H


EXERCISE = Exercise(
    "multi_head_attention",
    multi_head_attention,
    inputs=[
        _given(5, 3, 2),  # T, D, d_k and H all different
        _given(4, 2, 2),  # as many tokens as features
        _given(3, 2, 3),
        _given(7, 3, 2),
        _given(4, 5, 2),
        _given(2, 2, 2),
    ],
    traps={LARGE: _given(5, 3, 2, length=50), WIDTHS: _given(7, 5, 2, D=8, d_v=3)},
    parts=("softmax", "split_heads", "merge_heads"),
    draw=draw,
    minutes=6,
    difficulty=2,
    nudge=(
        "Two steps are left. First the scores of every head: turn round only the last two axes of"
        " K. How many products does a dot product of one head add up? Then put the heads side by"
        " side, and multiply by the last matrix."
    ),
    skeleton="""
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q = mine.split_heads(X @ W_Q, n_heads)    # (H, T, d_k)
    K = mine.split_heads(X @ W_K, n_heads)    # (H, T, d_k)
    V = mine.split_heads(X @ W_V, n_heads)    # (H, T, d_v)
    scores = ...                     # (H, T, T)    each head's own, scaled
    weights = softmax(scores)        # (H, T, T)    rows sum to 1
    heads = weights @ V              # (H, T, d_v)
    output = ...                     # (T, D)       side by side, then W_O
    return output
""",
)
