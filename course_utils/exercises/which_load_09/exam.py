"""`which_load_09` with other numbers: the answer follows from the same idea."""

import numpy as np
from numpy.random import Generator

from course_utils.attention import softmax
from course_utils.diagnosis.questions import Numbers, block
from course_utils.experts import load_balancing_loss


def variant(rng: Generator) -> Numbers:
    N = 6
    while True:
        gates = np.round(softmax(2 * rng.normal(size=(N, 3)) + rng.normal(size=3)), 2)
        if np.allclose(gates.sum(1), 1) and (np.diff(np.sort(gates))[:, -1] > 0.02).all():
            break
    share = np.bincount(gates.argmax(1), minlength=3) / N
    return Numbers(
        f"Gates of {N} tokens for three experts, before any are"
        f" dropped.\n\n{block(G=gates)}\n\nWhich share of the tokens goes first to each expert, and"
        " what is E Σ f_e P_e, the measure of balance (P_e: the mean gate)? Four numbers.",
        [*share, load_balancing_loss(gates)],
        2,
        minutes=5,
        points=4,
    )
