"""Three scores are dragged, typed, raised together; e^s and its share of the sum follow: only the
differences count."""

from typing import Any

import numpy as np

from course_utils.attention import softmax
from course_utils.instruments.instrument import Condition, Instrument, Numbers, State, goal
from course_utils.instruments.rounding import fixed, general
from course_utils.instruments.stills import bars, side_by_side

NAMES = ["first", "second", "third"]
REACH = 8  # scores lie between -8 and 8
WANTED = [0.25, 0.25, 0.5]


class ScoreSlider(Instrument):
    """Three scores and their softmax, step by step. State: scores."""

    challenge = "Make the shares 0.25, 0.25 and 0.50, with all three scores below zero."

    @staticmethod
    def data() -> dict[str, Any]:
        return {"names": NAMES, "reach": REACH, "wanted": WANTED}

    @staticmethod
    def start() -> State:
        return {"scores": [0.0, 1.0, 2.0]}

    @staticmethod
    def compute(state: State) -> Numbers:
        scores = np.array(state["scores"], float)
        e = np.exp(scores)
        weights = softmax(scores)
        return {
            "scores": scores,
            "e": e,
            "sum": e.sum(),
            "weights": weights,
            "off": np.abs(weights - WANTED).max(),
        }

    @staticmethod
    def describe(numbers: Numbers) -> str:
        scores, weights = (
            ", ".join(fixed(x, 2) for x in numbers[name]) for name in ("scores", "weights")
        )
        e = ", ".join(_size(x) for x in numbers["e"])
        return (
            f"Scores {scores}. e^s: {e}; their sum: {_size(numbers['sum'])}. Shares of the sum:"
            f" {weights}."
        )

    @staticmethod
    def conditions(numbers: Numbers) -> list[Condition]:
        now = ", ".join(fixed(w, 2) for w in numbers["weights"])
        return [
            goal(f"shares 0.25, 0.25, 0.50: now {now}", numbers["off"] < 0.0051),
            goal(
                f"all scores below 0: the largest is {fixed(max(numbers['scores']), 2)}",
                max(numbers["scores"]) < 0,
            ),
        ]

    @staticmethod
    def lesson(numbers: Numbers) -> str:
        first, second, third = numbers["scores"]
        above = third - (first + second) / 2
        return (
            f"Your third score stands {fixed(above, 2)} above the others, and e^{fixed(above, 2)} ="
            f" {fixed(np.exp(above), 2)}: twice the share takes 0.69 more, the logarithm of 2. That"
            f" you stand at {fixed(first, 2)} and not elsewhere does not matter: only differences"
            " count."
        )

    @staticmethod
    def still(numbers: Numbers) -> str:
        return side_by_side(
            bars("scores", NAMES, numbers["scores"]),
            bars("shares of the sum", NAMES, numbers["weights"], reach=1),
        )


def _size(x):
    return general(x, 3) if x < 1 else fixed(x, 2 if x < 100 else 0)
