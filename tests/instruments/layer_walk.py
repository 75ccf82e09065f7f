"""How LayerWalk is tried."""

import itertools

import numpy as np
from hypothesis import strategies as st
from instruments.trial import InstrumentTrial

from course_utils.instruments.layer_walk import AT_HOME, MEANINGS

STATES = st.fixed_dictionaries(
    {
        "layer": st.one_of(
            st.integers(0, 6), st.just(1), st.integers(0, 6000).map(lambda n: n / 1000)
        ),
        "point": st.one_of(
            st.integers(0, 18), st.sampled_from(np.flatnonzero(~AT_HOME[1, :18]).tolist())
        ),
        "more": st.integers(0, 5),
    }
)


def drawn(bars):
    """The bars' heights as cosines; the one taken has none with itself."""
    return [height / 280 for height in bars]


def shown(numbers):
    """What these must be."""
    return (
        np.delete(numbers["cosines"], numbers["point"])
        if numbers["point"] < 18
        else numbers["cosines"]
    )


def ways():
    """Every sentence after every block."""
    for layer, point in itertools.product(range(7), range(19)):
        yield {"layer": layer, "point": point, "more": 0}


def told(state):
    return [f"After block {state['layer']},", f"yours ({MEANINGS[state['point']]})"]


TRIAL = InstrumentTrial(
    states=STATES,
    grip="I love bears",
    drag=(-54, 22),
    keys=["ArrowLeft", "ArrowDown", "PageDown", "Home", "End"],
    solved=[("pick", "The wall bears"), ("set", "layer", 1)],
    drawn=drawn,
    shown=shown,
    ways=ways,
    told=told,
)
