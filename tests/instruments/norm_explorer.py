"""How NormExplorer is tried."""

import itertools

import numpy as np
from hypothesis import strategies as st
from instruments.trial import InstrumentTrial

from course_utils.instruments.norm_explorer import OTHERS, NormExplorer

START = NormExplorer.start()
FEATURE = st.integers(-300, 400).map(lambda x: x / 100)
BATCHES = st.one_of(
    st.lists(st.booleans(), min_size=6, max_size=6),
    st.sampled_from([[False] * 6, [True] * 6, [False] * 5 + [True]]),
)
UNTOUCHED = st.fixed_dictionaries(
    {"x": st.just(START["x"]), "shift": st.just(0.0), "stretch": st.just(1.0), "batch": BATCHES}
)
STATES = st.one_of(
    UNTOUCHED,
    st.fixed_dictionaries(
        {
            "x": st.one_of(
                st.just(START["x"]),
                st.lists(FEATURE, min_size=4, max_size=4),
                FEATURE.map(lambda x: [x] * 4),
            ),
            "shift": st.one_of(st.just(0.0), st.integers(-200, 400).map(lambda x: x / 100)),
            "stretch": st.one_of(st.just(1.0), st.integers(20, 600).map(lambda x: x / 100)),
            "batch": BATCHES,
        }
    ),
)


def drawn(bars):
    """The bars' heights as sizes, norm by norm: (12,)."""
    return [height / 17 for height in bars]


def shown(numbers):
    """What these bars must be."""
    return np.abs(numbers["normed"]).ravel()


def ways():
    """Every company."""
    for there in itertools.product([False, True], repeat=len(OTHERS)):
        yield START | {"batch": list(there)}


def told(state):
    return [", ".join(word for word, here in zip(OTHERS, state["batch"], strict=True) if here)]


TRIAL = InstrumentTrial(
    states=STATES,
    grip="sport of won",
    drag=(0, -44),
    keys=["ArrowUp", "ArrowLeft", "PageDown", "End", "Home"],
    solved=[("press", "love"), ("press", "bears")],
    drawn=drawn,
    shown=shown,
    ways=ways,
    told=told,
    survivors={
        "sport < -0.00011": "a margin for noise",
    },
)
