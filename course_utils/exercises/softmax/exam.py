"""`softmax` with a twist: a rule that the exercise did not have. The kept function, pasted, is
wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.exercises.drawing import normal


def variant(rng: Generator) -> Code:
    base = drawn(rng, 1.5, 9)
    large = rng.normal(size=(4, 3)) + 2000
    return Code(
        f"`scores` (n, m). Give softmax down each *column*, with powers of {base} in the place of"
        " powers of e. Scores may be several thousand. Returns (n, m).",
        f"def answer(scores):\n    powers = {base} ** (scores - scores.max(axis=0))\n    return"
        " powers / powers.sum(axis=0)",
        (*((x,) for x in normal(rng, (4, 3), (3, 3))), (large,)),
        minutes=7,
        points=4,
    )
