"""Two positions are dragged along the waves; each pair of features is a clock, and the product of two rows of the table is a sum over clocks."""

import numpy as np

from course_utils.instruments.instrument import Instrument, fixed, general
from course_utils.positions import rotary_angles, sinusoidal_positional_encoding

T = 64
WIDTHS = [4, 8, 16]
BASES = [2, 4, 8, 16, 32, 64, 128, 256, 1000, 10000, 100000]
FIRST, SECOND = 12, 21
FAR, NEAR, ZERO = 9.95, 0.005, 1e-9          # ten positions, and the same product, as they are read; what is not noise around 0


class SinusoidFrequencies(Instrument):
    """The sinusoidal table R of 64 positions, two of which the hand moves, and R_i · R_j; on request the bits that a threshold at 0 makes of it.

    State: i, j, positions from 0 to 63, also between two words; D, features; base; threshold: are bits shown?
    """

    challenge = "Move both positions by ten or more, so that their product is again what it was at 12 and 21."
    lesson = "Only the offset counts: each clock adds the cosine of offset × speed, wherever the two stand."

    @staticmethod
    def data():
        return {"T": T, "widths": WIDTHS, "bases": BASES}

    @staticmethod
    def start():
        return {"i": FIRST, "j": SECOND, "D": 8, "base": 10000, "threshold": False}

    @staticmethod
    def compute(state):
        D, base, i, j = state["D"], state["base"], state["i"], state["j"]
        R = sinusoidal_positional_encoding(T, D, base)
        cos, sin = rotary_angles([i, j], D, base)
        rows = np.stack([sin, cos], axis=-1)                        # (2, D/2, 2): a sine and a cosine a pair
        cosines = (rows[0] * rows[1]).sum(axis=-1)
        bits, codes = rows > ZERO, R > ZERO
        agree = (codes == bits[0].ravel()).sum(axis=1)              # (T,)
        return {"i": i, "j": j, "D": D, "base": base, "threshold": state["threshold"], "R": R, "rows": rows,
                "speeds": base ** (-np.arange(0, D, 2) / D), "cosines": cosines, "product": cosines.sum(), "products": R @ rows[0].ravel(),
                "began": R[FIRST] @ R[SECOND], "bits": bits.astype(int), "agree": agree, "equal": (bits[0] == bits[1]).sum(axis=-1),
                "alike": int((agree == D).sum()), "codes": len(np.unique(codes, axis=0))}

    @staticmethod
    def describe(numbers):
        i, j, D = general(numbers["i"], 3), general(numbers["j"], 3), numbers["D"]
        if numbers["threshold"]:
            first, second = (" ".join("".join(map(str, pair)) for pair in row) for row in numbers["bits"].tolist())
            return f"As bits, position {i} reads {first} and position {j} reads {second}: {numbers['equal'].sum()} of {D} agree. " \
                   f"Of the 64 positions {numbers['alike']} read as {i} does; there are {numbers['codes']} different codes."
        turns = 2 * np.pi / numbers["speeds"]
        parts = " + ".join(fixed(c, 2) for c in numbers["cosines"]).replace("+ -", "- ")
        apart = general(abs(numbers["i"] - numbers["j"]), 3)
        return f"Positions {i} and {j}, {apart} apart. {D // 2} clocks, base {numbers['base']}: the fastest needs " \
               f"{fixed(turns[0], 1)} positions for a turn, the slowest {fixed(turns[-1], 1)}. Their agreement, clock by clock: " \
               f"{parts} = {fixed(numbers['product'], 2)}, of {D // 2} at most."

    @staticmethod
    def met(numbers):
        moved = min(abs(numbers["i"] - FIRST), abs(numbers["j"] - SECOND))
        return bool(not numbers["threshold"] and moved > FAR and abs(numbers["product"] - numbers["began"]) < NEAR)
