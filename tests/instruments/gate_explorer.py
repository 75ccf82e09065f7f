"""How GateExplorer is tried."""

import itertools

from hypothesis import strategies as st
from instruments.trial import InstrumentTrial

from course_utils.instruments.gate_explorer import GateExplorer

START = GateExplorer.start()
HEIGHT = st.integers(-230, 230).map(lambda v: v / 100)


@st.composite
def _ends(draw):
    left = draw(st.integers(0, 370))
    return [[left / 100, draw(HEIGHT)], [draw(st.integers(left + 30, 400)) / 100, draw(HEIGHT)]]


HIGH = st.integers(200, 230).map(lambda v: [[0.2, v / 100], [0.8, v / 100]])
FLAT = st.one_of(st.integers(-60, 60), st.integers(36, 46)).map(
    lambda v: [[1.2, v / 100], [1.8, v / 100]]
)
ANY = st.fixed_dictionaries(
    {
        "lines": (
            st.tuples(*[st.one_of(st.just(ends), _ends()) for ends in START["lines"]]).map(list)
        ),
        "borders": (
            st.lists(st.integers(0, 400).map(lambda b: b / 100), min_size=3, max_size=3).map(sorted)
        ),
        "temperature": st.floats(-2, 6).map(lambda t: round(2**t, 4)),
        "k": st.integers(1, 4),
    }
)
# The first expert is far off or nearly, its gate closed or nearly, and the second does two pieces.
SOLVING = st.fixed_dictionaries(
    {
        "lines": (
            st.tuples(st.one_of(HIGH, _ends()), FLAT, *map(st.just, START["lines"][2:])).map(list)
        ),
        "borders": st.sampled_from([0.0, 0.0, 0.2]).map(lambda b: [b, 2, 3]),
        "temperature": st.sampled_from([0.5, 1.0, 4.0]),
        "k": st.integers(1, 4),
    }
)
STATES = st.one_of(ANY, SOLVING)


def drawn(bars):
    """The bars' heights as loads: (4,)."""
    return [height / 170 for height in bars]


def shown(numbers):
    """What these bars must be."""
    return numbers["load"]


def ways():
    """Each expert flat, far above or below, its gate closed by a border, at some temperatures and
    k."""
    first = GateExplorer.start()
    for e, high, temperature, k in itertools.product(
        range(4), (-2.3, 2.3), (0.5, 2.0, 4.0), (1, 2, 4)
    ):
        for borders in ([1, 2, 3], [0, 2, 3], [1, 1, 3], [1, 2, 2], [1, 2, 4]):
            lines = [
                [[left, high], [right, high]] if i == e else [[left, y], [right, z]]
                for i, ((left, y), (right, z)) in enumerate(first["lines"])
            ]
            flat = [
                [[a, 0.0], [b, 0.0]] if abs(i - e) == 1 else line
                for i, (line, ((a, _), (b, _))) in enumerate(zip(lines, lines, strict=True))
            ]
            for some in (lines, flat):
                yield {"lines": some, "borders": borders, "temperature": temperature, "k": k}


def told(state):
    ((e, line),) = ((e, line) for e, line in enumerate(state["lines"]) if abs(line[0][1]) > 2.2)
    return [f"Far off: {e}, with"]


TRIAL = InstrumentTrial(
    states=STATES,
    grip="left end of expert 3",
    drag=(0, -33),
    keys=["ArrowUp", "ArrowLeft", "PageDown", "End", "Home"],
    solved=[
        ("set", "temperature", -1),
        ("drag", "left end of expert 3", 0, -131),
        ("drag", "right end of expert 3", 0, -185),
        ("drag", "border between the gates 2 and 3", 163, 0),
        ("drag", "left end of expert 2", 0, -32),
        ("drag", "right end of expert 2", 0, 32),
    ],
    drawn=drawn,
    shown=shown,
    ways=ways,
    told=told,
    survivors={
        "carries < 0.066": "no way carries what lies between",
        "most - 1.1": "a margin for noise",
        "most - 1e-10": "a margin for noise",
    },
)
