"""How TokenExplorer is tried."""

import itertools

import numpy as np
from hypothesis import strategies as st
from instruments.trial import InstrumentTrial

from course_utils.data import opened_chat

OPENED = opened_chat.load()
T, ANSWER = len(OPENED["tokens"]), OPENED["answer"]
BLOCKS, HEADS = opened_chat.BLOCKS, opened_chat.HEADS
LOSSES = np.array(OPENED["losses"]) / 100
MOST = int(LOSSES.argmax())
UNIT, HIGHEST, FULL = 9, 54, 270  # of the bars in the script

NEAR = [  # heads round the bound of the challenge, for tokens of the reply, and others round them
    [int(t), int(b) + 1, int(h)]
    for b, h, t in np.argwhere(opened_chat.unpack_changes(OPENED) >= 25)
    if t >= ANSWER - 1 and h
]
PLACES = st.one_of(
    st.tuples(st.integers(0, T - 1), st.just(0), st.just(0)),
    st.tuples(st.integers(0, T - 1), st.integers(1, BLOCKS), st.integers(0, HEADS)),
    st.tuples(st.sampled_from([MOST, *OPENED["wrong"]]), st.just(0), st.just(0)),
    st.sampled_from(NEAR),
    st.sampled_from(NEAR).map(lambda one: [one[0], one[1], 0]),
    st.sampled_from([one for one in NEAR if LOSSES[one[0]] < 0.1]),
).map(list)


@st.composite
def _states(draw):
    tried = draw(st.lists(PLACES, max_size=6, unique_by=tuple))
    token, block, head = draw(
        st.one_of(st.just([0, 0, 0]), PLACES, *[st.sampled_from(tried)] * bool(tried))
    )
    return {
        "token": token,
        "block": block,
        "head": head,
        "numbered": draw(st.booleans()),
        "inside": draw(st.booleans()),
        "tried": tried,
    }


STATES = _states()


def drawn(bars):
    """How tall the tokens' bars are, and how long those of the candidates."""
    return [*(tall / UNIT for tall in bars[:T]), *(long / FULL for long in bars[T:])]


def shown(numbers):
    """What these must be: the written token has its own probability, in its place."""
    p = [*numbers["p"], 0]
    p[numbers["place"]] = numbers["own"]
    rows = 6 if numbers["place"] == 5 else 5
    return [*np.minimum(HIGHEST / UNIT, numbers["silenced"]), *p[:rows]]


def ways():
    """Every head for every token of the reply, the token that surprised most before or after."""
    for token, block, head in itertools.product(
        range(ANSWER, T), range(1, BLOCKS + 1), range(HEADS + 1)
    ):
        tried = [[MOST, 0, 0], [token, 0, 0]]
        yield {
            "token": token,
            "block": block,
            "head": head,
            "numbered": False,
            "inside": True,
            "tried": tried,
        }


def told(state):
    token, loss = OPENED["tokens"][state["token"]], LOSSES[state["token"]]
    changes = opened_chat.unpack_changes(OPENED)
    more = changes[state["block"] - 1, state["head"], state["token"]] / 100
    wrong = ["and it is wrong"] if state["token"] in OPENED["wrong"] else []
    return [
        f"“{OPENED['tokens'][MOST]}” surprised it most: {LOSSES[MOST]:.2f}",
        f"Of “{token}” it was nearly sure: {loss:.2f}",
        f"Without head ({state['block']}, {state['head']}) “{token}” has {loss + more:.2f}",
        *wrong,
    ]


TRIAL = InstrumentTrial(
    states=STATES,
    grip="the token",
    drag=(148, 74),
    keys=["ArrowRight", "ArrowDown", "ArrowRight", "End", "Home"],
    solved=[
        ("press", f"{OPENED['tokens'][MOST]}, cross-entropy {LOSSES[MOST]:.2f}"),
        ("press", f"{OPENED['tokens'][24]}, cross-entropy {LOSSES[24]:.2f}"),
        ("press", "look inside the model"),
        ("drag", "what is silenced", 230, -19),  # head (21, 9)
    ],
    drawn=drawn,
    shown=shown,
    ways=ways,
    told=told,
    survivors={
        'one[0] > opened["answer"]': "of the reply's first token it is not sure",
        "t > answer": "as in Python",
        " > MORE": "no head adds exactly so much",
        "0.000495": "a margin",
    },
)
