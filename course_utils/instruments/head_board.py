"""All 270 heads of a model that speaks, as a board: coloured by where they look, and what is lost
when one of them is silenced."""

from typing import Any

import numpy as np

from course_utils.data.speech import load
from course_utils.instruments.instrument import Condition, Instrument, Numbers, State, goal
from course_utils.instruments.rounding import fixed
from course_utils.instruments.stills import bars, cells, side_by_side

_shipped = load()
L, H = _shipped["induction"].shape
LOOKS = (
    np.stack([_shipped[name].ravel() for name in ("induction", "previous", "sink")])
    .astype(float)
    .round(3)
    .clip(0, 1)
)  # (3, L * H)
COPY, PLAIN = (
    _shipped[name].ravel().astype(float).round(3) for name in ("copy_change", "plain_change")
)  # (L * H,)
WHERE = ["what came after the same word", "the word before", "the first token"]


class HeadBoard(Instrument):
    """How much each head gives to one kind of place, and how surprises change when a head is
    silenced.

    State: colour, which of the three kinds; silent, the number of the silenced head, block by
    block, or -1.
    """

    small_places = True
    challenge = (
        "Find a head that the second copy needs, but that does not itself look at what came after"
        " the same word."
    )

    @staticmethod
    def data() -> dict[str, Any]:
        return {
            "H": H,
            "L": L,
            "where": WHERE,
            "looks": LOOKS.tolist(),
            "copy": COPY.tolist(),
            "plain": PLAIN.tolist(),
        }

    @staticmethod
    def start() -> State:
        return {"colour": 0, "silent": -1}

    @staticmethod
    def compute(state: State) -> Numbers:
        colour, silent = state["colour"], state["silent"]
        cut = silent >= 0
        return {
            "colour": colour,
            "by": WHERE[colour],
            "values": LOOKS[colour],
            "silent": silent,
            "block": silent // H + 1 if cut else 0,
            "head": silent % H + 1 if cut else 0,
            "gives": LOOKS[:, silent] if cut else np.zeros(3),
            "copy": COPY[silent] if cut else 0,
            "plain": PLAIN[silent] if cut else 0,
        }

    @staticmethod
    def describe(numbers: Numbers) -> str:
        by = f"Height: weight on {numbers['by']}."
        if numbers["silent"] < 0:
            return f"{by} No head is silenced; all 270 are at work."
        gives = " / ".join(fixed(weight, 2) for weight in numbers["gives"])
        return (
            f"{by} Without head ({numbers['block']}, {numbers['head']}), which gave {gives} to the"
            f" three places, surprise changes by {fixed(numbers['copy'], 2)} in the second copy, by"
            f" {fixed(numbers['plain'], 2)} in plain text."
        )

    @staticmethod
    def conditions(numbers: Numbers) -> list[Condition]:
        cut, copy, same = numbers["silent"] >= 0, numbers["copy"], numbers["gives"][0]
        silenced = (
            f"a head silenced: ({numbers['block']}, {numbers['head']})"
            if cut
            else "a head silenced"
        )
        worse, little = (f": now {fixed(x, 2)}" if cut else "" for x in (copy, same))
        return [
            goal(silenced, cut),
            goal(f"the second copy worse by 1.00 or more{worse}", copy > 0.995),
            goal(f"0.10 or less to what came after the same word{little}", cut and same < 0.105),
        ]

    @staticmethod
    def lesson(numbers: Numbers) -> str:
        same, previous, first = numbers["gives"]
        why = (
            "It looks one word back and so leaves a note in each word: “I come after …”. Heads"
            " further up look for that note"
            if previous > 0.3
            else (
                "It looks at none of the three places for long; what it does, the silence does not"
                " tell"
            )
        )
        return (
            f"Without ({numbers['block']}, {numbers['head']}) the second copy loses"
            f" {fixed(numbers['copy'], 2)} nats a word, though this head gave {fixed(same, 2)} to"
            f" what came after the same word, {fixed(previous, 2)} to the word before,"
            f" {fixed(first, 2)} to the first token. {why}. What is copied is found by one kind of"
            " head and prepared by others."
        )

    @staticmethod
    def still(numbers: Numbers) -> str:
        board = numbers["values"].reshape(L, H).T
        without = f"nats a word without ({numbers['block']}, {numbers['head']})"
        change = [numbers["copy"], numbers["plain"]]
        lost = bars(without, ["second copy", "plain text"], change, width=100)
        heads = [f"{h + 1}" for h in range(H)]
        panel = cells(
            f"weight on {numbers['by']}, by block", heads, [""] * L, board, size=(17, 26), digits=-1
        )
        return side_by_side(panel, *[lost] * (numbers["silent"] >= 0))
