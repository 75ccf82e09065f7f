"""Known misconceptions of `without_dividing`: (name, code, question), and options where there are
some."""

from course_utils.exercises.without_dividing.exercise import without_dividing

TABLE = [
    (
        "nothing changed",
        "W_Q, W_K, rate",
        "The scores start as large as before. Which factor did the division take from them?",
    ),
    (
        "both divided by √d_k",
        """
root = W_Q.shape[1] ** 0.5
return W_Q / root, W_K / root, rate / root
""",
        (
            "A score is a product: what is taken from both factors is taken twice. Now the scores"
            " are √d_k times too small."
        ),
    ),
    (
        "both divided by √d_k, and the rate as before",
        """
root = W_Q.shape[1] ** 0.5
return W_Q / root, W_K / root, rate
""",
        (
            "A score is a product: what is taken from both factors is taken twice. And the steps"
            " have to shrink, too."
        ),
    ),
    (
        "only the queries made smaller",
        """
root = W_Q.shape[1] ** 0.5
return W_Q / root, W_K, rate / root
""",
        (
            "The scores start right. But a small query and a large key do not move alike: share the"
            " factor fairly."
        ),
    ),
    (
        "only the keys made smaller",
        """
root = W_Q.shape[1] ** 0.5
return W_Q, W_K / root, rate / root
""",
        (
            "The scores start right. But a large query and a small key do not move alike: share the"
            " factor fairly."
        ),
    ),
    (
        "only the queries made smaller, and the rate as before",
        "W_Q / W_Q.shape[1] ** 0.5, W_K, rate",
        (
            "The scores start right. Share the factor between both, though: scaled alone, W_Q would"
            " need another rate than W_K, and you have one."
        ),
    ),
    (
        "the rate as before",
        "*without_dividing(W_Q, W_K, rate)[:2], rate",
        (
            "The start is right. But the slopes are larger than those of the divided training, and"
            " the matrices smaller: each step goes too far."
        ),
    ),
    (
        "the rate by the fourth root",
        "*without_dividing(W_Q, W_K, rate)[:2], rate / W_Q.shape[1] ** 0.25",
        (
            "The start is right. The division stood twice in a step: in the slope, and in the score"
            " that the step moves. The smaller matrices give back only half of it."
        ),
    ),
    (
        "the rate by d_k",
        "*without_dividing(W_Q, W_K, rate)[:2], rate / W_Q.shape[1]",
        (
            "The start is right. The steps are too small now. Slopes and matrices both change by"
            " the fourth root of d_k: by how much must a step?"
        ),
    ),
    (
        "the rate made larger",
        "*without_dividing(W_Q, W_K, rate)[:2], rate * W_Q.shape[1] ** 0.5",
        (
            "The start is right. A small matrix moved by larger steps forgets its start at once:"
            " the steps must shrink with it."
        ),
    ),
    (
        "both made larger",
        """
larger = W_Q.shape[1] ** 0.25
return W_Q * larger, W_K * larger, rate / larger**2
""",
        "The scores grow. To do without the division, they have to be small from the start.",
    ),
    (
        "half the root",
        """
root = W_Q.shape[1] ** 0.5
return W_Q / (root / 2), W_K / (root / 2), rate / root
""",
        "Half of √d_k is not what gives √d_k when it is multiplied by itself.",
    ),
    (
        "the number of rows instead of the width",
        """
n = W_Q.shape[0]
return W_Q / n**0.25, W_K / n**0.25, rate / n**0.5
""",
        (
            "A score adds up as many products as W_Q has columns. Its rows are the features that"
            " come in."
        ),
    ),
]
