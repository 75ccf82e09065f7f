"""Known misconceptions of `transformer_block`: (name, code, question), and options where there are
some."""

from course_utils.exercises.transformer_block.exercise import transformer_block

TABLE = [
    (
        "post-norm where pre-norm is asked",
        """
Z = norm(X + attend(X))
return norm(Z + think(Z))
""",
        (
            "The norms stand after the additions, on the stream itself. Pre-norm leaves the stream "
            "alone: who reads a normed copy?"
        ),
    ),
    (
        "skip starts after the norm",
        """
I = norm(X)
Z = I + attend(I)
I_2 = norm(Z)
return I_2 + think(I_2)
""",
        (
            "The skips carry the normed tokens. Only what attend and think read is normed; the"
            " stream itself is left alone."
        ),
    ),
    (
        "first skip starts after the norm",
        """
Z = norm(X) + attend(norm(X))
return Z + think(norm(Z))
""",
        "The first skip carries norm(X). The stream goes on with X itself.",
    ),
    (
        "second skip starts after the norm",
        """
Z = X + attend(norm(X))
return norm(Z) + think(norm(Z))
""",
        "The second skip carries the normed Z. The stream goes on with Z itself.",
    ),
    (
        "no skips",
        "think(norm(attend(norm(X))))",
        "What attend and think give replaces the tokens. It should be added to them.",
    ),
    (
        "first skip forgotten",
        """
Z = attend(norm(X))
return Z + think(norm(Z))
""",
        "What attend gives replaces the tokens. It should be added to them.",
    ),
    (
        "second skip forgotten",
        "think(norm(X + attend(norm(X))))",
        "The first half is right. What think gives should be added to Z, too.",
    ),
    (
        "no norms",
        """
Z = X + attend(X)
return Z + think(Z)
""",
        "The skips are right, but norm is never called: attend and think each read normed tokens.",
        {"unused_arguments": "norm"},
    ),
    (
        "first norm forgotten",
        """
Z = X + attend(X)
return Z + think(norm(Z))
""",
        "think reads normed tokens, attend does not yet.",
    ),
    (
        "second norm forgotten",
        """
Z = X + attend(norm(X))
return Z + think(Z)
""",
        "attend reads normed tokens, think does not yet.",
    ),
    (
        "norm after each part",
        """
Z = X + norm(attend(X))
return Z + norm(think(Z))
""",
        (
            "attend and think read the plain tokens, and what they give is normed. Norm what they"
            " read."
        ),
    ),
    (
        "both parts read X",
        "X + attend(norm(X)) + think(norm(X))",
        "think should read what attention has left, Z. Here both read the same X.",
    ),
    (
        "second skip from X",
        "X + think(norm(X + attend(norm(X))))",
        "The second addition starts from X again, so what attention gave is lost from the stream.",
    ),
    (
        "think before attend",
        """
Z = X + think(norm(X))
return Z + attend(norm(Z))
""",
        "The order: first tokens exchange, then each thinks for itself.",
    ),
    (
        "first half in post-norm",
        """
Z = norm(X + attend(X))
return Z + think(norm(Z))
""",
        "The second half is right. In the first, the stream itself is normed after the addition.",
    ),
    (
        "norms before and after",
        """
Z = norm(X + attend(norm(X)))
return norm(Z + think(norm(Z)))
""",
        (
            "Each part reads normed tokens, which is right. But the stream is normed after each "
            "addition as well: leave it alone."
        ),
    ),
    (
        "first half only",
        "X + attend(norm(X))",
        "This is the stream after attention. The feed-forward network has not been asked yet.",
    ),
    (
        "attend forgotten",
        "X + think(norm(X))",
        "Each token thinks for itself here, but the tokens never exchange anything.",
        {"unused_arguments": "attend"},
    ),
    (
        "think reads only what attend gave",
        """
added = attend(norm(X))
return X + added + think(norm(added))
""",
        (
            "think should read the whole stream after attention. Here it sees only what was added"
            " to it."
        ),
    ),
    (
        "X added again",
        """
Z = X + attend(norm(X))
return X + Z + think(norm(Z))
""",
        "X is part of Z already. The second half starts from Z alone.",
    ),
    (
        "a norm at the end",
        "norm(transformer_block(X, attend, think, norm))",
        (
            "The block is right, but the last norm belongs at the end of the whole stack, not of"
            " each block."
        ),
    ),
    (
        "subtracted instead of added",
        """
Z = X - attend(norm(X))
return Z - think(norm(Z))
""",
        "What the parts give is taken from the stream. It is added to it.",
    ),
    (
        "think twice",
        """
Z = X + think(norm(X))
return Z + think(norm(Z))
""",
        "Both halves think. The first half is for attend.",
    ),
    (
        "the normed stream goes on",
        """
I = norm(X)
Z = I + attend(I)
return Z + think(Z)
""",
        (
            "X is normed once and for all at the start, and the skips carry that. The stream goes"
            " on with X itself."
        ),
    ),
    (
        "what is added, without the stream",
        """
added = attend(norm(X))
return added + think(norm(X + added))
""",
        "The two parts are added up, but X itself is not in it. The stream goes straight through.",
    ),
]
