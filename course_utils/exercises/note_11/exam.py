"""`note_11` with other numbers: the answer follows from the same idea."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Numbers, why


def variant(rng: Generator) -> Numbers:
    d_k, d_v, t = int(rng.integers(8, 65)), int(rng.integers(8, 65)), int(rng.integers(20, 500))
    return Numbers(
        f"One head with a KV cache, d_k = {d_k}, d_v = {d_v}. Count the multiplications of queries"
        " with keys and of weights with values, for one new token that sees itself and all before"
        f" it. How many for the token with {t} before it, and how many with {10 * t}?",
        [(t + 1) * (d_k + d_v), (10 * t + 1) * (d_k + d_v)],
        minutes=4,
        points=2,
    )


WHY = [
    why(
        "A cache of keys and values saves most of the work in generation and changes no output. "
        "Why?",
        [
            "With a causal mask, keys and values of earlier tokens do not depend on later ones.",
            "So they are the same at each step and need be computed once.",
            "For a new token only its own query, key and value and one row of scores are computed.",
        ],
        "With a causal mask the keys and values of earlier tokens do not depend on later ones, so "
        "they stay the same at each step. They are computed once and kept. For a new token only "
        "its own query, key and value and one row of scores are new, and the numbers are the same "
        "as before.",
    ),
    why(
        "A model's mean surprise on the sentences of its training is below the entropy of the "
        "language. Why is that no good sign?",
        [
            "No model can be below the entropy on new sentences, on average.",
            "So it has learned these sentences by heart.",
            "Only its surprise on new sentences says how good it is.",
        ],
        "The entropy is the least mean surprise that anybody can have on new sentences. To be "
        "below it the model must know these very sentences: it has learned them by heart. Whether "
        "it is good only new sentences tell.",
    ),
    why(
        "Greedy decoding takes the most probable token at each step. Why is the text not always "
        "the most probable one?",
        [
            "The probability of a text is the product over all its steps.",
            "A less probable first token can lead to much more probable ones.",
            (
                "Greedy decoding has dropped that beginning and never looks back; beam search keeps"
                " several."
            ),
        ],
        "A text's probability is the product over all steps. A first token that is a little less "
        "probable may be followed by tokens that are much more probable. Greedy decoding drops "
        "that beginning at once and never looks back.",
    ),
]
