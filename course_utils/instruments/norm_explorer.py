"""The four features of one token are dragged, shifted and stretched, its batch comes and goes;
three norms stand beside each other."""

from typing import Any

import numpy as np

from course_utils.data import FEATURES, WORDS
from course_utils.instruments.instrument import Condition, Instrument, Numbers, State, goal, rule
from course_utils.instruments.rounding import fixed
from course_utils.instruments.stills import bars, side_by_side
from course_utils.layers import batch_norm, layer_norm, rms_norm

TOKEN = "won"
OTHERS = [word for word in WORDS if word != TOKEN]
ROWS = np.stack([WORDS[word] for word in OTHERS])
NORMS = ["batch norm", "layer norm", "RMS norm"]


def _norms(x, rows):
    """The token as batch norm gives it beside these rows, and as layer norm and RMS norm give
    it."""
    return [batch_norm(np.vstack([x, rows]))[0], layer_norm(x), rms_norm(x)]


class NormExplorer(Instrument):
    """ "won" after batch norm, layer norm and RMS norm; its batch are the other six words of the
    course.

    State: x, the four features; shift and stretch of all four, stretch · x + shift; batch: which of
    the others are there?
    """

    challenge = (
        "Leave the bars and the ruler as they are at the start. Change the batch until batch norm"
        ' makes the sport of "won" negative.'
    )

    @staticmethod
    def data() -> dict[str, Any]:
        return {
            "token": TOKEN,
            "features": FEATURES,
            "others": OTHERS,
            "rows": ROWS.tolist(),
            "norms": NORMS,
            "x": WORDS[TOKEN].tolist(),
        }

    @staticmethod
    def start() -> State:
        return {
            "x": WORDS[TOKEN].tolist(),
            "shift": 0.0,
            "stretch": 1.0,
            "batch": [word in ("love", "bears", "game") for word in OTHERS],
        }

    @staticmethod
    def compute(state: State) -> Numbers:
        x, batch = np.array(state["x"], float), np.array(state["batch"])
        y = state["stretch"] * x + state["shift"]
        rows = np.vstack([y, ROWS[batch]])
        normed, before = _norms(y, rows[1:]), _norms(x, ROWS)
        return {
            "x": y,
            "shift": state["shift"],
            "stretch": state["stretch"],
            "batch": state["batch"],
            "mean": y.mean(),
            "spread": y.std(),
            "size": np.sqrt(np.mean(y * y)),
            "means": rows.mean(axis=0),
            "spreads": rows.std(axis=0),
            "normed": normed,
            "before": before,
            "moved": [np.abs(a - b).max() for a, b in zip(normed, before, strict=True)],
            "as_written": (
                state["x"] == WORDS[TOKEN].tolist()
                and state["shift"] == 0
                and state["stretch"] == 1
            ),
        }

    @staticmethod
    def describe(numbers: Numbers) -> str:
        sport = ", ".join(
            f"{fixed(x[2], 2)} by {name}" for x, name in zip(numbers["normed"], NORMS, strict=True)
        )
        moved = [
            f"{fixed(far, 2)} in {name}" for far, name in zip(numbers["moved"], NORMS, strict=True)
        ]
        return (
            f'"{TOKEN}", stretched by {fixed(numbers["stretch"], 2)} and shifted by'
            f" {fixed(numbers['shift'], 2)}, "
            f"in a batch of {1 + sum(numbers['batch'])}. Its sport becomes {sport}. "
            f"Compared with no stretch, no shift and a batch of all {1 + len(OTHERS)} words, its"
            f" normed features have moved by at most {moved[0]},"
            f" {moved[1]} and {moved[2]}."
        )

    @staticmethod
    def conditions(numbers: Numbers) -> list[Condition]:
        sport = numbers["normed"][0][2]
        return [
            rule("bars and ruler as they opened", numbers["as_written"]),
            goal(f"sport of won by batch norm below 0: now {fixed(sport, 2)}", sport < -0.0001),
        ]

    @staticmethod
    def lesson(numbers: Numbers) -> str:
        company = ", ".join(
            word for word, here in zip(OTHERS, numbers["batch"], strict=True) if here
        )
        batch, layer, rms = (fixed(x[2], 2) for x in numbers["normed"])
        return (
            f"Beside {company} the mean sport is {fixed(numbers['means'][2], 2)}, and won has"
            f" {fixed(numbers['x'][2], 2)}: batch norm calls that {batch}. It judges a token by its"
            f" company. Layer norm says {layer} and RMS norm {rms} whoever is there: they read its"
            " own row alone."
        )

    @staticmethod
    def still(numbers: Numbers) -> str:
        sport = [x[2] for x in numbers["normed"]]
        return side_by_side(
            bars(f"“{TOKEN}”", FEATURES, numbers["x"], width=72),
            bars("its sport by three norms", NORMS, sport, width=90),
        )
