"""Claim C5b: what dividing by √d buys, by training with and without it from ten starts each.

Two tasks. *Seats*: sixteen one-hot vectors, each must find the one on its left, so a row of W_Q and
one of W_K belong to one seat alone. *Jumbles*: notebook 02's nouns and verbs, where all tokens
share the matrices; and the same with one-hot words, which share nothing. A start learns *less*
where the undivided model gets more than .05 fewer of its rows right than the divided one.

And one thing at a time is changed: is it the division that lets all seats be found? As it is, the
loss is 1 − a, a the weight on the right seat. Its slope dies with a, so a seat that starts far
behind stays behind. Takes a minute.
"""

import numpy as np

from course_utils.attention import softmax
from course_utils.data.agreement import COLOURS, NOUNS, VERBS, D, jumbles
from course_utils.models import agreement
from course_utils.models.agreement import gradients, learn, named, new_matrices
from course_utils.models.training import Adam

STARTS, T, STEPS, RATES = 10, 16, 400, (0.25, 1, 4, 16)
LEFT = np.eye(T)[
    np.arange(T) - 1
]  # the right weights: row i looks at seat i - 1 (seat 0 at the last)

MANY = 200  # starts, where one thing at a time is changed: 40 left a share open by a sixth
COMPARED = 40  # starts whose slopes are compared before training
SIDES = ("scores divided by √d", "scores not divided")
COUNTED = "starts in which all sixteen seats are found"
CHANGES = {
    "as it is": {},
    "float32": {"dtype": np.float32},
    "d = 16": {"d": 16},
    "d = 4": {"d": 4},
    "d = 256": {"d": 256},
    "four times the rate": {"rate": 4.0},
    "sixteen times the rate": {"rate": 16.0},
    "ten times the steps": {"steps": 4000},
    "Adam, rate .03": {"adam": 0.03},
    "the loss −log a": {"loss": "-log a"},
    "undivided from a smaller start, with smaller steps": {"smaller": True},
}
CHEAP = ["as it is", "d = 4", "the loss −log a"]


def seats(d, scale, rate=1.0, start=1.0, first=0):
    """How far behind each right seat starts, and the share of seats found (weight above .5), of
    each start."""
    W_Q, W_K = start * np.stack(
        [
            np.random.default_rng(seed).normal(size=(2, T, d))
            for seed in range(first, first + STARTS)
        ],
        axis=1,
    )
    scores = scale * W_Q @ W_K.swapaxes(-1, -2)
    behind = scores.max(axis=-1) - (LEFT * scores).sum(axis=-1)
    for _ in range(STEPS):
        A = softmax(scale * W_Q @ W_K.swapaxes(-1, -2))
        dS = (
            scale * A * ((LEFT * A).sum(axis=-1, keepdims=True) - LEFT)
        )  # the loss of a row: 1 - its weight on the right seat
        W_Q, W_K = W_Q - rate * dS @ W_K, W_K - rate * dS.swapaxes(-1, -2) @ W_Q
    weight = (LEFT * softmax(scale * W_Q @ W_K.swapaxes(-1, -2))).sum(axis=-1)
    return behind, (weight > 0.5).mean(axis=1)


def slopes_at_scores(X, verb, is_noun, W_Q, W_K, W_V, scale=1.0):
    """The slopes of the loss of `gradients` at what softmax is given: what it lets through, before
    any further factor."""
    A = softmax(scale * (X @ W_Q) @ (X @ W_K).swapaxes(-1, -2))
    dO = (softmax(A @ X @ W_V) - np.eye(len(VERBS))[verb]) * is_noun[..., None] / is_noun.sum()
    dA = dO @ (X @ W_V).swapaxes(-1, -2)
    return A * (dA - (dA * A).sum(axis=-1, keepdims=True))


def steeper(d_k, first=0):
    """How many times as large the undivided model's slopes are before training, at the scores and
    of W_Q: the norms' ratios, of each start."""
    ratios = []
    for seed in range(first, first + COMPARED):
        rng = np.random.default_rng(seed)
        W, batch = new_matrices(rng, d_k, 1.0), jumbles(rng, 32)[:3]
        plain, divided = (
            [
                np.linalg.norm(slopes_at_scores(*batch, *W, scale)),
                np.linalg.norm(gradients(*batch, *W, scale)[0]),
            ]
            for scale in (1, d_k**-0.5)
        )
        ratios.append(np.divide(plain, divided))
    return np.array(ratios).T


def noun_leads(d_k, first=0):
    """How far the own verb starts behind the largest score, undivided, for the nouns of 1,000
    jumbles at each start: (starts, nouns)."""
    X, _, is_noun, own, _ = jumbles(np.random.default_rng(1000), 1000)
    behind = []
    for seed in range(first, first + STARTS):
        W_Q, W_K, _ = new_matrices(np.random.default_rng(seed), d_k, 1.0)
        scores = X @ W_Q @ (X @ W_K).swapaxes(-1, -2)
        right = np.take_along_axis(scores, own[..., None], axis=-1)[..., 0]
        behind.append((scores.max(axis=-1) - right)[is_noun])
    return np.array(behind)


WORDS = [f"{word} ({colour})" for word in NOUNS + VERBS for colour in COLOURS]


def unshared(rng, n):
    """Jumbles whose words share nothing: a one-hot vector for each word in each colour, as long as
    its token was. X, verb, is_noun, own."""
    X, verb, is_noun, own, words = jumbles(rng, n)
    number = [[WORDS.index(word) for word in sentence] for sentence in words]
    return (
        np.linalg.norm(X, axis=-1, keepdims=True) * np.eye(len(WORDS))[number],
        verb,
        is_noun,
        own,
    )


def learn_unshared(seed, d_k, scale):
    """As `agreement.learn` from start 1, where words share nothing: how far behind each noun's verb
    starts, undivided, and the share named."""
    rng = np.random.default_rng(seed)
    W = [
        deviation * rng.normal(size=(len(WORDS), width)) / np.sqrt(D)
        for deviation, width in ((1, d_k), (1, d_k), (0.3, len(VERBS)))
    ]
    X, verb, is_noun, own = unshared(np.random.default_rng(1000), 1000)
    scores = (X @ W[0]) @ (X @ W[1]).swapaxes(-1, -2)
    behind = (scores.max(axis=-1) - np.take_along_axis(scores, own[..., None], axis=-1)[..., 0])[
        is_noun
    ]
    for _ in range(agreement.STEPS):
        slopes = gradients(*unshared(rng, 32)[:3], *W, scale)
        W = [w - agreement.RATE * g for w, g in zip(W, slopes, strict=True)]
    said = softmax(scale * (X @ W[0]) @ (X @ W[1]).swapaxes(-1, -2)) @ (X @ W[2])
    return behind, (said.argmax(axis=-1) == verb)[is_noun].mean()


def less(undivided, divided):
    """In how many starts the undivided model gets more than .05 fewer rows right."""
    return int((np.asarray(undivided) < np.asarray(divided) - 0.05).sum())


def run(first=0):
    """{what was counted: number}; "less" counts starts of ten, shares are means over them."""
    counted, seeds = {"starts": STARTS}, range(first, first + STARTS)
    for d in (16, 64, 256):
        root = d**-0.5
        behind, plain = seats(d, 1, first=first)
        behind_divided, divided = seats(d, root, first=first)
        plain_rates, divided_rates = (
            [seats(d, scale, rate, first=first)[1] for rate in RATES] for scale in (1, root)
        )
        best = np.max(plain_rates, axis=0)
        small = seats(d, 1, root, d**-0.25, first)[
            1
        ]  # the same training as the divided one, done by the start and the rate
        counted |= {
            f"seats, d = {d}: less": less(plain, divided),
            f"seats, d = {d}: less at the best of four rates": less(best, divided),
            f"seats, d = {d}: less from a smaller start": less(small, divided),
            f"seats, d = {d}: share undivided": plain.mean(),
            f"seats, d = {d}: share divided": divided.mean(),
            f"seats, d = {d}: median lead undivided": np.median(behind),
            f"seats, d = {d}: largest lead divided": behind_divided.max(),
        }
        for rate, without, by_root in zip(RATES, plain_rates, divided_rates, strict=True):
            counted |= {
                f"seats, d = {d}: share undivided at rate {rate:g}": without.mean(),
                f"seats, d = {d}: share divided at rate {rate:g}": by_root.mean(),
            }
    for d_k, start in ((8, 0.3), (256, 1.0)):
        plain, divided = (
            [named(*learn(seed, d_k, scale, start), scale) for seed in seeds]
            for scale in (1, d_k**-0.5)
        )
        counted |= {
            f"jumbles, d = {d_k}: less": less(plain, divided),
            f"jumbles, d = {d_k}: share undivided": np.mean(plain),
            f"jumbles, d = {d_k}: share divided": np.mean(divided),
            f"jumbles, d = {d_k}: least share undivided": min(plain),
        }
    behind = noun_leads(256, first)
    counted |= {
        "jumbles, d = 256: median lead undivided": np.median(behind),
        "jumbles, d = 256: share of nouns beyond the reach": np.mean(
            behind > np.log(4 * 256 * STEPS)
        ),
    }
    leads, plain = zip(*(learn_unshared(seed, 256, 1) for seed in seeds), strict=True)
    divided = [learn_unshared(seed, 256, 1 / 16)[1] for seed in seeds]
    counted |= {
        "one-hot words, d = 256: less": less(plain, divided),
        "one-hot words, d = 256: share undivided": np.mean(plain),
        "one-hot words, d = 256: largest share undivided": max(plain),
        "one-hot words, d = 256: share divided": np.mean(divided),
        "one-hot words, d = 256: median lead undivided": np.median(leads),
    }
    for what, ratios in zip(
        ("slopes at the scores", "slopes of W_Q"), steeper(256, first), strict=True
    ):
        counted |= {
            f"jumbles, d = 256: {what}, least times as large": ratios.min(),
            f"jumbles, d = 256: {what}, most times as large": ratios.max(),
        }
    return counted


def count(
    first, cause, d=64, rate=1.0, steps=STEPS, adam=None, smaller=False, loss="1 - a", dtype=float
):
    """How many of the starts find all seats: (k, n)."""
    start = np.stack(
        [np.random.default_rng(seed).normal(size=(2, T, d)) for seed in range(first, first + MANY)],
        axis=1,
    )
    scale = dtype(d**-0.5 if cause else 1)
    if smaller and not cause:  # the divided training, done by the start and the rate
        start, rate = start * d**-0.25, rate * d**-0.5
    W = [w.copy() for w in start.astype(dtype)]
    optimiser = Adam(W)
    for _ in range(steps):
        W_Q, W_K = W
        A = softmax(scale * W_Q @ W_K.swapaxes(-1, -2))
        a = (LEFT * A).sum(axis=-1, keepdims=True)
        dS = (scale * (A * (a - LEFT) if loss == "1 - a" else A - LEFT)).astype(
            dtype
        )  # slopes of the loss at the scores
        slopes = [dS @ W_K, dS.swapaxes(-1, -2) @ W_Q]
        if adam:
            optimiser.step(slopes, adam)
        else:
            W = [w - dtype(rate) * g for w, g in zip(W, slopes, strict=True)]
    weight = (LEFT * softmax(scale * W[0] @ W[1].swapaxes(-1, -2))).sum(axis=-1)
    return int((weight > 0.5).all(axis=1).sum()), MANY
