"""`softmax_jacobian` with a twist: a rule that the exercise did not have. The kept function,
pasted, is wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.exercises.drawing import normal


def variant(rng: Generator) -> Code:
    tau = drawn(rng, 0.3, 4)
    return Code(
        f"A row of `scores` (n,) goes through softmax with temperature {tau}. Give the table of the"
        " slopes of weight i by score j, (n, n). Given are the *scores*.",
        f"def answer(scores):\n    a = attention.softmax(scores / {tau})\n    return (np.diag(a) -"
        f" np.outer(a, a)) / {tau}",
        tuple((x,) for x in normal(rng, (3,), (5,))),
        minutes=7,
        points=4,
    )
