"""The exercise `multi_head_attention`."""

import numpy as np

from course_utils import attention as course
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import several, sizes

RNG = np.random.default_rng(5)
LARGE = "scores of several thousand"
WIDTHS = "keys and values whose widths are not D / H"


def multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    return course.multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads)[0]


def _given(T, d_k, H, D=None, d_v=None, length=1):
    """X, the four matrices and the number of heads; unless told, D is H * d_k, and values are as wide as keys, as they mostly are."""
    D, d_v = D or H * d_k, d_v or d_k
    X, *matrices = (RNG.normal(size=shape) for shape in [(T, D), (D, H * d_k), (D, H * d_k), (D, H * d_v), (H * d_v, D)])
    return length * X, *matrices, H


def draw(rng):
    T, D, H, d_k, d_v = sizes(rng, 5)
    return *several(rng, (T, D), (D, H * d_k), (D, H * d_k), (D, H * d_v), (H * d_v, D)), H


EXERCISE = Exercise(
    "multi_head_attention", multi_head_attention,
    inputs=[
        _given(5, 3, 2),                                   # T, D, d_k and H all different
        _given(4, 2, 2),                                   # as many tokens as features
        _given(3, 2, 3),
        _given(7, 3, 2),
        _given(4, 5, 2),
        _given(2, 2, 2),
    ],
    traps={LARGE: _given(5, 3, 2, length=50), WIDTHS: _given(7, 5, 2, D=8, d_v=3)},
    parts=("softmax", "split_heads", "merge_heads"),
    draw=draw, minutes=8, difficulty=3,
    nudge="Five steps, and you have written three of them: project, split, attend within each head, merge, mix. "
          "How wide is what one head's dot product adds up?",
    skeleton="""
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):     # (T, D)
    Q = mine.split_heads(..., n_heads)     # (H, T, d_k)
    K = ...                                # (H, T, d_k)
    V = ...                                # (H, T, d_v)
    S = ...                                # (H, T, T)    each head by itself, scaled
    heads = np.zeros(V.shape)              # (H, T, d_v)
    for h in range(n_heads):
        heads[h] = ...                     # (T, d_v)     this head's average of its values
    return ...                             # (T, D)       side by side, then mixed
""")
