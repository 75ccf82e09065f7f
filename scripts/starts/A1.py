"""Claim A1: a word of 64 random features, one of its kin (correlation .9) and eight strangers,
through softmax(X Xᵀ) X.

A draw *moves to its kin* if the kin gets more weight than all eight strangers together, and at
least a quarter. Without attention every word gets the same weight, a tenth.
"""

import numpy as np

from course_utils.attention import softmax

SIDES = ("attention", "the same weight for all")
COUNTED = "draws in which the word moves to its kin"
N = 1000  # of a hundred draws, a share differs from another by up to a seventh by chance
CHANGES = {  # the smallest change of a vector's length first
    "as it is": {},
    "float32": {"dtype": np.float32},
    "features of size .35": {"size": 0.35},
    "features of size .25": {"size": 0.25},
    "128 features": {"d": 128},
    "32 features": {"d": 32},
    "features of size .2": {"size": 0.2},
    "features of size .5": {"size": 0.5},
    "256 features": {"d": 256},
    "16 features": {"d": 16},
    "features of size .1": {"size": 0.1},
    "features of size 1": {"size": 1.0},
    "correlation .5 with its kin": {"rho": 0.5},
}
CHEAP = list(CHANGES)


def count(first, cause, size=0.3, d=64, rho=0.9, dtype=float):
    """In how many of a thousand draws the first word moves to the second: (k, n)."""
    Z = np.random.default_rng(first).normal(size=(N, 10, d))
    Z[:, 1] = rho * Z[:, 0] + np.sqrt(1 - rho**2) * Z[:, 1]
    X = (size * Z).astype(dtype)
    A = softmax(X @ X.swapaxes(1, 2)) if cause else np.full((N, 10, 10), 0.1)
    kin, strangers = A[:, 0, 1], A[:, 0, 2:].sum(axis=1)
    return int(((kin > strangers) & (kin > 0.25)).sum()), N
