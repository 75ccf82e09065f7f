"""Known misconceptions of `causal_mask`: (name, code, question), and options where there are
some."""

import numpy as np

TABLE = [
    (
        "strict mask",
        "np.tri(T, k=-1, dtype=bool)",
        "A token may attend to itself. Without the diagonal, the first row has no True at all.",
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
            "Rows are queries, columns are keys. Your first token sees everything, and your last"
            " token sees only itself."
        ),
    ),
    (
        "one step ahead",
        "np.tri(T, k=1, dtype=bool)",
        "Each token sees the next token, too: one diagonal of the future is still True.",
    ),
    (
        "everything allowed",
        "np.ones((T, T), dtype=bool)",
        "Every entry is True, so every token sees the future.",
    ),
    (
        "nothing allowed",
        "np.zeros((T, T), dtype=bool)",
        "Every entry is False, so no token sees anything.",
    ),
    (
        "numbers instead of truth values",
        "np.tri(T)",
        (
            "The pattern is right, but ones and zeros are numbers: such a mask would be added to"
            " the scores. Return True and False."
        ),
    ),
    (
        "numbers, strict",
        "np.tri(T, k=-1)",
        "Ones and zeros are numbers: return True and False. And a token may attend to itself.",
    ),
    (
        "numbers, inverted",
        "1 - np.tri(T)",
        "Ones and zeros are numbers: return True and False. And your ones mark what is hidden.",
    ),
    (
        "numbers, transposed",
        "np.tri(T).T",
        "Ones and zeros are numbers: return True and False. And your first token sees everything.",
    ),
    (
        "an additive mask",
        "np.where(np.tri(T, dtype=bool), 0.0, -np.inf)",
        "0 and -inf are numbers that are added to the scores. Return a table of True and False.",
    ),
    (
        "an additive mask of −1e9",
        "np.where(np.tri(T, dtype=bool), 0.0, -1e9)",
        "0 and −1e9 are numbers that are added to the scores. Return a table of True and False.",
    ),
    (
        "only itself",
        "np.eye(T, dtype=bool)",
        "This is the diagonal: every token sees only itself. It should see all earlier tokens.",
    ),
    (
        "mirrored",
        "np.fliplr(np.tri(T, dtype=bool))",
        "The triangle is in the wrong corner: your first row sees the last token.",
    ),
    (
        "one row instead of a table",
        "np.ones(T, dtype=bool)",
        "This is only one row. Each query needs its own row: (T, T).",
    ),
    (
        "the first row empty",
        """
mask = np.tri(T, dtype=bool)
mask[0] = False
return mask
""",
        (
            "The first row has no True, so the first token does not even see itself. Python counts"
            " from 0."
        ),
    ),
    (
        "the last row empty",
        """
mask = np.tri(T, dtype=bool)
mask[-1] = False
return mask
""",
        "The last row has no True. `range(n)` ends before n.",
    ),
    (
        "the first column empty",
        """
mask = np.tri(T, dtype=bool)
mask[:, 0] = False
return mask
""",
        "No token sees the first token here. Python counts from 0.",
    ),
    (
        "only one step back",
        "np.tri(T, dtype=bool) & ~np.tri(T, k=-2, dtype=bool)",
        "Each token sees only itself and the token before it. It should see all earlier tokens.",
    ),
    (
        "neighbours only",
        "np.abs(np.arange(T)[:, None] - np.arange(T)) <= 1",
        (
            "Each token sees itself and its neighbours, also the next token. It should see"
            " all earlier tokens, and no later token."
        ),
    ),
    (
        "all but itself",
        "~np.eye(T, dtype=bool)",
        (
            "Each token sees all other tokens, also the later ones. It should see only earlier"
            " tokens and itself."
        ),
    ),
    (
        "numbers, one step ahead",
        "np.tri(T, k=1)",
        (
            "Ones and zeros are numbers: return True and False. And one diagonal of the future is"
            " still 1."
        ),
    ),
    (
        "numbers, everything allowed",
        "np.ones((T, T))",
        "Ones are numbers: return True and False. And every token sees the future here.",
    ),
    (
        "an additive mask, inverted",
        "np.where(np.tri(T, dtype=bool), -np.inf, 0.0)",
        (
            "0 and -inf are numbers that are added to the scores. Return a table of True and"
            " False. And your -inf hides the past, not the future."
        ),
    ),
]
