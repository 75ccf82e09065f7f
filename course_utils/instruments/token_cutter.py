"""A text is cut by more and more of the pairs that byte-pair encoding has learned; the hand sets
how many, and writes the text."""

import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np

from course_utils.checks import check_tokenizer
from course_utils.instruments.instrument import Condition, Instrument, Numbers, State, goal
from course_utils.instruments.rounding import fixed
from course_utils.instruments.stills import curves, lines, side_by_side
from course_utils.tokens import merge_pair, words

LONGEST = 40  # characters of the text
MARKS = 20  # bars, one for each twentieth of the pairs


class TokenCutter(Instrument):
    """The tokens of a text by the first n of some pairs, and how many bytes a token has at each
    number of pairs.

    Parameter: pairs, as `learn` gives them. State: text; n, how many of the pairs are joined.
    """

    challenge = (
        "Find the pair that turns a word of your text, eight bytes long or more, into one token."
    )

    def __init__(self, pairs: Sequence[tuple[int, int]], **changes: Any) -> None:
        pairs, first, _ = check_tokenizer(pairs, range(256), ())
        self.pairs, self.joined, self.pieces = (
            pairs,
            {pair: 256 + k for k, pair in enumerate(pairs)},
            [bytes([b]) for b in first],
        )
        for left, right in pairs:
            self.pieces.append(self.pieces[left] + self.pieces[right])
        super().__init__(**changes)

    def data(self) -> dict[str, Any]:
        return {"pairs": self.pairs, "marks": MARKS, "longest": LONGEST}

    def start(self) -> State:
        return {"text": "pay attention to bears", "n": len(self.pairs) // 10}

    def compute(self, state: State) -> Numbers:
        text, n, all_pairs = state["text"], state["n"], len(self.pairs)
        whole = words(text)
        ways = [self._stages(word) for word in whole]
        n_bytes = len(text.encode())

        def after(m):
            """The tokens by the first m pairs, a list for each word."""
            return [[ids for k, ids in stages if k <= m][-1] for stages in ways]

        ids = [i for word in after(n) for i in word]
        lengths = [sum(map(len, after(m * all_pairs // MARKS))) for m in range(MARKS + 1)]
        latest = self.pieces[255 + n] if n else b""
        return {
            "text": text,
            "n": n,
            "ids": ids,
            "labels": [_label(self.pieces[i]) for i in ids],
            "n_bytes": n_bytes,
            "n_tokens": len(ids),
            "mean": n_bytes / max(len(ids), 1),
            "curve": [n_bytes / max(length, 1) for length in lengths],
            "latest": _label(latest),
            "found": ids.count(255 + n) if n else 0,
            "whole": latest in [word.encode() for word in whole],
            "size": len(latest),
            "parts": [_label(self.pieces[i]) for i in self.pairs[n - 1]] if n else [],
        }

    def _stages(self, word):
        """[(how many pairs it takes, the tokens then)] of a word, from its bytes on, each time that
        something is joined."""
        stages = [(0, list(word.encode()))]
        for _ in word.encode():  # each time the tokens get fewer
            ids = stages[-1][1]
            found = [
                self.joined[pair] for pair in zip(ids, ids[1:], strict=False) if pair in self.joined
            ]
            if not found:
                break
            new = min(found)
            stages.append((new - 255, merge_pair(ids, self.pairs[new - 256], new)))
        return stages

    @staticmethod
    def describe(numbers: Numbers) -> str:
        n, found = numbers["n"], numbers["found"]
        times = {0: "not in the text", 1: "once in the text"}.get(
            found, f"{found} times in the text"
        )
        by = f"By {n} pairs" if n else "By no pair"
        latest = f" The last pair makes {numbers['latest']}, {times}." if n else ""
        if not numbers["n_tokens"]:
            return f"{by}: nothing is written.{latest}"
        return (
            f"{by}: {numbers['n_bytes']} bytes are {numbers['n_tokens']} tokens,"
            f" {fixed(numbers['mean'], 2)} bytes each. {' | '.join(numbers['labels'])}.{latest}"
        )

    @staticmethod
    def conditions(numbers: Numbers) -> list[Condition]:
        latest = numbers["latest"] or "no pair"
        return [
            goal(f"the last pair makes a whole word of your text: now {latest}", numbers["whole"]),
            goal(f"eight bytes or more: it has {numbers['size']}", numbers["size"] > 7),
        ]

    def lesson(self, numbers: Numbers) -> str:
        n, all_pairs = numbers["n"], len(self.pairs)
        left, right = numbers["parts"]
        early = (
            "early: the learned text says it often"
            if 2 * n < all_pairs
            else "late: many pairs are more frequent in the learned text"
        )
        return (
            f"Pair {n} of {all_pairs} joins {left} and {right} into {numbers['latest']}. It came"
            f" {early}. A rare word may never be whole."
        )

    def still(self, numbers: Numbers) -> str:
        tokens = " | ".join(numbers["labels"])
        steps = np.arange(MARKS + 1) * len(self.pairs) // MARKS
        rows = textwrap.wrap(tokens, 44)[:6]
        return side_by_side(
            lines("the tokens", rows),
            curves(
                "bytes a token, by the number of pairs", steps, [numbers["curve"]], size=(300, 120)
            ),
        )


def _label(piece):
    """A piece as it is shown: a space as ␣, what is no whole character as its bytes."""
    try:
        return piece.decode().replace(" ", "␣")
    except UnicodeDecodeError:
        return " ".join(f"{byte:02X}" for byte in piece)
