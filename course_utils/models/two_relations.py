"""A task that asks every token two questions, and a layer of heads small enough to train from ten
starts in a second.

A sentence has eight places: four words, each twice, in any order, and each token has a colour of
its own. Every token is asked: which colour has *the token before* you, and which colour has *the
other mention of your word*? (The first token is not asked for the token before.) The heads read
word, place and colour; W_O turns what they bring into scores of the colours, for both questions.

Weights are a list [W_Q, W_K, W_V, W_O] with a leading axis of length n_starts, a model for each
start. With [W_Q, W_K, W_V, W_1, W_2] a feed-forward network without biases reads the heads out:
max(0, M W_1) W_2 (lecture 07).
"""

from collections.abc import Iterable

import numpy as np
from numpy.random import Generator

from course_utils.arguments import Array, Integers
from course_utils.attention import merge_heads, softmax, split_heads
from course_utils.models.expert_training import learn

N_WORDS, N_COLOURS = 4, 4
T, D = (
    2 * N_WORDS,
    N_WORDS + 2 * N_WORDS + N_COLOURS,
)  # 8 places; word, place and colour are 16 features
RELATIONS = ["the token before", "the same word"]
WORDS, COLOURS = ["bears", "love", "game", "pain"], ["red", "blue", "green", "grey"]


def sentences(rng: Generator, n: int) -> tuple[Array, Integers, Integers]:
    """n sentences: X (n, T, D); whom (n, T, 2), the place that each question is about; answers (n,
    T, 2), the colour there."""
    words = rng.permuted(np.tile(np.repeat(np.arange(N_WORDS), 2), (n, 1)), axis=1)
    colours = rng.integers(N_COLOURS, size=(n, T))
    same = (words[:, :, None] == words[:, None, :]) & ~np.eye(T, dtype=bool)
    before = np.broadcast_to(np.arange(-1, T - 1) % T, (n, T))
    whom = np.stack([before, same.argmax(axis=-1)], axis=-1)
    places = np.broadcast_to(np.eye(T), (n, T, T))
    X = np.concatenate([np.eye(N_WORDS)[words], places, np.eye(N_COLOURS)[colours]], axis=-1)
    return X, whom, np.take_along_axis(colours[:, :, None], whom, axis=1)


def in_words(X: Array, whom: Integers) -> tuple[list[str], list[str]]:
    """The words of one sentence X (T, D), and a line for each token: its colour, and the colours at
    the places whom (T, 2) that its two questions are about."""
    words = [WORDS[k] for k in X[:, :N_WORDS].argmax(axis=1)]
    colours = [COLOURS[k] for k in X[:, -N_COLOURS:].argmax(axis=1)]
    lines = []
    for t, (before, other) in enumerate(whom):
        first = colours[before] if t else "-"  # nobody stands before the first token
        lines.append(f"{t} {words[t]:6}{colours[t]:6} before: {first:6} other: {colours[other]}")
    return words, lines


def new_heads(starts: Iterable[int], n_units: int = 0, width: int = D) -> list[Array]:
    """Random weights, a model for each of the whole numbers `starts`: W_Q, W_K, W_V (n_starts, D,
    width), W_O (n_starts, width, 2 N_COLOURS).

    With n_units, W_1 (n_starts, width, n_units) and W_2 (n_starts, n_units, 2 N_COLOURS) stand in
    the place of W_O. The same numbers serve any
    number of heads: one head of this width, or two of half of it.
    """
    readout = [(width, n_units), (n_units, 2 * N_COLOURS)] if n_units else [(width, 2 * N_COLOURS)]
    rngs = [np.random.default_rng(start) for start in starts]
    return [
        np.stack([rng.normal(size=shape) / np.sqrt(shape[0]) for rng in rngs])
        for shape in [(D, width)] * 3 + readout
    ]


def twins(W: list[Array]) -> list[Array]:
    """The same weights, but the second of two heads is the first once more, the rows that read it
    out included."""
    half = D // 2
    return [np.concatenate([w[..., :half]] * 2, axis=-1) for w in W[:3]] + [
        np.concatenate([W[3][:, :half]] * 2, axis=1),
        *W[4:],
    ]


def forward(
    W: list[Array], n_heads: int, X: Array, relu: bool = True
) -> tuple[Array, Array, Array, Array, Array, Array | None, Array]:
    """Q, K, V, weights A (n_starts, n, H, T, T), merged heads M (n_starts, n, T, D), hidden units
    or None, probabilities P.

    P is (n_starts, n, T, 2, N_COLOURS); hidden units are (n_starts, n, T, n_units). relu: False
    leaves the ReLU between W_1 and W_2 out.
    """
    Q, K, V = (split_heads(X @ w[:, None], n_heads) for w in W[:3])
    A = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    M = merge_heads(A @ V)
    hidden = M @ W[3][:, None] if len(W) == 5 else None
    if hidden is not None and relu:
        hidden = np.maximum(hidden, 0)
    scores = (M if hidden is None else hidden) @ W[-1][:, None]
    return Q, K, V, A, M, hidden, softmax(scores.reshape(*M.shape[:-1], 2, N_COLOURS))


def loss_and_gradients(
    W: list[Array],
    n_heads: int,
    X: Array,
    answers: Integers,
    asked: tuple[bool, bool] = (True, True),
    relu: bool = True,
) -> tuple[Array, list[Array]]:
    """The mean cross-entropy -log p of the answers, for each start (n_starts,), and its gradient by
    each array of W.

    asked: which of the two questions count; relu: as in `forward`.
    """
    Q, K, V, A, M, hidden, P = forward(W, n_heads, X, relu)
    (n, _, _), n_starts = X.shape, len(M)
    counts = np.array(asked) * np.ones((T, 1))
    counts[0, 0] = 0  # nobody stands before the first token
    counts = (counts / (n * counts.sum())).astype(X.dtype)
    right = np.eye(N_COLOURS, dtype=X.dtype)[answers]
    loss = -(np.log((P * right).sum(axis=-1)) * counts).sum(axis=(1, 2, 3))
    back = ((P - right) * counts[..., None]).reshape(n_starts, n, T, -1)
    readout: list[Array] = []
    for w, read in zip(W[:2:-1], [M] if hidden is None else [hidden, M], strict=True):
        readout.insert(
            0,
            read.reshape(n_starts, n * T, -1).swapaxes(-1, -2) @ back.reshape(n_starts, n * T, -1),
        )
        back = back @ w[:, None].swapaxes(-1, -2)
        if read is hidden and relu:
            back = back * (hidden > 0)
    dO = split_heads(back, n_heads)
    dA, dV = dO @ V.swapaxes(-1, -2), A.swapaxes(-1, -2) @ dO
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True)) / np.sqrt(Q.shape[-1])
    dQ, dK = dS @ K, dS.swapaxes(-1, -2) @ Q
    by_input = [
        X.reshape(n * T, D).T @ merge_heads(d).reshape(n_starts, n * T, -1) for d in (dQ, dK, dV)
    ]
    return loss, [*by_input, *readout]


def train(
    W: list[Array],
    n_heads: int,
    asked: tuple[bool, bool] = (True, True),
    steps: int = 600,
    learning_rate: float = 0.02,
    relu: bool = True,
) -> list[Array]:
    """The weights after `steps` steps with Adam, 32 fresh sentences each; all starts see the same
    sentences."""
    rng = np.random.default_rng(99)

    def gradients(W: list[Array]) -> tuple[Array, list[Array]]:
        X, _, answers = sentences(rng, 32)
        return loss_and_gradients(W, n_heads, X.astype(W[0].dtype), answers, asked, relu)

    return learn(gradients, W, steps, learning_rate, report=0)[0]


def examine(W: list[Array], n_heads: int, n: int = 300, relu: bool = True) -> tuple[Array, Array]:
    """On n new sentences: the share of right answers to each question (n_starts, 2), and where
    heads look (n_starts, H, 2).

    Where a head looks: the mean weight that it gives to the token that each question is about.
    """
    X, whom, answers = sentences(np.random.default_rng(7), n)
    *_, A, _, _, P = forward(W, n_heads, X.astype(W[0].dtype), relu)
    right = (P.argmax(axis=-1) == answers)[:, :, 1:].mean(axis=(1, 2))
    there = np.eye(T)[whom]  # (n, T, 2, T): 1 where the answer is
    looks = np.einsum("snhqk,nqrk->shrq", A, there) / n  # (n_starts, H, 2, T)
    return right, looks[..., 1:].mean(axis=-1)
