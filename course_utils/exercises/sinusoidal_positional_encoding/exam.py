"""`sinusoidal_positional_encoding` with a twist: a rule that the exercise did not have. The kept
function, pasted, is wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code


def variant(rng: Generator) -> Code:
    start, base = int(rng.integers(2, 50)), int(rng.integers(2, 90)) * 100
    return Code(
        f"The sinusoidal table for T positions, from {start} on, with {base} in the"
        " place of 10000, and in each pair the cosine *before* the sine. Returns (T, D).",
        f"def answer(T, D):\n    cos, sin = positions.rotary_angles({start} + np.arange(T), D,"
        f" {base})\n    return np.stack([cos, sin], axis=-1).reshape(T, D)",
        ((5, 6), (8, 8), (3, 2)),
        minutes=7,
        points=4,
    )
