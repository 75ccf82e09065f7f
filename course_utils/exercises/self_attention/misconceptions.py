"""Known misconceptions of `self_attention`: (name, code, question), and options where there are
some."""

import numpy as np

from course_utils import attention as course
from course_utils.exercises.self_attention.exercise import LONG

TABLE = [
    (
        "softmax missing",
        "X @ X.T @ X",
        "The scores are used as they are. They must become weights that sum to 1 in each row.",
    ),
    (
        "softmax over queries",
        "course.softmax(X @ X.T, axis=0) @ X",
        (
            "Each token shares out its own attention, so the rows of the weights sum to 1. Here the"
            " columns do. (A forgotten keepdims does that, too, for these scores are the same both"
            " ways.)"
        ),
    ),
    (
        "one softmax for the whole table",
        """
e = np.exp(X @ X.T - (X @ X.T).max())
return e / e.sum() @ X
""",
        "All weights together sum to 1. Each token shares out a whole 1 of its own: row by row.",
    ),
    (
        "features compared instead of tokens",
        "X @ course.softmax(X.T @ X)",
        (
            "This compares the columns of X, its features. Tokens are rows, and the table of scores"
            " is (T, T)."
        ),
    ),
    (
        "X.T @ X for X @ X.T",
        "course.softmax(X.T @ X) @ X",
        (
            "This compares the columns of X, its features. Tokens are rows, and the table of scores"
            " is (T, T)."
        ),
    ),
    (
        "no transpose",
        "course.softmax(X @ X) @ X",
        "A score is the dot product of one row with another. In `@` the second stands as a column.",
    ),
    (
        "A * X",
        "course.softmax(X @ X.T) * X",
        "`*` multiplies number by number. A weighted average of rows is a matrix product.",
    ),
    (
        "X @ A",
        "X @ course.softmax(X @ X.T)",
        (
            "The weights stand on the wrong side, where they mix features. On the left they mix"
            " tokens."
        ),
    ),
    (
        "A @ X.T",
        "course.softmax(X @ X.T) @ X.T",
        "The tokens to be averaged are the rows of X, as they stand. Here they are columns.",
    ),
    (
        "left transposed",
        "(course.softmax(X @ X.T) @ X).T",
        "The numbers are right, but each token is a column. Tokens are rows.",
    ),
    (
        "X + A @ X",
        "X + course.softmax(X @ X.T) @ X",
        (
            "The word itself is added to the average. That comes in notebook 06; here the average "
            "stands alone."
        ),
    ),
    (
        "the softmax at the end",
        "course.softmax(X @ X.T @ X)",
        (
            "Softmax turns scores into weights. Here it is taken of the result, which needs no sum"
            " of 1."
        ),
    ),
    (
        "the softmax of the vectors",
        "course.softmax(X) @ X.T @ X",
        "Softmax was taken of X before the scores. First score, then share out.",
    ),
    (
        "softmax taken twice",
        "course.softmax(course.softmax(X @ X.T)) @ X",
        "The weights went through softmax once more, which flattens them. Once is enough.",
    ),
    (
        "exp missing",
        """
S = X @ X.T
return S / S.sum(axis=-1, keepdims=True) @ X
""",
        "The scores are divided by their sum, without exp. Softmax makes them positive first.",
    ),
    (
        "weights returned",
        "course.softmax(X @ X.T)",
        "These are the weights. One step is left: use them to average the rows of X.",
    ),
    (
        "scores returned",
        "X @ X.T",
        (
            "These are the scores. Two steps are left: make weights of them, and average the rows"
            " of X."
        ),
    ),
    (
        "weights returned as well",
        """
A = course.softmax(X @ X.T)
return A @ X, A
""",
        "The output is right. Asked is the output alone, without the weights.",
    ),
    (
        "scaled too early",
        "course.softmax(X @ X.T / np.sqrt(X.shape[1])) @ X",
        (
            "There is a division by the square root of D. That comes in notebook 03; here the"
            " scores stay as they are."
        ),
    ),
    (
        "divided by D",
        "course.softmax(X @ X.T / X.shape[1]) @ X",
        (
            "There is a division by D. Something like it comes in notebook 03; here the scores stay"
            " as they are."
        ),
    ),
    (
        "cosines in place of dot products",
        """
U = X / np.linalg.norm(X, axis=1, keepdims=True)
return course.softmax(U @ U.T) @ X
""",
        (
            "The vectors were cut to length 1 first. Asked is the plain dot product, in which"
            " length counts."
        ),
    ),
    (
        "the word itself left out",
        """
S = X @ X.T
np.fill_diagonal(S, -np.inf)
return course.softmax(S) @ X
""",
        "A word may give weight to itself, too. Keep the diagonal of the scores.",
    ),
    (
        "only the most similar word",
        "X[(X @ X.T).argmax(axis=1)]",
        "Each word takes over a single other one. Softmax is softer: every word gets a share.",
    ),
    (
        "everyone alike",
        "np.repeat(X.mean(axis=0, keepdims=True), len(X), axis=0)",
        "Every word gets the same weight here. The scores should decide.",
    ),
    (
        "the first word only",
        "(course.softmax(X @ X.T) @ X)[0]",
        "Only the first word's output comes back. Does the `return` stand inside the loop?",
    ),
    (
        "earlier rows overwritten",
        """
X = X.copy()
for i in range(len(X)):
    X[i] = course.softmax(X[i] @ X.T) @ X
return X
""",
        (
            "Later rows look at rows that have moved already: the table is changed while it is"
            " still read. All rows look at the same X."
        ),
    ),
    (
        "not divided by the sum",
        "np.exp(X @ X.T) @ X",
        (
            "exp makes the scores positive. Weights sum to 1 in each row as well: a division is "
            "missing."
        ),
    ),
    (
        "shifted, but not divided by the sum",
        """
S = X @ X.T
return np.exp(S - S.max(axis=-1, keepdims=True)) @ X
""",
        (
            "exp of the shifted scores is positive and at most 1. Weights sum to 1 in each row: a "
            "division is missing."
        ),
    ),
    (
        "only the last word's share",
        "course.softmax(X @ X.T)[:, -1:] * X[-1]",
        (
            "What came last took the place of what was there. An average adds up the shares of all "
            "words."
        ),
    ),
    (
        "the last word left out",
        "course.softmax(X @ X.T)[:, :-1] @ X[:-1]",
        (
            "The sum stops one word early, so each row lacks the last word's share. A range ends "
            "before its last number."
        ),
    ),
    (
        "the first word left out",
        "course.softmax(X @ X.T)[:, 1:] @ X[1:]",
        (
            "The sum begins one word late, so each row lacks the first word's share. Python counts "
            "from 0."
        ),
    ),
    (
        "divided by √T",
        "course.softmax(X @ X.T / np.sqrt(len(X))) @ X",
        (
            "The scores are divided by the root of how many words there are. Here they stay as they"
            " are."
        ),
    ),
    (
        "distances in place of dot products",
        "course.softmax(-np.linalg.norm(X[:, None] - X, axis=-1)) @ X",
        "Words are scored by how far apart they are. Here a score is a dot product.",
    ),
    (
        "squared distances in place of dot products",
        "course.softmax(-((X[:, None] - X) ** 2).sum(axis=-1)) @ X",
        "Words are scored by how far apart they are. Here a score is a dot product.",
    ),
    (
        "only what came before",
        "course.scaled_dot_product_attention(X, X, X, course.causal_mask(len(X)), scale=1)[0]",
        (
            "Each word sees only itself and what came before it. That is a mask, of notebook 04;"
            " here all see all."
        ),
    ),
    (
        "no max-subtraction",
        """
e = np.exp(X @ X.T)
return e / e.sum(axis=-1, keepdims=True) @ X
""",
        "exp of a large score overflows and gives NaN. Use a softmax that shifts each row first.",
        {"trap": LONG},
    ),
]
