"""The exercise `which_shape_02`."""

from course_utils.diagnosis.exercise import Reading

EXERCISE = Reading(
    "which_shape_02",
    "`X` (2, 8) asks and `context` (5, 6) answers. `W_Q` is (8, 3), `W_K` (6, 3), `W_V` (6, 4)."
    " Which shapes have the weights and the output?",
    options=[
        (
            "weights (5, 2), output (5, 4)",
            "Rows are those who ask. Here the context would ask and X answer.",
        ),
        (
            "weights (2, 5), output (2, 4)",
            "Two queries score five keys; each gets an average of values, which are 4 wide.",
        ),
        (
            "weights (2, 5), output (2, 8)",
            (
                "The weights are right. What is averaged are values, and W_V made them 4 wide,"
                " whatever X was."
            ),
        ),
        (
            "weights (3, 3), output (3, 4)",
            (
                "3 is the width of a query and a key. The dot product sums over it: tokens meet"
                " tokens here."
            ),
        ),
    ],
    right="B",
    minutes=2,
    difficulty=2,
)
