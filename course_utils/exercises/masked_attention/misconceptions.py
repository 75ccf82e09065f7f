"""Known misconceptions of `masked_attention`: (name, code, question), and options where there are
some."""

import numpy as np

from course_utils import attention as course
from course_utils.attention import scaled_dot_product_attention, softmax
from course_utils.exercises.masked_attention.exercise import HALF, LARGE, NOTHING


def _scores(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[1]).astype(Q.dtype)


def _shares(scores):
    """Softmax as one writes it at first: without care for a row of nothing."""
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def _both(weights, V):
    return weights @ V, weights


def _hidden(Q, K, mask, minus=-np.inf):
    """The scaled scores, `minus` where the mask says no."""
    return np.where(mask, _scores(Q, K), Q.dtype.type(minus))


TABLE = [
    (
        "mask ignored",
        "scaled_dot_product_attention(Q, K, V)",
        "Hidden keys still get weight. Use the mask before the softmax.",
        {"unused_arguments": "mask"},
    ),
    (
        "mask after softmax",
        "_both(softmax(_scores(Q, K)) * mask, V)",
        (
            "If weights are set to 0, rows no longer sum to 1, and the other weights still depend"
            " on the hidden keys. Hide the scores, before the softmax."
        ),
    ),
    (
        "mask after softmax, then divided again",
        """
weights = softmax(_scores(Q, K)) * mask
total = weights.sum(axis=-1, keepdims=True)
return _both(weights / np.where(total == 0, 1, total), V)
""",
        (
            "The softmax used the hidden keys, too. If a hidden key has by far the largest score,"
            " exp gives 0 for all visible keys. Hide the scores before the softmax."
        ),
        {"trap": LARGE},
    ),
    (
        "scores set to zero",
        "_both(softmax(_scores(Q, K) * mask), V)",
        "A score of 0 is an ordinary score: exp(0) = 1. Which score does exp turn into 0?",
    ),
    (
        "mask added as it is",
        "_both(softmax(_scores(Q, K) + mask), V)",
        (
            "True counts as 1 here, so visible keys get 1 more. But hidden keys must get no"
            " weight at all."
        ),
    ),
    (
        "0 · ∞",
        "_both(softmax(_scores(Q, K) + ~mask * -np.inf), V)",
        (
            "-inf is multiplied by a table of True and False. False counts as 0, and 0 · ∞ has no"
            " value: it is NaN. Choose between two numbers instead of multiplying."
        ),
    ),
    (
        "a small number in place of -inf",
        "_both(softmax(_hidden(Q, K, mask, -1)), V)",
        (
            "A hidden score of -1 is an ordinary score: exp(-1) is 0.37. Which score does exp turn "
            "into 0?"
        ),
    ),
    (
        "+inf in place of -inf",
        "_both(_shares(_hidden(Q, K, mask, np.inf)), V)",
        "exp of +inf is infinite, so the hidden keys would get all the weight. Check the sign.",
    ),
    (
        "inverted mask",
        "scaled_dot_product_attention(Q, K, V, ~mask)",
        "True means: may attend. Here the allowed keys are hidden, and the hidden keys are seen.",
    ),
    (
        "inverted mask, a row of nothing gives NaN",
        "_both(_shares(_hidden(Q, K, ~mask)), V)",
        (
            "True means: may attend. Here the allowed keys are hidden, and the hidden keys are"
            " seen. If a row allows all keys, nothing is left."
        ),
    ),
    (
        "strict mask",
        "scaled_dot_product_attention(Q, K, V, mask & ~np.eye(*mask.shape, dtype=bool))",
        "A token no longer sees itself. Use the mask and do not change it.",
    ),
    (
        "transposed mask",
        "scaled_dot_product_attention(Q, K, V, mask.T)",
        (
            "Rows of the mask are queries, columns are keys, as in the scores. The mask needs no"
            " transpose."
        ),
    ),
    (
        "a causal mask of its own",
        "scaled_dot_product_attention(Q, K, V, course.causal_mask(len(Q)))",
        (
            "This always hides the future and ignores the given mask. The mask is an argument: it"
            " can hide padding, too."
        ),
    ),
    (
        "output and weights in the wrong order",
        "scaled_dot_product_attention(Q, K, V, mask)[::-1]",
        "Both are right. But the output comes first, and the weights come second.",
    ),
    (
        "output alone",
        "scaled_dot_product_attention(Q, K, V, mask)[0]",
        "The output is right. Return two things: the output and the weights.",
    ),
    (
        "weights alone",
        "scaled_dot_product_attention(Q, K, V, mask)[1]",
        "The weights are right. Return two things: the output and the weights.",
    ),
    (
        "weights of before the mask",
        "scaled_dot_product_attention(Q, K, V, mask)[0], softmax(_scores(Q, K))",
        (
            "The output is right, but the weights were computed without the mask. Return the"
            " weights that made the output."
        ),
    ),
    (
        "scores in place of weights",
        "scaled_dot_product_attention(Q, K, V, mask)[0], _hidden(Q, K, mask)",
        "The output is right. But the second thing to return is the weights, not the scores.",
    ),
    (
        "output of before the mask",
        "softmax(_scores(Q, K)) @ V, scaled_dot_product_attention(Q, K, V, mask)[1]",
        (
            "The weights are right, but the output was made with unmasked weights. Average with"
            " the masked weights."
        ),
    ),
    (
        "+1e9 in place of -1e9",
        "_both(softmax(_hidden(Q, K, mask, 1e9 if Q.dtype == float else 6e4)), V)",
        "The hidden keys get the largest score of all, and so all the weight. Check the sign.",
    ),
    (
        "-10 in place of -inf",
        "_both(softmax(_hidden(Q, K, mask, -10)), V)",
        (
            "exp(-10) is small, but not 0: something still leaks. Which score does exp turn into "
            "exactly 0?"
        ),
    ),
    (
        "inverted mask, -1e9",
        "_both(softmax(_hidden(Q, K, ~mask, -1e9 if Q.dtype == float else -np.inf)), V)",
        "True means: may attend. Here the allowed keys get the score that should hide a key.",
    ),
    (
        "inverted mask, -1e9 added",
        "_both(softmax(_scores(Q, K) + mask * -1e9), V)",
        (
            "True means: may attend. Here the scores of allowed keys lose 1e9, and the scores of"
            " hidden keys lose nothing."
        ),
    ),
    (
        "the mask on the scores as a product, -1e9 for all",
        "_both(softmax(_scores(Q, K) * (~mask) * -1e9), V)",
        (
            "The mask multiplies the score, but -1e9 should be added. Where the mask is True, the"
            " score is lost."
        ),
    ),
    (
        "renormalised over queries",
        """
weights = softmax(_scores(Q, K)) * mask
return _both(weights / weights.sum(axis=0, keepdims=True), V)
""",
        (
            "The hidden weights are 0, but the other weights were divided by the sums of the"
            " columns. Each row must sum to 1."
        ),
    ),
    (
        "mask after softmax, the sums along the wrong side",
        """
weights = softmax(_scores(Q, K)) * mask
return _both(weights / weights.sum(axis=1), V)
""",
        (
            "The hidden weights are 0, but each row's sum divided a column. Each sum must divide"
            " its own row."
        ),
    ),
    (
        "values hidden instead of scores",
        "(softmax(_scores(Q, K)) * mask) @ V, softmax(_scores(Q, K))",
        (
            "The weights were computed without the mask, so hidden keys still get weight. Hide the"
            " scores."
        ),
    ),
    (
        "not divided by the sum",
        "_both(np.exp(_hidden(Q, K, mask)), V)",
        (
            "exp makes the visible scores positive and the hidden scores 0. But weights must also"
            " sum to 1 in each row: a division is missing."
        ),
    ),
    (
        "shifted, but not divided by the sum",
        """
scores = _hidden(Q, K, mask)
return _both(np.exp(scores - scores.max(axis=-1, keepdims=True)), V)
""",
        (
            "exp of the shifted scores is positive and at most 1. But weights must sum to 1 in"
            " each row: a division is missing."
        ),
    ),
    (
        "one softmax for the whole table",
        """
e = np.exp(_hidden(Q, K, mask))
return _both(e / e.sum(), V)
""",
        (
            "All weights together sum to 1. But the weights of each query must sum to 1: divide"
            " row by row."
        ),
    ),
    (
        "softmax taken twice",
        "_both(softmax(softmax(_hidden(Q, K, mask))), V)",
        (
            "Softmax was applied to the weights again, so a weight of 0 became positive. Use"
            " softmax only once."
        ),
    ),
    (
        "softmax before the mask, and after",
        "_both(softmax(np.where(mask, softmax(_scores(Q, K)), -np.inf)), V)",
        (
            "The mask is between two softmaxes, and the first one already used the hidden keys."
            " Hide the scores."
        ),
    ),
    (
        "weights transposed",
        """
weights = scaled_dot_product_attention(Q, K, V, mask)[1]
return weights.T @ V, weights
""",
        (
            "The weights are transposed before they average. Their rows are queries: they need no"
            " transpose."
        ),
    ),
    (
        "keys and values swapped",
        "scaled_dot_product_attention(Q, V, K, mask)",
        "Queries meet keys, and the weights average values. Here keys and values are exchanged.",
    ),
    (
        "no transpose",
        "_both(softmax(np.where(mask, Q @ K / np.sqrt(Q.shape[1]), -np.inf)), V)",
        "Each score is the dot product of a query with a key. In `@`, the keys must be columns.",
    ),
    (
        "V + A @ V",
        """
output, weights = scaled_dot_product_attention(Q, K, V, mask)
return V + output, weights
""",
        (
            "The token's own value is added to the average. But the average already contains it,"
            " like every other value."
        ),
    ),
    (
        "A * V",
        """
weights = scaled_dot_product_attention(Q, K, V, mask)[1]
return weights * V, weights
""",
        "`*` multiplies number by number. A weighted average of rows is a matrix product.",
    ),
    (
        "multiplied instead of divided",
        "scaled_dot_product_attention(Q, K, V, mask, scale=np.sqrt(Q.shape[1]))",
        (
            "The mask is right, but the scores already grow with d_k. Multiplying makes them even"
            " larger: divide."
        ),
    ),
    (
        "half the width in place of its root",
        "scaled_dot_product_attention(Q, K, V, mask, scale=2 / Q.shape[1])",
        (
            "In Python `d ** 1/2` is half of d: the power comes before the division. Where do you"
            " need brackets?"
        ),
    ),
    (
        "divided by √d_v",
        "scaled_dot_product_attention(Q, K, V, mask, scale=1 / np.sqrt(V.shape[1]))",
        (
            "The mask is right, but the scores are made of queries and keys. The width of the"
            " values does not matter."
        ),
    ),
    (
        "scaled after softmax",
        "_both(scaled_dot_product_attention(Q, K, V, mask, scale=1)[1] / np.sqrt(Q.shape[1]), V)",
        (
            "The mask is right, but scaled weights no longer sum to 1. Scale the scores, before"
            " the softmax."
        ),
    ),
    (
        "scaled twice",
        "scaled_dot_product_attention(Q / np.sqrt(Q.shape[1]), K, V, mask)",
        (
            "The mask is right, and the root is right, but the root divides twice: that is a"
            " division by d_k. Once is enough."
        ),
        {"requires": "a root"},
    ),
    (
        "not scaled",
        "scaled_dot_product_attention(Q, K, V, mask, scale=1)",
        "The mask is right, but the division by the square root of d_k is missing.",
    ),
    (
        "divided by d_k",
        "scaled_dot_product_attention(Q, K, V, mask, scale=1 / Q.shape[1])",
        "The mask is right, but the scores are divided by d_k. Where is the root?",
    ),
    (
        "divided by √T of the keys",
        "scaled_dot_product_attention(Q, K, V, mask, scale=1 / np.sqrt(len(K)))",
        (
            "The mask is right, but this is the number of keys. A score is a sum over the d_k"
            " features: which number belongs under the root?"
        ),
    ),
    (
        "softmax over queries",
        "_both(softmax(_hidden(Q, K, mask), axis=0), V)",
        (
            "For each query the weights over the keys sum to 1. Which axis of your scores runs over"
            " the keys?"
        ),
    ),
    (
        "softmax missing",
        "_both(_scores(Q, K) * mask, V)",
        (
            "The masked scores are used as they are. They must become weights that sum to 1 in each"
            " row."
        ),
    ),
    (
        "keys and queries swapped",
        "scaled_dot_product_attention(K, Q, V, mask)",
        "Queries are the rows of the scores, and keys are the columns. Here each key is a row.",
    ),
    (
        "weights @ K",
        "scaled_dot_product_attention(Q, K, K, mask)",
        "Keys only decide the weights. The weights average the values.",
    ),
    (
        "keepdims forgotten",
        """
scores = _hidden(Q, K, mask)
e = np.exp(scores - scores.max(axis=-1, keepdims=True))
return _both(e / e.sum(axis=-1), V)
""",
        (
            "The sums have lost an axis, (T,), so NumPy lays them along the columns. Keep the axis:"
            " then each sum divides its own row."
        ),
    ),
    (
        "keepdims forgotten in both places",
        """
scores = _hidden(Q, K, mask)
e = np.exp(scores - scores.max(axis=-1))
return _both(e / e.sum(axis=-1), V)
""",
        (
            "The maxima and the sums have lost an axis, (T,), so NumPy lays them along the columns."
            " Keep the axis in both: each row has its own maximum and its own sum."
        ),
    ),
    (
        "−1e9 in float16",
        """
hide = (1 - mask.astype(Q.dtype)) * Q.dtype.type(-1e9)
return _both(_shares(_scores(Q, K) + hide), V)
""",
        (
            "float16 ends at 65504, so −1e9 becomes -inf there, and 0 · -inf is NaN. Choose between"
            " two numbers instead of adding a multiple."
        ),
        {"trap": HALF},
    ),
    (
        "a row of nothing spreads over what is hidden",
        "_both(_shares(_hidden(Q, K, mask, -1e9 if Q.dtype == float else -np.inf)), V)",
        (
            "A query that sees nothing gives all keys the same weight, and averages exactly what it"
            " must not see. It should get zeros."
        ),
        {"trap": NOTHING},
    ),
    (
        "−1e9 added to a row of nothing",
        "_both(softmax(_scores(Q, K) + (1 - mask) * -1e9), V)",
        (
            "Adding the same number to every score of a row changes nothing, so this query attends"
            " as without a mask. A query that sees nothing should get zeros."
        ),
        {"trap": NOTHING},
    ),
    (
        "row of nothing gives NaN",
        "_both(_shares(_hidden(Q, K, mask)), V)",
        (
            "If all keys are hidden, the sum is 0, and 0/0 is NaN. Such a query sees nothing: give"
            " it zeros."
        ),
        {"trap": NOTHING},
    ),
    (
        "no max-subtraction",
        """
e = np.exp(_hidden(Q, K, mask))
total = e.sum(axis=-1, keepdims=True)
return _both(e / np.where(total == 0, 1, total), V)
""",
        "exp of a large score overflows and gives NaN. Use a softmax that shifts each row first.",
        {"trap": LARGE},
    ),
    (
        "no max-subtraction, and a row of nothing gives NaN",
        """
e = np.exp(_hidden(Q, K, mask))
return _both(e / e.sum(axis=-1, keepdims=True), V)
""",
        (
            "If every score is -inf, every exp is 0, and 0/0 is NaN: give such a query zeros."
            " After that, try large scores."
        ),
        {"trap": NOTHING},
    ),
    (
        "one key too far",
        """
seen = np.array(mask)
seen[1:, 1:] |= seen[1:, :-1]
return scaled_dot_product_attention(Q, K, V, seen)
""",
        (
            "From the second row on, each query sees one key more than the mask allows. Does a"
            " loop go one step too far?"
        ),
    ),
    (
        "every score of 0 hidden",
        """
scores = Q @ K.T / np.sqrt(Q.shape[1]) * mask
weights = softmax(np.where(scores == 0, -np.inf, scores))
return weights @ V, weights
""",
        (
            "Where the mask is False, the score became 0, and then every score of 0 was hidden."
            " Can an allowed key have a score of 0?"
        ),
    ),
]
