"""The exercise `which_run_11`."""

from course_utils.cards.look import table
from course_utils.diagnosis.exercise import Reading

READ_LOSSES = [("A", 1.28, 1.31), ("B", 0.41, 2.96), ("C", 2.10, 2.12)]
EXERCISE = Reading(
    "which_run_11",
    "Suppose that a language has an entropy of 1.25 nats a word. Three models read some of its"
    " sentences in training; below is their mean surprise on these and on new ones. Which is true?",
    [
        (
            (
                "A is best: on new sentences its surprise is nearest to the entropy, and none beats"
                " that."
            ),
            (
                "1.31 against 1.25: it has learned the rules. No reader of new sentences, not even"
                " one who knows all the rules, pays less than the entropy on average."
            ),
        ),
        (
            (
                "B is best: no other surprise in the table is as small as 0.41, which is far below"
                " the entropy, too."
            ),
            (
                "Below the entropy it knows more than the rules: it remembers the very sentences."
                " On new ones it pays 2.96."
            ),
        ),
        (
            (
                "C is best: its two numbers are nearest to each other, so it has learned the rules"
                " and no more."
            ),
            (
                "It has learned few of them: 2.12 is far from 1.25. Both numbers agree: this says"
                " only that nothing was learned by heart."
            ),
        ),
        (
            (
                "None can be right: a surprise must lie above the entropy on any sentences, and"
                " 0.41 does not."
            ),
            (
                "The entropy bounds the mean over new sentences. Known ones may cost less: whoever"
                " knows a text by heart is not surprised by it."
            ),
        ),
    ],
    right="A",
    difficulty=2,
    picture=table(READ_LOSSES, ["model", "training", "new"]),
)
