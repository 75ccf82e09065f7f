"""`note_09` with other numbers: the answer follows from the same idea."""

import numpy as np
from numpy.random import Generator

from course_utils.attention import softmax
from course_utils.diagnosis.questions import Numbers, shown, why


def variant(rng: Generator) -> Numbers:
    logits = rng.permutation(rng.choice(np.arange(-10, 20), 3, replace=False)) / 10
    p = softmax(logits).max()
    return Numbers(
        f"The logits of three experts for one token: {shown(logits, 1)}. Only the best is kept."
        " Which gate has it if gates are renormalised, which if the gate is left as the softmax of"
        " all three gave it, and which slope has that second gate by its own logit?",
        [1, p, p * (1 - p)],
        2,
        minutes=5,
        points=3,
    )


WHY = [
    why(
        "Why is a measure of balance added to the loss when a mixture of experts is trained?",
        [
            "An expert that is chosen more often gets more gradients and becomes better.",
            "So it is chosen still more often, until few experts do all the work.",
            "The measure is least when tokens are spread evenly, so it pushes the other way.",
        ],
        "An expert that is chosen more often learns more, becomes better and is chosen still more "
        "often, until few experts do all the work and the others are wasted. The measure of "
        "balance is least when the tokens are spread evenly, and pushes against this.",
    ),
    why(
        "A layer of experts has many times the parameters of one network, and costs little more "
        "for a token. Why?",
        [
            "The gate chooses k of the E experts for each token.",
            "Only these k are computed; the gate itself is a small matrix.",
            "Parameters of all E experts are kept, since other tokens choose others.",
        ],
        "For each token the gate, which is a small matrix, chooses k of E experts, and only these "
        "are computed. All E experts have parameters of their own and must be kept, because other "
        "tokens choose others.",
    ),
]
