"""The exercise `which_pair_12`."""

import numpy as np

from course_utils.cards.look import heat
from course_utils.data.bears import SENSES
from course_utils.diagnosis.exercise import Reading
from course_utils.exercises.note_12.exercise import _cosines

KINDS = [f"{sense} {number}" for sense in ("animal", "team") for number in (1, 2)]
FOUR = [i for sense in ("animal", "sport") for i in np.flatnonzero(np.array(SENSES) == sense)[:2]]
EXERCISE = Reading(
    "which_pair_12",
    "Cosines of four vectors of “bears” after the last block: two from sentences about animals, two"
    " about a team. What do they say?",
    [
        (
            (
                "Every word is nearest to itself, so the model has learned that all four are the"
                " same word."
            ),
            "The diagonal is 1 for any vectors at all. What the model knows stands beside it.",
        ),
        (
            "Vectors of one meaning are nearer to each other than to those of the other meaning.",
            (
                f"the two animals have {_cosines(1)[FOUR[0], FOUR[1]]:.2f}, the two teams"
                f" {_cosines(1)[FOUR[2], FOUR[3]]:.2f}; across, it is"
                f" {_cosines(1)[np.ix_(FOUR[:2], FOUR[2:])].max():.2f} at most."
            ),
        ),
        (
            "The four words attend to each other, the two animals most, as the rows show.",
            (
                "These are no weights: rows do not sum to 1, and the four come from four sentences"
                " that never meet."
            ),
        ),
        (
            "The two meanings are opposites, since their cosines are far below 1.",
            (
                "Opposite would be -1. These are positive: all four still share what it is to be"
                " “bears”, or to be a vector of this model."
            ),
        ),
    ],
    right="B",
    picture=heat(_cosines(1)[np.ix_(FOUR, FOUR)], KINDS, KINDS),
)
