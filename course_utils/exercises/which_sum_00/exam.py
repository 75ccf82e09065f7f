"""`which_sum_00` with other numbers: the answer follows from the same idea."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Numbers, block


def variant(rng: Generator) -> Numbers:
    A, axis = rng.integers(1, 20, size=(3, 4)).astype(float), int(rng.integers(2))
    return Numbers(
        f"{block(A=A)}\n\nWhat is `A.mean(axis={axis})`?", A.mean(axis=axis), 2, minutes=4, points=2
    )
