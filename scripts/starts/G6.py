"""Claim G6: 64 random words stand at 64 positions; a sinusoidal R is added to each. Is the word
still found?

A word is *found* if of 1,000 words of 512 features it is nearest to x + R in direction. R has 512
features within [−1, 1] and is 16 long. With the cause, words have features of size 1, as in the
original after its factor √D; without it, of size 1/√D.
"""

import numpy as np

from course_utils.positions import sinusoidal_positional_encoding as sinusoids

SIDES = ("words about as long as R", "words of length 1")
COUNTED = "draws in which at least 60 of 64 words are found"
D, T, WORDS, N, NEARLY_ALL = 512, 64, 1000, 20, 60
CHANGES = {
    "as it is": {},
    "float32": {"dtype": np.float32},
    "words of length 2 instead of 1": {"short": 2.0},
    "words of length 4 instead of 1": {"short": 4.0},
    "the mean of the 64 positions' R taken away": {"centred": True},
    "24 directions of 512 projected out": {"out": 24},
    "the nearest word by distance, R subtracted": {"subtract": True},
}
CHEAP = list(CHANGES)


def found(seed, cause, short=1.0, centred=False, out=0, subtract=False, dtype=float):
    """How many of 64 words are found, of the words that this seed draws."""
    length = np.sqrt(D) if cause else short
    words = (length / np.sqrt(D) * np.random.default_rng(seed).normal(size=(WORDS, D))).astype(
        dtype
    )
    R = sinusoids(T, D).astype(dtype)
    X = words[:T] + (R - R.mean(axis=0) if centred else R)
    if subtract:
        X = X - R
    if out:  # what the positions' directions hold is taken from all
        directions = np.linalg.svd(R, full_matrices=False)[2][:out]
        X, words = (x - x @ directions.T @ directions for x in (X, words))
    cosines = X @ (words / np.linalg.norm(words, axis=1, keepdims=True)).T
    return int((cosines.argmax(axis=1) == np.arange(T)).sum())


def count(first, cause, **changed):
    """In how many of twenty draws nearly all words are found: (k, n)."""
    draws = range(first, first + N)
    return sum(found(seed, cause, **changed) >= NEARLY_ALL for seed in draws), N
