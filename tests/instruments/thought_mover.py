"""How ThoughtMover is tried."""

import itertools

from hypothesis import strategies as st
from instruments.trial import InstrumentTrial

from course_utils.data import thoughts

L, H = thoughts.BLOCKS, thoughts.HEADS
BLOCK, HEAD = thoughts.facts()["chosen"]
PAIRS = len(thoughts.facts()["scenes"])

PLACES = st.one_of(
    st.tuples(st.integers(0, 1), st.integers(0, L), st.just(0)),
    st.tuples(st.integers(0, 1), st.integers(1, L), st.integers(1, H)),
    st.tuples(st.integers(0, 1), st.integers(14, L), st.just(0)),
    st.tuples(st.integers(0, 1), st.just(BLOCK), st.just(HEAD)),
).map(list)


@st.composite
def _states(draw):
    tried = draw(st.lists(PLACES, max_size=8, unique_by=tuple))
    into, block, head = draw(
        st.one_of(st.just([1, -1, 0]), PLACES, *[st.sampled_from(tried)] * bool(tried))
    )
    pair = draw(st.integers(0, PAIRS - 1))
    return {"pair": pair, "into": into, "block": block, "head": head, "tried": tried}


STATES = _states()


def drawn(bars):
    """How long the bars are, answers before the others."""
    return [width / 122 for width in bars]


def shown(numbers):
    """What these must be."""
    return numbers["p"]


def ways():
    """For each pair and run: two states, and a head between them, in the order in which they are
    tried."""
    for pair, into, low, high in itertools.product(
        range(PAIRS), (0, 1), range(14, BLOCK, 3), range(BLOCK, L + 1, 2)
    ):
        for block, head in ((BLOCK, HEAD), (BLOCK, 1), (13, 1)):
            tried = [[into, low, 0], [into, block, head], [into, high, 0]]
            yield {"pair": pair, "into": into, "block": high, "head": 0, "tried": tried}


def told(state):
    (into, low, _), (_, block, head), (_, high, _) = state["tried"]
    first, second = thoughts.facts()["scenes"][state["pair"]]["words"][:4:3]
    theirs = (second if into == 0 else first).strip()
    return [f"After block {low} ", f"Head ({block}, {head})", f"After block {high} ", theirs]


TRIAL = InstrumentTrial(
    states=STATES,
    grip="the part",
    drag=(196, -131),
    keys=["ArrowRight", "ArrowUp", "ArrowRight", "End", "Home"],
    solved=[
        ("drag", "the part", 57, -237),  # the state after block 22, into the second run
        ("drag", "the part", 0, -20),  # after block 24
        ("drag", "the part", 74, 0),  # head (24, 5)
    ],
    drawn=drawn,
    shown=shown,
    ways=ways,
    told=told,
    side="width",
    survivors={
        "b = 0, h = 2": "before the first block no head is moved, whichever it is",
        "if (h > 1 ==": "no first head of a block brings the country alone",
        "QUESTION, 1)": "the lens ranks no such word first",
        "COUNTRY, 1)": "as above",
    },
)
