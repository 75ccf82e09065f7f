"""Four straight lines and a gate, all dragged: which expert speaks where, how much each has to do, and what the blend is worth."""

import numpy as np

from course_utils.experts import mixture_of_experts, softmax_gate, top_k_gate
from course_utils.instruments.instrument import Instrument, fixed

N, E, STEEP = 120, 4, 12
x = (np.arange(N) + 3 / 7) / 30                                     # never at a border, where two gates would be equal
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


class GateExplorer(Instrument):
    """A zigzag of four pieces, four experts that are straight lines, and a linear gate with a temperature that keeps the k largest.

    State: lines, for each expert the two places [x, y] that its line goes through, from left to right; borders between the gates;
    temperature; k.
    """

    challenge = "Send one expert astray, more than 1 off the zigzag everywhere, and still bring the squared error of the blend below 0.25."
    lesson = "A wrong expert costs nothing where its gate is closed. What is lost is its piece: a neighbour must do two, and lies flat between them."

    @staticmethod
    def data():
        return {"lines": GateExplorer.start()["lines"], "borders": [1, 2, 3]}

    @staticmethod
    def start():
        lines = [[[e + 0.2, -0.6 * sign], [e + 0.8, 0.6 * sign]] for e, sign in enumerate((1, -1, 1, -1))]
        return {"lines": lines, "borders": [1, 2, 3], "temperature": 4.0, "k": 4}

    @staticmethod
    def compute(state):
        W_g, lines = _gate(state["borders"]), [_line(ends) for ends in state["lines"]]
        gates = top_k_gate(X, W_g / state["temperature"], state["k"])
        said = X @ np.hstack(lines)
        blend = mixture_of_experts(X, gates, [lambda rows, w=w: rows @ w for w in lines])[:, 0]
        away = np.abs(said - y[:, None])
        return {"lines": state["lines"], "borders": state["borders"], "temperature": state["temperature"], "k": state["k"], "x": x, "y": y,
                "soft": softmax_gate(X, W_g, state["temperature"]), "gates": gates, "said": said, "blend": blend, "load": gates.mean(axis=0),
                "asked": (gates > 0).mean(axis=0), "alone": np.mean(away * away, axis=0), "astray": away.min(axis=0) > 1.001,
                "error": np.mean((blend - y) ** 2)}

    @staticmethod
    def describe(numbers):
        load, asked, alone = (", ".join(fixed(share, 2) for share in numbers[name]) for name in ("load", "asked", "alone"))
        words = f"Temperature {fixed(numbers['temperature'], 2)}, k = {numbers['k']}. The four experts carry {load} of the load " \
                f"and are asked for {asked} of the inputs. Squared error of the blend {fixed(numbers['error'], 3)}, of each expert alone {alone}."
        lost = ", ".join(str(e + 1) for e in np.flatnonzero(numbers["astray"]))
        return f"{words} Astray: {lost}." if lost else words

    @staticmethod
    def met(numbers):
        return bool(numbers["astray"].any() and numbers["error"] < 0.25)
