"""How GradientFlow is tried."""

import itertools

from hypothesis import strategies as st
from instruments.trial import InstrumentTrial

from course_utils.instruments.gradient_flow import PARTS, WEIGHTS, GradientFlow, X

ALL = [
    [name, i, j]
    for name, matrix in WEIGHTS.items()
    for i, j in itertools.product(*map(range, matrix.shape))
]
STOPPED = [weight for weight in ALL if weight[0] == "W_1" and weight[2] == 1]
PUSHES = st.one_of(
    st.integers(-40, 40).map(lambda k: k / 20), st.sampled_from([0.0, 0.05, -0.05, 0.1, -0.1])
)
WEIGHT = st.sampled_from(ALL)
KEPT = st.one_of(
    st.lists(st.tuples(WEIGHT, PUSHES).map(list), max_size=4),
    st.tuples(  # near to a solution
        st.tuples(st.sampled_from(STOPPED), PUSHES).map(list),
        st.tuples(WEIGHT, st.sampled_from([-0.2, -0.1, 0.1, 0.2])).map(list),
        st.tuples(WEIGHT, st.sampled_from([-2.0, -1.2, 0.7, 2.0])).map(list),
    ).map(list),
)
STATES = st.fixed_dictionaries(
    {
        "part": st.sampled_from(PARTS),
        "back": st.integers(0, len(PARTS)),
        "weight": WEIGHT,
        "push": PUSHES,
        "kept": KEPT,
    }
)


def drawn(bars):
    """How wide the three shares are."""
    return [width / 92 for width in bars]


def shown(numbers):
    """What they must be."""
    return numbers["values"]["p"][0]


def ways():
    """Every stopped weight beside every small and every long push of every weight."""
    for stopped, small, near, long, far in itertools.product(
        STOPPED, (-0.1, 0.1), ALL, (-2.0, 2.0), ALL
    ):
        kept = [[stopped, 0.3], [near, small], [far, long]]
        yield GradientFlow.start() | {"back": 7, "weight": far, "push": long, "kept": kept}


def told(state):
    """The stopped weight with its input; the long push was kept last, and the others are short."""
    (_, i, j), _ = state["kept"][0]
    (name, row, column), far = state["kept"][2]
    return [
        f"W_1[{i}, {j}] has the input {X[0, i]:.2f}",
        f"{name}[{row}, {column}] by {far:.2f}:",
    ]


TRIAL = InstrumentTrial(
    states=STATES,
    grip="push of the weight",
    drag=(44, 0),
    keys=["ArrowRight", "PageDown", "End", "Home"],
    solved=[
        ("set", "walk back", 7),
        ("cell", 3),
        ("drag", "push of the weight", 65, 0),
        ("press", "keep this push"),
        ("cell", 14),
        ("drag", "push of the weight", 7, 0),
        ("press", "keep this push"),
    ],
    drawn=drawn,
    shown=shown,
    ways=ways,
    told=told,
    side="width",
)
