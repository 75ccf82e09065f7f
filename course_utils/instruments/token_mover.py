"""Any word of a sentence is dragged in the plane of meanings; self-attention moves each word to an
average of all."""

from typing import Any

import numpy as np

from course_utils.attention import attention_scores, softmax
from course_utils.data import BY_TEXT, CORNERS, embed, to_plane
from course_utils.instruments.instrument import Condition, Instrument, Numbers, State, goal, rule
from course_utils.instruments.rounding import fixed
from course_utils.instruments.stills import cells, plane, side_by_side


class TokenMover(Instrument):
    """Self-attention without parameters, softmax(X Xᵀ) X, of a sentence whose words the hand moves.

    State: sentence and word, as numbers; moved: for each word None or its place [x, y] in the
    plane; drags, since the sentence was chosen.
    """

    challenge = "In “bears pain”, drag once, so that “bears” gives more than half to “pain”."

    @staticmethod
    def data() -> dict[str, Any]:
        return {
            "sentences": [
                {"tokens": tokens, "X": embed(tokens).tolist()} for tokens in BY_TEXT.values()
            ],
            "corners": CORNERS.tolist(),
        }

    @staticmethod
    def start() -> State:
        return {
            "sentence": 2,
            "word": 0,
            "moved": [[0.2, 0.9], None, None, None],
            "drags": 0,
        }  # a bear that is nearly an animal, at a game

    @staticmethod
    def compute(state: State) -> Numbers:
        tokens = list(BY_TEXT.values())[state["sentence"]]
        X = embed(tokens)
        for i, place in enumerate(state["moved"]):
            if (
                place is not None
            ):  # what the plane does not show, the mean of the meanings and the action, stays
                X[i, :3] = X[i, :3].mean() + CORNERS @ place * 2 / 3
        scores = attention_scores(X, X, scale=1)
        weights = softmax(scores)
        outputs = weights @ X
        return {
            "tokens": tokens,
            "word": state["word"],
            "drags": state["drags"],
            "X": X,
            "moved": [place is not None for place in state["moved"]],
            "scores": scores,
            "weights": weights,
            "outputs": outputs,
            "places": to_plane(X),
            "landings": to_plane(outputs),
        }

    @staticmethod
    def describe(numbers: Numbers) -> str:
        tokens, word = numbers["tokens"], numbers["word"]
        shares = ", ".join(
            f"{token} {fixed(w, 2)}"
            for token, w in zip(tokens, numbers["weights"][word], strict=True)
        )
        animal, hardship, sport, _ = (fixed(x, 2) for x in numbers["outputs"][word])
        return (
            f'"{tokens[word]}" in "{" ".join(tokens)}". Its weights: {shares}. It moves to animal'
            f" {animal}, hardship {hardship}, sport {sport}."
        )

    @staticmethod
    def conditions(numbers: Numbers) -> list[Condition]:
        tokens, drags = numbers["tokens"], numbers["drags"]
        here = tokens[1] == "pain"
        now = f": now {fixed(numbers['weights'][0, 1], 3)}" if here else ""
        return [
            goal("the sentence “bears pain”", here),
            rule(f"at most one drag: {drags} so far", drags < 2),
            goal(
                f"pain above 0.50 in the row of bears{now}",
                here and numbers["weights"][0, 1] > 0.501,
            ),
        ]

    @staticmethod
    def lesson(numbers: Numbers) -> str:
        (own, other), length = numbers["scores"][0], float(np.linalg.norm(numbers["X"][0]))
        who = "bears" if numbers["moved"][0] else "pain"
        return (
            f"You moved {who}. Now pain’s shadow on bears is {fixed(other / length, 2)} long, and"
            f" bears itself {fixed(length, 2)}: so the product of bears with pain,"
            f" {fixed(other, 2)}, is larger than that with itself, {fixed(own, 2)}. A long bears"
            " would choose itself."
        )

    @staticmethod
    def still(numbers: Numbers) -> str:
        tokens = numbers["tokens"]
        ends, begins = (
            np.vstack([numbers[name][numbers["word"]], numbers[name]])
            for name in ("landings", "places")
        )
        return side_by_side(
            plane("where a word moves", ends, ["", *tokens], begins),
            cells("weights: who looks at whom", tokens, tokens, numbers["weights"]),
        )
