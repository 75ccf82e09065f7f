"""`note_08` with other numbers: the answer follows from the same idea."""

import math

import numpy as np

from course_utils.diagnosis.questions import Numbers, block


def variant(rng):
    i, j, s = (int(n) for n in rng.integers(1, 9, size=3))
    W_Q, W_K = rng.integers(-2, 4, size=(2, 2)), rng.integers(-2, 4, size=(2, 2))
    row = lambda n: np.array([np.sin(n), np.cos(n)])                                                      # noqa: E731
    score = lambda a, b: row(a) @ W_Q @ (row(b) @ W_K)                                                    # noqa: E731
    return Numbers(f"A table of positions with one pair of features: `R_i` = (sin i, cos i).\n\n{block(W_Q=W_Q, W_K=W_K)}\n\nWhat are `R_{i} · "
                   f"R_{i + j}` and `R_{i + s} · R_{i + j + s}`, and by how much does the score (row W_Q)·(row W_K) of positions ({i + s}, "
                   f"{i + j + s}) exceed that of ({i}, {i + j})?", [math.cos(j), math.cos(j), score(i + s, i + j + s) - score(i, i + j)], 2)
