"""Attention in NumPy: softmax, scores, masks, heads.

Arrays are ``(..., T, d)``: tokens are rows, and any number of leading axes (a batch, heads) may stand before them.
In every table of scores or weights a row is a query and a column is a key. float32 in gives float32 out; float16 in gives
float16 out, computed in float32.
"""

import math

import numpy as np

from course_utils.arguments import as_count, as_given, at_least_float32
from course_utils.checks import (
    check_attention,
    check_causal_mask,
    check_groups,
    check_merge_heads,
    check_multi_head,
    check_padding_mask,
    check_scores,
    check_softmax,
    check_split_heads,
    check_window,
)


def softmax(x, axis=-1):
    r"""Turn scores into weights that are positive and sum to 1 along ``axis``.

    .. math:: \mathrm{softmax}(x)_j = e^{x_j - \max x} \big/ \sum_m e^{x_m - \max x}

    Subtracting the maximum changes nothing but keeps exp from overflowing. What the formula leaves open is decided by its
    limits: a score of +inf takes all the weight (several share it equally), and a row that is all -inf (nothing may be
    attended to) gives zeros. NaN in a row gives NaN in the whole row.

    Parameters: x, any shape; axis, the axis that sums to 1. Returns an array of x's shape.
    Raises ArgumentError (a ValueError) for an axis that x does not have.
    """
    x, axis = check_softmax(x, axis)
    return as_given(_softmax_in_place(x.astype(np.result_type(x, np.float32)), axis), x)


def attention_scores(Q, K, scale=None):
    r"""How well each query matches each key: :math:`S = \text{scale} \cdot QK^\top`.

    Parameters: Q (..., T_q, d_k); K (..., T_kv, d_k); scale, a number, 1/sqrt(d_k) unless given.
    Returns (..., T_q, T_kv). Source: Vaswani et al. 2017, section 3.2.1.
    """
    Q, K, scale = check_scores(Q, K, scale)
    return as_given(_scores(Q, K, scale), Q, K)


def scaled_dot_product_attention(Q, K, V, mask=None, scale=None, softcap=None):
    r"""Each query's weighted average of the values: :math:`\mathrm{softmax}(QK^\top/\sqrt{d_k})\,V`.

    Parameters
        Q (..., T_q, d_k); K (..., T_kv, d_k); V (..., T_kv, d_v).
        mask: broadcastable to (..., T_q, T_kv). bool: True = may attend. float: added to the scores, -inf hides.
        scale: a number, 1/sqrt(d_k) unless given.
        softcap: a positive number; squeezes the scores into (-softcap, softcap) by tanh, before the mask.
    Returns (output (..., T_q, d_v), weights (..., T_q, T_kv)). A query that may attend to nothing gets zeros. A hidden key
    or value is as good as absent, even if it is NaN.
    Source: Vaswani et al. 2017, section 3.2.1; softcap: Gemma 2 (Gemma Team 2024), section 2.
    """
    Q, K, V, mask, scale, softcap = check_attention(Q, K, V, mask, scale, softcap)
    weights = _weights(Q, K, mask, scale, softcap)
    output = _average(weights, V, mask)
    return as_given(output, Q, K, V), as_given(weights, Q, K)


def causal_mask(T_q, T_kv=None):
    """Who may attend to whom when nobody sees the future. Returns bool (T_q, T_kv), True = may attend.

    With T_kv > T_q the queries are the last T_q of the T_kv tokens (as with a cache of earlier keys).
    """
    T_q, T_kv = check_causal_mask(T_q, T_q if T_kv is None else T_kv)
    return np.tri(T_q, T_kv, k=T_kv - T_q, dtype=bool)


def sliding_window_mask(T_q, window, T_kv=None):
    """Each token sees itself and the tokens right before it, `window` of them in all. Returns bool (T_q, T_kv), True = may attend.

    With T_kv > T_q the queries are the last T_q of the T_kv tokens. A window of T_kv or more hides nothing that causal_mask shows.
    Source: Beltagy et al. 2020 (Longformer), section 3.1; as models that write use it: Jiang et al. 2023 (Mistral 7B), section 2.
    """
    T_q, T_kv, window = check_window(T_q, T_q if T_kv is None else T_kv, window)
    return causal_mask(T_q, T_kv) & ~np.tri(T_q, T_kv, k=T_kv - T_q - window, dtype=bool)


def padding_mask(lengths, T):
    """Hide the padding of a batch of sentences. Returns bool (batch, 1, T), True = a real token, which may be attended to.

    Parameters: lengths, whole numbers (batch,), how many tokens of each sentence are real; T, the padded length.
    """
    lengths, T = check_padding_mask(lengths, T)
    return np.arange(T) < lengths[:, None, None]


def split_heads(X, n_heads):
    """Cut the features of every token into heads: (..., T, D) -> (..., H, T, d), d = D / H."""
    X, H = check_split_heads(X, n_heads)
    return X.reshape(*X.shape[:-1], H, X.shape[-1] // H).swapaxes(-3, -2)


def merge_heads(X):
    """Put the heads of every token side by side again, the inverse of split_heads: (..., H, T, d) -> (..., T, H*d)."""
    [X] = check_merge_heads(X)
    H, T, d = X.shape[-3:]
    return X.swapaxes(-3, -2).reshape(*X.shape[:-3], T, H * d)


def multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads, mask=None, context=None,
                         b_Q=None, b_K=None, b_V=None, b_O=None):
    r"""Several attentions side by side, mixed by W_O: :math:`[\mathrm{head}_1 | \dots | \mathrm{head}_H]\,W_O`.

    Parameters
        X (..., T_q, D); context (..., T_kv, D_c) for cross-attention, X itself unless given.
        W_Q (D, H*d_k); W_K (D_c, H*d_k); W_V (D_c, H*d_v); W_O (H*d_v, D_out); biases as long as their matrix is wide.
        mask: (T_q, T_kv), or with the leading axes of X, the same for every head; or (..., H, T_q, T_kv).
    Returns (output (..., T_q, D_out), weights (..., H, T_q, T_kv)). Source: Vaswani et al. 2017, section 3.2.2.
    """
    X, context, mask, (W_Q, W_K, W_V, W_O), (b_Q, b_K, b_V, b_O) = check_multi_head(
        X, context, mask, n_heads, (W_Q, W_K, W_V, W_O), (b_Q, b_K, b_V, b_O))
    Q = split_heads(project(X, W_Q, b_Q), n_heads)                             # (..., H, T_q, d_k)
    K = split_heads(project(context, W_K, b_K), n_heads)                       # (..., H, T_kv, d_k)
    V = split_heads(project(context, W_V, b_V), n_heads)                       # (..., H, T_kv, d_v)
    heads, weights = scaled_dot_product_attention(Q, K, V, mask)               # (..., H, T_q, d_v)
    return project(merge_heads(heads), W_O, b_O), weights


def grouped_query_attention(Q, K, V, mask=None, scale=None, softcap=None):
    r"""Many heads of queries, fewer heads of keys and values: neighbours share. With as many of both it is the usual attention.

    Parameters
        Q (..., H, T_q, d_k); K (..., H_kv, T_kv, d_k); V (..., H_kv, T_kv, d_v), H a multiple of H_kv: head h of the queries
        looks at head h // (H / H_kv) of the keys. H_kv = 1 is multi-query attention. Keys and values are not copied.
        mask: broadcastable to (..., H, T_q, T_kv); scale, softcap: as in scaled_dot_product_attention.
    Returns (output (..., H, T_q, d_v), weights (..., H, T_q, T_kv)).
    Sources: Shazeer 2019 (one head of keys for all); Ainslie et al. 2023 (GQA), section 2.2.
    """
    groups, K, V, mask = check_groups(Q, K, V, mask)                           # (..., H_kv, H/H_kv, T_q, d_k)
    output, weights = scaled_dot_product_attention(groups, K, V, mask, scale, softcap)
    return _ungroup(output), _ungroup(weights)


def blockwise_attention(Q, K, V, mask=None, scale=None, block_size=128):
    """The output of scaled_dot_product_attention, a block of queries at a time, never all the weights at once.

    The extra memory is block_size * T_kv instead of T_q * T_kv. Parameters as there; block_size, queries a block.
    Returns the output (..., T_q, d_v). Here a block holds whole rows of scores. Who cuts the keys into blocks, too, needs a
    softmax that is mended as it goes, the online softmax of Milakov and Gimelshein 2018 (in FlashAttention: Dao et al. 2022).
    """
    Q, K, V, mask, scale, _ = check_attention(Q, K, V, mask, scale)
    block_size = as_count(block_size, "block_size")
    T_q, T_kv = Q.shape[-2], K.shape[-2]
    leading = np.broadcast_shapes(Q.shape[:-2], K.shape[:-2], V.shape[:-2])
    output = np.empty((*leading, T_q, V.shape[-1]), dtype=np.result_type(Q, K, V))
    if mask is not None:
        mask = np.broadcast_to(mask, (*mask.shape[:-2], T_q, T_kv))
    for start in range(0, T_q, block_size):
        rows = slice(start, start + block_size)
        block_mask = None if mask is None else mask[..., rows, :]
        output[..., rows, :] = _average(_weights(Q[..., rows, :], K, block_mask, scale), V, block_mask)
    return output


def project(X, W, b=None):
    """Every token through the same matrix: X W, plus the bias b where there is one."""
    return X @ W if b is None else X @ W + b


def _ungroup(x):
    return x.reshape(*x.shape[:-4], x.shape[-4] * x.shape[-3], *x.shape[-2:])


# The arithmetic, on arguments that have been checked. Scores and weights are float32 at least.

def _scores(Q, K, scale=None):
    scale = 1 / math.sqrt(max(Q.shape[-1], 1)) if scale is None else scale
    return (at_least_float32(Q) * scale) @ at_least_float32(K).swapaxes(-1, -2)  # scaling Q costs T*d products, the scores T*T


def _weights(Q, K, mask=None, scale=None, softcap=None):
    scores = _scores(Q, K, scale)
    if softcap is not None:
        scores = softcap * np.tanh(scores / softcap)
    if mask is not None:
        np.copyto(scores, -np.inf, where=~_visible(mask))
        if mask.dtype.kind == "f":
            scores += mask.astype(scores.dtype, copy=False)
    return _softmax_in_place(scores)


def _visible(mask):
    return mask if mask.dtype.kind == "b" else mask != -np.inf


def _largest(x, axis):
    """The largest along an axis, which stays; -inf of nothing. NumPy takes up to thirty times as long along a short last axis as along a first."""
    if x.shape[axis] < 16 and x.size > 4096:
        return x.swapaxes(axis, 0).copy().max(axis=0, keepdims=True).swapaxes(axis, 0)
    return x.max(axis=axis, keepdims=True, initial=-np.inf)


def _softmax_in_place(x, axis=-1):
    top = _largest(x, axis)
    strange = not np.isfinite(top).all()             # a row of nothing, or one with +inf or NaN
    if strange:
        if (top == np.inf).any():                    # +inf beats every number: the others drop out
            np.copyto(x, np.where(x == np.inf, 0, -np.inf), where=top == np.inf)
        top[np.isinf(top)] = 0                       # exp(-inf) = 0 everywhere, instead of NaN
    np.subtract(x, top, out=x)
    np.exp(x, out=x)
    total = x.sum(axis=axis, keepdims=True)
    if strange:
        total[total == 0] = 1
    return np.divide(x, total, out=x)


def _average(weights, V, mask):
    """weights @ V, but a value that is NaN or infinite reaches only those who may see it (0 * NaN would be NaN)."""
    if mask is None or np.isfinite(V).all():
        return weights @ V
    strange, visible = ~np.isfinite(V), np.broadcast_to(_visible(mask), weights.shape)
    output = weights @ np.where(strange, 0, V)
    for j in np.unique(np.nonzero(strange)[-2]):                               # few: one key after the other
        value = np.where(strange, V, 0)[..., [j], :]
        with np.errstate(invalid="ignore"):
            output += np.where(visible[..., [j]], weights[..., [j]] * value, 0)
    return output
