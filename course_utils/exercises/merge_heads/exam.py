"""`merge_heads` with a twist: a rule that the exercise did not have. The kept function, pasted, is
wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.exercises.drawing import normal


def variant(rng: Generator) -> Code:
    scale = drawn(rng, 0.2, 3)
    return Code(
        "`X` (H, T, d), an even number of heads. Put the heads of every token side by side, the"
        f" last head first, and the heads with odd numbers (1, 3, …) multiplied by {scale}. Returns"
        " (T, H·d).",
        f"def answer(X):\n    size = np.where(np.arange(len(X)) % 2, {scale}, 1)[:, None, None]\n  "
        "  return attention.merge_heads((size * X)[::-1])",
        tuple((x,) for x in normal(rng, (2, 5, 3), (4, 4, 4), (4, 3, 2))),
        minutes=7,
        points=4,
    )
