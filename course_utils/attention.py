"""Attention in NumPy: softmax, scores, masks, heads.

Arrays are ``(..., T, d)``: tokens are rows, and any number of leading axes (a batch, heads) may
stand before them. In every table of scores or weights a row is a query and a column is a key.
float32 in gives float32 out; float16 in gives float16 out, computed in float32.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_utils.arguments import Array, as_count, as_given, at_least_float32
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

Mask = NDArray[np.bool]


def softmax(x: ArrayLike, axis: int = -1) -> Array:
    r"""Turn scores into weights that are positive and sum to 1 along an axis.

    .. math:: \mathrm{softmax}(x)_j = e^{x_j - \max x} \big/ \sum_m e^{x_m - \max x}

    Subtracting the maximum changes nothing but keeps exp from overflowing. What the formula leaves
    open is decided by its limits: a score of +inf takes all the weight (several share it equally),
    and a row that is all -inf (nothing may be attended to) gives zeros. NaN in a row gives NaN in
    the whole row. Source: Bridle 1990.

    Parameters:
        x: scores, any shape.
        axis: the axis that sums to 1.
    Returns:
        The weights, in x's shape.
    Raises:
        ArgumentError: (a ValueError) for a single number, or an axis that x does not have.
    Example:
        >>> softmax([[0, np.log(3)], [5, -np.inf]])
        array([[0.25, 0.75],
               [1.  , 0.  ]])
    """
    x, axis = check_softmax(x, axis)
    return as_given(_softmax_in_place(x.astype(np.result_type(x, np.float32)), axis), x)


def attention_scores(Q: ArrayLike, K: ArrayLike, scale: float | None = None) -> Array:
    r"""How well each query matches each key: :math:`S = \text{scale} \cdot QK^\top`.

    Source: Vaswani et al. 2017, section 3.2.1.

    Parameters:
        Q: (..., T_q, d_k).
        K: (..., T_kv, d_k).
        scale: 1/sqrt(d_k) unless given.
    Returns:
        The scores (..., T_q, T_kv).
    Raises:
        ArgumentError: for queries and keys that do not fit each other.
    Example:
        >>> attention_scores([[1, 0, 0, 0], [1, 1, 1, 1]], [[2, 2, 2, 2]])
        array([[1.],
               [4.]])
    """
    Q, K, scale = check_scores(Q, K, scale)
    return as_given(_scores(Q, K, scale), Q, K)


def scaled_dot_product_attention(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    mask: ArrayLike | None = None,
    scale: float | None = None,
    softcap: float | None = None,
) -> tuple[Array, Array]:
    r"""Each query's weighted average of the values.

    .. math:: \mathrm{softmax}(QK^\top / \sqrt{d_k})\,V

    A query that may attend to nothing gets zeros. A hidden key or value is as good as absent, even
    if it is NaN. Sources: Vaswani et al. 2017, section 3.2.1; softcap: Gemma 2 (Gemma Team 2024),
    section 2.

    Parameters:
        Q: (..., T_q, d_k).
        K: (..., T_kv, d_k).
        V: (..., T_kv, d_v).
        mask: broadcasts to (..., T_q, T_kv). bool: True = may attend. float: added to the scores,
            -inf hides.
        scale: 1/sqrt(d_k) unless given.
        softcap: squeezes the scores into (-softcap, softcap) by tanh, before the mask.
    Returns:
        The output (..., T_q, d_v) and the weights (..., T_q, T_kv).
    Raises:
        ArgumentError: for an argument that does not fit the others.
    Example:
        >>> Q, K, V = [[0, 0]], [[1, 0], [0, 1]], [[2, 4, 6], [4, 6, 8]]
        >>> output, weights = scaled_dot_product_attention(Q, K, V)
        >>> output, weights
        (array([[3., 5., 7.]]), array([[0.5, 0.5]]))
    """
    Q, K, V, mask, scale, softcap = check_attention(Q, K, V, mask, scale, softcap)
    weights = _weights(Q, K, mask, scale, softcap)
    output = _average(weights, V, mask)
    return as_given(output, Q, K, V), as_given(weights, Q, K)


def causal_mask(T_q: int, T_kv: int | None = None) -> Mask:
    """Who may attend to whom when nobody sees the future.

    Source: Vaswani et al. 2017, section 3.2.3.

    Parameters:
        T_q: the number of queries.
        T_kv: the number of keys, T_q unless given. With more keys the queries are the last T_q of
            the T_kv tokens (as with a cache of earlier keys).
    Returns:
        bool (T_q, T_kv), True = may attend.
    Raises:
        ArgumentError: for numbers that are no lengths, or fewer keys than queries.
    Example:
        >>> causal_mask(2, 3)
        array([[ True,  True, False],
               [ True,  True,  True]])
    """
    T_q, T_kv = check_causal_mask(T_q, T_q if T_kv is None else T_kv)
    return np.tri(T_q, T_kv, k=T_kv - T_q, dtype=bool)


def sliding_window_mask(T_q: int, window: int, T_kv: int | None = None) -> Mask:
    """Each token sees itself and the tokens right before it, `window` of them in all.

    A window of T_kv or more hides nothing that causal_mask shows. Sources: Beltagy et al. 2020
    (Longformer), section 3.1; in models that write: Jiang et al. 2023 (Mistral 7B), section 2.

    Parameters:
        T_q: the number of queries.
        window: how many tokens each sees.
        T_kv: the number of keys, T_q unless given. The queries are the last of the tokens.
    Returns:
        bool (T_q, T_kv), True = may attend.
    Raises:
        ArgumentError: for numbers that are no lengths, or fewer keys than queries.
    Example:
        >>> sliding_window_mask(3, 2).astype(int)
        array([[1, 0, 0],
               [1, 1, 0],
               [0, 1, 1]])
    """
    T_q, T_kv, window = check_window(T_q, T_q if T_kv is None else T_kv, window)
    return causal_mask(T_q, T_kv) & ~np.tri(T_q, T_kv, k=T_kv - T_q - window, dtype=bool)


def padding_mask(lengths: ArrayLike, T: int) -> Mask:
    """Hide the padding of a batch of sentences.

    Parameters:
        lengths: whole numbers (batch,), how many tokens of each sentence are real.
        T: the padded length.
    Returns:
        bool (batch, 1, T), True = a real token, which may be attended to.
    Raises:
        ArgumentError: for lengths that are no whole numbers from 0 to T.
    Example:
        >>> padding_mask([1, 3], 3)
        array([[[ True, False, False]],
        <BLANKLINE>
               [[ True,  True,  True]]])
    """
    lengths, T = check_padding_mask(lengths, T)
    return np.arange(T) < lengths[:, None, None]


def split_heads(X: ArrayLike, n_heads: int) -> Array:
    """Cut the features of every token into heads.

    Parameters:
        X: (..., T, D).
        n_heads: H, a divisor of D.
    Returns:
        (..., H, T, d) with d = D / H.
    Raises:
        ArgumentError: for a number of heads that does not divide the features.
    Example:
        >>> split_heads([[1, 2, 3, 4], [5, 6, 7, 8]], 2)
        array([[[1., 2.],
                [5., 6.]],
        <BLANKLINE>
               [[3., 4.],
                [7., 8.]]])
    """
    X, H = check_split_heads(X, n_heads)
    return X.reshape(*X.shape[:-1], H, X.shape[-1] // H).swapaxes(-3, -2)


def merge_heads(X: ArrayLike) -> Array:
    """Put the heads of every token side by side again, the inverse of split_heads.

    Parameters:
        X: (..., H, T, d).
    Returns:
        (..., T, H*d).
    Raises:
        ArgumentError: for fewer than three axes.
    Example:
        >>> merge_heads([[[1, 2], [5, 6]], [[3, 4], [7, 8]]])
        array([[1., 2., 3., 4.],
               [5., 6., 7., 8.]])
    """
    [X] = check_merge_heads(X)
    H, T, d = X.shape[-3:]
    return X.swapaxes(-3, -2).reshape(*X.shape[:-3], T, H * d)


def multi_head_attention(
    X: ArrayLike,
    W_Q: ArrayLike,
    W_K: ArrayLike,
    W_V: ArrayLike,
    W_O: ArrayLike,
    n_heads: int,
    mask: ArrayLike | None = None,
    context: ArrayLike | None = None,
    b_Q: ArrayLike | None = None,
    b_K: ArrayLike | None = None,
    b_V: ArrayLike | None = None,
    b_O: ArrayLike | None = None,
) -> tuple[Array, Array]:
    r"""Several attentions side by side, mixed by W_O.

    .. math:: [\mathrm{head}_1 | \dots | \mathrm{head}_H]\,W_O

    Source: Vaswani et al. 2017, section 3.2.2.

    Parameters:
        X: (..., T_q, D).
        W_Q, W_K, W_V: (D, H*d_k), (D_c, H*d_k), (D_c, H*d_v).
        W_O: (H*d_v, D_out).
        n_heads: H.
        mask: (T_q, T_kv), or with the leading axes of X, the same for every head; or
            (..., H, T_q, T_kv).
        context: (..., T_kv, D_c) for cross-attention, X itself unless given.
        b_Q, b_K, b_V, b_O: biases, as long as their matrix is wide; none unless given.
    Returns:
        The output (..., T_q, D_out) and the weights (..., H, T_q, T_kv).
    Raises:
        ArgumentError: for an argument that does not fit the others.
    Example:
        >>> X, W_Q, W_K, W_V, W_O = np.eye(4), *np.ones((3, 4, 6)), np.ones((6, 5))
        >>> output, weights = multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads=2)
        >>> output.shape, weights.shape
        ((4, 5), (2, 4, 4))
    """
    X, context, mask, (W_Q, W_K, W_V, W_O), (b_Q, b_K, b_V, b_O) = check_multi_head(
        X, context, mask, n_heads, (W_Q, W_K, W_V, W_O), (b_Q, b_K, b_V, b_O)
    )
    Q = split_heads(project(X, W_Q, b_Q), n_heads)  # (..., H, T_q, d_k)
    K = split_heads(project(context, W_K, b_K), n_heads)  # (..., H, T_kv, d_k)
    V = split_heads(project(context, W_V, b_V), n_heads)  # (..., H, T_kv, d_v)
    heads, weights = scaled_dot_product_attention(Q, K, V, mask)  # (..., H, T_q, d_v)
    return project(merge_heads(heads), W_O, b_O), weights


def grouped_query_attention(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    mask: ArrayLike | None = None,
    scale: float | None = None,
    softcap: float | None = None,
) -> tuple[Array, Array]:
    r"""Many heads of queries, fewer heads of keys and values: neighbours share.

    Head h of the queries looks at head h // (H / H_kv) of the keys, which are not copied. With as
    many of both it is the usual attention; H_kv = 1 is multi-query attention. Sources: Shazeer
    2019 (one head of keys for all); Ainslie et al. 2023 (GQA), section 2.2.

    Parameters:
        Q: (..., H, T_q, d_k), H a multiple of H_kv.
        K: (..., H_kv, T_kv, d_k).
        V: (..., H_kv, T_kv, d_v).
        mask: broadcasts to (..., H, T_q, T_kv).
        scale, softcap: as in scaled_dot_product_attention.
    Returns:
        The output (..., H, T_q, d_v) and the weights (..., H, T_q, T_kv).
    Raises:
        ArgumentError: for heads that cannot be shared, or arguments that do not fit each other.
    Example:
        >>> Q, K = np.zeros((4, 1, 2)), np.zeros((2, 3, 2))
        >>> V = np.stack([np.ones((3, 1)), 5 * np.ones((3, 1))])
        >>> grouped_query_attention(Q, K, V)[0].ravel()
        array([1., 1., 5., 5.])
    """
    groups, K, V, mask = check_groups(Q, K, V, mask)  # (..., H_kv, H/H_kv, T_q, d_k)
    output, weights = scaled_dot_product_attention(groups, K, V, mask, scale, softcap)
    return _ungroup(output), _ungroup(weights)


def blockwise_attention(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    mask: ArrayLike | None = None,
    scale: float | None = None,
    block_size: int = 128,
) -> Array:
    """The output of scaled_dot_product_attention, a block of queries at a time.

    Never are there all the weights at once: the extra memory is block_size * T_kv instead of
    T_q * T_kv. Keys behind the last that a block may see are left out: under a causal mask that
    is half the work. Here a block holds whole rows of scores. Who cuts the keys into blocks, too,
    needs a softmax that is mended as it goes, the online softmax of Milakov and Gimelshein 2018
    (in FlashAttention: Dao et al. 2022).

    Parameters:
        Q, K, V, mask, scale: as in scaled_dot_product_attention.
        block_size: queries a block.
    Returns:
        The output (..., T_q, d_v).
    Raises:
        ArgumentError: for an argument that does not fit the others.
    Example:
        >>> X = np.arange(12.0).reshape(6, 2)
        >>> output, _ = scaled_dot_product_attention(X, X, X, causal_mask(6))
        >>> np.allclose(blockwise_attention(X, X, X, causal_mask(6), block_size=4), output)
        True
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
        block_mask, seen = None, slice(T_kv)
        if mask is not None:
            seen = slice(_last_seen(mask[..., rows, :]))
            block_mask = mask[..., rows, seen]
        weights = _weights(Q[..., rows, :], K[..., seen, :], block_mask, scale)
        output[..., rows, :] = _average(weights, V[..., seen, :], block_mask)
    return output


def project(X: Array, W: Array, b: Array | None = None) -> Array:
    """Every token through the same matrix: X W, plus the bias b where there is one.

    Parameters:
        X: (..., T, D).
        W: (D, n).
        b: (n,).
    Returns:
        (..., T, n).
    Example:
        >>> project(np.array([[1, 2]]), np.array([[1, 0], [0, 10]]), np.array([5, 5]))
        array([[ 6, 25]])
    """
    return X @ W if b is None else X @ W + b


def _ungroup(x: Array) -> Array:
    return x.reshape(*x.shape[:-4], x.shape[-4] * x.shape[-3], *x.shape[-2:])


# The arithmetic, on arguments that have been checked. Scores and weights are float32 at least.


def _scores(Q: Array, K: Array, scale: float | None = None) -> Array:
    scale = 1 / math.sqrt(max(Q.shape[-1], 1)) if scale is None else scale
    Q, K = at_least_float32(Q), at_least_float32(K)
    return (Q * scale) @ K.swapaxes(-1, -2)  # scaling Q costs T*d products, the scores T*T


def _weights(
    Q: Array,
    K: Array,
    mask: NDArray[Any] | None = None,
    scale: float | None = None,
    softcap: float | None = None,
) -> Array:
    scores = _scores(Q, K, scale)
    if softcap is not None:
        scores = softcap * np.tanh(scores / softcap)
    if mask is not None:
        np.copyto(scores, -np.inf, where=~_visible(mask))
        if mask.dtype.kind == "f":
            scores += mask.astype(scores.dtype, copy=False)
    return _softmax_in_place(scores)


def _visible(mask: NDArray[Any]) -> Mask:
    return mask if mask.dtype.kind == "b" else mask != -np.inf


def _last_seen(mask: NDArray[Any]) -> int:
    """How many keys there are up to the last that any query may see."""
    seen = np.flatnonzero(_visible(mask).any(axis=tuple(range(mask.ndim - 1))))
    return int(seen[-1]) + 1 if seen.size else 0


def _largest(x: Array, axis: int) -> Array:
    """The largest along an axis, which stays; -inf of nothing."""
    if x.shape[axis] < 16 and x.size > 4096:  # NumPy's max is up to 30 times as fast along
        first = x.swapaxes(axis, 0).copy()  # the first axis as along a short last one
        return first.max(axis=0, keepdims=True, initial=-np.inf).swapaxes(axis, 0)
    return x.max(axis=axis, keepdims=True, initial=-np.inf)


def _softmax_in_place(x: Array, axis: int = -1) -> Array:
    top = _largest(x, axis)
    strange = not np.isfinite(top).all()  # rows of nothing, or with +inf or NaN
    if strange:
        if (top == np.inf).any():  # +inf beats every number: the others drop out
            np.copyto(x, np.where(x == np.inf, 0, -np.inf), where=top == np.inf)
        top[np.isinf(top)] = 0  # exp(-inf) = 0 everywhere, instead of NaN
    np.subtract(x, top, out=x)
    np.exp(x, out=x)
    total = x.sum(axis=axis, keepdims=True)
    if strange:
        total[total == 0] = 1
    return np.divide(x, total, out=x)


def _average(weights: Array, V: Array, mask: NDArray[Any] | None) -> Array:
    """weights @ V, but a value that is NaN or infinite reaches only those who may see it."""
    if mask is None or np.isfinite(V).all():
        return weights @ V
    strange, visible = ~np.isfinite(V), np.broadcast_to(_visible(mask), weights.shape)
    output = weights @ np.where(strange, 0, V)  # 0 * NaN would be NaN
    for j in np.unique(np.nonzero(strange)[-2]):  # few: one key after the other
        value = np.where(strange, V, 0)[..., [j], :]
        with np.errstate(invalid="ignore"):
            output += np.where(visible[..., [j]], weights[..., [j]] * value, 0)
    return output
