"""The exercise `which_text_15`."""

from course_utils.cards.look import table
from course_utils.diagnosis.exercise import Reading

PIECES = [
    "[user] What do bears do in winter? [end]",
    "[assistant] They sleep. [end]",
    "[user] And what do they eat before? [end]",
    "[assistant]",
]
ROWS = [[str(number), piece] for number, piece in enumerate(PIECES, 1)]
EXERCISE = Reading(
    "which_text_15",
    "A chat of two questions; the first was answered. In the table are the pieces that come after "
    "the system prompt, in order. `[user]`, `[assistant]` and `[end]` stand for the signs of the "
    "form. Which pieces does the model read before it answers the second question?",
    [
        (
            "3 and 4: the new question, and the sign that opens the answer",
            (
                'Then nobody could tell it who "they" are. The model keeps nothing of what it read'
                " and said before."
            ),
        ),
        (
            "1, 3 and 4: all that was asked, and the sign that opens the answer",
            (
                'Its own answers are no more kept in it than your questions. Without them "What did'
                ' you just say?" has no answer.'
            ),
        ),
        (
            "1, 2 and 3: all that was asked and answered, in its order",
            (
                "All that was said is here. But the form does not yet say whose turn it is: the"
                " model may go on with another question."
            ),
        ),
        (
            "1, 2, 3 and 4: all that was said, and the sign for the answer",
            "all that was said, by both, and the sign after which the model learned to answer.",
        ),
    ],
    right="D",
    picture=table(ROWS, ["piece", "text"]),
    minutes=2,
    difficulty=1,
)
