"""How ScoreSlider is tried."""

import numpy as np
from hypothesis import strategies as st
from instruments.trial import InstrumentTrial

SCORE = st.one_of(
    st.just(0.0),
    st.integers(-5, 5).map(lambda s: s / 10),
    st.integers(-80, 80).map(lambda s: s / 10),
    st.floats(-8, 8).map(lambda s: round(s, 2)),
)
NEAR = st.sampled_from([0.0, 0.01, -0.01, 0.02, -0.02, 0.03])


@st.composite
def _solved(draw):
    """Shares that are nearly those of the challenge, below zero and above."""
    low = draw(st.sampled_from([-7.0, -3.5, -1.0, -0.7, -0.69, -0.6, 0.0, 2.0]))
    return [
        low,
        round(low + draw(NEAR), 2),
        round(low + draw(st.sampled_from([0.69, 0.7, 0.71, 0.67])) + draw(NEAR), 2),
    ]


STATES = st.fixed_dictionaries(
    {
        "scores": st.one_of(
            st.lists(SCORE, min_size=3, max_size=3), _solved(), st.just([4.61, 4.605, -8.0])
        )
    }
)


def drawn(bars):
    """The bars' heights as weights: (3,)."""
    return [height / 210 for height in bars]


def shown(numbers):
    """What these bars must be."""
    return numbers["weights"]


def ways():
    """Twice the share for the third, wherever the others stand, and nearly so."""
    for low in np.arange(-8, 1, 0.25).round(2):
        for above in (0.65, 0.68, 0.69, 0.7, 0.75):
            for aside in (0, 0.01, -0.03):
                yield {"scores": [low, round(low + aside, 2), round(low + above, 2)]}


def told(state):
    return [f"stand at {state['scores'][0]:.2f}"]


TRIAL = InstrumentTrial(
    states=STATES,
    grip="score of the second",
    drag=(0, -44),
    keys=["ArrowUp", "PageDown", "Home", "End"],
    solved=[
        ("drag", "score of the first", 0, 17),
        ("drag", "score of the second", 0, 34),
        ("drag", "score of the third", 0, 39),
    ],
    drawn=drawn,
    shown=shown,
    ways=ways,
    told=told,
)
