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
    "The gates of four tokens, before the top k: a row for each token, a column for each expert."
    " What does this picture say about training on?",
    [
        (
            (
                "The gate is sure of itself, which is what training is for: nothing needs to be"
                " done here."
            ),
            (
                "It is sure, but sure of the same expert for every token. A mixture in which one"
                " expert does everything is that one expert."
            ),
        ),
        (
            "Each expert has found its part of the data, since no two columns look alike.",
            (
                "Found its part would mean: large for some tokens, small for others. Here one"
                " column is large for all."
            ),
        ),
        (
            "One expert gets nearly everything, and the others hardly learn; balance it.",
            (
                f"the first column holds {READ_GATES[:, 0].sum() / READ_GATES.sum():.0%} of all"
                " gates. Who is asked learns and is asked again: dead experts. A load-balancing"
                " loss pushes against that."
            ),
        ),
        (
            "The gates do not sum to 1 in each column, so a softmax over the tokens is missing.",
            (
                "Gates sum to 1 along each row: each token shares itself out. Columns may have any"
                " sum, and that is what load means."
            ),
        ),
    ],
    right="C",
    picture=heat(READ_GATES, READ_TOKENS, READ_EXPERTS),
)
