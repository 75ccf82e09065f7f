"""How TheMap is tried."""

from hypothesis import strategies as st

from course_utils.instruments.the_map import LECTURES, STORED, WHOLE


@st.composite
def _states(draw):
    text = draw(st.integers(0, len(STORED["passes"]) - 1))
    return {"here": draw(st.sampled_from([None, *sorted(LECTURES)])), "stage": draw(st.integers(0, WHOLE)), "text": text,
            "lane": draw(st.one_of(st.none(), st.integers(0, len(STORED["passes"][text]["ids"]) - 1))), "head": draw(st.integers(0, 4))}


STATES = _states()
SURVIVORS = {
    "const T = ids.length, mean = heads => heads[1].map((row, i) => row.map((_, j) => sum(heads.map(A => A[i][j])) / heads.length));":
        "all heads have as many rows",
    "order = sorted((j for j in range(len(tokens)) if weights[j] > 0.005), key=lambda j: -round(weights[j], 7))[:n]": "no two weights are so near",
    "order = sorted((j for j in range(len(tokens)) if weights[j] > 0.0055000000000000005), key=lambda j: -round(weights[j], 6))[:n]":
        "no weight that is told lies between",
}

TAKEN, DRAG, KEYS = "where the sentence is", (-190, -190), ["ArrowLeft", "ArrowUp", "PageDown", "End", "Home"]
SOLVED = [("press", "head 1"), ("press", "head 2")]


def drawn(bars):
    """The bars' lengths as shares: five words and the rest. On a phone one is 70 units long, else 84."""
    return [height / sum(bars) for height in bars]


def shown(numbers):
    """What these bars must be."""
    return [*numbers["shares"], numbers["rest"]]
