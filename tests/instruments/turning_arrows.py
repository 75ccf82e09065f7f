"""How TurningArrows is tried."""

import itertools

import numpy as np
from hypothesis import strategies as st
from instruments.trial import InstrumentTrial

from course_utils.instruments.turning_arrows import KEY, QUERY, SPEED, M, N, TurningArrows

POSITION = st.one_of(
    st.integers(0, 11),
    st.integers(0, 110).map(lambda p: p / 10),
    st.integers(0, 1100).map(lambda p: p / 100),
    st.integers(1000, 1100).map(lambda p: p / 100),
)  # where a third digit is the last one
VECTOR = st.one_of(st.just((0, 0)), st.tuples(st.integers(-30, 30), st.integers(-30, 30))).map(
    lambda v: [v[0] / 10, v[1] / 10]
)
PAIR = st.one_of(  # anywhere, or as far apart as in the beginning, or nearly
    st.tuples(POSITION, POSITION),
    st.tuples(st.integers(0, 8), st.sampled_from([3, 3, 3, 2.9, 3.1])).map(
        lambda p: (round(p[0] + p[1], 1), p[0])
    ),
    st.sampled_from(
        [
            (M + 2, N + 2),
            (M - 2, N - 2),
            (M + 1, N + 1),
            (M - 1, N - 1),
            (M + 2, N),
            (M, N + 2),
            (7, 0),
            (3, 4),
        ]
    ),
)


@st.composite
def _states(draw):
    m, n = draw(PAIR)
    q, k, speed = QUERY.tolist(), KEY.tolist(), SPEED
    match draw(st.integers(0, 4)):
        case 0:
            q, k, speed = draw(VECTOR), draw(VECTOR), draw(st.integers(0, 50)) / 50
        case 1:
            q, k, speed = draw(
                st.sampled_from(
                    [
                        (q, k, 0.48),
                        (q[::-1], k, speed),
                        (q, k[::-1], speed),
                        (q, [k[0], 1.7], speed),
                    ]
                )
            )
    return {"q": q, "k": k, "m": m, "n": n, "speed": speed}


STATES = _states()


def drawn(bars):
    """The map's cells, as dark as the cosine is large: (144,)."""
    return bars


def shown(numbers):
    """What these must be."""
    return np.abs(numbers["cosines"]).ravel()


def ways():
    """All pairs of positions, by quarters; and those as far apart as brings the arrows to the other
    side of each other."""
    (a, b), (c, d) = QUERY, KEY
    mirrored = -(M - N) - 2 * (np.arctan2(b, a) - np.arctan2(d, c)) / SPEED
    for m in (0.5, 1.0, 2.0, 3.0):
        yield TurningArrows.start() | {"m": m, "n": round(m - mirrored % (2 * np.pi / SPEED), 2)}
        yield TurningArrows.start() | {"m": m, "n": round(m - mirrored, 2)}
    for m, n in itertools.product(np.arange(0, 11.1, 0.25), repeat=2):
        yield TurningArrows.start() | {"m": float(m), "n": float(n)}


def told(state):
    apart = state["m"] - state["n"]
    way = (
        ["as 5 and 2 are", "only the offset is left"]
        if apart == 3
        else ["not 3:", "not on which side"]
    )
    return [f"Your positions are {apart:.3g} apart", *way]


TRIAL = InstrumentTrial(
    states=STATES,
    grip="arrow of the query",
    drag=(65, -54),
    keys=["ArrowUp", "ArrowLeft", "PageDown", "End", "Home"],
    solved=[("drag", "both positions", 84, 84)],
    drawn=drawn,
    shown=shown,
    ways=ways,
    told=told,
    side="fill-opacity",
    survivors={
        "(all || 2)": "an arrow without length: 0 / 2 is 0, too",
        "general(apart, 4)": "an offset near 3, in hundredths, has three digits",
    },
)
