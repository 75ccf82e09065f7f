"""The exercise `preference_loss`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import sizes

RNG = np.random.default_rng(17)


def preference_loss(good, bad, good_ref, bad_ref, beta):
    """The loss of direct preference optimization and its gradients. Source: Rafailov et al. (2023),
    equation 7."""
    margin = (good - good_ref) - (bad - bad_ref)
    doubt = 1 / (1 + np.exp(beta * margin))
    return (
        np.logaddexp(0, -beta * margin).mean(),
        -beta * doubt / len(good),
        beta * doubt / len(good),
    )


def _pairs(n, beta):
    return *-10 * RNG.random((4, n)), beta


def draw(rng: Generator) -> tuple[Any, ...]:
    (n,) = sizes(rng, 1)
    return *np.round(-10 * rng.random((4, n)), 2), float(np.round(rng.uniform(0.05, 2), 2))


EXERCISE = Exercise(
    "preference_loss",
    preference_loss,
    inputs=[
        _pairs(5, 0.1),
        _pairs(4, 1.0),
        _pairs(1, 0.5),
        _pairs(3, 2.0),
        (
            np.array([-9.0, -8.0]),
            np.array([-9.0, -12.0]),
            np.array([-9.0, -8.5]),
            np.array([-9.0, -9.0]),
            0.3,
        ),  # one margin is 0
    ],
    draw=draw,
    minutes=7,
    difficulty=2,
    nudge=(
        "First the margin of each pair: by how much more has the good text gained than the bad one?"
        " Then the chance that the margin gives, and what a little more of the margin would change."
    ),
    skeleton="""def my_preference_loss(good, bad, good_ref, bad_ref, beta):
    margin = ...                          # (n,)  how much more the good text has gained than the bad one
    chance = ...                          # (n,)  the sigmoid of beta times the margin
    loss = ...                            # a number: the mean of -log
    d_good = ...                          # (n,)  the loss's gradient at good
    d_bad = ...                           # (n,)  and at bad
    return loss, d_good, d_bad
""",  # noqa: E501
)
