"""Sixteen scores of one query, at growing width: their weights without and with the division by √d,
and what is left to learn from."""

from typing import Any

import numpy as np

from course_utils.attention import softmax
from course_utils.instruments.instrument import Condition, Instrument, Numbers, State, goal, rule
from course_utils.instruments.rounding import fixed
from course_utils.instruments.stills import bars, side_by_side

N_KEYS = 16
WIDTHS = [round(2 ** (k / 2)) for k in range(4, 21)]  # 4 to 1024


def _scores():
    """One query's scores with each key at each width: (widths, keys). The first d features of the
    same vectors, unit variance."""
    rng = np.random.default_rng(0)
    keys, query = rng.normal(size=(N_KEYS, WIDTHS[-1])), rng.normal(size=WIDTHS[-1])
    return np.cumsum(keys * query, axis=1)[:, np.array(WIDTHS) - 1].T.round(2)


def _entropy(weights):
    """-sum of a log a, where 0 log 0 = 0."""
    return -np.sum(weights * np.log(np.where(weights > 0, weights, 1)))


SCORES = _scores()


class SoftmaxSharpening(Instrument):
    """softmax(s / T) beside softmax(s / √d / T): weights, entropy, and the norm of the Jacobian
    diag(a) - a aᵀ.

    State: d, as a number into the widths; temperature; moved: for each key None or the score that
    the hand gave it.
    """

    challenge = (
        "At width 1024, change only the temperature: the entropy of the row that is not scaled"
        " should rise above 2."
    )

    @staticmethod
    def data() -> dict[str, Any]:
        return {"widths": WIDTHS, "scores": SCORES.tolist()}

    @staticmethod
    def start() -> State:
        return {"d": WIDTHS.index(64), "temperature": 1.0, "moved": [None] * N_KEYS}

    @staticmethod
    def compute(state: State) -> Numbers:
        d, temperature = WIDTHS[state["d"]], state["temperature"]
        scores = np.array(
            [
                drawn if given is None else given
                for drawn, given in zip(SCORES[state["d"]], state["moved"], strict=True)
            ]
        )
        panels = []
        for scale in (1, np.sqrt(d)):
            a = softmax(scores / scale / temperature)
            slopes = np.diag(a) - np.outer(a, a)
            panels.append(
                {
                    "weights": a,
                    "entropy": _entropy(a),
                    "largest": a.max(),
                    "slope": np.linalg.norm(slopes),
                }
            )
        return {
            "d": d,
            "temperature": temperature,
            "scores": scores,
            "as_drawn": all(s is None for s in state["moved"]),
            "panels": panels,
            "by_root": _entropy(softmax(scores / np.sqrt(d))),
        }

    @staticmethod
    def describe(numbers: Numbers) -> str:
        parts = [
            f"{name}: entropy {fixed(panel['entropy'], 2)}, largest weight"
            f" {fixed(panel['largest'], 2)}, Jacobian norm {fixed(panel['slope'], 3)}"
            for name, panel in zip(("Not scaled", "Divided by √d"), numbers["panels"], strict=True)
        ]
        return (
            f"{N_KEYS} keys, width {numbers['d']}, temperature {fixed(numbers['temperature'], 2)}. "
            f"{'. '.join(parts)}."
        )

    @staticmethod
    def conditions(numbers: Numbers) -> list[Condition]:
        entropy = numbers["panels"][0]["entropy"]
        return [
            goal(f"width 1024: now {numbers['d']}", numbers["d"] == WIDTHS[-1]),
            rule("the scores as drawn", numbers["as_drawn"]),
            goal(f"entropy, not scaled, above 2: now {fixed(entropy, 2)}", entropy > 2.005),
        ]

    @staticmethod
    def lesson(numbers: Numbers) -> str:
        temperature, root = numbers["temperature"], np.sqrt(numbers["d"])
        return (
            f"You took temperature {fixed(temperature, 1)}, and the entropy is"
            f" {fixed(numbers['panels'][0]['entropy'], 2)}. √1024 is {fixed(root, 0)}, with which"
            f" it would be {fixed(numbers['by_root'], 2)}: to divide by √d is to choose the"
            " temperature by the width, before any score is seen."
        )

    @staticmethod
    def still(numbers: Numbers) -> str:
        keys = [""] * N_KEYS
        return side_by_side(
            *(
                bars(
                    f"{name}: entropy {fixed(panel['entropy'], 2)}",
                    keys,
                    panel["weights"],
                    width=18,
                    reach=1,
                )
                for name, panel in zip(
                    ("not scaled", "divided by √d"), numbers["panels"], strict=True
                )
            )
        )
