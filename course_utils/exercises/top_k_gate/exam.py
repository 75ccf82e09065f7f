"""`top_k_gate` with a twist: a rule that the exercise did not have. The kept function, pasted, is
wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn


def variant(rng: Generator) -> Code:
    fixed = drawn(rng, 0.1, 0.9)
    return Code(
        "Experts choose: *each expert* keeps the `k` tokens with its highest logits, and its"
        f" gates, a softmax over those tokens at temperature {fixed}, sum to 1. The others are 0."
        " `logits` (N, E). Returns (N, E).",
        "def answer(logits, k):\n"
        "    kept = np.argsort(np.argsort(-logits, axis=0), axis=0) < k\n"
        f"    return attention.softmax(np.where(kept, logits, -np.inf) / {fixed}, axis=0)",
        tuple((rng.normal(size=s), k) for s, k in [((5, 3), 2), ((4, 4), 3), ((6, 2), 1)]),
        minutes=7,
        points=4,
    )
