"""`masked_attention` with a twist: a rule that the exercise did not have. The kept function,
pasted, is wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.exercises.drawing import normal


def variant(rng: Generator) -> Code:
    window, tau = int(rng.integers(2, 7)), drawn(rng, 0.3, 3)
    return Code(
        f"Attention with scores divided by {tau} √d, in which query i sees keys i − {window - 1} …"
        " i, and only the first `n` keys are real. A query that may see nothing gets zeros. `Q`,"
        " `K` (T, d), `V` (T, d_v). Returns (output, weights).",
        "def answer(Q, K, V, n):\n"
        f"    mask = attention.sliding_window_mask(len(Q), {window}) & (np.arange(len(K)) < n)\n"
        f"    return attention.scaled_dot_product_attention(Q / {tau}, K, V, mask)",
        (
            (*normal(rng, (9, 3), (9, 3), (9, 2)), 8),
            (*normal(rng, *[(4, 4)] * 3), 4),
            (*normal(rng, (10, 3), (10, 3), (10, 2)), 2),
        ),
        minutes=7,
        points=4,
    )
