"""Known misconceptions of `attention`: (name, code, question), and options where there are some."""

import numpy as np

from course_utils.attention import scaled_dot_product_attention, softmax
from course_utils.exercises.attention.exercise import LARGE, attention

TABLE = [
    (
        "keys and queries swapped",
        "softmax(K @ Q.T) @ V",
        "Queries are the rows of the scores, keys the columns. Here each key asks.",
    ),
    (
        "no transpose",
        "softmax(Q @ K) @ V",
        (
            "Each score is the dot product of a query with a key. In `@` the keys must stand as "
            "columns."
        ),
    ),
    (
        "features compared instead of tokens",
        "softmax(Q.T @ K) @ V",
        "Here features meet features. Tokens are rows, and the scores are (T_q, T_kv).",
    ),
    (
        "keys and values swapped",
        "softmax(Q @ V.T) @ K",
        "Queries meet keys; values are what is averaged. Here it is the other way round.",
    ),
    (
        "keys asking keys",
        "softmax(K @ K.T) @ V",
        "The scores are those of keys with keys. Who asks are the queries.",
    ),
    (
        "softmax over queries",
        "softmax(Q @ K.T, axis=0) @ V",
        (
            "For each query the weights over the keys sum to 1. Keys are columns: which axis runs"
            " over them?"
        ),
    ),
    (
        "one softmax for the whole table",
        """
S = Q @ K.T
return np.exp(S - S.max()) / np.exp(S - S.max()).sum() @ V
""",
        "All weights together sum to 1. Each query shares out a whole 1 of its own: row by row.",
    ),
    (
        "weights transposed",
        "softmax(Q @ K.T).T @ V",
        "The weights are turned before they average. Rows are queries; they need no transpose.",
    ),
    (
        "weights @ K",
        "softmax(Q @ K.T) @ K",
        "Keys only decide how much; what is averaged are the values.",
    ),
    ("weights @ Q", "softmax(Q @ K.T) @ Q", "Queries only ask; what is averaged are the values."),
    (
        "A * V",
        "softmax(Q @ K.T) * V",
        "`*` multiplies number by number. A weighted average of rows is a matrix product.",
    ),
    (
        "A @ V.T",
        "softmax(Q @ K.T) @ V.T",
        "The values to be averaged are the rows of V, as they stand. Here they are columns.",
    ),
    (
        "V + A @ V",
        "V + softmax(Q @ K.T) @ V",
        (
            "The token's own value is added to the average. It has its share in the average"
            " already, as every other value."
        ),
    ),
    (
        "Q + A @ V",
        "Q + softmax(Q @ K.T) @ V",
        "The query is added to the average. Queries only ask: none of them is sent on.",
    ),
    (
        "divided by √d_k, which comes later",
        "scaled_dot_product_attention(Q, K, V)[0]",
        (
            "There is a division by the square root of d_k. Its reason comes in notebook 03; leave"
            " it out here."
        ),
    ),
    (
        "divided by d_k",
        "scaled_dot_product_attention(Q, K, V, scale=1 / Q.shape[1])[0]",
        (
            "There is a division by d_k. Something like it comes in notebook 03; here the scores"
            " stay as they are."
        ),
    ),
    (
        "softmax missing",
        "Q @ K.T @ V",
        "The scores are used as they are. They must become weights that sum to 1 in each row.",
    ),
    (
        "exp missing",
        """
S = Q @ K.T
return S / S.sum(axis=-1, keepdims=True) @ V
""",
        "The scores are divided by their sum, without exp. Softmax makes them positive first.",
    ),
    (
        "the softmax at the end",
        "softmax(Q @ K.T @ V)",
        (
            "Softmax turns scores into weights. Here it is taken of the result, which needs no sum"
            " of 1."
        ),
    ),
    (
        "the softmax of the queries",
        "softmax(Q) @ K.T @ V",
        "Softmax was taken of Q before the scores. First score, then share out.",
    ),
    (
        "softmax taken twice",
        "softmax(softmax(Q @ K.T)) @ V",
        "The weights went through softmax once more, which flattens them. Once is enough.",
    ),
    (
        "weights returned",
        "softmax(Q @ K.T)",
        "These are the weights. One step is left: average the values with them.",
    ),
    (
        "scores returned",
        "Q @ K.T",
        "These are the scores. Two steps are left: make weights of them, and average the values.",
    ),
    (
        "weights returned as well",
        "softmax(Q @ K.T) @ V, softmax(Q @ K.T)",
        "The output is right. Asked is the output alone, without the weights.",
    ),
    (
        "only the best key",
        "V[(Q @ K.T).argmax(axis=1)]",
        "Each query takes the value of a single key. Softmax is softer: every key gets a share.",
    ),
    (
        "every key alike",
        "np.repeat(V.mean(axis=0, keepdims=True), len(Q), axis=0)",
        "Every key gets the same weight here. The scores should decide.",
    ),
    (
        "the first query only",
        "(softmax(Q @ K.T) @ V)[0]",
        "Only the first query's output comes back. Does the `return` stand inside the loop?",
    ),
    (
        "V @ A",
        "V @ softmax(Q @ K.T)",
        (
            "The weights stand on the wrong side, where they mix features. On the left they mix"
            " tokens."
        ),
    ),
    (
        "only the last key's share",
        "softmax(Q @ K.T)[:, -1:] * V[-1]",
        (
            "What came last took the place of what was there. An average adds up the shares of all "
            "keys."
        ),
    ),
    (
        "the last key left out",
        "softmax(Q @ K.T)[:, :-1] @ V[:-1]",
        "The sum stops one key early. A range ends before its last number.",
    ),
    (
        "the first key left out",
        "softmax(Q @ K.T)[:, 1:] @ V[1:]",
        "The sum begins one key late. Python counts from 0.",
    ),
    (
        "not divided by the sum",
        "np.exp(Q @ K.T) @ V",
        (
            "exp makes the scores positive. Weights sum to 1 in each row as well: a division is "
            "missing."
        ),
    ),
    (
        "shifted, but not divided by the sum",
        """
S = Q @ K.T
return np.exp(S - S.max(axis=-1, keepdims=True)) @ V
""",
        (
            "exp of the shifted scores is positive and at most 1. Weights sum to 1 in each row: a "
            "division is missing."
        ),
    ),
    (
        "keepdims forgotten",
        """
e = np.exp(Q @ K.T)
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
S = Q @ K.T
e = np.exp(S - S.max(axis=-1))
return e / e.sum(axis=-1) @ V
""",
        (
            "The maxima and the sums have lost an axis, so NumPy lays them along the columns. Keep"
            " the axis in both."
        ),
    ),
    (
        "divided by √T",
        "attention(Q / np.sqrt(len(K)), K, V)",
        (
            "The scores are divided by the root of how many keys there are. Here they stay as they"
            " are."
        ),
    ),
    (
        "the softmax of the values",
        "softmax(Q @ K.T) @ softmax(V)",
        "Softmax was taken of the values, too. They are averaged as they are.",
    ),
    (
        "values asking",
        "softmax(V @ K.T) @ V",
        "The scores are those of values with keys. Who asks are the queries.",
    ),
    (
        "cosines in place of dot products",
        (
            "attention(Q / np.linalg.norm(Q, axis=1, keepdims=True), K / np.linalg.norm(K, axis=1,"
            " keepdims=True), V)"
        ),
        (
            "The vectors were cut to length 1, so only angles count. A score is the dot product as"
            " it is."
        ),
    ),
    (
        "only what came before",
        "scaled_dot_product_attention(Q, K, V, np.tri(len(Q), len(K), dtype=bool), scale=1)[0]",
        (
            "Each query sees only keys that stand no later than itself. That is a mask, of notebook"
            " 04; here all see all."
        ),
    ),
    (
        "no max-subtraction",
        """
e = np.exp(Q @ K.T)
return e / e.sum(axis=-1, keepdims=True) @ V
""",
        "exp of a large score overflows and gives NaN. Use a softmax that shifts each row first.",
        {"trap": LARGE},
    ),
]
