"""The exercise `which_position_08`."""

import numpy as np

from course_utils import positions
from course_utils.cards.look import table
from course_utils.diagnosis.exercise import Reading

ALL_WAVES = positions.sinusoidal_positional_encoding(4, 6)
ONE_POSITION = 2
EXERCISE = Reading(
    "which_position_08",
    "One row of the sinusoidal table with D = 6 is shown below, for a position from 0 to 3. Which"
    f" position is it? (sin 1 = {np.sin(1):.2f}, sin 2 = {np.sin(2):.2f}, sin 3 = {np.sin(3):.2f})",
    [
        (
            "Position 0, since the last two numbers are 0.00 and 1.00.",
            (
                "At position 0 every sine is 0. The last pair is so slow that it has hardly left 0"
                " and 1 yet at any of the four positions."
            ),
        ),
        (
            "Position 1, since the first number is nearly 1.",
            (
                "The first pair turns by one radian a position, so at position 1 the first number"
                f" would be sin 1 = {np.sin(1):.2f}."
            ),
        ),
        (
            "Position 2, since the first pair is 0.91, −0.42.",
            (
                f"cos 2 = {np.cos(2):.2f} and sin 2 = {np.sin(2):.2f} are the first pair, which"
                " turns by one radian a position. Only position 2 has both: at 1 the cosine is"
                f" still above 0, at 3 it is below, but the sine is only {np.sin(3):.2f}."
            ),
        ),
        (
            "Position 3, since three numbers are below 0.5.",
            (
                "Counting small numbers says nothing: each pair turns at its own speed. At"
                f" position 3 the first number would be sin 3 = {np.sin(3):.2f}."
            ),
        ),
    ],
    right="C",
    difficulty=2,
    picture=table(
        [[f"{number:.2f}" for number in ALL_WAVES[ONE_POSITION]]], [f"column {n}" for n in range(6)]
    ),
)
