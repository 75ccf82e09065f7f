"""Known misconceptions of `split_heads`: (name, code, question), and options where there are
some."""

import numpy as np

from course_utils import attention as course


def interleaved(X, n_heads):
    return X.reshape(len(X), -1, n_heads).transpose(2, 0, 1)


TABLE = [
    (
        "reshaped without a transpose",
        "X.reshape(n_heads, len(X), -1)",
        (
            "reshape fills row after row, so heads and tokens get mixed. Split the features first, "
            "then bring the heads to the front."
        ),
    ),
    (
        "heads split over tokens",
        "np.stack(np.split(X, n_heads))",
        (
            "Here each head gets some of the tokens. Every head sees all tokens, and some of the "
            "features."
        ),
    ),
    (
        "heads in the middle",
        "X.reshape(len(X), n_heads, -1)",
        (
            "The features are split, but the axes stand as (T, H, d). Bring the heads to the front:"
            " (H, T, d)."
        ),
    ),
    (
        "every second feature",
        interleaved,
        "Head 0 gets the first d features, not every H-th of them.",
    ),
    (
        "tokens and features swapped",
        "X.T.reshape(n_heads, -1, len(X))",
        "Each head should be (T, d), tokens as rows. Here it is (d, T).",
    ),
    (
        "all three axes turned round",
        "X.reshape(len(X), n_heads, -1).T",
        "`.T` of three axes turns all of them round. Only two should change places.",
    ),
    (
        "the number of heads as their width",
        "X.reshape(len(X), -1, n_heads).transpose(1, 0, 2)",
        "Each piece is as wide as there are heads. There should be H pieces, each D / H wide.",
    ),
    (
        "reshaped, then turned",
        "X.reshape(n_heads, len(X), -1).transpose(1, 0, 2)",
        (
            "The axes are in order only after the second step; the first one has mixed tokens and "
            "features already. Which shape keeps each row together?"
        ),
    ),
    (
        "all features in each head",
        "np.stack([X] * n_heads)",
        (
            "Each head got a copy of everything. The features are shared out: each head gets some"
            " of them."
        ),
    ),
    (
        "the first head only",
        "X[:, :X.shape[1] // n_heads]",
        "Only the first head came back. Asked are all of them, one below the other: (H, T, d).",
    ),
    (
        "heads in reverse order",
        "course.split_heads(X, n_heads)[::-1]",
        "The last features became head 0. Head 0 gets the first d of them.",
    ),
    (
        "heads below each other",
        "np.concatenate(np.split(X, n_heads, axis=1))",
        (
            "The pieces are right, but glued into one table. Heads are tables of their own, one"
            " behind the other: (H, T, d)."
        ),
    ),
    (
        "slices that overlap",
        """
d = X.shape[1] // n_heads
return np.stack([X[:, h:h + d] for h in range(n_heads)])
""",
        (
            "Each slice begins only one feature after the one before. Head h begins where the d "
            "features of the heads before it end."
        ),
    ),
    (
        "the same head again and again",
        "np.stack([X[:, :X.shape[1] // n_heads]] * n_heads)",
        "Every head got the first d features. Each head gets features of its own.",
    ),
    (
        "the axes asked of reshape alone",
        "X.reshape(n_heads, -1, len(X))",
        (
            "reshape fills row after row, whatever the sizes are called. It does not turn anything:"
            " (H, d, T) is not what it makes."
        ),
    ),
    (
        "rows taken for features",
        "np.stack([X[h::n_heads] for h in range(n_heads)])",
        (
            "The first axis of X counts tokens. What is shared out among the heads are the"
            " features, the second."
        ),
    ),
]
