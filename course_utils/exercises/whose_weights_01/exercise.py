"""The exercise `whose_weights_01`."""

import numpy as np

from course_utils.cards.look import heat
from course_utils.data import embed
from course_utils.diagnosis.exercise import Reading
from course_utils.exercises.note_01.exercise import _weights

UNSEEN = ["the", "bears", "love", "pain"]
UNSEEN_WEIGHTS = _weights(UNSEEN)
MOVED = np.linalg.norm(UNSEEN_WEIGHTS @ embed(UNSEEN) - embed(UNSEEN), axis=1)
EXERCISE = Reading(
    "whose_weights_01",
    "Weights of a sentence that you have not met, “the bears love pain”: a row asks, a column"
    " answers. Attention moves each word. Which word probably moves least, and which moves most?",
    options=[
        (
            "least: “love”; most: “the”",
            (
                "A column says what a word gets from the others. What a word becomes stands in its"
                f" row, and there “pain” keeps more of itself: {UNSEEN_WEIGHTS[3, 3]:.2f} against"
                f" {UNSEEN_WEIGHTS[2, 2]:.2f}."
            ),
        ),
        (
            "least: “pain”; most: “bears”",
            (
                "“bears” gives its largest weight to another word, and still keeps"
                f" {UNSEEN_WEIGHTS[1, 1]:.2f} of itself. One word keeps less."
            ),
        ),
        (
            "least: “the”; most: “pain”",
            (
                f"A large weight on oneself means to stay. “pain” keeps {UNSEEN_WEIGHTS[3, 3]:.2f}"
                f" of itself, “the” only {UNSEEN_WEIGHTS[0, 0]:.2f}."
            ),
        ),
        (
            "least: “pain”; most: “the”",
            (
                f"The diagonal says what each keeps of itself: “pain” {UNSEEN_WEIGHTS[3, 3]:.2f},"
                f" “the” {UNSEEN_WEIGHTS[0, 0]:.2f}. Measured, they move by {MOVED[3]:.2f} and"
                f" {MOVED[0]:.2f}."
            ),
        ),
    ],
    right="D",
    minutes=3,
    difficulty=1,
    picture=heat(UNSEEN_WEIGHTS, UNSEEN, UNSEEN),
)
