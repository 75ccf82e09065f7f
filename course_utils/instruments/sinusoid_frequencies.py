"""Two positions are dragged along the waves; each pair of features is a clock, and the product of
two rows of the table is a sum over clocks."""

from typing import Any

import numpy as np

from course_utils.instruments.instrument import Condition, Instrument, Numbers, State, goal
from course_utils.instruments.rounding import fixed, general
from course_utils.instruments.stills import bars, curves, side_by_side
from course_utils.positions import rotary_angles, sinusoidal_positional_encoding

T = 64
WIDTHS = [4, 8, 16]
BASES = [2, 4, 8, 16, 32, 64, 128, 256, 1000, 10000, 100000]
FIRST, SECOND = 12, 21
FAR, NEAR, SAME = (
    9.95,
    0.005,
    0.06,
)  # ten positions, the same product and the same offset, as they are read


class SinusoidFrequencies(Instrument):
    """The sinusoidal table R of 64 positions, two of which the hand moves, and R_i · R_j.

    State: i, j, positions from 0 to 63, also between two words; D, features; base.
    """

    challenge = (
        "Move both positions by ten or more, so that their product is again what it was at 12"
        " and 21."
    )

    @staticmethod
    def data() -> dict[str, Any]:
        return {"T": T, "widths": WIDTHS, "bases": BASES}

    @staticmethod
    def start() -> State:
        return {"i": FIRST, "j": SECOND, "D": 8, "base": 10000}

    @staticmethod
    def compute(state: State) -> Numbers:
        D, base, i, j = state["D"], state["base"], state["i"], state["j"]
        R = sinusoidal_positional_encoding(T, D, base)
        cos, sin = rotary_angles([i, j], D, base)
        rows = np.stack([sin, cos], axis=-1)  # (2, D/2, 2): a sine and a cosine a pair
        cosines = (rows[0] * rows[1]).sum(axis=-1)
        return {
            "i": i,
            "j": j,
            "D": D,
            "base": base,
            "R": R,
            "rows": rows,
            "speeds": base ** (-np.arange(0, D, 2) / D),
            "cosines": cosines,
            "product": cosines.sum(),
            "products": R @ rows[0].ravel(),
            "began": R[FIRST] @ R[SECOND],
        }

    @staticmethod
    def describe(numbers: Numbers) -> str:
        i, j, D = general(numbers["i"], 3), general(numbers["j"], 3), numbers["D"]
        turns = 2 * np.pi / numbers["speeds"]
        parts = " + ".join(fixed(c, 2) for c in numbers["cosines"]).replace("+ -", "- ")
        apart = general(abs(numbers["i"] - numbers["j"]), 3)
        return (
            f"Positions {i} and {j}, {apart} apart. {D // 2} clocks, base {numbers['base']}: the"
            f" fastest needs {fixed(turns[0], 1)} positions for a turn, the slowest"
            f" {fixed(turns[-1], 1)}. Their agreement, clock by clock: {parts} ="
            f" {fixed(numbers['product'], 2)}, of {D // 2} at most."
        )

    @staticmethod
    def conditions(numbers: Numbers) -> list[Condition]:
        first, second = abs(numbers["i"] - FIRST), abs(numbers["j"] - SECOND)
        began, product = numbers["began"], numbers["product"]
        return [
            goal(
                f"both moved by 10 or more: {fixed(first, 1)} and {fixed(second, 1)}",
                min(first, second) > FAR,
            ),
            goal(
                f"product {fixed(began, 2)}, as at {FIRST} and {SECOND}: now {fixed(product, 2)}",
                abs(product - began) < NEAR,
            ),
        ]

    @staticmethod
    def lesson(numbers: Numbers) -> str:
        i, j, apart = numbers["i"], numbers["j"], abs(numbers["i"] - numbers["j"])
        if abs(apart - (SECOND - FIRST)) < SAME:
            order = " They changed places, which a cosine does not see." if i > j else ""
            return (
                f"Your {general(i, 3)} and {general(j, 3)} are {general(apart, 3)} apart, as"
                f" {FIRST} and {SECOND} are.{order} Each clock adds the cosine of offset × speed:"
                " only the offset counts."
            )
        return (
            f"Your {general(i, 3)} and {general(j, 3)} are {general(apart, 3)} apart, not"
            f" {SECOND - FIRST}: other cosines, which happen to have the same sum. Each clock adds"
            " the cosine of offset × speed, so any two positions as far apart as yours give it,"
            " too: only the offset counts."
        )

    @staticmethod
    def still(numbers: Numbers) -> str:
        clocks = [f"clock {m}" for m in range(len(numbers["cosines"]))]
        return side_by_side(
            curves(
                f"product of position {general(numbers['i'], 3)} with each",
                np.arange(T),
                [numbers["products"]],
            ),
            bars("agreement, by clock", clocks, numbers["cosines"], reach=1),
        )
