"""The other parts of a transformer block: normalisation, activations, the feed-forward network, and the block itself.

Arrays are ``(..., T, D)``: tokens are rows, as in `attention`. float32 in gives float32 out; norms and activations of float16 are
computed in float32, where a square does not overflow and a small epsilon is not 0.
"""

import math

import numpy as np

from course_utils.arguments import as_floats, as_given, as_one_of, at_least_float32
from course_utils.attention import multi_head_attention, project
from course_utils.checks import (
    check_batch_norm,
    check_block,
    check_feed_forward,
    check_gated,
    check_norm,
)


def batch_norm(X, gamma=None, beta=None, eps=1e-5):
    r"""Standardise every feature over the whole batch: :math:`\gamma\,(x-\mu)/\sqrt{\sigma^2+\epsilon}+\beta`.

    Mean and (biased) variance are taken over all axes but the last: over every row there is. Parameters: X (..., D);
    gamma, beta (D,), 1 and 0 unless given. Returns X's shape and dtype. Source: Ioffe and Szegedy 2015, in training mode.
    """
    X, gamma, beta, eps = check_batch_norm(X, gamma, beta, eps)
    return _standardise(X, tuple(range(X.ndim - 1)), gamma, beta, eps)


def layer_norm(x, gamma=None, beta=None, eps=1e-5):
    r"""Standardise every token over its own features: :math:`\gamma\,(x-\mu)/\sqrt{\sigma^2+\epsilon}+\beta`.

    Mean and (biased) variance are taken over the last axis: each token alone. Parameters: x (..., D); gamma, beta (D,),
    1 and 0 unless given. Returns x's shape and dtype. Source: Ba, Kiros and Hinton 2016.
    """
    x, gamma, beta, eps = check_norm(x, gamma, beta, eps)
    return _standardise(x, -1, gamma, beta, eps)


def rms_norm(x, gamma=None, eps=1e-5):
    r"""Divide every token by the root mean square of its features: :math:`\gamma\,x/\sqrt{\mathrm{mean}(x^2)+\epsilon}`.

    No centring, no shift. Parameters: x (..., D); gamma (D,), 1 unless given. Returns x's shape and dtype.
    Source: Zhang and Sennrich 2019.
    """
    x, gamma, _, eps = check_norm(x, gamma, None, eps)
    wide = at_least_float32(x)
    root = np.sqrt(np.mean(wide * wide, axis=-1, keepdims=True) + eps)
    return as_given(wide / root if gamma is None else wide / root * gamma, x)


def relu(x):
    """x where it is positive, 0 elsewhere."""
    return np.maximum(as_floats(x, "x"), 0)


def gelu(x, approximate="none"):
    r"""x times the probability that a standard normal number lies below x: :math:`x\,\Phi(x)`.

    approximate: "none" for the exact formula, "tanh" for the faster one of GPT-2. Source: Hendrycks and Gimpel 2016.
    """
    x, approximate = as_floats(x, "x"), as_one_of(approximate, "approximate", "none", "tanh")
    wide = at_least_float32(x)
    if approximate == "tanh":
        return as_given(0.5 * wide * (1 + np.tanh(math.sqrt(2 / math.pi) * (wide + 0.044715 * wide**3))), x)
    return as_given(0.5 * wide * (1 + _erf(wide / math.sqrt(2))), x)


def silu(x):
    r"""x times its own sigmoid: :math:`x / (1 + e^{-x})`, a smooth relu. Also called swish. Source: Hendrycks and Gimpel 2016."""
    x = as_floats(x, "x")
    wide = at_least_float32(x)
    small = np.exp(-np.abs(wide))                        # of a number below 0, so that nothing overflows
    return as_given(wide * np.where(wide >= 0, 1, small) / (1 + small), x)


def swiglu(X, W_gate, W_up, W_down):
    r"""A feed-forward network with a gate: :math:`(\mathrm{silu}(X W_{gate}) \odot X W_{up})\,W_{down}`, without biases.

    Parameters: X (..., T, D); W_gate, W_up (D, d_ff); W_down (d_ff, D). Returns (..., T, D). Source: Shazeer 2020, equation 6.
    """
    X, W_gate, W_up, W_down = check_gated(X, W_gate, W_up, W_down)
    return (silu(X @ W_gate) * (X @ W_up)) @ W_down


def feed_forward(X, W_1, b_1, W_2, b_2, activation=relu):
    """Two projections with an activation between them, for each token alone: activation(X W_1 + b_1) W_2 + b_2.

    Parameters: X (..., T, D); W_1 (D, d_ff); b_1 (d_ff,); W_2 (d_ff, D); b_2 (D,). Returns (..., T, D).
    Source: Vaswani et al. 2017, section 3.3.
    """
    X, W_1, b_1, W_2, b_2 = check_feed_forward(X, W_1, b_1, W_2, b_2)
    return project(activation(project(X, W_1, b_1)), W_2, b_2)


def transformer_block(X, params, n_heads, mask=None, norm="pre", activation=relu):
    """One layer of a transformer: attention, then the feed-forward network, each with its norm and its skip.

    norm="pre": X + f(LN(X)), as in GPT-2. norm="post": LN(X + f(X)), as in the original paper.
    params: a dict of W_Q, W_K, W_V, W_O, W_1, b_1, W_2, b_2 and, if wanted, b_Q, b_K, b_V, b_O and gamma_1, beta_1 (the norm of
    the attention), gamma_2, beta_2 (of the feed-forward network). X (..., T, D). Returns (..., T, D).
    Sources: Vaswani et al. 2017, section 3.1; Xiong et al. 2020 for the two places of the norm.
    """
    X, norm = check_block(X, params, norm)

    def attend(x):
        biases = {name: params.get(name) for name in ("b_Q", "b_K", "b_V", "b_O")}
        return multi_head_attention(x, params["W_Q"], params["W_K"], params["W_V"], params["W_O"], n_heads, mask, **biases)[0]

    def think(x):
        return feed_forward(x, params["W_1"], params["b_1"], params["W_2"], params["b_2"], activation)

    def norm_1(x):
        return layer_norm(x, params.get("gamma_1"), params.get("beta_1"))

    def norm_2(x):
        return layer_norm(x, params.get("gamma_2"), params.get("beta_2"))

    if norm == "pre":
        Z = X + attend(norm_1(X))
        return Z + think(norm_2(Z))
    Z = norm_1(X + attend(X))
    return norm_2(Z + think(Z))


def _standardise(x, axes, gamma, beta, eps):
    wide = at_least_float32(x)
    centred = wide - wide.mean(axis=axes, keepdims=True)
    variance = np.mean(centred * centred, axis=axes, keepdims=True)
    normed = centred / np.sqrt(variance + eps)
    if gamma is not None:
        normed = normed * gamma
    return as_given(normed if beta is None else normed + beta, x)


def _erf(x):
    """The error function of each number. NumPy has none, so Python's own is called for one number after the other."""
    return np.vectorize(math.erf, otypes=[x.dtype])(x)
