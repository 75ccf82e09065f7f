"""The exercise `feed_forward_slopes`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import normal, sizes
from course_utils.layers import relu

RNG = np.random.default_rng(7)


def _forward(X, W_1, b_1):
    before = X @ W_1 + b_1
    return before, relu(before)


def _back(X, W_1, W_2, dY, hidden, d_before):
    """The five tables, given what each unit gave and the slopes at what it added up."""
    return d_before @ W_1.T, X.T @ d_before, d_before.sum(axis=0), hidden.T @ dY, dY.sum(axis=0)


def feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY):
    before, hidden = _forward(X, W_1, b_1)
    return _back(X, W_1, W_2, dY, hidden, dY @ W_2.T * (before > 0))


def _network(T, D, d_ff):
    return normal(RNG, (T, D), (D, d_ff), (d_ff,), (d_ff, D), (D,), (T, D))


def draw(rng: Generator) -> tuple[Any, ...]:
    T, D, d_ff = sizes(rng, 3)
    return normal(rng, (T, D), (D, d_ff), (d_ff,), (d_ff, D), (D,), (T, D))


EXERCISE = Exercise(
    "feed_forward_slopes",
    feed_forward_slopes,
    inputs=[
        _network(5, 3, 7),
        _network(4, 4, 4),  # all square: a missing transpose does not fail, it goes wrong
        _network(2, 3, 5),
        _network(1, 3, 6),  # one token: sums over tokens and means are the same
    ],
    parts=("matrix_slopes",),
    draw=draw,
    minutes=15,
    difficulty=3,
    nudge=(
        "Go forward once and keep what each step gave. Then walk back, last step first. Each matrix"
        " is a job for `matrix_slopes`; what does it want to know? A bias was added to every token."
        " And whose slopes does ReLU let through?"
    ),
    skeleton="""def my_feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY):      # dY (T, D): the slopes at the output
    before = ...                          # (T, d_ff)  forward: what each unit adds up
    hidden = ...                          # (T, d_ff)  and what it gives
    d_hidden, dW_2 = ...                  # back through the second matrix
    d_before = ...                        # (T, d_ff)  back through ReLU
    dX, dW_1 = ...                        # back through the first matrix
    db_1, db_2 = ...                      # (d_ff,), (D,)  a bias met every token
    return dX, dW_1, db_1, dW_2, db_2
""",  # noqa: E501
)
