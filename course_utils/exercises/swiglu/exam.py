"""`swiglu` with a twist: a rule that the exercise did not have. The kept function, pasted, is
wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.exercises.drawing import normal


def variant(rng: Generator) -> Code:
    c = drawn(rng, 1.2, 5)
    return Code(
        f"A gated network whose gate is x·σ({c} x) instead of silu, σ(x) = 1 / (1 + e^−x), and"
        " which adds its input at the end. `X` (T, D), `W_gate`, `W_up` (D, d_ff), `W_down` (d_ff,"
        " D). Returns (T, D).",
        "def answer(X, W_gate, W_up, W_down):\n"
        "    x = X @ W_gate\n"
        f"    return X + x / (1 + np.exp(-{c} * x)) * (X @ W_up) @ W_down",
        (normal(rng, (3, 5), (5, 7), (5, 7), (7, 5)), normal(rng, *[(4, 4)] * 4)),
        minutes=5,
        points=3,
    )
