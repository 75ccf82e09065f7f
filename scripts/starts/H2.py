"""Claim H2: four straight experts and a gate on the zigzag of notebook 09, from twenty starts, by two losses, with noise and without.

A start has *specialised* if the expert with the largest gate, alone, misses the zigzag by less than .05 in the mean square (the best
single line: .33). An input is *owned* if its largest gate is above .9. Takes a quarter of a minute.
"""

import numpy as np

from course_utils.attention import softmax
from course_utils.models.expert_training import learn

N, N_EXPERTS, STARTS, SPREAD, NOISE, ALONE, OWNED = 100, 4, 20, 0.4, 0.3, 0.05, 0.9
x = np.linspace(0, 4, N, endpoint=False) + 0.02
X, ZIGZAG = np.stack([np.ones(N), x - 2], axis=1), np.interp(x, range(5), [-1, 1, -1, 1, -1])[:, None]      # (N, 2), (N, 1)


def squared_error(F, G, y):
    """The squared error of the blend: losses (S,), slopes of F and of the logits, all (S, N, E)."""
    said = (G * F).sum(axis=-1, keepdims=True)
    delta = 2 * (said - y) / N
    return ((said - y) ** 2).mean(axis=(-2, -1)), delta * G, delta * G * (F - said)


def likelihood(F, G, y):
    """The surprise at y, -log Σ G N(y | F, σ): losses and slopes as above."""
    joint = G * np.exp(-((y - F) ** 2) / (2 * SPREAD**2)) / (SPREAD * np.sqrt(2 * np.pi))
    p = joint.sum(axis=-1, keepdims=True)
    r = joint / p
    return -np.log(p).mean(axis=(-2, -1)), r * (F - y) / SPREAD**2 / N, (G - r) / N


def learnt(loss, y, steps):
    """F and G (S, N, E) after so many steps, from the starts of notebook 09. y (N, 1) or (S, N, 1)."""
    def gradients(W):
        value, dF, d_logits = loss(X @ W[0], softmax(X @ W[1]), y)
        return value, [X.T @ dF, X.T @ d_logits]
    rng = np.random.default_rng(0)
    W, _ = learn(gradients, [0.5 * rng.normal(size=(STARTS, 2, N_EXPERTS)), 2 * rng.normal(size=(STARTS, 2, N_EXPERTS))], steps=steps, report=0)
    return X @ W[0], softmax(X @ W[1])


def run():
    """{"starts": n, "loss, steps": how many of n specialised, "loss, steps, owned": share of inputs, "loss, noise, steps": …}."""
    noise, results = NOISE * np.random.default_rng(7).normal(size=(STARTS, N, 1)), {"starts": STARTS}
    for loss in (squared_error, likelihood):
        for name, y in (("", ZIGZAG), (" with noise", ZIGZAG + noise)):
            for steps in (600, 6000):
                F, G = learnt(loss, y, steps)
                alone = np.take_along_axis(F, G.argmax(axis=-1)[..., None], axis=-1)                 # (S, N, 1)
                missed = ((alone - ZIGZAG) ** 2).mean(axis=(1, 2))
                key = f"{loss.__name__}{name}, {steps}"
                results |= {key: int((missed < ALONE).sum()), f"{key}, owned": round(float((G.max(axis=-1) > OWNED).mean()), 2)}
    return results
