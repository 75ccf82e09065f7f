"""`feed_forward` with a twist: a rule that the exercise did not have. The kept function, pasted, is
wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.exercises.drawing import normal


def variant(rng: Generator) -> Code:
    leak = drawn(rng, 0.02, 0.6)
    return Code(
        "A feed-forward network whose activation leaves positive numbers as they are and"
        f" multiplies negative ones by {leak}. `X` (T, D), `W_1` (D, d_ff), `b_1` (d_ff,), `W_2`"
        " (d_ff, D), `b_2` (D,). Returns (T, D).",
        "def answer(X, W_1, b_1, W_2, b_2):\n    hidden = X @ W_1 + b_1\n    return"
        f" np.where(hidden > 0, hidden, {leak} * hidden) @ W_2 + b_2",
        (
            normal(rng, (3, 2), (2, 6), (6,), (6, 2), (2,)),
            normal(rng, (4, 4), (4, 4), (4,), (4, 4), (4,)),
        ),
        minutes=5,
        points=3,
    )
