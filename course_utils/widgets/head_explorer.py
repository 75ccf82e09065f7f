"""Four heads built by hand: whom each attends to, and which words it brings back."""

import numpy as np

from course_utils.attention import scaled_dot_product_attention
from course_utils.data.two_heads import HEADS, TOKENS, VOCABULARY, W_V, T, X
from course_utils.style import BLUE, ORANGE, VERMILION, WEIGHTS_MAP
from course_utils.widgets.explorer import Control, Explorer


class HeadExplorer(Explorer):
    """"the bears love the game" through one head at a time."""

    controls = [Control("head", list(HEADS)), Control("query", list(range(T)), start=2)]
    size = (8.4, 3.5)

    @staticmethod
    def compute(head, query):
        W_Q, W_K = HEADS[head]
        output, weights = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
        return {"head": head, "query": query, "weights": weights, "brings": output[query]}

    @staticmethod
    def prepare(figure):
        table, bars = figure.subplots(1, 2)
        figure.subplots_adjust(left=0.1, right=0.99, top=0.9, bottom=0.17, wspace=0.12)
        table.set(xlim=(-0.5, T - 0.5), ylim=(T - 0.5, -0.5), aspect="equal", title="weights", xlabel="key", ylabel="query")
        table.set_xticks(range(T), TOKENS, fontsize=11)
        table.set_yticks(range(T), TOKENS, fontsize=11)
        bars.set(xlim=(-0.6, len(VOCABULARY) - 0.4), ylim=(0, 1), title="words the marked query receives")
        bars.set_xticks(range(len(VOCABULARY)), VOCABULARY)
        return table, bars

    @staticmethod
    def draw(axes, numbers):
        table, bars = axes
        q = numbers["query"]
        table.imshow(numbers["weights"], cmap=WEIGHTS_MAP, vmin=0, vmax=1)
        left, right, top, bottom = -0.45, T - 0.55, q - 0.45, q + 0.45
        table.plot([left, right, right, left, left], [top, top, bottom, bottom, top], color=VERMILION, linestyle="-", clip_on=False)
        # The triangle marks the word that the token is itself.
        bars.vlines(np.arange(len(VOCABULARY)), 0, numbers["brings"], color=BLUE, linewidth=34)
        bars.plot([VOCABULARY.index(TOKENS[q])], [0.03], "^", color=ORANGE, markersize=12)

    @staticmethod
    def describe(numbers):
        q = numbers["query"]
        shares = ", ".join(f"{TOKENS[k]} ({k}) {w:.2f}" for k, w in enumerate(numbers["weights"][q]) if w > 0.04)
        word = VOCABULARY[numbers["brings"].argmax()]
        return f"Head: {numbers['head']}. Query {q} ({TOKENS[q]}) attends to {shares}. It receives mostly \"{word}\"."
