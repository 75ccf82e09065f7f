"""`advantages` with a twist: a rule that the exercise did not have. The kept function, pasted, is
wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn


def variant(rng: Generator) -> Code:
    most = drawn(rng, 0.5, 2)
    return Code(
        f"As `advantages`, with no leash; but each reward counts at most {most} before it is"
        " compared, and the baseline is the mean of the rewards of *all* texts. `rewards` (n,)."
        " Returns (n,).",
        "def answer(rewards):\n"
        f"    counted = np.minimum(rewards, {most})\n"
        "    return counted - counted.mean()",
        tuple((4 * rng.random(n),) for n in (6, 4, 2)),
        minutes=6,
        points=4,
    )
