"""The exercise `logit_lens`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import numbers, sizes
from course_utils.layers import rms_norm

RNG = np.random.default_rng(14)


# The logit lens.
def logit_lens(states, gamma, eps, W_out, token):
    scores = rms_norm(states, gamma, eps) @ W_out
    return _ranks(scores, token)


def _ranks(scores, token):
    return (scores > scores[:, [token]]).sum(axis=1) + 1


def _stream(n, D, n_vocab, token):
    return (
        np.cumsum(RNG.normal(size=(n, D)), axis=0),
        RNG.uniform(0.2, 3, size=D),
        1e-5,
        RNG.normal(size=(D, n_vocab)),
        token,
    )


def draw(rng: Generator) -> tuple[Any, ...]:
    n, D, n_vocab = sizes(rng, 3)
    return (
        numbers(rng, n, D),
        rng.uniform(0.2, 3, size=D),
        1e-5,
        rng.normal(size=(D, n_vocab)),
        int(rng.integers(n_vocab)),
    )


EXERCISE = Exercise(
    "logit_lens",
    logit_lens,
    inputs=[
        _stream(5, 7, 11, 3),
        _stream(6, 6, 6, 1),  # as many words as features: a turned matrix does not fail
        _stream(9, 5, 40, 39),
        (
            np.array([[2.0, 1.0], [-1.0, 3.0], [-2.0, -2.0]]),
            np.array([1.0, 0.1]),
            0.0,
            np.array([[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]]),
            0,
        ),
        (
            np.array([[2.0, 1.0], [-1.0, 3.0], [1.0, -2.0]]),
            np.array([1.0, 0.5]),
            0.0,
            np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]),
            0,
        ),  # a tie
        (np.ones((1, 1)), np.ones(1), 0.0, np.ones((1, 2)), 1),  # one state, and a tie
    ],
    draw=draw,
    minutes=10,
    difficulty=2,
    nudge=(
        "First what the model itself does after its last block: the norm, then the head's matrix. A"
        " rank of 1 says that no word has a higher score: how many have, for each state?"
    ),
    skeleton="""def my_logit_lens(states, gamma, eps, W_out, token):
    normed = ...                          # (n, D)  the last norm, for each state
    scores = ...                          # (n, n_vocab)  what the head says
    higher = ...                          # (n, n_vocab)  True where a word beats `token`
    return ...                            # (n,)  1 where none does
""",
)
