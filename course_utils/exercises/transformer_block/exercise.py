"""The exercise `transformer_block`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.attention import softmax
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import numbers, sizes
from course_utils.layers import layer_norm, relu, rms_norm

RNG = np.random.default_rng(7)


def transformer_block(X, attend, think, norm):
    Z = X + attend(norm(X))
    return Z + think(norm(Z))


def _attend(X):
    """A small attention without parameters."""
    return softmax(X @ X.swapaxes(-1, -2) / np.sqrt(X.shape[-1])) @ X[..., ::-1]


def _think(X):
    """A small step for each token alone."""
    return relu(X - 0.3) - 0.5 * relu(0.2 - X[..., ::-1])


def draw(rng: Generator) -> tuple[Any, ...]:
    norm = (layer_norm, rms_norm)[rng.integers(2)]
    return numbers(rng, *sizes(rng, 2)), _attend, (_think, np.tanh)[rng.integers(2)], norm


EXERCISE = Exercise(
    "transformer_block",
    transformer_block,
    inputs=[
        (3 * RNG.normal(size=(3, 5)) + 1, _attend, _think, layer_norm),
        (3 * RNG.normal(size=(4, 4)) + 1, _attend, _think, layer_norm),
        (3 * RNG.normal(size=(2, 3, 5)) - 1, _attend, np.tanh, rms_norm),
    ],
    draw=draw,
    minutes=6,
    difficulty=2,
    nudge=(
        "Follow the residual stream with a finger: it goes straight through, and twice something is"
        " added. What do the two parts read, and who norms it?"
    ),
    skeleton="""def my_transformer_block(X, attend, think, norm):
    Z = ...                               # (..., T, D)  the stream after attention
    return ...                            # (..., T, D)  the stream after the feed-forward network
""",
)
