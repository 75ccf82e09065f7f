"""`scaled_attention` with a twist: a rule that the exercise did not have. The kept function,
pasted, is wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.exercises.drawing import normal


def variant(rng: Generator) -> Code:
    c = drawn(rng, 1.5, 9)
    return Code(
        f"Each key has two vectors: a score is q·k + {c} q·l. All are of independent numbers with"
        " mean 0 and variance 1. Divide the scores by the number that gives them variance 1 for"
        " every width, then attend. `Q` (T, d), `K`, `L` (n, d), `V` (n, d_v). Returns (T, d_v).",
        f"def answer(Q, K, L, V):\n    S = Q @ (K + {c} * L).T / np.sqrt(Q.shape[1] *"
        f" {1 + c * c:.6f})\n    return attention.softmax(S) @ V",
        (normal(rng, (2, 5), (4, 5), (4, 5), (4, 3)), normal(rng, *[(3, 3)] * 4)),
        minutes=5,
        points=3,
    )
