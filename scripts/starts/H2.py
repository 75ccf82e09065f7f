"""Claim H2: four straight experts and a gate on the zigzag of notebook 09, from a hundred
starts, by two losses, with noise and without.

A start has *specialised* if the expert with the largest gate, alone, misses the zigzag by less than
.05 in the mean square (the best
single line: .33). An input is *owned* if its largest gate is above .9.

And one thing at a time is changed: is it the loss that makes experts specialise? Takes some
minutes.
"""

import numpy as np

from course_utils.attention import softmax
from course_utils.models.expert_training import (
    NOISE,
    OWNED,
    SPREAD,
    E,
    N,
    X,
    learn,
    likelihood,
    specialised,
    squared_error,
    zigzag,
)

STARTS = 100
MANY = 200  # starts, where one thing at a time is changed: 100 left a share open by a tenth
SIDES = ("likelihood", "squared error of the blend")
COUNTED = "starts in which the expert with the largest gate is right alone"
CHANGES = {
    "as it is": {},
    "noise in y, σ = .3": {"noise": 0.3},
    "eight experts": {"experts": 8},
    "σ = .8 in the likelihood": {"spread": 0.8},
    "half the learning rate": {"rate": 0.025},
    "W_g ten times as small at the start": {"gate": 0.2},
    "twice the learning rate": {"rate": 0.1},
    "four times the steps": {"steps": 2400, "n": 1000},  # of 200: 87, of 200 others: 113
    "ten times the steps": {"steps": 6000},
}
CHEAP = ["as it is"]


def learnt(loss, y, steps, first=0):
    """F and G (S, N, E) after so many steps, from the starts of notebook 09. y (N, 1) or (S, N,
    1)."""

    def gradients(W):
        value, dF, d_logits = loss(X @ W[0], softmax(X @ W[1]), y)
        return value, [X.T @ dF, X.T @ d_logits]

    rng = np.random.default_rng(first)
    W, _ = learn(
        gradients,
        [0.5 * rng.normal(size=(STARTS, 2, E)), 2 * rng.normal(size=(STARTS, 2, E))],
        steps=steps,
        report=0,
    )
    return X @ W[0], softmax(X @ W[1])


def run(first=0):
    """{"starts": n, "loss, steps": how many of n specialised, "loss, steps, owned": share of
    inputs, "loss with noise, steps": …}."""
    noise = NOISE * np.random.default_rng(first + 7).normal(size=(STARTS, N, 1))
    results = {"starts": STARTS}
    for loss in (squared_error, likelihood):
        for name, y in (("", zigzag), (" with noise", zigzag + noise)):
            for steps in (600, 6000):
                F, G = learnt(loss, y, steps, first)
                key = f"{loss.__name__}{name}, {steps}"
                results |= {
                    key: int(specialised(F, G).sum()),
                    f"{key}, owned": round(float((G.max(axis=-1) > OWNED).mean()), 2),
                }
    return results


def count(
    first, cause, noise=0.0, experts=E, spread=SPREAD, rate=0.05, gate=2.0, steps=600, n=MANY
):
    """How many of the starts specialise by the likelihood, or by the squared error of the
    blend: (k, n)."""
    rng = np.random.default_rng(first)
    y = zigzag + noise * np.random.default_rng(first + 7).normal(size=(n, N, 1))

    def gradients(W):
        F, G = X @ W[0], softmax(X @ W[1])
        value, dF, d_logits = likelihood(F, G, y, spread) if cause else squared_error(F, G, y)
        return value, [X.T @ dF, X.T @ d_logits]

    start = [0.5 * rng.normal(size=(n, 2, experts)), gate * rng.normal(size=(n, 2, experts))]
    W, _ = learn(gradients, start, steps=steps, learning_rate=rate, report=0)
    F, G = X @ W[0], softmax(X @ W[1])
    return int(specialised(F, G).sum()), n
