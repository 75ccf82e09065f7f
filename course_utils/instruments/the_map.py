"""The whole machine in one picture, into which one can walk: machine, block, head, one score.

A sentence of the reader's own words flows to the next word, which is fed back; every part opens.
"""

import json
from importlib.resources import files
from typing import Any

import numpy as np

from course_utils.arguments import ArgumentError
from course_utils.attention import softmax
from course_utils.data.grammar import END, WORDS, encode
from course_utils.data.opened_chat import LETTERS
from course_utils.instruments.instrument import Condition, Instrument, Numbers, State, goal, rule
from course_utils.instruments.rounding import fixed
from course_utils.instruments.stills import bars, cells, side_by_side
from course_utils.models.language_model import Config, block, forward

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
MACHINE, BLOCK, HEAD, SCORE = range(4)  # the levels
# The question of each lecture, what is to be reached (see `conditions`), why, and the station at
# which the map opens. None: where no lecture is told.
QUESTIONS: dict[str | None, tuple[str, tuple[str, Any, str], str, State]] = {
    None: (
        "The next verb must fit dogs, not the nearer cat. Find the head of block 2 through which"
        " the last token gives dogs more than 0.90 of its weight.",
        ("subject", 0.9, "dogs above 0.90 in block 2"),
        "Notebook 11 takes heads away and counts what breaks.",
        {},
    ),
    "00": (
        "One part turns any numbers into shares that sum to 1. Find it, and press it.",
        ("part", "softmax", "the part that is asked for"),
        "This lecture moves three such scores, and lecture 01 builds the function.",
        {},
    ),
    "01": (
        "Open one score by which a word gives another word more than 0.90 of its weight.",
        ("weight", 0.9, "another word’s weight above 0.90"),
        "A weight is large where the score is larger than all others of its row.",
        {"stage": 4, "level": HEAD, "head": 1},
    ),
    "02": (
        "Open one score in which query and key have a product above 8.",
        ("product", 8, "a product above 8"),
        "Query and key point the same way where their large numbers have one sign.",
        {"stage": 4, "level": HEAD, "head": 1},
    ),
    "03": (
        "Open one score that is above 10 before the scale.",
        ("product", 10, "a product above 10"),
        "The scale √4 halves it. Undivided, its e to the power would leave the others nothing.",
        {"stage": 6, "level": SCORE, "head": 1},
    ),
    "04": (
        "Open one score that the mask forbids.",
        ("masked", 0, "a score that is forbidden"),
        "What comes later is not known when the next word is guessed.",
        {"stage": 6, "level": HEAD, "head": 3},
    ),
    "05": (
        "Each head asks its own question. Find the head of this block through which the last token"
        " gives dogs more than 0.90 of its weight.",
        ("subject", 0.9, "dogs above 0.90 in block 2"),
        "The other heads of the block look elsewhere at the same time.",
        {"stage": 6, "level": BLOCK},
    ),
    "06": (
        "One part gives every token one mean and one spread. Find it, and press it.",
        ("part", "norm", "the part that is asked for"),
        "Without it, what all the parts add would grow from block to block.",
        {},
    ),
    "08": (
        "Up to one part the two words “the” have the same vector. Press that part.",
        ("part", "places", "the part that is asked for"),
        "Attention itself does not know where a token stands.",
        {},
    ),
    "09": (
        "In larger models experts stand in the place of one part. Find it, and press it.",
        ("part", "feed-forward", "the part that is asked for"),
        "It works on each token alone, so each token may have its own expert.",
        {},
    ),
    "10": (
        "One part of those that are lit has nothing to learn. Find it, and press it.",
        ("part", "softmax", "the part that is asked for"),
        "It has no matrix. But gradients pass through it to all that stand before.",
        {},
    ),
    "11": (
        "Change the sentence so that the likeliest next word is a verb for one animal.",
        ("next", "sees", "a verb for one animal"),
        "It follows the subject: one head looks for that, however far away it stands.",
        {},
    ),
    "12": (
        "Open a score that the mask here hides, but the real model below, which has no mask, uses.",
        ("masked", 0, "a score that is forbidden here"),
        "Without a mask a word's vector takes in what follows it, too.",
        {"stage": 4, "level": HEAD, "head": 1},
    ),
    "13": (
        "In one part words become whole numbers. Find it, and press it.",
        ("part", "ids", "the part that is asked for"),
        "Whatever is not in the list of tokens cannot be read.",
        {},
    ),
    "14": (
        "Today's models turn queries and keys, instead of adding places. In which part? Press it.",
        ("part", "attention", "the part that is asked for"),
        "Only there do queries meet keys.",
        {},
    ),
    "15": (
        "Let the machine write until the full stop is the likeliest.",
        ("next", ".", "the full stop comes"),
        "Each word is one pass through the whole machine.",
        {},
    ),
    "17": (
        "An assistant is rewarded for the words that it says. In which part is one taken?",
        ("part", "word", "the part that is asked for"),
        "What is learned then changes the parts before it, so that other words get large shares.",
        {},
    ),
}
QUESTIONS |= {"07": QUESTIONS[None]}
QUESTIONS |= {"16": (*QUESTIONS["05"][:2], QUESTIONS[None][2], QUESTIONS["05"][3])}
ATTENTION = (
    "attention",
    "(T, 16) → Q, K, V (4, T, 4) → weights (4, T, T) → (T, 16)",
    ["01", "02", "03", "04", "05", "14"],
    (
        "Each token asks itself and all before it, and adds an average of what they send to its"
        " lane; a ribbon is as wide as its weight. No ribbon comes from a later token: that is the"
        " mask."
    ),
)
FEED_FORWARD = (
    "feed-forward",
    "(T, 16) → (T, 32) → (T, 16)",
    ["07", "09", "14"],
    (
        "Each token by itself: 16 numbers become 32, those below 0 become 0, and 16 come back and"
        " are added to its lane. Some larger models have several such networks (notebook 09)."
    ),
)
# The stages of the flow: name, shapes, lectures, what it does in two sentences.
STAGES = [
    (
        "text",
        "T tokens",
        ["13"],
        (
            "The sentence is cut into tokens: here each word is one, and so is the full stop before"
            " it. Larger models cut rare words into pieces."
        ),
    ),
    (
        "ids",
        "T tokens → (T,)",
        ["13"],
        (
            "Each token is replaced by its number in the list of all 33. From here on there are"
            " only numbers."
        ),
    ),
    (
        "vectors",
        "(T,) → (T, 16)",
        ["01", "11"],
        (
            "Each number picks its row of a learned table, W_E (33, 16): the token's vector. "
            "It opens a lane, the residual stream: all that follows is added to it."
        ),
    ),
    (
        "places",
        "(T, 16) → (T, 16)",
        ["08"],
        (
            "So that a token tells where it stands, the row of its place in a learned table, R (16,"
            " 16), is added. Other models turn queries and keys instead."
        ),
    ),
    ATTENTION,
    FEED_FORWARD,
    ATTENTION,
    FEED_FORWARD,
    (
        "norm",
        "(T, 16) → (T, 16)",
        ["06"],
        (
            "Each token's 16 numbers get mean 0 and standard deviation 1, then a learned gain and"
            " bias. A norm stands before every attention and feed-forward, too."
        ),
    ),
    (
        "head",
        "(T, 16) → (T, 33)",
        ["07", "11"],
        (
            "Each token's vector times W_out (16, 33) gives a score to every word of the list. "
            "Only the last token's row is needed: the next word follows it."
        ),
    ),
    (
        "softmax",
        "(33,) → (33,)",
        ["00", "01"],
        (
            "The scores of the last row become shares that sum to 1: e to the power of each,"
            " divided by their sum. Only differences of scores count."
        ),
    ),
    (
        "word",
        "(33,) → 1 token",
        ["07", "11", "15"],
        (
            "The word with the largest share is taken. It is fed back to the end of the text, and"
            " all begins again with one lane more."
        ),
    ),
]
WHOLE = len(STAGES)  # the stage at which nothing is open
CONFIG = Config(n_vocab=len(WORDS), D=16, H=4, d_ff=32)
FEWEST, MOST = 3, 6  # words of a sentence; with the full stop before it, seven lanes


def _stored():
    return json.loads(files("course_utils.data").joinpath("map.json").read_text(encoding="utf-8"))


STORED = _stored()


def _parameters():
    """The model's parameters, as scripts/make_map.py stores them: {name: array}."""
    wholes = iter([LETTERS.index(letter) - 32 for letter in STORED["letters"]])
    return {
        name: np.array([next(wholes) for _ in range(int(np.prod(shape)))], float).reshape(shape)
        * step
        for name, (step, *shape) in STORED["arrays"].items()
    }


PARAMS = _parameters()


class TheMap(Instrument):
    """A language model as notebook 11 trains it, half as wide, on its way through one sentence;
    `TheMap("04")` opens at the station of a notebook, with its question.

    scripts/make_map.py trained it.

    State: words, the reader's own sentence of three to six words; text, how many words the machine
    has written behind it; stage that is open, 12 for none; level: 0 the machine, 1 a block, 2 a
    head, 3 one score; lane that is picked, None for the last; head whose weights the ribbons show,
    0 for the mean of all four; key of the score, None for that of the largest weight.
    """

    heading_level = 2  # it opens a lecture, below the title
    challenge = QUESTIONS[None][0]

    def __init__(self, here: str | None = None, **changes: Any) -> None:
        if here is not None and here not in LECTURES:
            raise ArgumentError(
                "here",
                repr(here),
                f'the number of a notebook, "{min(LECTURES)}" to "{max(LECTURES)}"',
            )
        self.here = here
        self.challenge, asked, self.why, self.station = QUESTIONS[here]
        self.kind, self.limit, self.asks = asked
        super().__init__(**changes)

    def data(self) -> dict[str, Any]:
        """The model, the stages in words, the lectures, and the one in which the map stands."""
        _, about, lights = LECTURES.get(self.here or "", ("", "", []))
        return STORED | {
            "stages": [
                {"name": name, "shape": shape, "lectures": lectures, "says": says}
                for name, shape, lectures, says in STAGES[:6] + STAGES[8:]  # both blocks are alike
            ],
            "lectures": {number: file for number, (file, *_) in LECTURES.items()},
            "here": {
                "number": self.here,
                "about": about,
                "lights": lights,
                "kind": self.kind,
                "limit": self.limit,
                "asks": self.asks,
                "why": self.why,
                "words": self.start()["words"],
            },
        }

    def start(self) -> State:
        return {
            "words": ["the", "dogs", "near", "the", "cat"],
            "text": 0,
            "stage": WHOLE,
            "level": MACHINE,
            "lane": None,
            "head": 0,
            "key": None,
        } | self.station

    def again(self, parts: Any = None) -> dict[str, float]:
        """The five likeliest next words of the sentence as it stands now, {word: probability}.

        parts: functions of your own by which the model runs, such as `mine`: layer_norm,
        split_heads, causal_mask, masked_attention, merge_heads, feed_forward and softmax. Without
        them the course's run.

        >>> max(TheMap().again().values()) < 0.2
        True
        """
        tokens = _written(self.state)[0]
        logits = forward(PARAMS, tokens, CONFIG)[0] if parts is None else _by(parts, tokens)
        shares = (softmax if parts is None else parts.softmax)(logits[-1])
        return {WORDS[i]: float(shares[i]) for i in np.argsort(-shares, kind="stable")[:5]}

    def compute(self, state: State) -> Numbers:
        stage, level, head = state["stage"], state["level"], state["head"]
        name, shape, _, says = STAGES[stage] if stage < WHOLE else ("the whole machine", "", [], "")
        tokens, logits, tape = _written(state)
        T, inside = len(tokens), _block_of(stage)
        lane = T - 1 if state["lane"] is None else min(state["lane"], T - 1)
        heads = np.array([kept["A"] for kept in tape])  # (2, 4, T, T)
        weights = heads[:, head - 1] if head else heads.mean(axis=1)
        shares = softmax(logits)
        best = np.argsort(-shares, kind="stable")[:5]
        at = [inside or 2, head or 1]
        kept = tape[at[0] - 1]
        Q, K, V, A = (kept[letter][at[1] - 1] for letter in "QKVA")
        key = int(np.argmax(A[lane].round(9))) if state["key"] is None else min(state["key"], T - 1)
        products = Q @ K.T
        return {
            "stage": stage,
            "level": level,
            "title": f"{name}, block {inside}" if inside else name,
            "name": name,
            "block": inside,
            "says": says,
            "shape": shape.replace("T", str(T)),
            "words": state["words"],
            "tokens": [WORDS[i] for i in tokens],
            "ids": tokens,
            "lane": lane,
            "head": head,
            "weights": weights,
            "lengths": np.linalg.norm(_streams(tokens, tape), axis=-1),
            "awake": np.array([(kept["hidden"][0] > 0).sum(axis=-1) for kept in tape]),
            "best": [WORDS[i] for i in best],
            "scores": logits[best],
            "shares": shares[best],
            "rest": 1 - shares[best].sum(),
            "others": len(WORDS) - 5,
            "at": at,
            "heads": kept["A"],
            "Q": Q,
            "K": K,
            "V": V,
            "A": A,
            "products": products,
            "scaled": products / np.sqrt(CONFIG.D // CONFIG.H),
            "output": A @ V,
            "key": key,
            "masked": key > lane,
        }

    def describe(self, numbers: Numbers) -> str:
        level, tokens, lane = numbers["level"], numbers["tokens"], numbers["lane"]
        who, (number, head) = _called(tokens[lane]), numbers["at"]
        if level == BLOCK:
            looks = ", ".join(_looks(tokens, A[lane], 1) for A in numbers["heads"])
            before, between, after = (
                fixed(row[lane], 1) for row in numbers["lengths"][2 * number - 1 : 2 * number + 2]
            )
            return (
                f"Block {number}: by heads 1 to 4 {who} looks most at {looks}. Its vector goes from"
                f" length {before} to {between} by attention, and to {after} by feed-forward"
                f" ({numbers['awake'][number - 1][lane]} of 32 units above 0)."
            )
        if level == HEAD:
            output = ", ".join(fixed(x, 1) for x in numbers["output"][lane])
            return (
                f"Head {head} of block {number}: the query of {who} meets the keys up to its own."
                f" Its largest weights are {_looks(tokens, numbers['A'][lane], 3)}; the output, an"
                f" average of the values, is {output}."
            )
        if level == SCORE:
            pair = f"{who} asks {_called(tokens[numbers['key']])} by head {head} of block {number}:"
            if numbers["masked"]:
                return f"{pair} it comes later, so the mask makes the score -∞, and the weight 0."
            product, score, weight = (
                fixed(numbers[name][lane][numbers["key"]], 2)
                for name in ("products", "scaled", "A")
            )
            return (
                f"{pair} query times key is {product}, divided by √4 {score}, and the softmax of"
                f" the row makes that the weight {weight}."
            )
        return self._machine(numbers)

    def _machine(self, numbers):
        stage, block, tokens, lane = (
            numbers["stage"],
            numbers["block"],
            numbers["tokens"],
            numbers["lane"],
        )
        text, who, best = (
            " ".join(tokens[1:]),
            _called(tokens[lane]),
            [_called(word) for word in numbers["best"]],
        )
        top = fixed(numbers["shares"][0], 2)
        heads = f"head {numbers['head']}" if numbers["head"] else "mean of four heads"
        length = [fixed(row[lane], 1) for row in numbers["lengths"]]
        shares = ", ".join(
            f"{word} {fixed(share, 2)}" for word, share in zip(best, numbers["shares"], strict=True)
        )
        if stage == WHOLE:
            looks, next_word = (
                _looks(tokens, numbers["weights"][1][lane], 1),
                best[0].replace("full", "the full"),
            )
            about = LECTURES[self.here][1] if self.here else ""
            here = f"You are here: lecture {self.here}, {about}. " if self.here else ""
            return (
                f'{here}"{text}" goes in, and {next_word} comes out, with {top} of all shares, and'
                f" is fed back. In block 2 {who} looks most at {looks} ({heads})."
            )
        if stage == 0:
            now = f'Here: "{text}".'
        elif stage == 1:
            now = f"Here {who} is {numbers['ids'][lane]}."
        elif stage in (2, 3):
            now = f"Here the vector of {who} has length {length[stage - 2]}."
        elif stage in (4, 6):
            now = (
                f"Here {who} looks at {_looks(tokens, numbers['weights'][block - 1][lane], 3)}"
                f" ({heads})."
            )
        elif stage in (5, 7):
            now = (
                f"Here {numbers['awake'][block - 1][lane]} of the 32 of {who} stay above 0, "
                f"and its vector goes from length {length[stage - 3]} to {length[stage - 2]}."
            )
        elif stage == 8:
            now = f"Here {who} arrives with length {length[-1]}."
        elif stage == 9:
            now = (
                "Here: "
                + ", ".join(
                    f"{word} {fixed(score, 2)}"
                    for word, score in zip(best, numbers["scores"], strict=True)
                )
                + "."
            )
        elif stage == 10:
            now = f"Here: {shares}, the {numbers['others']} others {fixed(numbers['rest'], 2)}."
        elif best[0] == "full stop":
            now = f'Here the full stop comes, with {top}, and the sentence is finished: "{text}."'
        else:
            now = f'Here {best[0]}, with {top}: "{text} {best[0]}".'
        title = numbers["title"]
        return f"{title[0].upper()}{title[1:]}: {numbers['shape']}. {numbers['says']} {now}"

    def conditions(self, numbers: Numbers) -> list[Condition]:
        kind, limit, asks = self.kind, self.limit, self.asks
        tokens, lane, key, best = (numbers[name] for name in ("tokens", "lane", "key", "best"))
        if kind == "part":
            return [goal(f"{asks}: open is {numbers['title']}", numbers["name"] == limit)]
        if kind == "next":
            holds = best[0] == "." if limit == "." else _is_singular(best[0])
            return [goal(f"{asks}: now {_called(best[0])}", holds)]
        if kind == "subject":
            weight = numbers["weights"][1][-1][2]
            by = f"head {numbers['head']}" if numbers["head"] else "the mean of four heads"
            return [
                rule("the sentence as it opened", numbers["words"] == self.start()["words"]),
                goal(f"{asks}: by {by} {fixed(weight, 2)}", weight > limit),
            ]
        value = {
            "weight": 0 if lane == key else numbers["A"][lane][key],
            "product": 0 if numbers["masked"] else numbers["products"][lane][key],
            "masked": int(numbers["masked"]),
        }[kind]
        pair = f"{_called(tokens[lane])} → {_called(tokens[key])}"
        shown = "" if kind == "masked" else f" {fixed(value, 2)}"
        return [goal(f"{asks}: {pair}{shown}", numbers["level"] == SCORE and value > limit)]

    def lesson(self, numbers: Numbers) -> str:
        tokens, lane, key = numbers["tokens"], numbers["lane"], numbers["key"]
        best = _called(numbers["best"][0])
        who, whom, (number, head) = _called(tokens[lane]), _called(tokens[key]), numbers["at"]
        if self.kind == "part":
            title = numbers["title"]
            done = f"{title[0].upper()}{title[1:]}: {numbers['shape']}"
        elif self.kind == "next":
            done = f"After “{' '.join(tokens[1:])}” comes {best}"
        elif self.kind == "subject":
            done = (
                f"Head {numbers['head']} of block 2 looks past the nearer noun at the subject:"
                f" {_called(tokens[-1])} gives {fixed(numbers['weights'][1][-1][2], 2)} to dogs,"
                f" and next comes {best}"
            )
        elif self.kind == "masked":
            done = f"{whom} comes after {who}, so {who} gives it the weight 0"
        elif self.kind == "product":
            done = f"Head {head} of block {number}, {who} times {whom}:"
            done += f" {_terms(numbers['Q'][lane], numbers['K'][key])}"
        else:
            weight = fixed(numbers["A"][lane][key], 2)
            done = f"By head {head} of block {number} {who} gives {whom} {weight}"
        return f"{done}. {self.why}"

    @staticmethod
    def still(numbers: Numbers) -> str:
        names = [_called(token) for token in numbers["tokens"]]
        return side_by_side(
            cells(
                "who looks at whom, in block 2",
                names,
                names,
                numbers["weights"][1],
                size=(46, 34),
                digits=-1,
            ),
            bars(
                "the next word", numbers["best"], numbers["shares"], width=56, reach=1, height=120
            ),
        )


def _written(state):
    """The tokens of a sentence with the words that the machine has written behind it, the scores
    (n_vocab,) of the next word, and the tape."""
    words = state["words"]
    if not FEWEST <= len(words) <= MOST or "." in words:
        raise ArgumentError(
            "words", repr(" ".join(words)), f"{FEWEST} to {MOST} words without a full stop"
        )
    tokens = [int(token) for token in encode(" ".join(words))]
    for k in range(state["text"] + 1):
        logits, (*tape, _) = forward(PARAMS, tokens, CONFIG)
        best = int(np.argsort(-softmax(logits[-1]), kind="stable")[0])
        if k == state["text"] or best == END or len(tokens) > MOST:
            break
        tokens = [*tokens, best]
    return tokens, logits[-1], tape


def _streams(tokens, tape):
    """The residual stream after each addition to it: (2 + 2 L, T, D)."""
    stream = [PARAMS["W_E"][tokens]]
    stream.append(stream[-1] + PARAMS["R"][: len(tokens)])
    for number, kept in enumerate(tape, start=1):
        p = block(PARAMS, number)
        stream.append(stream[-1] + kept["M"] @ p["W_O"] + p["b_O"])
        stream.append(stream[-1] + kept["said"][0])
    return np.array(stream)


def _by(parts, tokens):
    """The scores (T, n_vocab) of all next words, by the functions of exercises."""
    T = len(tokens)
    X = PARAMS["W_E"][tokens] + PARAMS["R"][:T]  # (T, D)
    mask = parts.causal_mask(T)
    for number in range(1, CONFIG.L + 1):
        p = block(PARAMS, number)
        I = parts.layer_norm(X, p["gamma_1"], p["beta_1"], 1e-5)
        Q, K, V = (parts.split_heads(I @ p[f"W_{z}"] + p[f"b_{z}"], CONFIG.H) for z in "QKV")
        heads = [parts.masked_attention(*head, mask)[0] for head in zip(Q, K, V, strict=True)]
        X = X + parts.merge_heads(np.array(heads)) @ p["W_O"] + p["b_O"]
        I = parts.layer_norm(X, p["gamma_2"], p["beta_2"], 1e-5)
        X = X + parts.feed_forward(I, p["W_1"], p["b_1"], p["W_2"], p["b_2"])
    Y = parts.layer_norm(X, PARAMS["gamma"], PARAMS["beta"], 1e-5)
    return Y @ PARAMS["W_out"] + PARAMS["b_out"]


def _block_of(stage):
    return 1 + (stage > 5) if 4 <= stage <= 7 else 0


def _is_singular(word):
    verb = WORDS.index(word) - WORDS.index("sees")
    return verb >= 0 and verb % 2 == 0


def _terms(a, b):
    """Two vectors' product, term by term."""
    products = " + ".join(f"{fixed(x, 2)}·{fixed(y, 2)}" for x, y in zip(a, b, strict=True))
    return f"{products} = {fixed(a @ b, 2)}"


def _called(token):
    return "full stop" if token == "." else token


def _looks(tokens, weights, n):
    """The n largest weights of a row, in words."""
    order = sorted(
        (j for j in range(len(tokens)) if weights[j] > 0.005), key=lambda j: -round(weights[j], 6)
    )[:n]
    names = [_called(token) if token == "." else f"“{token}”" for token in tokens]
    return ", ".join(f"{names[j]} {fixed(weights[j], 2)}" for j in order)
