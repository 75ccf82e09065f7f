"""`forward` with a twist: a rule that the exercise did not have. The kept function, pasted, is
wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.exercises.drawing import normal


def variant(rng: Generator) -> Code:
    c = drawn(rng, 0.1, 0.95)
    return Code(
        "A small model with tied matrices: rows of `W_E` (n_vocab, D) for the `tokens` (T,), plus"
        " `R` (m, D) for their places; then each block, given by its matrix (D, D) in the list"
        f" `blocks`, adds {c} times relu(layer norm(X) W); then the scores of all words are the"
        " products of layer norm(X) with the rows of W_E. ε = 1e-5, no γ, no β. Returns (T,"
        " n_vocab).",
        "def answer(tokens, W_E, R, blocks):\n"
        "    X = W_E[tokens] + R[:len(tokens)]\n"
        "    for W in blocks:\n"
        f"        X = X + {c} * layers.relu(layers.layer_norm(X, eps=1e-5) @ W)\n"
        "    return layers.layer_norm(X, eps=1e-5) @ W_E.T",
        tuple(
            (
                rng.integers(v, size=t),
                *normal(rng, (v, d), (9, d)),
                list(normal(rng, *[(d, d)] * n)),
            )
            for t, v, d, n in [(4, 6, 3, 2), (3, 4, 4, 3)]
        ),
        minutes=11,
        points=7,
    )
