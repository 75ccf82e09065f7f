"""How HeadExplorer is tried."""

import itertools

from hypothesis import strategies as st
from instruments.trial import InstrumentTrial

from course_utils.data.two_heads import HEADS

SHARE = st.one_of(
    st.sampled_from([0.0, 1.0, 0.5, 0.5, 0.45]), st.integers(0, 100).map(lambda p: p / 100)
)
STATES = st.fixed_dictionaries(
    {
        "heads": st.tuples(st.integers(0, 3), st.integers(0, 3)).map(list),
        "query": st.integers(0, 4),
        "mix": SHARE,
    }
)


def drawn(bars):
    """The bars above the words: (3 T,)."""
    return [height / 52 for height in bars]


def shown(numbers):
    """What these levels must be."""
    return numbers["weights"].ravel()


def ways():
    """Every two heads, every token, the knob from one end to the other."""
    for first, second, query, mix in itertools.product(
        range(4), range(4), range(5), range(0, 101, 5)
    ):
        yield {"heads": [first, second], "query": query, "mix": mix / 100}


def told(state):
    one, other = (list(HEADS)[head] for head in state["heads"])
    return [f"“{one}” brings", f"“{other}”"]


TRIAL = InstrumentTrial(
    states=STATES,
    grip="who asks",
    drag=(65, 0),
    keys=["ArrowRight", "ArrowUp", "PageDown", "End", "Home"],
    solved=[("drag", "mix of both questions", 122, 0)],
    drawn=drawn,
    shown=shown,
    ways=ways,
    told=told,
)
