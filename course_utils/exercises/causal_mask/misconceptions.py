"""Known misconceptions of `causal_mask`: (name, code, question), and options where there are
some."""

import numpy as np

TABLE = [
    (
        "strict mask",
        "np.tri(T, k=-1, dtype=bool)",
        "A token may attend to itself. Without its own place the first row has nothing at all.",
    ),
    (
        "inverted mask",
        "~np.tri(T, dtype=bool)",
        "In this course True means: may attend. Your True marks what is hidden.",
    ),
    (
        "transposed mask",
        "np.tri(T, dtype=bool).T",
        (
            "Rows are queries, columns are keys. Your first token sees everything and your last"
            " only itself."
        ),
    ),
    (
        "one step ahead",
        "np.tri(T, k=1, dtype=bool)",
        "Each token sees the one after it, too: the diagonal of the future is still open.",
    ),
    (
        "everything allowed",
        "np.ones((T, T), dtype=bool)",
        "Every place is True, so nobody is stopped from looking ahead.",
    ),
    (
        "nothing allowed",
        "np.zeros((T, T), dtype=bool)",
        "Every place is False, so nobody sees anything.",
    ),
    (
        "numbers instead of truth values",
        "np.tri(T)",
        (
            "The pattern is right, but ones and zeros are numbers: as a mask they would be added. "
            "Asked are True and False."
        ),
    ),
    (
        "numbers, strict",
        "np.tri(T, k=-1)",
        "Ones and zeros are numbers; asked are True and False. And a token may attend to itself.",
    ),
    (
        "numbers, inverted",
        "1 - np.tri(T)",
        "Ones and zeros are numbers; asked are True and False. And your ones mark what is hidden.",
    ),
    (
        "numbers, transposed",
        "np.tri(T).T",
        (
            "Ones and zeros are numbers; asked are True and False. And your first token sees "
            "everything."
        ),
    ),
    (
        "an additive mask",
        "np.where(np.tri(T, dtype=bool), 0.0, -np.inf)",
        "0 and -inf are what is added to the scores. Asked is the table of truth values.",
    ),
    (
        "an additive mask of −1e9",
        "np.where(np.tri(T, dtype=bool), 0.0, -1e9)",
        "0 and −1e9 are what is added to the scores. Asked is the table of truth values.",
    ),
    (
        "only itself",
        "np.eye(T, dtype=bool)",
        "This is the diagonal: every token alone. Everything before it may be seen, too.",
    ),
    (
        "mirrored",
        "np.fliplr(np.tri(T, dtype=bool))",
        "The triangle hangs in the wrong corner: your first row sees the last token.",
    ),
    (
        "one row instead of a table",
        "np.ones(T, dtype=bool)",
        "This is one row. Each query has a row of its own: (T, T).",
    ),
    (
        "the first row empty",
        """
mask = np.tri(T, dtype=bool)
mask[0] = False
return mask
""",
        (
            "The first row holds nothing, so the first token does not even see itself. Python"
            " counts from 0."
        ),
    ),
    (
        "the last row empty",
        """
mask = np.tri(T, dtype=bool)
mask[-1] = False
return mask
""",
        "The last row holds nothing. A range ends before its last number.",
    ),
    (
        "the first column empty",
        """
mask = np.tri(T, dtype=bool)
mask[:, 0] = False
return mask
""",
        "Nobody sees the first token here. Python counts from 0.",
    ),
    (
        "only one step back",
        "np.tri(T, dtype=bool) & ~np.tri(T, k=-2, dtype=bool)",
        "Each token sees itself and the one before it. All that came before may be seen.",
    ),
    (
        "neighbours only",
        "np.abs(np.arange(T)[:, None] - np.arange(T)) <= 1",
        (
            "Each token sees itself and its neighbours, the next one included. What came before may"
            " be seen, all of it, and nothing after."
        ),
    ),
    (
        "all but itself",
        "~np.eye(T, dtype=bool)",
        (
            "Each token sees all others, those to come as well. Only what came before, and itself,"
            " may be seen."
        ),
    ),
    (
        "numbers, one step ahead",
        "np.tri(T, k=1)",
        (
            "Ones and zeros are numbers; asked are True and False. And the diagonal of the future"
            " is still open."
        ),
    ),
    (
        "numbers, everything allowed",
        "np.ones((T, T))",
        "Ones are numbers; asked are True and False. And nobody is stopped from looking ahead.",
    ),
    (
        "an additive mask, inverted",
        "np.where(np.tri(T, dtype=bool), -np.inf, 0.0)",
        (
            "0 and -inf are what is added to the scores. Asked is the table of truth values. And"
            " what may be seen is hidden here."
        ),
    ),
]
