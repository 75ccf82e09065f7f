"""All texts of a small chain as a tree: what a beam keeps of it, and how often sampling arrives where."""

import numpy as np

from course_utils.data.chain import CHAIN, PROMPT, STEPS, VOCABULARY, next_log_probs, text
from course_utils.decoding import beam_search, sharpen
from course_utils.style import BLUE, GREY, ORANGE, VERMILION
from course_utils.widgets.explorer import Control, Explorer

ROOT = VOCABULARY[PROMPT[0]]
PATHS = [(first, second) for first in CHAIN[ROOT] for second in CHAIN[first]]         # the texts, without the prompt
PLACES = {ROOT: (0, 3.5)} | {second: (2, row) for row, (_, second) in enumerate(PATHS)}
PLACES |= {first: (1, np.mean([PLACES[second][1] for second in CHAIN[first]])) for first in CHAIN[ROOT]}


def chances(temperature):
    """How likely sampling at this temperature passes each word: {word: probability}."""
    passes = {ROOT: 1.0}
    for word in CHAIN:
        p = sharpen(next_log_probs([VOCABULARY.index(word)]), temperature)
        passes |= {after: passes[word] * p[VOCABULARY.index(after)] for after in CHAIN[word]}
    return passes


class DecodingTree(Explorer):
    """The chain of notebook 07. Squares: what the beam keeps. Width of the lines, and bars: what sampling draws."""

    controls = [Control("beam width", [1, 2, 3]),
                Control("temperature", [0.1, 0.25, 0.5, 0.7, 1.0, 1.5, 2.0, 4.0], start=4)]
    size = (9, 3.8)

    @staticmethod
    def compute(beam_width, temperature):
        kept = [beam_search(next_log_probs, PROMPT, steps, beam_width) for steps in range(1, STEPS + 1)]
        best, log_p = kept[-1][0]
        return {"beam_width": beam_width, "temperature": temperature, "passes": chances(temperature),
                "kept": [[VOCABULARY[tokens[-1]] for tokens, _ in beam] for beam in kept], "best": text(best), "p": np.exp(log_p)}

    @staticmethod
    def prepare(figure):
        tree, bars = figure.subplots(1, 2, sharey=True, width_ratios=[2.6, 1])
        figure.subplots_adjust(left=0.02, right=0.97, top=0.9, bottom=0.17, wspace=0.03)
        tree.set(xlim=(-0.35, 2.75), ylim=(7.6, -0.6), xticks=[], yticks=[], title="■ kept by the beam   ◆ its best")
        tree.spines[:].set_visible(False)
        bars.set(xlim=(0, 1), xlabel="drawn with probability", title="sampling")
        bars.tick_params(left=False)
        for word, (x, y) in PLACES.items():
            p = next((after[word] for after in CHAIN.values() if word in after), None)
            label, beside = word if p is None else f"{word} {p:.2f}", (0.09, 0) if x == 2 else (0, -0.65 if y < 4 else 0.65)
            tree.text(x + beside[0], y + beside[1], label, fontsize=11, va="center", ha="left" if x == 2 else "center")
        return tree, bars

    @staticmethod
    def draw(axes, numbers):
        tree, bars = axes
        for before, following in CHAIN.items():
            for word in following:
                tree.plot(*zip(PLACES[before], PLACES[word], strict=True), color=GREY, zorder=1, solid_capstyle="butt",
                          linestyle="-", linewidth=0.5 + 12 * numbers["passes"][word])
        tree.plot(*zip(*PLACES.values(), strict=True), "o", color="white", markeredgecolor="black", markersize=6, zorder=3)
        best = numbers["best"].split()[-1]
        for word in {ROOT, *(w for step in numbers["kept"] for w in step)} - {best}:
            tree.plot(*PLACES[word], "s", color=BLUE, markersize=10, zorder=4)
        tree.plot(*PLACES[best], "D", color=VERMILION, markersize=10, zorder=5)
        bars.hlines(range(len(PATHS)), 0, [numbers["passes"][second] for _, second in PATHS], color=ORANGE, linewidth=15)

    @staticmethod
    def describe(numbers):
        first, second = (", ".join(words) for words in numbers["kept"])
        drawn = max(PATHS, key=lambda path: numbers["passes"][path[1]])
        return (f"Beam width {numbers['beam_width']} keeps {first}, then {second}; best: \"{numbers['best']}\", {numbers['p']:.2f}. "
                f"At temperature {numbers['temperature']}, draws favour \"{' '.join([ROOT, *drawn])}\", {numbers['passes'][drawn[1]]:.2f}.")
