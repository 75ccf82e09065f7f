"""Known misconceptions of `matrix_slopes`: (name, code, question), and options where there are
some."""

import numpy as np

TABLE = [
    (
        "the two in the wrong order",
        "X.T @ dY, dY @ W.T",
        "Both are right. First come the slopes of X, then those of W.",
    ),
    (
        "W not transposed",
        "dY @ W, X.T @ dY",
        (
            "W led from X to Y. The way back goes through it from the other side: its columns"
            " become rows."
        ),
    ),
    (
        "X not transposed",
        "dY @ W.T, X @ dY",
        (
            "A number of W meets a whole column of X, one number a row. To sum over the rows, X"
            " must be turned."
        ),
    ),
    (
        "neither transposed",
        "dY @ W, X @ dY",
        "W and X stand as they did on the way forward. On the way back each of them is turned.",
    ),
    (
        "W on the wrong side",
        "W.T @ dY, X.T @ dY",
        (
            "Here W mixes the rows of dY. Each goes back by itself: W stands on the right, as on"
            " the way forward."
        ),
    ),
    (
        "X on the wrong side",
        "dY @ W.T, dY @ X.T",
        (
            "Here X mixes the columns of dY. X stood on the left on the way forward, and does so on"
            " the way back."
        ),
    ),
    (
        "both on the wrong side",
        "W.T @ dY, dY @ X.T",
        "X stood on the left and W on the right on the way forward. They keep their sides.",
    ),
    (
        "X and W mixed up",
        "dY @ X.T, W.T @ dY",
        "The slopes of X go through W, those of W through X. Here it is the other way round.",
    ),
    (
        "dW turned",
        "dY @ W.T, dY.T @ X",
        "The slopes of W are right, but the table is turned. It has the shape of W.",
    ),
    (
        "dX turned",
        "W @ dY.T, X.T @ dY",
        "The slopes of X are right, but the table is turned. It has the shape of X.",
    ),
    (
        "both turned",
        "W @ dY.T, dY.T @ X",
        "Both tables are right but turned. Slopes have the shape of what they belong to.",
    ),
    (
        "Y in place of dY",
        "X @ W @ W.T, X.T @ X @ W",
        "What comes back is the loss's slopes at Y. Here Y itself is sent back.",
    ),
    (
        "dY forgotten",
        "np.ones_like(dY) @ W.T, X.T @ np.ones_like(dY)",
        "Here every number of Y counts 1. How much the loss cares for each of them stands in dY.",
    ),
    (
        "averaged over the rows",
        "dY @ W.T, X.T @ dY / len(X)",
        (
            "The slopes of W are divided by the number of rows. Each row adds its part; an average "
            "would be the loss's business."
        ),
    ),
    (
        "the first row only",
        "dY @ W.T, np.outer(X[0], dY[0])",
        "W is used by every row of X, so every row adds to its slopes. Here only the first does.",
    ),
    (
        "dY * W",
        "dY * W, X * dY",
        (
            "`*` multiplies number by number. On the way back stand matrix products, as on the way "
            "forward."
        ),
    ),
    (
        "the way undone",
        "dY @ np.linalg.pinv(W), np.linalg.pinv(X) @ dY",
        (
            "The inverse would undo the product. A slope is not undone but sent on: it is"
            " multiplied once more."
        ),
    ),
    (
        "sign turned",
        "-dY @ W.T, -X.T @ dY",
        "The sign is turned. That is the direction of a step downhill; asked are the slopes.",
    ),
    (
        "a step taken already",
        "X - dY @ W.T, W - X.T @ dY",
        "Here X and W have been moved. Asked are the slopes alone.",
    ),
    ("only dX", "dY @ W.T", "The slopes of X are right. Asked are those of W as well."),
    (
        "only dW",
        "X.T @ dY",
        "The slopes of W are right. Asked are those of X as well, and before them.",
    ),
    (
        "the product itself",
        "X @ W",
        "This is Y. Asked is the way back: from the slopes at Y to those at X and at W.",
    ),
]
