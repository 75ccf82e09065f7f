"""`which_head_16` with other numbers: the answer follows from the same idea."""

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.questions import Choice, shuffled


def variant(rng: Generator) -> Choice:
    names = [f"({rng.integers(1, 20)}, {h})" for h in rng.choice(12, 4, replace=False)]
    base = (
        np.array(
            [int(rng.integers(350, 420)), int(rng.integers(30, 80)), int(rng.integers(320, 400))]
        )
        / 100
    )
    rise = (
        np.array([[0.02, 1.4, 0.01], [1.3, 1.5, 1.4], [0.01, -0.02, 0.0], [0.9, 0.03, 0.8]])
        + rng.integers(0, 9, size=(4, 3)) / 100
    )
    order = rng.permutation(4)
    table = "\n".join(
        f"| {names[i]} | " + " | ".join(f"{x:.2f}" for x in base + rise[i]) + " |" for i in order
    )
    return shuffled(
        rng,
        "What a word costs on average, in nats, with one head silenced:\n\n| silenced | first copy"
        " | second copy | plain text |\n|---|---|---|---|\n| none | "
        + " | ".join(f"{x:.2f}" for x in base)
        + f" |\n{table}\n\nOf which head do the numbers say that it helps to copy, and only that?",
        names[0],
        names[1:],
        minutes=3,
        points=2,
    )
