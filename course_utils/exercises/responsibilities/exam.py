"""`responsibilities` with a twist: a rule that the exercise did not have. The kept function,
pasted, is wrong."""

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn


def variant(rng: Generator) -> Code:
    floor = drawn(rng, 0.02, 0.4)
    return Code(
        "Responsibilities with another bell, exp(−|x − μ| / s) / (2 s), and a background that"
        " everybody may come from: one component more, the last column, whose weight times density"
        f" is {floor} everywhere. `x` (N,), `weights`, `means`, `s` (C,). Returns (N, C + 1), rows"
        " summing to 1.",
        "def answer(x, weights, means, s):\n"
        "    joint = weights * np.exp(-abs(x[:, None] - means) / s) / (2 * s)\n"
        f"    joint = np.hstack([joint, np.full((len(x), 1), {floor})])\n"
        "    return joint / joint.sum(axis=1, keepdims=True)",
        tuple(
            (
                rng.normal(size=n),
                rng.dirichlet(np.ones(c)),
                rng.normal(size=c),
                rng.uniform(0.5, 2, size=c),
            )
            for n, c in [(5, 3), (3, 3), (4, 2)]
        ),
        minutes=8,
        points=5,
    )
