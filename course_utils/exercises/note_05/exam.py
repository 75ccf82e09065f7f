"""`note_05` with other numbers: the answer follows from the same idea."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Numbers, why


def variant(rng: Generator) -> Numbers:
    H, d, T = (
        int(rng.choice([2, 4, 6, 8, 12])),
        int(rng.choice([8, 16, 24, 32, 64])),
        int(rng.integers(50, 400)),
    )
    return Numbers(
        f"A layer of attention has {H * d} features and {H} heads, and reads {T} tokens. Its"
        " matrices are W_Q, W_K, W_V and W_O, each of as many rows and columns as there are"
        " features; there are no biases. How many parameters has it? How many weights of attention"
        " does it make? And how many of both with a single head over all features? Four numbers.",
        [4 * (H * d) ** 2, H * T * T, 4 * (H * d) ** 2, T * T],
        minutes=4,
        points=4,
    )


WHY = [
    why(
        "H heads of width D / H cost about as much as one head of width D. Why, and what do they "
        "gain?",
        [
            "The matrices W_Q, W_K and W_V have the same size in both cases.",
            (
                "H tables of scores, each of width D / H, take as many multiplications as one of"
                " width D."
            ),
            "Each head has a softmax of its own, so a token can attend to several things at once.",
        ],
        "The matrices are D by D in both cases. The scores take H · T² · D/H multiplications, "
        "which is T² · D. But each head has its own weights, so one token can attend to several "
        "things at once and not only to one mixture.",
    ),
    why(
        "Why does `X.reshape(H, T, d)` not split the features of `X` (T, H·d) over the heads?",
        [
            "A reshape keeps the order of the numbers, row by row.",
            (
                "So the first head would get the numbers of the first tokens, not the first"
                " features of all tokens."
            ),
            "It takes a reshape to (T, H, d) and then an exchange of the first two axes.",
        ],
        "A reshape only reads the numbers in the order in which they stand, row by row. So head 0 "
        "would get whole tokens from the beginning, and not d features of every token. One has to "
        "reshape to (T, H, d) and then exchange the first two axes.",
    ),
]
