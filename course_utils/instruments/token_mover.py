"""Any word of a sentence is dragged in the plane of meanings; self-attention moves each word to an average of all."""


from course_utils.attention import attention_scores, softmax
from course_utils.data import BY_TEXT, CORNERS, embed, to_plane
from course_utils.instruments.instrument import Instrument, fixed


class TokenMover(Instrument):
    """Self-attention without parameters, softmax(X Xᵀ) X, of a sentence whose words the hand moves.

    State: sentence and word, as numbers; moved: for each word None or its place [x, y] in the plane; drags, since the sentence was chosen.
    """

    challenge = "In “bears pain”, make pain win the row of bears with one drag."
    lesson = "Pain wins as long as bears points its way and stays short: a long vector's largest product is that with itself."

    @staticmethod
    def data():
        return {"sentences": [{"tokens": tokens, "X": embed(tokens).tolist()} for tokens in BY_TEXT.values()], "corners": CORNERS.tolist()}

    @staticmethod
    def start():
        return {"sentence": 2, "word": 0, "moved": [[0.2, 0.9], None, None, None], "drags": 0}       # a bear that is nearly an animal, at a game

    @staticmethod
    def compute(state):
        tokens = list(BY_TEXT.values())[state["sentence"]]
        X = embed(tokens)
        for i, place in enumerate(state["moved"]):
            if place is not None:       # what the plane does not show, the mean of the meanings and the action, stays
                X[i, :3] = X[i, :3].mean() + CORNERS @ place * 2 / 3
        scores = attention_scores(X, X, scale=1)
        weights = softmax(scores)
        outputs = weights @ X
        return {"tokens": tokens, "word": state["word"], "drags": state["drags"], "X": X, "scores": scores, "weights": weights,
                "outputs": outputs, "places": to_plane(X), "landings": to_plane(outputs)}

    @staticmethod
    def describe(numbers):
        tokens, word = numbers["tokens"], numbers["word"]
        shares = ", ".join(f"{token} {fixed(w, 2)}" for token, w in zip(tokens, numbers["weights"][word], strict=True))
        animal, hardship, sport, _ = (fixed(x, 2) for x in numbers["outputs"][word])
        return f'"{tokens[word]}" in "{" ".join(tokens)}". Its weights: {shares}. It moves to animal {animal}, hardship {hardship}, sport {sport}.'

    @staticmethod
    def met(numbers):
        return bool(numbers["tokens"][1] == "pain" and numbers["drags"] == 1 and numbers["weights"][0, 1] > 0.501)
