"""The exercise `advantages`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.exercise import Exercise

RNG = np.random.default_rng(18)


def advantages(rewards, log_p, log_p_ref, leash):
    """Each text's worth minus the mean worth of the others. Source: Kool et al. (2019), Buy 4
    REINFORCE samples, get a baseline for free."""
    return _beyond_the_others(_worth(rewards, log_p, log_p_ref, leash))


def _worth(rewards, log_p, log_p_ref, leash):
    return rewards - leash * (log_p - log_p_ref)


def _beyond_the_others(worth):
    return worth - (worth.sum() - worth) / (len(worth) - 1)


def _texts(n, leash):
    return RNG.integers(0, 6, size=n).astype(float), *-12 * RNG.random((2, n)), leash


def draw(rng: Generator) -> tuple[Any, ...]:
    n = int(rng.integers(2, 7))
    return (
        np.round(4 * rng.random(n), 1),
        *np.round(-12 * rng.random((2, n)), 1),
        float(np.round(rng.uniform(0.1, 2), 1)),
    )


EXERCISE = Exercise(
    "advantages",
    advantages,
    inputs=[
        _texts(6, 0.5),
        _texts(4, 1.0),
        _texts(2, 0.3),
        _texts(5, 2.0),
        (
            np.array([0.0, 0.0, 3.0]),
            np.array([-9.0, -8.0, -7.0]),
            np.array([-9.0, -9.0, -9.0]),
            0.4,
        ),
    ],
    draw=draw,
    minutes=6,
    difficulty=2,
    nudge=(
        "First each text's worth: its reward, less what the leash takes from a text that became"
        " likelier. Then the others: how many are there, and what is the sum of their worths?"
    ),
    skeleton="""def my_advantages(rewards, log_p, log_p_ref, leash):
    worth = ...                           # (n,)  the reward less the leash's price
    others = ...                          # (n,)  for each text the mean worth of the n - 1 others
    return ...                            # (n,)
""",
)
