"""The exercise `note_03`."""

import numpy as np

from course_utils.attention import scaled_dot_product_attention
from course_utils.cards.look import heat
from course_utils.diagnosis.exercise import Reading

NOTE_RNG = np.random.default_rng(5)
QUERY, KEYS, STRETCHES = NOTE_RNG.normal(size=(1, 64)), NOTE_RNG.normal(size=(6, 64)), (1, 4, 16)
STRETCHED = np.concatenate(
    [scaled_dot_product_attention(stretch * QUERY, KEYS, KEYS)[1] for stretch in STRETCHES]
)
EXERCISE = Reading(
    "note_03",
    "A lecture note says: “Scaling makes attention smooth, so that many tokens contribute. A scaled"
    " model can therefore no longer attend to one token only.” Below are scaled weights: a random"
    " query of width 64, stretched, and six random keys. Which sentence mends the note?",
    options=[
        (
            (
                "Scaling makes attention smooth at first; to attend to one token only, a model has"
                " to undo the division by √d_k."
            ),
            (
                "The division stays as it is. What grew in the table is the query: a longer one"
                " sharpens its row."
            ),
        ),
        (
            (
                "Scaling makes attention smooth at first; a model can still learn long queries, and"
                " attend to one token only."
            ),
            (
                f"The largest weight grows from {STRETCHED[0].max():.2f} to"
                f" {STRETCHED[2].max():.2f} as the query gets longer. The scale says where learning"
                " starts, not where it may end."
            ),
        ),
        (
            (
                "Scaling makes attention sharp, so that few tokens contribute. An unscaled model"
                " attends to all tokens alike."
            ),
            (
                "It is the other way round: divided scores lie closer together, and the weights are"
                " more alike."
            ),
        ),
        (
            (
                "Scaling makes attention smooth, but only for short texts. A model of many tokens"
                " attends to one token only."
            ),
            (
                "The number of tokens does not enter the scale. Six keys stand in every row of the"
                " table, and only the query's length differs."
            ),
        ),
    ],
    right="B",
    minutes=4,
    difficulty=2,
    picture=heat(
        STRETCHED, [f"query × {stretch}" for stretch in STRETCHES], [f"key {j}" for j in range(6)]
    ),
)
