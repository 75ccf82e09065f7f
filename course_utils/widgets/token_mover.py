"""Turn the vector of "bears" and watch its weights, and the place where self-attention moves it."""

import numpy as np

from course_utils.attention import softmax
from course_utils.data import BY_TEXT, embed
from course_utils.figures import CORNERS, prepare_plane, to_plane
from course_utils.style import BLUE, GREY, SKY
from course_utils.widgets.explorer import Control, Explorer


def turned(angle):
    """"bears" with its meaning turned away from the middle: 0 degrees is animal, 120 hardship, 240 sport."""
    direction = np.array([-np.sin(np.radians(angle)), np.cos(np.radians(angle))])
    return np.append(0.7 + CORNERS @ direction * 2 / 3, 0.5)


class TokenMover(Explorer):
    """self-attention without parameters, softmax(X Xᵀ) X, with one embedding that turns."""

    controls = [Control("sentence", list(BY_TEXT)), Control("turn bears by", list(range(0, 360, 30)), unit="°")]
    size = (8.4, 3.7)

    @staticmethod
    def compute(sentence, angle):
        tokens = BY_TEXT[sentence]
        X = embed(tokens)
        X[tokens.index("bears")] = turned(angle)
        weights = softmax(X @ X.T)
        return {"tokens": tokens, "angle": angle, "X": X, "weights": weights, "X_hat": weights @ X}

    @staticmethod
    def prepare(figure):
        plane, rows = figure.subplots(1, 2, width_ratios=[1.2, 1])
        figure.subplots_adjust(left=0.02, right=0.99, top=0.91, bottom=0.12, wspace=0.12)
        prepare_plane(plane)
        plane.set_title("○ before   → after", fontsize=12)
        rows.set(xlim=(-0.6, 3.6), ylim=(0, 1), xticks=[], title="weights of \"bears\"")
        return plane, rows

    @staticmethod
    def draw(axes, numbers):
        plane, rows = axes
        before, after = to_plane(numbers["X"]), to_plane(numbers["X_hat"])
        i = numbers["tokens"].index("bears")
        plane.fill(*before.T, facecolor=SKY, alpha=0.25, edgecolor=GREY)       # the hull: all averages lie inside
        plane.quiver(*before.T, *(after - before).T, angles="xy", scale_units="xy", scale=1, width=0.008,
                     color=[BLUE if k == i else GREY for k in range(len(before))])
        plane.plot(*before.T, "o", markersize=7, markerfacecolor="white", markeredgecolor="black")
        outwards = before - before.mean(axis=0)
        outwards *= 0.3 / np.linalg.norm(outwards, axis=1, keepdims=True)
        for token, place in zip(numbers["tokens"], before + outwards, strict=True):
            plane.text(*place, token, fontsize=12, ha="center", va="center")
        rows.vlines(range(len(before)), 0, numbers["weights"][i], color=BLUE, linewidth=30)
        for k, token in enumerate(numbers["tokens"]):
            rows.text(k, -0.04, token, ha="center", va="top")

    @staticmethod
    def describe(numbers):
        i = numbers["tokens"].index("bears")
        shares = ", ".join(f"{token} {w:.2f}" for token, w in zip(numbers["tokens"], numbers["weights"][i], strict=True))
        a, h, s = numbers["X_hat"][i][:3]
        return (f"\"bears\" turned to {numbers['angle']}° in \"{' '.join(numbers['tokens'])}\". Its weights: {shares}. "
                f"It moves to animal {a:.2f}, hardship {h:.2f}, sport {s:.2f}.")
