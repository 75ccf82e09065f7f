"""`note_01` with other numbers: the answer follows from the same idea."""

import numpy as np
from numpy.random import Generator

from course_utils.attention import softmax
from course_utils.diagnosis.questions import Numbers, block, why


def variant(rng: Generator) -> Numbers:
    short, long = rng.integers(20, 60, size=2) / 100, rng.integers(120, 250, size=2) / 100
    X = np.array([short, long])
    return Numbers(
        f"Two words have the vectors\n\n{block(X=X)}\n\nPlain self-attention, without a scale."
        " What is word 0's score with itself, its score with word 1, and the weight that it gives"
        " itself?",
        [short @ short, short @ long, softmax(X @ X.T)[0, 0]],
        2,
        minutes=5,
        points=3,
    )


WHY = [
    why(
        "A word of a sentence gives more weight to a neighbour than to itself, in plain self-"
        "attention. Why can that be?",
        [
            "A score is a dot product, and it grows with the lengths of both vectors.",
            "So a longer neighbour may score higher with the word than the word with itself.",
            "Softmax keeps the order of the scores: the higher score gets the larger weight.",
        ],
        "The score x·y grows with the lengths of both vectors. A longer neighbour at a small "
        "angle can therefore score higher than x·x. Softmax keeps the order, so the neighbour "
        "gets the larger weight.",
    ),
    why(
        "A softmax written as `np.exp(s) / np.exp(s).sum()` gives NaN for scores of about 1000. "
        "Why, and why is it allowed to subtract the row's largest score first?",
        [
            "exp(1000) is too large for a float: it becomes inf, and inf / inf is NaN.",
            (
                "Subtracting one number from all scores of a row multiplies all powers by one"
                " factor, which cancels."
            ),
            "After that the largest exponent is 0, so nothing overflows.",
        ],
        "exp(1000) overflows to inf, and inf / inf is NaN. If one number is subtracted from the "
        "whole row, every power is multiplied by the same factor, and the factor cancels in the "
        "division. With the largest score subtracted no exponent is above 0.",
    ),
]
