"""The trained model of notebook 11, running in the page: words are changed by the hand, all heads
show where the last word looks."""

import base64
from typing import Any

import numpy as np

from course_utils.arguments import ArgumentError, Array
from course_utils.data import grammar
from course_utils.instruments.instrument import Condition, Instrument, Numbers, State, goal
from course_utils.instruments.rounding import fixed
from course_utils.instruments.stills import bars, side_by_side
from course_utils.models.language_model import Config, forward, next_log_probs

# steps that a parameter is away from 0 in the page: one byte; two would make the output larger than
# it may be
MOST = 127
NOUNS = range(grammar.WORDS.index("bear"), grammar.WORDS.index("sees"))


def _first_largest(x):
    """The place of the largest number, the first of those that differ by noise only."""
    return int(np.flatnonzero(x > x.max() - 1e-9)[0])


class NextWord(Instrument):
    """What a small language model expects after some words of the grammar, and the weights of its
    heads for the last word.

    Parameters: params and config of a trained model; block and head (from 1) of the head that is
    lit first.
    State: words; was: the words before one of them was last changed, or None; lit: [block, head];
    away: the heads taken away, as pairs.
    """

    challenge = (
        "Change one noun so that the verb flips between singular and plural. Leave the noun nearest"
        " to it as it is."
    )

    def __init__(
        self, params: dict[str, Array], config: Config, block: int, head: int, **changes: Any
    ) -> None:
        for name, fits in {
            "n_vocab": len(grammar.WORDS),
            "positions": "learned",
            "activation": "relu",
            "E": 1,
        }.items():
            if getattr(config, name) != fits:
                raise ArgumentError(
                    name,
                    repr(getattr(config, name)),
                    f"{fits!r}, the model of notebook 11: no other runs in the page",
                )
        if not 1 <= block <= config.L or not 1 <= head <= config.H:
            raise ArgumentError(
                "block, head",
                f"{block}, {head}",
                f"a block from 1 to {config.L}, a head from 1 to {config.H}",
            )
        self.config, self.first, self.steps, self.wholes = config, [int(block), int(head)], {}, {}
        for name, array in params.items():
            top = np.abs(array).max()
            self.steps[name] = (
                float(f"{top / MOST:.6g}") if top > 1e-6 else 0.0
            )  # below that it is noise of training: b_K moves nothing
            self.wholes[name] = np.rint(array / (self.steps[name] or np.inf)).astype(np.int8)
        self.params = {name: whole * self.steps[name] for name, whole in self.wholes.items()}
        super().__init__(**changes)

    def data(self) -> dict[str, Any]:
        """The words, and the model with each parameter as a whole number of steps, one byte each,
        in base64."""
        return {
            "vocabulary": grammar.WORDS,
            "nouns": [NOUNS.start, NOUNS.stop],
            "H": self.config.H,
            "L": self.config.L,
            "T": self.config.T,
            "shapes": {
                name: [self.steps[name], *whole.shape] for name, whole in self.wholes.items()
            },
            "bytes": (
                base64.b64encode(
                    b"".join(whole.tobytes() for whole in self.wholes.values())
                ).decode()
            ),
        }

    def start(self) -> State:
        return {
            "words": ["the", "dogs", "that", "see", "the", "cat"],
            "was": None,
            "lit": self.first,
            "away": [],
        }

    def _read(self, words):
        tokens = grammar.encode(words)
        if len(tokens) > self.config.T:
            raise ArgumentError(
                "words",
                f"{len(words)} of them",
                f"at most {self.config.T - 1}: the model has no more places",
            )
        if grammar.END in tokens[1:]:
            raise ArgumentError(
                "words",
                "a full stop",
                "the beginning of one sentence: what follows its end was never learnt",
            )
        return tokens

    def _expect(self, params, tokens):
        """The probability of every next word (n_vocab,), and the sums over singular and over plural
        verbs."""
        p = np.exp(next_log_probs(params, tokens, self.config))
        return p, [float(p[grammar.verbs(number)].sum()) for number in (0, 1)]

    def compute(self, state: State) -> Numbers:
        words, was = state["words"], state["was"]
        params = dict(self.params)
        for block, head in state["away"]:
            W_O = params[f"{block}.W_O"] = params[f"{block}.W_O"].copy()
            d = len(W_O) // self.config.H
            W_O[d * (head - 1) : d * head] = 0
        tokens = self._read(words)
        p, verbs = self._expect(params, tokens)
        before = verbs if was is None else self._expect(params, self._read(was))[1]
        looks = np.array(
            [part["A"][:, -1] for part in forward(params, tokens, self.config)[1][:-1]]
        )
        changed = (
            []
            if was is None or len(was) != len(words)
            else [i for i, pair in enumerate(zip(was, words, strict=True)) if len(set(pair)) > 1]
        )
        nouns = [i for i, token in enumerate(tokens[1:]) if token in NOUNS]
        far = len(changed) == 1 and changed[0] in nouns[:-1]
        place = (
            changed[0] + 1 if len(changed) == 1 else 0
        )  # among the tokens, which begin with a full stop
        seen = looks[:, :, place].copy()
        for block, head in state["away"]:
            seen[block - 1, head - 1] = 0
        block, head = divmod(_first_largest(seen.ravel()), self.config.H)
        flipped = (verbs[1] - verbs[0]) * (before[1] - before[0]) < -0.05
        return {
            "words": words,
            "away": state["away"],
            "lit": state["lit"],
            "p": p,
            "verbs": verbs,
            "before": before,
            "looks": looks,
            "best": grammar.WORDS[_first_largest(p)],
            "most": _first_largest(looks[state["lit"][0] - 1, state["lit"][1] - 1]),
            "changed": [[was[i], words[i]] for i in changed],
            "back": len(tokens) - place,
            "far": far,
            "flipped": flipped,
            "looker": [block + 1, head + 1, seen[block, head]],
        }

    @staticmethod
    def describe(numbers: Numbers) -> str:
        words, (block, head), (one, many) = numbers["words"], numbers["lit"], numbers["verbs"]
        where = f'After "{" ".join(words)}"' if words else "At the start"
        seen = ["the full stop before", *words][numbers["most"]]
        looks = (
            f"looks most at {seen}"
            f" ({fixed(numbers['looks'][block - 1, head - 1, numbers['most']], 2)})"
        )
        gone = (
            f" Taken away: {', '.join(f'head {h} of block {b}' for b, h in numbers['away'])}."
            if numbers["away"]
            else ""
        )
        best = "a full stop" if numbers["best"] == "." else numbers["best"]
        chances = [f"{fixed(100 * p, 0)} %" for p in (max(numbers["p"]), one, many)]
        return (
            f"{where}: {best} {chances[0]}. Verbs: singular {chances[1]}, plural {chances[2]}. "
            f"Head {head} of block {block} {looks}.{gone}"
        )

    @staticmethod
    def conditions(numbers: Numbers) -> list[Condition]:
        one, many = (
            ("singular", "plural")[verbs[1] > verbs[0]]
            for verbs in (numbers["before"], numbers["verbs"])
        )
        old, new = (fixed(100 * max(numbers[name]), 0) for name in ("before", "verbs"))
        changed = ", ".join(f"{was} → {now}" for was, now in numbers["changed"]) or "nothing yet"
        return [
            goal(f"a noun changed, not the nearest to the verb: {changed}", numbers["far"]),
            goal(f"the verb flips: was {one} {old} %, is {many} {new} %", numbers["flipped"]),
        ]

    @staticmethod
    def lesson(numbers: Numbers) -> str:
        (old, new), (block, head, weight) = numbers["changed"][0], numbers["looker"]
        return (
            f"You made {old} {new}, {numbers['back']} words before the end, and the verb followed."
            f" To attention a far word costs no more than a near one: head {head} of block {block}"
            f" gives {fixed(weight, 2)} to {new}."
        )

    @staticmethod
    def still(numbers: Numbers) -> str:
        order = np.argsort(-np.round(numbers["p"], 9), kind="stable")[:5]
        likely = [grammar.WORDS[i] for i in order]
        return side_by_side(
            bars(
                f"after “{' '.join(numbers['words'])}”",
                likely,
                numbers["p"][order],
                reach=1,
                height=120,
            )
        )
