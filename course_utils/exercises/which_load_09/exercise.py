"""The exercise `which_load_09`."""

import numpy as np

from course_utils.attention import softmax
from course_utils.cards.look import heat
from course_utils.diagnosis.exercise import Reading

READ_GATES = softmax(
    np.array(
        [[3.0, 0.2, 0.0, 0.4], [2.6, 0.5, 0.3, 0.0], [2.9, 0.0, 0.6, 0.1], [2.2, 0.1, 0.0, 1.0]]
    )
)
READ_TOKENS, READ_EXPERTS = (
    ["token 0", "token 1", "token 2", "token 3"],
    ["expert 0", "expert 1", "expert 2", "expert 3"],
)
EXERCISE = Reading(
    "which_load_09",
    (
        "The gates of four tokens, before the top k: a row for each token, a column for each"
        " expert. What does this picture say about further training?"
    ),
    [
        (
            (
                "The gates are sure, and training should make them sure: we do not need to change"
                " anything."
            ),
            (
                "The gates are sure of the same expert for every token. If one expert does"
                " everything, the mixture is only that expert."
            ),
        ),
        (
            "Each expert has found its part of the data, since no two columns look alike.",
            (
                "Then each column would be large for some tokens and small for others. Here one"
                " column is large for all tokens."
            ),
        ),
        (
            "One expert gets nearly everything, and the others hardly learn; balance the load.",
            (
                f"the first column holds {READ_GATES[:, 0].sum() / READ_GATES.sum():.0%} of all"
                " gates. This expert learns and is asked again, and the others die. A"
                " load-balancing loss works against this."
            ),
        ),
        (
            "The gates do not sum to 1 in each column, so a softmax over the tokens is missing.",
            (
                "The gates of each token sum to 1, along its row. A column can have any sum: it"
                " shows how much the expert is wanted."
            ),
        ),
    ],
    right="C",
    picture=heat(READ_GATES, READ_TOKENS, READ_EXPERTS),
)
