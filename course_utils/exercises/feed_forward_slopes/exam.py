"""`feed_forward_slopes` with a twist: a rule that the exercise did not have. The kept function,
pasted, is wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.exercises.drawing import normal


def variant(rng: Generator) -> Code:
    leak = drawn(rng, 0.02, 0.6)
    return Code(
        f"F = act(X W_1) W_2, where act multiplies negative numbers by {leak} and leaves the"
        " others. `dF` (T, D) are the loss's slopes at F. Returns the slopes dX, dW_1, dW_2.",
        "def answer(X, W_1, W_2, dF):\n"
        "    hidden = X @ W_1\n"
        f"    slope = np.where(hidden > 0, 1, {leak})\n"
        "    dH = dF @ W_2.T * slope\n"
        "    return dH @ W_1.T, X.T @ dH, (hidden * slope).T @ dF",
        (normal(rng, (5, 3), (3, 7), (7, 3), (5, 3)), normal(rng, *[(4, 4)] * 4)),
        minutes=11,
        points=7,
    )
