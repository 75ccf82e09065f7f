"""`transformer_block` with a twist: a rule that the exercise did not have. The kept function,
pasted, is wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.exercises.drawing import normal


def variant(rng: Generator) -> Code:
    c = drawn(rng, 0.05, 0.95)
    return Code(
        "A block of another kind: attention and the network read the *same* norm of X, and both"
        f" are added, the network's answer multiplied by {c}. Here attention is `softmax(I I^T) I`"
        " of what it reads, the network `relu(I W) W^T`, the norm layer norm with ε = 1e-5. `X`"
        " (T, D), `W` (D, d). Returns (T, D).",
        "def answer(X, W):\n    I = layers.layer_norm(X, eps=1e-5)\n"
        f"    return X + attention.softmax(I @ I.T) @ I + {c} * layers.relu(I @ W) @ W.T",
        (normal(rng, (3, 5), (5, 7)), normal(rng, (4, 4), (4, 4))),
        minutes=7,
        points=4,
    )
