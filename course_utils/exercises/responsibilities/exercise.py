"""The exercise `responsibilities`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils import experts as course
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import sizes

RNG = np.random.default_rng(9)


def responsibilities(x, weights, means, sds):
    return course.gaussian_responsibilities(
        x[:, None], weights, means[:, None], (sds**2)[:, None, None]
    )


def draw(rng: Generator) -> tuple[Any, ...]:
    N, C = sizes(rng, 2)
    return (
        rng.normal(size=N),
        rng.dirichlet(np.ones(C)),
        2 * rng.normal(size=C),
        rng.uniform(0.4, 2, size=C),
    )


EXERCISE = Exercise(
    "responsibilities",
    responsibilities,
    inputs=[
        (
            RNG.normal(size=5),
            np.array([0.6, 0.3, 0.1]),
            np.array([0.0, 1.0, 3.0]),
            np.array([1.5, 0.5, 0.7]),
        ),
        (
            np.array([-1.0, 0.5, 2.5]),
            np.array([0.6, 0.3, 0.1]),
            np.array([0.0, 1.0, 3.0]),
            np.array([1.5, 0.5, 0.7]),
        ),  # as many points as Gaussians
        (
            RNG.normal(size=2),
            np.array([0.2, 0.5, 0.1, 0.2]),
            np.array([-2.0, 0.0, 0.3, 2.0]),
            np.array([0.5, 1.6, 0.4, 0.9]),
        ),
        (RNG.normal(size=7), np.array([0.75, 0.25]), np.array([-1.0, 1.0]), np.array([0.8, 2.0])),
    ],
    traps={
        "one point alone": (
            np.array([0.0]),
            np.array([0.5, 0.5]),
            np.array([-1.0, 1.0]),
            np.array([1.0, 2.0]),
        ),
    },
    draw=draw,
    minutes=8,
    difficulty=2,
    nudge=(
        "First a Gaussian is chosen, and then it makes the point. Which product says how"
        " probable both are? Make a table of these products, a row for each point and a column"
        " for each Gaussian. What turns a row into shares?"
    ),
    skeleton="""def my_responsibilities(x, weights, means, sds):
    density = ...                         # (N, K)  of each point under each Gaussian: make the points a column
    joint = ...                           # (N, K)  use the mixing weights, too
    return ...                            # (N, K)  each row sums to 1
""",  # noqa: E501
)
