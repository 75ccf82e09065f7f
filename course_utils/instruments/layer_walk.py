"""Through the layers of a real encoder, continuously: "bears" in eighteen sentences opens from one
heap into three, and one more walks along."""

from typing import Any

import numpy as np

from course_utils.data.bears import EIGHTEEN, FULLER, SENSES, SHORT, load
from course_utils.instruments.instrument import Condition, Instrument, Numbers, State, goal
from course_utils.instruments.rounding import fixed
from course_utils.instruments.stills import bars, plane, side_by_side
from course_utils.models.encoder import nearest_words

_shipped = load()
STATES = np.concatenate([_shipped[name] for name in ("states", "short", "fuller")]).astype(
    float
)  # (24, 7, 384)
SENTENCES, MEANINGS = [*EIGHTEEN, *SHORT.values(), *FULLER.values()], [*SENSES, *SHORT, *FULLER]
N, LAYERS = len(EIGHTEEN), STATES.shape[1]


def _look():
    """What is seen of the states: places (7, 24, 2), cosines with the eighteen (7, 24, 18), the
    nearest of the eighteen (7, 24).

    The places are those of the vectors at length 1, seen along the two directions in which the
    eighteen differ most after the last layer.
    """
    unit = STATES / np.linalg.norm(STATES, axis=-1, keepdims=True)
    centred = unit - unit[:N].mean(axis=0)
    directions = np.linalg.svd(centred[:N, -1], full_matrices=False)[2][
        :2
    ]  # their meanings are not asked for
    directions = (
        directions * np.sign(directions @ centred[0, -1])[:, None]
    )  # a singular vector has no sign of its own
    others = [[*range(N)] if i < N else [*range(N), i] for i in range(len(STATES))]
    nearest = [
        [int(nearest_words(min(i, N), STATES[others[i], layer])[0]) for i in range(len(STATES))]
        for layer in range(LAYERS)
    ]
    return (
        (centred @ directions.T).swapaxes(0, 1).round(4),
        np.einsum("ild,jld->lij", unit, unit[:N]).round(4),
        np.array(nearest),
    )


PLACES, COSINES, NEAREST = _look()
AT_HOME = (
    np.array(MEANINGS) == np.array(SENSES)[NEAREST]
)  # (7, 24): is the nearest of the same meaning?


class LayerWalk(Instrument):
    """Where "bears" lies in eighteen sentences and in one more, at any layer and between them, and
    who lies nearest.

    State: layer, from 0 (before block 1) to 6, between them a blend; point, which of the eighteen
    is taken, or 18: the one more; more: which that is.
    """

    challenge = (
        "Find a block after which some of the eighteen still lie beside a stranger. Choose one"
        " of them, and stay at that block."
    )

    @staticmethod
    def data() -> dict[str, Any]:
        below = [COSINES[:, i, : min(i, N)] for i in range(len(STATES))]  # each pair once
        return {
            "sentences": SENTENCES,
            "meanings": MEANINGS,
            "N": N,
            "places": PLACES.tolist(),
            "nearest": NEAREST.tolist(),
            "strangers": int(N - AT_HOME[-1, :N].sum()),
            "cosines": np.rint(1e4 * np.concatenate(below, axis=1)).astype(int).tolist(),
        }

    @staticmethod
    def start() -> State:
        return {"layer": LAYERS - 1, "point": N, "more": 0}

    @staticmethod
    def compute(state: State) -> Numbers:
        layer, shown = state["layer"], [*range(N), N + state["more"]]
        low = min(int(layer), LAYERS - 2)
        share, at = layer - low, int(layer + 0.5)
        i = shown[state["point"]]
        cosines, home = COSINES[at, i], AT_HOME[at, shown]
        best = [
            max(c for j, c in enumerate(cosines) if SENSES[j] == meaning and j != i)
            for meaning in ("animal", "hardship", "sport")
        ]
        return {
            "layer": layer,
            "at": at,
            "between": layer != at,
            "point": state["point"],
            "sentence": SENTENCES[i],
            "meaning": MEANINGS[i],
            "places": ((1 - share) * PLACES[low] + share * PLACES[low + 1])[shown],
            "near": NEAREST[at, shown],
            "home": home.tolist(),
            "right": int(home[:N].sum()),
            "cosines": cosines,
            "best": best,
            "nearest": SENTENCES[NEAREST[at, i]],
            "found": SENSES[NEAREST[at, i]],
            "cosine": cosines[NEAREST[at, i]],
        }

    @staticmethod
    def describe(numbers: Numbers) -> str:
        if numbers["between"]:
            low = int(numbers["layer"])
            return (
                f"Between layers {low} and {low + 1}: a blend of two states. The model is never"
                " here."
            )
        where = (
            f"After block {numbers['at']}"
            if numbers["at"]
            else "Before block 1, where only their places differ"
        )
        return (
            f"{where}: {numbers['right']} of eighteen lie nearest to their own meaning. "
            f'"{numbers["sentence"]}" ({numbers["meaning"]}): nearest is "{numbers["nearest"]}" '
            f"({numbers['found']}), "
            f"cosine {fixed(numbers['cosine'], 2)}."
        )

    @staticmethod
    def conditions(numbers: Numbers) -> list[Condition]:
        at, between, mine = numbers["at"], numbers["between"], numbers["point"] < N
        where = "between two layers" if between else f"layer {at}"
        stranger = not between and mine and not numbers["home"][numbers["point"]]
        return [
            goal(f"after a block: now {where}", at > 0 and not between),
            goal(f"one of the eighteen taken: “{numbers['sentence']}”", mine),
            goal(
                f"its nearest is a stranger: now {numbers['meaning']} beside {numbers['found']}",
                stranger,
            ),
        ]

    @staticmethod
    def lesson(numbers: Numbers) -> str:
        at = numbers["at"]
        return (
            f"After block {at}, {N - numbers['right']} of eighteen still lie beside a stranger;"
            f" yours ({numbers['meaning']}) beside “{numbers['nearest']}” ({numbers['found']})."
            f" After block {LAYERS - 1} it is {N - AT_HOME[-1, :N].sum()}: a meaning is not looked"
            " up, it is made on the way."
        )

    @staticmethod
    def still(numbers: Numbers) -> str:
        point = numbers["point"]
        order = [point, *(i for i in range(len(numbers["places"])) if i != point)]
        return side_by_side(
            plane(
                "where “bears” lies",
                np.array(numbers["places"])[order],
                ["the one taken", *[""] * N],
            ),
            bars(
                "largest cosine with each",
                ["animal", "hardship", "sport"],
                numbers["best"],
                width=84,
                reach=1,
            ),
        )
