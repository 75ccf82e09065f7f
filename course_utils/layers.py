"""The other parts of a transformer block: normalisation, activations, the feed-forward network, and the block itself.

Arrays are ``(..., T, D)``: tokens are rows, as in `attention`. float32 in gives float32 out.
"""

import math

import numpy as np

from course_utils.arguments import ArgumentError, as_floats, as_number, as_tokens
from course_utils.attention import multi_head_attention, project


def batch_norm(X, gamma=None, beta=None, eps=1e-5):
    r"""Standardise every feature over the whole batch: :math:`\gamma\,(x-\mu)/\sqrt{\sigma^2+\epsilon}+\beta`.

    Mean and (biased) variance are taken over all axes but the last: over every row there is. Parameters: X (..., D);
    gamma, beta (D,), 1 and 0 unless given. Returns X's shape. Source: Ioffe and Szegedy 2015, in training mode.
    """
    X = as_tokens(X, "X")
    return _standardise(X, tuple(range(X.ndim - 1)), gamma, beta, eps)


def layer_norm(x, gamma=None, beta=None, eps=1e-5):
    r"""Standardise every token over its own features: :math:`\gamma\,(x-\mu)/\sqrt{\sigma^2+\epsilon}+\beta`.

    Mean and (biased) variance are taken over the last axis: each token alone. Parameters: x (..., D); gamma, beta (D,),
    1 and 0 unless given. Returns x's shape. Source: Ba, Kiros and Hinton 2016.
    """
    return _standardise(_with_features(x), -1, gamma, beta, eps)


def rms_norm(x, gamma=None, eps=1e-5):
    r"""Divide every token by the root mean square of its features: :math:`\gamma\,x/\sqrt{\mathrm{mean}(x^2)+\epsilon}`.

    No centring, no shift. Parameters: x (..., D); gamma (D,), 1 unless given. Returns x's shape.
    Source: Zhang and Sennrich 2019.
    """
    x = _with_features(x)
    root = np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + _eps(eps, x))
    return _scale_and_shift(x / root, gamma, None)


def relu(x):
    """x where it is positive, 0 elsewhere."""
    return np.maximum(as_floats(x, "x"), 0)


def gelu(x, approximate="none"):
    r"""x times the probability that a standard normal number lies below x: :math:`x\,\Phi(x)`.

    approximate: "none" for the exact formula, "tanh" for the faster one of GPT-2. Source: Hendrycks and Gimpel 2016.
    """
    x = as_floats(x, "x")
    if approximate == "tanh":
        return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    if approximate == "none":
        return 0.5 * x * (1 + _erf(x / math.sqrt(2)))
    raise ArgumentError("approximate", repr(approximate), '"none" or "tanh"')


def feed_forward(X, W_1, b_1, W_2, b_2, activation=relu):
    """Two projections with an activation between them, for each token alone: activation(X W_1 + b_1) W_2 + b_2.

    Parameters: X (..., T, D); W_1 (D, d_ff); b_1 (d_ff,); W_2 (d_ff, D); b_2 (D,). Returns (..., T, D).
    Source: Vaswani et al. 2017, section 3.3.
    """
    hidden = activation(project(as_tokens(X, "X"), W_1, b_1, "X", "W_1", "b_1"))
    return project(hidden, W_2, b_2, "the hidden layer", "W_2", "b_2")


def transformer_block(X, params, n_heads, mask=None, norm="pre", activation=relu):
    """One layer of a transformer: attention, then the feed-forward network, each with its norm and its skip.

    norm="pre": X + f(LN(X)), as in GPT-2. norm="post": LN(X + f(X)), as in the original paper.
    params: a dict of W_Q, W_K, W_V, W_O, W_1, b_1, W_2, b_2 and, if wanted, b_Q, b_K, b_V, b_O and gamma_1, beta_1 (the norm of
    the attention), gamma_2, beta_2 (of the feed-forward network). X (..., T, D). Returns (..., T, D).
    Sources: Vaswani et al. 2017, section 3.1; Xiong et al. 2020 for the two places of the norm.
    """
    X = as_tokens(X, "X")
    missing = [name for name in ("W_Q", "W_K", "W_V", "W_O", "W_1", "b_1", "W_2", "b_2") if name not in params]
    if missing:
        raise ArgumentError("params", f"no {', '.join(missing)}", "all of W_Q, W_K, W_V, W_O, W_1, b_1, W_2, b_2")
    norm_1, norm_2 = (lambda x, n=n: layer_norm(x, params.get(f"gamma_{n}"), params.get(f"beta_{n}")) for n in (1, 2))

    def attend(x):
        biases = {name: params.get(name) for name in ("b_Q", "b_K", "b_V", "b_O")}
        return multi_head_attention(x, params["W_Q"], params["W_K"], params["W_V"], params["W_O"], n_heads, mask, **biases)[0]

    def think(x):
        return feed_forward(x, params["W_1"], params["b_1"], params["W_2"], params["b_2"], activation)

    if norm == "pre":
        Z = X + attend(norm_1(X))
        return Z + think(norm_2(Z))
    if norm == "post":
        Z = norm_1(X + attend(X))
        return norm_2(Z + think(Z))
    raise ArgumentError("norm", repr(norm), '"pre" or "post"')


def _standardise(x, axes, gamma, beta, eps):
    centred = x - x.mean(axis=axes, keepdims=True)
    variance = np.mean(centred * centred, axis=axes, keepdims=True)
    return _scale_and_shift(centred / np.sqrt(variance + _eps(eps, x)), gamma, beta)


def _scale_and_shift(x, gamma, beta):
    for name, parameter in (("gamma", gamma), ("beta", beta)):
        if parameter is not None and np.shape(parameter) != x.shape[-1:]:
            raise ArgumentError(name, f"shape {np.shape(parameter)}", f"{x.shape[-1:]}: a number for each feature")
    if gamma is not None:
        x = x * as_floats(gamma, "gamma")
    return x if beta is None else x + as_floats(beta, "beta")


def _with_features(x):
    x = as_floats(x, "x")
    if x.ndim == 0:
        raise ArgumentError("x", "a single number", "at least one row of features")
    return x


def _eps(eps, x):
    return x.dtype.type(as_number(eps, "eps"))


def _erf(x):
    """The error function of each number. NumPy has none, so Python's own is called for one number after the other."""
    return np.vectorize(math.erf, otypes=[x.dtype])(x) if x.size else x
