"""Lecture 07: eight hidden units learn "exactly one of two". Where a start fails, is it because
all units went silent?
"""

import numpy as np

from course_utils.layers import feed_forward

SENTENCE = "A start that fails to learn has only silent units."
COUNTED = "failed starts whose units are all silent"
I = np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]])
GOAL = np.array([[0, 0], [1, 0], [1, 0], [0, 0.0]])
CHANGES = {
    "as it is": {},
    "300 other starts": {"starts": range(1000, 1300)},
    "half the rate": {"starts": range(1000, 1300), "rate": 0.05, "steps": 1000},
    "twice the rate": {"starts": range(1000, 1300), "rate": 0.2},
    "ten times the steps": {"starts": range(1000, 1100), "steps": 5000},
}
CHEAP = ["as it is"]


def train(seed, rate, steps):
    """The largest error after training, and how many units fire for one of the four inputs at
    least.
    """
    rng = np.random.default_rng(seed)
    W_1, b_1, W_2, b_2 = (
        rng.normal(size=(2, 8)),
        np.zeros(8),
        rng.normal(size=(8, 2)) / 3,
        np.zeros(2),
    )
    for _ in range(steps):
        hidden = np.maximum(I @ W_1 + b_1, 0)
        dY = hidden @ W_2 + b_2 - GOAL  # of the loss (output − goal)² / 2
        d_hidden = (dY @ W_2.T) * (hidden > 0)
        W_1, b_1, W_2, b_2 = (
            w - rate * g
            for w, g in zip(
                (W_1, b_1, W_2, b_2),
                (I.T @ d_hidden, d_hidden.sum(axis=0), hidden.T @ dY, dY.sum(axis=0)),
                strict=True,
            )
        )
    return np.abs(feed_forward(I, W_1, b_1, W_2, b_2) - GOAL).max(), int(
        (I @ W_1 + b_1 > 0).any(axis=0).sum()
    )


def run(first=0):
    """{"starts": n, "what happened": in how many of n}."""
    silent, failed = count(first)
    silent_others, failed_others = count(first, **CHANGES["300 other starts"])
    return {
        "starts": 10,
        "not learned": failed,
        "not learned, and all units are silent": silent,
        "other starts": 300,
        "other starts: not learned": failed_others,
        "other starts: not learned, and all units are silent": silent_others,
    }


def count(first, starts=range(10), rate=0.1, steps=500):
    """Of the starts that fail (an error above .01), how many have silent units only: (k, n)."""
    ends = [train(first + seed, rate, steps) for seed in starts]
    failed = [firing for error, firing in ends if error > 0.01]
    return sum(firing == 0 for firing in failed), len(failed)
