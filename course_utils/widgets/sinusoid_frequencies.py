"""Sinusoidal positions: the waves of the first pairs, the whole table, and what thresholding makes of them."""

import numpy as np

from course_utils.positions import sinusoidal_positional_encoding
from course_utils.style import BLUE, ORANGE, SCORES_MAP, VERMILION, WEIGHTS_MAP
from course_utils.widgets.explorer import Control, Explorer

T = 64
PAIRS = 4            # as many waves are drawn
FINE = 4             # points of a drawn wave for each position
POINTS = np.arange((T - 1) * FINE + 1) / FINE


class SinusoidFrequencies(Explorer):
    """The table R of 64 positions for a width, a base, with or without a threshold at 0; one position is read out."""

    controls = [Control("width D", [8, 64]), Control("base", [16, 10000]), Control("threshold", ["off", "on"]),
                Control("position", [0, 3, 6, 40], start=2)]
    size = (8.4, 3.5)

    @staticmethod
    def compute(D, base, threshold, position):
        R = sinusoidal_positional_encoding(T, D, base)
        speeds = base ** (-2.0 * np.arange(D // 2) / D)                        # radians a position, one for each pair
        angles = POINTS[:, None] * speeds[:PAIRS]
        waves = np.stack([np.sin(angles), np.cos(angles)])                     # (2, points, PAIRS)
        codes = R > 0
        if threshold == "on":
            R, waves = codes.astype(float), (waves > 0).astype(float)
        return {"D": D, "base": base, "threshold": threshold, "position": position, "R": R, "waves": waves,
                "wavelengths": 2 * np.pi / speeds, "codes": len(np.unique(codes, axis=0)),
                "sharing": np.flatnonzero((codes == codes[position]).all(axis=1))}

    @staticmethod
    def prepare(figure):
        curves, table = figure.subplots(1, 2, width_ratios=[1.5, 1])
        figure.subplots_adjust(left=0.075, right=0.99, top=0.91, bottom=0.14, wspace=0.16)
        curves.set(xlim=(-0.5, T - 0.5), ylim=(PAIRS - 0.45, -0.55), xlabel="position", title="sine (—) and cosine (- -) of pairs 0 to 3")
        curves.set_yticks(range(PAIRS), [f"pair {j}" for j in range(PAIRS)])
        table.set(xlim=(0, 1), ylim=(T - 0.5, -0.5), xticks=[], xlabel="features, fast to slow", title="the table R")
        table.set_yticks([0, 20, 40, 60])
        for axes in (curves, table):
            axes.spines[:].set_visible(False)
        return curves, table

    @staticmethod
    def draw(axes, numbers):
        curves, table = axes
        i, on = numbers["position"], numbers["threshold"] == "on"
        heights = np.arange(PAIRS) - 0.4 * (2 * numbers["waves"] - 1 if on else numbers["waves"])      # (2, points, PAIRS)
        for values, colour, style in zip(heights, [BLUE, ORANGE], ["-", "--"], strict=True):
            joined = np.append(values, [[np.nan] * PAIRS], axis=0).T.ravel()                 # one line, lifted between the pairs
            curves.plot(np.tile(np.append(POINTS, np.nan), PAIRS), joined, color=colour, linestyle=style, linewidth=2)
        dots = heights[:, i * FINE].ravel()
        curves.plot([i] * len(dots), dots, color=VERMILION, linestyle="-", linewidth=1.5, marker="o", markersize=7, markeredgecolor="black")
        colours = {"cmap": WEIGHTS_MAP, "vmin": 0} if on else {"cmap": SCORES_MAP, "vmin": -1}
        table.pcolorfast((0, 1), (-0.5, T - 0.5), numbers["R"], vmax=1, **colours)
        top, bottom = i - 0.6, i + 0.6
        table.plot([0, 1, 1, 0, 0], [top, top, bottom, bottom, top], color=VERMILION, linestyle="-", linewidth=1.5, clip_on=False)

    @staticmethod
    def describe(numbers):
        row = numbers["R"][numbers["position"]][:2 * PAIRS].reshape(PAIRS, 2)
        pairs = " ".join(f"({s:.0f} {c:.0f})" if numbers["threshold"] == "on" else f"({s:.2f} {c:.2f})" for s, c in row)
        return (f"D = {numbers['D']}, base {numbers['base']}, threshold {numbers['threshold']}: wavelengths {numbers['wavelengths'][0]:.2f} to "
                f"{numbers['wavelengths'][-1]:.0f}; as bits, {numbers['codes']} different rows. Position {numbers['position']} "
                f"({len(numbers['sharing']) - 1} others share its bits): {pairs}.")
