"""What fits and what does not: every check of an argument, and how the course says that one does not fit, in one sentence.

Every check takes the argument and its name, gives back what the mathematics can use, and never changes the argument itself.
"""

import os
import traceback

import numpy as np

MASK_WANTED = "an array of bool (True = may attend) or float (added to the scores)"
PACKAGE_FOLDER = os.path.dirname(os.path.abspath(__file__))


class ArgumentError(ValueError):
    """An argument that does not fit: its name, what came, and what would fit."""

    def __init__(self, argument, got, wanted):
        super().__init__(f"{argument}: got {got}, wanted {wanted}")

    def _render_traceback_(self):
        """What a notebook shows: the caller's own line and the message (IPython looks for this name)."""
        frames = traceback.extract_tb(self.__traceback__)
        theirs = [f for f in frames if not f.filename.startswith(PACKAGE_FOLDER) and "IPython" not in f.filename]
        where = [f"line {f.lineno}:  {f.line}" for f in theirs[-1:]]
        return [*where, f"ArgumentError: {self}"]


def as_array(x, name, wanted="an array of numbers"):
    """x as an array. x itself is never changed."""
    try:
        return np.asarray(x)
    except ValueError:
        raise ArgumentError(name, "rows of different lengths", wanted) from None


def as_floats(x, name):
    """x as an array of floats; whole numbers and truth values become float64."""
    x = as_array(x, name)
    if x.dtype.kind in "iub":
        return x.astype(float)
    if x.dtype.kind != "f":
        raise ArgumentError(name, f"dtype {x.dtype}", "an array of real numbers")
    return x


def as_tokens(x, name):
    """x as floats with tokens as rows: (..., T, d)."""
    x = as_floats(x, name)
    if x.ndim < 2:
        raise ArgumentError(name, f"shape {x.shape}", "(..., T, d): tokens are rows")
    return x


def as_count(n, name):
    """n as a whole number of at least 1."""
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 1:
        raise ArgumentError(name, short(n), "a whole number of at least 1")
    return int(n)


def as_number(x, name, wanted="a number"):
    """x as one real number."""
    if isinstance(x, bool) or not isinstance(x, (int, float, np.integer, np.floating)):
        raise ArgumentError(name, short(x), wanted)
    return float(x)


def short(value):
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."


def same_width(Q, K):
    if Q.shape[-1] != K.shape[-1]:
        raise ArgumentError("K", f"shape {K.shape}", f"(..., T_kv, {Q.shape[-1]}): keys as wide as the queries {Q.shape}")


def same_leading_axes(**arrays):
    try:
        return np.broadcast_shapes(*(a.shape[:-2] for a in arrays.values()))
    except ValueError:
        *others, last = arrays
        fit = " and ".join(f"{name} {arrays[name].shape}" for name in others)
        raise ArgumentError(last, f"shape {arrays[last].shape}", f"the same leading axes as {fit}") from None


def check_heads(n_heads, **shapes):
    n_heads = as_count(n_heads, "n_heads")
    for name, shape in shapes.items():
        if shape[1] % n_heads:
            raise ArgumentError("n_heads", n_heads, f"a divisor of the {shape[1]} columns of {name} {shape}")
    if shapes["W_K"][1] != shapes["W_Q"][1]:
        raise ArgumentError("W_K", f"shape {shapes['W_K']}", f"{shapes['W_Q'][1]} columns, as many as W_Q {shapes['W_Q']}")


def check_attention(Q, K, V, mask):
    Q, K, V = as_tokens(Q, "Q"), as_tokens(K, "K"), as_tokens(V, "V")
    same_width(Q, K)
    if K.shape[-2] != V.shape[-2]:
        raise ArgumentError("V", f"shape {V.shape}", f"(..., {K.shape[-2]}, d_v): a value for each key of K {K.shape}")
    shape = (*same_leading_axes(Q=Q, K=K), Q.shape[-2], K.shape[-2])
    same_leading_axes(Q=Q, K=K, V=V)
    if mask is None:
        return Q, K, V, None
    mask = as_array(mask, "mask", MASK_WANTED)
    if mask.dtype.kind not in "bf":
        raise ArgumentError("mask", f"dtype {mask.dtype}", MASK_WANTED)
    try:
        fits = np.broadcast_shapes(mask.shape, shape) == shape
    except ValueError:
        fits = False
    if not fits:
        raise ArgumentError("mask", f"shape {mask.shape}", f"a shape that broadcasts to {shape}: (..., T_q, T_kv)")
    return Q, K, V, mask
