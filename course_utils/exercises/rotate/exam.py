"""`rotate` with a twist: a rule that the exercise did not have. The kept function, pasted, is
wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.positions import rotary_angles


def variant(rng: Generator) -> Code:
    left, c = int(rng.integers(1, 5)), drawn(rng, 0.2, 3)
    turns = [
        (n, d, *rotary_angles(rng.uniform(0, 9, size=n), d)) for n, d in ((5, 6), (4, 4), (3, 2))
    ]
    return Code(
        f"Turn each pair *back* by its angle. The first {left} features of a token never turn; of"
        " those behind them, feature j pairs with feature j + half. What has turned is multiplied"
        f" by {c}. `X` (T, {left} + d), `cos`, `sin` (T, d/2). Returns X's shape.",
        "def answer(X, cos, sin):\n"
        f"    still, a, b = X[:, :{left}], *np.split(X[:, {left}:], 2, axis=1)\n"
        f"    return np.hstack([still, {c} * (a * cos + b * sin), {c} * (b * cos - a * sin)])",
        tuple((rng.normal(size=(n, left + d)), cos, sin) for n, d, cos, sin in turns),
        minutes=7,
        points=4,
    )
