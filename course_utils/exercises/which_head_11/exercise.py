"""The exercise `which_head_11`."""

import numpy as np

from course_utils.attention import causal_mask, softmax
from course_utils.cards.look import heat
from course_utils.diagnosis.exercise import Reading

READ_WORDS = ["the", "dogs", "near", "the", "cat"]
READ_SCORES = np.array(
    [[0, 0, 0, 0, 0], [1, 0, 0, 0, 0], [0, 3, 0, 0, 0], [0, 1, 2, 0, 0], [0, 3.2, 0, 0.5, 1]]
)
READ_HEADS = softmax(np.where(causal_mask(5), READ_SCORES, -np.inf))
EXERCISE = Reading(
    "which_head_11",
    "Suppose a model reads “the dogs near the cat”, and these are the weights of one head: a row"
    " asks, a column answers. The next word is a verb. What can be said?",
    [
        (
            (
                "This head chooses the verb's number: without it the model would say the singular,"
                " that of “cat”."
            ),
            (
                "That is a guess about what would happen without it. Only taking the head away,"
                " alone and together with others, measures it."
            ),
        ),
        (
            (
                "From the last word this head looks at the subject; whether the verb depends on it"
                " must be measured."
            ),
            (
                f"“cat” gives “dogs” {READ_HEADS[4, 1]:.2f}. Looking is not mattering: another head"
                " may do the same work, or the value it carries may say nothing of number."
            ),
        ),
        (
            (
                "This head looks at the word before: each word gives the most to its left"
                " neighbour, so it helps little."
            ),
            (
                "Other rows do, the last one does not: “cat” gives its neighbour"
                f" {READ_HEADS[4, 3]:.2f} and “dogs” {READ_HEADS[4, 1]:.2f}."
            ),
        ),
        (
            (
                "The mask fails here: “the” in the first row gives all its weight to itself, and"
                " none to the others."
            ),
            "That is the mask at work: the first word may see nobody else yet.",
        ),
    ],
    right="B",
    difficulty=2,
    picture=heat(READ_HEADS, READ_WORDS, READ_WORDS),
)
