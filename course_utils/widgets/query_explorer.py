"""Rotate the query of "bears" among the keys and watch its row of weights."""

import numpy as np

from course_utils.attention import softmax
from course_utils.data import BY_TEXT, W_K, W_Q, WORDS, embed
from course_utils.style import BLUE, GREY, VERMILION
from course_utils.widgets.explorer import Control, Explorer

LENGTH = np.linalg.norm(WORDS["bears"] @ W_Q)


class QueryExplorer(Explorer):
    """The keys of a sentence (made with the W_K of notebook 02) and one query of fixed length that turns."""

    controls = [Control("sentence", list(BY_TEXT)), Control("direction of the query", list(range(0, 360, 30)), start=1, unit="°")]
    size = (8.4, 3.7)

    @staticmethod
    def compute(sentence, angle):
        tokens = BY_TEXT[sentence]
        K = embed(tokens) @ W_K
        q = LENGTH * np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
        return {"tokens": tokens, "angle": angle, "K": K, "q": q, "weights": softmax(K @ q)}

    @staticmethod
    def prepare(figure):
        plane, row = figure.subplots(1, 2, width_ratios=[1.1, 1])
        figure.subplots_adjust(left=0.09, right=0.99, top=0.91, bottom=0.15, wspace=0.16)
        plane.set(xlim=(-1.5, 2.7), ylim=(-1.5, 2.5), aspect="equal", xlabel="action", ylabel="thing", title="query (dashed) and keys")
        plane.axhline(0, color=GREY, linewidth=0.8)
        plane.axvline(0, color=GREY, linewidth=0.8)
        row.set(xlim=(-0.6, 3.6), ylim=(0, 1), xticks=[], title="weights of this query")
        return plane, row

    @staticmethod
    def draw(axes, numbers):
        plane, row = axes
        K, q = numbers["K"], numbers["q"]
        plane.quiver(0 * K[:, 0], 0 * K[:, 1], *K.T, angles="xy", scale_units="xy", scale=1, width=0.009, color=BLUE)
        plane.plot([0, q[0]], [0, q[1]], color=VERMILION, linestyle="--", marker="D", markevery=[1])
        for token, key in zip(numbers["tokens"], K, strict=True):
            plane.text(*(key + [0.06, 0.06]), token, fontsize=12)
        row.vlines(range(len(K)), 0, numbers["weights"], color=BLUE, linewidth=30)
        for k, token in enumerate(numbers["tokens"]):
            row.text(k, -0.04, token, ha="center", va="top")

    @staticmethod
    def describe(numbers):
        shares = ", ".join(f"{token} {w:.2f}" for token, w in zip(numbers["tokens"], numbers["weights"], strict=True))
        return (f"A query at {numbers['angle']}° (0° asks for an action, 90° for a thing) in \"{' '.join(numbers['tokens'])}\". "
                f"Its weights: {shares}.")
