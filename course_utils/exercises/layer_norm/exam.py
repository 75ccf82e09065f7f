"""`layer_norm` with a twist: a rule that the exercise did not have. The kept function, pasted, is
wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.exercises.drawing import normal


def variant(rng: Generator) -> Code:
    groups, eps = int(rng.integers(2, 4)), drawn(rng, 0.05, 0.9)
    return Code(
        f"A norm in {groups} groups: the features of a token are cut into {groups} equal parts that"
        f" lie side by side, and each part gets mean 0 and variance 1 of its own, with ε = {eps}."
        " Then γ and β. `x` (T, D), `gamma`, `beta` (D,). Returns (T, D).",
        f"def answer(x, gamma, beta):\n    parts = x.reshape(len(x), {groups}, -1)\n"
        f"    return layers.layer_norm(parts, eps={eps}).reshape(x.shape) * gamma + beta",
        tuple(
            normal(rng, (n, groups * d), (groups * d,), (groups * d,))
            for n, d in [(3, 3), (5, 2), (2 * groups, 2)]
        ),
        minutes=7,
        points=4,
    )
