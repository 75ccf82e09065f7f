"""`softmax_with_temperature` with a twist: a rule that the exercise did not have. The kept
function, pasted, is wrong."""

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn


def variant(rng: Generator) -> Code:
    least = drawn(rng, 0.1, 1.5)
    return Code(
        "`scores` (n, m), `temperatures` (n,): row i has its own temperature, but none below"
        f" {least}: a lower one counts as {least}. Scores may be several thousand. Returns weights"
        " (n, m).",
        f"def answer(scores, temperatures):\n    warm = np.maximum(temperatures, {least})[:,"
        " None]\n    return attention.softmax(scores / warm)",
        tuple(
            (rng.normal(size=(n, m)) * size, np.linspace(0.5, 2, n) * least)
            for n, m, size in [(3, 4, 1), (3, 3, 1), (4, 2, 5000)]
        ),
        minutes=5,
        points=3,
    )
