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
        "This is self-attention: X asks X. Keys and values must come from the context.",
        {"unused_arguments": "context"},
    ),
    (
        "X ignored",
        "attention(context @ W_Q, context @ W_K, context @ W_V)",
        "Here the context asks itself. X must ask.",
        {"unused_arguments": "X"},
    ),
    (
        "roles reversed",
        "attention(context @ W_Q, X @ W_K, X @ W_V)",
        (
            "Here the context asks and X answers. But X must ask, and the context must answer and"
            " send."
        ),
    ),
    (
        "values from X",
        "attention(X @ W_Q, context @ W_K, X @ W_V)",
        "The tokens that answer also send: both keys and values come from the context.",
    ),
    (
        "keys from X",
        "attention(X @ W_Q, X @ W_K, context @ W_V)",
        "The tokens that send must also answer: both keys and values come from the context.",
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
        (
            "Two matrices changed places: W_Q is for tokens that ask, and W_K is for tokens that"
            " answer."
        ),
    ),
    (
        "keys and values swapped",
        "attention(X @ W_Q, context @ W_V, context @ W_K)",
        "Queries meet keys, and values are averaged. Here keys and values have changed places.",
    ),
    (
        "queries not projected",
        "attention(X, context @ W_K, context @ W_V)",
        "X asks with its queries, and W_Q makes the queries.",
    ),
    (
        "keys not projected",
        "attention(X @ W_Q, context, context @ W_V)",
        "The context answers with its keys, and W_K makes the keys.",
    ),
    (
        "values not projected",
        "attention(X @ W_Q, context @ W_K, context)",
        "The context itself is averaged. But it sends its values, and W_V makes the values.",
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
            "Tokens are rows, so W belongs on the other side. Where W stands now, it mixes tokens"
            " instead of features."
        ),
    ),
    (
        "weights @ K",
        _projected("weights @ K"),
        "Keys only decide the weights. Average the values.",
    ),
    (
        "softmax over queries",
        _projected("softmax over queries"),
        (
            "For each query, the weights of all tokens of the context sum to 1. Which axis runs"
            " over the keys?"
        ),
    ),
    (
        "weights transposed",
        _projected("weights transposed"),
        (
            "The weights are transposed before the average. Their rows are queries already, so"
            " they need no transpose."
        ),
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
            "X itself is added to the average from the context. This addition comes in notebook"
            " 06. Return only the average here."
        ),
    ),
    (
        "divided by √d_k, which comes later",
        _projected("divided by √d_k, which comes later"),
        (
            "Your code divides by the square root of d_k. Notebook 03 gives the reason. Leave the"
            " division out here."
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
        "The output is right. Return only the output, without the weights.",
    ),
    (
        "queries and keys not projected",
        "attention(X, context, context @ W_V)",
        (
            "The scores compare X and the context as they are. W_Q must make queries from X, and"
            " W_K must make keys from the context."
        ),
    ),
    (
        "keys and values not projected",
        "attention(X @ W_Q, context, context)",
        "The context answers and sends as it is. W_K and W_V must make keys and values from it.",
    ),
    (
        "queries and values not projected",
        "attention(X, context @ W_K, context)",
        "X asks as it is, and the context sends as it is. W_Q and W_V are missing there.",
    ),
    (
        "no transpose",
        _projected("no transpose"),
        "Each score is the dot product of a query with a key. In `@` the keys must be columns.",
    ),
    (
        "features compared instead of tokens",
        _projected("features compared instead of tokens"),
        (
            "Here features are compared with features. Tokens are rows, and the scores are (T_q,"
            " T_kv)."
        ),
    ),
    (
        "one matrix for keys and values",
        "attention(X @ W_Q, context @ W_V, context @ W_V)",
        "Keys were made with the matrix of the values. Answering and sending are two jobs.",
    ),
    (
        "the context asks",
        _projected("keys and queries swapped"),
        (
            "The scores are right, but transposed: their rows are the context. Queries must be"
            " rows, and keys must be columns."
        ),
    ),
    (
        "one softmax for the whole table",
        _projected("one softmax for the whole table"),
        (
            "Here all weights together sum to 1. But the weights of each query must sum to 1, row"
            " by row."
        ),
    ),
    (
        "not divided by the sum",
        _projected("not divided by the sum"),
        (
            "exp makes the scores positive. But weights must also sum to 1 in each row: a"
            " division is missing."
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
            "The sums have lost an axis, so NumPy divides each column by one sum. Keep the axis:"
            " then each sum divides its own row."
        ),
    ),
    (
        "the softmax at the end",
        _projected("the softmax at the end"),
        (
            "Softmax turns scores into weights. Here it is applied to the output, whose rows need"
            " not sum to 1."
        ),
    ),
    (
        "softmax taken twice",
        _projected("softmax taken twice"),
        "Softmax was applied to the weights again. This makes them more equal. Once is enough.",
    ),
    (
        "A * V",
        _projected("A * V"),
        "`*` multiplies number by number. A weighted average of rows is a matrix product.",
    ),
    (
        "weights @ Q",
        _projected("weights @ Q"),
        "Queries only ask. Average the values.",
    ),
    (
        "divided by d_k",
        _projected("divided by d_k"),
        (
            "Your code divides by d_k. Notebook 03 has a similar division. Leave the scores as"
            " they are here."
        ),
    ),
    (
        "scores returned",
        _projected("scores returned"),
        "These are the scores. Two steps are left: make weights from them, and average the values.",
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
            "Only the share of the last key is left: it replaced the others. An average adds the"
            " shares of all keys."
        ),
    ),
    (
        "matrix transposed",
        "attention(X @ W_Q.T, context @ W_K.T, context @ W_V.T)",
        (
            "W has a row for each feature that goes in and a column for each feature that comes"
            " out. W needs no transpose."
        ),
    ),
    (
        "no max-subtraction",
        _projected("no max-subtraction"),
        "exp of a large score overflows and gives NaN. Use a softmax that shifts each row first.",
        {"trap": LARGE},
    ),
]
