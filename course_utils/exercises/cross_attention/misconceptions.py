"""Known misconceptions of `cross_attention`: (name, code, question), and options where there are
some."""

import numpy as np

from course_utils.exercises.attention.exercise import EXERCISE as ATTENTION
from course_utils.exercises.attention.exercise import LARGE, attention
from course_utils.exercises.cross_attention.exercise import cross_attention


def _projected(name):
    """The attention that has this misconception, of what is made of X and the context."""
    mistaken = next(m.function for m in ATTENTION.mistakes if m.name == name)
    return lambda X, context, W_Q, W_K, W_V: mistaken(X @ W_Q, context @ W_K, context @ W_V)


TABLE = [
    (
        "context ignored",
        "attention(X @ W_Q, X @ W_K, X @ W_V)",
        "This is self-attention: X asks X. Keys and values come from the context.",
        {"unused_arguments": "context"},
    ),
    (
        "X ignored",
        "attention(context @ W_Q, context @ W_K, context @ W_V)",
        "Here the context asks itself. The questions are those of X.",
        {"unused_arguments": "X"},
    ),
    (
        "roles reversed",
        "attention(context @ W_Q, X @ W_K, X @ W_V)",
        "Here the context asks and X answers. X asks; the context answers and sends.",
    ),
    (
        "values from X",
        "attention(X @ W_Q, context @ W_K, X @ W_V)",
        "Who answers also sends: keys and values both come from the context.",
    ),
    (
        "keys from X",
        "attention(X @ W_Q, X @ W_K, context @ W_V)",
        "Who sends must also be the one who answers: keys and values both come from the context.",
    ),
    (
        "X among the keys",
        """
both = np.concatenate([X, context])
return attention(X @ W_Q, both @ W_K, both @ W_V)
""",
        (
            "X and the context were put together, so X answers itself, too. Here only the context "
            "answers."
        ),
    ),
    (
        "queries and keys swapped",
        "attention(X @ W_K, context @ W_Q, context @ W_V)",
        "Two matrices changed places: W_Q is for those who ask, W_K for those who answer.",
    ),
    (
        "keys and values swapped",
        "attention(X @ W_Q, context @ W_V, context @ W_K)",
        "Queries meet keys; values are what is averaged. Here it is the other way round.",
    ),
    (
        "queries not projected",
        "attention(X, context @ W_K, context @ W_V)",
        "X asks with its queries, and W_Q makes them.",
    ),
    (
        "keys not projected",
        "attention(X @ W_Q, context, context @ W_V)",
        "The context answers with its keys, and W_K makes them.",
    ),
    (
        "values not projected",
        "attention(X @ W_Q, context @ W_K, context)",
        "The context itself is averaged. What it sends are its values, and W_V makes them.",
    ),
    (
        "nothing projected",
        "attention(X, context, context)",
        "X and the context are used as they are. Each of the three jobs has a matrix.",
    ),
    (
        "W times X",
        "attention(W_Q @ X, W_K @ context, W_V @ context)",
        (
            "Tokens are rows, so W belongs on the other side: where it stands now it mixes tokens "
            "instead of features."
        ),
    ),
    (
        "weights @ K",
        _projected("weights @ K"),
        "Keys only decide how much; what is averaged are the values.",
    ),
    (
        "softmax over queries",
        _projected("softmax over queries"),
        "For each query the weights over the context sum to 1. Which axis runs over the keys?",
    ),
    (
        "weights transposed",
        _projected("weights transposed"),
        "The weights are turned before they average. Rows are queries; they need no transpose.",
    ),
    (
        "softmax missing",
        _projected("softmax missing"),
        "The scores are used as they are. They must become weights that sum to 1 in each row.",
    ),
    (
        "X + A @ V",
        "X + cross_attention(X, context, W_Q, W_K, W_V)",
        (
            "X itself is added to what comes from the context. That comes in notebook 06; here the "
            "average stands alone."
        ),
    ),
    (
        "divided by √d_k, which comes later",
        _projected("divided by √d_k, which comes later"),
        (
            "There is a division by the square root of d_k. Its reason comes in notebook 03; leave"
            " it out here."
        ),
    ),
    (
        "weights returned",
        _projected("weights returned"),
        "These are the weights. One step is left: average the values with them.",
    ),
    (
        "weights returned as well",
        _projected("weights returned as well"),
        "The output is right. Asked is the output alone, without the weights.",
    ),
    (
        "queries and keys not projected",
        "attention(X, context, context @ W_V)",
        (
            "The scores compare X and the context as they are. W_Q and W_K make queries and keys of"
            " them."
        ),
    ),
    (
        "keys and values not projected",
        "attention(X @ W_Q, context, context)",
        "The context answers and sends as it is. W_K and W_V make keys and values of it.",
    ),
    (
        "queries and values not projected",
        "attention(X, context @ W_K, context)",
        "X asks as it is, and the context sends as it is. W_Q and W_V belong there.",
    ),
    (
        "no transpose",
        _projected("no transpose"),
        (
            "Each score is the dot product of a query with a key. In `@` the keys must stand as "
            "columns."
        ),
    ),
    (
        "features compared instead of tokens",
        _projected("features compared instead of tokens"),
        "Here features meet features. Tokens are rows, and the scores are (T_q, T_kv).",
    ),
    (
        "one matrix for keys and values",
        "attention(X @ W_Q, context @ W_V, context @ W_V)",
        (
            "Keys went through the matrix of the values. What the context answers to and what it"
            " sends are two jobs."
        ),
    ),
    (
        "the context asks",
        _projected("keys and queries swapped"),
        (
            "The scores are right, but turned: their rows are the context's. Queries are rows, keys"
            " are columns."
        ),
    ),
    (
        "one softmax for the whole table",
        _projected("one softmax for the whole table"),
        "All weights together sum to 1. Each query shares out a whole 1 of its own: row by row.",
    ),
    (
        "not divided by the sum",
        _projected("not divided by the sum"),
        (
            "exp makes the scores positive. Weights sum to 1 in each row as well: a division is "
            "missing."
        ),
    ),
    (
        "exp missing",
        _projected("exp missing"),
        "The scores are divided by their sum, without exp. Softmax makes them positive first.",
    ),
    (
        "keepdims forgotten",
        _projected("keepdims forgotten"),
        (
            "The sums have lost an axis, so NumPy lays them along the columns. Keep the axis: then "
            "each sum divides its own row."
        ),
    ),
    (
        "the softmax at the end",
        _projected("the softmax at the end"),
        (
            "Softmax turns scores into weights. Here it is taken of the result, which needs no sum"
            " of 1."
        ),
    ),
    (
        "softmax taken twice",
        _projected("softmax taken twice"),
        "The weights went through softmax once more, which flattens them. Once is enough.",
    ),
    (
        "A * V",
        _projected("A * V"),
        "`*` multiplies number by number. A weighted average of rows is a matrix product.",
    ),
    (
        "weights @ Q",
        _projected("weights @ Q"),
        "Queries only ask; what is averaged are the values.",
    ),
    (
        "divided by d_k",
        _projected("divided by d_k"),
        (
            "There is a division by d_k. Something like it comes in notebook 03; here the scores"
            " stay as they are."
        ),
    ),
    (
        "scores returned",
        _projected("scores returned"),
        "These are the scores. Two steps are left: make weights of them, and average the values.",
    ),
    (
        "only the best key",
        _projected("only the best key"),
        "Each query takes the value of a single key. Softmax is softer: every key gets a share.",
    ),
    (
        "only the last key's share",
        _projected("only the last key's share"),
        (
            "What came last took the place of what was there. An average adds up the shares of all "
            "keys."
        ),
    ),
    (
        "matrix transposed",
        "attention(X @ W_Q.T, context @ W_K.T, context @ W_V.T)",
        (
            "W has a row for each feature that goes in and a column for each that comes out. It"
            " needs no transpose."
        ),
    ),
    (
        "no max-subtraction",
        _projected("no max-subtraction"),
        "exp of a large score overflows and gives NaN. Use a softmax that shifts each row first.",
        {"trap": LARGE},
    ),
]
