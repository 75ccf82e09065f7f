"""Sixteen scores of one query, at growing width: their weights without and with the division by √d, and what is left to learn from."""

import numpy as np

from course_utils.attention import softmax
from course_utils.instruments.instrument import Instrument, fixed

N_KEYS = 16
WIDTHS = [round(2 ** (k / 2)) for k in range(4, 21)]               # 4 to 1024


def _scores():
    """One query's scores with each key at each width: (widths, keys). The first d features of the same vectors, unit variance."""
    rng = np.random.default_rng(0)
    keys, query = rng.normal(size=(N_KEYS, WIDTHS[-1])), rng.normal(size=WIDTHS[-1])
    return np.cumsum(keys * query, axis=1)[:, np.array(WIDTHS) - 1].T.round(2)


SCORES = _scores()


class SoftmaxSharpening(Instrument):
    """softmax(s / T) beside softmax(s / √d / T): weights, entropy, and the Jacobian diag(a) - a aᵀ.

    State: d, as a number into the widths; temperature; moved: for each key None or the score that the hand gave it.
    """

    challenge = "At width 1024, wake the map that is not scaled: entropy above 2, by the temperature alone."
    lesson = "It takes a temperature of about 30, and √1024 is 32: to divide by √d is to choose the temperature by the width."

    @staticmethod
    def data():
        return {"widths": WIDTHS, "scores": SCORES.tolist()}

    @staticmethod
    def start():
        return {"d": WIDTHS.index(64), "temperature": 1.0, "moved": [None] * N_KEYS}

    @staticmethod
    def compute(state):
        d, temperature = WIDTHS[state["d"]], state["temperature"]
        scores = np.array([drawn if given is None else given for drawn, given in zip(SCORES[state["d"]], state["moved"], strict=True)])
        panels = []
        for scale in (1, np.sqrt(d)):
            a = softmax(scores / scale / temperature)
            slopes = np.diag(a) - np.outer(a, a)
            entropy = -np.sum(a * np.log(np.where(a > 0, a, 1)))
            panels.append({"weights": a, "entropy": entropy, "largest": a.max(), "slopes": slopes, "slope": np.linalg.norm(slopes)})
        return {"d": d, "temperature": temperature, "scores": scores, "as_drawn": all(s is None for s in state["moved"]), "panels": panels}

    @staticmethod
    def describe(numbers):
        parts = [f"{name}: entropy {fixed(panel['entropy'], 2)}, largest weight {fixed(panel['largest'], 2)}, "
                 f"size of all slopes {fixed(panel['slope'], 3)}"
                 for name, panel in zip(("Not scaled", "Divided by √d"), numbers["panels"], strict=True)]
        return f"{N_KEYS} keys, width {numbers['d']}, temperature {fixed(numbers['temperature'], 2)}. {'. '.join(parts)}."

    @staticmethod
    def met(numbers):
        return bool(numbers["d"] == 1024 and numbers["as_drawn"] and numbers["panels"][0]["entropy"] > 2)
