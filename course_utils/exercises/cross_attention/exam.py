"""`cross_attention` with a twist: a rule that the exercise did not have. The kept function, pasted,
is wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.exercises.drawing import normal


def variant(rng: Generator) -> Code:
    share = drawn(rng, 0.1, 0.9)
    return Code(
        "`X` (T, D) asks two contexts, `near` (n, D) and `far` (m, D), in two separate attentions"
        f" without a scale, with the same matrices. The output is {share} times the answer of"
        f" `near` plus {1 - share:.3f} times that of `far`. `W_Q`, `W_K` (D, d), `W_V` (D, d_v)."
        " Returns (T, d_v).",
        "def answer(X, near, far, W_Q, W_K, W_V):\n    said = [attention.softmax(X @ W_Q @"
        f" (context @ W_K).T) @ context @ W_V for context in (near, far)]\n    return {share} *"
        f" said[0] + {1 - share:.3f} * said[1]",
        (normal(rng, (2, 4), (3, 4), (5, 4), (4, 3), (4, 3), (4, 2)), normal(rng, *[(3, 3)] * 6)),
        minutes=7,
        points=4,
    )
