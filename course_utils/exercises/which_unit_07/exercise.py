"""The exercise `which_unit_07`."""

import numpy as np

from course_utils.cards.look import table
from course_utils.diagnosis.exercise import Reading
from course_utils.layers import relu

READ_X = np.array([[1.0, 0.0], [-1.0, 2.0], [0.0, -3.0]])
READ_W = np.array([[1.0, -1.0, 0.0], [0.0, 1.0, -1.0]])
READ_HIDDEN = relu(READ_X @ READ_W)
EXERCISE = Reading(
    "which_unit_07",
    "Three tokens with two features each went through `X @ W_1` and ReLU. Below is the hidden"
    " layer: a row for each token, a column for each unit. What can be said of the network's"
    " output, `hidden @ W_2 + b_2`?",
    [
        (
            "Row 2 is `b_2` plus a multiple of one row of `W_2`, that of unit 2.",
            (
                "a unit at 0 adds nothing. Of token 2 only unit 2 fires, so its row of `W_2`, three"
                " times, is all that joins the bias."
            ),
        ),
        (
            "Row 1 is `b_2` alone, because two of the three units are silent there.",
            (
                "Two are silent, one fires. `b_2` alone comes out only where every unit of a token"
                " is 0."
            ),
        ),
        (
            "Rows 1 and 2 are equal, because one unit fires in each, equally strongly.",
            "Both fire equally strongly, but as different units: each adds its own row of `W_2`.",
        ),
        (
            "Column 1 is 0 for tokens 0 and 2, because unit 1 is silent for them.",
            (
                "Columns of the output are features of tokens again, not units: every unit writes"
                " into all of them."
            ),
        ),
    ],
    right="A",
    minutes=2,
    difficulty=2,
    picture=table(
        [(f"token {i}", *(f"{number:g}" for number in row)) for i, row in enumerate(READ_HIDDEN)],
        ["", "unit 0", "unit 1", "unit 2"],
    ),
)
