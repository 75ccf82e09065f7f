"""How HeadExplorer is tried."""

from hypothesis import strategies as st

from course_utils.instruments.head_explorer import ASKER, FEATURES, T

N = len(FEATURES)
PLACE = st.one_of(st.sampled_from([0.0, 1.0, 0.5]), st.integers(0, 100).map(lambda p: p / 100))
VALUE = st.one_of(st.integers(-20, 20), st.sampled_from([0, 16, 20]))


@st.composite
def _moved(draw):
    """Some numbers of W_Q, each at most once."""
    where = draw(st.lists(st.tuples(st.integers(0, N - 1), st.integers(0, N - 1)), max_size=4, unique=True))
    return [[i, j, draw(VALUE)] for i, j in where]


@st.composite
def _near(draw):
    """The challenge, nearly: the number by which love looks for game, perhaps another too, perhaps in another head."""
    more = draw(st.sampled_from([[], [], [], [[6, 5, 16]], [[0, 0, 3]]]))
    return {"at": draw(st.sampled_from([[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.05, 0.0], [1.0, 0.0]])),
            "moved": [[2, 3, draw(st.sampled_from([15, 16, 17, 18, 19, 20]))], *more], "query": ASKER}


STATES = st.one_of(_near(), st.fixed_dictionaries({"at": st.tuples(PLACE, PLACE).map(list), "moved": _moved(), "query": st.integers(0, T - 1)}))
SURVIVORS = {}

TAKEN, DRAG, KEYS = "mix of heads", (50, 30), ["ArrowRight", "ArrowDown", "PageDown", "Home", "End"]
SOLVED = [("drag", "love looks for game", 0, -70)]


def drawn(bars):
    """The levels in the table's cells, as shares of the cell: (T, T)."""
    return [height / 36 for height in bars]


def shown(numbers):
    """What these levels must be."""
    return numbers["weights"].ravel()
