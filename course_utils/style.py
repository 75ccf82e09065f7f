"""One look for every picture: colours that a colour-blind reader tells apart, text that a projector shows."""

import matplotlib

# Okabe & Ito 2008.
BLUE, ORANGE, GREEN, VERMILION, PURPLE, SKY, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#AA4499", "#56B4E9", "#6B6B6B"
MEANINGS = {"animal": BLUE, "hardship": VERMILION, "sport": GREEN}      # the same colour for a meaning in every notebook
MARKERS = {"animal": "o", "hardship": "s", "sport": "^"}                # and a shape: colour never stands alone

WEIGHTS_MAP = "Blues"        # 0 to 1, light to dark
SCORES_MAP = "PuOr"          # around 0, both signs

matplotlib.rcParams.update({
    "font.size": 13,
    "axes.titlesize": 13,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "lines.linewidth": 2.5,
    "axes.prop_cycle": matplotlib.cycler(color=[BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY])
                       + matplotlib.cycler(linestyle=["-", "--", "-.", ":", (0, (5, 1)), (0, (1, 1))]),
})
