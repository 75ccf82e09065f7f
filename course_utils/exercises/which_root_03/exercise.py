"""The exercise `which_root_03`."""

from course_utils.diagnosis.exercise import Reading

EXERCISE = Reading(
    "which_root_03",
    "`d_k` is 64. By which number does the line `scores / d_k ** 1/2` divide the scores?",
    options=[
        (
            "by 8",
            (
                "8 is the square root of 64, and `** 0.5` would take it. But `**` comes before `/`:"
                " the power here is 1."
            ),
        ),
        (
            "by 32",
            (
                "That would be `scores / (d_k ** 1 / 2)`. Without brackets Python divides from left"
                " to right."
            ),
        ),
        (
            "by 128",
            (
                "`**` comes first: 64 to the power 1. Then from left to right: divided by 64, then"
                " by 2."
            ),
        ),
        ("by 4096", "That is 64 squared. The power here is 1, and a division by 2 follows."),
    ],
    right="C",
    minutes=2,
    difficulty=2,
)
