"""Lecture 04: which score gives a hidden key exactly no weight? In exact numbers no finite one."""

import numpy as np

from course_utils.attention import softmax

SENTENCE = "Only −∞ leaves a hidden key no weight."
COUNTED = "rows of four scores in which a hidden key keeps a weight above 0"
N = 100
CHANGES = {
    "as it is": {},
    "float32": {"dtype": np.float32},
    "−100 in place of −10": {"hidden": -100},
    "−100, float32": {"hidden": -100, "dtype": np.float32},
    "−1,000": {"hidden": -1000},
    "−10⁹": {"hidden": -1e9},
    "−10⁹, and no key can be seen": {"hidden": -1e9, "seen": 0},
}
CHEAP = list(CHANGES)


def count(first, hidden=-10, seen=2, dtype=float):
    """In how many of a hundred rows the last key, hidden by this score, has a weight: (k, n)."""
    scores = np.random.default_rng(first).normal(size=(N, 4))
    scores[:, seen:] = hidden
    return int((softmax(scores.astype(dtype))[:, -1] > 0).sum()), N
