"""`self_attention` with a twist: a rule that the exercise did not have. The kept function, pasted,
is wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.exercises.drawing import normal


def variant(rng: Generator) -> Code:
    share = drawn(rng, 0.1, 0.9)
    return Code(
        "Self-attention without a scale in which a token never attends to itself, and its own"
        f" vector is then mixed in: the new row is {share} times the old one plus {1 - share:.3f}"
        " times the average of the *others*. `X` (T, D), T ≥ 2. Returns (T, D).",
        "def answer(X):\n    S = X @ X.T\n    np.fill_diagonal(S, -np.inf)\n"
        f"    return {share} * X + {1 - share:.3f} * attention.softmax(S) @ X",
        tuple((x,) for x in normal(rng, (5, 3), (4, 4), (2, 3))),
        minutes=6,
        points=4,
    )
