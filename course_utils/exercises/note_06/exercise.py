"""The exercise `note_06`."""

from course_utils.diagnosis.exercise import Reading

EXERCISE = Reading(
    "note_06",
    'A lecture note says: "Layer norm gives every feature mean 0 and variance 1, so after it no'
    ' feature can be larger than the others." Which sentence mends it?',
    [
        (
            (
                "Layer norm gives every feature of the batch mean 0; only its variance is left as"
                " it was, so large features stay large."
            ),
            (
                "A feature is a column, and layer norm never looks down a column: neither its mean"
                " nor its variance is set."
            ),
        ),
        (
            (
                "Layer norm gives every token mean 0 and variance 1 over its features; a large"
                " feature stays the largest of its token."
            ),
            (
                "it works along the row. Each token is shifted and stretched as a whole, which"
                " keeps the order of its features: a feature a hundred times as large stays the"
                " largest, and makes the others of the token small."
            ),
        ),
        (
            (
                "Layer norm gives every token length 1, so a feature can be as large as another one"
                " only if both of them are below 1."
            ),
            (
                "Variance 1 over D features means squares that sum to D: a length of √D, not 1. And"
                " nothing keeps two features from being equal."
            ),
        ),
        (
            (
                "For a trained model the note is right, because γ and β have then learned to bring"
                " every feature to the same size."
            ),
            (
                "γ and β are free: training may as well make one feature large. What the formula"
                " itself sets are rows, not columns."
            ),
        ),
    ],
    right="B",
    minutes=4,
)
