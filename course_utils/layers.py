"""The other parts of a transformer block: norms, activations, the feed-forward network, the block.

Arrays are ``(..., T, D)``: tokens are rows, as in `attention`. float32 in gives float32 out; norms
and activations of float16 are computed in float32, where a square does not overflow and a small
epsilon is not 0.
"""

import functools
import math
from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from course_utils.arguments import Array, as_floats, as_given, at_least_float32, check_choice
from course_utils.attention import multi_head_attention, project
from course_utils.checks import (
    check_batch_norm,
    check_block,
    check_feed_forward,
    check_gated,
    check_norm,
)


def batch_norm(
    X: ArrayLike, gamma: ArrayLike | None = None, beta: ArrayLike | None = None, eps: float = 1e-5
) -> Array:
    r"""Standardise every feature over the whole batch.

    .. math:: \gamma\,(x-\mu) / \sqrt{\sigma^2+\epsilon} + \beta

    Mean and (biased) variance are taken over all axes but the last: over every row there is.
    Source: Ioffe and Szegedy 2015, in training mode.

    Parameters:
        X: (..., T, D).
        gamma, beta: (D,), 1 and 0 unless given.
        eps: a number of at least 0, inside the root.
    Returns:
        X's shape and dtype.
    Raises:
        ArgumentError: for parameters that are not as long as a row.
    Example:
        >>> batch_norm([[1, 10], [3, 30]], eps=0)
        array([[-1., -1.],
               [ 1.,  1.]])
    """
    X, gamma, beta, eps = check_batch_norm(X, gamma, beta, eps)
    return _standardise(X, tuple(range(X.ndim - 1)), gamma, beta, eps)


def layer_norm(
    x: ArrayLike, gamma: ArrayLike | None = None, beta: ArrayLike | None = None, eps: float = 1e-5
) -> Array:
    r"""Standardise every token over its own features.

    .. math:: \gamma\,(x-\mu) / \sqrt{\sigma^2+\epsilon} + \beta

    Mean and (biased) variance are taken over the last axis: each token alone.
    Source: Ba, Kiros and Hinton 2016.

    Parameters:
        x: (..., D).
        gamma, beta: (D,), 1 and 0 unless given.
        eps: a number of at least 0, inside the root.
    Returns:
        x's shape and dtype.
    Raises:
        ArgumentError: for parameters that are not as long as a row.
    Example:
        >>> layer_norm([[1, 3], [10, 30]], eps=0)
        array([[-1.,  1.],
               [-1.,  1.]])
    """
    x, gamma, beta, eps = check_norm(x, gamma, beta, eps)
    return _standardise(x, -1, gamma, beta, eps)


def rms_norm(x: ArrayLike, gamma: ArrayLike | None = None, eps: float = 1e-5) -> Array:
    r"""Divide every token by the root mean square of its features.

    .. math:: \gamma\,x / \sqrt{\mathrm{mean}(x^2)+\epsilon}

    No centring, no shift. Source: Zhang and Sennrich 2019.

    Parameters:
        x: (..., D).
        gamma: (D,), 1 unless given.
        eps: a number of at least 0, inside the root.
    Returns:
        x's shape and dtype.
    Raises:
        ArgumentError: for a gamma that is not as long as a row.
    Example:
        >>> rms_norm([1, 7], eps=0)
        array([0.2, 1.4])
    """
    x, gamma, _, eps = check_norm(x, gamma, None, eps)
    wide, epsilon = _squarable(at_least_float32(x), -1, eps)
    normed = wide / np.sqrt(np.mean(wide * wide, axis=-1, keepdims=True) + epsilon)
    if gamma is not None:
        normed *= gamma
    return as_given(normed, x)


def relu(x: ArrayLike) -> Array:
    """x where it is positive, 0 elsewhere.

    Source: Nair and Hinton 2010.

    Parameters:
        x: any shape.
    Returns:
        x's shape.
    Raises:
        ArgumentError: for what is no array of real numbers.
    Example:
        >>> relu([-2, 0, 3])
        array([0., 0., 3.])
    """
    return np.maximum(as_floats(x, "x"), 0)


def gelu(x: ArrayLike, approximate: Literal["none", "tanh"] = "none") -> Array:
    r"""x times the probability that a standard normal number lies below x: :math:`x\,\Phi(x)`.

    Source: Hendrycks and Gimpel 2016.

    Parameters:
        x: any shape.
        approximate: "none" for the exact formula, "tanh" for the one of GPT-2.
    Returns:
        x's shape and dtype.
    Raises:
        ArgumentError: for what is no array of real numbers, and another approximation.
    Example:
        >>> gelu([-1, 0, 1]).round(3)
        array([-0.159,  0.   ,  0.841])
    """
    x = as_floats(x, "x")
    check_choice(approximate, "approximate", "none", "tanh")
    wide = at_least_float32(x)
    if approximate == "tanh":  # x * x * x: NumPy's x**3 is 100 times slower
        inner = math.sqrt(2 / math.pi) * (wide + 0.044715 * (wide * wide * wide))
        return as_given(0.5 * wide * (1 + np.tanh(inner)), x)
    return as_given(wide * _normal_below(wide), x)


def silu(x: ArrayLike) -> Array:
    r"""x times its own sigmoid: :math:`x / (1 + e^{-x})`, a smooth relu. Also called swish.

    Source: Hendrycks and Gimpel 2016.

    Parameters:
        x: any shape.
    Returns:
        x's shape and dtype.
    Raises:
        ArgumentError: for what is no array of real numbers.
    Example:
        >>> silu([-1, 0, 1]).round(3)
        array([-0.269,  0.   ,  0.731])
    """
    x = as_floats(x, "x")
    wide = at_least_float32(x)
    with np.errstate(over="ignore"):  # x / inf is 0, as it should be
        return as_given(wide / (1 + np.exp(-wide)), x)


def swiglu(X: ArrayLike, W_gate: ArrayLike, W_up: ArrayLike, W_down: ArrayLike) -> Array:
    r"""A feed-forward network with a gate, without biases.

    .. math:: (\mathrm{silu}(X W_{gate}) \odot X W_{up})\,W_{down}

    Source: Shazeer 2020, equation 6.

    Parameters:
        X: (..., T, D).
        W_gate, W_up: (D, d_ff).
        W_down: (d_ff, D).
    Returns:
        (..., T, D).
    Raises:
        ArgumentError: for a matrix that does not fit the others.
    Example:
        >>> swiglu([[0, 1]], [[0], [0]], [[0], [1]], [[5, 5]])
        array([[0., 0.]])
    """
    X, W_gate, W_up, W_down = check_gated(X, W_gate, W_up, W_down)
    return (silu(X @ W_gate) * (X @ W_up)) @ W_down


def feed_forward(
    X: ArrayLike,
    W_1: ArrayLike,
    b_1: ArrayLike,
    W_2: ArrayLike,
    b_2: ArrayLike,
    activation: Callable[[Array], Array] = relu,
) -> Array:
    """Two projections with an activation between them, for each token alone.

    activation(X W_1 + b_1) W_2 + b_2. Source: Vaswani et al. 2017, section 3.3.

    Parameters:
        X: (..., T, D).
        W_1, b_1: (D, d_ff), (d_ff,).
        W_2, b_2: (d_ff, D), (D,).
        activation: a function of an array, number by number.
    Returns:
        (..., T, D).
    Raises:
        ArgumentError: for an argument that does not fit the others.
    Example:
        >>> feed_forward([[2], [-2]], [[1, -1]], [0, 0], [[1], [1]], [0])      # |x|
        array([[2.],
               [2.]])
    """
    X, W_1, b_1, W_2, b_2 = check_feed_forward(X, W_1, b_1, W_2, b_2)
    return project(activation(project(X, W_1, b_1)), W_2, b_2)


def transformer_block(
    X: ArrayLike,
    params: Mapping[str, ArrayLike],
    n_heads: int,
    mask: ArrayLike | None = None,
    norm: Literal["pre", "post"] = "pre",
    activation: Callable[[Array], Array] = relu,
) -> Array:
    """One layer: attention, then the feed-forward network, each with its norm and its skip.

    norm="pre": X + f(LN(X)), as in GPT-2. norm="post": LN(X + f(X)), as in the original paper.
    Sources: Vaswani et al. 2017, section 3.1; Xiong et al. 2020 for the two places of the norm.

    Parameters:
        X: (..., T, D).
        params: a dict of W_Q, W_K, W_V, W_O, W_1, b_1, W_2, b_2 and, if wanted, b_Q, b_K, b_V, b_O
            and gamma_1, beta_1 (the norm of the attention), gamma_2, beta_2 (of the feed-forward
            network).
        n_heads: H.
        mask: as in multi_head_attention.
        norm: "pre" or "post".
        activation: as in feed_forward.
    Returns:
        (..., T, D).
    Raises:
        ArgumentError: for a parameter that is missing, or does not fit the others.
    Example:
        >>> D, d_ff = 4, 8
        >>> params = {name: np.zeros((D, D)) for name in ("W_Q", "W_K", "W_V", "W_O")}
        >>> params |= {"W_1": np.zeros((D, d_ff)), "b_1": np.zeros(d_ff)}
        >>> params |= {"W_2": np.zeros((d_ff, D)), "b_2": np.ones(D)}
        >>> transformer_block([[1, 2, 3, 4]], params, n_heads=2)      # the skip, and b_2
        array([[2., 3., 4., 5.]])
    """
    X = check_block(X, params, norm)

    def attend(x: Array) -> Array:
        W_Q, W_K, W_V, W_O = (params[name] for name in ("W_Q", "W_K", "W_V", "W_O"))
        biases = {name: params.get(name) for name in ("b_Q", "b_K", "b_V", "b_O")}
        return multi_head_attention(x, W_Q, W_K, W_V, W_O, n_heads, mask, **biases)[0]

    def think(x: Array) -> Array:
        W_1, b_1, W_2, b_2 = (params[name] for name in ("W_1", "b_1", "W_2", "b_2"))
        return feed_forward(x, W_1, b_1, W_2, b_2, activation)

    def norm_1(x: Array) -> Array:
        return layer_norm(x, params.get("gamma_1"), params.get("beta_1"))

    def norm_2(x: Array) -> Array:
        return layer_norm(x, params.get("gamma_2"), params.get("beta_2"))

    if norm == "pre":
        Z: Array = X + attend(norm_1(X))
        return Z + think(norm_2(Z))
    Z = norm_1(X + attend(X))
    return norm_2(Z + think(Z))


def _standardise(
    x: Array, axes: int | tuple[int, ...], gamma: Array | None, beta: Array | None, eps: float
) -> Array:
    wide, epsilon = _squarable(at_least_float32(x), axes, eps)
    normed = wide - wide.mean(axis=axes, keepdims=True)
    variance = np.mean(normed * normed, axis=axes, keepdims=True)
    normed /= np.sqrt(variance + epsilon)  # in place: a new array takes more time
    if gamma is not None:
        normed *= gamma
    if beta is not None:
        normed += beta
    return as_given(normed, x)


def _squarable(x: Array, axes: int | tuple[int, ...], eps: float) -> tuple[Array, float | Array]:
    """x and eps as they are, or less by a power of two where squares overflow: no norm changes."""
    dtype = np.finfo(x.dtype)
    limit = 2.0 ** (dtype.maxexp // 2 - 16)  # leaves room for a sum of 2**32 squares
    if not max(x.max(initial=0), -x.min(initial=0)) > limit:
        return x, eps
    huge = np.abs(x).max(axis=axes, keepdims=True) > limit
    scale = np.where(huge, 1 / (limit * 2.0**32), 1).astype(x.dtype)
    return x * scale, np.where(huge, min(eps, float(dtype.tiny)), eps).astype(x.dtype)


def _normal_below(x: Array) -> Array:
    """The probability that a standard normal number lies below x. NumPy has no error function.

    With z = |x| / sqrt(2) half of it is erfc(z), and erfc(z) exp(z²) is smooth enough for a
    polynomial in t = 1 / (1 + z / 2): it misses by 2e-15 in float64, by rounding in float32.
    """
    z = np.minimum(np.abs(x) / math.sqrt(2), 40)  # exp(-40²) is 0
    u = (8 / 3) / (1 + z / 2) - 5 / 3  # -1 … 1 while z is 6 … 0
    tail = np.full_like(z, 0)
    for coefficient in _erfc_polynomial(18 if x.dtype.itemsize > 4 else 9):
        tail *= u
        tail += coefficient
    tail *= 0.5 * np.exp(-z * z)
    return np.where(x < 0, tail, 1 - tail)


@functools.cache
def _erfc_polynomial(degree: int) -> list[float]:
    """Coefficients of erfc(z) exp(z²) in u, highest first, by Python's own error function."""
    u = np.cos(np.pi * np.linspace(0, 1, 200))
    z = 2 * ((8 / 3) / (u + 5 / 3) - 1)
    y = [math.erfc(each) * math.exp(each * each) for each in z.tolist()]
    fit = np.polynomial.Chebyshev.fit(u, y, degree, domain=[-1, 1])
    return list(map(float, np.polynomial.chebyshev.cheb2poly(fit.coef)[::-1]))
