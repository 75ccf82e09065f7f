"""Four straight lines and a gate, all dragged: which expert speaks where, how much each has to do,
and what the blend is worth."""

from collections.abc import Callable
from typing import Any

import numpy as np

from course_utils.arguments import Array
from course_utils.experts import mixture_of_experts, softmax_gate, top_k_gate
from course_utils.instruments.instrument import Condition, Instrument, Numbers, State, goal
from course_utils.instruments.rounding import fixed
from course_utils.instruments.stills import bars, curves, side_by_side

N, E, STEEP = 120, 4, 12
# A condition holds only beyond a margin, so that no number that is shown as the limit meets it.
FAR, NEAR = 1.001, 0.2499
x = (np.arange(N) + 3 / 7) / 30  # never at a border, where two gates would be equal
X = np.stack([np.ones(N), x - 2], axis=1)
y = np.interp(x, range(E + 1), [-1, 1, -1, 1, -1])


def _gate(borders):
    """W_g (2, E) of gates that are alike in pairs at these borders."""
    offsets = np.cumsum([0, *(2 - np.array(borders))])
    return STEEP * np.stack([offsets, np.arange(E)])


def _line(ends):
    """w (2, 1) of the line through two places."""
    (x_1, y_1), (x_2, y_2) = ends
    slope = (y_2 - y_1) / (x_2 - x_1)
    return np.array([[y_1 + slope * (2 - x_1)], [slope]])


def _expert(w: Array) -> Callable[[Array], Array]:
    return lambda rows: rows @ w


def _listed(experts):
    """Some experts by their numbers: "2, 3"."""
    return ", ".join(str(e) for e in np.flatnonzero(experts))


def _largest(numbers):
    """The place of the largest, the first of those that differ by noise only."""
    return int(np.flatnonzero(numbers > numbers.max() - 1e-9)[0])


class GateExplorer(Instrument):
    """A zigzag of four pieces, four experts that are straight lines, and a linear gate with a
    temperature that keeps the k largest.

    State: lines, for each expert the two places [x, y] that its line goes through, from left to
    right; borders between the gates; temperature; k.
    """

    challenge = (
        "Drag one line so that its distance from the zigzag is more than 1 everywhere. Still"
        " bring the squared error of the blend below 0.25."
    )

    @staticmethod
    def data() -> dict[str, Any]:
        return {"lines": GateExplorer.start()["lines"], "borders": [1, 2, 3]}

    @staticmethod
    def start() -> State:
        lines = [
            [[e + 0.2, -0.6 * sign], [e + 0.8, 0.6 * sign]] for e, sign in enumerate((1, -1, 1, -1))
        ]
        return {"lines": lines, "borders": [1, 2, 3], "temperature": 4.0, "k": 4}

    @staticmethod
    def compute(state: State) -> Numbers:
        W_g, lines = _gate(state["borders"]), [_line(ends) for ends in state["lines"]]
        gates = top_k_gate(X, W_g / state["temperature"], state["k"])
        said = X @ np.hstack(lines)
        blend = mixture_of_experts(X, gates, [_expert(w) for w in lines])[:, 0]
        away = np.abs(said - y[:, None])
        return {
            "lines": state["lines"],
            "borders": state["borders"],
            "temperature": state["temperature"],
            "k": state["k"],
            "x": x,
            "y": y,
            "soft": softmax_gate(X, W_g, state["temperature"]),
            "gates": gates,
            "said": said,
            "blend": blend,
            "load": gates.mean(axis=0),
            "asked": (gates > 0).mean(axis=0),
            "alone": np.mean(away * away, axis=0),
            "astray": away.min(axis=0) > FAR,
            "error": np.mean((blend - y) ** 2),
            "pieces": np.mean(np.reshape((blend - y) ** 2, (E, N // E)), axis=1),
        }

    @staticmethod
    def describe(numbers: Numbers) -> str:
        load, asked, alone = (
            ", ".join(fixed(share, 2) for share in numbers[name])
            for name in ("load", "asked", "alone")
        )
        words = (
            f"Temperature {fixed(numbers['temperature'], 2)}. Each input uses k = {numbers['k']} of"
            f" the four experts. Their loads are {load}; the shares of inputs that choose them"
            f" are {asked}. The blend has the squared error {fixed(numbers['error'], 3)}, each"
            f" expert alone {alone}."
        )
        astray = _listed(numbers["astray"])
        return f"{words} Far off: {astray}." if astray else words

    @staticmethod
    def conditions(numbers: Numbers) -> list[Condition]:
        astray = _listed(numbers["astray"])
        return [
            goal(
                f"a line more than 1 from the zigzag everywhere: {astray or 'none yet'}",
                numbers["astray"].any(),
            ),
            goal(
                f"squared error below 0.25: now {fixed(numbers['error'], 3)}",
                numbers["error"] < NEAR,
            ),
        ]

    @staticmethod
    def lesson(numbers: Numbers) -> str:
        carries = numbers["load"][numbers["astray"]].sum()
        worst = _largest(numbers["pieces"])
        why = (
            "A wrong expert does little harm where its gate is nearly 0"
            if carries < 0.06
            else "In a blend the other experts correct it"
        )
        return (
            f"Far off: {_listed(numbers['astray'])}, with the load {fixed(carries, 2)}. {why}."
            f" The blend is worst in piece {worst} of the zigzag, with a squared error of"
            f" {fixed(numbers['pieces'][worst], 2)}. In all pieces together it is"
            f" {fixed(numbers['error'], 2)}."
        )

    @staticmethod
    def still(numbers: Numbers) -> str:
        names = [f"{e}" for e in range(E)]
        return side_by_side(
            curves("blend (thick) and zigzag", x[::3], [numbers["blend"][::3], y[::3]]),
            bars("load of each expert", names, numbers["load"], reach=1),
        )
