"""The whole machine in one picture: a sentence flows from its words to the next one, which is fed back; every part opens."""

import json
from importlib.resources import files

import numpy as np

from course_utils.arguments import ArgumentError
from course_utils.attention import softmax
from course_utils.instruments.instrument import Instrument, goal, rule
from course_utils.instruments.rounding import fixed
from course_utils.instruments.stills import bars, cells, side_by_side

# Each lecture: its notebook, what it is about, and the stages of the map that it lights.
LECTURES = {
    "00": ("00_start_here", "scores become shares", [10]),
    "01": ("01_self_attention", "scores and averages", [4, 6]),
    "02": ("02_queries_keys_values", "queries, keys, values", [4, 6]),
    "03": ("03_scaling", "the scale", [4, 6]),
    "04": ("04_masking", "the mask", [4, 6]),
    "05": ("05_multi_head_attention", "several heads", [4, 6]),
    "06": ("06_layer_norm", "norms", [8]),
    "07": ("07_transformer_block", "the block", [4, 5, 6, 7]),
    "08": ("08_positional_encoding", "places", [3]),
    "09": ("09_mixture_of_experts", "experts", [5, 7]),
    "10": ("10_how_it_learns", "how all of it learns", [2, 3, 4, 5, 6, 7, 8, 9, 10]),
    "11": ("11_language_model", "the next word", [9, 10, 11]),
    "12": ("12_a_real_transformer", "a real model", [2, 3, 4, 5, 6, 7, 8]),
    "13": ("13_tokens", "tokens", [0, 1]),
    "14": ("14_todays_models", "today's blocks", [4, 5, 6, 7]),
    "15": ("15_speak", "word after word", [10, 11]),
    "16": ("16_inside", "inside the blocks", [4, 5, 6, 7]),
    "17": ("17_assistant", "what is learned after words", [9, 10, 11]),
}
ATTENTION = ("attention", "(T, 32) → Q, K, V (4, T, 8) → weights (4, T, T) → (T, 32)", ["01", "02", "03", "04", "05", "14"],
             "Each token asks itself and all before it, and adds an average of what they send to its lane; a ribbon " \
             "is as wide as its weight. "
             "No ribbon comes from a later token: that is the mask.")
FEED_FORWARD = ("feed-forward", "(T, 32) → (T, 64) → (T, 32)", ["07", "09", "14"],
                "Each token by itself: 32 numbers become 64, those below 0 become 0, and 32 come back and are added " \
                "to its lane. "
                "Larger models put experts here.")
# The stages of the flow: name, shapes, lectures, what it does in two sentences.
STAGES = [
    ("text", "T tokens", ["13"],
     "The sentence is cut into tokens: here each word is one, and so is the full stop before it. Larger models cut " \
     "rare words into pieces."),
    ("ids", "T tokens → (T,)", ["13"],
     "Each token is replaced by its number in the list of all 33. From here on there are only numbers."),
    ("vectors", "(T,) → (T, 32)", ["01", "11"],
     "Each number picks its row of a learned table, W_E (33, 32): the token's vector. "
     "It opens a lane, the residual stream: all that follows is added to it."),
    ("places", "(T, 32) → (T, 32)", ["08"],
     "So that a token tells where it stands, the row of its place in a learned table, R (16, 32), is added. "
     "Other models turn queries and keys instead."),
    ATTENTION, FEED_FORWARD, ATTENTION, FEED_FORWARD,
    ("norm", "(T, 32) → (T, 32)", ["06"],
     "Each token's 32 numbers are brought to mean 0 and one spread, then stretched and shifted as learned. "
     "A norm stands before every attention and feed-forward, too."),
    ("head", "(T, 32) → (T, 33)", ["07", "11"],
     "Each token's vector times W_out (32, 33) gives a score to every word of the list. "
     "Only the last token's row is needed: the next word follows it."),
    ("softmax", "(33,) → (33,)", ["00", "01"],
     "The scores of the last row become shares that sum to 1: e to the power of each, divided by their sum. Only " \
     "differences of scores count."),
    ("word", "(33,) → 1 token", ["07", "11", "15"],
     "The word with the largest share is taken. It is fed back to the end of the text, and all begins again with " \
     "one lane more."),
]
WHOLE = len(STAGES)         # the stage at which nothing is open


def _stored():
    return json.loads(files("course_utils.data").joinpath("map.json").read_text(encoding="utf-8"))


STORED = _stored()


class TheMap(Instrument):
    """The language model of notebook 11 on its way through one sentence; `TheMap("04")` says "you are here" in a notebook.

    What is shown was computed by scripts/make_map.py from the trained model.

    State: here, the notebook or None; stage that is open, 12 for none; text, how many words are written; lane that is picked, None for the last;
    head whose weights the ribbons show, 0 for the mean of all four.
    """

    challenge = "The next verb must fit dogs, not the nearer cat. " \
                "Find the head of block 2 through which the last token gives dogs more than 0.98 of its weight."

    def __init__(self, here=None, **changes):
        if here is not None and here not in LECTURES:
            raise ArgumentError("here", repr(here), f'the number of a notebook, "{min(LECTURES)}" to "{max(LECTURES)}"')
        super().__init__(here=here, **changes)
        if here == "00":                # nothing has been said of heads and blocks there
            self.challenge = "One part turns scores into weights that sum to 1. Find it, and press it."

    @staticmethod
    def data():
        stages = [{"name": name, "shape": shape, "lectures": lectures, "says": says} for name, shape, lectures, says in STAGES]
        lectures = {number: {"file": file, "about": about, "lights": lights} for number, (file, about, lights) in LECTURES.items()}
        return STORED | {"stages": stages, "lectures": lectures}

    @staticmethod
    def start():
        return {"here": None, "stage": WHOLE, "text": 0, "lane": None, "head": 0}

    @staticmethod
    def compute(state):
        words, one, stage, head = STORED["words"], STORED["passes"][state["text"]], state["stage"], state["head"]
        name, shape, _, says = STAGES[stage] if stage < WHOLE else ("the whole machine", "", [], "")
        _, about, _ = LECTURES.get(state["here"], ("", "", []))
        T = len(one["ids"])
        weights = np.array(one["weights"])
        weights = weights[:, head - 1] if head else weights.mean(axis=1)
        shares = softmax(np.array(one["logits"]))
        best = np.argsort(-shares, kind="stable")[:5]
        block = 1 + (stage > 5) if 4 <= stage <= 7 else 0
        return {"here": state["here"], "about": about, "stage": stage, "title": f"{name}, block {block}" if block else name,
                "block": block, "says": says, "shape": shape.replace("T", str(T)), "tokens": [words[i] for i in one["ids"]], "ids": one["ids"],
                "lane": T - 1 if state["lane"] is None else state["lane"], "head": head, "weights": weights, "lengths": one["lengths"],
                "awake": one["awake"], "best": [words[i] for i in best], "scores": [one["logits"][i] for i in best], "shares": shares[best],
                "rest": 1 - shares[best].sum(), "others": len(words) - 5}

    @staticmethod
    def describe(numbers):
        stage, block, tokens, lane = numbers["stage"], numbers["block"], numbers["tokens"], numbers["lane"]
        text, who, best = " ".join(tokens[1:]), _called(tokens[lane]), [_called(word) for word in numbers["best"]]
        top = fixed(numbers["shares"][0], 2)
        heads = f"head {numbers['head']}" if numbers["head"] else "mean of four heads"
        length = [fixed(row[lane], 1) for row in numbers["lengths"]]
        shares = ", ".join(f"{word} {fixed(share, 2)}" for word, share in zip(best, numbers["shares"], strict=True))
        if stage == WHOLE:
            looks, next_word = _looks(tokens, numbers["weights"][1][lane], 1), best[0].replace("full", "the full")
            here = f"You are here: lecture {numbers['here']}, {numbers['about']}. " if numbers["here"] else ""
            return f'{here}"{text}" goes in, and {next_word} comes out, with {top} of all shares, and is fed back. ' \
                   f"On the way, in block 2, {who} looks most at {looks} ({heads})."
        if stage == 0:
            now = f'Here: "{text}".'
        elif stage == 1:
            now = f"Here {who} is {numbers['ids'][lane]}."
        elif stage in (2, 3):
            now = f"Here the vector of {who} has length {length[stage - 2]}."
        elif stage in (4, 6):
            now = f"Here {who} looks at {_looks(tokens, numbers['weights'][block - 1][lane], 3)} ({heads})."
        elif stage in (5, 7):
            now = f"Here {numbers['awake'][block - 1][lane]} of the 64 of {who} stay above 0, " \
                  f"and its vector goes from length {length[stage - 3]} to {length[stage - 2]}."
        elif stage == 8:
            now = f"Here {who} arrives with length {length[-1]}."
        elif stage == 9:
            now = "Here: " + ", ".join(f"{word} {fixed(score, 2)}" for word, score in zip(best, numbers["scores"], strict=True)) + "."
        elif stage == 10:
            now = f"Here: {shares}, the {numbers['others']} others {fixed(numbers['rest'], 2)}."
        elif best[0] == "full stop":
            now = f'Here the full stop comes, with {top}, and the sentence is finished: "{text}."'
        else:
            now = f'Here {best[0]}, with {top}: "{text} {best[0]}".'
        title = numbers["title"]
        return f"{title[0].upper()}{title[1:]}: {numbers['shape']}. {numbers['says']} {now}"

    @staticmethod
    def conditions(numbers):
        if numbers["here"] == "00":
            return [goal(f"the part for scores and weights: open is {numbers['title']}", numbers["stage"] == 10)]
        last = len(numbers["tokens"]) - 1
        token, weight = numbers["tokens"][numbers["lane"]], numbers["weights"][1][last][2]
        heads = f"head {numbers['head']}" if numbers["head"] else "the mean of four heads"
        return [rule(f"the last token’s lane: now {_called(token)}", numbers["lane"] == last),
                goal(f"dogs above 0.98 in block 2: by {heads} {fixed(weight, 2)}", weight > 0.98)]

    @staticmethod
    def lesson(numbers):
        if numbers["here"] == "00":
            return f"Softmax: scores become weights, and {_called(numbers['best'][0])} has the largest, {fixed(numbers['shares'][0], 2)}. " \
                   "This lecture moves three such scores, and lecture 01 builds the function."
        tokens, weight = numbers["tokens"], numbers["weights"][1][-1][2]
        return f"Head {numbers['head']} of block 2 looks past the nearer noun at the subject: {tokens[-1]} gives " \
               f"{fixed(weight, 2)} to dogs, and next comes " \
               f"{_called(numbers['best'][0])}. Notebook 11 takes heads away and counts what breaks."

    @staticmethod
    def still(numbers):
        names = [_called(token) for token in numbers["tokens"]]
        return side_by_side(cells("who looks at whom, in block 2", names, names, numbers["weights"][1], size=(46, 34)),
                            bars("the next word", numbers["best"], numbers["shares"], width=56, reach=1))


def _called(token):
    return "full stop" if token == "." else token


def _looks(tokens, weights, n):
    """The n largest weights of a row, in words."""
    order = sorted((j for j in range(len(tokens)) if weights[j] > 0.005), key=lambda j: -round(weights[j], 6))[:n]
    return ", ".join(f"{_called(tokens[j])} {fixed(weights[j], 2)}" for j in order)
