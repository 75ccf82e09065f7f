"""The exercise `train_step`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.attention import softmax
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import several, sizes

RNG = np.random.default_rng(10)


def train_step(Y, answer, W, learning_rate):
    loss, slope = _loss_and_slope(Y, answer, W)
    return loss, W - learning_rate * slope


def _loss_and_slope(Y, answer, W):
    P = softmax(Y @ W)
    rows = np.arange(len(Y))
    return -np.log(P[rows, answer]).mean(), Y.T @ (P - np.eye(W.shape[1])[answer]) / len(Y)


def _head(n, D, n_vocab, learning_rate):
    return (
        RNG.normal(size=(n, D)),
        RNG.integers(n_vocab, size=n),
        RNG.normal(size=(D, n_vocab)),
        learning_rate,
    )


def draw(rng: Generator) -> tuple[Any, ...]:
    n, D, n_vocab = sizes(rng, 3)
    Y, W = several(rng, (n, D), (D, n_vocab))
    return Y, rng.integers(n_vocab, size=n), W, float(rng.uniform(0.01, 2))


EXERCISE = Exercise(
    "train_step",
    train_step,
    inputs=[
        _head(6, 3, 5, 0.1),
        _head(4, 4, 4, 0.5),
        _head(1, 2, 7, 1.0),
        (
            np.array([[1.0, 2.0], [0.5, 1.0]]),
            np.array([2, 0]),
            np.array([[0.2, 0.1, 0.3], [0.4, 0.2, 0.1]]),
            0.2,
        ),  # every score is positive
        (
            np.array([[1.0, -1.0], [0.5, 2.0]]),
            np.array([0, 0]),
            np.array([[0.2, 0.1, 0.3], [0.4, 0.2, 0.1]]),
            0.3,
        ),  # words that are never right
    ],
    traps={
        "a right word with a probability near 0": (
            np.array([[1.0]]),
            np.array([1]),
            np.array([[60.0, 0.0]]),
            0.1,
        ),
    },
    draw=draw,
    minutes=10,
    difficulty=3,
    nudge=(
        "Each row has one loss: −log p of its right word. And the slope at the"
        " scores: which of them should rise, which fall, and how far?"
    ),
    skeleton="""def my_train_step(Y, answer, W, learning_rate):
    P = ...                               # (n, n_vocab)  probabilities
    right = ...                           # (n, n_vocab)  1 at the right word of each row, 0 elsewhere
    loss = ...                            # a number: the mean -log p of the right words
    dW = ...                              # (D, n_vocab)  the slope at W, of a mean
    return loss, ...
""",  # noqa: E501
)
