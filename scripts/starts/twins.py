"""Lecture 05: two heads that start alike. In exact numbers they stay alike for ever; here numbers
have 53 bits, or 24.
"""

import numpy as np

from course_utils.models.expert_training import learn
from course_utils.models.two_relations import (
    D,
    examine,
    loss_and_gradients,
    new_heads,
    sentences,
    twins,
)

SENTENCE = "Two heads that start alike stay alike."
COUNTED = "starts whose two heads still look at the same tokens"
N = 10
CHANGES = {
    "as it is": {},
    "float32": {"dtype": np.float32},
    "OpenBLAS's code for Nehalem": {"kernels": "Nehalem"},
    "OpenBLAS's code for Sandybridge": {"kernels": "Sandybridge"},
    "the last bit of a slope rounded otherwise": {"rounding": 2.0**-53},
    "the last bit of a slope rounded otherwise, four times the steps": {
        "rounding": 2.0**-53,
        "steps": 2400,
    },
    "one part in a million at the start": {"nudge": 1e-6},
    "one part in a hundred at the start": {"nudge": 1e-2},
}
CHEAP = ["the last bit of a slope rounded otherwise"]


def count(first, steps=600, nudge=0.0, rounding=0.0, dtype=float):
    """In how many of ten starts both heads give the tokens of both questions the same weight, to
    .01: (k, n).
    """
    W = [w.astype(dtype) for w in twins(new_heads(range(first, first + N)))]
    W[0][..., : D // 2] *= dtype(1 + nudge)
    rng, bits = np.random.default_rng(99), np.random.default_rng(first)

    def slopes(W):
        X, _, answers = sentences(rng, 32)
        losses, found = loss_and_gradients(W, 2, X.astype(dtype), answers)
        return losses, [
            g * (1 + rounding * bits.choice([-1, 0, 1], size=g.shape)) for g in found
        ] if rounding else found

    W, _ = learn(slopes, W, steps, 0.02, report=0)
    looks = examine(W, 2)[1]  # (n_starts, heads, questions)
    return int((np.abs(looks[:, 0] - looks[:, 1]) < 0.01).all(axis=1).sum()), N
