"""`attention` with a twist: a rule that the exercise did not have. The kept function, pasted, is
wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.exercises.drawing import normal


def variant(rng: Generator) -> Code:
    slope = drawn(rng, 0.1, 3)
    return Code(
        "Attention without a scale that prefers what is near: from the score of query i and key j,"
        f" {slope} times |i − j| is subtracted. `Q`, `K` (T, d), `V` (T, d_v). Returns (T, d_v).",
        "def answer(Q, K, V):\n    i = np.arange(len(Q))\n"
        f"    return attention.softmax(Q @ K.T - {slope} * abs(i[:, None] - i)) @ V",
        (normal(rng, (5, 3), (5, 3), (5, 2)), normal(rng, (3, 3), (3, 3), (3, 3))),
        minutes=5,
        points=3,
    )
