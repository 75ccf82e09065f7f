"""`project` with a twist: a rule that the exercise did not have. The kept function, pasted, is
wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.exercises.drawing import normal


def variant(rng: Generator) -> Code:
    factor = drawn(rng, 1.5, 6)
    return Code(
        f"`X` (T, D), `W` (D, d), `b` (d,). Queries and keys share the matrix W; keys are {factor}"
        " times as long and have no bias, queries have the bias b. Returns queries, keys, each"
        " (T, d).",
        f"def answer(X, W, b):\n    return X @ W + b, {factor} * X @ W",
        (normal(rng, (5, 4), (4, 2), (2,)), normal(rng, (3, 3), (3, 3), (3,))),
        minutes=5,
        points=3,
    )
