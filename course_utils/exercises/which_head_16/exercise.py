"""The exercise `which_head_16`."""

from course_utils.cards.look import table
from course_utils.diagnosis.exercise import Reading

EXERCISE = Reading(
    "which_head_16",
    "Heads A to D of another model were silenced one by one. The table gives what a text's words"
    " then cost on average. Which head copies?",
    [
        (
            (
                "Head A: without it everything becomes worse, so it must be the most important one"
                " for copying."
            ),
            "Without A plain text suffers as much. It does something that every text needs.",
        ),
        (
            "Head B: only the second copy becomes worse, and plain text stays as it was.",
            (
                "this is what a head that copies leaves behind: repeated words are no longer"
                " predicted, and all else is."
            ),
        ),
        (
            "Head C: without it the second copy becomes better, so it must take part in copying.",
            "It stood in the way a little. A head that copies would be missed.",
        ),
        (
            "Head D: nothing changes, so the model copies by it so well that it needs no other.",
            (
                "What nothing misses is not needed, or another one steps in. The table does not say"
                " which."
            ),
        ),
    ],
    right="B",
    picture=table(
        [
            ["none", "3.1", "0.6"],
            ["A", "5.2", "2.9"],
            ["B", "3.1", "4.8"],
            ["C", "3.2", "0.5"],
            ["D", "3.1", "0.6"],
        ],
        ["silenced", "plain text", "second copy"],
    ),
    minutes=3,
    difficulty=1,
)
