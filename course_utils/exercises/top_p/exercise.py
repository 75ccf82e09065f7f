"""The exercise `top_p`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils import decoding
from course_utils.diagnosis.exercise import Exercise

RNG = np.random.default_rng(13)


# The nucleus.
def top_p(probabilities, p):
    return decoding.nucleus(probabilities, p)


EXACT = "a sum that is exactly p"


def draw(rng: Generator) -> tuple[Any, ...]:
    probabilities = rng.dirichlet(np.full(int(rng.integers(1, 9)), 0.6))
    return probabilities, float(rng.uniform(0.05, 0.99))


EXERCISE = Exercise(
    "top_p",
    top_p,
    inputs=[
        (np.array([0.04, 0.3, 0.05, 0.25, 0.2, 0.16]), 0.6),
        (np.array([0.1, 0.15, 0.3, 0.45]), 0.8),
        (np.array([0.42, 0.07, 0.19, 0.13, 0.11, 0.05, 0.03]), 0.9),
        (RNG.dirichlet(np.full(12, 0.6)), 0.7),
        (np.array([0.02, 0.9, 0.05, 0.03]), 0.5),  # one piece has more than p alone
        (np.arange(12.0, 0, -1) / 78, 0.9),
    ],
    traps={
        EXACT: (np.array([0.25, 0.5, 0.125, 0.125]), 0.75),
        "equal shares": (np.array([0.3, 0.2, 0.3, 0.2]), 0.55),
        "p of 1": (np.array([0.4, 0.6]), 1.0),
    },
    draw=draw,
    minutes=7,
    difficulty=2,
    nudge=(
        "Sort downwards and add up as you go. A piece stays if those before it have less than p"
        " together: so the likeliest always stays. Then every piece must find its old place."
    ),
    skeleton="""
def my_top_p(probabilities, p):               # (n_vocab,) -> (n_vocab,)
    order = ...                               # (n_vocab,)  the numbers of the pieces, the likeliest first
    sorted_p = probabilities[order]
    before = ...                              # (n_vocab,)  what the likelier ones have together
    kept = np.zeros(len(probabilities))
    kept[order] = ...                         # those that stay, each at its old place
    return ...                                # they sum to 1
""",  # noqa: E501
)
