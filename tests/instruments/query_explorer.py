"""How QueryExplorer is tried."""

import numpy as np
from hypothesis import strategies as st
from instruments.trial import InstrumentTrial

from course_utils.instruments.query_explorer import QUERY, TABLES

PLACE = st.tuples(st.integers(-190, 340), st.integers(-160, 260)).map(
    lambda p: [p[0] / 100, p[1] / 100]
)
TURNS = [-30, -6, -5.5, -4, -2, 0, 1, 3, 4.5, 5.5, 8, 170]  # degrees away from the query that opens


def _turned(length, degrees):
    x, y = length / 100 * QUERY
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return [round(float(cos * x - sin * y), 4), round(float(sin * x + cos * y), 4)]


QUERIES = st.one_of(
    PLACE, st.builds(_turned, st.integers(1, 300), st.sampled_from(TURNS)), st.just([0.0, 0.0])
)


@st.composite
def _states(draw):
    sentence = draw(st.integers(0, 2))
    n = len(TABLES[sentence][0])
    return {
        "sentence": sentence,
        "q": draw(QUERIES),
        "keys": draw(st.one_of(st.none(), st.lists(PLACE, min_size=n, max_size=n))),
        "values": draw(st.booleans()),
    }


# Near the challenge: a long query, turned by a little more or less than it allows.
_NEAR = st.builds(
    lambda sentence, length, degrees: {
        "sentence": sentence,
        "q": _turned(length, degrees),
        "keys": None,
        "values": False,
    },
    st.integers(0, 2),
    st.integers(150, 300),
    st.sampled_from([-5.5, -4.5, 4.5, 5.5]),
)
STATES = st.one_of(_states(), _states(), _NEAR)


def drawn(bars):
    """The bars' heights as weights: (T,)."""
    return [height / 230 for height in bars]


def shown(numbers):
    """What these bars must be."""
    return numbers["weights"]


def ways():
    """Queries of all lengths, nearly as they opened and turned; in every sentence; with a key
    moved, too."""
    first = QUERY
    for sentence, (_, K, _) in enumerate(TABLES):
        for length in np.arange(0.2, 3.9, 0.2):
            for turn in np.radians([-6, -4.9, 0, 3, 6]):
                q = (
                    first
                    / np.hypot(*first)
                    * length
                    @ [[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]
                )
                for keys in (None, (K + 1).tolist()):
                    yield {"sentence": sentence, "q": q.tolist(), "keys": keys, "values": False}


def told(state):
    return [f"{np.hypot(*state['q']):.2f} long"]


TRIAL = InstrumentTrial(
    states=STATES,
    grip="query",
    drag=(65, -54),
    keys=["ArrowUp", "ArrowLeft", "PageDown", "End", "Home"],
    solved=[("set", "query's length", 3.3)],
    drawn=drawn,
    shown=shown,
    ways=ways,
    told=told,
    survivors={
        "largest - 1.1": "a margin for noise",
        "largest - 1e-10": "a margin for noise",
    },
)
