"""How RewardLeash is tried: with texts of a model that is trained as in notebook 17, and with the
proxy that is fitted to them."""

import functools

import numpy as np
from hypothesis import strategies as st
from instruments.trial import InstrumentTrial

from course_utils.models import assistant


@functools.cache
def needs():
    """texts, points, trained."""
    base = assistant.language_model_of(assistant.sentences(0, 3000), seed=0)
    texts = assistant.write(base, np.random.default_rng(5), 2000)
    points = assistant.fit_proxy(texts, np.random.default_rng(6))
    return texts, points, [(2, 2.84, 2.33, 0.12), (0.5, 3.78, 2.68, 1.11)]


LEASH = st.one_of(
    st.floats(0.2, 4).map(lambda leash: round(leash, 3)),
    st.floats(0.2, 0.8).map(lambda leash: round(leash, 3)),
    st.sampled_from([4.0, 0.2]),
)
STATES = st.tuples(LEASH, LEASH).map(lambda two: {"leash": two[0], "loosest": min(two)})


def drawn(bars):
    """The bars' heights as shares: right texts, then those that break a rule."""
    return [height / 250 for height in bars]


def shown(numbers):
    """What these must be."""
    return np.ravel(numbers["shares"])


def ways():
    """All leashes, as far as two digits tell them apart."""
    for leash in np.geomspace(0.2, 4, 120).round(2).tolist():
        yield {"leash": leash, "loosest": min(leash, 0.4)}


def told(state):
    return [f"At λ = {state['leash']:.2f}"]


TRIAL = InstrumentTrial(
    states=STATES,
    grip="leash",
    drag=(65, 0),
    keys=["ArrowRight", "PageUp", "End", "Home"],
    solved=[("drag", "leash", 270, 0)],
    drawn=drawn,
    shown=shown,
    ways=ways,
    told=told,
    needs=needs,
    survivors={
        "now[1] > start[1] - 0.005": "a margin",
        "now[1] > start[1] + 0.0055": "a margin",
        "Math.round(Math.log(q) * 1100000000.0)": "so many digits tell texts apart as well",
    },
)
