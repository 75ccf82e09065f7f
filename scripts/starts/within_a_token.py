"""Lecture 07: "is the sum of animal and action above 1.5?", asked of each word by itself. The
answer is 1 or 0.

With weights fixed, what arrives is linear in the word: at best the line that fits most. A softmax
can do more: it gates a whole value. A second token, a marker with the value 1, gets the weight 1 /
(1 + exp(−β (sum − 1.5))).
"""

import numpy as np

from course_utils.attention import softmax

SENTENCE = "Attention cannot decide within a token."
COUNTED = "held-out words for which the output is further than .25 from the right 0 or 1"
N = 1000
CHANGES = {
    "as it is": {},
    "a marker word and a constant feature, β = 2": {"beta": 2.0},
    "a marker word and a constant feature, β = 10": {"beta": 10.0},
    "a marker word and a constant feature, β = 1000": {"beta": 1000.0},
}
CHEAP = list(CHANGES)


def count(first, beta=None):
    """Of a thousand new words, for how many attention does not say yes or no: (k, n)."""
    rng = np.random.default_rng(first)
    seen, new = (
        np.hstack([rng.uniform(0, 1.5, size=(N, 2)), np.ones((N, 1))]) for _ in range(2)
    )  # animal, action, 1
    right = [(words[:, :2].sum(axis=1) > 1.5).astype(float) for words in (seen, new)]
    if beta is None:
        said = new @ np.linalg.lstsq(seen, right[0], rcond=None)[0]
    else:
        Q = beta * (new[:, :2].sum(axis=1) - 1.5)  # by W_Q: β, β and −1.5 β at the constant feature
        K = np.array([0.0, 1.0])  # of the word itself and of the marker
        V = np.array([0.0, 1.0])
        said = softmax(Q[:, None] * K) @ V
    return int((np.abs(said - right[1]) > 0.25).sum()), N
