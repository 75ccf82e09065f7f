"""How SoftmaxSharpening is tried."""

import numpy as np
from hypothesis import strategies as st

from course_utils.instruments.softmax_sharpening import N_KEYS, WIDTHS

SCORE = st.one_of(st.none(), st.integers(-6400, 6400).map(lambda s: s / 100))
STATES = st.fixed_dictionaries({
    "d": st.one_of(st.integers(0, len(WIDTHS) - 1), st.just(len(WIDTHS) - 1)),
    "temperature": st.floats(-2, 5).map(lambda x: round(2 ** x, 4)),
    "moved": st.one_of(st.just([None] * N_KEYS), st.lists(SCORE, min_size=N_KEYS, max_size=N_KEYS)),
})
SURVIVORS = {"entropy = -np.sum(a * np.log(np.where(a > 0, a, 2)))": "0 · log 2 is 0, too"}

TAKEN, DRAG, KEYS = "score of key 0", (0, -40), ["ArrowUp", "PageDown", "Home", "End"]
SOLVED = [("set", "width d", 16), ("set", "temperature", 5)]


def drawn(bars):
    """The bars' heights as weights: first those not scaled, then those divided by √d: (32,)."""
    return [height / 160 for height in bars]


def shown(numbers):
    """What these bars must be."""
    return np.concatenate([panel["weights"] for panel in numbers["panels"]])
