"""A first slider: raise one score and watch three weights."""

import numpy as np

from course_utils.attention import softmax
from course_utils.style import BLUE, ORANGE
from course_utils.widgets.explorer import Control, Explorer


class ScoreSlider(Explorer):
    """Three scores, 0, 1 and one that is turned, as bars; beside them their softmax."""

    controls = [Control("third score", [round(s / 2, 1) for s in range(-6, 7)], start=6)]
    size = (8, 2.8)

    @staticmethod
    def compute(score):
        scores = np.array([0.0, 1.0, score])
        return {"scores": scores, "weights": softmax(scores)}

    @staticmethod
    def prepare(figure):
        left, right = figure.subplots(1, 2)
        figure.subplots_adjust(left=0.06, right=0.99, top=0.88, bottom=0.12, wspace=0.2)
        left.set(xlim=(-0.6, 2.6), ylim=(-3.2, 3.2), title="scores")
        right.set(xlim=(-0.6, 2.6), ylim=(0, 1), title="weights")
        for axes in (left, right):
            axes.set_xticks(range(3), ["first", "second", "third"])
        return left, right

    @staticmethod
    def draw(axes, numbers):
        for a, key, colour in zip(axes, ["scores", "weights"], [ORANGE, BLUE], strict=True):
            a.vlines(range(3), 0, numbers[key], color=colour, linewidth=50)

    @staticmethod
    def describe(numbers):
        scores, weights = (", ".join(f"{x:.{digits}f}" for x in numbers[key]) for key, digits in [("scores", 1), ("weights", 2)])
        return f"Scores {scores} become weights {weights}, which sum to 1."
