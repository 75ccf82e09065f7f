"""`expert_layer` with a twist: a rule that the exercise did not have. The kept function, pasted, is
wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.exercises.drawing import normal


def variant(rng: Generator) -> Code:
    c = drawn(rng, 0.1, 0.95)
    return Code(
        "A layer of linear experts with one more that all tokens share: the k best experts of each"
        f" token, gates renormalised, plus {c} times the answer of the shared one. `X` (N, D),"
        " `W_g` (D, E), `W` (E, D, D): expert e says X W[e]; `W_s` (D, D). Returns (N, D).",
        "def answer(X, W_g, W, W_s, k):\n"
        "    gates = experts.top_k_gate(X, W_g, k)\n"
        f"    return np.einsum('ne,nd,edo->no', gates, X, W) + {c} * X @ W_s",
        (
            (*normal(rng, (5, 3), (3, 4), (4, 3, 3), (3, 3)), 2),
            (*normal(rng, (3, 3), (3, 3), (3, 3, 3), (3, 3)), 1),
        ),
        minutes=7,
        points=4,
    )
