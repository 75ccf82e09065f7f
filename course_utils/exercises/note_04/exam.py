"""`note_04` with other numbers: the answer follows from the same idea."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Numbers, why


def variant(rng: Generator) -> Numbers:
    T = int(rng.integers(20, 90))
    j = int(rng.integers(2, T - 1))
    return Numbers(
        f"A decoder with a causal mask reads {T} tokens. Token {j} (from 0) is replaced by another."
        " How many rows of the decoder's output stay as they were? How many rows may change? And"
        " in how many positions, also at the last token, does one pass over these tokens predict a"
        " next word?",
        [j, T - j, T],
        minutes=3,
        points=3,
    )


WHY = [
    why(
        "A mask puts −∞ into the scores before the softmax. Why not set the weights to 0 after it?",
        [
            "exp(−∞) is 0, so hidden tokens weigh exactly 0 and the others sum to 1.",
            "Set to 0 afterwards, the weights of a row sum to less than 1.",
            (
                "The hidden scores have then been in the denominator: what is hidden still changes"
                " the other weights."
            ),
        ],
        "With −∞ before the softmax the hidden weights are exactly 0 and the others sum to 1. "
        "Afterwards, the row would sum to less than 1, and the hidden scores would still stand in "
        "the denominator, so the future would change the visible weights.",
    ),
    why(
        "Why can a decoder with a causal mask learn from all T positions of a text in one pass?",
        [
            "With the mask, row i of the output depends on tokens 0 to i alone.",
            "So each row is what it would be if the text ended there.",
            "So one pass gives T predictions, none of which has seen its answer.",
        ],
        "With a causal mask row i depends only on tokens 0 to i, so it is the same as if the text "
        "ended at i. One pass therefore gives a prediction at every position, and none of them "
        "has seen the token that it has to predict.",
    ),
]
