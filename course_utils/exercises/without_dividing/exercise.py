"""The exercise `without_dividing`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.exercise import Exercise
from course_utils.diagnosis.values import FLOAT64_TOLERANCE
from course_utils.exercises.drawing import normal, sizes

RNG = np.random.default_rng(3)


def without_dividing(W_Q, W_K, rate):
    d_k = W_Q.shape[1]
    return W_Q / d_k**0.25, W_K / d_k**0.25, rate / d_k**0.5


def _as_the_same_training(came, other):
    """Other matrices in the place of those that came, where no loss ever tells them apart.

    The scores and how a step moves them hang on products of two rows alone, each of W_Q or of W_K;
    and the products after a step hang on those before. So matrices with the same products have the
    same scores after every step, at the same rate: both with the sign turned, or both rotated.
    """
    try:
        rows = [np.concatenate(matrices[:2]) for matrices in (came, other)]
        same = np.allclose(
            *(W @ W.T for W in rows), rtol=FLOAT64_TOLERANCE, atol=FLOAT64_TOLERANCE
        ) and len(came[0]) == len(other[0])
    except ValueError:  # other shapes
        return came
    return [*other[:2], came[2]] if same else came


def draw(rng: Generator) -> tuple[Any, ...]:
    D, d_k = sizes(rng, 2, 9)
    return *normal(rng, (D, d_k), (D, d_k)), float(rng.uniform(0.1, 3))


EXERCISE = Exercise(
    "without_dividing",
    without_dividing,
    inputs=[
        (RNG.normal(size=(5, 9)), RNG.normal(size=(5, 9)), 2.0),
        (RNG.normal(size=(6, 6)), RNG.normal(size=(6, 6)), 0.5),
        (RNG.normal(size=(3, 64)), RNG.normal(size=(3, 64)), 1.0),
    ],
    canonicalise=_as_the_same_training,
    draw=draw,
    minutes=15,
    difficulty=3,
    nudge=(
        "A score is a query times a key, so each takes a part of the division. Then follow one step"
        " of W_Q: the key is smaller now. How far does the score move, and how far should it move?"
    ),
    skeleton="""
def my_without_dividing(W_Q, W_K, rate):
    d_k = ...                      # the width of queries and keys
    smaller = ...                  # squared, it is the square root of d_k
    steps = ...           # the rate: a step moves a score as far as in the divided training
    return W_Q / smaller, W_K / smaller, steps
""",
)
