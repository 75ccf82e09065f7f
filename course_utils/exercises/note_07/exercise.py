"""The exercise `note_07`."""

from course_utils.diagnosis.exercise import Reading

EXERCISE = Reading(
    "note_07",
    "A lecture note says: “After attention, the feed-forward network combines what the tokens of"
    " the sentence have gathered.” Which sentence mends it?",
    [
        (
            (
                "The feed-forward network combines the tokens that attention has put into the same"
                " head; across heads nothing is exchanged here."
            ),
            (
                "Heads have been merged before it comes. And what it works on is a row, one token,"
                " not a group of them."
            ),
        ),
        (
            (
                "The feed-forward network combines the features of one token with each other; what"
                " other tokens said is in that row already."
            ),
            (
                "change one token, and one row of its output moves. Only attention carries anything"
                " from row to row."
            ),
        ),
        (
            (
                "The feed-forward network combines each token with its skip, so that what was"
                " gathered is added to what had been there before."
            ),
            (
                "The addition is the block's work, around the network. Without any skip the network"
                " would still read one row at a time."
            ),
        ),
        (
            (
                "The feed-forward network combines what the blocks before it have gathered; within"
                " one block the tokens have not met each other."
            ),
            (
                "They have: attention stands in the same block, before it. The network reads what"
                " it left in the stream."
            ),
        ),
    ],
    right="B",
    minutes=4,
)
