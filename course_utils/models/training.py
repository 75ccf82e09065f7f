"""How weights are trained: the optimiser Adam, and a stack of layers small enough to train in a
second, with its gradients.

The stack is the one of notebook 06: residual layers of two matrices with a ReLU between, each with
a layer norm (no γ, no β) before it or after its addition. Its weights are one flat list: W_1, W_2
of the first layer, ..., W_1, W_2 of the last, W_out.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.arguments import ArgumentError, Array, Integers
from course_utils.attention import softmax

# For each layer its input, its hidden layer, its output and σ ("pre": of its input).
StackTape = list[tuple[Array, Array, Array, Any]]


class Adam:
    r"""Gradient descent with steps of steady size:
    :math:`w \leftarrow w - \eta\,\hat m / (\sqrt{\hat v} + \epsilon)`.

    m and v are running averages of the gradient and of its square; the hat makes up for their start
    at 0. Each number moves by about the learning rate, however large its gradient. Source: Kingma
    and Ba 2015, algorithm 1.

    weights: a list of float arrays, changed in place by each step.
    """

    def __init__(
        self,
        weights: Iterable[Array],
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        eps: float = 1e-8,
    ) -> None:
        self.weights, self.beta_1, self.beta_2, self.eps = list(weights), beta_1, beta_2, eps
        self.m = [np.zeros_like(w) for w in self.weights]
        self.v = [np.zeros_like(w) for w in self.weights]
        self.steps = 0

    def step(self, gradients: Sequence[Array], learning_rate: float) -> None:
        """Move every array against its gradient. gradients: a list of arrays, of the weights'
        shapes and in their order."""
        if [np.shape(g) for g in gradients] != [w.shape for w in self.weights]:
            raise ArgumentError(
                "gradients",
                f"shapes {[np.shape(g) for g in gradients]}",
                f"{[w.shape for w in self.weights]}",
            )
        self.steps += 1
        correction_1, correction_2 = 1 - self.beta_1**self.steps, 1 - self.beta_2**self.steps
        for w, g, m, v in zip(self.weights, gradients, self.m, self.v, strict=True):
            m += (1 - self.beta_1) * (g - m)
            v += (1 - self.beta_2) * (g * g - v)
            w -= learning_rate * (m / correction_1) / (np.sqrt(v / correction_2) + self.eps)


def norm_forward(X: Array, eps: float = 1e-5) -> tuple[Array, Array]:
    """Layer norm without γ and β: Y (..., D), and each row's σ (..., 1), which the way back
    needs."""
    centred = X - X.mean(axis=-1, keepdims=True)
    sigma = np.sqrt(np.mean(centred * centred, axis=-1, keepdims=True) + eps)
    return centred / sigma, sigma


def norm_backward(dY: Array, Y: Array, sigma: Array) -> Array:
    """From the loss's slope dY at the output of norm_forward to its slope at the input.

    The slope's mean and its part along Y are taken out: shifting or stretching the input would
    change nothing.
    """
    return (
        dY - dY.mean(axis=-1, keepdims=True) - Y * np.mean(dY * Y, axis=-1, keepdims=True)
    ) / sigma


def new_stack(rng: Generator, depth: int, D: int, n_out: int) -> list[Array]:
    """Random weights for `depth` layers of width D (2D inside) and an output matrix (D, n_out), as
    a flat list."""
    layers = [
        W
        for _ in range(depth)
        for W in (
            rng.normal(size=(D, 2 * D)) / np.sqrt(D / 2),
            rng.normal(size=(2 * D, D)) / np.sqrt(2 * D),
        )
    ]
    return [*layers, rng.normal(size=(D, n_out)) / np.sqrt(D)]


def stack_forward(X: Array, weights: list[Array], place: str) -> tuple[Array, Array, StackTape]:
    """The rows X (n, D) through all layers; place "pre": X + f(LN(X)), "post": LN(X + f(X)). Both
    end in a norm.

    Returns Y (n, D), its σ, and for each layer what the way back needs: its input, its hidden
    layer, its output and σ.
    """
    tape = []
    for W_1, W_2 in _layers(weights):
        I, sigma = norm_forward(X) if place == "pre" else (X, None)
        hidden = np.maximum(I @ W_1, 0)  # (n, D) @ (D, 2D) -> (n, 2D)
        X = X + hidden @ W_2  # (n, 2D) @ (2D, D) -> (n, D)
        if place == "post":
            X, sigma = norm_forward(X)
        tape.append((I, hidden, X, sigma))
    return *norm_forward(X), tape


def stack_backward(
    dY: Array, Y: Array, sigma: Array, tape: StackTape, weights: list[Array], place: str
) -> list[Array]:
    """From the slope dY at the stack's output to the gradients of W_1, W_2 of every layer, in the
    order of the weights."""
    gradients: list[Array] = []
    dX = norm_backward(dY, Y, sigma)
    for (W_1, W_2), (I, hidden, X, sigma) in zip(_layers(weights)[::-1], tape[::-1], strict=True):
        if place == "post":
            dX = norm_backward(dX, X, sigma)
        d_hidden = (dX @ W_2.T) * (hidden > 0)  # back through the ReLU
        gradients = [I.T @ d_hidden, hidden.T @ dX, *gradients]
        dI = d_hidden @ W_1.T
        dX = dX + (
            norm_backward(dI, I, sigma) if place == "pre" else dI
        )  # the skip, and the way through the layer
    return gradients


def stack_loss(
    X: Array, answer: Integers, weights: list[Array], place: str
) -> tuple[float, list[Array]]:
    """The mean surprise -log p of the right answers, and its gradients. X (n, D); answer (n,),
    whole numbers below n_out."""
    Y, sigma, tape = stack_forward(X, weights, place)
    scores = Y @ weights[-1]  # (n, D) @ (D, n_out) -> (n, n_out)
    P = softmax(scores)
    rows = np.arange(len(X))
    d_scores = P.copy()
    d_scores[rows, answer] -= 1
    d_scores /= len(X)
    gradients = stack_backward(d_scores @ weights[-1].T, Y, sigma, tape, weights, place)
    return -np.log(P[rows, answer]).mean(), [*gradients, Y.T @ d_scores]


def _layers(weights):
    return list(zip(weights[:-1:2], weights[1:-1:2], strict=True))
