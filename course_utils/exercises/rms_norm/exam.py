"""`rms_norm` with a twist: a rule that the exercise did not have. The kept function, pasted, is
wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.exercises.drawing import normal


def variant(rng: Generator) -> Code:
    eps = drawn(rng, 0.05, 0.9)
    return Code(
        "A norm that divides each token by the mean of the *absolute values* of its features plus"
        f" {eps}, then multiplies by γ; no mean is subtracted. `x` (..., D), `gamma` (D,). Returns"
        " x's shape.",
        f"def answer(x, gamma):\n    return x / (abs(x).mean(axis=-1, keepdims=True) + {eps}) *"
        " gamma",
        (normal(rng, (3, 5), (5,)), normal(rng, (4, 4), (4,)), normal(rng, (2, 3, 4), (4,))),
        minutes=5,
        points=3,
    )
