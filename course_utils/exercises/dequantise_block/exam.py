"""`dequantise_block` with a twist: a rule that the exercise did not have. The kept function,
pasted, is wrong."""

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn


def variant(rng: Generator) -> Code:
    shift = drawn(rng, 0.1, 2.9)
    return Code(
        "A byte holds four codes of two bits: the *highest* two bits are its first code, the"
        f" lowest its last; byte follows byte. A number is step · (code − {shift}). `step` a"
        " number, `packed` uint8 (n,). Returns (4n,).",
        "def answer(step, packed):\n"
        "    codes = packed[:, None] >> np.array([6, 4, 2, 0], np.uint8) & 3\n"
        f"    return step * (codes.ravel() - {shift})",
        tuple(
            (float(s), rng.integers(256, size=n).astype(np.uint8))
            for s, n in [(0.5, 4), (2, 6), (0.03, 3)]
        ),
        minutes=7,
        points=4,
    )
