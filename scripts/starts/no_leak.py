"""Lecture 07: under a causal mask, do the outputs of the words before a changed word stay as they
were, to the last digit? One head reads eight words; the last of them becomes another. A matrix
product of seven rows may be rounded otherwise than one of eight: that depends on who multiplies.
"""

import numpy as np

from course_utils.attention import softmax

SENTENCE = "Under a causal mask a later word changes nothing before it."
COUNTED = "texts in which all outputs before the changed word stay, to the last digit"
N, T, D = 100, 8, 16
LATER = np.triu(np.ones((T, T), bool), k=1)


def einsum(A, B):
    """A B without a BLAS."""
    return np.einsum("ij,jk->ik", A, B)


CHANGES = {
    "as it is": {},
    "float32": {"dtype": np.float32},
    "−10⁹ in place of −∞": {"hidden": -1e9},
    "OpenBLAS's code for Nehalem": {"kernels": "Nehalem"},
    "NumPy's einsum multiplies": {"multiply": einsum},
    "the last word is read later": {"left_out": True},
    "read later, OpenBLAS's code for Sandybridge": {"left_out": True, "kernels": "Sandybridge"},
    "read later, NumPy's einsum multiplies": {"left_out": True, "multiply": einsum},
    "−10 in place of −∞": {"hidden": -10},
    "the new word has an infinite feature": {"word": np.inf},
}
CHEAP = [  # not where the word is read later: what that gives, the library decides
    change for change, arguments in CHANGES.items() if "left_out" not in arguments
]


def count(first, hidden=-np.inf, word=None, left_out=False, multiply=np.matmul, dtype=float):
    """In how many of a hundred texts nothing moves: (k, n)."""
    rng, kept = np.random.default_rng(first), 0
    for _ in range(N):
        W_Q, W_K, W_V = (rng.normal(size=(3, D, D)) / np.sqrt(D)).astype(dtype)
        X = rng.normal(size=(T, D)).astype(dtype)
        other = X.copy()
        other[-1] = rng.normal(size=D)
        if word is not None:
            other[-1, 0] = word
        outputs = []
        for text in (X[:-1] if left_out else X, other):
            n = len(text)
            with np.errstate(invalid="ignore"):
                Q, K, V = (multiply(text, W) for W in (W_Q, W_K, W_V))
                scores = multiply(Q, K.T) / dtype(np.sqrt(D))
                scores = np.where(LATER[:n, :n], dtype(hidden), scores)
                outputs.append(multiply(softmax(scores), V)[: T - 1])
        kept += np.array_equal(*outputs)
    return kept, N
