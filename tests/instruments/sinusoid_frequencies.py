"""How SinusoidFrequencies is tried."""

import itertools

from hypothesis import strategies as st
from instruments.trial import InstrumentTrial

from course_utils.instruments.sinusoid_frequencies import BASES, WIDTHS

POSITION = st.one_of(
    st.integers(0, 63),
    st.integers(0, 630).map(lambda p: p / 10),
    st.integers(0, 6300).map(lambda p: p / 100),
)
PAIR = st.one_of(  # anywhere, or as far apart as in the beginning, or nearly
    st.tuples(POSITION, POSITION),
    st.tuples(st.integers(0, 54), st.sampled_from([9, 9, 9, 8.9, 9.1])).map(
        lambda p: (p[0], round(p[0] + p[1], 1))
    ),
    st.sampled_from([(22, 31), (2, 11), (21, 30), (3, 12), (20, 11), (22, 13)]),
)


@st.composite
def _states(draw):
    i, j = draw(PAIR)
    return {
        "i": i,
        "j": j,
        "D": draw(st.sampled_from(WIDTHS)),
        "base": draw(st.sampled_from(BASES)),
    }


STATES = _states()


def drawn(bars):
    """The bars below the waves as shares of the largest product: (64,)."""
    return [height / 34 for height in bars]


def shown(numbers):
    """What these must be."""
    return abs(numbers["products"]) / (numbers["D"] / 2)


def ways():
    """Every two whole positions, at every number of clocks."""
    for i, j, D in itertools.product(range(64), range(64), WIDTHS):
        yield {"i": i, "j": j, "D": D, "base": 10000}
    yield {"i": 22.25, "j": 31.25, "D": 8, "base": 10000}
    yield {"i": 31.35, "j": 22.35, "D": 8, "base": 10000}


def told(state):
    apart = round(abs(state["i"] - state["j"]), 2)
    return [
        f"Your {state['i']:.3g} and {state['j']:.3g} are {apart:.3g} apart",
        "only the offset counts",
        "as 12 and 21 are" if apart == 9 else "not 9",
        *["They changed places, which a cosine does not see."]
        * (apart == 9 and state["i"] > state["j"]),
    ]


TRIAL = InstrumentTrial(
    states=STATES,
    grip="first position",
    drag=(65, 0),
    keys=["ArrowRight", "ArrowUp", "PageDown", "End", "Home"],
    solved=[("drag", "both positions", 152, 0)],
    drawn=drawn,
    shown=shown,
    ways=ways,
    told=told,
)
