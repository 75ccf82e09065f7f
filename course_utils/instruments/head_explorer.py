"""Four heads, a knob between them and the numbers of W_Q: whom each token looks at, and what it receives."""

import numpy as np

from course_utils.attention import attention_scores, scaled_dot_product_attention
from course_utils.data.two_heads import HEADS, TOKENS, VOCABULARY, W_V, T, X
from course_utils.instruments.instrument import Instrument, fixed

FEATURES = [*VOCABULARY, *(f"place {t}" for t in range(T))]
NAMES = [f"{token} ({t})" for t, token in enumerate(TOKENS)]
MATRICES = [W_Q @ W_K.T for W_Q, W_K in HEADS.values()]          # the same scores with W_K = 1: then W_Q says it all
WIDTH = len(HEADS["itself"][0][0])                               # of a query in notebook 05: its root divides
NOISE, LITTLE = 1e-9, 0.045                                       # smaller differences are none; smaller weights are not told
ASKER, WANTED = TOKENS.index("love"), VOCABULARY.index("game")


class HeadExplorer(Instrument):
    """"the bears love the game" through a head whose W_Q is a mix of four; keys are the tokens as they are, W_K = 1.

    State: at, where the knob stands, [x, y] from 0 to 1 between the four heads; moved, the numbers of W_Q that the hand gave,
    as [row, column, value]; query, the token whose row is told.
    """

    challenge = "Take the head “previous word” and change one number of its matrix, so that love receives more than 0.70 of game."
    lesson = "One number of the matrix is one question: who is this looks for that. The row sums to 1, so what game gains bears loses: " \
             "to have both answers, each for itself, takes two heads."

    @staticmethod
    def data():
        return {"tokens": TOKENS, "names": NAMES, "vocabulary": VOCABULARY, "features": FEATURES, "heads": list(HEADS),
                "X": X.tolist(), "W_V": W_V.tolist(), "matrices": [W.tolist() for W in MATRICES], "width": WIDTH, "asker": ASKER, "wanted": WANTED}

    @staticmethod
    def start():
        return {"at": [0.0, 0.0], "moved": [], "query": ASKER}

    @staticmethod
    def compute(state):
        x, y = state["at"]
        shares = np.array([(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y])
        W_Q = np.tensordot(shares, MATRICES, 1)
        changed = 0
        for i, j, value in state["moved"]:
            changed += abs(value - W_Q[i, j]) > NOISE
            W_Q[i, j] = value
        Q, V = X @ W_Q, X @ W_V
        scale = 1 / np.sqrt(WIDTH)
        outputs, weights = scaled_dot_product_attention(Q, X, V, scale=scale)
        return {"words": {"called": list(HEADS), "names": NAMES, "vocabulary": VOCABULARY}, "shares": shares, "W_Q": W_Q, "changed": int(changed),
                "query": state["query"], "Q": Q, "scores": attention_scores(Q, X, scale), "weights": weights, "outputs": outputs,
                "heads": [scaled_dot_product_attention(X @ W, X, V, scale=scale)[1] for W in MATRICES], "got": outputs[ASKER, WANTED]}

    @staticmethod
    def describe(numbers):
        shares, query, changed = numbers["shares"], numbers["query"], numbers["changed"]
        mix = [(name, share) for name, share in zip(HEADS, shares, strict=True) if share > NOISE]
        head = f"Head: {mix[0][0]}" if len(mix) == 1 else "A mix of heads: " + ", ".join(f"{name} {fixed(share, 2)}" for name, share in mix)
        if changed:
            head += f"; {changed} number{'s' if changed > 1 else ''} changed"
        looks = ", ".join(f"{name} {fixed(w, 2)}" for name, w in zip(NAMES, numbers["weights"][query], strict=True) if w > LITTLE)
        gets = ", ".join(f"{word} {fixed(w, 2)}" for word, w in zip(VOCABULARY, numbers["outputs"][query], strict=True) if w > LITTLE)
        return f"{head}. {NAMES[query]} looks at {looks}. It receives {gets}."

    @staticmethod
    def met(numbers):
        return bool(numbers["shares"][0] == 1 and numbers["changed"] == 1 and numbers["got"] > 0.7)
