"""Claim B1: whom a noun attends to with *learned* matrices, in notebook 02's task from ten starts.
Takes some seconds."""

import numpy as np

from course_utils.models.agreement import asked, learn

STARTS = 10
COUNTED = [
    "largest weight on its verb",
    "largest weight on the best aligned key",
    "best aligned key is its verb's",
]


def run(first=0):
    """{what was counted: number}: the starts in which more than .95 of the nouns do it, and the
    least share of the ten."""
    shares = np.array([asked(*learn(seed)[:2]) for seed in range(first, first + STARTS)])
    counted = {"starts": STARTS}
    for name, share in zip(COUNTED, shares.T, strict=True):
        counted |= {
            f"{name}: starts": int((share > 0.95).sum()),
            f"{name}: least share": share.min(),
        }
    return counted
