"""One look for every picture: colours that a colour-blind reader tells apart, text that a projector
shows."""

import matplotlib
from matplotlib.rcsetup import cycler

from course_utils.cards.look import ORANGE, SKY
from course_utils.svg import GREY, LEAST, TEXT

# Okabe & Ito 2008.
BLUE, GREEN, VERMILION, PURPLE = "#0072B2", "#009E73", "#D55E00", "#AA4499"
MEANINGS = {
    "animal": BLUE,
    "hardship": VERMILION,
    "sport": GREEN,
}  # the same colour for a meaning in every notebook
CURVES = [
    "#1A8577",
    "#C77700",
    "#3A8FC4",
    GREY,
    "#9C5A3C",
    "#7F8000",
]  # of curves that mean something else
MARKERS = {"animal": "o", "hardship": "s", "sport": "^"}  # and a shape: colour never stands alone

__all__ = [
    "BLUE",
    "CURVES",
    "GREEN",
    "GREY",
    "MARKERS",
    "MEANINGS",
    "ORANGE",
    "PURPLE",
    "SKY",
    "VERMILION",
]

matplotlib.rcParams.update(
    {
        "font.size": TEXT,
        "axes.titlesize": TEXT,
        "axes.titleweight": "bold",
        "axes.labelsize": TEXT,
        "xtick.labelsize": LEAST,
        "ytick.labelsize": LEAST,
        "legend.fontsize": LEAST,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.facecolor": "none",
        "figure.facecolor": "white",
        "savefig.facecolor": "white",
        "lines.linewidth": 2.5,
        "axes.prop_cycle": (
            cycler(color=CURVES)
            + cycler(linestyle=["-", "--", "-.", ":", (0, (5, 1)), (0, (1, 1))])
        ),
    }
)
