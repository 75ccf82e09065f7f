"""All texts of a small chain as a tree whose probabilities are dragged: what greedy takes, what a
beam keeps, where draws pile up."""

from typing import Any

import numpy as np

from course_utils.arguments import Array
from course_utils.data.chain import CHAIN, PROMPT, STEPS, VOCABULARY
from course_utils.decoding import beam_search, greedy, sample, sharpen
from course_utils.instruments.instrument import Condition, Instrument, Numbers, State, goal, rule
from course_utils.instruments.rounding import fixed
from course_utils.instruments.stills import bars, side_by_side

ROOT = next(iter(CHAIN))
WORDS = [
    list(following) for following in CHAIN.values()
]  # after the root, then after each of those
TEXTS = [f"{ROOT} {first} {second}" for first in WORDS[0] for second in CHAIN[first]]
PLACES = {text.split()[-1]: i for i, text in enumerate(TEXTS)}  # of a text, by its last word


class Dice:
    """A generator small enough to be the same in both languages: Numerical Recipes' linear
    congruential one."""

    def __init__(self) -> None:
        self.state = 9

    def choice(self, n: int, p: Array) -> np.intp:
        """One of n numbers, drawn by the probabilities p."""
        self.state = (1664525 * self.state + 1013904223) % 2**32
        return np.searchsorted(np.cumsum(p[:n]), self.state / 2**32, side="right")


def _model(p):
    """next_log_probs of a tree. Rounded, so that of two equal texts both languages take the
    same."""

    def next_log_probs(tokens):
        family = list(CHAIN).index(VOCABULARY[tokens[-1]])
        log_probs = np.full(len(VOCABULARY), -np.inf)
        log_probs[[VOCABULARY.index(word) for word in WORDS[family]]] = np.log(p[family]).round(12)
        return log_probs

    return next_log_probs


class DecodingTree(Instrument):
    """The chain of notebook 11, its probabilities moved by the hand.

    State: p, for "bears" and for each word that may follow it, the probabilities of the next (a row
    is divided by its sum); touched, the words whose branch was dragged; beam_width; temperature;
    draws, how many texts are drawn.
    """

    challenge = (
        "Change only one branch: make the likeliest text more than twice as likely as greedy’s"
        " text."
    )

    @staticmethod
    def data() -> dict[str, Any]:
        return {
            "root": ROOT,
            "words": WORDS,
            "p": [list(following.values()) for following in CHAIN.values()],
        }

    @staticmethod
    def start() -> State:
        return {
            "p": [list(following.values()) for following in CHAIN.values()],
            "touched": [],
            "beam_width": 2,
            "temperature": 1.0,
            "draws": 40,
        }

    @staticmethod
    def compute(state: State) -> Numbers:
        p = [np.array(row) / np.sum(row) for row in state["p"]]
        model, temperature = _model(p), state["temperature"]
        kept = [
            beam_search(model, PROMPT, steps, state["beam_width"]) for steps in range(1, STEPS + 1)
        ]
        (best, _), (likeliest, _) = kept[-1][0], beam_search(model, PROMPT, STEPS, len(TEXTS))[0]
        warm = [sharpen(np.log(row), temperature) for row in p]
        dice = Dice()
        drawn = [
            _place(sample(model, PROMPT, STEPS, temperature, rng=dice))  # type: ignore[arg-type]  # draws as a Generator does
            for _ in range(state["draws"])
        ]
        chances, found = _texts(p), _place(greedy(model, PROMPT, STEPS))
        return {
            "p": p,
            "chances": chances,
            "warm": warm,
            "shares": _texts(warm),
            "greedy": found,
            "kept": [[VOCABULARY[tokens[-1]] for tokens, _ in beam] for beam in kept],
            "best": _place(best),
            "likeliest": _place(likeliest),
            "beam_width": state["beam_width"],
            "temperature": temperature,
            "draws": state["draws"],
            "counts": np.bincount(drawn, minlength=len(TEXTS)),
            "touched": state["touched"],
            "ratio": chances[_place(likeliest)] / chances[found],
        }

    @staticmethod
    def describe(numbers: Numbers) -> str:
        places = [numbers["greedy"], numbers["best"], numbers["likeliest"]]
        found, beam, likeliest = (
            f'"{TEXTS[i]}", {fixed(numbers["chances"][i], 2)}' for i in places
        )
        first, second = (", ".join(words) for words in numbers["kept"])
        words = (
            f"Greedy finds {found}. A beam of {numbers['beam_width']} keeps {first}, then {second};"
            f" its best is {beam}. The likeliest text: {likeliest}."
        )
        if not numbers["draws"]:
            return f"{words} Nothing is drawn."
        most = np.argmax(numbers["counts"])
        return (
            f"{words} Of {numbers['draws']} draws at temperature"
            f" {fixed(numbers['temperature'], 2)}, "
            f"{numbers['counts'][most]} are "
            f'"{TEXTS[most]}", the most.'
        )

    @staticmethod
    def conditions(numbers: Numbers) -> list[Condition]:
        moved, ratio = numbers["touched"], numbers["ratio"]
        return [
            rule(f"one branch moved: {', '.join(moved) or 'none yet'}", len(moved) < 2),
            goal(
                f"the likeliest text more than twice as likely as greedy’s: now {fixed(ratio, 2)}"
                " times",
                len(moved) > 0 and ratio > 2.005,
            ),
        ]

    @staticmethod
    def lesson(numbers: Numbers) -> str:
        found, best = numbers["greedy"], numbers["likeliest"]
        first, other = (WORDS[0].index(TEXTS[i].split()[1]) for i in (found, best))
        chances, p = numbers["chances"], numbers["p"][0]
        return (
            f"You moved {', '.join(numbers['touched'])}. Greedy takes {WORDS[0][first]},"
            f" {fixed(p[first], 2)}, the largest first step, and ends at “{TEXTS[found]}”,"
            f" {fixed(chances[found], 2)}. The likeliest, “{TEXTS[best]}”, begins with"
            f" {WORDS[0][other]}, {fixed(p[other], 2)}, and comes to {fixed(chances[best], 2)},"
            f" {fixed(numbers['ratio'], 2)} times as much: the best first step need not begin the"
            " best text."
        )

    @staticmethod
    def still(numbers: Numbers) -> str:
        return side_by_side(
            bars("the first step", WORDS[0], numbers["p"][0], reach=1),
            bars(
                "whole texts, by their last word",
                [word for row in WORDS[1:] for word in row],
                numbers["chances"],
                width=58,
            ),
        )


def _place(tokens):
    """The number of the text that these tokens are."""
    return PLACES[VOCABULARY[tokens[-1]]]


def _texts(rows):
    """The probability of each text: (texts,)."""
    return np.concatenate([first * row for first, row in zip(rows[0], rows[1:], strict=True)])
