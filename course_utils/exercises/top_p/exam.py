"""`top_p` with a twist: a rule that the exercise did not have. The kept function, pasted, is
wrong."""

from numpy.random import Generator

from course_utils.attention import softmax
from course_utils.diagnosis.questions import Code, drawn


def variant(rng: Generator) -> Code:
    share, least = drawn(rng, 0.05, 0.45), int(rng.integers(1, 4))
    return Code(
        f"Another way to cut the tail: pieces stay whose probability is at least {share} times that"
        f" of the likeliest, and the {least + 1} likeliest stay in any case. What stays sums to 1"
        " again, each at its place. `probabilities` (n,). Returns (n,).",
        "def answer(probabilities):\n    rank = np.argsort(np.argsort(-probabilities))\n    kept ="
        f" np.where((probabilities >= {share} * probabilities.max()) | (rank <= {least}),"
        " probabilities, 0)\n    return kept / kept.sum()",
        tuple(
            (softmax(size * rng.normal(size=n)),) for n, size in [(6, 1), (8, 2), (60, 1), (5, 6)]
        ),
        minutes=8,
        points=5,
    )
