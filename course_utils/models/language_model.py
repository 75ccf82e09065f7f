"""A small causal language model out of all parts of the course, with its gradients by hand, and a
cache for decoding.

Tokens are whole numbers (..., T); -1 stands after the end of a text that is shorter than the
others. The parameters are a flat dict:
W_E (the vectors of the vocabulary), R, then for each block "1.W_Q", "1.W_K", ..., and last gamma,
beta (the last norm), W_out, b_out (the head). `block(params, l)` is block l in the names of
`layers.transformer_block`.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, DTypeLike

from course_utils.arguments import ArgumentError, Array, Integers, Shape
from course_utils.attention import (
    causal_mask,
    merge_heads,
    scaled_dot_product_attention,
    softmax,
    split_heads,
)
from course_utils.layers import gelu, relu
from course_utils.models.training import Adam, norm_backward, norm_forward
from course_utils.positions import rotary_angles, rotary_embedding, sinusoidal_positional_encoding

Params = dict[str, Array]
Tape = list[dict[str, Any]]  # for each block, and for the head, what the way back needs
Cache = list[tuple[Array, Array]]  # keys and values of each block
Forward = Callable[[Integers, Params, list[Params], int], Array]  # the exercise `forward`
CHOICES = {"positions": ("learned", "sinusoidal", "rotary"), "activation": ("relu", "gelu")}
C_GELU = math.sqrt(2 / math.pi)


@dataclass(frozen=True)
class Config:
    """The sizes and switches of a model.

    E experts: 1 is a plain feed-forward network; more are weighed by a softmax gate, and dense:
    every token asks all of them.
    """

    n_vocab: int
    T: int = 16  # the longest text it can read
    D: int = 32
    H: int = 4
    L: int = 2
    d_ff: int = 64
    E: int = 1
    positions: str = "learned"
    activation: str = "relu"

    def __post_init__(self) -> None:
        for name, allowed in CHOICES.items():
            if getattr(self, name) not in allowed:
                raise ArgumentError(
                    name, repr(getattr(self, name)), " or ".join(map(repr, allowed))
                )
        if self.D % self.H:
            raise ArgumentError("H", self.H, f"a divisor of D = {self.D}")


def new_model(rng: Generator, config: Config, dtype: DTypeLike = np.float32) -> Params:
    """Random parameters: a dict of arrays. Matrices are scaled by their number of rows, biases are
    0, the γ are 1."""
    D, d_ff, E = config.D, config.d_ff, config.E
    experts = () if E == 1 else (E,)
    shapes: dict[str, Shape] = {"W_E": (config.n_vocab, D)}
    if config.positions == "learned":
        shapes["R"] = (config.T, D)
    for number in range(1, config.L + 1):
        one: dict[str, Shape] = {
            "gamma_1": (D,),
            "beta_1": (D,),
            "W_Q": (D, D),
            "W_K": (D, D),
            "W_V": (D, D),
            "W_O": (D, D),
            "b_Q": (D,),
            "b_K": (D,),
            "b_V": (D,),
            "b_O": (D,),
            "gamma_2": (D,),
            "beta_2": (D,),
            **({"W_g": (D, E)} if E > 1 else {}),
            "W_1": (*experts, D, d_ff),
            "b_1": (*experts, d_ff),
            "W_2": (*experts, d_ff, D),
            "b_2": (*experts, D),
        }
        shapes |= {f"{number}.{name}": shape for name, shape in one.items()}
    shapes |= {
        "gamma": (D,),
        "beta": (D,),
        "W_out": (D, config.n_vocab),
        "b_out": (config.n_vocab,),
    }
    return {
        name: _start(rng, name.split(".")[-1], shape).astype(dtype)
        for name, shape in shapes.items()
    }


def block(params: Params, number: int) -> Params:
    """Block `number` (1 to L) as a dict in the names of `layers.transformer_block`. The arrays are
    the model's own, not copies."""
    return {
        name.split(".")[1]: array for name, array in params.items() if name.startswith(f"{number}.")
    }


def forward(
    params: Params, tokens: ArrayLike, config: Config, cache: Cache | None = None
) -> tuple[Array, Tape]:
    """The scores of every next token: logits (..., T, n_vocab), and the tape, which holds all that
    was computed on the way.

    The weights of block l are tape[l - 1]["A"], (..., H, T, T). cache: the keys and values of
    earlier tokens, a list with a pair (K, V) for each block (an empty list at the start); the
    tokens then continue the earlier ones, and the cache grows by them.
    """
    tokens = np.asarray(tokens)
    before = cache[0][0].shape[-2] if cache else 0
    T = tokens.shape[-1]
    if before + T > config.T and config.positions == "learned":
        raise ArgumentError(
            "tokens", f"{before + T} of them", f"at most T = {config.T}, the rows of the table R"
        )
    places = np.arange(before, before + T)
    X = params["W_E"][np.maximum(tokens, 0)]  # (..., T, D)
    if config.positions == "learned":
        X = X + params["R"][places]
    elif config.positions == "sinusoidal":
        X = X + sinusoidal_positional_encoding(before + T, config.D)[places].astype(X.dtype)
    angles = rotary_angles(places, config.D // config.H) if config.positions == "rotary" else None
    mask, tape, past = causal_mask(T, before + T), [], list(cache or [])
    for number in range(1, config.L + 1):
        X, kept = _block_forward(
            X, block(params, number), config, angles, mask, past[number - 1] if past else None
        )
        tape.append(kept)
    if cache is not None:
        cache[:] = [(kept["K"], kept["V"]) for kept in tape]
    normed, sigma = norm_forward(X)
    Y = normed * params["gamma"] + params["beta"]
    return Y @ params["W_out"] + params["b_out"], [
        *tape,
        {"normed": normed, "sigma": sigma, "Y": Y, "angles": angles},
    ]


def scores_of(model: Forward, params: Params, tokens: Integers, config: Config) -> Array:
    """The scores (n, T, n_vocab) that a `model` of the student's gives to texts (n, T), one after
    the other; 0 after a text's end.

    model(tokens, params, blocks, n_heads) is the exercise `forward` of notebook 11: one text (T,),
    scores (T, n_vocab). The course's own answer to it says by an attribute that it is the `forward`
    above: then all texts are read at once.
    """
    if getattr(model, "is_the_courses", False):
        return np.where(tokens[..., None] >= 0, forward(params, tokens, config)[0], 0)
    blocks = [block(params, number) for number in range(1, config.L + 1)]
    scores = np.zeros((*tokens.shape, config.n_vocab))
    for text, row in zip(tokens, scores, strict=True):
        text = text[text >= 0]
        row[: len(text)] = model(text, params, blocks, config.H)
    return scores


def loss_and_gradients(
    params: Params, tokens: Integers, config: Config, model: Forward | None = None
) -> tuple[float, Params]:
    """The mean surprise -log p of every next token, and its gradients: a dict with the names of
    params.

    Parameters: tokens (n, T + 1), each row a text, -1 after its end; what is -1 is not asked for.
    model: a student's forward, which then gives the scores, and with them the loss and its slope
    there (see scores_of). The way back is the same: `backward`.
    """
    read, answer = tokens[:, :-1], tokens[:, 1:]
    scores, tape = forward(params, read, config)
    loss, slope = loss_and_gradient(
        scores if model is None else scores_of(model, params, read, config), answer
    )
    return loss, backward(params, read, config, slope, tape)


def loss_and_gradient(scores: Array, answer: Integers) -> tuple[float, Array]:
    """The mean surprise of the right words, and its slope at the scores, p - r divided by their
    number; both (n, T, n_vocab).

    answer (n, T): the number of the right word at each place, -1 where none is asked for.
    """
    P, asked = softmax(scores), np.flatnonzero(answer >= 0)
    rows, right = P.reshape(-1, P.shape[-1]), answer.reshape(-1)
    loss = -np.log(rows[asked, right[asked]]).mean()
    slope = np.zeros_like(rows)
    slope[asked] = rows[asked] / len(asked)
    slope[asked, right[asked]] -= 1 / len(asked)
    return float(loss), slope.reshape(P.shape)


def backward(
    params: Params, tokens: Integers, config: Config, slope: Array, tape: Tape | None = None
) -> Params:
    """From the loss's slope at the scores of texts (n, T) to its gradients at all parameters: a
    dict with the names of params.

    tape: what `forward` computed on the way; it is run again where there is none.
    """
    *tape, last = tape or forward(params, tokens, config)[1]
    g = {}
    g["W_out"], g["b_out"] = _project_back(last["Y"], slope)
    dX = _norm_back(
        slope @ params["W_out"].T, last["normed"], last["sigma"], params["gamma"], g, ""
    )
    for number in range(config.L, 0, -1):
        dX, of_block = _block_backward(
            dX, block(params, number), config, last["angles"], tape[number - 1]
        )
        g |= {f"{number}.{name}": d for name, d in of_block.items()}
    if config.positions == "learned":
        g["R"] = np.zeros_like(params["R"])
        g["R"][: dX.shape[-2]] = dX.sum(axis=0)
    g["W_E"] = np.zeros_like(params["W_E"])
    np.add.at(g["W_E"], np.maximum(tokens, 0), dX)
    return g


def surprise(
    params: Params, tokens: Integers, config: Config, model: Forward | None = None
) -> float:
    """The mean of -log p of every next token, without gradients. tokens and model as in
    loss_and_gradients."""
    read = tokens[:, :-1]
    log_probs = _log_softmax(
        forward(params, read, config)[0]
        if model is None
        else scores_of(model, params, read, config)
    )
    answer = tokens[:, 1:]
    return float(
        -np.take_along_axis(log_probs, np.maximum(answer, 0)[..., None], axis=-1)[
            answer >= 0
        ].mean()
    )


def rate_at(step: int, steps: int, learning_rate: float) -> float:
    """The learning rate of one of so many steps: it rises over the first tenth to `learning_rate`,
    then falls to 0 along a cosine."""
    warm, cold = min(1, 10 * step / steps), (1 + math.cos(math.pi * step / steps)) / 2
    return learning_rate * warm * cold


def train(
    params: Params,
    texts: Integers,
    config: Config,
    rng: Generator,
    steps: int = 400,
    n: int = 32,
    learning_rate: float = 1e-2,
    model: Forward | None = None,
) -> Iterator[tuple[int, float]]:
    """Adam on random batches of n of the texts (m, T + 1); the params change in place. Yields
    (step, loss) after every step.

    model: a student's forward, which is trained in the place of this one (see loss_and_gradients).
    The learning rate rises over the first tenth of the steps and then falls to 0 along a cosine.
    """
    adam = Adam(params.values())
    for step in range(1, steps + 1):
        tokens = texts[rng.integers(len(texts), size=n)]
        longest = (tokens >= 0).any(axis=0).sum()
        tokens = tokens[:, :longest]
        loss, gradients = loss_and_gradients(params, tokens, config, model)
        adam.step([gradients[name] for name in params], rate_at(step, steps, learning_rate))
        yield step, loss


def next_log_probs(
    params: Params, tokens: Sequence[int], config: Config, model: Forward | None = None
) -> Array:
    """The log-probabilities (n_vocab,) of the token after the list `tokens`: what the functions of
    `decoding` ask for.

    model: a student's forward, which then gives the scores (see scores_of).
    """
    scores = (
        forward(params, tokens, config)[0]
        if model is None
        else scores_of(model, params, np.array([tokens]), config)[0]
    )
    return _log_softmax(scores[-1].astype(float))


def surprise_of(reader: Callable[[list[int]], Array], texts: Integers) -> float:
    """The mean of -log p of every next token of texts (n, T), -1 after their end.

    reader(tokens) -> (n_vocab,) gives the log-probabilities of the token after a list, as
    next_log_probs does and what count_model returns.

    >>> round(surprise_of(lambda tokens: np.log([0.5, 0.5]), np.array([[0, 1, 1], [1, 0, -1]])), 2)
    0.69
    """
    rows = [[token for token in row if token >= 0] for row in texts.tolist()]
    return float(-np.mean([reader(row[:i])[row[i]] for row in rows for i in range(1, len(row))]))


def silenced(params: Params, heads: Iterable[tuple[int, int]], config: Config) -> Params:
    """The parameters with these heads, pairs (block, head) counted from 1, silenced: their rows of
    W_O are 0. params stay as they are."""
    rest, d = dict(params), config.D // config.H
    for number, head in heads:
        rest[f"{number}.W_O"] = rest[f"{number}.W_O"].copy()
        rest[f"{number}.W_O"][d * (head - 1) : d * head] = 0
    return rest


def count_model(
    texts: Integers, n_vocab: int, n: int, extra: float = 0.1
) -> Callable[[Sequence[int]], Array]:
    """A model without learning: how often did each word follow these n - 1 words? n = 2 is a
    bigram, n = 3 a trigram.

    Every count starts at `extra`. Returns next_log_probs(tokens) -> (n_vocab,), which sees no more
    than the last n - 1 tokens.
    """
    counts: dict[tuple[int, ...], Array] = {}
    for tokens in texts.tolist():
        for i in range(1, len(tokens)):
            if tokens[i] >= 0:
                counts.setdefault(tuple(tokens[max(0, i - n + 1) : i]), np.full(n_vocab, extra))[
                    tokens[i]
                ] += 1
    never = np.ones(n_vocab)

    def next_log_probs(tokens: Sequence[int]) -> Array:
        seen = counts.get(tuple(tokens[max(0, len(tokens) - n + 1) :]), never)
        return np.log(seen / seen.sum())

    return next_log_probs


class CachedModel:
    """A model that remembers the keys and values of what it has read, so that each new token is
    computed alone."""

    def __init__(self, params: Params, config: Config) -> None:
        self.params, self.config = params, config
        self.cache: Cache = []

    def step(self, tokens: int | Sequence[int]) -> Array:
        """Read one more token (or a list of them). Returns the log-probabilities (n_vocab,) of the
        next one."""
        logits, _ = forward(self.params, np.atleast_1d(tokens), self.config, self.cache)
        return _log_softmax(logits[-1].astype(float))


def multiplications(config: Config, T: int, cached: bool) -> int:
    """How many multiplications it takes to write T tokens, one after the other, with a cache or
    without.

    Counted are the matrix products of the blocks and the head; without a cache everything is
    computed again for each token.
    """
    D, d_ff, E = config.D, config.d_ff, config.E
    a_token = (
        config.L * (4 * D * D + E * 2 * D * d_ff + (D * E if E > 1 else 0)) + D * config.n_vocab
    )
    a_pair = config.L * 2 * D  # a score and its part of the average, all heads together
    return sum(
        a_token + a_pair * t if cached else t * a_token + t * t * a_pair for t in range(1, T + 1)
    )


# A block, forth and back. Only names: what is d something is the loss's slope at something.


def _block_forward(X, p, config, angles, mask, past):
    normed_1, sigma_1 = norm_forward(X)
    I = normed_1 * p["gamma_1"] + p["beta_1"]
    Q, K, V = (
        split_heads(I @ p[f"W_{z}"] + p[f"b_{z}"], config.H) for z in "QKV"
    )  # (..., H, T, d)
    if angles is not None:
        Q, K = rotary_embedding(Q, *angles), rotary_embedding(K, *angles)
    if past is not None:
        K, V = np.concatenate([past[0], K], axis=-2), np.concatenate([past[1], V], axis=-2)
    heads, A = scaled_dot_product_attention(Q, K, V, mask)
    M = merge_heads(heads)
    Z = X + M @ p["W_O"] + p["b_O"]

    normed_2, sigma_2 = norm_forward(Z)
    I_2 = (normed_2 * p["gamma_2"] + p["beta_2"]).reshape(
        -1, config.D
    )  # (n, D), tokens of all texts
    W_1, b_1, W_2, b_2 = _experts(p, config)
    inside = I_2 @ W_1 + b_1  # (E, n, d_ff)
    hidden = relu(inside) if config.activation == "relu" else gelu(inside, "tanh")
    said = hidden @ W_2 + b_2  # (E, n, D)
    gates = softmax(I_2 @ p["W_g"]) if config.E > 1 else None  # (n, E)
    F = said[0] if gates is None else (gates.T[..., None] * said).sum(axis=0)
    kept = {
        "normed_1": normed_1,
        "sigma_1": sigma_1,
        "I": I,
        "Q": Q,
        "K": K,
        "V": V,
        "A": A,
        "M": M,
        "normed_2": normed_2,
        "sigma_2": sigma_2,
        "I_2": I_2,
        "inside": inside,
        "hidden": hidden,
        "said": said,
        "gates": gates,
    }
    return Z + F.reshape(Z.shape), kept


def _block_backward(dX, p, config, angles, t):
    """From the slope at the block's output to that at its input, and the gradients of the block's
    parameters."""
    g, D = {}, config.D
    W_1, _, W_2, _ = _experts(p, config)
    dF = dX.reshape(-1, D)
    d_said = dF[None] if t["gates"] is None else t["gates"].T[..., None] * dF  # (E, n, D)
    d_inside = (d_said @ W_2.swapaxes(1, 2)) * _slope(
        t["inside"], config.activation
    )  # (E, n, d_ff)
    g["W_1"], g["b_1"] = t["I_2"].T @ d_inside, d_inside.sum(axis=1)
    g["W_2"], g["b_2"] = t["hidden"].swapaxes(1, 2) @ d_said, d_said.sum(axis=1)
    dJ = (d_inside @ W_1.swapaxes(1, 2)).sum(axis=0)
    if t["gates"] is not None:
        d_gates = (t["said"] * dF).sum(axis=-1).T  # (n, E)
        d_choice = t["gates"] * (
            d_gates - (d_gates * t["gates"]).sum(axis=1, keepdims=True)
        )  # back through the softmax
        g["W_g"] = t["I_2"].T @ d_choice
        dJ = dJ + d_choice @ p["W_g"].T
    dZ = dX + _norm_back(
        dJ.reshape(dX.shape), t["normed_2"], t["sigma_2"], p["gamma_2"], g, "_2"
    )  # the skip, and the way through

    g["W_O"], g["b_O"] = _project_back(t["M"], dZ)
    d_heads = split_heads(dZ @ p["W_O"].T, config.H)
    dA, A = d_heads @ t["V"].swapaxes(-1, -2), t["A"]
    dV = A.swapaxes(-1, -2) @ d_heads
    dS = (
        A * (dA - (dA * A).sum(axis=-1, keepdims=True)) / math.sqrt(D // config.H)
    )  # back through softmax and scale
    dQ, dK = dS @ t["K"], dS.swapaxes(-1, -2) @ t["Q"]
    if angles is not None:  # back through a turn: turn back
        cos, sin = angles
        dQ, dK = rotary_embedding(dQ, cos, -sin), rotary_embedding(dK, cos, -sin)
    dI = 0
    for z, d in (("Q", dQ), ("K", dK), ("V", dV)):
        d = merge_heads(d)
        g[f"W_{z}"], g[f"b_{z}"] = _project_back(t["I"], d)
        dI = dI + d @ p[f"W_{z}"].T
    dX = dZ + _norm_back(dI, t["normed_1"], t["sigma_1"], p["gamma_1"], g, "_1")
    return dX, {name: d.reshape(p[name].shape) for name, d in g.items()}


def _norm_back(dY, normed, sigma, gamma, g, suffix):
    rows = tuple(range(dY.ndim - 1))
    g[f"gamma{suffix}"], g[f"beta{suffix}"] = (dY * normed).sum(axis=rows), dY.sum(axis=rows)
    return norm_backward(dY * gamma, normed, sigma)


def _project_back(X, dY):
    """The gradients of W and b where Y = X W + b, summed over all tokens."""
    dY = dY.reshape(-1, dY.shape[-1])
    return X.reshape(-1, X.shape[-1]).T @ dY, dY.sum(axis=0)


def _experts(p, config):
    """The feed-forward networks as stacks with E on top: W_1 (E, D, d_ff), b_1 (E, 1, d_ff), W_2
    (E, d_ff, D), b_2 (E, 1, D)."""
    D, d_ff = config.D, config.d_ff
    return (
        p["W_1"].reshape(-1, D, d_ff),
        p["b_1"].reshape(-1, 1, d_ff),
        p["W_2"].reshape(-1, d_ff, D),
        p["b_2"].reshape(-1, 1, D),
    )


def _slope(x, activation):
    """The slope of the activation at x."""
    if activation == "relu":
        return x > 0
    curve = np.tanh(C_GELU * (x + 0.044715 * x**3))
    return 0.5 * (1 + curve) + 0.5 * x * (1 - curve**2) * C_GELU * (1 + 3 * 0.044715 * x**2)


def _start(rng, name, shape):
    if name.startswith("gamma"):
        return np.ones(shape)
    if name.startswith("b"):  # b_..., beta_...
        return np.zeros(shape)
    return rng.normal(size=shape) * {"W_E": 0.5, "R": 0.1}.get(name, 1 / math.sqrt(shape[-2]))


def _log_softmax(logits):
    logits = logits - logits.max(axis=-1, keepdims=True)
    return logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
