"""Sixteen seats round a table, each of which must attend to the seat on its left (lecture 03).

A seat is one-hot, so row i of W_Q is the query of seat i alone, and row i of W_K its key.
"""

import numpy as np

from course_utils.arguments import Array
from course_utils.attention import softmax

N, WIDTH, STEPS = 16, 64, 400
WANTED = np.eye(N)[np.arange(N) - 1]  # row i: a 1 at seat i - 1 (seat 0 at the last)


def descend(
    W_Q: Array, W_K: Array, scale: float, loss: str = "1 - a", steps: int = STEPS, rate: float = 1.0
) -> tuple[Array, Array]:
    """W_Q and W_K, (N, d) each, after gradient descent on the sum of the rows' losses.

    loss: "1 - a" or "-log a", with a the weight of a row on its wanted seat. Lecture 10 derives the
    gradients.
    """
    for _ in range(steps):
        A = softmax(scale * W_Q @ W_K.T)
        a = (WANTED * A).sum(axis=1, keepdims=True)
        dS = A * (a - WANTED) if loss == "1 - a" else A - WANTED
        dW_Q, dW_K = scale * dS @ W_K, scale * dS.T @ W_Q
        W_Q, W_K = W_Q - rate * dW_Q, W_K - rate * dW_K
    return W_Q, W_K


def reach(scale: float, d: int = WIDTH, steps: int = STEPS, rate: float = 1.0) -> float:
    """How far behind a wanted score may start and still catch up, on the loss 1 - a."""
    return float(np.log(4 * scale**2 * rate * d * steps))
