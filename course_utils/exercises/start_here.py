"""The exercises of notebook 00."""

import numpy as np

from course_utils.cards.look import heat
from course_utils.diagnosis.exercise import Exercise, Reading

RNG = np.random.default_rng(0)


def row_sums(A):
    return A.sum(axis=-1)


ROW_SUMS = Exercise(
    "row_sums", row_sums,
    inputs=[(RNG.normal(size=(2, 5)),), (RNG.integers(0, 9, (3, 3)).astype(float),), (RNG.normal(size=(4, 3)),)],
    minutes=2, difficulty=1,
    nudge="NumPy adds along an axis. Axis 0 runs down the rows; which one runs along a row?",
    skeleton="""
def my_row_sums(A):                # (T, n) -> (T,)
    axis = ...                     # which one runs along a row?
    return A.sum(axis=axis)        # (T,)
""")


@ROW_SUMS.mistake("columns instead of rows", "axis=0 runs down the rows and leaves one sum for each column. Which axis runs along a row?")
def column_sums(A):
    return A.sum(axis=0)


@ROW_SUMS.mistake("one sum of everything", "Without an axis, sum adds all numbers of the table. Say along which axis to add.")
def total(A):
    return A.sum()


@ROW_SUMS.mistake("mean instead of sum", "A mean divides by how many there are. Here the sum itself is asked.")
def row_means(A):
    return A.mean(axis=-1)


@ROW_SUMS.mistake("a column instead of a list", "This is a table of one column, (T, 1). Asked is one number a row, (T,).")
def kept_dimension(A):
    return A.sum(axis=-1, keepdims=True)


@ROW_SUMS.mistake("the largest instead of the sum", "This is the largest number of each row. Here all numbers of a row are added.")
def row_maxima(A):
    return A.max(axis=-1)


@ROW_SUMS.mistake("sums on the way", "These are the sums on the way, a whole row of them for each row. Asked is only the last.")
def running_sums(A):
    return A.cumsum(axis=-1)


@ROW_SUMS.mistake("the first row only", "Only the sum of the first row comes back. Does the `return` stand inside the loop?")
def first_row(A):
    return A[0].sum()


@ROW_SUMS.mistake("the last row only", "Only the sum of the last row is left. A loop that keeps them all has a place for each.")
def last_row(A):
    return A[-1].sum()


@ROW_SUMS.mistake("squares added", "Each number was multiplied by itself before adding. Here the numbers are added as they are.")
def squares_added(A):
    return (A**2).sum(axis=-1)


@ROW_SUMS.mistake("the total not set back to 0", "Each sum goes on from the one before. Every row begins with 0 again.")
def never_set_back(A):
    return A.sum(axis=-1).cumsum()


@ROW_SUMS.mistake("only the last number of each row",
                  "The last number of each row is left: it took the place of what was there. A sum adds to what is there.")
def last_numbers(A):
    return A[:, -1]


@ROW_SUMS.mistake("only the first number of each row", "Only the first number of each row entered. Does the loop along a row end too early?")
def first_numbers(A):
    return A[:, 0]


@ROW_SUMS.mistake("the last number of each row left out", "The loop stops one number early. A range ends before its last number.")
def all_but_the_last(A):
    return A[:, :-1].sum(axis=-1)


@ROW_SUMS.mistake("the first number of each row left out", "The loop begins one number late. Python counts from 0.")
def all_but_the_first(A):
    return A[:, 1:].sum(axis=-1)


@ROW_SUMS.mistake("means of the columns", "These are means, and they run down the columns. Asked are sums along the rows.")
def column_means(A):
    return A.mean(axis=0)


@ROW_SUMS.mistake("products instead of sums", "The numbers of a row were multiplied. Here they are added.")
def row_products(A):
    return A.prod(axis=-1)


@ROW_SUMS.mistake("absolute values added", "A negative number was added as a positive one. The numbers are added as they are.")
def absolute_sums(A):
    return np.abs(A).sum(axis=-1)


TABLE = np.array([[0.25, 0.75, 0.50], [0.50, 0.50, 0.50]])
WHICH_SUM = Reading(
    "which_sum_00",
    "The table below is `A`. Which line gives `[0.75 1.25 1.  ]`?",
    options=[
        ("`A.sum(axis=1)`", f"axis=1 runs along each row and leaves one number a row: `{TABLE.sum(axis=1)}`. There are two rows and three numbers."),
        ("`A.sum(axis=0)`", "axis=0 runs down the rows and leaves one number for each column: 0.25 + 0.50, 0.75 + 0.50, 0.50 + 0.50."),
        ("`A.mean(axis=0)`", f"The axis is right. A mean divides by the two rows: `{TABLE.mean(axis=0)}`."),
        ("`A.sum()`", f"Without an axis everything is added to one number, {TABLE.sum():.2f}."),
    ],
    right="B", minutes=2, difficulty=1,
    picture=heat(TABLE, ["row 0", "row 1"], ["0", "1", "2"]))


EXERCISES = [ROW_SUMS, WHICH_SUM]
