"""Shift and stretch one token, and see which of three norms notices."""

import numpy as np

from course_utils.data import FEATURES, WORDS
from course_utils.layers import batch_norm, layer_norm, rms_norm
from course_utils.style import BLUE, GREEN, GREY, VERMILION
from course_utils.widgets.explorer import Control, Explorer

TOKEN = "won"
OTHERS = np.stack([x for word, x in WORDS.items() if word != TOKEN])
SHAPE = (WORDS[TOKEN] - WORDS[TOKEN].mean()) / WORDS[TOKEN].std()        # mean 0, standard deviation 1
NORMS = {"batch norm": lambda x: batch_norm(np.vstack([OTHERS, x]))[-1], "layer norm": layer_norm, "RMS norm": rms_norm}
COLOURS = [GREY, VERMILION, BLUE, GREEN]


class NormExplorer(Explorer):
    """"won", moved to a mean and stretched to a spread, as it is and after three norms. Its batch: the other six words."""

    controls = [Control("mean of the token", [-1.0, 0.0, 1.0, 2.0, 4.0], start=2),
                Control("spread", [0.0, 0.25, 0.5, 1.0, 2.0, 4.0], start=3)]
    size = (9, 2.9)

    @staticmethod
    def compute(mean, spread):
        x = mean + spread * SHAPE
        return {"mean": mean, "spread": spread, "x": x, "normed": {name: norm(x) for name, norm in NORMS.items()}}

    @staticmethod
    def prepare(figure):
        axes = figure.subplots(1, 4)
        figure.subplots_adjust(left=0.05, right=0.995, top=0.89, bottom=0.26, wspace=0.2)
        for a, title in zip(axes, [f"\"{TOKEN}\"", *NORMS], strict=True):
            a.set(xlim=(-0.6, 3.6), ylim=(-2.9, 2.9), title=title)
            a.set_xticks(range(4), FEATURES, rotation=30, fontsize=10)
            a.axhline(0, color=GREY, linewidth=0.8)
        axes[0].set_ylim(-9.5, 9.5)
        return axes

    @staticmethod
    def draw(axes, numbers):
        for a, x, colour in zip(axes, [numbers["x"], *numbers["normed"].values()], COLOURS, strict=True):
            a.vlines(range(4), 0, x, color=colour, linewidth=22)

    @staticmethod
    def describe(numbers):
        means = ", ".join(f"{name} {x.mean():.2f} ± {x.std():.2f}" for name, x in numbers["normed"].items())
        return (f"\"{TOKEN}\" with mean {numbers['mean']} and spread {numbers['spread']}. "
                f"Mean and spread of its features afterwards: {means}.").replace("-0.00", "0.00")
