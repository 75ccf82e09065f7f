"""The exercise `matrix_slopes`."""

import numpy as np

from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import several, sizes

RNG = np.random.default_rng(2)


def arrays(*shapes):
    return tuple(RNG.normal(size=shape) for shape in shapes)


def matrix_slopes(X, W, dY):
    return dY @ W.T, X.T @ dY


def draw(rng):
    n, D, k = sizes(rng, 3)
    return several(rng, (n, D), (D, k), (n, k))


EXERCISE = Exercise(
    "matrix_slopes", matrix_slopes,
    inputs=[
        arrays((5, 4), (4, 3), (5, 3)),
        arrays((3, 3), (3, 3), (3, 3)),                   # all square: a missing transpose does not fail, it goes wrong
        (np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[1.0, 0.0], [2.0, 1.0]]), np.array([[1.0, 0.0], [0.0, 2.0]])),
        arrays((2, 3), (3, 5), (2, 5)),
    ],
    traps={
        "one row alone": arrays((1, 2), (2, 2), (1, 2)),
    },
    draw=draw, minutes=8, difficulty=2,
    nudge="dX has the shape of X, dW that of W. And who meets a number of X on its way to the loss: which numbers of W, which of dY?",
    skeleton="""
def my_matrix_slopes(X, W, dY):       # (n, D), (D, k), (n, k): the slopes at Y = X @ W
    dX = ...                          # (n, D)  each slope of Y, sent back through W
    dW = ...                          # (D, k)  a sum over the n rows of X
    return dX, dW
""")
