"""Two runs of a model that speaks, as two towers of blocks: a state, or what one head gives out, is
put from one into the other, and the next word changes."""

import base64
from pathlib import Path
from typing import Any

import numpy as np

from course_utils.arguments import ArgumentError
from course_utils.attention import softmax
from course_utils.data import thoughts
from course_utils.instruments.instrument import Condition, Instrument, Numbers, State, goal
from course_utils.instruments.rounding import fixed
from course_utils.instruments.stills import bars, lines, side_by_side
from course_utils.models import chat_model

SCENES = thoughts.facts()["scenes"]
PROBABILITIES = thoughts.load()["scene_steps"] / thoughts.STEPS  # (n_scenes, 2, 31, 10, n_words)
RANKS = thoughts.load()["scene_ranks"].astype(int)  # (n_scenes, 2, 31, 10)
QUESTIONS = ["capital", "language"]  # of the first and of the second run
OWN, QUESTION, COUNTRY, BOTH, OTHER = range(5)  # what a move brought into a run
LATE = 10  # from this rank on the lens does not read a word


def _brought(into, said):
    """What of the other run is in the word of this number: see OWN. The first four words are the
    answers, by country, then by question; run 0 asks question 0 of country 0, and run 1 the
    others."""
    if said > 3:
        return OTHER
    return (said % 2 != into) + 2 * (said // 2 != into)


class ThoughtMover(Instrument):
    """Two runs, and what they say when a part of one is put into the other.

    State: pair, the number of the two countries; into, the run (0 or 1) that gets a part of the
    other; block, after or in which, or -1 where nothing is moved; head, from 1, or 0 for the whole
    state; tried, the places [into, block, head] where the hand has been.
    """

    small_places = True
    challenge = (
        "Find a state that brings the other question alone, one head that brings the other country"
        " alone, and a state that brings both before the lens reads the word."
    )

    @staticmethod
    def data() -> dict[str, Any]:
        """The scenes; and for each move a byte for each word's probability and two for the rank, in
        base64: twelve letters a move."""
        ranks = RANKS[..., None] >> np.array([8, 0]) & 255
        steps = np.rint(PROBABILITIES * thoughts.STEPS)
        return {
            "scenes": SCENES,
            "blocks": thoughts.BLOCKS,
            "H": thoughts.HEADS,
            "steps": thoughts.STEPS,
            "moves": base64.b64encode(
                np.concatenate([steps, ranks], axis=-1).astype(np.uint8).tobytes()
            ).decode(),
        }

    @staticmethod
    def start() -> State:
        return {"pair": 0, "into": 1, "block": -1, "head": 0, "tried": []}

    def again(self, parts: Any = None, file: str | Path | None = None) -> dict[str, float]:
        """The move that the hand has made, in the model itself: {word: probability} of the scene's
        words.

        Where the weights are, both runs are made, by functions of your own if `parts` are handed
        over, such as `mine`. Where they are not, it is what was stored.
        """
        state = self.state
        scene, block, head = SCENES[state["pair"]], state["block"], state["head"]
        asked, given = scene["texts"][state["into"]], scene["texts"][1 - state["into"]]
        try:
            model = chat_model._loaded(file)
        except ArgumentError:
            if file is not None:
                raise
            p = self.compute(state)["p"]
        else:
            encode = model.tokenizer.encode
            scores = (
                model.logits(encode(asked), last_only=True, parts=parts)[0]
                if block < 0
                else model.move(given, asked, block, head, parts)
            )
            p = softmax(scores.astype(float))[[encode(word)[0] for word in scene["words"]]]
        return {word: float(one) for word, one in zip(scene["words"], p, strict=False)}

    @staticmethod
    def compute(state: State) -> Numbers:
        pair, into, block, head = (state[name] for name in ("pair", "into", "block", "head"))
        moved, words = block >= 0, [word.strip() for word in SCENES[pair]["words"]]

        def says(run, *place):  # no head stands before the first block: there nothing is moved
            p = PROBABILITIES[pair, run][place or (0, 1)]
            return np.append(p, max(0, 1 - p.sum())), int(p.argmax())

        before, was = says(into)
        p, said = says(into, block, head) if moved else (before, was)
        runs = [says(run) if run != into else (p, said) for run in (0, 1)]
        tried = state["tried"]
        if moved and [into, block, head] not in tried:
            tried = [*tried, [into, block, head]]
        marks = [[*place, _brought(place[0], says(*place)[1])] for place in tried]

        def first(of_head, kind, late):
            """The first place of one kind where the hand has been: of a head, or of the state."""
            for run, b, h, brought in marks:
                rank = int(RANKS[pair, run, b, h])
                if (h > 0) == of_head and brought == kind and rank > late:
                    return {
                        "run": run,
                        "block": b,
                        "head": h,
                        "word": words[says(run, b, h)[1]],
                        "rank": rank,
                    }
            return None

        return {
            "pair": pair,
            "into": into,
            "block": block,
            "head": head,
            "moved": moved,
            "texts": SCENES[pair]["texts"],
            "countries": SCENES[pair]["countries"],
            "words": words,
            "p": p,
            "before": before,
            "said": said,
            "was": was,
            "runs": [[words[i], some[i]] for some, i in runs],
            "rank": int(RANKS[pair, into, block, head]) if moved else 0,
            "marks": marks,
            "question": first(False, QUESTION, 0),
            "country": first(True, COUNTRY, 0),
            "both": first(False, BOTH, LATE),
        }

    @staticmethod
    def describe(numbers: Numbers) -> str:
        (one, p), (other, q) = numbers["runs"]
        if not numbers["moved"]:
            return (
                f"Nothing is moved. The first run says “{one}” ({_percent(p)} %), the second"
                f" “{other}” ({_percent(q)} %)."
            )
        word, before = numbers["words"][numbers["said"]], numbers["words"][numbers["was"]]
        return (
            f"The {('first', 'second')[numbers['into']]} run gets {_part(numbers)} of the other. It"
            f" says “{word}” ({_percent(numbers['p'][numbers['said']])} %), without that “{before}”"
            f" ({_percent(numbers['before'][numbers['was']])} %). In its state after block"
            f" {numbers['block']} the lens has “{word}” at rank {numbers['rank']}."
        )

    @staticmethod
    def conditions(numbers: Numbers) -> list[Condition]:
        question, country, both = (numbers[name] for name in ("question", "country", "both"))
        now = f"now “{numbers['words'][numbers['said']]}”"
        rank = f", rank {numbers['rank']}" if numbers["moved"] else ""
        return [
            goal(f"a state brings the question alone: {_found(question) or now}", question),
            goal(f"one head brings the country alone: {_found(country) or now}", country),
            goal(
                "a state brings both, rank by the lens over 10: "
                + (f"{_found(both)}, rank {both['rank']}" if both else now + rank),
                both,
            ),
        ]

    @staticmethod
    def lesson(numbers: Numbers) -> str:
        question, country, both = (numbers[name] for name in ("question", "country", "both"))
        return (
            f"After block {question['block']} the state of “is” held what is asked: the run said"
            f" “{question['word']}”, of its own country. Head ({country['block']},"
            f" {country['head']}) brought the country alone: “{country['word']}”. After block"
            f" {both['block']} the state held both: “{both['word']}”, which the lens ranked"
            f" {both['rank']} there. So question and country come to “is” separately. And a word"
            " can be decided before the lens reads it."
        )

    @staticmethod
    def still(numbers: Numbers) -> str:
        words = [word for word, _ in numbers["runs"]]
        texts = [f"{text} … {word}" for text, word in zip(numbers["texts"], words, strict=True)]
        likely = f"the {('first', 'second')[numbers['into']]} run's next word"
        return side_by_side(
            lines("two runs of thirty blocks", texts, width=290),
            bars(likely, numbers["words"][:4], numbers["p"][:4], reach=1, height=110, width=76),
        )


def _percent(p):
    return fixed(100 * p, 0)


def _part(place):
    block, head = place["block"], place["head"]
    return f"what head ({block}, {head}) gives out" if head else f"the state after block {block}"


def _found(place):
    """Where it was found, with its word; None before that."""
    if place is None:
        return None
    block, head = place["block"], place["head"]
    where = f"({block}, {head})" if head else f"after block {block}"
    return f"{where}, “{place['word']}”"
