"""`catch_split_heads` for an exam: laws that every right function keeps, in words, each tried."""

import numpy as np

from course_utils.diagnosis.questions import close


def try_laws(f, rng):
    X = np.arange(24.0).reshape(4, 6) + rng.integers(100)
    heads = f(X, 2)
    return {
        "The first head of the first token begins with its first feature.": close(heads[0, 0, 0], X[0, 0]),
        "One head is X, with an axis in front.": close(f(X, 1), X[None]),
        "What the last head holds of the first token are its last features.": close(heads[-1, 0], X[0, -heads.shape[-1]:]),
        "Tokens in another order: in each head they are in that order.": close(f(X[::-1], 2), heads[:, ::-1]),
        "No number is lost: sorted, they are those of X.": close(np.sort(heads.ravel()), np.sort(X.ravel())),
        "The first head holds the first half of each token's features.": close(heads[0], X[:, :3]),
        "The shape is (heads, tokens, features of a head).": heads.shape == (2, 4, 3),
        "In a head, neighbours of a row were neighbours in X.": close(np.diff(heads, axis=-1), 1),
    }
