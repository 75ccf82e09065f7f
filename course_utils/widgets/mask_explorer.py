"""Masks: who may attend to whom, what weights that leaves, and what leaks."""

import numpy as np

from course_utils.attention import causal_mask, padding_mask, scaled_dot_product_attention
from course_utils.data import SENTENCES, embed
from course_utils.style import BLUE, VERMILION
from course_utils.widgets.explorer import Control, Explorer

TOKENS = [*SENTENCES["sport"], "pad", "pad"]
T = len(TOKENS)
MASKS = {
    "none": np.ones((T, T), dtype=bool),
    "causal": causal_mask(T),
    "strict": causal_mask(T) & ~np.eye(T, dtype=bool),
    "padding": np.broadcast_to(padding_mask([4], T)[0], (T, T)),
    "causal and padding": causal_mask(T) & padding_mask([4], T)[0],
}


def vectors(last_word):
    """The sentence "bears won the ..." with its last word as given, and two rows of padding, all zeros."""
    return np.vstack([embed([*SENTENCES["sport"][:-1], last_word]), np.zeros((2, 4))])


class MaskExplorer(Explorer):
    """"bears won the game" with two places of padding, X as queries, keys and values, under five masks."""

    controls = [Control("mask", list(MASKS), start=1), Control("query", list(range(T)), start=1)]
    size = (8.4, 3.7)

    @staticmethod
    def compute(kind, query):
        X, changed = vectors("game"), vectors("pain")
        output, weights = scaled_dot_product_attention(X, X, X, MASKS[kind])
        moved = scaled_dot_product_attention(changed, changed, changed, MASKS[kind])[0]
        return {"kind": kind, "query": query, "allowed": MASKS[kind], "weights": weights[query],
                "leak": np.abs(moved - output)[query].max()}

    @staticmethod
    def prepare(figure):
        grid, row = figure.subplots(1, 2, width_ratios=[1, 1.15])
        figure.subplots_adjust(left=0.09, right=0.99, top=0.91, bottom=0.16, wspace=0.16)
        grid.set(xlim=(-0.5, T - 0.5), ylim=(T - 0.5, -0.5), aspect="equal", title="may attend (■), hidden (×)", ylabel="query")
        row.set(xlim=(-0.6, T - 0.4), ylim=(0, 1), title="weights of the marked query")
        for axes in (grid, row):
            axes.set_xlabel("key")
            axes.set_xticks(range(T), TOKENS, fontsize=11)
        grid.set_yticks(range(T), TOKENS, fontsize=11)
        return grid, row

    @staticmethod
    def draw(axes, numbers):
        grid, row = axes
        i, j = np.nonzero(numbers["allowed"])
        grid.scatter(j, i, marker="s", s=300, color=BLUE)
        i, j = np.nonzero(~numbers["allowed"])
        grid.scatter(j, i, marker="x", s=60, color="black")
        q = numbers["query"]
        left, right, top, bottom = -0.45, T - 0.55, q - 0.45, q + 0.45
        grid.plot([left, right, right, left, left], [top, top, bottom, bottom, top], color=VERMILION, linestyle="-", clip_on=False)
        row.vlines(range(T), 0, numbers["weights"], color=BLUE, linewidth=30)

    @staticmethod
    def describe(numbers):
        q = numbers["query"]
        shares = ", ".join(f"{TOKENS[k]} {numbers['weights'][k]:.2f}" for k in np.nonzero(numbers["allowed"][q])[0])
        return (f"Mask: {numbers['kind']}. Query {q} ({TOKENS[q]}) attends to {shares or 'nothing'}. "
                f"\"pain\" instead of \"game\" changes its output by {numbers['leak']:.2f}.")
