"""Known misconceptions of `rotate`: (name, code, question), and options where there are some."""

import numpy as np

from course_utils.exercises.rotate.exercise import rotate


def _halves(X):
    half = X.shape[1] // 2
    return X[:, :half], X[:, half:]


TABLE = [
    (
        "wrong sign",
        "rotate(X, cos, -sin)",
        "Your vectors turn clockwise. At 90° the turn takes (1, 0) to (0, 1): does yours?",
    ),
    (
        "pairs interleaved where halves are asked",
        """
turned = np.empty_like(X)
turned[:, ::2] = X[:, ::2] * cos - X[:, 1::2] * sin
turned[:, 1::2] = X[:, ::2] * sin + X[:, 1::2] * cos
return turned
""",
        "You turn each feature with its neighbour. Here feature j is paired with feature j + half.",
    ),
    (
        "values scaled instead of turned",
        """
a, b = _halves(X)
return np.hstack([a * cos, b * sin])
""",
        (
            "Each half is only stretched by its own number. In a turn, both halves enter each new"
            " half."
        ),
    ),
    (
        "multiplied by the cosines only",
        """
a, b = _halves(X)
return np.hstack([a * cos, b * cos])
""",
        "A turn keeps lengths. Your vectors get shorter, because the sines are missing.",
    ),
    (
        "cos and sin swapped",
        "rotate(X, sin, cos)",
        "At angle 0 nothing should move. Which of the two is 1 there?",
    ),
    (
        "no minus",
        """
a, b = _halves(X)
return np.hstack([a * cos + b * sin, a * sin + b * cos])
""",
        "Both new halves are sums. Then lengths change: in one of the two a product is subtracted.",
    ),
    (
        "a minus too many",
        """
a, b = _halves(X)
return np.hstack([a * cos - b * sin, a * sin - b * cos])
""",
        "You subtract in both halves. Only one of them has a minus.",
    ),
    (
        "halves the wrong way round",
        "np.hstack(_halves(rotate(X, cos, sin))[::-1])",
        "Right numbers, but the second half stands first. Feature j should stay in column j.",
    ),
    (
        "the new half used too early",
        """
a, b = _halves(X)
a = a * cos - b * sin
return np.hstack([a, a * sin + b * cos])
""",
        "The second half needs the first as it was before the turn. Keep the old one.",
    ),
    (
        "results interleaved",
        "np.stack(_halves(rotate(X, cos, sin)), axis=-1).reshape(X.shape)",
        (
            "The pairs are right, but the results are laid out pair by pair. Feature j should stay"
            " in column j."
        ),
    ),
    (
        "angles transposed",
        "rotate(X, cos.T, sin.T) if cos.shape == cos.T.shape else rotate(X, cos, sin)",
        "Row i of cos and sin belongs to token i. They need no transpose.",
    ),
    ("not turned", "X.copy()", "X comes back as it was: nothing has turned yet."),
    (
        "only the first half turned",
        """
a, b = _halves(X)
return np.hstack([a * cos - b * sin, b])
""",
        "The first half is right, and the second stands as it was. A turn moves both.",
    ),
    (
        "both halves alike",
        """
a, b = _halves(X)
return np.hstack([a * cos - b * sin, a * cos - b * sin])
""",
        (
            "Both new halves are the same. The new b needs the other two products: each part meets"
            " the other function."
        ),
    ),
    (
        "the products of the first half again, added",
        """
a, b = _halves(X)
return np.hstack([a * cos - b * sin, a * cos + b * sin])
""",
        (
            "Each part meets both functions. Your second half uses the products of the first once "
            "more, with another sign."
        ),
    ),
    (
        "angles in pairs, features in halves",
        """
a, b = _halves(X)
return X * np.repeat(cos, 2, axis=1) + np.hstack([-b, a]) * np.repeat(sin, 2, axis=1)
""",
        (
            "The angles are laid out for neighbours, and the features are paired as halves. Both"
            " have to follow the same plan."
        ),
    ),
    (
        "features reversed instead of halves exchanged",
        "X * np.hstack([cos, cos]) + X[:, ::-1] * np.hstack([-sin, sin])",
        "Each feature meets its mirror image. It should meet the same place of the other half.",
    ),
    (
        "only the first position",
        "rotate(X, np.tile(cos[:1], (len(X), 1)), np.tile(sin[:1], (len(X), 1)))",
        (
            "Every token is turned by the angles of the first. Row i of cos and sin belongs to"
            " token i."
        ),
    ),
    (
        "the sine added",
        "X + np.hstack([cos, sin])",
        "The cosines and sines are added to the features. A turn multiplies.",
    ),
    (
        "one half only",
        "_halves(rotate(X, cos, sin))[0]",
        "This is the new first half. The second belongs beside it.",
    ),
    (
        "halves below each other",
        "np.vstack(_halves(rotate(X, cos, sin)))",
        "Both new halves are right. They belong side by side: each token keeps one row.",
    ),
    (
        "two tables",
        "np.stack(_halves(rotate(X, cos, sin)))",
        (
            "You return two tables, one for each half. Put them side by side: each token keeps one"
            " row."
        ),
    ),
    (
        "pairs interleaved, then halves",
        """
a, b = X[:, 0::2], X[:, 1::2]
return np.hstack([a * cos - b * sin, a * sin + b * cos])
""",
        (
            "You turn each feature with its neighbour, and lay the results out as halves. Here"
            " feature j is paired with feature j + half, going in as well."
        ),
    ),
    (
        "cos and sin taken once more",
        "rotate(X, np.cos(cos), np.sin(sin))",
        (
            "cos and sin are finished numbers. They were taken for angles, and their cosines and"
            " sines were taken."
        ),
    ),
    (
        "only the second half turned",
        """
a, b = _halves(X)
return np.hstack([a, a * sin + b * cos])
""",
        "The second half is right, and the first stands as it was. A turn moves both.",
    ),
    (
        "values scaled by both",
        """
a, b = _halves(X)
return np.hstack([a * cos - a * sin, b * cos - b * sin])
""",
        (
            "Each number is only stretched, by cos − sin of its angle. In a turn each new half"
            " takes from both."
        ),
    ),
    (
        "turned twice",
        "rotate(rotate(X, cos, sin), cos, sin)",
        "Each vector was turned by its angle two times. Once is enough.",
    ),
]
