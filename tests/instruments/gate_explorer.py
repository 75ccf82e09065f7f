"""How GateExplorer is tried."""

from hypothesis import strategies as st

from course_utils.instruments.gate_explorer import GateExplorer

START = GateExplorer.start()
HEIGHT = st.integers(-230, 230).map(lambda v: v / 100)


@st.composite
def _ends(draw):
    left = draw(st.integers(0, 370))
    return [[left / 100, draw(HEIGHT)], [draw(st.integers(left + 30, 400)) / 100, draw(HEIGHT)]]


HIGH = st.integers(200, 230).map(lambda v: [[0.2, v / 100], [0.8, v / 100]])
FLAT = st.one_of(st.integers(-60, 60), st.integers(36, 46)).map(lambda v: [[1.2, v / 100], [1.8, v / 100]])
ANY = st.fixed_dictionaries({
    "lines": st.tuples(*[st.one_of(st.just(ends), _ends()) for ends in START["lines"]]).map(list),
    "borders": st.lists(st.integers(0, 400).map(lambda b: b / 100), min_size=3, max_size=3).map(sorted),
    "temperature": st.floats(-2, 6).map(lambda t: round(2 ** t, 4)),
    "k": st.integers(1, 4),
})
# The first expert is astray or nearly, its gate closed or nearly, and the second does two pieces.
SOLVING = st.fixed_dictionaries({
    "lines": st.tuples(st.one_of(HIGH, _ends()), FLAT, *map(st.just, START["lines"][2:])).map(list),
    "borders": st.sampled_from([0.0, 0.0, 0.2]).map(lambda b: [b, 2, 3]),
    "temperature": st.sampled_from([0.5, 1.0, 4.0]),
    "k": st.integers(1, 4),
})
STATES = st.one_of(ANY, SOLVING)
SURVIVORS = {}

TAKEN, DRAG, KEYS = "left end of expert 4", (0, -30), ["ArrowUp", "ArrowLeft", "PageDown", "End", "Home"]
SOLVED = [("set", "temperature", -1), ("drag", "left end of expert 4", 0, -120), ("drag", "right end of expert 4", 0, -170),
          ("drag", "border between the gates 3 and 4", 150, 0), ("drag", "left end of expert 3", 0, -29),
          ("drag", "right end of expert 3", 0, 29)]


def drawn(bars):
    """The bars' heights as loads: (4,)."""
    return [height / 170 for height in bars]


def shown(numbers):
    """What these bars must be."""
    return numbers["load"]
