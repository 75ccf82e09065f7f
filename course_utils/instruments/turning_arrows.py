"""A query and a key of two features are turned by their positions (RoPE): both arrows turn, and
only the offset is left in their product."""

from typing import Any

import numpy as np

from course_utils.data import W_K, W_Q, WORDS
from course_utils.instruments.instrument import Condition, Instrument, Numbers, State, goal, rule
from course_utils.instruments.rounding import fixed, general
from course_utils.instruments.stills import plane, shades, side_by_side
from course_utils.positions import rotary_angles, rotary_embedding

T = 12
QUERY, KEY = (WORDS["bears"] @ W_Q).round(2), (WORDS["love"] @ W_K).round(2)
SPEED, M, N = 0.5, 5, 2  # radians a position; where the query and the key begin
MOVED, NEAR, SAME = (
    1.95,
    0.005,
    0.04,
)  # two positions, the same score and the same offset, as they are read


def _turned(x, positions, speed):
    """One vector (2,) at some positions: (positions, 2)."""
    angles = rotary_angles(speed * np.asarray(positions, float), 2)
    return rotary_embedding(np.tile(np.asarray(x, float), (len(positions), 1)), *angles)


class TurningArrows(Instrument):
    """The query of "bears" and the key of "love", made with the W_Q and W_K of notebook 02, at two
    positions from 0 to 11.

    State: q, k, as they are before they are turned; m, n, the positions of query and key; speed, in
    radians a position.
    """

    challenge = (
        "Leave the arrows and the speed as they open. Find two other positions, each at least two"
        " away, with the same score."
    )

    @staticmethod
    def data() -> dict[str, Any]:
        return {"T": T, "query": QUERY.tolist(), "key": KEY.tolist()}

    @staticmethod
    def start() -> State:
        return {"q": QUERY.tolist(), "k": KEY.tolist(), "m": M, "n": N, "speed": SPEED}

    @staticmethod
    def compute(state: State) -> Numbers:
        q, k, m, n, speed = (state[name] for name in ("q", "k", "m", "n", "speed"))
        (a,), (b,) = _turned(q, [m], speed), _turned(k, [n], speed)
        score, lengths = a @ b, np.linalg.norm([q, k], axis=1)
        scores = _turned(q, range(T), speed) @ _turned(k, range(T), speed).T
        return {
            "q": q,
            "k": k,
            "m": m,
            "n": n,
            "speed": speed,
            "turned": [a, b],
            "turns": np.degrees([speed * m, speed * n]),
            "lengths": lengths,
            "score": score,
            "cosine": score / (lengths.prod() or 1),
            "between": np.degrees(np.arctan2(abs(a[0] * b[1] - a[1] * b[0]), score)),
            "plain": np.dot(q, k),
            "scores": scores,
            "cosines": scores / (lengths.prod() or 1),
            "began": scores[M, N],
            "as_made": [*q, *k, speed] == [*QUERY.tolist(), *KEY.tolist(), SPEED],
        }

    @staticmethod
    def describe(numbers: Numbers) -> str:
        (one, other), (long, far) = numbers["turns"], numbers["lengths"]
        m, n, apart = (
            general(x, 3) for x in (numbers["m"], numbers["n"], numbers["m"] - numbers["n"])
        )
        return (
            f"The query at position {m} is turned by {fixed(one, 0)}°, the key at position {n} by"
            f" {fixed(other, 0)}°, offset {apart}. Between them are"
            f" {fixed(numbers['between'], 0)}°. Score: length {fixed(long, 2)} × length"
            f" {fixed(far, 2)} × cosine {fixed(numbers['cosine'], 2)} ="
            f" {fixed(numbers['score'], 2)}. Before they are turned it is"
            f" {fixed(numbers['plain'], 2)}."
        )

    @staticmethod
    def conditions(numbers: Numbers) -> list[Condition]:
        query, key = (abs(numbers[name] - first) for name, first in (("m", M), ("n", N)))
        return [
            rule("arrows and speed as they opened", numbers["as_made"]),
            goal(
                f"each two positions away: the query {fixed(query, 1)}, the key {fixed(key, 1)}",
                min(query, key) > MOVED,
            ),
            goal(
                f"score {fixed(numbers['began'], 2)}: now {fixed(numbers['score'], 2)}",
                abs(numbers["score"] - numbers["began"]) < NEAR,
            ),
        ]

    @staticmethod
    def lesson(numbers: Numbers) -> str:
        apart = numbers["m"] - numbers["n"]
        sees = "A dot product sees two lengths and the angle between them"
        if abs(apart - (M - N)) < SAME:
            return (
                f"Your positions are {general(apart, 3)} apart, as {M} and {N} are. {sees}. Both"
                f" arrows turned alike, so the angle stayed {fixed(numbers['between'], 0)}°: only"
                " the offset is left."
            )
        return (
            f"Your positions are {general(apart, 3)} apart, not {M - N}: the arrows lie "
            f"{fixed(numbers['between'], 0)}° apart on the other side. {sees}, not on which "
            "side. Move both alike from here, and the score stays again."
        )

    @staticmethod
    def still(numbers: Numbers) -> str:
        tips = np.vstack([numbers["turned"], [numbers["q"], numbers["k"]]])
        names = [str(p) if p % 3 == 0 else "" for p in range(T)]
        return side_by_side(
            plane(
                "two arrows, turned by their positions",
                tips,
                ["query", "key", "query at 0", "key at 0"],
                np.zeros(2),
            ),
            shades("score of every two positions", names, names, numbers["cosines"]),
        )
