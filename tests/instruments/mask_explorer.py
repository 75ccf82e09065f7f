"""How MaskExplorer is tried."""

import itertools

import numpy as np
from hypothesis import strategies as st
from instruments.trial import InstrumentTrial

from course_utils.instruments.mask_explorer import PLACE, PRESETS, TOKENS, T

CELL = st.tuples(st.integers(0, T - 1), st.integers(0, T - 1))


LEAK = st.tuples(
    st.sampled_from([0, 1, 1, 2]), st.just(PLACE)
)  # a cell of the changed word's column


@st.composite
def _masks(draw):
    """A preset with some cells painted over, or any mask, some of whose rows are empty."""
    if draw(st.booleans()):
        mask = PRESETS[draw(st.sampled_from(["causal", *PRESETS]))].copy()
        for i, j in draw(
            st.one_of(st.lists(CELL, max_size=2), st.tuples(LEAK), st.tuples(LEAK, CELL))
        ):
            mask[i, j] = not mask[i, j]
    else:
        mask = np.array(
            draw(
                st.lists(
                    st.one_of(
                        st.just([False] * T), st.lists(st.booleans(), min_size=T, max_size=T)
                    ),
                    min_size=T,
                    max_size=T,
                )
            )
        )
    return mask.tolist()


@st.composite
def _near(draw):
    """The causal mask with one cell opened, and perhaps another painted over."""
    mask = PRESETS["causal"].copy()
    for i, j in [draw(LEAK), *draw(st.sampled_from([[], [], [], [(0, 4)], [(3, 1)], [(0, 2)]]))]:
        mask[i, j] = not mask[i, j]
    return mask.tolist()


@st.composite
def _states(draw):
    if draw(st.integers(0, 3)) == 0:
        return {
            "mask": draw(_near()),
            "query": draw(st.integers(0, T - 1)),
            "way": draw(st.integers(0, 2)),
            "pain": draw(st.sampled_from([1.0, 1.0, 1.0, 0.95])),
        }
    mask = draw(_masks())
    empty = [i for i, row in enumerate(mask) if not any(row)]
    return {
        "mask": mask,
        "query": draw(st.sampled_from([*range(T), *empty])),
        "way": draw(st.integers(0, 2)),
        "pain": draw(
            st.one_of(st.just(1.0), st.just(0.0), st.integers(0, 100).map(lambda p: p / 100))
        ),
    }


STATES = _states()


def drawn(bars):
    """The levels in the table's cells, as shares of the cell: (T, T)."""
    return [height / 44 for height in bars]


def shown(numbers):
    """What these levels must be."""
    return numbers["weights"].ravel()


def ways():
    """The causal mask with each cell opened, in each way, and with two opened."""
    for i, j in itertools.product(range(T), range(T)):
        for way, also in itertools.product(range(3), (None, (0, PLACE))):
            mask = PRESETS["causal"].copy()
            mask[i, j] = True
            if also:
                mask[also] = True
            yield {"mask": mask.tolist(), "query": i, "way": way, "pain": 1.0}


def told(state):
    (opened,) = (i for i, j in np.argwhere(np.array(state["mask"]) & ~PRESETS["causal"]))
    return [f"“{TOKENS[opened]}” now sees “pain”"]


TRIAL = InstrumentTrial(
    states=STATES,
    grip="from game to pain",
    drag=(-33, 0),
    keys=["ArrowLeft", "ArrowRight", "PageDown", "Home", "End"],
    solved=[("press", "causal"), ("cell", T + PLACE)],
    drawn=drawn,
    shown=shown,
    ways=ways,
    told=told,
)
