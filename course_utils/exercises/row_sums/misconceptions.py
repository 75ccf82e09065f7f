"""Known misconceptions of `row_sums`: (name, code, question), and options where there are some."""

import numpy as np

TABLE = [
    (
        "columns instead of rows",
        "A.sum(axis=0)",
        (
            "axis=0 runs down the rows and leaves one sum for each column. Which axis runs along a"
            " row?"
        ),
    ),
    (
        "one sum of everything",
        "A.sum()",
        "Without an axis, sum adds all numbers of the table. Say along which axis to add.",
    ),
    (
        "mean instead of sum",
        "A.mean(axis=-1)",
        "A mean divides by how many there are. Here the sum itself is asked.",
    ),
    (
        "a column instead of a list",
        "A.sum(axis=-1, keepdims=True)",
        "This is a table of one column, (T, 1). Asked is one number a row, (T,).",
    ),
    (
        "the largest instead of the sum",
        "A.max(axis=-1)",
        "This is the largest number of each row. Here all numbers of a row are added.",
    ),
    (
        "sums on the way",
        "A.cumsum(axis=-1)",
        "These are the sums on the way, a whole row of them for each row. Asked is only the last.",
    ),
    (
        "the first row only",
        "A[0].sum()",
        "Only the sum of the first row comes back. Does the `return` stand inside the loop?",
    ),
    (
        "the last row only",
        "A[-1].sum()",
        "Only the sum of the last row is left. A loop that keeps them all has a place for each.",
    ),
    (
        "squares added",
        "(A**2).sum(axis=-1)",
        (
            "Each number was multiplied by itself before adding. Here the numbers are added as they"
            " are."
        ),
    ),
    (
        "the total not set back to 0",
        "A.sum(axis=-1).cumsum()",
        "Each sum goes on from the one before. Every row begins with 0 again.",
    ),
    (
        "only the last number of each row",
        "A[:, -1]",
        (
            "The last number of each row is left: it took the place of what was there. A sum adds"
            " to what is there."
        ),
    ),
    (
        "only the first number of each row",
        "A[:, 0]",
        "Only the first number of each row entered. Does the loop along a row end too early?",
    ),
    (
        "the last number of each row left out",
        "A[:, :-1].sum(axis=-1)",
        "The loop stops one number early. A range ends before its last number.",
    ),
    (
        "the first number of each row left out",
        "A[:, 1:].sum(axis=-1)",
        "The loop begins one number late. Python counts from 0.",
    ),
    (
        "means of the columns",
        "A.mean(axis=0)",
        "These are means, and they run down the columns. Asked are sums along the rows.",
    ),
    (
        "products instead of sums",
        "A.prod(axis=-1)",
        "The numbers of a row were multiplied. Here they are added.",
    ),
    (
        "absolute values added",
        "np.abs(A).sum(axis=-1)",
        "A negative number was added as a positive one. The numbers are added as they are.",
    ),
]
