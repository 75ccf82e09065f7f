"""What fits and what does not: every check of an argument, and how the course says that one does not fit, in one sentence.

`as_…` looks at one argument, `check_…` at all arguments of a function. Both give back what the mathematics can use, and never
change what they were given.
"""

import os
import re
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


def short(value):
    """A value in one short line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."


# One argument.

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


def as_features(x, name):
    """x as floats with features along the last axis: (..., D)."""
    x = as_floats(x, name)
    if x.ndim == 0:
        raise ArgumentError(name, "a single number", "at least one row of features")
    return x


def as_tokens(x, name):
    """x as floats with tokens as rows: (..., T, d)."""
    x = as_floats(x, name)
    if x.ndim < 2:
        raise ArgumentError(name, f"shape {x.shape}", "(..., T, d): tokens are rows")
    return x


def as_heads(x, name):
    """x as floats with the tokens of each head as rows: (..., H, T, d)."""
    x = as_floats(x, name)
    if x.ndim < 3:
        raise ArgumentError(name, f"shape {x.shape}", "(..., H, T, d)")
    return x


def as_rows(x, name, wanted):
    """x as floats in a table: two axes."""
    x = as_floats(x, name)
    if x.ndim != 2:
        raise ArgumentError(name, f"shape {x.shape}", wanted)
    return x


def as_count(n, name):
    """n as a whole number of at least 1."""
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 1:
        raise ArgumentError(name, short(n), "a whole number of at least 1")
    return int(n)


def as_even(n, name):
    """n as an even whole number of at least 2: features come in pairs."""
    if as_count(n, name) % 2:
        raise ArgumentError(name, n, "an even number: features come in pairs")
    return int(n)


def as_number(x, name, wanted="a number"):
    """x as one real number."""
    if isinstance(x, bool) or not isinstance(x, (int, float, np.integer, np.floating)):
        raise ArgumentError(name, short(x), wanted)
    return float(x)


def as_positive(x, name, wanted="a number above 0"):
    """x as one number above 0."""
    x = as_number(x, name, wanted)
    if not x > 0:
        raise ArgumentError(name, x, wanted)
    return x


def as_text(text, name):
    """text, which is a text that can be written in UTF-8."""
    if not isinstance(text, str):
        raise ArgumentError(name, type(text).__name__, "a text in quotes")
    if re.search("[\ud800-\udfff]", text):
        raise ArgumentError(name, "half a character (a lone surrogate)", "a text of whole characters")
    return text


def as_one_of(x, name, choices):
    """x, which is one of a few words."""
    if not isinstance(x, str) or x not in choices:
        raise ArgumentError(name, repr(x), " or ".join(f'"{choice}"' for choice in choices))
    return x


# Half precision: squares overflow from 256 on, scores and sums beyond 65504. So the mathematics is done in float32 at least.

def at_least_float32(x):
    """x, or x in float32 where it has half precision."""
    return x.astype(np.result_type(x, np.float32), copy=False)


def as_given(x, *given):
    """x in the dtype of what was given."""
    return x.astype(np.result_type(*given), copy=False)


# Several arguments that must fit together.

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


def check_projection(shape, W, b, name_X, name_W, name_b):
    """A matrix with a row for each feature of X (of that shape), and a bias (or None) with a number for each of its columns."""
    W = as_floats(W, name_W)
    if W.ndim != 2 or W.shape[0] != shape[-1]:
        raise ArgumentError(name_W, f"shape {W.shape}", f"({shape[-1]}, ...): a row for each feature of {name_X} {shape}")
    if b is None:
        return W, None
    b = as_floats(b, name_b)
    if b.shape != W.shape[1:]:
        raise ArgumentError(name_b, f"shape {b.shape}", f"{W.shape[1:]}: a number for each column of {name_W}")
    return W, b


# attention.py

def check_softmax(x, axis):
    x = as_floats(x, "x")
    if x.ndim == 0:
        raise ArgumentError("x", "a single number", "at least one row of scores")
    if isinstance(axis, bool) or not isinstance(axis, (int, np.integer)) or not -x.ndim <= axis < x.ndim:
        raise ArgumentError("axis", repr(axis), f"a whole number from {-x.ndim} to {x.ndim - 1} for x of shape {x.shape}")
    return x, axis


def check_scores(Q, K, scale):
    Q, K = as_tokens(Q, "Q"), as_tokens(K, "K")
    same_width(Q, K)
    same_leading_axes(Q=Q, K=K)
    return Q, K, None if scale is None else as_number(scale, "scale")


def check_attention(Q, K, V, mask, scale, softcap=None):
    Q, K, V = as_tokens(Q, "Q"), as_tokens(K, "K"), as_tokens(V, "V")
    same_width(Q, K)
    if K.shape[-2] != V.shape[-2]:
        raise ArgumentError("V", f"shape {V.shape}", f"(..., {K.shape[-2]}, d_v): a value for each key of K {K.shape}")
    shape = (*same_leading_axes(Q=Q, K=K), Q.shape[-2], K.shape[-2])
    same_leading_axes(Q=Q, K=K, V=V)
    scale = None if scale is None else as_number(scale, "scale")
    softcap = None if softcap is None else as_positive(softcap, "softcap", "a number above 0, or None")
    return Q, K, V, None if mask is None else as_mask(mask, shape), scale, softcap


def as_mask(mask, shape):
    """A mask of bool or float that broadcasts to the shape of the scores."""
    mask = as_array(mask, "mask", MASK_WANTED)
    if mask.dtype.kind not in "bf":
        raise ArgumentError("mask", f"dtype {mask.dtype}", MASK_WANTED)
    try:
        fits = np.broadcast_shapes(mask.shape, shape) == shape
    except ValueError:
        fits = False
    if not fits:
        raise ArgumentError("mask", f"shape {mask.shape}", f"a shape that broadcasts to {shape}: (..., T_q, T_kv)")
    return mask


def check_causal_mask(T_q, T_kv):
    T_q = as_count(T_q, "T_q")
    T_kv = T_q if T_kv is None else as_count(T_kv, "T_kv")
    if T_kv < T_q:
        raise ArgumentError("T_kv", T_kv, f"at least T_q = {T_q}: the queries are the last of the tokens")
    return T_q, T_kv


def check_window(T_q, window, T_kv):
    T_q, T_kv = check_causal_mask(T_q, T_kv)
    return T_q, as_count(window, "window"), T_kv


def check_groups(Q, K, V, mask):
    """Heads that share keys and values. Returns Q, K, V and the mask with H cut into H_kv groups: (..., H_kv, H/H_kv, T, d)."""
    Q, K, V = as_heads(Q, "Q"), as_heads(K, "K"), as_heads(V, "V")
    H, H_kv = Q.shape[-3], K.shape[-3]
    if H_kv == 0 or H % H_kv:
        raise ArgumentError("K", f"{H_kv} heads, shape {K.shape}", f"a number of heads that divides the {H} of Q {Q.shape}")
    if V.shape[-3] != H_kv:
        raise ArgumentError("V", f"{V.shape[-3]} heads, shape {V.shape}", f"{H_kv} heads, as K {K.shape}")
    if mask is not None:
        mask = as_array(mask, "mask", MASK_WANTED)
        if mask.ndim > 2:
            if mask.shape[-3] not in (1, H):
                raise ArgumentError("mask", f"shape {mask.shape}", f"a shape that broadcasts to (..., {H}, T_q, T_kv)")
            mask = mask.reshape(*mask.shape[:-3], *((1, 1) if mask.shape[-3] == 1 else (H_kv, H // H_kv)), *mask.shape[-2:])
    return Q.reshape(*Q.shape[:-3], H_kv, H // H_kv, *Q.shape[-2:]), K[..., None, :, :], V[..., None, :, :], mask


def check_padding_mask(lengths, T):
    T = as_count(T, "T")
    wanted = f"a list of whole numbers from 0 to T = {T}"
    lengths = as_array(lengths, "lengths", wanted)
    whole = np.issubdtype(lengths.dtype, np.integer)
    if lengths.ndim != 1 or not whole or (lengths < 0).any() or (lengths > T).any():
        raise ArgumentError("lengths", short(lengths), wanted)
    return lengths, T


def check_split_heads(X, n_heads):
    X, n_heads = as_tokens(X, "X"), as_count(n_heads, "n_heads")
    if X.shape[-1] % n_heads:
        raise ArgumentError("n_heads", n_heads, f"a divisor of the {X.shape[-1]} features of X {X.shape}")
    return X, n_heads


def check_multi_head(X, context, mask, n_heads, matrices, biases):
    """All that multi_head_attention is given. The context may be X; a mask without a head axis gets one."""
    X = as_tokens(X, "X")
    context = X if context is None else as_tokens(context, "context")
    leading = same_leading_axes(X=X, context=context)
    (W_Q, W_K, W_V, W_O), (b_Q, b_K, b_V, b_O) = matrices, biases
    W_Q, b_Q = check_projection(X.shape, W_Q, b_Q, "X", "W_Q", "b_Q")
    W_K, b_K = check_projection(context.shape, W_K, b_K, "context", "W_K", "b_K")
    W_V, b_V = check_projection(context.shape, W_V, b_V, "context", "W_V", "b_V")
    n_heads = as_count(n_heads, "n_heads")
    for name, W in (("W_Q", W_Q), ("W_K", W_K), ("W_V", W_V)):
        if W.shape[1] % n_heads:
            raise ArgumentError("n_heads", n_heads, f"a divisor of the {W.shape[1]} columns of {name} {W.shape}")
    if W_K.shape[1] != W_Q.shape[1]:
        raise ArgumentError("W_K", f"shape {W_K.shape}", f"{W_Q.shape[1]} columns, as many as W_Q {W_Q.shape}")
    merged = (*leading, X.shape[-2], W_V.shape[1])
    W_O, b_O = check_projection(merged, W_O, b_O, "the merged heads", "W_O", "b_O")
    if mask is not None:
        mask = as_array(mask, "mask", MASK_WANTED)
        if 2 < mask.ndim <= len(leading) + 2:          # leading axes but no head axis: the same mask for every head
            mask = np.expand_dims(mask, -3)
    return X, context, mask, (W_Q, W_K, W_V, W_O), (b_Q, b_K, b_V, b_O)


# layers.py

def check_norm(x, gamma, beta, eps):
    """The arguments of a norm. γ is 1 and β is 0 where none is given."""
    for name, parameter in (("gamma", gamma), ("beta", beta)):
        if parameter is not None and np.shape(parameter) != x.shape[-1:]:
            raise ArgumentError(name, f"shape {np.shape(parameter)}", f"{x.shape[-1:]}: a number for each feature")
    eps = as_number(eps, "eps", "a number of at least 0")
    if not eps >= 0:
        raise ArgumentError("eps", eps, "a number of at least 0")
    return x, 1 if gamma is None else as_floats(gamma, "gamma"), 0 if beta is None else as_floats(beta, "beta"), eps


def check_feed_forward(X, W_1, b_1, W_2, b_2):
    X = as_tokens(X, "X")
    W_1, b_1 = check_projection(X.shape, W_1, b_1, "X", "W_1", "b_1")
    W_2, b_2 = check_projection((*X.shape[:-1], W_1.shape[1]), W_2, b_2, "the hidden layer", "W_2", "b_2")
    return X, W_1, b_1, W_2, b_2


def check_block(X, params, norm):
    wanted = ("W_Q", "W_K", "W_V", "W_O", "W_1", "b_1", "W_2", "b_2")
    if not isinstance(params, dict):
        raise ArgumentError("params", short(params), f"a dict with all of {', '.join(wanted)}")
    missing = [name for name in wanted if name not in params]
    if missing:
        raise ArgumentError("params", f"no {', '.join(missing)}", f"all of {', '.join(wanted)}")
    return as_tokens(X, "X"), as_one_of(norm, "norm", ("pre", "post"))


def check_gated(X, W_gate, W_up, W_down):
    X = as_tokens(X, "X")
    W_gate, _ = check_projection(X.shape, W_gate, None, "X", "W_gate", None)
    W_up, _ = check_projection(X.shape, W_up, None, "X", "W_up", None)
    if W_up.shape != W_gate.shape:
        raise ArgumentError("W_up", f"shape {W_up.shape}", f"{W_gate.shape}, as W_gate")
    W_down, _ = check_projection((*X.shape[:-1], W_up.shape[1]), W_down, None, "the hidden layer", "W_down", None)
    return X, W_gate, W_up, W_down


# positions.py

def check_angles(positions, d, base):
    positions = as_floats(positions, "positions")
    if positions.ndim != 1:
        raise ArgumentError("positions", f"shape {positions.shape}", "(T,): one position for each token")
    return positions, as_even(d, "d"), as_positive(base, "base")


def check_rotation(X, cos, sin):
    X, cos, sin = as_tokens(X, "X"), as_tokens(cos, "cos"), as_tokens(sin, "sin")
    if sin.shape != cos.shape:
        raise ArgumentError("sin", f"shape {sin.shape}", f"the shape of cos {cos.shape}")
    if 2 * cos.shape[-1] > X.shape[-1] or cos.shape[-2] != X.shape[-2]:
        raise ArgumentError("cos", f"shape {cos.shape}", f"({X.shape[-2]}, n) with 2n <= {X.shape[-1]}, for X {X.shape}")
    try:
        fits = np.broadcast_shapes(cos.shape[:-2], X.shape[:-2]) == X.shape[:-2]
    except ValueError:
        fits = False
    if not fits:
        raise ArgumentError("cos", f"shape {cos.shape}", f"({X.shape[-2]}, n), or with the leading axes of X {X.shape}")
    return X, cos.astype(X.dtype, copy=False), sin.astype(X.dtype, copy=False)


# experts.py

def check_gate(X, W_g):
    X = as_features(X, "X")
    return X, check_projection(X.shape, W_g, None, "X", "W_g", None)[0]


def check_top_k(X, W_g, k):
    X, W_g = check_gate(X, W_g)
    if as_count(k, "k") > W_g.shape[1]:
        raise ArgumentError("k", k, f"at most {W_g.shape[1]}, the number of experts")
    return X, W_g, int(k)


def check_mixture(X, gates, experts):
    X, gates = as_rows(X, "X", "(N, D): inputs are rows"), as_floats(gates, "gates")
    if not isinstance(experts, (list, tuple)) or not experts:
        raise ArgumentError("experts", short(experts), "a list of at least one function")
    if gates.shape != (len(X), len(experts)):
        raise ArgumentError("gates", f"shape {gates.shape}", f"{(len(X), len(experts))}: a gate for each input and each expert")
    return X, gates


def check_said(said, n_asked):
    """What the experts say about the inputs that each was asked about: (n_asked[e], D_out) each."""
    said = [as_floats(answer, f"experts[{e}](X)") for e, answer in enumerate(said)]
    for e, (answer, n) in enumerate(zip(said, n_asked, strict=True)):
        if answer.ndim != 2 or len(answer) != n or answer.shape[1] != said[0].shape[1]:
            D_out = said[0].shape[1] if e else "D_out"
            raise ArgumentError(f"experts[{e}](X)", f"shape {answer.shape}", f"({n}, {D_out}): an output for each of the {n} inputs")
    return said


def check_gates(gates):
    gates = as_rows(gates, "gates", "(N, E): a row for each input")
    if not gates.size:
        raise ArgumentError("gates", f"shape {gates.shape}", "(N, E): a row for each input")
    return gates


def check_gaussians(X, weights, means, covariances):
    X, weights = as_rows(X, "X", "(N, D): points are rows"), as_floats(weights, "weights")
    means, covariances = as_floats(means, "means"), as_floats(covariances, "covariances")
    D, C = X.shape[1], weights.size
    for name, array, shape in (("weights", weights, (C,)), ("means", means, (C, D)), ("covariances", covariances, (C, D, D))):
        if array.shape != shape:
            raise ArgumentError(name, f"shape {array.shape}", f"{shape}, for {C} Gaussians in {D} dimensions")
    if not ((weights >= 0).all() and (weights > 0).any()):
        raise ArgumentError("weights", short(weights.tolist()), "shares of at least 0, not all of them 0")
    for covariance in covariances:
        if not _is_positive_definite(covariance):
            raise ArgumentError("covariances", short(covariance.tolist()), "symmetric matrices, with a variance above 0 in every direction")
    return X, weights, means, covariances


def _is_positive_definite(matrix):
    matrix = at_least_float32(matrix)
    if not (np.isfinite(matrix).all() and np.allclose(matrix, matrix.T)):
        return False
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True


# decoding.py

def as_prompt(prompt):
    """The tokens of a prompt as a new list of whole numbers."""
    tokens = as_array(prompt, "prompt", "a list of token numbers")
    if tokens.ndim != 1 or (tokens.size and tokens.dtype.kind not in "iu"):
        raise ArgumentError("prompt", short(prompt), "a list of token numbers")
    return [int(t) for t in tokens]


def as_log_probs(log_probs, name):
    """The log-probability of each next token (n_vocab,): no NaN, and not all impossible."""
    log_probs = as_floats(log_probs, name)
    if log_probs.ndim != 1:
        raise ArgumentError(name, f"shape {log_probs.shape}", "(n_vocab,): a log-probability for each next token")
    if np.isnan(log_probs).any():
        raise ArgumentError(name, f"NaN for token {np.isnan(log_probs).argmax()}", "a log-probability for each next token")
    if not (log_probs > -np.inf).any():
        raise ArgumentError(name, "-inf for every token", "at least one token that is possible")
    return log_probs


def check_temperature(temperature, top_k, top_p):
    temperature = as_positive(temperature, "temperature", "a number above 0 (for 0 there is greedy)")
    if top_p is not None and as_positive(top_p, "top_p", "a number above 0, at most 1") > 1:
        raise ArgumentError("top_p", top_p, "a number above 0, at most 1")
    return temperature, None if top_k is None else as_count(top_k, "top_k"), top_p


# quantisation.py

def check_quantise(x, n_bits, block_size):
    x, n_bits, block_size = as_features(x, "x"), as_count(n_bits, "n_bits"), as_count(block_size, "block_size")
    if n_bits > 8:
        raise ArgumentError("n_bits", n_bits, "a whole number from 1 to 8: a code is one byte at most")
    if x.shape[-1] % block_size:
        raise ArgumentError("block_size", block_size, f"a divisor of the {x.shape[-1]} numbers of a row of x {x.shape}")
    if not np.isfinite(x).all():
        raise ArgumentError("x", "NaN or an infinite number", "finite numbers: a step is a share of most less least")
    return x, n_bits, block_size


def as_codes(codes, name):
    """codes as whole numbers of one byte: (..., n), n even where two go into a byte."""
    codes = as_array(codes, name)
    if codes.dtype.kind not in "iu" or codes.ndim == 0 or (codes.size and (codes.min() < 0 or codes.max() > 255)):
        raise ArgumentError(name, f"{codes.dtype}, shape {codes.shape}", "whole numbers from 0 to 255, at least one row")
    return codes.astype(np.uint8, copy=False)


def check_pack(codes):
    codes = as_codes(codes, "codes")
    if codes.shape[-1] % 2:
        raise ArgumentError("codes", f"shape {codes.shape}", "an even number of codes in a row: two go into a byte")
    if codes.size and codes.max() > 15:
        raise ArgumentError("codes", f"a code of {codes.max()}", "codes from 0 to 15: four bits each")
    return codes


def check_dequantise(step, least, codes, name="codes"):
    """A step and a least value for each block; the codes' rows cut into as many blocks."""
    step, least, codes = as_floats(step, "step"), as_floats(least, "least"), as_codes(codes, name)
    if least.shape != step.shape:
        raise ArgumentError("least", f"shape {least.shape}", f"{step.shape}, as step")
    return step, least, codes


def check_blocks(step, least, codes):
    step, least, codes = check_dequantise(step, least, codes)
    fits = step.ndim == codes.ndim and step.shape[:-1] == codes.shape[:-1] and step.shape[-1] and codes.shape[-1] % step.shape[-1] == 0
    if not fits:
        raise ArgumentError("codes", f"shape {codes.shape}", f"(..., D) for step {step.shape}: a step for each block of a row")
    return step, least, codes.reshape(*step.shape, -1)


def check_packed(step, least, packed):
    step, least, packed = check_dequantise(step, least, packed, "packed")
    if packed.shape[:-1] != step.shape:
        raise ArgumentError("packed", f"shape {packed.shape}", f"{(*step.shape, 'n/2')}: the bytes of a block for each step")
    return step, least, packed


# tokens.py

def check_ids(ids, n):
    """The numbers of tokens as a list, each from 0 to n - 1."""
    wanted = f"a list of whole numbers from 0 to {n - 1}"
    numbers = as_array(ids, "ids", wanted)
    if numbers.ndim != 1 or (numbers.size and (numbers.dtype.kind not in "iu" or numbers.min() < 0 or numbers.max() >= n)):
        raise ArgumentError("ids", short(ids), wanted)
    return numbers.tolist()


def check_merge(ids, pair, new):
    if not isinstance(ids, list):
        ids = check_ids(ids, np.iinfo(np.int64).max)
    if np.shape(pair) != (2,):
        raise ArgumentError("pair", short(pair), "two token numbers")
    return ids, pair, new


def check_learn(text, n_merges):
    return as_text(text, "text"), as_count(n_merges, "n_merges")


def check_tokenizer(pairs, first, special):
    """Pairs as tuples of numbers of earlier tokens, single bytes, special texts: all of them different."""
    wanted = "pairs (left, right) of the numbers of earlier tokens"
    table = as_array(pairs, "pairs", wanted)
    if not table.size:
        table = np.zeros((0, 2), dtype=int)
    if table.ndim != 2 or table.shape[1] != 2 or table.dtype.kind not in "iu":
        raise ArgumentError("pairs", short(pairs), wanted)
    first, special = list(first), list(special)
    if len(set(first)) < len(first) or not set(first) <= set(range(256)):
        raise ArgumentError("first", short(first), "different whole numbers from 0 to 255")
    if len(set(special)) < len(special) or not all(isinstance(text, str) and text for text in special):
        raise ArgumentError("special", short(special), "different texts")
    table = table.astype(int)
    late = np.flatnonzero((table >= len(special) + len(first) + np.arange(len(table))[:, None]).any(axis=1) | (table < len(special)).any(axis=1))
    if late.size:
        raise ArgumentError("pairs", f"{tuple(table[late[0]].tolist())} as pair {late[0]}", wanted)
    return list(map(tuple, table.tolist())), first, special
