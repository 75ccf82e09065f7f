"""Texts that a model wrote are made likelier by a proxy, as far as a leash allows: what the hand
loosens gains proxy, gains truth, then loses it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_utils.arguments import Array
from course_utils.attention import softmax
from course_utils.data import grammar
from course_utils.instruments.instrument import Condition, Instrument, Numbers, State, goal
from course_utils.instruments.rounding import fixed
from course_utils.instruments.stills import bars, side_by_side
from course_utils.models import assistant

TIGHT, LOOSE = 4.0, 0.2  # the leashes between which the hand moves
STEPS = 60  # equal ratios between them, for the curves and for the arrow keys
MOST = 5  # columns of nouns: 0 to 5, more are counted as 5
# a letter for each word of the grammar: a text is sent as its letters
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class RewardLeash(Instrument):
    """The best policy under a leash, p ∝ p_ref · exp(proxy / leash), over texts that the reference
    wrote; its proxy, truth and KL divergence, and what it writes.

    Parameters: texts (n, T) that the reference wrote; points (n_vocab,) of the proxy; trained:
    [(leash, proxy, truth, KL)] of models that were trained under a leash.
    State: leash; loosest: the loosest one so far, as far as the curves are drawn.
    Source: Rafailov et al. (2023), Direct Preference Optimization, equation 4.
    """

    challenge = (
        "Make λ smaller until a still smaller λ would raise the proxy and lower the truth. Keep"
        " the truth above its start."
    )

    def __init__(
        self,
        texts: NDArray[np.integer],
        points: Array,
        trained: Sequence[Sequence[float]] = (),
        **changes: Any,
    ) -> None:
        self.texts, self.times = np.unique(texts, axis=0, return_counts=True)
        self.points = np.round(points, 4)
        self.trained = [[round(float(x), 2) for x in one] for one in trained]
        counts = assistant.count_words(self.texts)
        self.proxy = counts @ self.points
        self.nouns = (counts @ assistant.IS_NOUN).astype(int)
        self.right = assistant.keeps_rules(self.texts)
        self.reference = self.times / self.times.sum()
        self.start_means = self._means(self.reference)
        self.start_shares = self._shares(self.reference)
        self.curves = np.array(
            [
                [leash, *self._means(self._policy(leash))]
                for leash in TIGHT * (LOOSE / TIGHT) ** (np.arange(STEPS + 1) / STEPS)
            ]
        )
        super().__init__(**changes)

    def data(self) -> dict[str, Any]:
        """The words, the texts in letters with how often each was written and whether it is right,
        the proxy's points."""
        letters = np.array(list(LETTERS))
        return {
            "words": grammar.WORDS,
            "is_noun": assistant.IS_NOUN.astype(int).tolist(),
            "texts": " ".join("".join(letters[row[row >= 0][1:]]) for row in self.texts),
            "times": self.times.tolist(),
            "right": "".join("01"[int(one)] for one in self.right),
            "points": self.points.tolist(),
            "trained": self.trained,
        }

    @staticmethod
    def start() -> State:
        return {"leash": TIGHT, "loosest": TIGHT}

    def _policy(self, leash):
        """The probability of each text under the best policy of a leash: (n,)."""
        return softmax(np.log(self.times) + self.proxy / leash)

    def _means(self, p):
        """[proxy, truth, KL divergence from the reference] of a policy over the texts, (n,)."""
        return [
            float(p @ self.proxy),
            float(p @ (self.nouns * self.right)),
            float(p @ np.log(p / self.reference)),
        ]

    def _shares(self, p):
        """How much of a policy are right texts, and texts that break a rule, by the number of their
        nouns: (2, MOST + 1)."""
        column = np.minimum(self.nouns, MOST)
        return np.array(
            [np.bincount(column, p * (self.right == right), MOST + 1) for right in (True, False)]
        )

    def compute(self, state: State) -> Numbers:
        p = self._policy(state["leash"])
        now, looser = self._means(p), self._means(self._policy(state["leash"] / 1.1))
        order = np.argsort(-np.round(np.log(p), 9), kind="stable")[:3]
        shares = self._shares(p)
        truths = self.curves[:, 2]
        return {
            "leash": state["leash"],
            "loosest": state["loosest"],
            "start": self.start_means,
            "now": now,
            "more": [looser[0] - now[0], looser[1] - now[1]],
            "curves": self.curves,
            "best": self.curves[np.flatnonzero(truths > truths.max() - 1e-9)[0]],
            "shares": shares,
            "first": self.start_shares,
            "broken": shares[1].sum(),
            "likely": [
                {
                    "text": grammar.text(self.texts[i]),
                    "share": p[i],
                    "right": bool(self.right[i]),
                    "nouns": int(self.nouns[i]),
                    "proxy": self.proxy[i],
                }
                for i in order
            ],
        }

    @staticmethod
    def describe(numbers: Numbers) -> str:
        (proxy, truth, kl), first = numbers["now"], numbers["likely"][0]
        before = numbers["start"]
        return (
            f"Leash {fixed(numbers['leash'], 2)}: proxy {fixed(proxy, 2)}, truth {fixed(truth, 2)},"
            f" KL divergence {fixed(kl, 2)} nats. At the start: proxy {fixed(before[0], 2)}, truth"
            f" {fixed(before[1], 2)}. Of what is written {fixed(100 * numbers['broken'], 0)} %"
            f' break a rule. Likeliest: "{first["text"]}", {fixed(100 * first["share"], 1)} %.'
        )

    @staticmethod
    def conditions(numbers: Numbers) -> list[Condition]:
        (proxy, truth), (_, now, _) = numbers["more"], numbers["now"]
        return [
            goal(
                f"10 % looser: proxy {_signed(proxy)}, truth {_signed(truth)} (wanted: -0.05)",
                truth < -0.045,
            ),
            goal(
                f"truth above its start, {fixed(numbers['start'][1], 2)}: now {fixed(now, 2)}",
                now > numbers["start"][1] + 0.005,
            ),
        ]

    @staticmethod
    def lesson(numbers: Numbers) -> str:
        (proxy, truth, kl), best, end = numbers["now"], numbers["best"], numbers["curves"][-1]
        return (
            f"At λ = {fixed(numbers['leash'], 2)} the most truth lies behind you:"
            f" {fixed(best[2], 2)} at λ = {fixed(best[0], 2)}, {fixed(best[3], 2)} nats from the"
            f" start. You are {fixed(kl, 2)} nats away: the proxy gained"
            f" {fixed(proxy - best[1], 2)}, the truth lost {fixed(best[2] - truth, 2)}, and the"
            f" proxy alone does not tell. The leash costs proxy: at λ = {fixed(end[0], 1)} you"
            f" would have {fixed(end[1], 2)}, with truth {fixed(end[2], 2)}."
        )

    @staticmethod
    def still(numbers: Numbers) -> str:
        names = [str(n) for n in range(MOST)] + [f"{MOST}+"]
        return side_by_side(
            bars(
                f"leash {fixed(numbers['leash'], 2)}",
                ["proxy", "truth", "KL"],
                numbers["now"],
                reach=6,
            ),
            *(
                bars(title, names, shares, reach=1, width=44)
                for title, shares in zip(
                    ("nouns of right texts", "of texts that break a rule"),
                    numbers["shares"],
                    strict=True,
                )
            ),
        )


def _signed(x):
    text = fixed(x, 2)
    return text if text.startswith("-") else f"+{text}"
