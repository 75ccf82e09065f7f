"""`whose_weights_01` with other numbers: the answer follows from the same idea."""

import numpy as np
from numpy.random import Generator

from course_utils.attention import softmax
from course_utils.diagnosis.questions import Numbers, block

WORDS = ["river", "stone", "bank", "green", "runs", "cold", "under", "old", "light", "sings"]


def variant(rng: Generator) -> Numbers:
    while True:
        A = np.round(softmax(1.5 * rng.normal(size=(4, 4))), 2)
        asked = int(rng.integers(4))
        if (
            all(np.diff(np.sort(row))[-1] > 0.03 for row in A)
            and (np.diff(np.sort(np.diag(A))) > 0.03).all()
            and np.allclose(A.sum(1), 1)
        ):
            break
    words = rng.choice(WORDS, 4, replace=False)
    return Numbers(
        f"Weights of the sentence “{' '.join(words)}”; a row asks, a column"
        f" answers.\n\n{block(A=A)}\n\nWhich word keeps the most of itself, which the least, and"
        f" from which word, itself among them, does “{words[asked]}” take the most? And how much is"
        " that? Count words from 0.",
        [
            int(np.diag(A).argmax()),
            int(np.diag(A).argmin()),
            int(A[asked].argmax()),
            A[asked].max(),
        ],
        2,
        minutes=4,
        points=4,
    )
