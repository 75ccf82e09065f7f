"""`matrix_slopes` with a twist: a rule that the exercise did not have. The kept function, pasted,
is wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.exercises.drawing import normal


def variant(rng: Generator) -> Code:
    c = drawn(rng, 0.3, 4)
    return Code(
        f"Y = X + {c} · X W, with `X` (T, D) and `W` (D, D). `dY` (T, D) are the loss's slopes at"
        " Y. Returns the slopes dX, dW.",
        f"def answer(X, W, dY):\n    return dY + {c} * dY @ W.T, {c} * X.T @ dY",
        (normal(rng, (5, 4), (4, 4), (5, 4)), normal(rng, *[(3, 3)] * 3)),
        minutes=7,
        points=4,
    )
