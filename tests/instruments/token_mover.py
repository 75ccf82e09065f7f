"""How TokenMover is tried."""

from hypothesis import strategies as st
from instruments.trial import InstrumentTrial

from course_utils.data import BY_TEXT

SENTENCES = list(BY_TEXT.values())
PLACE = st.one_of(
    st.none(),
    st.tuples(st.integers(-260, 260), st.integers(-160, 240)).map(
        lambda p: [p[0] / 100, p[1] / 100]
    ),
)


@st.composite
def _states(draw):
    sentence = draw(st.integers(0, 2))
    n = len(SENTENCES[sentence])
    return {
        "sentence": sentence,
        "word": draw(st.integers(0, n - 1)),
        "moved": draw(st.lists(PLACE, min_size=n, max_size=n)),
        "drags": draw(st.integers(0, 2)),
    }


# Near the challenge: one drag in "bears pain", towards hardship and around.
_NEAR = st.tuples(st.integers(-160, 40), st.integers(-120, 80)).map(
    lambda p: {"sentence": 1, "word": 0, "moved": [[p[0] / 100, p[1] / 100], None], "drags": 1}
)
STATES = st.one_of(_states(), _states(), _NEAR)


def drawn(bars):
    """The levels in the table's cells, as shares of the cell: (T, T)."""
    return [height / 68 for height in bars]


def shown(numbers):
    """What these levels must be."""
    return numbers["weights"].ravel()


def ways():
    """One word of "bears pain" anywhere in the plane, by one drag or two."""
    for x in range(-26, 27, 2):
        for y in range(-16, 25, 2):
            for word in (0, 1):
                for drags in (1, 2):
                    yield {
                        "sentence": 1,
                        "word": word,
                        "moved": [[x / 10, y / 10] if i == word else None for i in (0, 1)],
                        "drags": drags,
                    }


def told(state):
    return ["You moved bears" if state["moved"][0] else "You moved pain"]


TRIAL = InstrumentTrial(
    states=STATES,
    grip="won",
    drag=(-65, -44),
    keys=["ArrowUp", "ArrowLeft", "PageDown", "End", "Home"],
    solved=[("press", "bears pain"), ("drag", "bears", -65, 44)],
    drawn=drawn,
    shown=shown,
    ways=ways,
    told=told,
)
