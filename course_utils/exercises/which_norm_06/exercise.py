"""The exercise `which_norm_06`."""

import numpy as np

from course_utils import layers
from course_utils.cards.look import table
from course_utils.diagnosis.exercise import Reading

TOKEN = np.array([1.0, 2.0, 3.0, 6.0])
NORMED = [layers.batch_norm(TOKEN[None])[0], layers.rms_norm(TOKEN), layers.layer_norm(TOKEN)]
EXERCISE = Reading(
    "which_norm_06",
    "One token went in, (1, 2, 3, 6). Three norms gave the three rows below, with γ = 1, β = 0 and"
    " a tiny ε. Which row did layer norm give, and which row RMS norm?",
    [
        (
            "Layer norm: row 1. RMS norm: row 2.",
            (
                "Row 2 is right for RMS norm. But row 1 is all zeros, which is batch norm for a"
                " batch of one: each feature minus itself."
            ),
        ),
        (
            "Layer norm: row 2. RMS norm: row 3.",
            (
                "Layer norm centres, so its row sums to 0: row 2 has no negative number. RMS norm"
                " keeps every sign."
            ),
        ),
        (
            "Layer norm: row 3. RMS norm: row 2.",
            (
                "row 3 sums to 0 and its squares have mean 1. Row 2 keeps the proportions 1 : 2 : 3"
                " : 6, and its squares have mean 1 as well. Row 1 is batch norm, which compares a"
                " batch of one with itself."
            ),
        ),
        (
            "Layer norm: row 3. RMS norm: row 1.",
            (
                "Row 3 is right for layer norm. But RMS norm only changes the size, and a token"
                " that is not 0 never becomes 0."
            ),
        ),
    ],
    right="C",
    difficulty=2,
    picture=table(
        [
            (f"row {i}", *(f"{number:.2f}" for number in row))
            for i, row in enumerate(NORMED, start=1)
        ]
    ),
)
