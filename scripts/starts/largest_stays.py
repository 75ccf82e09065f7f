"""Lecture 06: is the largest feature of a token still its largest after layer norm, and the only
one? In exact numbers it is.
"""

import numpy as np

from course_utils.layers import layer_norm

SENTENCE = "After layer norm the largest feature stays the largest."
COUNTED = "tokens of 64 features whose largest stays the only largest"
N, D = 1000, 64
CHANGES = {
    "as it is": {},
    "float32": {"dtype": np.float32},
    "features of size 1e-6": {"size": 1e-6},
    "features of size 1e-6 in float16": {"size": 1e-6, "dtype": np.float16},
    "γ drawn from .5 to 1.5": {"gamma": True},
}
CHEAP = list(CHANGES)


def count(first, size=1.0, gamma=False, dtype=float):
    """In how many of a thousand tokens the largest stays: (k, n)."""
    rng = np.random.default_rng(first)
    X = (size * rng.normal(size=(N, D))).astype(dtype)
    normed = layer_norm(X, rng.uniform(0.5, 1.5, D) if gamma else None)
    alone = [np.flatnonzero(row == row.max()).tolist() for row in normed]
    return sum(ones == [x.argmax()] for ones, x in zip(alone, X, strict=True)), N
