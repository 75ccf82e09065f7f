"""Notebook 02's model of one attention, trained on its jumbles from any start: whom does a noun ask
for its verb?"""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from course_utils.arguments import Array, Integers
from course_utils.attention import softmax
from course_utils.data.agreement import VERBS, D, jumbles

STEPS, RATE = 400, 0.5


def new_matrices(rng: Generator, d_k: int = 8, start: float = 0.3) -> list[Array]:
    """Random W_Q, W_K (D, d_k) and W_V (D, 8); start: the standard deviation of W_Q and W_K, in
    units of 1/√D."""
    W_Q, W_K = start * rng.normal(size=(2, D, d_k)) / np.sqrt(D)
    return [W_Q, W_K, 0.3 * rng.normal(size=(D, len(VERBS))) / np.sqrt(D)]


def gradients(
    X: Array,
    verb: Integers,
    is_noun: NDArray[np.bool],
    W_Q: Array,
    W_K: Array,
    W_V: Array,
    scale: float = 1.0,
) -> list[Array]:
    """The slopes of the mean surprise of the nouns' verbs, by W_Q, W_K and W_V; scale: what the
    scores are multiplied by."""
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    A = softmax(scale * Q @ K.swapaxes(-1, -2))
    dO = (softmax(A @ V) - np.eye(len(VERBS))[verb]) * is_noun[..., None] / is_noun.sum()
    dA, dV = dO @ V.swapaxes(-1, -2), A.swapaxes(-1, -2) @ dO
    dS = scale * A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    return [np.tensordot(X, dY, ((0, 1), (0, 1))) for dY in (dS @ K, dS.swapaxes(-1, -2) @ Q, dV)]


def learn(seed: int, d_k: int = 8, scale: float = 1.0, start: float = 0.3) -> list[Array]:
    """W_Q, W_K and W_V after 400 steps of gradient descent, each on 32 fresh jumbles; the arguments
    are those of the functions above."""
    rng = np.random.default_rng(seed)
    W = new_matrices(rng, d_k, start)
    for _ in range(STEPS):
        X, verb, is_noun, *_ = jumbles(rng, 32)
        W_Q, W_K, W_V = W
        slopes = gradients(X, verb, is_noun, W_Q, W_K, W_V, scale)
        W = [w - RATE * g for w, g in zip(W, slopes, strict=True)]
    return W


def named(W_Q: Array, W_K: Array, W_V: Array, scale: float = 1.0) -> float:
    """The share of the nouns of 1,000 new jumbles that name their verb."""
    X, verb, is_noun = jumbles(np.random.default_rng(1000), 1000)[:3]
    said = softmax(scale * (X @ W_Q) @ (X @ W_K).swapaxes(-1, -2)) @ (X @ W_V)
    return (said.argmax(axis=-1) == verb)[is_noun].mean()


def asked(W_Q: Array, W_K: Array) -> list[float]:
    """Shares of the nouns of 1,000 new jumbles: the largest weight is on the own verb; on the best
    aligned key; that key is the own verb's."""
    X, _, is_noun, own, _ = jumbles(np.random.default_rng(1000), 1000)
    Q, K = X @ W_Q, X @ W_K
    scores = Q @ K.swapaxes(-1, -2)
    winner = scores.argmax(axis=-1)  # also the largest weight of the row
    best_aligned = (scores / np.linalg.norm(K, axis=-1)[:, None]).argmax(
        axis=-1
    )  # the largest cosine: a query's own length cancels
    return [
        (a == b)[is_noun].mean()
        for a, b in [(winner, own), (winner, best_aligned), (best_aligned, own)]
    ]
