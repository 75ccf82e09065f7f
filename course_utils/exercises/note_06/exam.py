"""`note_06` with other numbers: the answer follows from the same idea."""

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.questions import Numbers, block, why
from course_utils.layers import layer_norm


def variant(rng: Generator) -> Numbers:
    X = np.stack([rng.choice(40, 3, replace=False) for _ in range(3)]).astype(float)
    return Numbers(
        f"{block(X=X)}\n\nEach row is a token. Layer norm with γ = 1, β = 0 and ε = 0. What is"
        " the mean of each *column* afterwards?",
        layer_norm(X, eps=0).mean(axis=0),
        2,
        minutes=6,
        points=3,
    )


WHY = [
    why(
        "Why does layer norm of a token not change when the text around it does, and why does "
        "this matter?",
        [
            "Mean and variance are taken over the features of one token.",
            "So no other token enters.",
            (
                "It gives the same in training and in generation, for any length of text or size of"
                " batch, and no later token leaks into an earlier one."
            ),
        ],
        "Mean and variance are taken over the features of one token alone, so no other token "
        "enters. So the result is the same for any length of text and any batch, in training and "
        "in generation, and no later token leaks into an earlier one.",
    ),
    why(
        "Layer norm first makes mean 0 and variance 1, then multiplies by γ and adds β. Why both?",
        [
            "Without γ and β every token would have mean 0 and variance 1 for good.",
            (
                "γ and β are learned, one number a feature, and let each feature have a scale and a"
                " place of its own."
            ),
            "The norm itself keeps the sizes steady whatever came in, so that training is stable.",
        ],
        "The norm keeps the sizes steady, whatever came in, and so training is stable. But then "
        "every token would have mean 0 and variance 1 for good. γ and β are learned for each "
        "feature and give it back the scale and the place that serve best.",
    ),
]
