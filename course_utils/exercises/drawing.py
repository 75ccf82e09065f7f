"""Arguments of an exercise, drawn: what `Exercise.draw` is made of. Beside ordinary numbers the
corners come up, behind which slips hide."""

import numpy as np
from numpy.random import Generator

from course_utils.arguments import Array, Shape
from course_utils.attention import Mask, causal_mask, softmax

KINDS = "normal", "normal", "whole", "zeros", "one-hot", "negative", "equal rows"


def sizes(rng: Generator, n: int, most: int = 5) -> tuple[int, ...]:
    """n sizes from 1 to `most`."""
    return tuple(int(size) for size in rng.integers(1, most + 1, size=n))


def numbers(rng: Generator, *shape: int) -> Array:
    """An array of one kind: normal numbers, small whole ones (some are equal, some 0), zeros,
    one-hot rows, negative ones, equal rows."""
    kind = KINDS[rng.integers(len(KINDS))]
    drawn = rng.normal(size=shape)
    if kind == "whole":
        return np.round(2 * drawn)
    if kind == "zeros":
        return np.zeros(shape)
    if kind == "one-hot":
        return np.eye(shape[-1])[rng.integers(shape[-1], size=shape[:-1])]
    if kind == "negative":
        return -np.abs(drawn) - 0.1
    if kind == "equal rows" and len(shape) > 1:
        return np.broadcast_to(drawn[..., :1, :], shape).copy()
    return drawn


def normal(rng: Generator, *shapes: Shape) -> tuple[Array, ...]:
    """Normal numbers, an array for each shape."""
    return tuple(rng.normal(size=shape) for shape in shapes)


def several(rng: Generator, *shapes: Shape) -> tuple[Array, ...]:
    """`numbers` for each shape: each array of a kind of its own."""
    return tuple(numbers(rng, *shape) for shape in shapes)


def shares(rng: Generator, *shape: int) -> Array:
    """Positive numbers whose rows sum to 1; sometimes all of a row lies on one of them."""
    if rng.random() < 0.2:
        return np.eye(shape[-1])[rng.integers(shape[-1], size=shape[:-1])]
    return softmax(rng.normal(size=shape) * 2)


def queries_keys_values(rng: Generator) -> tuple[Array, ...]:
    """(T_q, d_k), (T_kv, d_k), (T_kv, d_v)."""
    T_q, T_kv, d_k, d_v = sizes(rng, 4)
    return several(rng, (T_q, d_k), (T_kv, d_k), (T_kv, d_v))


def mask(rng: Generator, T_q: int, T_kv: int) -> Mask:
    """Causal, padding behind or in front, or any truth values."""
    kind = rng.integers(4)
    if kind == 0 and T_kv >= T_q:
        return causal_mask(T_q, T_kv)
    if kind == 1:
        return np.tile(np.arange(T_kv) < rng.integers(1, T_kv + 1), (T_q, 1))
    if kind == 2:
        return np.tile(np.arange(T_kv) >= rng.integers(T_kv), (T_q, 1))
    return rng.random((T_q, T_kv)) < 0.6
