"""How DecodingTree is tried."""

import numpy as np
from hypothesis import strategies as st
from instruments.trial import InstrumentTrial

from course_utils.instruments.decoding_tree import WORDS, DecodingTree

START = DecodingTree.start()
SOME = st.integers(1, 10_000).map(lambda n: n / 10_000)
ROWS = [
    st.one_of(st.just(given), st.lists(SOME, min_size=len(given), max_size=len(given)))
    for given in START["p"]
]
HEAR = st.integers(30, 40).map(
    lambda n: [0.45 / 0.78 * (1 - n / 100), 0.33 / 0.78 * (1 - n / 100), n / 100]
)  # hear is dragged
STATES = st.fixed_dictionaries(
    {
        "p": st.tuples(st.one_of(ROWS[0], HEAR), *ROWS[1:]).map(list),
        "touched": st.one_of(
            st.sampled_from([[], ["hear"]]),
            st.lists(st.sampled_from([*WORDS[0], *WORDS[1]]), max_size=3, unique=True),
        ),
        "beam_width": st.integers(1, 3),
        "temperature": st.floats(-3, 2).map(lambda x: round(2**x, 4)),
        "draws": st.sampled_from([0, 1, 2, 5, 20, 60]),
    }
)


def drawn(bars):
    """The bars' widths as probabilities of the texts: (8,)."""
    return [width / 150 for width in bars]


def shown(numbers):
    """What these bars must be."""
    return np.array(numbers["chances"])


def ways():
    """Each branch alone at every probability, and two branches."""
    first = DecodingTree.start()
    for family, words in enumerate(WORDS):
        for i, word in enumerate(words):
            for mine in range(1, 100):
                others = sum(first["p"][family]) - first["p"][family][i]
                row = [
                    mine / 100 if k == i else x / others * (1 - mine / 100)
                    for k, x in enumerate(first["p"][family])
                ]
                for touched in ([word], [word, "won"]):
                    yield first | {
                        "p": [row if f == family else old for f, old in enumerate(first["p"])],
                        "touched": touched,
                        "draws": 0,
                    }


def told(state):
    return [
        f"You moved {state['touched'][0]}.",
        f"Greedy takes {WORDS[0][int(np.argmax(state['p'][0]))]}",
    ]


TRIAL = InstrumentTrial(
    states=STATES,
    grip="hear after bears",
    drag=(33, 0),
    keys=["ArrowRight", "ArrowDown", "PageUp", "End", "Home"],
    solved=[("drag", "hear after bears", 14, 0)],
    drawn=drawn,
    shown=shown,
    ways=ways,
    told=told,
    side="width",
)
