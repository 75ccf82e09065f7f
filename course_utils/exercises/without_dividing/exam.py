"""`without_dividing` with a twist: a rule that the exercise did not have. The kept function,
pasted, is wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.exercises.drawing import normal


def variant(rng: Generator) -> Code:
    tau = drawn(rng, 1.5, 9)
    return Code(
        f"A layer divides its scores by √d_k and by a temperature of {tau}. Give matrices `W_Q` and"
        " `W_K` (D, d_k), both divided by the same positive number, so that the plain product of"
        " queries and keys is the same score. Returns W_Q, W_K.",
        f"def answer(W_Q, W_K):\n    smaller = (W_Q.shape[1] ** 0.5 * {tau}) ** 0.5\n    return W_Q"
        " / smaller, W_K / smaller",
        (normal(rng, (5, 9), (5, 9)), normal(rng, (4, 4), (4, 4))),
        minutes=9,
        points=5,
    )
