"""One turn of a chat as boxes, one a token: how surprised the model was by it, what it expected.
Inside: where the logit lens reads it, block by block, and what the silence of a head or block
changes."""

from itertools import count
from typing import Any

import numpy as np

from course_utils.data import opened_chat
from course_utils.instruments.instrument import Condition, Instrument, Numbers, State, goal
from course_utils.instruments.rounding import fixed
from course_utils.instruments.stills import bars, side_by_side

SURE, MORE = 10, 50  # hundredths: a token that was nearly certain, and what a head must add to it


class TokenExplorer(Instrument):
    """The chat of notebook 15 as it was stored, or one of your own.

    Parameters: question, parts, file: the model answers this question, by functions of your own if
    `parts` are handed over, and its turn is opened (see models.opened_chat.open_chat).
    State: token, the one that is pressed; inside, whether the blocks are shown, as they are where
    something is silenced; block, from 1, in which something is silenced, or 0 where
    nothing is; head, from 1, or 0 for the whole block; numbered, whether the boxes show their
    numbers; tried, the triples [token, block, head] where the hand has been.
    """

    challenge = (
        "Find the token that surprised the model most. Then find a token of its reply that it was"
        " nearly sure of. Inside, find one head: without this head the model is less sure."
    )
    small_places = True

    def __init__(
        self,
        question: str | None = None,
        parts: Any = None,
        file: str | None = None,
        **changes: Any,
    ) -> None:
        if question is None:
            self.opened = opened_chat.load()
        else:
            from course_utils.models.opened_chat import open_chat  # large, and seldom asked for

            self.opened = open_chat(question, parts, file)
        self.changes = opened_chat.unpack_changes(self.opened)  # (blocks, 1 + heads, T)
        super().__init__(**changes)

    def data(self) -> dict[str, Any]:
        """What was opened: whole numbers and texts; and what a wrong reply should have said."""
        return {**self.opened, "right": opened_chat.RIGHT.split()[-1].strip(".")}

    @staticmethod
    def start() -> State:
        return {
            "token": 0,
            "block": 0,
            "head": 0,
            "numbered": False,
            "inside": False,
            "tried": [],
        }

    def compute(self, state: State) -> Numbers:
        token, block, head = (state[name] for name in ("token", "block", "head"))
        opened, losses = self.opened, np.array(self.opened["losses"])
        change = self.changes[block - 1, head] if block else 0 * losses
        here = [token, block, head]
        tried = state["tried"] if here in state["tried"] else [*state["tried"], here]
        sure = [one for one in tried if one[0] >= opened["answer"] and losses[one[0]] < SURE]
        needed = [
            [*one, self.changes[one[1] - 1, one[2], one[0]] / 100]
            for one in sure
            if one[2] and self.changes[one[1] - 1, one[2], one[0]] >= MORE
        ]
        ranks = opened["ranks"][token]
        likely = opened["likely"][token]
        return {
            "token": token,
            "block": block,
            "head": head,
            "numbered": state["numbered"],
            "inside": state["inside"] or block > 0,
            "tokens": opened["tokens"],
            "answer": opened["answer"],
            "losses": losses / 100,
            "silenced": np.maximum(0, losses + change) / 100,
            "words": [word for word, _ in likely],
            "p": [p / 1000 for _, p in likely],
            "own": np.exp(-losses[token] / 100),
            "own_silenced": np.exp(-max(0, losses[token] + change[token]) / 100),
            "place": min(ranks[-1] - 1, len(likely)),
            "ranks": ranks,
            "leads": next(b for b in count() if all(rank == 1 for rank in ranks[b:])),
            "map": self.changes[:, :, token] / 100,
            "most": next((one[0] for one in tried if losses[one[0]] == losses.max()), None),
            "sure": next((one[0] for one in sure), None),
            "needed": needed[0] if needed else None,
            "wrong": bool(needed) and needed[0][0] in opened["wrong"],
        }

    @staticmethod
    def describe(numbers: Numbers) -> str:
        token, leads = numbers["token"], numbers["leads"]
        likely = ", ".join(
            f"“{word}” {_percent(p)}"
            for word, p in zip(numbers["words"], numbers["p"], strict=True)
        )
        lens = (
            "never has it first"
            if leads == len(numbers["ranks"])
            else f"has it first from block {leads} on"
        )
        return (
            f"“{numbers['tokens'][token]}” has the cross-entropy"
            f" {fixed(numbers['losses'][token], 2)}, a probability of {_percent(numbers['own'])}."
            f" Likeliest were {likely}."
            + (f" The logit lens {lens}." if numbers["inside"] else "")
            + (
                f" Without {_part(numbers)} it is {fixed(numbers['silenced'][token], 2)}; the mean"
                f" of all tokens is {fixed(float(np.mean(numbers['silenced'])), 2)} instead of"
                f" {fixed(float(np.mean(numbers['losses'])), 2)}."
                if numbers["block"]
                else ""
            )
        )

    @staticmethod
    def conditions(numbers: Numbers) -> list[Condition]:
        most, sure, needed = (numbers[name] for name in ("most", "sure", "needed"))
        tokens, losses, block = numbers["tokens"], numbers["losses"], numbers["block"]

        def told(token):
            return f"“{tokens[token]}” {fixed(losses[token], 2)}"

        now = f"now {told(numbers['token'])}"
        reply = "now none of the reply" if numbers["token"] < numbers["answer"] else now
        if needed:
            token, *head, more = needed
            adds = f"({head[0]}, {head[1]}) adds {fixed(more, 2)} to “{tokens[token]}”"
        elif block:
            more = numbers["map"][block - 1][numbers["head"]]
            adds = f"now {_part(numbers)} adds {fixed(more, 2)}"
        else:
            adds = "now none"
        return [
            goal(
                f"the largest cross-entropy: {now if most is None else told(most)}",
                most is not None,
            ),
            goal(
                f"a token of the reply under 0.10: {reply if sure is None else told(sure)}",
                sure is not None,
            ),
            goal(f"a silenced head adds 0.50 to such a token: {adds}", needed),
        ]

    @staticmethod
    def lesson(numbers: Numbers) -> str:
        most, (token, block, head, more) = numbers["most"], numbers["needed"]
        tokens, losses = numbers["tokens"], numbers["losses"]
        return (
            f"“{tokens[most]}” surprised it most: {fixed(losses[most], 2)}. Of “{tokens[token]}” it"
            f" was nearly sure: {fixed(losses[token], 2)}"
            + (", and it is wrong. " if numbers["wrong"] else ". ")
            + "Cross-entropy says how sure the model is, not whether it is right. Without head"
            f" ({block}, {head}) “{tokens[token]}” has {fixed(losses[token] + more, 2)}: here the"
            " model needs this head. What the head does, its silence does not say."
        )

    @staticmethod
    def still(numbers: Numbers) -> str:
        since = numbers["answer"]
        tokens = [token if len(token) < 6 else token[:4] + "…" for token in numbers["tokens"]]
        title = f"expected before “{numbers['tokens'][numbers['token']]}”"
        return side_by_side(
            bars(
                "the reply: each token's cross-entropy",
                tokens[since:],
                numbers["losses"][since:],
                height=130,
                width=38,
            ),
            bars(title, numbers["words"], numbers["p"], reach=1, height=130, width=72),
        )


def _percent(p):
    """A probability in percent; a small one with a digit more."""
    return f"{fixed(100 * p, 1 if 0.00045 < p < 0.0095 else 0)} %"


def _part(place):
    """What is silenced, in words."""
    block, head = place["block"], place["head"]
    return f"head ({block}, {head})" if head else f"block {block}"
