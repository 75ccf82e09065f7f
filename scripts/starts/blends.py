"""What points of the zigzag of notebook 09 are named, "above" it or "below", from twenty starts.

Four experts of straight scores, the top 2 kept and balanced. The loss is the cross-entropy of the
blended scores, as in a transformer, or of the blended probabilities, as in a mixture. Counted is in
how many starts the expert with the largest gate, alone, names at least 3 of 100 points fewer than
the blend does.
"""

import numpy as np

from course_utils.attention import softmax
from course_utils.experts import top_k_gate
from course_utils.models.expert_training import N_STARTS as STARTS
from course_utils.models.expert_training import WORSE, E, N, X, learn, zigzag

BALANCING = 0.2

X_4 = np.repeat(X, 4, axis=0)  # (4N, 2), four points at each x
HEIGHT = np.random.default_rng(0).uniform(-1.5, 1.5, size=(4 * N, 1))
SEEN, ABOVE = np.hstack([X_4, HEIGHT]), np.repeat(zigzag, 4, axis=0) < HEIGHT  # (4N, 3), (4N, 1)


def top_2(logits):
    """The gates of the two best experts."""
    return top_k_gate(logits, np.eye(E), 2)


def probability(score):
    """1 / (1 + exp(-score)), without overflow."""
    return 0.5 + 0.5 * np.tanh(score / 2)


def blended_scores(F, G):
    """Cross-entropy of the blend of the experts' scores: losses (S,), slopes of F and of the
    logits, and what is said, above 0 for "above"."""
    z = (G * F).sum(axis=-1, keepdims=True)
    delta = (probability(z) - ABOVE) / (4 * N)
    return (
        np.logaddexp(0, np.where(ABOVE, -z, z)).mean(axis=(-2, -1)),
        delta * G,
        delta * G * (F - z),
        z,
    )


def blended_probabilities(F, G):
    """Cross-entropy of the blend of the experts' probabilities, a likelihood; the rest as above."""
    sign = np.where(ABOVE, 1, -1)
    right = probability(sign * F)
    p = (G * right).sum(axis=-1, keepdims=True)
    r = G * right / p
    return (
        -np.log(p).mean(axis=(-2, -1)),
        -r * sign * (1 - right) / (4 * N),
        (G - r) / (4 * N),
        sign * (p - 0.5),
    )


def naming(loss):
    """The balanced loss of W = [W_f, W_g], as `learn` asks for it: W -> losses (S,), slopes. The
    gate sees x alone: once for its four points."""

    def gradients(W):
        logits = X @ W[1]
        P = softmax(logits)  # (S, N, E)
        f = np.eye(E)[P.argmax(axis=-1)].mean(axis=1, keepdims=True)
        balance = BALANCING * E * (f[:, 0] * P.mean(axis=1)).sum(axis=-1)
        balancing = BALANCING * E * P * (f - (f * P).sum(axis=-1, keepdims=True)) / N
        value, dF, d_logits, _ = loss(SEEN @ W[0], np.repeat(top_2(logits), 4, axis=1))
        return value + balance, [
            SEEN.T @ dF,
            X.T @ (d_logits.reshape(*P.shape[:2], 4, -1).sum(axis=2) + balancing),
        ]

    return gradients


def named(loss, steps, first=0):
    """Shares (S,) of points that are named rightly after so many steps: by the blend, by the expert
    with the largest gate alone."""
    rng = np.random.default_rng(first)
    W, _ = learn(
        naming(loss),
        [0.5 * rng.normal(size=(STARTS, 3, E)), 2 * rng.normal(size=(STARTS, 2, E))],
        steps=steps,
        report=0,
    )
    F, G = SEEN @ W[0], top_2(X_4 @ W[1])
    said = loss(F, G)[-1], np.take_along_axis(F, G.argmax(axis=-1)[..., None], axis=-1)
    return [((z > 0) == ABOVE).mean(axis=(1, 2)) for z in said]


def run(first=0):
    """{"starts": n, "blended scores, steps": in how many of n the expert with the largest gate is
    worse alone, "blended probabilities, steps": …}."""
    results = {"starts": STARTS}
    for loss in (blended_scores, blended_probabilities):
        for steps in (600, 6000):
            blend, alone = named(loss, steps, first)
            results[f"{loss.__name__.replace('_', ' ')}, {steps}"] = int(
                (blend - alone >= WORSE).sum()
            )
    return results
