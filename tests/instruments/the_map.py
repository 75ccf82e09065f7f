"""How TheMap is tried."""

import itertools

from hypothesis import strategies as st
from instruments.trial import InstrumentTrial

from course_utils.instruments.the_map import LECTURES, STORED, WHOLE


@st.composite
def _states(draw):
    text = draw(st.integers(0, len(STORED["passes"]) - 1))
    here = draw(st.sampled_from([None, *sorted(LECTURES.keys() - {"00"})]))        # 00 has a challenge of its own: see ways
    return {"here": here, "stage": draw(st.integers(0, WHOLE)), "text": text,
            "lane": draw(st.one_of(st.none(), st.integers(0, len(STORED["passes"][text]["ids"]) - 1))), "head": draw(st.integers(0, 4))}


STATES = _states()


def drawn(bars):
    """The bars' lengths as shares: five words and the rest. On a phone one is 70 units long, else 84."""
    return [height / sum(bars) for height in bars]


def shown(numbers):
    """What these bars must be."""
    return [*numbers["shares"], numbers["rest"]]


def ways():
    """Every head and lane of every pass."""
    for text, one in enumerate(STORED["passes"]):
        for lane, head in itertools.product([None, *range(len(one["ids"]))], range(5)):
            yield {"here": None, "stage": WHOLE, "text": text, "lane": lane, "head": head}
    for stage in range(WHOLE + 1):
        yield {"here": "00", "stage": stage, "text": 0, "lane": None, "head": 0}


def told(state):
    if state["here"] == "00":
        return ["Softmax", "largest"]
    return [f"Head {state['head']} of block 2", "dogs"]


TRIAL = InstrumentTrial(
    states=STATES, grip="where the sentence is", drag=(-190, -190), keys=["ArrowLeft", "ArrowUp", "PageDown", "End", "Home"],
    solved=[("press", "head 1"), ("press", "head 2")],
    drawn=drawn, shown=shown, ways=ways, told=told,
    survivors={
    "const T = ids.length, mean = heads => heads[1].map((row, i) => row.map((_, j) => sum(heads.map(A => A[i][j])) / heads.length));":
        "all heads have as many rows",
    "order = sorted((j for j in range(len(tokens)) if weights[j] > 0.005), key=lambda j: -round(weights[j], 7))[:n]": "no two weights are so near",
    "order = sorted((j for j in range(len(tokens)) if weights[j] > 0.0055000000000000005), key=lambda j: -round(weights[j], 6))[:n]":
        "no weight that is told lies between",
},
)
