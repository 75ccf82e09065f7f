"""`softmax_slopes` with a twist: a rule that the exercise did not have. The kept function, pasted,
is wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.exercises.drawing import normal


def variant(rng: Generator) -> Code:
    tau = drawn(rng, 0.3, 4)
    return Code(
        f"`scores` (n, m): each row goes through softmax with temperature {tau}. `slopes` (n, m)"
        " are the loss's slopes at the weights. Returns those at the scores, (n, m).",
        f"""
def answer(scores, slopes):
    A = attention.softmax(scores / {tau})
    return A * (slopes - (A * slopes).sum(axis=1, keepdims=True)) / {tau}
""",
        (normal(rng, (4, 3), (4, 3)), normal(rng, (3, 3), (3, 3))),
        minutes=7,
        points=4,
    )
