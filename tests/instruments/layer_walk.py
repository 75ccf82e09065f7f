"""How LayerWalk is tried."""

import numpy as np
from hypothesis import strategies as st

from course_utils.instruments.layer_walk import AT_HOME

STATES = st.fixed_dictionaries({
    "layer": st.one_of(st.integers(0, 6), st.just(1), st.integers(0, 6000).map(lambda n: n / 1000)),
    "point": st.one_of(st.integers(0, 18), st.sampled_from(np.flatnonzero(~AT_HOME[1, :18]).tolist())),
    "more": st.integers(0, 5),
})
SURVIVORS = {}

TAKEN, DRAG, KEYS = "I love bears", (-50, 20), ["ArrowLeft", "ArrowDown", "PageDown", "Home", "End"]
SOLVED = [("drag", "The wall bears", 0, 0), ("set", "layer", 1)]


def drawn(bars):
    """The bars' heights as cosines; the one taken has none with itself."""
    return [height / 280 for height in bars]


def shown(numbers):
    """What these must be."""
    return np.delete(numbers["cosines"], numbers["point"]) if numbers["point"] < 18 else numbers["cosines"]
