"""Claim E5: heads trained from ten starts, on a task of two relations and on one of a single relation.

And one thing at a time is changed: is it the second head that lets both questions be answered? As it is, the readout is linear, as in
lecture 05. Among the changes is a readout with 64 ReLU units, what a feed-forward network is.
"""

import numpy as np

from course_utils.attention import merge_heads, softmax, split_heads
from course_utils.models.expert_training import learn
from course_utils.models.two_relations import N_COLOURS, D, T, examine, new_heads, sentences, train, twins

STARTS = range(10)
RIGHT, LOOKS = 0.95, 0.5            # both questions answered; a head has taken on a relation

SIDES = ("two heads", "one head")
COUNTED = "starts that answer both questions"
UNITS = 64
CHANGES = {
    "as it is": {},
    "float32": {"dtype": np.float32},
    "half the rate": {"rate": 0.01},
    "twice the steps": {"steps": 1200},
    "one head of width 32": {"wider": True},
    "64 ReLU units read the heads out": {"units": UNITS},
    "the two heads start alike": {"alike": True},
    "only one of the questions is asked": {"asked": (False, True)},
}
CHEAP = ["as it is"]


def solved(right):
    """How many starts answer both questions."""
    return int((right > RIGHT).all(axis=-1).sum())


def a_relation_each(looks):
    """How many starts have one head for each of the two relations."""
    first, second = looks[:, 0] > LOOKS, looks[:, 1] > LOOKS
    apart = (first != second).all(axis=-1) & (first.sum(axis=-1) == 1)
    return int(apart.sum())


def run():
    """{"starts": n, "what happened": in how many of n}."""
    start = new_heads(STARTS)
    alone, _ = examine(train(start, 1), 1)
    right, looks = examine(train(start, 2), 2)
    alike, alike_looks = examine(train(twins(start), 2), 2)
    once = {name: examine(train(start, 2, asked), 2)[1] for name, asked in [("before", (True, False)), ("same", (False, True))]}
    return {
        "starts": len(STARTS),
        "one head: both answered": solved(alone),
        "one head: one answered": int(((alone > RIGHT).sum(axis=-1) == 1).sum()),
        "one head: the same word answered": int((alone[:, 1] > RIGHT).sum()),
        "two heads: both answered": solved(right),
        "two heads: a relation each": a_relation_each(looks),
        "two heads: the first looks at the token before": int((looks[:, 0, 0] > LOOKS).sum()),
        "two heads alike: both answered": solved(alike),
        "two heads alike: a relation each": a_relation_each(alike_looks),
        "asked for the token before only: a relation each": a_relation_each(once["before"]),
        "asked for the same word only: a relation each": a_relation_each(once["same"]),
        "asked for the token before only: both look there": int((once["before"][:, :, 0] > LOOKS).all(axis=-1).sum()),
        "asked for the same word only: both look there": int((once["same"][:, :, 1] > LOOKS).all(axis=-1).sum()),
    }


def new_weights(first, heads, width, units, alike):
    """W_Q, W_K, W_V, then one matrix of the readout or two, a model for each start."""
    shapes = [(D, width)] * 3 + ([(width, units), (units, 2 * N_COLOURS)] if units else [(width, 2 * N_COLOURS)])
    rngs = [np.random.default_rng(seed) for seed in range(first, first + len(STARTS))]
    W = [np.stack([rng.normal(size=shape) / np.sqrt(shape[0]) for rng in rngs]) for shape in shapes]
    if alike and heads == 2:
        half = width // 2
        W = [np.concatenate([w[..., :half]] * 2, axis=-1) for w in W[:3]] + [np.concatenate([W[3][:, :half]] * 2, axis=1), *W[4:]]
    return W


def forward(W, heads, X):
    """Q, K, V, weights, merged heads (n_starts, n, T, width), hidden units or None, probabilities (n_starts, n, T, 2, N_COLOURS)."""
    Q, K, V = (split_heads(X @ w[:, None], heads) for w in W[:3])
    A = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    M = merge_heads(A @ V)
    hidden = np.maximum(M @ W[3][:, None], 0) if len(W) == 5 else None
    scores = (M if hidden is None else hidden) @ W[-1][:, None]
    return Q, K, V, A, M, hidden, softmax(scores.reshape(*M.shape[:-1], 2, N_COLOURS))


def loss_and_slopes(W, heads, X, answers, asked):
    """The mean surprise of the answers that are asked for, of each start, and its slopes by all of W."""
    Q, K, V, A, M, hidden, P = forward(W, heads, X)
    n, starts = len(X), len(M)
    counts = np.array(asked) * np.ones((T, 1))
    counts[0, 0] = 0                                           # nobody stands before the first token
    counts = (counts / (n * counts.sum())).astype(X.dtype)
    right = np.eye(N_COLOURS, dtype=X.dtype)[answers]
    loss = -(np.log((P * right).sum(axis=-1)) * counts).sum(axis=(1, 2, 3))
    back = ((P - right) * counts[..., None]).reshape(starts, n, T, -1)
    slopes = []
    for w, out in zip(W[:2:-1], ([M] if hidden is None else [hidden, M]), strict=True):
        slopes.insert(0, out.reshape(starts, n * T, -1).swapaxes(-1, -2) @ back.reshape(starts, n * T, -1))
        back = back @ w[:, None].swapaxes(-1, -2)
        if out is hidden:
            back = back * (hidden > 0)
    dO = split_heads(back, heads)
    dA, dV = dO @ V.swapaxes(-1, -2), A.swapaxes(-1, -2) @ dO
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True)) / np.sqrt(Q.shape[-1])
    dQ, dK = dS @ K, dS.swapaxes(-1, -2) @ Q
    rows = X.reshape(n * T, D).T
    return loss, [*(rows @ merge_heads(d).reshape(starts, n * T, -1) for d in (dQ, dK, dV)), *slopes]


def count(first, cause, rate=0.02, steps=600, asked=(True, True), wider=False, alike=False, units=0, dtype=float):
    """How many of ten starts answer all that they are asked: (k, n)."""
    heads = 2 if cause else 1
    width = 2 * D if wider and not cause else D
    W = [w.astype(dtype) for w in new_weights(first, heads, width, units, alike)]
    rng = np.random.default_rng(99)

    def slopes(W):
        X, _, answers = sentences(rng, 32)
        return loss_and_slopes(W, heads, X.astype(dtype), answers, asked)
    W, _ = learn(slopes, W, steps, rate, report=0)
    X, _, answers = sentences(np.random.default_rng(7), 300)
    P = forward(W, heads, X.astype(dtype))[-1]
    right = (P.argmax(axis=-1) == answers)[:, :, 1:].mean(axis=(1, 2))
    return int((right[:, list(asked)] > RIGHT).all(axis=1).sum()), len(STARTS)
