"""One query among the keys of a sentence, all dragged in the plane of what is asked and offered;
the weights follow."""

from typing import Any

import numpy as np

from course_utils.attention import attention_scores, softmax
from course_utils.data import BY_TEXT, W_K, W_Q, W_V, WORDS, embed
from course_utils.instruments.instrument import Condition, Instrument, Numbers, State, goal, rule
from course_utils.instruments.rounding import fixed
from course_utils.instruments.stills import bars, plane, side_by_side

QUERY = (WORDS["bears"] @ W_Q).round(2)
TABLES = [
    (tokens, (embed(tokens) @ W_K).round(2), embed(tokens) @ W_V) for tokens in BY_TEXT.values()
]


def _largest(weights):
    """The place of the largest, the first of those that differ by noise only."""
    return int(np.flatnonzero(weights > weights.max() - 1e-9)[0])


def _as_made(state):
    """Do the keys stand as they opened: were they never taken, or put back?"""
    return state["keys"] is None or state["keys"] == TABLES[state["sentence"]][1].tolist()


class QueryExplorer(Instrument):
    """The query of "bears" and the keys of a sentence, made with the W_Q and W_K of notebook 02;
    values on request.

    State: sentence, as a number; q; keys: None or (T, 2); values: are they shown?
    """

    challenge = (
        "Do not move the keys. Turn the query by less than 5° from its first direction. Give one"
        " word a weight above 0.90."
    )

    @staticmethod
    def data() -> dict[str, Any]:
        return {
            "sentences": [
                {"tokens": tokens, "K": K.tolist(), "V": V.tolist()} for tokens, K, V in TABLES
            ],
            "query": QUERY.tolist(),
        }

    @staticmethod
    def start() -> State:
        return {"sentence": 0, "q": QUERY.tolist(), "keys": None, "values": False}

    @staticmethod
    def compute(state: State) -> Numbers:
        tokens, K, V = TABLES[state["sentence"]]
        q = np.array(state["q"], float)
        K = K if state["keys"] is None else np.array(state["keys"], float)
        scores = attention_scores(q[None], K, scale=1)[0]
        weights, length = softmax(scores), np.linalg.norm(q)
        aside = QUERY[0] * q[1] - QUERY[1] * q[0]
        return {
            "tokens": tokens,
            "q": q,
            "K": K,
            "V": V,
            "scores": scores,
            "weights": weights,
            "output": weights @ V,
            "length": length,
            "shadows": scores / length if length else scores,
            "angle": np.degrees(np.arctan2(q[1], q[0])),
            "turned": abs(np.degrees(np.arctan2(aside, QUERY @ q))),
            "as_made": _as_made(state),
            "values": state["values"],
        }

    @staticmethod
    def describe(numbers: Numbers) -> str:
        shares = ", ".join(
            f"{token} {fixed(w, 2)}"
            for token, w in zip(numbers["tokens"], numbers["weights"], strict=True)
        )
        words = (
            f"A query of length {fixed(numbers['length'], 2)} at {fixed(numbers['angle'], 0)}° (0°"
            " asks for an "
            f"action, 90° for a thing) in "
            f'"{" ".join(numbers["tokens"])}". Its weights: {shares}.'
        )
        if numbers["values"]:
            animal, hardship, sport = (fixed(x, 2) for x in numbers["output"])
            words += f" Its output: animal {animal}, hardship {hardship}, sport {sport}."
        return words

    @staticmethod
    def conditions(numbers: Numbers) -> list[Condition]:
        largest, turned = numbers["weights"].max(), numbers["turned"]
        return [
            rule(f"query turned by less than 5°: now {fixed(turned, 1)}°", turned < 5),
            rule("leave the keys in their places", numbers["as_made"]),
            goal(f"one weight above 0.90: the largest is {fixed(largest, 2)}", largest > 0.9001),
        ]

    @staticmethod
    def lesson(numbers: Numbers) -> str:
        length, weights = numbers["length"], numbers["weights"]
        times = length / np.linalg.norm(QUERY)
        return (
            f"Your query is {fixed(length, 2)} long, {fixed(times, 1)} times as long as at the"
            " start. Only its length could do this. All scores grow with the length, and so do"
            f" their differences, as if divided by {fixed(1 / times, 2)}. (Notebook 03 calls this"
            " number the temperature.) So"
            f" {numbers['tokens'][_largest(weights)]} gets {fixed(weights.max(), 2)}."
        )

    @staticmethod
    def still(numbers: Numbers) -> str:
        tips = np.vstack([numbers["q"], numbers["K"]])
        return side_by_side(
            plane("the query among the keys", tips, ["query", *numbers["tokens"]], np.zeros(2)),
            bars("weights", numbers["tokens"], numbers["weights"], reach=1),
        )
