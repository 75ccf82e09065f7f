"""The exercise of notebook 00."""

import numpy as np

from course_utils.exercises.checking import Exercise

RNG = np.random.default_rng(0)


def row_sums(A):
    return A.sum(axis=-1)


ROW_SUMS = Exercise("row_sums", row_sums, inputs=[(RNG.integers(0, 9, (3, 3)).astype(float),), (RNG.normal(size=(2, 5)),)])


@ROW_SUMS.mistake("columns instead of rows", "axis=0 runs down the rows and leaves one sum for each column. Which axis runs along a row?")
def column_sums(A):
    return A.sum(axis=0)


@ROW_SUMS.mistake("one sum of everything", "Without an axis, sum adds all numbers of the table. Say along which axis to add.")
def total(A):
    return A.sum()


@ROW_SUMS.mistake("mean instead of sum", "A mean divides by how many there are. Here the sum itself is asked.")
def row_means(A):
    return A.mean(axis=-1)


@ROW_SUMS.mistake("a column instead of a list", "keepdims=True leaves a table of one column, (T, 1). Asked is one number a row, (T,).")
def kept_dimension(A):
    return A.sum(axis=-1, keepdims=True)


EXERCISES = [ROW_SUMS]
