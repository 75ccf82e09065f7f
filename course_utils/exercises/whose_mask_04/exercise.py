"""The exercise `whose_mask_04`."""

import numpy as np

from course_utils import attention as course
from course_utils.attention import scaled_dot_product_attention
from course_utils.cards.look import heat
from course_utils.data import embed
from course_utils.diagnosis.exercise import Reading
from course_utils.exercises.masked_attention.exercise import FIRST_IS_PADDING

PADDED = ["(pad)", "bears", "won", "game"]
X_PADDED = np.concatenate([np.zeros((1, 4)), embed(PADDED[1:])])
WHOSE_MASK_WEIGHTS = scaled_dot_product_attention(
    X_PADDED, X_PADDED, X_PADDED, course.causal_mask(4) & FIRST_IS_PADDING
)[1]
EXERCISE = Reading(
    "whose_mask_04",
    "These weights are new: rows are queries, columns are keys. Which mask made them?",
    options=[
        (
            "Causal, and the first token is padding.",
            (
                "The upper right is 0, and the first column is 0, too. So the first row has"
                " nothing left."
            ),
        ),
        (
            "Causal, and no token sees itself.",
            (
                "The first row would be 0, as it is here. But the diagonal would be 0, too, and"
                " “won” gives weight to itself."
            ),
        ),
        (
            "Not causal, and the first token is padding.",
            (
                "The first column would be 0, as it is here. But “bears” would also see “won” and"
                " “game”."
            ),
        ),
        (
            "Causal, with rows and columns exchanged.",
            "Then the lower left would be 0, and the last row would see only itself.",
        ),
    ],
    right="A",
    minutes=3,
    difficulty=2,
    picture=heat(WHOSE_MASK_WEIGHTS, PADDED, PADDED),
)
