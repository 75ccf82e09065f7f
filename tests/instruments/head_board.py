"""How HeadBoard is tried."""

import itertools

import numpy as np
from hypothesis import strategies as st
from instruments.trial import InstrumentTrial

from course_utils.instruments.head_board import COPY, LOOKS, H, L

LOST = np.flatnonzero(COPY > 0.5).tolist()

STATES = st.fixed_dictionaries(
    {
        "colour": st.integers(0, 2),
        "silent": st.one_of(st.integers(-1, L * H - 1), st.just(-1), st.sampled_from(LOST)),
    }
)
BEFORE = next(
    i for i in np.argsort(-COPY) if LOOKS[0, i] < 0.1
)  # the head that looks one word back, which copying needs


def drawn(bars):
    """The heights of the bars, as shares of a cell, a row of the board after the other."""
    return [height / 26 for height in bars]


def shown(numbers):
    """What these must be."""
    return numbers["values"].reshape(L, H).T.ravel()


def ways():
    """Every head, silenced."""
    for silent, colour in itertools.product(range(-1, L * H), range(3)):
        yield {"colour": colour, "silent": silent}


def told(state):
    block, head = divmod(state["silent"], H)
    looks_back = LOOKS[1, state["silent"]] > 0.5
    return [
        f"Without ({block + 1}, {head + 1})",
        "It looks one word back" if looks_back else "what it does, the silence does not tell",
    ]


TRIAL = InstrumentTrial(
    states=STATES,
    grip="the cut",
    drag=(90, -90),
    keys=["ArrowRight", "ArrowRight", "ArrowDown", "End", "Home"],
    solved=[("cell", int(BEFORE % H * L + BEFORE // H))],
    drawn=drawn,
    shown=shown,
    ways=ways,
    told=told,
    survivors={
        "gives[0] < 0.1155": "no head that is missed gives what lies between",
        "copy > 1.0945": "no head changes the second copy by as much as lies between",
        "previous > 0.33": "no head that is missed gives what lies between",
    },
)
