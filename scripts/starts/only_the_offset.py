"""Lecture 08: a query and a key are turned by their positions, and both go on by as many. Does the
score stay? In exact numbers it does.
"""

import numpy as np

from course_utils.positions import rotary_embedding, sinusoidal_positional_encoding

SENTENCE = "Of two positions, only the offset counts."
COUNTED = "pairs whose score moves by less than 1 % of |q| |k| when both go on"
N, D, LONGEST = 1000, 64, 1000
CHANGES = {
    "as it is": {},
    "float32": {"dtype": np.float32},
    "a million positions further": {"further": 10**6},
    "float16": {"dtype": np.float16},
    "a hundred million positions further, float32": {"further": 10**8, "dtype": np.float32},
    "10¹⁶ positions further": {"further": 10**16},
    "sinusoids are added, nothing is turned": {"added": True},
}
CHEAP = list(CHANGES)


def count(first, further=10, added=False, dtype=float):
    """In how many of a thousand pairs the score stays: (k, n)."""
    rng = np.random.default_rng(first)
    q, k = rng.normal(size=(2, N, D)).astype(dtype)
    places = rng.integers(LONGEST, size=(2, N))  # of the queries and of the keys
    clocks = (10000.0 ** (-np.arange(0, D, 2) / D)).astype(dtype)  # rotary_angles, in this dtype

    def score(places):
        if added:
            R = sinusoidal_positional_encoding(LONGEST + further, D).astype(dtype)
            return ((q + R[places[0]]) * (k + R[places[1]])).sum(axis=1)
        angles = places[..., None].astype(dtype) * clocks
        Q, K = (
            rotary_embedding(x, np.cos(angle), np.sin(angle))
            for x, angle in zip((q, k), angles, strict=True)
        )
        return (Q * K).sum(axis=1)

    size = np.linalg.norm(q, axis=1) * np.linalg.norm(k, axis=1)
    return int((np.abs(score(places + further) - score(places)) < 0.01 * size).sum()), N
