"""`split_heads` with a twist: a rule that the exercise did not have. The kept function, pasted, is
wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn


def variant(rng: Generator) -> Code:
    drop, c = int(rng.integers(1, 5)), drawn(rng, 0.2, 3)
    return Code(
        f"The first {drop} features of every token belong to no head. Of the rest, head h of"
        f" `n_heads` takes every n_heads-th feature, from the h-th on, times {c}. `X` (T, D)."
        " Returns (n_heads, T, d).",
        f"def answer(X, n_heads):\n    return np.stack([{c} * X[:, {drop} + h::n_heads] for h in"
        " range(n_heads)])",
        (
            (rng.normal(size=(5, 6 + drop)), 2),
            (rng.normal(size=(4, 12 + drop)), 3),
            (rng.normal(size=(3, 9 + drop)), 3),
        ),
        minutes=7,
        points=4,
    )
