"""`note_12` with other numbers: the answer follows from the same idea."""

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.questions import Numbers, block, why


def _cosines(rng, senses):
    centres = rng.normal(size=(max(senses) + 1, 12))
    U = centres[list(senses)] + 0.5 * rng.normal(size=(len(senses), 12))
    U /= np.linalg.norm(U, axis=1, keepdims=True)
    return np.round(U @ U.T, 2)


def variant(rng: Generator) -> Numbers:
    senses = rng.permutation([0, 0, 1, 1, 1])
    cosines = _cosines(rng, senses)
    same = (senses[:, None] == senses) & ~np.eye(5, dtype=bool)
    return Numbers(
        "Cosines of five vectors of one word after the last block, in sentences of the senses"
        f" {', '.join('ab'[s] for s in senses)}.\n\n{block(cosines=cosines)}\n\nDoes the model"
        " separate the senses? Give the mean cosine of two different vectors of one sense (over"
        " all such pairs), and of two of different senses.",
        [cosines[same].mean(), cosines[senses[:, None] != senses].mean()],
        2,
        minutes=6,
        points=2,
    )


WHY = [
    why(
        "Why must mean pooling leave out the positions of padding?",
        [
            (
                "Padding is no part of the sentence, but its positions have states, which would"
                " enter the mean."
            ),
            "So the same sentence would get another vector in a batch with a longer one.",
            "The sum must be divided by the number of real tokens.",
        ],
        "Positions of padding have states, too, although they are no part of the sentence. If "
        "they enter the mean, the same sentence gets another vector in a batch with a longer one. "
        "So only real tokens are summed, and the sum is divided by their number.",
    ),
    why(
        "A table of word vectors has one vector for “bank”. After the blocks of an encoder there "
        "are several. Why?",
        [
            "The table gives a word the same row in every sentence.",
            "Attention adds to each token a mixture of the others' values.",
            "So the vector depends on the neighbours, and senses can be told apart.",
        ],
        "The table has one row for a word, whatever stands around it. Each block adds a mixture "
        "of the other tokens to it by attention. So after the blocks the vector depends on the "
        "neighbours, and other senses get other vectors.",
    ),
]
