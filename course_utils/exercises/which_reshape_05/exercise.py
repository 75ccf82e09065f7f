"""The exercise `which_reshape_05`."""

import numpy as np

from course_utils.cards.look import table
from course_utils.diagnosis.exercise import Reading

TWO_TOKENS = np.arange(1, 9).reshape(2, 4)
EXERCISE = Reading(
    "which_reshape_05",
    "`X` is the table below: two tokens, four features. What is `X.reshape(2, 2, 2)[0]`, and is it"
    " head 0 of two?",
    options=[
        (
            "`[[1 2] [5 6]]`, and it is head 0",
            (
                "That would be head 0: both tokens, the first two features. But reshape takes 1, 2,"
                " 3, 4 first."
            ),
        ),
        (
            "`[[1 2] [3 4]]`, and it is head 0",
            (
                "Those are its numbers. But 3 and 4 are features of the first token, too: the"
                " second is missing."
            ),
        ),
        (
            "`[[1 2] [3 4]]`, and it is not head 0",
            (
                "reshape fills row after row: the first token alone, cut in two. Head 0 holds 1, 2"
                " and 5, 6."
            ),
        ),
        (
            "`[[1 3] [5 7]]`, and it is not head 0",
            "That takes every second feature. reshape takes the numbers as they stand: 1, 2, 3, 4.",
        ),
    ],
    right="C",
    minutes=2,
    difficulty=1,
    picture=table(
        [(f"token {t}", *map(str, row)) for t, row in enumerate(TWO_TOKENS)],
        ["", "0", "1", "2", "3"],
    ),
)
