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
    "Weights that you have not met: a row asks, a column answers. Which mask made them?",
    options=[
        (
            "Causal, and the first token padded.",
            (
                "The upper corner is empty, and so is the first column. Nothing is left for the"
                " first row."
            ),
        ),
        (
            "Causal, without a token's own place.",
            (
                "The first row would be empty, too. But the diagonal would be 0, and “won” gives"
                " weight to itself."
            ),
        ),
        (
            "Padding alone, for the first token.",
            (
                "The first column is empty, as it should be. But “bears” would see “won” and"
                " “game”, too."
            ),
        ),
        (
            "Causal, with rows and columns swapped.",
            "Then the lower corner would be empty, and the last row would see itself alone.",
        ),
    ],
    right="A",
    minutes=3,
    difficulty=2,
    picture=heat(WHOSE_MASK_WEIGHTS, PADDED, PADDED),
)
