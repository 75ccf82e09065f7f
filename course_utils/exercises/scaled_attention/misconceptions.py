"""Known misconceptions of `scaled_attention`: (name, code, question), and options where there are
some."""

import numpy as np

from course_utils.attention import scaled_dot_product_attention, softmax
from course_utils.exercises.scaled_attention.exercise import LARGE, scaled_attention


def _attention(scores, V):
    return softmax(scores) @ V


TABLE = [
    (
        "no scale",
        "_attention(Q @ K.T, V)",
        "The scores are not scaled. They grow with the width of queries and keys: how fast?",
    ),
    (
        "scaled twice",
        "_attention(Q / np.sqrt(Q.shape[1]) @ (K / np.sqrt(Q.shape[1])).T, V)",
        (
            "The root is right, but it divides two times over, which is a division by d_k itself."
            " Once is enough."
        ),
        {"requires": "a root"},
    ),
    (
        "divided by d_k",
        "_attention(Q @ K.T / Q.shape[1], V)",
        (
            "The standard deviation of a score grows like the square root of d_k, not like d_k."
            " Where is the root?"
        ),
    ),
    (
        "half the width in place of its root",
        "_attention(Q @ K.T / (Q.shape[1] / 2), V)",
        (
            "In Python `d ** 1/2` is half of d: the power comes before the division. Where do the "
            "brackets belong?"
        ),
    ),
    (
        "twice the width in place of its root",
        "_attention(Q @ K.T / (2 * Q.shape[1]), V)",
        (
            "In Python `S / d ** 1/2` divides by d, then by 2: the power comes first. Where do "
            "brackets belong?"
        ),
    ),
    (
        "the fourth root of d_k",
        "_attention(Q @ K.T / Q.shape[1] ** 0.25, V)",
        (
            "The root was taken twice over, which divides by too little. Which power belongs to a "
            "standard deviation?"
        ),
    ),
    (
        "divided by √T of the keys",
        "_attention(Q @ K.T / np.sqrt(len(K)), V)",
        (
            "This is the root of how many keys there are. A score is a sum over the d_k features:"
            " scale by those."
        ),
    ),
    (
        "divided by √T of the queries",
        "_attention(Q @ K.T / np.sqrt(len(Q)), V)",
        (
            "This is the root of how many queries there are. A score is a sum over the d_k"
            " features: scale by those."
        ),
    ),
    (
        "divided by √d_v",
        "_attention(Q @ K.T / np.sqrt(V.shape[1]), V)",
        "The scores are made of queries and keys. The width of the values does not enter.",
    ),
    (
        "the root of how many numbers Q holds",
        "_attention(Q @ K.T / np.sqrt(Q.size), V)",
        (
            "`size` counts all numbers of a table, rows times columns. A score adds up one row's"
            " worth of them."
        ),
    ),
    (
        "the root of how many numbers K holds",
        "_attention(Q @ K.T / np.sqrt(K.size), V)",
        (
            "`size` counts all numbers of a table, rows times columns. A score adds up one row's"
            " worth of them."
        ),
    ),
    (
        "multiplied instead of divided",
        "_attention(Q @ K.T * np.sqrt(Q.shape[1]), V)",
        "The scores grow with d_k already. Multiplying makes it worse: divide.",
    ),
    (
        "scaled after softmax",
        "_attention(Q @ K.T, V) / np.sqrt(Q.shape[1])",
        "Scaled weights no longer sum to 1. The scale belongs to the scores, before the softmax.",
    ),
    (
        "divided by the measured spread",
        "_attention(Q @ K.T / (Q @ K.T).std(), V)",
        (
            "The scores are divided by the standard deviation they happen to have. The scale is"
            " fixed by the width, whatever the scores are."
        ),
    ),
    (
        "divided by the lengths",
        """
S = Q @ K.T / np.linalg.norm(Q, axis=1, keepdims=True) / np.linalg.norm(K, axis=1)
return _attention(S, V)
""",
        (
            "The vectors were cut to length 1, so only angles count. The scale is one number for"
            " all, made of the width."
        ),
    ),
    (
        "softmax over queries",
        "softmax(Q @ K.T / np.sqrt(Q.shape[1]), axis=0) @ V",
        (
            "For each query the weights over the keys sum to 1. Which axis of your scores runs over"
            " the keys?"
        ),
    ),
    (
        "softmax missing",
        "Q @ K.T / np.sqrt(Q.shape[1]) @ V",
        (
            "The scaled scores are used as they are. They must become weights that sum to 1 in each"
            " row."
        ),
    ),
    (
        "keys and queries swapped",
        "_attention(K @ Q.T / np.sqrt(Q.shape[1]), V)",
        "Queries are the rows of the scores, keys the columns. Here each key asks.",
    ),
    (
        "keys and values swapped",
        "_attention(Q @ V.T / np.sqrt(Q.shape[1]), K)",
        "Queries meet keys; values are what is averaged. Here it is the other way round.",
    ),
    (
        "no transpose",
        "_attention(Q @ K / np.sqrt(Q.shape[1]), V)",
        (
            "Each score is the dot product of a query with a key. In `@` the keys must stand as "
            "columns."
        ),
    ),
    (
        "weights @ K",
        "_attention(Q @ K.T / np.sqrt(Q.shape[1]), K)",
        "Keys only decide how much; what is averaged are the values.",
    ),
    (
        "weights returned",
        "softmax(Q @ K.T / np.sqrt(Q.shape[1]))",
        "These are the weights. One step is left: average the values with them.",
    ),
    (
        "weights returned as well",
        "scaled_dot_product_attention(Q, K, V)",
        "The output is right. Asked is the output alone, without the weights.",
    ),
    (
        "divided by T",
        "_attention(Q @ K.T / len(K), V)",
        (
            "This is how many keys there are. A score is a sum over the d_k features, and there is"
            " a root."
        ),
    ),
    (
        "divided by d_k²",
        "_attention(Q @ K.T / Q.shape[1] ** 2, V)",
        (
            "The standard deviation of a score grows like the square root of d_k. Here it is the "
            "square."
        ),
    ),
    (
        "features compared instead of tokens",
        "_attention(Q.T @ K / np.sqrt(Q.shape[1]), V)",
        "Here features meet features. Tokens are rows, and the scores are (T_q, T_kv).",
    ),
    (
        "one softmax for the whole table",
        """
e = np.exp(Q @ K.T / np.sqrt(Q.shape[1]))
return e / e.sum() @ V
""",
        "All weights together sum to 1. Each query shares out a whole 1 of its own: row by row.",
    ),
    (
        "keepdims forgotten",
        """
e = np.exp(Q @ K.T / np.sqrt(Q.shape[1]))
return e / e.sum(axis=-1) @ V
""",
        (
            "The sums have lost an axis, so NumPy lays them along the columns. Keep the axis: then "
            "each sum divides its own row."
        ),
    ),
    (
        "keepdims forgotten in both places",
        """
S = Q @ K.T / np.sqrt(Q.shape[1])
e = np.exp(S - S.max(axis=-1))
return e / e.sum(axis=-1) @ V
""",
        (
            "The maxima and the sums have lost an axis, so NumPy lays them along the columns. Keep"
            " the axis in both."
        ),
    ),
    (
        "not divided by the sum",
        "np.exp(Q @ K.T / np.sqrt(Q.shape[1])) @ V",
        (
            "exp makes the scores positive. Weights sum to 1 in each row as well: a division is "
            "missing."
        ),
    ),
    (
        "shifted, but not divided by the sum",
        """
S = Q @ K.T / np.sqrt(Q.shape[1])
return np.exp(S - S.max(axis=-1, keepdims=True)) @ V
""",
        (
            "exp of the shifted scores is positive and at most 1. Weights sum to 1 in each row: a "
            "division is missing."
        ),
    ),
    (
        "exp missing",
        """
S = Q @ K.T / np.sqrt(Q.shape[1])
return S / S.sum(axis=-1, keepdims=True) @ V
""",
        "The scores are divided by their sum, without exp. Softmax makes them positive first.",
    ),
    (
        "softmax taken twice",
        "_attention(softmax(Q @ K.T / np.sqrt(Q.shape[1])), V)",
        "The weights went through softmax once more, which flattens them. Once is enough.",
    ),
    (
        "weights transposed",
        "softmax(Q @ K.T / np.sqrt(Q.shape[1])).T @ V",
        "The weights are turned before they average. Rows are queries; they need no transpose.",
    ),
    (
        "weights @ Q",
        "_attention(Q @ K.T / np.sqrt(Q.shape[1]), Q)",
        "Queries only ask; what is averaged are the values.",
    ),
    (
        "A * V",
        "softmax(Q @ K.T / np.sqrt(Q.shape[1])) * V",
        "`*` multiplies number by number. A weighted average of rows is a matrix product.",
    ),
    (
        "V @ A",
        "V @ softmax(Q @ K.T / np.sqrt(Q.shape[1]))",
        (
            "The weights stand on the wrong side, where they mix features. On the left they mix"
            " tokens."
        ),
    ),
    (
        "V + A @ V",
        "V + scaled_attention(Q, K, V)",
        (
            "The token's own value is added to the average. It has its share in the average"
            " already, as every other value."
        ),
    ),
    (
        "scores returned",
        "Q @ K.T / np.sqrt(Q.shape[1])",
        (
            "These are the scaled scores. Two steps are left: make weights of them, and average the"
            " values."
        ),
    ),
    (
        "only the last key's share",
        "softmax(Q @ K.T / np.sqrt(Q.shape[1]))[:, -1:] * V[-1]",
        (
            "What came last took the place of what was there. An average adds up the shares of all "
            "keys."
        ),
    ),
    (
        "small scores win",
        "_attention(-Q @ K.T / np.sqrt(Q.shape[1]), V)",
        "The sign is turned: the key that fits least gets the largest weight.",
    ),
    (
        "no max-subtraction",
        """
e = np.exp(Q @ K.T / np.sqrt(Q.shape[1]))
return e / e.sum(axis=-1, keepdims=True) @ V
""",
        "exp of a large score overflows and gives NaN. Use a softmax that shifts each row first.",
        {"trap": LARGE},
    ),
]
