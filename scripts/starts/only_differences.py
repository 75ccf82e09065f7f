"""Lecture 01: the same number is added to all scores of a row. Do the weights stay? In exact
numbers they do.
"""

import numpy as np

from course_utils.attention import softmax

SENTENCE = "Only differences of scores matter."
COUNTED = "rows of ten scores whose weights stay, to .001"
N = 100
CHANGES = {
    "as it is": {},
    "float32": {"dtype": np.float32},
    "a million is added": {"added": 1e6},
    "a million is added, float32": {"added": 1e6, "dtype": np.float32},
    "float16": {"dtype": np.float16},
    "10¹⁶ is added": {"added": 1e16},
}
CHEAP = list(CHANGES)


def count(first, added=1000, dtype=float):
    """In how many of a hundred rows no weight moves by more than .001: (k, n)."""
    scores = np.random.default_rng(first).normal(size=(N, 10)).astype(dtype)
    moved = np.abs(softmax(scores + dtype(added)) - softmax(scores)).max(axis=1)
    return int((moved < 0.001).sum()), N
