"""`mixture_of_experts` with a twist: a rule that the exercise did not have. The kept function,
pasted, is wrong."""

from numpy.random import Generator

from course_utils.attention import softmax
from course_utils.diagnosis.questions import Code, drawn


def variant(rng: Generator) -> Code:
    least = drawn(rng, 0.05, 0.22)

    def gates(n, e):
        """Gates of n tokens, of which the first has one below any bound, so that a plain mixture is
        wrong."""
        logits = 2 * rng.normal(size=(n, e))
        logits[0, 0] = logits[0, 1] - 5
        return softmax(logits)

    return Code(
        f"A mixture that leaves out experts with a gate below {least}; the gates that remain sum to"
        " 1 again. `gates` (N, E), `said` (N, E, D). Returns (N, D).",
        "def answer(gates, said):\n"
        f"    kept = np.where(gates < {least}, 0, gates)\n"
        "    kept = kept / kept.sum(axis=1, keepdims=True)\n"
        "    return (kept[:, :, None] * said).sum(axis=1)",
        tuple(
            (gates(n, e), rng.normal(size=(n, e, d)))
            for n, e, d in [(5, 4, 3), (3, 3, 3), (6, 4, 2)]
        ),
        minutes=6,
        points=4,
    )
