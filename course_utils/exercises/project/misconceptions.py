"""Known misconceptions of `project`: (name, code, question), and options where there are some."""

import numpy as np

from course_utils.attention import softmax

TABLE = [
    (
        "W times X",
        "W_Q @ X, W_K @ X, W_V @ X",
        (
            "Tokens are rows, so W belongs on the other side. Where W stands now, it mixes tokens"
            " instead of features."
        ),
    ),
    (
        "matrix transposed",
        "X @ W_Q.T, X @ W_K.T, X @ W_V.T",
        (
            "W has a row for each feature that goes in and a column for each feature that comes"
            " out. W needs no transpose."
        ),
    ),
    (
        "X transposed",
        "X.T @ W_Q, X.T @ W_K, X.T @ W_V",
        (
            "Tokens are already the rows of X. With X transposed, features are multiplied as if"
            " they were tokens."
        ),
    ),
    (
        "tokens as columns",
        "(X @ W_Q).T, (X @ W_K).T, (X @ W_V).T",
        "The numbers are right, but each token is a column. Tokens must be rows, as in X.",
    ),
    (
        "X * W",
        "X * W_Q, X * W_K, X * W_V",
        "`*` multiplies number by number. A projection is a matrix product.",
    ),
    (
        "queries and keys swapped",
        "X @ W_K, X @ W_Q, X @ W_V",
        "The first result must be Q, and the second must be K.",
    ),
    (
        "keys and values swapped",
        "X @ W_Q, X @ W_V, X @ W_K",
        "The second result must be K, and the third must be V.",
    ),
    (
        "queries and values swapped",
        "X @ W_V, X @ W_K, X @ W_Q",
        "The first result must be Q, and the third must be V.",
    ),
    (
        "one matrix for all three",
        "X @ W_Q, X @ W_Q, X @ W_Q",
        "Asking, answering and sending are three jobs. Each job has its own matrix.",
    ),
    (
        "one matrix for queries and keys",
        "X @ W_Q, X @ W_Q, X @ W_V",
        (
            "With one matrix, a token asks and answers with the same vector again. Keys have"
            " their own matrix."
        ),
    ),
    (
        "one matrix for keys and values",
        "X @ W_Q, X @ W_K, X @ W_K",
        "Answering and sending are two jobs. Values have their own matrix.",
    ),
    (
        "queries not projected",
        "X, X @ W_K, X @ W_V",
        "A token's query is not the token itself. Queries have a matrix, too.",
    ),
    (
        "keys not projected",
        "X @ W_Q, X, X @ W_V",
        "A token's key is not the token itself. Keys have a matrix, too.",
    ),
    (
        "values not projected",
        "X @ W_Q, X @ W_K, X",
        "A token's value is not the token itself. Values have a matrix, too.",
    ),
    (
        "nothing projected",
        "X, X, X",
        "X comes back three times. Each job has a matrix, and your code uses no matrix.",
    ),
    (
        "one after the other",
        "X @ W_Q, X @ W_Q @ W_K, X @ W_Q @ W_K @ W_V",
        (
            "Here keys are made from queries, and values are made from keys. All three must be"
            " made from X."
        ),
    ),
    (
        "one table of all three",
        "np.hstack([X @ W_Q, X @ W_K, X @ W_V])",
        "Q, K and V came back as one table. Return three tables: `return Q, K, V`.",
    ),
    (
        "only the queries",
        "X @ W_Q",
        "Only Q came back. Return three tables: queries, keys and values.",
    ),
    (
        "softmax on top",
        "softmax(X @ W_Q), softmax(X @ W_K), softmax(X @ W_V)",
        (
            "Softmax turns scores into weights. Queries, keys and values are not weights: leave"
            " the projections as they are."
        ),
    ),
    (
        "ReLU on top",
        "np.maximum(0, X @ W_Q), np.maximum(0, X @ W_K), np.maximum(0, X @ W_V)",
        "Negative numbers became 0. A projection is only a matrix product.",
    ),
    (
        "X added",
        "X + X @ W_Q, X + X @ W_K, X + X @ W_V",
        "X itself was added to the projections. Queries, keys and values are only the products.",
    ),
    (
        "one matrix for queries and values",
        "X @ W_Q, X @ W_K, X @ W_Q",
        "Asking and sending are two jobs. Values have their own matrix.",
    ),
    (
        "scaled already",
        "tuple(X @ W / np.sqrt(W.shape[1]) for W in (W_Q, W_K, W_V))",
        (
            "Your code divides by a root. Notebook 03 gives the reason. Leave the projections as"
            " they are here."
        ),
    ),
    (
        "keys already transposed",
        "X @ W_Q, (X @ W_K).T, X @ W_V",
        (
            "The transpose belongs to the scores, which come next. Keys have a row for each"
            " token, like queries and values."
        ),
    ),
    (
        "the attention already",
        "softmax(X @ W_Q @ (X @ W_K).T) @ (X @ W_V)",
        "Your code computes the whole attention already. Return only queries, keys and values.",
    ),
]
