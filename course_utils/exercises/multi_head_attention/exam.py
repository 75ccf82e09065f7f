"""`multi_head_attention` with a twist: a rule that the exercise did not have. The kept function,
pasted, is wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.exercises.drawing import normal


def variant(rng: Generator) -> Code:
    keep = drawn(rng, 0.05, 0.95)
    return Code(
        "Multi-head attention (scaled, no mask, no biases) in which what head 0 brings is"
        f" multiplied by {keep} before `W_O`. `X` (T, D), all matrices (D, D). Returns (T, D).",
        "def answer(X, W_Q, W_K, W_V, W_O, n_heads):\n"
        "    Q, K, V = (attention.split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))\n"
        "    heads, _ = attention.scaled_dot_product_attention(Q, K, V)\n"
        f"    heads[0] = {keep} * heads[0]\n"
        "    return attention.merge_heads(heads) @ W_O",
        (
            (*normal(rng, (5, 6), *[(6, 6)] * 4), 2),
            (*normal(rng, *[(4, 4)] * 5), 2),
            (*normal(rng, (3, 6), *[(6, 6)] * 4), 3),
        ),
        minutes=11,
        points=7,
    )
