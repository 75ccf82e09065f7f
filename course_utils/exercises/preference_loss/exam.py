"""`preference_loss` with a twist: a rule that the exercise did not have. The kept function, pasted,
is wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn


def variant(rng: Generator) -> Code:
    share = drawn(rng, 0.05, 0.4)
    return Code(
        f"A share {share} of the comparisons is thought to be exchanged, so the loss of a pair is"
        f" {1 - share:.3f} · (−log σ(β m)) + {share} · (−log σ(−β m)), with the margin m of the"
        " exercise. `good`, `bad`, `good_ref`, `bad_ref` (n,) are log-probabilities. Returns the"
        " mean loss over the pairs.",
        "def answer(good, bad, good_ref, bad_ref, beta):\n    m = (good - good_ref) - (bad -"
        f" bad_ref)\n    return ({1 - share:.3f} * np.log1p(np.exp(-beta * m)) + {share} *"
        " np.log1p(np.exp(beta * m))).mean()",
        tuple((*(-10 * rng.random((4, n))), beta) for n, beta in [(5, 0.1), (4, 1.0), (1, 0.5)]),
        minutes=10,
        points=6,
    )
