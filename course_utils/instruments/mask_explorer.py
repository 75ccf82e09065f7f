"""A mask is painted by the hand; what flows through it from a word that changes is drawn to every
output that it moves."""

from typing import Any

import numpy as np

from course_utils.attention import attention_scores, causal_mask, padding_mask, softmax
from course_utils.data import SENTENCES, embed
from course_utils.instruments.instrument import Condition, Instrument, Numbers, State, goal, rule
from course_utils.instruments.rounding import fixed, general
from course_utils.instruments.stills import bars, cells, side_by_side

TOKENS = [*SENTENCES["sport"], "pad", "pad"]
T, N_WORDS = len(TOKENS), len(SENTENCES["sport"])
PLACE = N_WORDS - 1  # where "game" becomes "pain"
X = np.vstack([embed(TOKENS[:N_WORDS]), np.zeros((T - N_WORDS, 4))])
PAIN = embed(["pain"])[0]
PRESETS = {
    "none": np.ones((T, T), dtype=bool),
    "causal": causal_mask(T),
    "strict": causal_mask(T) & ~np.eye(T, dtype=bool),
    "window": causal_mask(T) & ~np.tri(T, k=-2, dtype=bool),  # itself and the one before
    "padding": np.broadcast_to(padding_mask([N_WORDS], T)[0], (T, T)),
}
NOISE = 1e-6  # what moves by less has not moved
WAYS = [
    "hidden scores become −∞",
    "hidden weights become 0",
    "hidden weights become 0, and rows are divided by their sums",
]


class MaskExplorer(Instrument):
    """ "bears won the game" and two places of padding, X as queries, keys and values, under a mask.

    State: mask, T rows of truths, True = may look; query, the row that is told; way, a number into
        WAYS;
    pain: how far "game" has become "pain", from 0 to 1.
    """

    challenge = (
        "Begin with “causal”. Make one more entry True: the future should leak, but as little as"
        " possible."
    )

    @staticmethod
    def data() -> dict[str, Any]:
        return {
            "tokens": TOKENS,
            "place": PLACE,
            "X": X.tolist(),
            "changed": PAIN.tolist(),
            "ways": WAYS,
            "presets": {name: mask.tolist() for name, mask in PRESETS.items()},
        }

    @staticmethod
    def start() -> State:
        return {"mask": PRESETS["none"].tolist(), "query": 1, "way": 0, "pain": 1.0}

    @staticmethod
    def compute(state: State) -> Numbers:
        mask, way, pain = np.array(state["mask"]), state["way"], state["pain"]
        inputs = _sentence(pain)
        before, now = _attend(X, mask, way), _attend(inputs, mask, way)
        moved = np.abs(now["outputs"] - before["outputs"]).max(axis=1)
        single = []  # the leak of each single cell opened in the changed word's column
        for i in range(PLACE):
            opened = PRESETS["causal"].copy()
            opened[i, PLACE] = True
            outputs = [_attend(Z, opened, 0)["outputs"][i] for Z in (X, inputs)]
            single.append(np.abs(outputs[1] - outputs[0]).max())
        causal, preset = (
            PRESETS["causal"],
            next((name for name, one in PRESETS.items() if (mask == one).all()), "by hand"),
        )
        tokens = [*TOKENS[:PLACE], "pain" if pain > 0.5 else "game", *TOKENS[N_WORDS:]]
        return {
            "tokens": tokens,
            "mask": mask,
            "preset": preset,
            "query": state["query"],
            "way": way,
            "how": WAYS[way],
            "pain": pain,
            "X": inputs,
            "empty": ~mask.any(axis=1),
            **now,
            "moved": moved,
            "leak": moved[:PLACE].max(),
            "single": single,
            "opened": int((mask & ~causal).sum()),
            "closed": int((causal & ~mask).sum()),
        }

    @staticmethod
    def describe(numbers: Numbers) -> str:
        tokens, row, way, pain, moved = (
            numbers[name] for name in ("tokens", "query", "way", "pain", "moved")
        )
        seen = zip(tokens, numbers["weights"][row], numbers["mask"][row], strict=True)
        shares = ", ".join(f'"{token}" {fixed(w, 2)}' for token, w, may in seen if may)
        if numbers["empty"][row]:
            looks = "sees nothing: " + (
                "its weights are 0/0, not a number" if way == 2 else "its output is 0"
            )
        else:
            looks = f"gives the weights {shares}" + (
                f"; their sum is {fixed(numbers['sums'][row], 2)}" if way == 1 else ""
            )
        if pain == 0:
            flows = "No word has changed yet."
        else:
            far = "" if pain == 1 else f"{fixed(100 * pain, 0)} % of "
            leaks = [
                f'"{token}" moves by {_size(x)}'
                for token, x in zip(tokens[:PLACE], moved[:PLACE], strict=True)
                if x > NOISE
            ]
            flows = f'With {far}"pain" in place of "game", ' + (
                f"the future leaks: {', '.join(leaks)}."
                if leaks
                else "no word before it moves: there is no leak."
            )
        return f'Mask: {numbers["preset"]}. The {numbers["how"]}. "{tokens[row]}" {looks}. {flows}'

    @staticmethod
    def conditions(numbers: Numbers) -> list[Condition]:
        opened, closed, least = numbers["opened"], numbers["closed"], min(numbers["single"])
        kept = numbers["way"] == 0
        return [
            goal(
                f"causal, and one more entry: {opened} made True, {closed} made False",
                opened == 1 and closed == 0,
            ),
            rule("scores become −∞", kept),
            rule(
                f"“game” has become “pain”: {fixed(100 * numbers['pain'], 0)} %",
                numbers["pain"] == 1,
            ),
            goal(
                f"the smallest possible leak, {_size(least)}: now {_size(numbers['leak'])}",
                NOISE < numbers["leak"] < least + NOISE,
            ),
        ]

    @staticmethod
    def lesson(numbers: Numbers) -> str:
        i = int(np.flatnonzero(numbers["moved"][:PLACE] > NOISE)[0])
        return (
            f"“{TOKENS[i]}” now sees “pain”, and moves by {_size(numbers['leak'])}. The smallest"
            " leak is a leak, too: one entry is enough. But a test sees only what it changes. A"
            " True entry in another column shows the future, too, but this test does not see it."
        )

    @staticmethod
    def still(numbers: Numbers) -> str:
        return side_by_side(
            cells(
                "the mask, and the weights that it leaves",
                TOKENS,
                numbers["tokens"],
                numbers["weights"],
            ),
            bars("outputs move by", TOKENS, numbers["moved"], width=56),
        )


def _size(x):
    return fixed(x, 2) if x > 0.005 else general(x, 1)


def _sentence(pain):
    """The vectors (T, d) when the word has changed so far."""
    inputs = X.copy()
    inputs[PLACE] += pain * (PAIN - X[PLACE])
    return inputs


def _attend(inputs, mask, way):
    """Attention under a mask in one of three ways. Where nothing can be divided, zeros stand in for
    it; the words tell it."""
    scores = attention_scores(inputs, inputs)
    free = softmax(scores)
    weights = softmax(np.where(mask, scores, -np.inf)) if way == 0 else free * mask
    sums = weights.sum(axis=1)
    if way == 2:
        weights = weights / np.where(sums > 0, sums, 1)[:, None]
    return {
        "scores": scores,
        "free": free,
        "weights": weights,
        "sums": sums,
        "outputs": weights @ inputs,
    }
