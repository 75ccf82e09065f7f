"""The exercise `which_sum_00`."""

import numpy as np

from course_utils.cards.look import heat
from course_utils.diagnosis.exercise import Reading

TABLE = np.array([[0.25, 0.75, 0.50], [0.50, 0.50, 0.50]])
EXERCISE = Reading(
    "which_sum_00",
    "The table below is `A`. Which line gives `[0.75 1.25 1.  ]`?",
    options=[
        (
            "`A.sum(axis=1)`",
            (
                f"axis=1 runs along each row and leaves one number a row: `{TABLE.sum(axis=1)}`."
                " There are two rows and three numbers."
            ),
        ),
        (
            "`A.sum(axis=0)`",
            (
                "axis=0 runs down the rows and leaves one number for each column: 0.25 + 0.50, 0.75"
                " + 0.50, 0.50 + 0.50."
            ),
        ),
        (
            "`A.mean(axis=0)`",
            f"The axis is right. A mean divides by the two rows: `{TABLE.mean(axis=0)}`.",
        ),
        ("`A.sum()`", f"Without an axis everything is added to one number, {TABLE.sum():.2f}."),
    ],
    right="B",
    minutes=2,
    difficulty=1,
    picture=heat(TABLE, ["row 0", "row 1"], ["0", "1", "2"]),
)
