"""Known misconceptions of `merge_heads`: (name, code, question), and options where there are
some."""

import numpy as np

from course_utils import attention as course


def taking_turns(X):
    return X.transpose(1, 2, 0).reshape(X.shape[1], -1)


TABLE = [
    (
        "merged without the transpose",
        """
H, T, d = X.shape
return X.reshape(T, H * d)
""",
        (
            "reshape fills row after row, so a row gets pieces of several tokens. Put the token"
            " axis first, then merge."
        ),
    ),
    (
        "heads averaged",
        "X.mean(axis=0)",
        "An average throws away what makes heads different. Lay them side by side.",
    ),
    (
        "heads added",
        "X.sum(axis=0)",
        (
            "A sum throws away what makes heads different. Lay them side by side; W_O does the"
            " adding, each head by its own matrix."
        ),
    ),
    (
        "heads below each other",
        "np.concatenate(list(X), axis=0)",
        (
            "Here the table has H times as many rows. Heads stand side by side: each token keeps"
            " one row."
        ),
    ),
    (
        "features interleaved",
        taking_turns,
        "A token's row holds all of head 0, then all of head 1. Here their features take turns.",
    ),
    (
        "not merged yet",
        "X.transpose(1, 0, 2)",
        "The tokens stand first, but the heads are still apart: (T, H, d). One step is left.",
    ),
    (
        "one row a head",
        "X.reshape(len(X), -1)",
        "Each head became one long row. Each token should: (T, H * d).",
    ),
    (
        "tokens as columns",
        "course.merge_heads(X).T",
        "The numbers are right, but each token is a column. Tokens are rows.",
    ),
    (
        "all three axes turned round",
        """
H, T, d = X.shape
return X.T.reshape(T, H * d)
""",
        "`.T` of three axes turns all of them round. Only two should change places.",
    ),
    (
        "features before heads",
        """
H, T, d = X.shape
return X.transpose(0, 2, 1).reshape(T, H * d)
""",
        (
            "The last two axes changed places, so features and tokens get mixed. Heads and tokens "
            "should change places."
        ),
    ),
    (
        "the first head only",
        "X[0]",
        "Only the first head came back. All of them stand side by side.",
    ),
    (
        "one long row",
        "X.reshape(-1)",
        "Everything became one row. Each token keeps a row of its own: (T, H * d).",
    ),
    (
        "slices that overlap",
        """
H, T, d = X.shape
merged = np.zeros((T, H * d))
for h in range(H):
    merged[:, h:h + d] = X[h]
return merged
""",
        (
            "Each head was put only one column after the one before, and covers most of it. Head h "
            "begins after the h * d columns of the others."
        ),
    ),
    (
        "the first two heads only",
        "np.hstack([X[0], X[1]])",
        "Two heads stand side by side, however many came. All of them do.",
    ),
    (
        "heads in reverse order",
        "course.merge_heads(X[::-1])",
        "The last head stands first. Head 0 has the first d columns.",
    ),
    (
        "features first",
        """
H, T, d = X.shape
return X.transpose(2, 0, 1).reshape(T, H * d)
""",
        (
            "The features were brought to the front, so a row gets pieces of several tokens. The "
            "tokens belong there."
        ),
    ),
    ("heads multiplied", "X.prod(axis=0)", "The heads were multiplied. Lay them side by side."),
    (
        "the largest of the heads",
        "X.max(axis=0)",
        "Of each number the largest head was kept. Lay them side by side: nothing is thrown away.",
    ),
    (
        "the first head again and again",
        "np.hstack([X[0]] * len(X))",
        "Every place holds the first head. Each head has columns of its own.",
    ),
]
