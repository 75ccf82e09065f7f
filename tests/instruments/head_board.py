"""How HeadBoard is tried."""

import numpy as np
from hypothesis import strategies as st

from course_utils.instruments.head_board import COPY, LOOKS, H, L

LOST = np.flatnonzero(COPY > 0.5).tolist()

STATES = st.fixed_dictionaries({"colour": st.integers(0, 2), "silent": st.one_of(st.integers(-1, L * H - 1), st.just(-1), st.sampled_from(LOST))})
SURVIVORS = {
    'return bool(numbers["copy"] > 1.0945 and numbers["gives"][0] < 0.105)': "no head changes the second copy by as much as lies between",
    'return bool(numbers["copy"] > 0.995 and numbers["gives"][0] < 0.1155)': "no head that is missed gives what lies between",
    "return copy > 1.0945 && gives[0] < 0.105;": "as in Python",
    "return copy > 0.995 && gives[0] < 0.1155;": "as in Python",
}

BEFORE = next(i for i in np.argsort(-COPY) if LOOKS[0, i] < 0.1)           # the head that looks one word back, which copying needs

TAKEN, DRAG, KEYS = "the cut", (60, -60), ["ArrowRight", "ArrowRight", "ArrowDown", "End", "Home"]
SOLVED = [("cell", int(BEFORE % H * L + BEFORE // H))]



def drawn(bars):
    """The heights of the bars, as shares of a cell, a row of the board after the other."""
    return [height / 20 for height in bars]


def shown(numbers):
    """What these must be."""
    return numbers["values"].reshape(L, H).T.ravel()
