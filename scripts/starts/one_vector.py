"""Lecture 01: attention without matrices, again and again. Do all words become one vector?"""

import numpy as np

from course_utils.attention import softmax
from course_utils.data import SENTENCES, embed

SENTENCE = "Attention again and again makes all words one vector."
COUNTED = "texts whose words differ by less than .01 in every feature"
N, STEPS = 200, 20
CHANGES = {
    "as it is": {},
    "ten words of 64 random features of size .1": {"size": 0.1},
    "ten words of 64 random features of size .2": {"size": 0.2},
    "ten words of 64 random features of size .3": {"size": 0.3},
    "ten words of 64 random features of size 1": {"size": 1.0},
    "size 1, a thousand steps": {"size": 1.0, "steps": 1000, "n": 20},
}
CHEAP = ["as it is", "ten words of 64 random features of size 1"]


def count(first, size=None, steps=STEPS, n=N):
    """In how many texts all words have become one: (k, n); the course's three sentences, or random
    ones.
    """
    texts, ends = [embed(words) for words in SENTENCES.values()], []
    if size is not None:
        texts = size * np.random.default_rng(first).normal(size=(n, 10, 64))
    for Z in texts:
        for _ in range(steps):
            Z = softmax(Z @ Z.T) @ Z
        ends.append(bool(np.ptp(Z, axis=0).max() < 0.01))
    return sum(ends), len(ends)
