"""`grouped_query_attention` with a twist: a rule that the exercise did not have. The kept function,
pasted, is wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.exercises.drawing import normal


def variant(rng: Generator) -> Code:
    c = drawn(rng, 0.5, 8)
    return Code(
        "Grouped queries, dealt out in turn: head h of the queries uses head h % H_kv of keys and"
        f" values, and scores are divided by {c} instead of √d. No mask. `Q` (H, T, d), `K`, `V`"
        " (H_kv, n, d). Returns the output (H, T, d).",
        "def answer(Q, K, V):\n    which = np.arange(len(Q)) % len(K)\n    return"
        f" attention.scaled_dot_product_attention(Q, K[which], V[which], scale=1 / {c})[0]",
        (
            normal(rng, (4, 3, 5), (2, 4, 5), (2, 4, 5)),
            normal(rng, (6, 2, 2), (3, 2, 2), (3, 2, 2)),
        ),
        minutes=7,
        points=4,
    )
