"""The exercise `which_shape_02`."""

from course_utils.diagnosis.exercise import Reading

EXERCISE = Reading(
    "which_shape_02",
    "`X` (2, 8) asks and `context` (5, 6) answers. `W_Q` is (8, 3), `W_K` (6, 3), `W_V` (6, 4)."
    " What are the shapes of the weights and the output?",
    options=[
        (
            "weights (5, 2), output (5, 4)",
            "Rows ask. With these shapes the context would ask and X would answer.",
        ),
        (
            "weights (2, 5), output (2, 4)",
            "Two queries score five keys. Each query gets an average of values of width 4.",
        ),
        (
            "weights (2, 5), output (2, 8)",
            (
                "The weights are right. But the output is an average of values, and W_V gives"
                " values the width 4, for any width of X."
            ),
        ),
        (
            "weights (3, 3), output (3, 4)",
            (
                "3 is the width of a query and a key, and the dot product sums over it. The rows"
                " and columns of the weights are tokens."
            ),
        ),
    ],
    right="B",
    minutes=2,
    difficulty=2,
)
