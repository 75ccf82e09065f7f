"""A task that needs positions, and one causal head that learns it with any of them: name the
previous word.

The model of notebook 08: a table R is added to the word vectors, queries and keys are turned by the
angles of cos and sin, and softmax(A V) is the probability of each word. Nothing to add: R = 0.
Nothing to turn: cos = 1, sin = 0.
"""

import numpy as np
from numpy.random import Generator

from course_utils.arguments import Array, Integers
from course_utils.attention import causal_mask, scaled_dot_product_attention, softmax
from course_utils.data import WORDS
from course_utils.positions import rotary_embedding

N_VOCAB, D = len(WORDS), 32
W_E = 0.5 * np.random.default_rng(0).normal(
    size=(N_VOCAB, D)
)  # a random vector for each of the course's words


def forward(
    tokens: Integers, R: Array, cos: Array, sin: Array, W_Q: Array, W_K: Array, W_V: Array
) -> tuple[Array, ...]:
    """The head on sentences of T words. Returns X, Q, K, V, weights A (n, T, T), probabilities P
    (n, T, N_VOCAB).

    Parameters: tokens, whole numbers (n, T); R (T, D); cos, sin (T, D/2); W_Q, W_K (D, D); W_V (D,
    N_VOCAB).
    """
    X = W_E[tokens] + R
    Q, K, V = rotary_embedding(X @ W_Q, cos, sin), rotary_embedding(X @ W_K, cos, sin), X @ W_V
    output, A = scaled_dot_product_attention(Q, K, V, causal_mask(len(R)))
    return X, Q, K, V, A, softmax(output)


def loss_and_gradients(
    tokens: Integers, R: Array, cos: Array, sin: Array, W_Q: Array, W_K: Array, W_V: Array
) -> tuple[float, list[Array]]:
    """The mean of -log p of each word's predecessor (the first word has none), and its gradients.

    Parameters as in forward. Returns loss, [dR, dW_Q, dW_K, dW_V].
    """
    X, Q, K, V, A, P = forward(tokens, R, cos, sin, W_Q, W_K, W_V)
    n, T = tokens.shape
    right = np.eye(N_VOCAB)[np.roll(tokens, 1, axis=1)]
    loss = -np.log((P * right).sum(axis=-1))[:, 1:].mean()
    dO = (P - right) * (np.arange(T) > 0)[:, None] / (n * (T - 1))
    dA, dV = dO @ V.swapaxes(1, 2), A.swapaxes(1, 2) @ dO
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True)) / np.sqrt(D)
    dQ, dK = dS @ K, dS.swapaxes(1, 2) @ Q
    dQ, dK = (
        rotary_embedding(dQ, cos, -sin),
        rotary_embedding(dK, cos, -sin),
    )  # back through a turn: turn back
    dR = (dQ @ W_Q.T + dK @ W_K.T + dV @ W_V.T).sum(axis=0)
    return loss, [dR] + [X.reshape(n * T, -1).T @ d.reshape(n * T, -1) for d in (dQ, dK, dV)]


def start(rng: Generator) -> list[Array]:
    """W_Q, W_K (small, so that attention starts out even) and W_V before learning."""
    return [
        size * rng.normal(size=(D, n)) / np.sqrt(D)
        for size, n in [(0.3, D), (0.3, D), (1, N_VOCAB)]
    ]


def train(
    R: Array,
    cos: Array,
    sin: Array,
    learn_R: bool = False,
    T: int = 16,
    steps: int = 301,
    seed: int = 1,
) -> tuple[list[float], tuple[Array, ...]]:
    """Learn on fresh random sentences of T words; only the first T rows of R, cos and sin are used.

    Plain gradient descent, 16 sentences a step, learning rate 1. learn_R: learn the table's rows,
    too.
    Returns the loss of each step, and the model (R, cos, sin, W_Q, W_K, W_V) with all the rows it
    came with.
    """
    rng, R, losses = np.random.default_rng(seed), R.copy(), []
    W = start(rng)
    for _ in range(steps):
        tokens = rng.integers(N_VOCAB, size=(16, T))
        loss, (dR, *dW) = loss_and_gradients(tokens, R[:T], cos[:T], sin[:T], *W)
        W = [w - g for w, g in zip(W, dW, strict=True)]
        if learn_R:
            R[:T] -= dR
        losses.append(loss)
    return losses, (R, cos, sin, *W)


def accuracy(model: tuple[Array, ...], T: int = 64, n: int = 200, seed: int = 2) -> Array:
    """How often each position of new sentences names its predecessor: (T - 1,), for positions 1 to
    T - 1."""
    tokens = np.random.default_rng(seed).integers(N_VOCAB, size=(n, T))
    P = forward(tokens, *model)[-1]
    return (P.argmax(axis=-1)[:, 1:] == tokens[:, :-1]).mean(axis=0)
