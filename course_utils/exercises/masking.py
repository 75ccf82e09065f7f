"""The exercises of notebook 04: the causal mask, and attention under a mask."""

import numpy as np

from course_utils import attention as course
from course_utils.attention import scaled_dot_product_attention, softmax
from course_utils.exercises.checking import Exercise

RNG = np.random.default_rng(4)


def causal_mask(T):
    return course.causal_mask(T)


CAUSAL_MASK = Exercise("causal_mask", causal_mask, inputs=[(4,), (1,), (7,)])


@CAUSAL_MASK.mistake("strict mask", "A token may attend to itself. Without its own place the first row has nothing at all.")
def without_itself(T):
    return np.tri(T, k=-1, dtype=bool)


@CAUSAL_MASK.mistake("inverted mask", "In this course True means: may attend. Your True marks what is hidden.")
def true_means_hide(T):
    return ~np.tri(T, dtype=bool)


@CAUSAL_MASK.mistake("transposed mask", "Rows are queries, columns are keys. Your first token sees everything and your last only itself.")
def looks_ahead(T):
    return np.tri(T, dtype=bool).T


@CAUSAL_MASK.mistake("numbers instead of truth values",
                 "The pattern is right, but ones and zeros are numbers: as a mask they would be added. Make it dtype=bool.")
def ones_and_zeros(T):
    return np.tri(T)


@CAUSAL_MASK.mistake("an additive mask", "0 and -inf are what is added to the scores. Asked is the table of truth values.")
def zeros_and_infinities(T):
    return np.where(np.tri(T, dtype=bool), 0.0, -np.inf)


@CAUSAL_MASK.mistake("only itself", "This is the diagonal: every token alone. Everything before it may be seen, too.")
def diagonal(T):
    return np.eye(T, dtype=bool)


def masked_attention(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, mask)


def _qkv(dtype=float):
    return tuple(RNG.normal(size=shape).astype(dtype) for shape in [(4, 3), (4, 3), (4, 2)])


LAST_TWO_ARE_PADDING = np.array([[True, True, False, False]] * 4)
FIRST_ROW_HAS_NOTHING = np.tri(4, k=-1, dtype=bool)

MASKED = Exercise("masked_attention", masked_attention, inputs=[
    (*_qkv(), course.causal_mask(4)),
    (*_qkv(), LAST_TWO_ARE_PADDING),
    (*_qkv(np.float16), course.causal_mask(4)),
    (*_qkv(), FIRST_ROW_HAS_NOTHING),
])


def _scores(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[1]).astype(Q.dtype)


def _hidden_by(Q, K, V, mask, minus):
    """Attention with the scores of hidden keys set to `minus`, and no care for a row of nothing."""
    scores = np.where(mask, _scores(Q, K), Q.dtype.type(minus))
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ V, weights


@MASKED.mistake("mask ignored", "Hidden keys still get weight. The mask must enter before the softmax.")
def no_mask(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V)


@MASKED.mistake("mask after softmax", "Zeroing weights leaves rows that no longer sum to 1, and the rest still depends on the hidden keys. "
                "Set the hidden scores to -inf before the softmax.")
def zeroed_weights(Q, K, V, mask):
    weights = softmax(_scores(Q, K)) * mask
    return weights @ V, weights


@MASKED.mistake("scores set to zero", "A score of 0 is an ordinary score: exp(0) = 1. To give no weight it must be -inf.")
def zeroed_scores(Q, K, V, mask):
    weights = softmax(_scores(Q, K) * mask)
    return weights @ V, weights


@MASKED.mistake("inverted mask", "True means: may attend. Here the allowed keys are hidden, and the hidden ones are seen.")
def inverted(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, ~mask)


@MASKED.mistake("strict mask", "A token lost sight of itself. Use the mask as it comes.")
def strict(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, mask & ~np.eye(*mask.shape, dtype=bool))


@MASKED.mistake("transposed mask", "Rows of the mask are queries, columns are keys, as in the scores. It needs no transpose.")
def transposed(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, mask.T)


@MASKED.mistake("not scaled", "The mask is right, but the division by the square root of d_k is missing.")
def unscaled(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, mask, scale=1)


@MASKED.mistake("softmax over queries", "For each query the weights over the keys sum to 1: softmax over the last axis.")
def keys_share_out(Q, K, V, mask):
    weights = softmax(np.where(mask, _scores(Q, K), -np.inf), axis=0)
    return weights @ V, weights


@MASKED.mistake("−1e9 in float16", "float16 ends at 65504, so −1e9 becomes -inf, and 0 * -inf is NaN. Write np.where(mask, scores, -np.inf).")
def added_minus_a_billion(Q, K, V, mask):
    hide = (1 - mask.astype(Q.dtype)) * Q.dtype.type(-1e9)
    scores = _scores(Q, K) + hide
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ V, weights


@MASKED.mistake("a row of nothing spreads over what is hidden", "Where every score is −1e9, all are equal again, "
                "and the query averages exactly what it must not see. Use -inf, and zeros for a row of nothing.")
def large_negative_number(Q, K, V, mask):
    return _hidden_by(Q, K, V, mask, -1e9 if Q.dtype == float else -np.inf)


@MASKED.mistake("−1e9 added to a row of nothing", "Adding the same number to every score of a row changes nothing, "
                "so this query attends as if there were no mask. Use -inf, and zeros for a row of nothing.")
def added_in_float64(Q, K, V, mask):
    weights = softmax(_scores(Q, K) + (1 - mask) * -1e9)
    return weights @ V, weights


@MASKED.mistake("row of nothing gives NaN", "Where every score is -inf, softmax is 0/0. Such a query sees nothing: give it zeros.")
def zero_by_zero(Q, K, V, mask):
    return _hidden_by(Q, K, V, mask, -np.inf)


EXERCISES = [CAUSAL_MASK, MASKED]
