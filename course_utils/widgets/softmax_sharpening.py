"""What the scale and the temperature do to softmax, at growing width."""

import numpy as np

from course_utils.attention import softmax
from course_utils.style import BLUE, GREY, ORANGE
from course_utils.widgets.explorer import Control, Explorer

N_KEYS = 16


def entropy(weights):
    """How spread out weights (..., T) are, in nats: 0 for one key alone, log T for all alike."""
    return -np.sum(weights * np.log(np.where(weights > 0, weights, 1)), axis=-1)


def jacobian_norm(weights):
    """The size (Frobenius norm) of softmax's Jacobian diag(a) - a aᵀ at one row of weights (T,)."""
    return np.linalg.norm(np.diag(weights) - np.outer(weights, weights))


class SoftmaxSharpening(Explorer):
    """One query against 16 keys of width d, unit variance: weights without and with the division by √d."""

    controls = [Control("width d", [4, 16, 64, 256, 1024], start=2),
                Control("temperature", [0.25, 0.5, 0.7, 1.0, 1.4, 2.0, 4.0, 8.0, 16.0, 32.0], start=3)]
    size = (9, 3.2)

    @staticmethod
    def compute(d, temperature):
        rng = np.random.default_rng(0)
        keys, query = rng.normal(size=(N_KEYS, 1024)), rng.normal(size=1024)
        scores = keys[:, :d] @ query[:d]                  # the first d features of the same vectors
        rows = {"not scaled": softmax(scores / temperature), "divided by √d": softmax(scores / np.sqrt(d) / temperature)}
        return {"d": d, "temperature": temperature, "rows": rows,
                "measures": {name: (entropy(a), a.max(), jacobian_norm(a)) for name, a in rows.items()}}

    @staticmethod
    def prepare(figure):
        axes = figure.subplots(1, 2, sharey=True)
        figure.subplots_adjust(left=0.08, right=0.99, top=0.9, bottom=0.17, wspace=0.06)
        for a, title in zip(axes, ["not scaled", "divided by √d"], strict=True):
            a.set(xlim=(-0.7, N_KEYS - 0.3), ylim=(0, 1), xlabel="key", xticks=[0, 5, 10, 15], title=title)
            a.axhline(1 / N_KEYS, color=GREY, linewidth=1, linestyle=":")
        axes[0].set_ylabel("weight")
        return axes

    @staticmethod
    def draw(axes, numbers):
        for a, colour, weights in zip(axes, (ORANGE, BLUE), numbers["rows"].values(), strict=True):
            a.vlines(range(N_KEYS), 0, weights, color=colour, linewidth=14)

    @staticmethod
    def describe(numbers):
        parts = [f"{name}: entropy {spread:.2f}, largest weight {largest:.2f}, Jacobian norm {gradient:.3g}"
                 for name, (spread, largest, gradient) in numbers["measures"].items()]
        return f"Weights over {N_KEYS} keys, d = {numbers['d']}, temperature {numbers['temperature']}. {'; '.join(parts)}."
