"""Three scores are dragged, typed, raised together; e^s and its share of the sum follow: only the differences count."""

import numpy as np

from course_utils.attention import softmax
from course_utils.instruments.instrument import Instrument, fixed, general

NAMES = ["first", "second", "third"]
REACH = 8                    # scores lie between -8 and 8
WANTED = [0.25, 0.25, 0.5]


class ScoreSlider(Instrument):
    """Three scores and their softmax, step by step. State: scores."""

    challenge = "Make the shares 0.25, 0.25 and 0.50, with all three scores below zero."
    lesson = "Twice the share takes 0.69 more, and 0.69 is the logarithm of 2. Where the scores stand does not matter: only their differences count."

    @staticmethod
    def data():
        return {"names": NAMES, "reach": REACH, "wanted": WANTED}

    @staticmethod
    def start():
        return {"scores": [0.0, 1.0, 2.0]}

    @staticmethod
    def compute(state):
        scores = np.array(state["scores"], float)
        e = np.exp(scores)
        weights = softmax(scores)
        return {"scores": scores, "e": e, "sum": e.sum(), "weights": weights, "off": np.abs(weights - WANTED).max()}

    @staticmethod
    def describe(numbers):
        scores, weights = (", ".join(fixed(x, 2) for x in numbers[name]) for name in ("scores", "weights"))
        e = ", ".join(_size(x) for x in numbers["e"])
        return f"Scores {scores}. e^s: {e}; their sum: {_size(numbers['sum'])}. Shares of the sum: {weights}."

    @staticmethod
    def met(numbers):
        return bool(numbers["off"] < 0.0051 and max(numbers["scores"]) < 0)


def _size(x):
    return general(x, 3) if x < 1 else fixed(x, 2 if x < 100 else 0)
