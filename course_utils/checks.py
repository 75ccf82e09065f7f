"""What the functions of the ground floor want of their arguments, module by module.

Most is said by a `Specification`; what a shape cannot say stands in a function. Each check gives
back what the mathematics can use and raises an ArgumentError for what does not fit.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_utils.arguments import (
    ArgumentError,
    Array,
    Shape,
    Short,
    Specification,
    as_array,
    as_count,
    as_floats,
    at_least_float32,
    broadcasts,
    check_choice,
    require,
)

Codes = NDArray[np.uint8]
MASK = "an array of bool (True = may attend) or float (added to the scores)"

# attention.py

QK = "Q (..., T_q, d_k)", "K (..., T_kv, d_k): keys as wide as the queries {Q}"
check_scores: Callable[..., tuple[Array, Array, float | None]] = Specification(*QK, "scale? number")
ATTENTION = Specification(
    *QK,
    "V (..., T_kv, d_v): a value for each key of K {K}",
    "scale? number",
    "softcap? number > 0: a number above 0, or None",
)
T_KV = "T_kv count >= T_q: at least T_q = {T_q}: the queries are the last of the tokens"
check_causal_mask: Callable[..., tuple[int, int]] = Specification("T_q count", T_KV)
check_window: Callable[..., tuple[int, int, int]] = Specification("T_q count", T_KV, "window count")
check_split_heads: Callable[..., tuple[Array, int]] = Specification(
    "X (..., T, D)", "n_heads count divides D: a divisor of the {D} features of X {X}"
)
check_merge_heads: Callable[..., tuple[Array]] = Specification("X (..., H, T, d)")
GROUPS = [Specification(f"{name} (..., H, T, d)") for name in "QKV"]
PROJECTIONS = {
    index: Specification(
        f"W_{index} (D, n...): a row for each feature of {{of}} {{shape}}",
        f"b_{index}? (n,): a number for each column of W_{index}",
    )
    for index in ("Q", "K", "V", "O", "1", "2", "gate", "up", "down")
}
CONTEXT = Specification("X (..., T_q, D)", "context (..., T_kv, D_c)")


def check_softmax(x: Any, axis: Any) -> tuple[Array, int]:
    x = as_floats(x, "x")
    require(x.ndim, "x", "a single number", "at least one row of scores")
    whole = isinstance(axis, (int, np.integer)) and not isinstance(axis, bool)
    if not whole or not -x.ndim <= axis < x.ndim:
        wanted = f"a whole number from {-x.ndim} to {x.ndim - 1} for x of shape {x.shape}"
        raise ArgumentError("axis", repr(axis), wanted)
    return x, axis


def check_attention(
    Q: Any, K: Any, V: Any, mask: Any, scale: Any, softcap: Any = None
) -> tuple[Array, Array, Array, NDArray[Any] | None, float | None, float | None]:
    Q, K, V, scale, softcap = ATTENTION(Q, K, V, scale, softcap)
    if mask is not None:
        mask = as_mask(mask, _scores_shape(Q.shape, K.shape))
    return Q, K, V, mask, scale, softcap


@functools.lru_cache(1024)
def _scores_shape(Q: Shape, K: Shape) -> Shape:
    return (*np.broadcast_shapes(Q[:-2], K[:-2]), Q[-2], K[-2])


def as_mask(mask: Any, shape: Shape) -> NDArray[Any]:
    """A mask of bool or float that broadcasts to the shape of the scores."""
    mask = as_array(mask, "mask", MASK)
    if mask.dtype.kind not in "bf":
        raise ArgumentError("mask", f"dtype {mask.dtype}", MASK)
    if not broadcasts(mask.shape, shape):
        wanted = f"a shape that broadcasts to {shape}: (..., T_q, T_kv)"
        raise ArgumentError("mask", f"shape {mask.shape}", wanted)
    return mask


def check_groups(Q: Any, K: Any, V: Any, mask: Any) -> tuple[Array, Array, Array, Any]:
    """Q, K, V and the mask with the heads in H_kv groups: (..., H_kv, H/H_kv, T, d)."""
    [Q], [K], [V] = (check(x) for check, x in zip(GROUPS, (Q, K, V), strict=True))
    H, H_kv = Q.shape[-3], K.shape[-3]
    if H_kv == 0 or H % H_kv:
        wanted = f"a number of heads that divides the {H} of Q {Q.shape}"
        raise ArgumentError("K", f"{H_kv} heads, shape {K.shape}", wanted)
    if V.shape[-3] != H_kv:
        got = f"{V.shape[-3]} heads, shape {V.shape}"
        raise ArgumentError("V", got, f"{H_kv} heads, as K {K.shape}")
    if mask is not None and (mask := as_array(mask, "mask", MASK)).ndim > 2:
        *leading, heads, T_q, T_kv = mask.shape
        wanted = f"a shape that broadcasts to (..., {H}, T_q, T_kv)"
        require(heads in (1, H), "mask", f"shape {mask.shape}", wanted)
        groups = (1, 1) if heads == 1 else (H_kv, H // H_kv)
        mask = mask.reshape(*leading, *groups, T_q, T_kv)
    Q = Q.reshape(*Q.shape[:-3], H_kv, H // H_kv, *Q.shape[-2:])
    return Q, K[..., None, :, :], V[..., None, :, :], mask


def check_padding_mask(lengths: Any, T: Any) -> tuple[NDArray[Any], int]:
    T = as_count(T, "T")
    wanted = f"a list of whole numbers from 0 to T = {T}"
    x = as_array(lengths, "lengths", wanted)
    whole = x.ndim == 1 and x.dtype.kind in "iu"
    require(whole and not ((x < 0) | (x > T)).any(), "lengths", Short(x), wanted)
    return x, T


def check_projection(shape: Shape, of: str, index: str, W: Any, b: Any = None) -> Any:
    """The matrix W_index for features of that shape, and its bias, where there is one."""
    return PROJECTIONS[index](W, b, D=shape[-1], of=of, shape=shape)


def check_multi_head(
    X: Any, context: Any, mask: Any, n_heads: Any, matrices: Any, biases: Any
) -> tuple[Array, Array, NDArray[Any] | None, list[Array], list[Array | None]]:
    """The context may be X; a mask without a head axis gets one."""
    X, context = CONTEXT(X, X if context is None else context)
    sources = ("Q", "X", X), ("K", "context", context), ("V", "context", context)
    found = [
        check_projection(x.shape, of, index, W, b)
        for (index, of, x), W, b in zip(sources, matrices, biases, strict=False)
    ]
    for (index, *_), (W, _) in zip(sources, found, strict=True):
        if W.shape[1] % as_count(n_heads, "n_heads"):
            wanted = f"a divisor of the {W.shape[1]} columns of W_{index} {W.shape}"
            raise ArgumentError("n_heads", n_heads, wanted)
    W_Q, W_K, W_V = (W for W, _ in found)
    wanted = f"{W_Q.shape[1]} columns, as many as W_Q {W_Q.shape}"
    require(W_K.shape[1] == W_Q.shape[1], "W_K", f"shape {W_K.shape}", wanted)
    merged = (*np.broadcast_shapes(X.shape[:-2], context.shape[:-2]), X.shape[-2], W_V.shape[1])
    found.append(check_projection(merged, "the merged heads", "O", matrices[3], biases[3]))
    if mask is not None and 2 < (mask := as_array(mask, "mask", MASK)).ndim <= len(merged):
        mask = np.expand_dims(mask, -3)  # leading axes but no head axis: the same for every head
    return X, context, mask, [W for W, _ in found], [b for _, b in found]


# layers.py

as_tokens: Callable[..., tuple[Array]] = Specification("X (..., T, D)")
NORM = (
    "gamma? (D,): a number for each feature",
    "beta? (D,): a number for each feature",
    "eps number >= 0: a number of at least 0",
)
check_norm: Callable[..., tuple[Array, Array | None, Array | None, float]] = Specification(
    "x (..., D)", *NORM
)
check_batch_norm: Callable[..., tuple[Array, Array | None, Array | None, float]] = Specification(
    "X (..., T, D)", *NORM
)
BLOCK = ("W_Q", "W_K", "W_V", "W_O", "W_1", "b_1", "W_2", "b_2")


def check_feed_forward(X: Any, W_1: Any, b_1: Any, W_2: Any, b_2: Any) -> tuple[Array, ...]:
    [X] = as_tokens(X)
    W_1, b_1 = check_projection(X.shape, "X", "1", W_1, b_1)
    hidden = (*X.shape[:-1], W_1.shape[1])
    return X, W_1, b_1, *check_projection(hidden, "the hidden layer", "2", W_2, b_2)


def check_gated(X: Any, W_gate: Any, W_up: Any, W_down: Any) -> tuple[Array, ...]:
    [X] = as_tokens(X)
    (W_gate, _), (W_up, _) = (
        check_projection(X.shape, "X", index, W) for index, W in (("gate", W_gate), ("up", W_up))
    )
    if W_up.shape != W_gate.shape:
        raise ArgumentError("W_up", f"shape {W_up.shape}", f"{W_gate.shape}, as W_gate")
    hidden = (*X.shape[:-1], W_up.shape[1])
    return X, W_gate, W_up, check_projection(hidden, "the hidden layer", "down", W_down)[0]


def check_block(X: Any, params: Any, norm: Any) -> Array:
    wanted = f"all of {', '.join(BLOCK)}"
    require(isinstance(params, dict), "params", Short(params), f"a dict with {wanted}")
    missing = ", ".join(name for name in BLOCK if name not in params)
    require(not missing, "params", f"no {missing}", wanted)
    check_choice(norm, "norm", "pre", "post")
    return as_tokens(X)[0]


# positions.py

EVEN = "count even: an even number: features come in pairs"
BASE = "base number > 0: a number above 0"
check_sinusoids: Callable[..., tuple[int, int, float]] = Specification("T count", f"D {EVEN}", BASE)
check_angles: Callable[..., tuple[Array, int, float]] = Specification(
    "positions (T,): one position for each token", f"d {EVEN}", BASE
)
ROTATION = [Specification(f"{name} (..., T, d)") for name in ("X", "cos", "sin")]


def check_rotation(X: Any, cos: Any, sin: Any) -> tuple[Array, Array, Array]:
    [X], [cos], [sin] = (check(x) for check, x in zip(ROTATION, (X, cos, sin), strict=True))
    if sin.shape != cos.shape:
        raise ArgumentError("sin", f"shape {sin.shape}", f"the shape of cos {cos.shape}")
    (T, d), n = X.shape[-2:], cos.shape[-1]
    if 2 * n > d or cos.shape[-2] != T:
        wanted = f"({T}, n) with 2n <= {d}, for X {X.shape}"
        raise ArgumentError("cos", f"shape {cos.shape}", wanted)
    if not broadcasts(cos.shape[:-2], X.shape[:-2]):
        wanted = f"({T}, n), or with the leading axes of X {X.shape}"
        raise ArgumentError("cos", f"shape {cos.shape}", wanted)
    return X, cos.astype(X.dtype, copy=False), sin.astype(X.dtype, copy=False)


# experts.py

GATE = "X (..., D)", "W_g (D, E...): a row for each feature of X {X}"
check_gate: Callable[..., tuple[Array, Array, float]] = Specification(
    *GATE, "temperature number > 0: a number above 0"
)
check_top_k: Callable[..., tuple[Array, Array, int]] = Specification(
    *GATE, "k count <= E: at most {E}, the number of experts"
)
MIXTURE = Specification(
    "X (N, D): inputs are rows", "gates (N, E): a gate for each input and each expert"
)
GATES = Specification("gates (N, E): a row for each input")
WHY = ", for {C} Gaussians in {D} dimensions"
GAUSSIANS = Specification(
    "X (N, D): points are rows",
    f"weights (C,){WHY}",
    f"means (C, D){WHY}",
    f"covariances (C, D, D){WHY}",
)


def check_mixture(X: Any, gates: Any, experts: Any) -> list[Array]:
    listed = isinstance(experts, (list, tuple)) and experts
    require(listed, "experts", Short(experts), "a list of at least one function")
    return MIXTURE(X, gates, E=len(experts))


def check_expert_outputs(outputs: Any, n_asked: Any) -> list[Array]:
    """What the experts say about the inputs that each was asked about: (n_asked[e], D_out)."""
    specification = "(n, D_out): an output for each of the {n} inputs"
    checked: list[Array] = []
    for e, (output, n) in enumerate(zip(outputs, n_asked, strict=True)):
        known = {"D_out": checked[0].shape[1]} if checked else {}
        checked += Specification(f"experts[{e}](X) {specification}")(output, n=n, **known)
    return checked


def check_gates(gates: Any) -> Array:
    [gates] = GATES(gates)
    require(gates.size, "gates", f"shape {gates.shape}", "(N, E): a row for each input")
    return gates


def check_gaussians(X: Any, weights: Any, means: Any, covariances: Any) -> list[Array]:
    weights = as_floats(weights, "weights")
    given = GAUSSIANS(X, weights, means, covariances, C=weights.size)
    shares = (weights >= 0).all() and (weights > 0).any()
    require(shares, "weights", Short(weights.tolist()), "shares of at least 0, not all of them 0")
    for covariance in given[3]:
        require(
            _is_positive_definite(at_least_float32(covariance)),
            "covariances",
            Short(covariance.tolist()),
            "symmetric matrices, with a variance above 0 in every direction",
        )
    return given


def _is_positive_definite(matrix: Array) -> bool:
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return bool(np.isfinite(matrix).all() and np.allclose(matrix, matrix.T))


# decoding.py

check_temperature: Callable[..., tuple[float, int | None, float | None]] = Specification(
    "temperature number > 0: a number above 0 (for 0 there is greedy)",
    "top_k? count",
    "top_p? number > 0 <= 1: a number above 0, at most 1",
)


def as_prompt(prompt: Any) -> list[int]:
    """The tokens of a prompt as a new list of whole numbers."""
    wanted = "a list of token numbers"
    tokens = as_array(prompt, "prompt", wanted)
    whole = tokens.ndim == 1 and (tokens.dtype.kind in "iu" or not tokens.size)
    require(whole, "prompt", Short(prompt), wanted)
    return [int(token) for token in tokens]


def as_log_probs(x: Any, name: str) -> Array:
    """The log-probability of each next token (n_vocab,): no NaN, and not all impossible."""
    wanted = "a log-probability for each next token"
    [x] = Specification(f"{name} (n_vocab,): {wanted}")(x)
    nan = np.flatnonzero(np.isnan(x))
    require(not nan.size, name, f"NaN for token {nan[:1].sum()}", wanted)
    possible = "at least one token that is possible"
    require((x > -np.inf).any(), name, "-inf for every token", possible)
    return x


# quantisation.py

QUANTISE = Specification(
    "x (..., D)",
    "n_bits count <= 8: a whole number from 1 to 8: a code is one byte at most",
    "block_size count divides D: a divisor of the {D} numbers of a row of x {x}",
)


def check_quantise(x: Any, n_bits: Any, block_size: Any) -> tuple[Array, int, int]:
    x, n_bits, block_size = QUANTISE(x, n_bits, block_size)
    require(
        np.isfinite(x).all(),
        "x",
        "NaN or an infinite number",
        "finite numbers: a step is a share of most less least",
    )
    blocks = at_least_float32(x).reshape(-1, block_size)
    with np.errstate(over="ignore"):
        fits = np.isfinite(blocks.max(axis=-1) - blocks.min(axis=-1)).all()
    require(
        fits,
        "x",
        f"a block with a range beyond {blocks.dtype}",
        "numbers whose most less least is a number of that kind, too",
    )
    return x, n_bits, block_size


def as_codes(codes: Any, name: str) -> Codes:
    """codes as whole numbers of one byte: (..., n)."""
    x = as_array(codes, name)
    whole = x.dtype.kind in "iu" and x.ndim and not ((x < 0) | (x > 255)).any()
    wanted = "whole numbers from 0 to 255, at least one row"
    require(whole, name, f"{x.dtype}, shape {x.shape}", wanted)
    return x.astype(np.uint8, copy=False)


def check_pack(codes: Any) -> Codes:
    x = as_codes(codes, "codes")
    require(
        x.shape[-1] % 2 == 0,
        "codes",
        f"shape {x.shape}",
        "an even number of codes in a row: two go into a byte",
    )
    most = x.max(initial=0)
    require(most <= 15, "codes", f"a code of {most}", "codes from 0 to 15: four bits each")
    return x


def check_dequantise(step: Any, least: Any, codes: Any, name: str) -> tuple[Array, Array, Codes]:
    step, least, codes = as_floats(step, "step"), as_floats(least, "least"), as_codes(codes, name)
    require(least.shape == step.shape, "least", f"shape {least.shape}", f"{step.shape}, as step")
    return step, least, codes


def check_blocks(step: Any, least: Any, codes: Any) -> tuple[Array, Array, Codes]:
    step, least, codes = check_dequantise(step, least, codes, "codes")
    fits = (
        step.shape[:-1] == codes.shape[:-1]
        and step.ndim
        and step.shape[-1]
        and codes.shape[-1] % step.shape[-1] == 0
    )
    wanted = f"(..., D) for step {step.shape}: a step for each block of a row"
    require(fits, "codes", f"shape {codes.shape}", wanted)
    return step, least, codes.reshape(*step.shape, -1)


def check_packed(step: Any, least: Any, packed: Any) -> tuple[Array, Array, Codes]:
    step, least, packed = check_dequantise(step, least, packed, "packed")
    wanted = f"{(*step.shape, 'n/2')}: the bytes of a block for each step"
    require(packed.shape[:-1] == step.shape, "packed", f"shape {packed.shape}", wanted)
    return step, least, packed


# tokens.py


def check_ids(ids: Any, n: int) -> list[int]:
    """The numbers of tokens as a list, each from 0 to n - 1."""
    wanted = f"a list of whole numbers from 0 to {n - 1}"
    x = as_array(ids, "ids", wanted)
    whole = x.ndim == 1 and (not x.size or (x.dtype.kind in "iu" and 0 <= x.min() <= x.max() < n))
    require(whole, "ids", Short(ids), wanted)
    return list(x.tolist())


def check_merge(ids: Any, pair: Any) -> tuple[list[int], tuple[int, int]]:
    require(np.shape(pair) == (2,), "pair", Short(pair), "two token numbers")
    return ids if isinstance(ids, list) else check_ids(ids, np.iinfo(np.int64).max), pair


def check_tokenizer(
    pairs: Any, first: Any, special: Any
) -> tuple[list[tuple[int, int]], list[int], list[str]]:
    """Pairs as tuples of numbers of earlier tokens, single bytes, special texts: all different."""
    wanted = "pairs (left, right) of the numbers of earlier tokens"
    table = as_array(pairs, "pairs", wanted)
    table = table if table.size else np.zeros((0, 2), dtype=int)
    whole = table.ndim == 2 and table.shape[1] == 2 and table.dtype.kind in "iu"
    require(whole, "pairs", Short(pairs), wanted)
    first, special = list(first), list(special)
    different = len(set(first)) == len(first) and set(first) <= set(range(256))
    require(different, "first", Short(first), "different whole numbers from 0 to 255")
    different = len(set(special)) == len(special)
    texts = all(isinstance(text, str) and text for text in special)
    require(different and texts, "special", Short(special), "different texts")
    known = len(special) + len(first)
    for i, (left, right) in enumerate(pairs := list(map(tuple, table.tolist()))):
        earlier = len(special) <= min(left, right) and max(left, right) < known + i
        require(earlier, "pairs", f"{(left, right)} as pair {i}", wanted)
    return pairs, first, special
