"""One token asks two questions, by two heads and by one head that is asked both: two rows beside
one."""

from typing import Any

import numpy as np

from course_utils.attention import attention_scores, scaled_dot_product_attention
from course_utils.data.two_heads import HEADS, TOKENS, VOCABULARY, W_V, X
from course_utils.instruments.instrument import Condition, Instrument, Numbers, State, goal
from course_utils.instruments.rounding import fixed
from course_utils.instruments.stills import bars, side_by_side

NAMES = [f"{token} ({t})" for t, token in enumerate(TOKENS)]
ASKS = {
    "previous word": "which word came before me?",
    "same word": "where does my word stand?",
    "itself": "what is at my position?",
    "everyone": "no question: a query of zeros",
}
MATRICES = [
    W_Q @ W_K.T for W_Q, W_K in HEADS.values()
]  # the same scores with W_K = 1: then W_Q says it all
WIDTH = len(HEADS["itself"][0][0])  # of a query in notebook 05: its root divides
LITTLE, WANTED = 0.045, 0.405  # smaller weights are not told; more than 0.40, as it is read


class HeadExplorer(Instrument):
    """One token of "the bears love the game" through two heads, and through one head whose W_Q is a
    mix of theirs.

    Keys are the tokens as they are, W_K = 1. State: heads, the numbers of two of four heads; query,
    the token that asks; mix, the share of the second head's W_Q in the one head.
    """

    challenge = (
        "Ask one head both questions, so that two different words arrive, each with more than 0.40."
    )

    @staticmethod
    def data() -> dict[str, Any]:
        return {
            "tokens": TOKENS,
            "names": NAMES,
            "vocabulary": VOCABULARY,
            "heads": list(HEADS),
            "asks": [ASKS[name] for name in HEADS],
            "X": X.tolist(),
            "W_V": W_V.tolist(),
            "matrices": [W.tolist() for W in MATRICES],
            "width": WIDTH,
        }

    @staticmethod
    def start() -> State:
        return {"heads": [0, 2], "query": TOKENS.index("love"), "mix": 0.0}

    @staticmethod
    def compute(state: State) -> Numbers:
        (first, second), query, mix = state["heads"], state["query"], state["mix"]
        asked = [
            MATRICES[first],
            MATRICES[second],
            (1 - mix) * MATRICES[first] + mix * MATRICES[second],
        ]
        Q, scale = np.stack([X[query] @ W_Q for W_Q in asked]), 1 / np.sqrt(WIDTH)
        outputs, weights = scaled_dot_product_attention(Q, X, X @ W_V, scale=scale)
        return {
            "called": [list(HEADS)[head] for head in (first, second)],
            "query": query,
            "mix": mix,
            "scores": attention_scores(Q, X, scale),
            "weights": weights,
            "outputs": outputs,
            "order": [_order(row) for row in outputs],
        }

    @staticmethod
    def describe(numbers: Numbers) -> str:
        one, other = numbers["called"]
        rows = [
            ", ".join(
                f"{name} {fixed(w, 2)}" for name, w in zip(NAMES, row, strict=True) if w > LITTLE
            )
            for row in numbers["weights"]
        ]
        return (
            f"{NAMES[numbers['query']]} asks. Head “{one}” looks at {rows[0]}. Head “{other}” looks"
            f" at {rows[1]}. One head with {fixed(numbers['mix'], 2)} of the second question looks"
            f" at {rows[2]}."
        )

    @staticmethod
    def conditions(numbers: Numbers) -> list[Condition]:
        words = [
            f"{VOCABULARY[k]} {fixed(numbers['outputs'][2][k], 2)}" for k in numbers["order"][2][:2]
        ]
        return [
            goal(
                f"by the one head, two words above 0.40: now {', '.join(words)}",
                numbers["outputs"][2][numbers["order"][2][1]] > WANTED,
            )
        ]

    @staticmethod
    def lesson(numbers: Numbers) -> str:
        outputs, order = numbers["outputs"], numbers["order"]
        (a, b), (one, other) = order[2][:2], numbers["called"]
        alone = [
            f"{VOCABULARY[k[0]]} with {fixed(row[k[0]], 2)}"
            for row, k in zip(outputs[:2], order[:2], strict=True)
        ]
        return (
            f"Your one head brings {VOCABULARY[a]} with {fixed(outputs[2][a], 2)} and"
            f" {VOCABULARY[b]} with {fixed(outputs[2][b], 2)}: its row sums to 1, so one answer"
            f" takes from the other. “{one}” brings {alone[0]}, “{other}” {alone[1]}: two heads"
            " have a row each."
        )

    @staticmethod
    def still(numbers: Numbers) -> str:
        titles = [*numbers["called"], "one head, both questions"]
        return side_by_side(
            *(
                bars(
                    f"{TOKENS[numbers['query']]}: {title}",
                    TOKENS,
                    row,
                    height=120,
                    width=52,
                    reach=1,
                )
                for title, row in zip(titles, numbers["weights"], strict=True)
            )
        )


def _order(outputs):
    """The words by how much of them arrives, the most first; of those that differ by noise only,
    the first in the list."""
    return sorted(range(len(outputs)), key=lambda k: -round(outputs[k], 9))
