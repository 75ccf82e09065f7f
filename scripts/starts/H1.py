"""Claim H1: the mean of four predictors, each with mistakes of variance 1.

Each draw is an experiment of 500 mistakes. Counted is how often the variance of the mean is below
that of four predictors whose mistakes have the correlation ρ. Without the cause those are compared
with others of the same kind.
"""

import numpy as np

SIDES = ("uncorrelated mistakes", "mistakes of the same correlation ρ")
COUNTED = "draws whose mean has a smaller variance than four predictors with correlation ρ"
N, M, MISTAKES = 100, 4, 500
CHANGES = {
    "as it is": {},
    "ρ = .5": {"rho": 0.5},
    "ρ = .2": {"rho": 0.2},
    "mistakes of a uniform distribution": {"kind": "uniform"},
    "eight predictors": {"m": 8},
    "ρ = −.1": {"rho": -0.1},
    "ρ = −.3": {"rho": -0.3},
}
CHEAP = list(CHANGES)


def mistakes(rng, rho, m, kind):
    """(N, MISTAKES, m) mistakes of variance 1, any two of a row with correlation rho."""
    own = (
        rng.normal(size=(N, MISTAKES, m))
        if kind == "normal"
        else rng.uniform(-np.sqrt(3), np.sqrt(3), size=(N, MISTAKES, m))
    )
    return own @ np.linalg.cholesky(rho + (1 - rho) * np.eye(m)).T


def count(first, cause, rho=0.9, m=M, kind="normal"):
    """In how many of a hundred draws the variance of the mean is smaller: (k, n)."""
    rng = np.random.default_rng(first)
    ours, others = (
        mistakes(rng, r, m, kind).mean(axis=2).var(axis=1) for r in (0 if cause else rho, rho)
    )
    return int((ours < others).sum()), N
