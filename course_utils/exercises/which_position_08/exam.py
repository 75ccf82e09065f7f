"""`which_position_08` with other numbers: the answer follows from the same idea."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Numbers, shown
from course_utils.positions import sinusoidal_positional_encoding


def variant(rng: Generator) -> Numbers:
    n, slower = int(rng.integers(3, 90)), int(rng.integers(40, 140))
    row = sinusoidal_positional_encoding(90, 4, base=slower**2)[n]
    return Numbers(
        f"One row of the sinusoidal table with D = 4, of a position from 0 to 89: {shown(row)}."
        f" Which position is it? (The second pair turns {slower} times slower than the first, with"
        f" base {slower**2}.)",
        n,
        minutes=5,
        points=2,
    )
