"""The exercise `project`."""

import numpy as np

from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import several, sizes

RNG = np.random.default_rng(2)


def arrays(*shapes):
    return tuple(RNG.normal(size=shape) for shape in shapes)


def project(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_K, X @ W_V


def draw(rng):
    T, D, d_k, d_v = sizes(rng, 4)
    return several(rng, (T, D), (D, d_k), (D, d_k), (D, d_v))


EXERCISE = Exercise(
    "project", project,
    inputs=[
        arrays((5, 4), (4, 2), (4, 2), (4, 3)),
        arrays((3, 3), (3, 3), (3, 3), (3, 3)),           # all square: a wrong order does not fail, it goes wrong
        arrays((4, 6), (6, 4), (6, 4), (6, 4)),
    ],
    traps={
        "one token alone": arrays((1, 2), (2, 2), (2, 2), (2, 3)),
    },
    draw=draw, minutes=3, difficulty=1,
    nudge="A token is a row of X, and a column of W makes one new feature of it. Which order of the two fits in `@`?",
    skeleton="""
def my_project(X, W_Q, W_K, W_V):     # (T, D), (D, d_k), (D, d_k), (D, d_v)
    Q = ...                           # (T, d_k)  what each token asks
    K = ...                           # (T, d_k)  what it answers to
    V = ...                           # (T, d_v)  what it sends
    return Q, K, V
""")
