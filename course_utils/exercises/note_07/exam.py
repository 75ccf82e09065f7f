"""`note_07` with other numbers: the answer follows from the same idea."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Numbers, why


def variant(rng: Generator) -> Numbers:
    T, D = int(rng.integers(6, 30)), int(rng.integers(4, 20))
    t = int(rng.integers(1, T - 1))
    return Numbers(
        f"{T} tokens with {D} features. One number of row {t} (from 0) changes. How many numbers of"
        " the output may change: of a feed-forward network, of self-attention, and of"
        " self-attention with a causal mask?",
        [D, T * D, (T - t) * D],
        minutes=4,
        points=3,
    )


WHY = [
    why(
        "What would a feed-forward network lose without the nonlinearity between its two "
        "matrices, and why?",
        [
            "Two matrices one after the other are a single matrix, W_1 W_2.",
            "So the network could compute only linear functions, however wide it is.",
            (
                "With ReLU a unit answers for some tokens and is silent for others, which no single"
                " matrix can do."
            ),
        ],
        "Without it X W_1 W_2 is X times one matrix, so however wide it is the network is linear. "
        "With ReLU a unit fires for some tokens and is silent for others, and that no single "
        "matrix can do.",
    ),
]
