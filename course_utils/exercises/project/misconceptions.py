"""Known misconceptions of `project`: (name, code, question), and options where there are some."""

import numpy as np

from course_utils.attention import softmax

TABLE = [
    (
        "W times X",
        "W_Q @ X, W_K @ X, W_V @ X",
        (
            "Tokens are rows, so W belongs on the other side: where it stands now it mixes tokens "
            "instead of features."
        ),
    ),
    (
        "matrix transposed",
        "X @ W_Q.T, X @ W_K.T, X @ W_V.T",
        (
            "W has a row for each feature that goes in and a column for each that comes out. It"
            " needs no transpose."
        ),
    ),
    (
        "X transposed",
        "X.T @ W_Q, X.T @ W_K, X.T @ W_V",
        (
            "Tokens are the rows of X already. Transposed, its features would be multiplied as if"
            " they were tokens."
        ),
    ),
    (
        "tokens as columns",
        "(X @ W_Q).T, (X @ W_K).T, (X @ W_V).T",
        "The numbers are right, but each token is a column. Tokens are rows, here as in X.",
    ),
    (
        "X * W",
        "X * W_Q, X * W_K, X * W_V",
        "`*` multiplies number by number. A projection is a matrix product.",
    ),
    (
        "queries and keys swapped",
        "X @ W_K, X @ W_Q, X @ W_V",
        "The first thing to give back is Q, the second is K.",
    ),
    (
        "keys and values swapped",
        "X @ W_Q, X @ W_V, X @ W_K",
        "The second thing to give back is K, the third is V.",
    ),
    (
        "queries and values swapped",
        "X @ W_V, X @ W_K, X @ W_Q",
        "The first thing to give back is Q, the third is V.",
    ),
    (
        "one matrix for all three",
        "X @ W_Q, X @ W_Q, X @ W_Q",
        "Asking, answering and sending are three jobs with a matrix each.",
    ),
    (
        "one matrix for queries and keys",
        "X @ W_Q, X @ W_Q, X @ W_V",
        "With one matrix, asking and answering would be the same again. Keys have their own.",
    ),
    (
        "one matrix for keys and values",
        "X @ W_Q, X @ W_K, X @ W_K",
        (
            "What a token answers to and what it sends are two jobs. Values have a matrix of their"
            " own."
        ),
    ),
    (
        "queries not projected",
        "X, X @ W_K, X @ W_V",
        "What a token asks is not simply what it is: queries have a matrix, too.",
    ),
    (
        "keys not projected",
        "X @ W_Q, X, X @ W_V",
        "What a token answers to is not simply what it is: keys have a matrix, too.",
    ),
    (
        "values not projected",
        "X @ W_Q, X @ W_K, X",
        "What a token sends is not simply what it is: values have a matrix, too.",
    ),
    (
        "nothing projected",
        "X, X, X",
        "X comes back three times. Each job has a matrix, and none of them is used.",
    ),
    (
        "one after the other",
        "X @ W_Q, X @ W_Q @ W_K, X @ W_Q @ W_K @ W_V",
        "Keys are made of queries here, and values of keys. All three are made of X.",
    ),
    (
        "one table of all three",
        "np.hstack([X @ W_Q, X @ W_K, X @ W_V])",
        "Q, K and V came as one table. Asked are three, one beside the other: `return Q, K, V`.",
    ),
    (
        "only the queries",
        "X @ W_Q",
        "Only Q came back. Asked are three tables: queries, keys and values.",
    ),
    (
        "softmax on top",
        "softmax(X @ W_Q), softmax(X @ W_K), softmax(X @ W_V)",
        (
            "Softmax makes shares of scores. Queries, keys and values are no shares: they come out"
            " of the projection as they are."
        ),
    ),
    (
        "ReLU on top",
        "np.maximum(0, X @ W_Q), np.maximum(0, X @ W_K), np.maximum(0, X @ W_V)",
        "Negative numbers were cut off. A projection is a matrix product alone.",
    ),
    (
        "X added",
        "X + X @ W_Q, X + X @ W_K, X + X @ W_V",
        "X itself was added to the projections. Queries, keys and values are the products alone.",
    ),
    (
        "one matrix for queries and values",
        "X @ W_Q, X @ W_K, X @ W_Q",
        "What a token asks and what it sends are two jobs. Values have a matrix of their own.",
    ),
    (
        "scaled already",
        "tuple(X @ W / np.sqrt(W.shape[1]) for W in (W_Q, W_K, W_V))",
        (
            "There is a division by a root. Its reason comes in notebook 03; projections stay as"
            " they are."
        ),
    ),
    (
        "keys already transposed",
        "X @ W_Q, (X @ W_K).T, X @ W_V",
        (
            "The transpose belongs to the scores, which come next. Keys have a row for each token,"
            " as queries and values have."
        ),
    ),
    (
        "the attention already",
        "softmax(X @ W_Q @ (X @ W_K).T) @ (X @ W_V)",
        "Queries, keys and values went into an attention already. Asked are the three of them.",
    ),
]
