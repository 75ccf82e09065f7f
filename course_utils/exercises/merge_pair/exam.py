"""`merge_pair` with a twist: a rule that the exercise did not have. The kept function, pasted, is
wrong."""

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.questions import Code


def variant(rng: Generator) -> Code:
    a, b = (int(n) for n in rng.choice(np.arange(1, 200), 2, replace=False))
    return Code(
        f"Join three: wherever {a}, {b}, {a} stand in a row, they become one token `new`, from left"
        " to right; a token that is used up does not count again. `ids`, a list of numbers."
        " Returns a list.",
        "def answer(ids, new):\n"
        "    merged, i = [], 0\n"
        "    while i < len(ids):\n"
        f"        found = ids[i:i + 3] == [{a}, {b}, {a}]\n"
        "        merged.append(new if found else ids[i])\n"
        "        i += 3 if found else 1\n"
        "    return merged",
        (
            ([a, b, a, b, a, 7], 256),
            ([a, a, b, a, a, b], 300),
            ([b, a, b, a], 256),
            ([a, b], 256),
            ([5, a, b, a, a, b, a], 999),
        ),
        minutes=10,
        points=6,
    )
