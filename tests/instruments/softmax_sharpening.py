"""How SoftmaxSharpening is tried."""

import numpy as np
from hypothesis import strategies as st
from instruments.trial import InstrumentTrial

from course_utils.instruments.softmax_sharpening import N_KEYS, WIDTHS

SCORE = st.one_of(st.none(), st.integers(-6400, 6400).map(lambda s: s / 100))
UNTOUCHED = st.just([None] * N_KEYS)


def _temperatures(least):
    """Temperatures from 2 ** least to 32."""
    return st.floats(least, 5).map(lambda x: round(2**x, 4))


STATES = st.one_of(
    st.fixed_dictionaries(
        {
            "d": st.integers(0, len(WIDTHS) - 1),
            "temperature": _temperatures(-2),
            "moved": st.one_of(UNTOUCHED, st.lists(SCORE, min_size=N_KEYS, max_size=N_KEYS)),
        }
    ),
    # Near the challenge: the widest vectors, hot.
    st.fixed_dictionaries(
        {"d": st.just(len(WIDTHS) - 1), "temperature": _temperatures(3), "moved": UNTOUCHED}
    ),
)


def drawn(bars):
    """The bars' heights as weights: first those not scaled, then those divided by √d: (32,)."""
    return [height / 164 for height in bars]


def shown(numbers):
    """What these bars must be."""
    return np.concatenate([panel["weights"] for panel in numbers["panels"]])


def ways():
    """All widths and temperatures, with the scores as they were drawn and with one moved."""
    for d in range(len(WIDTHS)):
        for temperature in (2 ** (k / 20) for k in range(-40, 101)):
            for moved in ([None] * N_KEYS, [0.0, *[None] * (N_KEYS - 1)]):
                yield {"d": d, "temperature": round(temperature, 4), "moved": moved}


def told(state):
    return [f"temperature {state['temperature']:.1f}", "√1024 is 32"]


TRIAL = InstrumentTrial(
    states=STATES,
    grip="score of key 0",
    drag=(0, -44),
    keys=["ArrowUp", "PageDown", "Home", "End"],
    solved=[("set", "width d", 16), ("set", "temperature", 5)],
    drawn=drawn,
    shown=shown,
    ways=ways,
    told=told,
)
