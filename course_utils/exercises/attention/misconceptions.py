"""Known misconceptions of `attention`: (name, code, question), and options where there are some."""

import numpy as np

from course_utils.attention import scaled_dot_product_attention, softmax
from course_utils.exercises.attention.exercise import LARGE, attention

TABLE = [
    (
        "keys and queries swapped",
        "softmax(K @ Q.T) @ V",
        "Queries are the rows of the scores, and keys are the columns. Here each key asks.",
    ),
    (
        "no transpose",
        "softmax(Q @ K) @ V",
        "Each score is the dot product of a query with a key. In `@` the keys must be columns.",
    ),
    (
        "features compared instead of tokens",
        "softmax(Q.T @ K) @ V",
        (
            "Here features are compared with features. Tokens are rows, and the scores are (T_q,"
            " T_kv)."
        ),
    ),
    (
        "keys and values swapped",
        "softmax(Q @ V.T) @ K",
        "Queries meet keys, and values are averaged. Here keys and values have changed places.",
    ),
    (
        "keys asking keys",
        "softmax(K @ K.T) @ V",
        "Here keys are compared with keys. Queries must ask.",
    ),
    (
        "softmax over queries",
        "softmax(Q @ K.T, axis=0) @ V",
        (
            "For each query, the weights of all keys sum to 1. Which axis of your scores runs over"
            " the keys?"
        ),
    ),
    (
        "one softmax for the whole table",
        """
S = Q @ K.T
return np.exp(S - S.max()) / np.exp(S - S.max()).sum() @ V
""",
        (
            "Here all weights together sum to 1. But the weights of each query must sum to 1, row"
            " by row."
        ),
    ),
    (
        "weights transposed",
        "softmax(Q @ K.T).T @ V",
        (
            "The weights are transposed before the average. Their rows are queries already, so"
            " they need no transpose."
        ),
    ),
    (
        "weights @ K",
        "softmax(Q @ K.T) @ K",
        "Keys only decide the weights. Average the values.",
    ),
    ("weights @ Q", "softmax(Q @ K.T) @ Q", "Queries only ask. Average the values."),
    (
        "A * V",
        "softmax(Q @ K.T) * V",
        "`*` multiplies number by number. A weighted average of rows is a matrix product.",
    ),
    (
        "A @ V.T",
        "softmax(Q @ K.T) @ V.T",
        "The values are the rows of V, without a transpose. Here they are columns.",
    ),
    (
        "V + A @ V",
        "V + softmax(Q @ K.T) @ V",
        (
            "The token's own value is added to the average. But it is already in the average,"
            " like every other value."
        ),
    ),
    (
        "Q + A @ V",
        "Q + softmax(Q @ K.T) @ V",
        "The query is added to the average. Queries only ask. Only values are sent.",
    ),
    (
        "divided by √d_k, which comes later",
        "scaled_dot_product_attention(Q, K, V)[0]",
        (
            "Your code divides by the square root of d_k. Notebook 03 gives the reason. Leave the"
            " division out here."
        ),
    ),
    (
        "divided by d_k",
        "scaled_dot_product_attention(Q, K, V, scale=1 / Q.shape[1])[0]",
        (
            "Your code divides by d_k. Notebook 03 has a similar division. Leave the scores as"
            " they are here."
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
            "Softmax turns scores into weights. Here it is applied to the output, whose rows need"
            " not sum to 1."
        ),
    ),
    (
        "the softmax of the queries",
        "softmax(Q) @ K.T @ V",
        "Softmax was applied to Q before the scores. Compute the scores first, then the weights.",
    ),
    (
        "softmax taken twice",
        "softmax(softmax(Q @ K.T)) @ V",
        "Softmax was applied to the weights again. This makes them more equal. Once is enough.",
    ),
    (
        "weights returned",
        "softmax(Q @ K.T)",
        "These are the weights. One step is left: average the values with them.",
    ),
    (
        "scores returned",
        "Q @ K.T",
        "These are the scores. Two steps are left: make weights from them, and average the values.",
    ),
    (
        "weights returned as well",
        "softmax(Q @ K.T) @ V, softmax(Q @ K.T)",
        "The output is right. Return only the output, without the weights.",
    ),
    (
        "only the best key",
        "V[(Q @ K.T).argmax(axis=1)]",
        "Each query takes the value of a single key. Softmax is softer: every key gets a share.",
    ),
    (
        "every key alike",
        "np.repeat(V.mean(axis=0, keepdims=True), len(Q), axis=0)",
        "Every key gets the same weight here. The scores must decide the weights.",
    ),
    (
        "the first query only",
        "(softmax(Q @ K.T) @ V)[0]",
        "Only the first query's output comes back. Is the `return` inside the loop?",
    ),
    (
        "V @ A",
        "V @ softmax(Q @ K.T)",
        "The weights are on the wrong side: there they mix features. On the left they mix tokens.",
    ),
    (
        "only the last key's share",
        "softmax(Q @ K.T)[:, -1:] * V[-1]",
        (
            "Only the share of the last key is left: it replaced the others. An average adds the"
            " shares of all keys."
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
            "exp makes the scores positive. But weights must also sum to 1 in each row: a"
            " division is missing."
        ),
    ),
    (
        "shifted, but not divided by the sum",
        """
S = Q @ K.T
return np.exp(S - S.max(axis=-1, keepdims=True)) @ V
""",
        (
            "exp of the shifted scores is positive and at most 1. But weights must sum to 1 in"
            " each row: a division is missing."
        ),
    ),
    (
        "keepdims forgotten",
        """
e = np.exp(Q @ K.T)
return e / e.sum(axis=-1) @ V
""",
        (
            "The sums have lost an axis, so NumPy divides each column by one sum. Keep the axis:"
            " then each sum divides its own row."
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
            "The maxima and the sums have lost an axis, so NumPy applies them to columns. Keep"
            " the axis in both."
        ),
    ),
    (
        "divided by √T",
        "attention(Q / np.sqrt(len(K)), K, V)",
        (
            "The scores are divided by the root of the number of keys. Leave the scores as they"
            " are here."
        ),
    ),
    (
        "the softmax of the values",
        "softmax(Q @ K.T) @ softmax(V)",
        "Softmax was also applied to the values. Average the values as they are.",
    ),
    (
        "values asking",
        "softmax(V @ K.T) @ V",
        "Here values are compared with keys. Queries must ask.",
    ),
    (
        "cosines in place of dot products",
        (
            "attention(Q / np.linalg.norm(Q, axis=1, keepdims=True), K / np.linalg.norm(K, axis=1,"
            " keepdims=True), V)"
        ),
        (
            "The vectors were divided by their lengths, so only angles count. A score is the"
            " plain dot product."
        ),
    ),
    (
        "only what came before",
        "scaled_dot_product_attention(Q, K, V, np.tri(len(Q), len(K), dtype=bool), scale=1)[0]",
        (
            "Each query sees only the keys up to its own place. This is a mask, and it comes in"
            " notebook 04. Here each query sees all keys."
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
