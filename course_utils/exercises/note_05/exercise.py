"""The exercise `note_05`."""

from course_utils.cards.look import table
from course_utils.diagnosis.exercise import Reading

COUNTED = {
    H: (4 * 64 * 64, H * 512 * 512) for H in (1, 8)
}  # parameters, weights of attention, at D = 64 and T = 512
EXERCISE = Reading(
    "note_05",
    "A lecture note says: “Eight heads let a layer store eight times as many weights, one table for"
    " each head, at no extra cost.” Below is what was counted for 64 features and a text of 512"
    " tokens. Which sentence mends the note?",
    options=[
        (
            (
                "Eight heads keep the number of parameters, but hold eight tables of attention"
                " weights, which cost memory."
            ),
            (
                f"The matrices are cut, not added: {COUNTED[8][0]:,} parameters either way. The"
                f" tables are {COUNTED[8][1]:,} numbers instead of {COUNTED[1][1]:,}, and each of"
                " them goes through exp."
            ),
        ),
        (
            (
                "Eight heads have eight times as many parameters, and so they store more, which"
                " costs time in every training step."
            ),
            (
                "The parameters are the same. Each head has an eighth of the columns of W_Q, W_K"
                " and W_V."
            ),
        ),
        (
            (
                "Eight heads keep the number of parameters and of attention weights, since each of"
                " the heads is an eighth as wide."
            ),
            (
                "Width is saved in the matrices. A table of weights has T rows and T columns,"
                " however narrow its head is."
            ),
        ),
        (
            (
                "Eight heads share one table of attention weights, so they cost the same and differ"
                " in what they send only."
            ),
            (
                "Each head has queries and keys of its own, and so a table of its own: that is what"
                " heads are for."
            ),
        ),
    ],
    right="A",
    minutes=4,
    difficulty=2,
    picture=table(
        [
            (str(H), f"{parameters:,}", f"{weights:,}")
            for H, (parameters, weights) in COUNTED.items()
        ],
        ["heads", "parameters", "attention weights"],
    ),
)
