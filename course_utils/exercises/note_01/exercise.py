"""The exercise `note_01`."""

import numpy as np

from course_utils import attention as course
from course_utils.cards.look import heat
from course_utils.data import SENTENCES, embed
from course_utils.diagnosis.exercise import Reading


def _weights(tokens):
    X = embed(tokens)
    return course.softmax(X @ X.T)


SPORT = SENTENCES["sport"]
SPORT_WEIGHTS, THE = _weights(SPORT), SPORT.index("the")
THE_LENGTH, BEARS_LENGTH = (np.linalg.norm(embed([word])) for word in ("the", "bears"))
EXERCISE = Reading(
    "note_01",
    "A lecture note says: “The dot product measures how similar two words are, so a word always"
    " gives its largest weight to itself.” Below are the weights of “bears won the game”: a row"
    " asks, a column answers. Which sentence mends the note?",
    options=[
        (
            (
                "The dot product measures how similar two words are, so a word gives most to the"
                " word whose vector has the most similar direction."
            ),
            (
                "The row of “the” contradicts it. No vector has a more similar direction than"
                f" “the” itself, but “bears” gets {SPORT_WEIGHTS[THE, 0]:.2f} and “the”"
                f" {SPORT_WEIGHTS[THE, THE]:.2f}. The direction is only half of a dot product."
            ),
        ),
        (
            (
                "The dot product grows with the lengths of both vectors, too, so a short word may"
                " give more to a longer neighbour."
            ),
            (
                f"x·y is |x| |y| cos(angle). “the” has length {THE_LENGTH:.2f}, “bears”"
                f" {BEARS_LENGTH:.2f}: the longer vector wins, even at an angle."
            ),
        ),
        (
            (
                "The dot product of a word with itself is the largest, but softmax mixes the row,"
                " so the largest weight may go to a neighbour."
            ),
            (
                "Softmax keeps the order: the largest score of a row becomes its largest weight. So"
                " the score of “the” with itself was not the largest."
            ),
        ),
        (
            (
                "The dot product counts how often a word occurs, so frequent words such as “the”"
                " give their weight to rarer words."
            ),
            (
                "No number here counts how often a word occurs. All that enters are the numbers of"
                " the two vectors."
            ),
        ),
    ],
    right="B",
    minutes=4,
    difficulty=2,
    picture=heat(SPORT_WEIGHTS, SPORT, SPORT),
)
