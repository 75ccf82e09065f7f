"""Attention in NumPy: softmax, scores, masks, heads.

Arrays are ``(..., T, d)``: tokens are rows, and any number of leading axes (a batch, heads) may stand before them.
In every table of scores or weights a row is a query and a column is a key. float32 in gives float32 out.
"""

import numpy as np

from course_utils.arguments import (
    MASK_WANTED,
    ArgumentError,
    as_array,
    as_count,
    as_floats,
    as_number,
    as_tokens,
    check_attention,
    check_heads,
    same_leading_axes,
    same_width,
    short,
)


def softmax(x, axis=-1):
    r"""Turn scores into weights that are positive and sum to 1 along ``axis``.

    .. math:: \mathrm{softmax}(x)_j = e^{x_j - \max x} \big/ \sum_m e^{x_m - \max x}

    Subtracting the maximum changes nothing but keeps exp from overflowing. A row that is all -inf (nothing may be
    attended to) gives zeros. NaN in a row gives NaN in the whole row.

    Parameters: x, any shape; axis, the axis that sums to 1. Returns an array of x's shape.
    Raises ArgumentError (a ValueError) for an axis that x does not have.
    """
    x = as_floats(x, "x")
    if x.ndim == 0:
        raise ArgumentError("x", "a single number", "at least one row of scores")
    if isinstance(axis, bool) or not isinstance(axis, (int, np.integer)) or not -x.ndim <= axis < x.ndim:
        raise ArgumentError("axis", repr(axis), f"a whole number from {-x.ndim} to {x.ndim - 1} for x of shape {x.shape}")
    return _softmax_in_place(x.copy(), axis)


def attention_scores(Q, K, scale=None):
    r"""How well each query matches each key: :math:`S = \text{scale} \cdot QK^\top`.

    Parameters: Q (..., T_q, d_k); K (..., T_kv, d_k); scale, a number, 1/sqrt(d_k) unless given.
    Returns (..., T_q, T_kv). Source: Vaswani et al. 2017, section 3.2.1.
    """
    Q, K = as_tokens(Q, "Q"), as_tokens(K, "K")
    same_width(Q, K)
    same_leading_axes(Q=Q, K=K)
    return _scores(Q, K, scale)


def scaled_dot_product_attention(Q, K, V, mask=None, scale=None, softcap=None):
    r"""Each query's weighted average of the values: :math:`\mathrm{softmax}(QK^\top/\sqrt{d_k})\,V`.

    Parameters
        Q (..., T_q, d_k); K (..., T_kv, d_k); V (..., T_kv, d_v).
        mask: broadcastable to (..., T_q, T_kv). bool: True = may attend. float: added to the scores (0 or -inf).
        scale: a number, 1/sqrt(d_k) unless given.
        softcap: a positive number; squeezes the scores into (-softcap, softcap) by tanh, before the mask.
    Returns (output (..., T_q, d_v), weights (..., T_q, T_kv)). A query that may attend to nothing gets zeros.
    Source: Vaswani et al. 2017, section 3.2.1; softcap: Gemma Team 2024, section 2.
    """
    Q, K, V, mask = check_attention(Q, K, V, mask)
    weights = _weights(Q, K, mask, scale, softcap)
    return weights @ V, weights


def causal_mask(T_q, T_kv=None):
    """Who may attend to whom when nobody sees the future. Returns bool (T_q, T_kv), True = may attend.

    With T_kv > T_q the queries are the last T_q of the T_kv tokens (as with a cache of earlier keys).
    """
    T_q = as_count(T_q, "T_q")
    T_kv = T_q if T_kv is None else as_count(T_kv, "T_kv")
    if T_kv < T_q:
        raise ArgumentError("T_kv", T_kv, f"at least T_q = {T_q}: the queries are the last of the tokens")
    return np.tri(T_q, T_kv, k=T_kv - T_q, dtype=bool)


def padding_mask(lengths, T):
    """Hide the padding of a batch of sentences. Returns bool (batch, 1, T), True = a real token, which may be attended to.

    Parameters: lengths, whole numbers (batch,), how many tokens of each sentence are real; T, the padded length.
    """
    T = as_count(T, "T")
    wanted = f"a list of whole numbers from 0 to T = {T}"
    lengths = as_array(lengths, "lengths", wanted)
    whole = np.issubdtype(lengths.dtype, np.integer)
    if lengths.ndim != 1 or not whole or (lengths < 0).any() or (lengths > T).any():
        raise ArgumentError("lengths", short(lengths), wanted)
    return np.arange(T) < lengths[:, None, None]


def split_heads(X, n_heads):
    """Cut the features of every token into heads: (..., T, D) -> (..., H, T, d), d = D / H."""
    X = as_tokens(X, "X")
    n_heads = as_count(n_heads, "n_heads")
    T, D = X.shape[-2:]
    if D % n_heads:
        raise ArgumentError("n_heads", n_heads, f"a divisor of the {D} features of X {X.shape}")
    return X.reshape(*X.shape[:-1], n_heads, D // n_heads).swapaxes(-3, -2)


def merge_heads(X):
    """Put the heads of every token side by side again, the inverse of split_heads: (..., H, T, d) -> (..., T, H*d)."""
    X = as_floats(X, "X")
    if X.ndim < 3:
        raise ArgumentError("X", f"shape {X.shape}", "(..., H, T, d)")
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
    X = as_tokens(X, "X")
    context = X if context is None else as_tokens(context, "context")
    same_leading_axes(X=X, context=context)
    Q = project(X, W_Q, b_Q, "X", "W_Q", "b_Q")                               # (..., T_q, H*d_k)
    K = project(context, W_K, b_K, "context", "W_K", "b_K")                   # (..., T_kv, H*d_k)
    V = project(context, W_V, b_V, "context", "W_V", "b_V")                   # (..., T_kv, H*d_v)
    check_heads(n_heads, W_Q=np.shape(W_Q), W_K=np.shape(W_K), W_V=np.shape(W_V))
    Q, K, V = (split_heads(Z, n_heads) for Z in (Q, K, V))                     # (..., H, T, d)
    if mask is not None:
        mask = as_array(mask, "mask", MASK_WANTED)
        if 2 < mask.ndim < Q.ndim:                 # leading axes but no head axis: the same mask for every head
            mask = np.expand_dims(mask, -3)
    heads, weights = scaled_dot_product_attention(Q, K, V, mask)
    return project(merge_heads(heads), W_O, b_O, "the merged heads", "W_O", "b_O"), weights


def blockwise_attention(Q, K, V, mask=None, scale=None, block_size=128):
    """The output of scaled_dot_product_attention, a block of queries at a time, never all the weights at once.

    The extra memory is block_size * T_kv instead of T_q * T_kv. Parameters as there; block_size, queries a block.
    Returns the output (..., T_q, d_v).
    """
    Q, K, V, mask = check_attention(Q, K, V, mask)
    block_size = as_count(block_size, "block_size")
    T_q, T_kv = Q.shape[-2], K.shape[-2]
    leading = np.broadcast_shapes(Q.shape[:-2], K.shape[:-2], V.shape[:-2])
    output = np.empty((*leading, T_q, V.shape[-1]), dtype=np.result_type(Q, K, V))
    if mask is not None:
        mask = np.broadcast_to(mask, (*mask.shape[:-2], T_q, T_kv))
    for start in range(0, T_q, block_size):
        rows = slice(start, start + block_size)
        block_mask = None if mask is None else mask[..., rows, :]
        output[..., rows, :] = _weights(Q[..., rows, :], K, block_mask, scale) @ V
    return output


# The arithmetic, on arguments that have been checked.

def _scores(Q, K, scale=None):
    scale = 1 / np.sqrt(max(Q.shape[-1], 1)) if scale is None else as_number(scale, "scale")
    return (Q * Q.dtype.type(scale)) @ K.swapaxes(-1, -2)        # scaling Q costs T*d products, scaling the scores T*T


def _weights(Q, K, mask=None, scale=None, softcap=None):
    scores = _scores(Q, K, scale)
    if softcap is not None:
        softcap = as_number(softcap, "softcap", "a number above 0, or None")
        if not softcap > 0:
            raise ArgumentError("softcap", softcap, "a number above 0, or None")
        scores = softcap * np.tanh(scores / softcap)
    if mask is not None and mask.dtype == bool:
        np.copyto(scores, -np.inf, where=~mask)
    elif mask is not None:
        scores = scores + mask.astype(scores.dtype, copy=False)
    return _softmax_in_place(scores)


def _softmax_in_place(x, axis=-1):
    top = x.max(axis=axis, keepdims=True, initial=-np.inf)
    top[np.isneginf(top)] = 0                        # a row of nothing: exp(-inf) = 0 everywhere, instead of NaN
    np.subtract(x, top, out=x)
    np.exp(x, out=x)
    total = x.sum(axis=axis, keepdims=True)
    total[total == 0] = 1
    return np.divide(x, total, out=x)


def project(X, W, b, name_X, name_W, name_b):
    W = as_floats(W, name_W)
    if W.ndim != 2 or W.shape[0] != X.shape[-1]:
        raise ArgumentError(name_W, f"shape {W.shape}", f"({X.shape[-1]}, ...): a row for each feature of {name_X} {X.shape}")
    if b is None:
        return X @ W
    b = as_floats(b, name_b)
    if b.shape != W.shape[1:]:
        raise ArgumentError(name_b, f"shape {b.shape}", f"{W.shape[1:]}: a number for each column of {name_W}")
    return X @ W + b
