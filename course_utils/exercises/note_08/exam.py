"""`note_08` with other numbers: the answer follows from the same idea."""

import math

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.questions import Numbers, block, why


def variant(rng: Generator) -> Numbers:
    i, j, s = (int(n) for n in rng.integers(1, 9, size=3))
    W_Q, W_K = rng.integers(-2, 4, size=(2, 2)), rng.integers(-2, 4, size=(2, 2))
    row = lambda n: np.array([np.sin(n), np.cos(n)])  # noqa: E731
    score = lambda a, b: row(a) @ W_Q @ (row(b) @ W_K)  # noqa: E731
    return Numbers(
        "A table of positions with one pair of features: `R_i` = (sin i, cos"
        f" i).\n\n{block(W_Q=W_Q, W_K=W_K)}\n\nWhat are `R_{i} · R_{i + j}` and `R_{i + s} ·"
        f" R_{i + j + s}`, and by how much does the score (row W_Q)·(row W_K) of positions"
        f" ({i + s}, {i + j + s}) exceed that of ({i}, {i + j})?",
        [math.cos(j), math.cos(j), score(i + s, i + j + s) - score(i, i + j)],
        2,
        minutes=6,
        points=3,
    )


WHY = [
    why(
        "Without positions, self-attention gives the words of “dog bites man” and “man bites dog” "
        "the same vectors. Why?",
        [
            "A score depends on two vectors alone, not on where they stand.",
            "The output is a sum over all tokens, and a sum does not depend on the order.",
            "So tokens in another order give the same rows in that order.",
        ],
        "Scores are made of two vectors and do not know where these stand. The output is a "
        "weighted sum, which does not depend on the order of its terms. So the rows come in "
        "another order, and each word has the same vector as before.",
    ),
    why(
        "Queries and keys are turned by angles that grow with their position. Why does a score "
        "then depend on the distance alone?",
        [
            (
                "The query at position m is turned by mθ, the key at n by nθ, in each pair of"
                " features."
            ),
            "In a dot product only the difference of the two angles counts, (n − m)θ.",
            "A turn keeps lengths, so nothing else changes.",
        ],
        "In each pair of features the query is turned by mθ and the key by nθ. The dot product of "
        "two vectors depends on their lengths, which a turn keeps, and on the angle between them, "
        "which changes by (n − m)θ. So only the distance n − m enters.",
    ),
]
