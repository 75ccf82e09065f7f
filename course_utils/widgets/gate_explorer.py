"""Four straight lines and a gate: which expert speaks where, and how much each has to do."""

import numpy as np

from course_utils.experts import softmax_gate, top_k_gate
from course_utils.style import BLUE, GREEN, GREY, PURPLE, VERMILION
from course_utils.widgets.explorer import Control, Explorer

E = 4
STYLES = list(zip([BLUE, VERMILION, GREEN, PURPLE], ["-", "--", "-.", ":"], strict=True))
x = np.linspace(0, 4, 120, endpoint=False) + 1 / 60
X = np.stack([np.ones_like(x), x - 2], axis=1)
y = np.interp(x, range(5), [-1, 1, -1, 1, -1])
LINES = np.array([[3.0, -1.0, -1.0, 3.0], [2.0, -2.0, 2.0, -2.0]])              # each expert is right on one piece
W_G = 12 * np.array([[-1.0, 0.0, 0.0, -1.0], [-1.5, -0.5, 0.5, 1.5]])           # and its gate the largest there


class GateExplorer(Explorer):
    """A zigzag of four pieces, four experts that know one piece each, and a gate with a temperature that keeps k of them."""

    controls = [Control("temperature", [0.25, 1.0, 4.0, 8.0, 16.0, 64.0], start=1), Control("k", [1, 2, 3, 4], start=3)]
    size = (9.6, 3.5)

    @staticmethod
    def compute(temperature, k):
        gates = top_k_gate(X, W_G / temperature, k)
        y_hat = (gates * (X @ LINES)).sum(axis=1)
        return {"temperature": temperature, "k": k, "all": softmax_gate(X, W_G, temperature), "gates": gates, "y_hat": y_hat,
                "load": gates.mean(axis=0), "asked": (gates > 0).mean(axis=0), "error": np.mean((y_hat - y) ** 2)}

    @staticmethod
    def prepare(figure):
        fit, regions, load = figure.subplots(1, 3, width_ratios=[1.2, 1.2, 0.8])
        figure.subplots_adjust(left=0.05, right=0.99, top=0.9, bottom=0.17, wspace=0.17)
        fit.set(xlim=(0, 4), ylim=(-1.6, 1.6), yticks=[-1, 0, 1], xlabel="input", title="the zigzag, and the blend (dashed)")
        fit.plot(x, y, color=GREY, linewidth=6, alpha=0.35, linestyle="-")
        regions.set(xlim=(0, 4), ylim=(-0.02, 1.04), yticks=[0, 0.5, 1], xlabel="input", title="gates (thin: before top k)")
        load.set(xlim=(-0.6, E - 0.4), ylim=(0, 1.04), yticks=[0, 0.5, 1], xlabel="expert", title="load (bar), asked (◆)")
        load.set_xticks(range(E), range(1, E + 1))
        return fit, regions, load

    @staticmethod
    def draw(axes, numbers):
        fit, regions, load = axes
        fit.plot(x, numbers["y_hat"], color="black", linestyle="--")
        for e, (colour, style) in enumerate(STYLES):
            regions.plot(x, numbers["all"][:, e], color=colour, linestyle="-", linewidth=0.8)
            regions.plot(x, numbers["gates"][:, e], color=colour, linestyle=style)
        load.vlines(range(E), 0, numbers["load"], colors=[colour for colour, _ in STYLES], linewidth=22)
        load.plot(range(E), numbers["asked"], "D", color="black", markersize=7)

    @staticmethod
    def describe(numbers):
        loads, asked = (", ".join(f"{share:.2f}" for share in numbers[name]) for name in ("load", "asked"))
        return (f"Temperature {numbers['temperature']}, k = {numbers['k']}. Loads of the experts {loads}; "
                f"asked for shares {asked} of the inputs. Squared error {numbers['error']:.4f}.")
