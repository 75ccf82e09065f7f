"""What notebook 11 says in words is computed there; laws of the heads that it silences."""

import json
import re

import numpy as np
import pytest
from helpers import ROOT, cells, names_of, run, script, shown

from course_utils.attention import softmax
from course_utils.data import grammar
from course_utils.data.starts import starts
from course_utils.exercises import EXERCISES, mine
from course_utils.instruments import NextWord
from course_utils.models.language_model import Config, forward, new_model, next_log_probs, scores_of, train

NAME = "11_language_model"
CONFIG = Config(len(grammar.WORDS))
PARAMS = new_model(np.random.default_rng(0), CONFIG)


# The training is the course's own, of all sentences at once, and not of one after the other: a test below holds both equal.
BATCH_AT_ONCE = ("scores = lm.scores_of(forward, params, inputs, config) ", "return lm.loss_and_gradients(params, batch, config) ")


@pytest.fixture
def room():
    """All names of the notebook after its code cells were run."""
    return names_of(NAME, (BATCH_AT_ONCE, ("for seed in range(100)", "for seed in range(5)")))


def after_block_1(n, sentence):
    """The key of block 2 at token 2, which is all that it hears of the vector there."""
    return forward(n["params"], grammar.encode(sentence), n["config"])[1][1]["K"][:, 2]


def first_guesses(n):
    """(mean largest probability, share of places where the likeliest word is right) of the first batch, before it was learned from."""
    batch = n["texts"][np.random.default_rng(2).integers(len(n["texts"]), size=32)]
    P, targets = softmax(scores_of(n["forward"], n["untrained"], batch[:, :-1], n["config"])), batch[:, 1:]
    return P.max(axis=-1)[targets >= 0].mean(), (P.argmax(axis=-1) == targets)[targets >= 0].mean()


def says_singular(n, *heads):
    """After how many of the beginnings the likeliest verb is a singular one, without these heads."""
    rest = HEADS.without(n["params"], heads, n["config"])
    return sum(n["agrees"](next_log_probs(rest, tokens, n["config"]), 0) for tokens in n["prompts"])


# {a sentence of the notebook: what it says, computed from the notebook's own names}
SAID = {
    "Our language has 33 words": lambda n: len(grammar.WORDS) == 33,
    "Nouns surprise most: twelve may come": lambda n: len(grammar.following(("subject",))) == 12,
    "five words before the verb": lambda n: len(n["prompt"]) - 2 == 5 and grammar.WORDS[n["prompt"][2]] == "dogs",
    "Seven guesses from one reading": lambda n: len(n["inputs"]) == 7,
    "an id is only a name: 8 is not twice 4": lambda n: grammar.WORDS[8] == "dogs" and grammar.WORDS[4] == "today",
    '"the" stands at places 1 and 4, with slopes 2 and 5': lambda n: (np.flatnonzero(n["inputs"] == 1).tolist(), n["dX"][[1, 4], 0].tolist())
    == ([1, 4], [2, 5]),
    "At the first step it costs 4.33 nats": lambda n: round(n["losses"][0], 2) == 4.33,
    "log 33 = 3.50": lambda n: round(np.log(33), 2) == 3.5,
    "By chance these 500 cost the rules less than the entropy": lambda n: n["reached"]["rules"][0] < n["entropy"] and len(n["new_texts"]) == 500,
    "so some of these were read in training": lambda n: 0 < len(n["unseen"]) < 400 and not {*map(tuple, n["unseen"])} & {*map(tuple, n["texts"])},
    "There are few different short ones": lambda n:
        (n["unseen"] >= 0).sum() / len(n["unseen"]) > (n["new_texts"] >= 0).sum() / len(n["new_texts"]) + 1,
    "Your model is close behind the rules, on the unseen too": lambda n: all(0 < m - r < 0.03 for m, r in behind(n, "your model")),
    "Counting stays far off, furthest there": lambda n: all(0.2 < a - r < b - s for (a, r), (b, s) in (behind(n, "bigram"), behind(n, "trigram"))),
    "200 unseen beginnings": lambda n: not {tuple(t) for t in n["prompts"]} & {tuple(row[:i]) for row in n["texts"].tolist() for i in range(15)},
    "Counting does worse than a coin, which would get 100": lambda n: max(right(n, n["bigram"]), right(n, n["trigram"])) < 100,
    "whose nearest noun has the *other* number": lambda n: all(last_noun(t) == 1 - m for t, m in zip(n["prompts"], n["numbers"], strict=True)),
    "the subject, token 2": lambda n: all(grammar.NUMBER[grammar.WORDS[t[2]]] == m for t, m in zip(n["prompts"], n["numbers"], strict=True)),
    "its 8 rows of $W_O$": lambda n: n["config"].D // n["config"].H == 8,
    "Head 4 of block 1 hardly looks at the subject, and is missed most": lambda n: n["looks"][0, 3] < 0.1
    and min((n["without"]((b, h)), b, h) for b in (1, 2) for h in (1, 2, 3, 4))[1:] == (1, 4),
    "Head 3 of block 2 looks there with .89, and is not missed": lambda n: round(n["looks"][1, 2], 2) == 0.89 and n["without"]((2, 3)) == 200,
    "Much hangs on it only once head 2 is gone": lambda n: n["without"]((2, 2), (2, 3)) < n["without"]((2, 2)) - 20,
    "(81, less than a coin: 193 of 200 are singular.)": lambda n: (n["without"]((2, 2), (2, 3)), says_singular(n, (2, 2), (2, 3)))
    == (81, 193),
    "But head 1, which gives the subject nothing, is missed nearly as much then": lambda n: n["looks"][1, 0] < 0.005
    and n["without"]((2, 2), (2, 3)) < n["without"]((2, 2), (2, 1)) < n["without"]((2, 2), (2, 3)) + 20,
    "without head 4 *more* stay right": lambda n: n["without"]((2, 2), (2, 4)) > n["without"]((2, 2)) + 20,
    "In 9 of 10 starts both lookers together are missed, in 6 the first alone, in 2 the second":
        lambda n: [starts("subject_heads")[k] for k in ("both missed", "starts", "best missed", "second missed")] == [9, 10, 6, 2],
    "its likeliest word gets .17 on average": lambda n: round(first_guesses(n)[0], 2) == 0.17,
    "1/33 = .03": lambda n: round(1 / 33, 2) == 0.03,
    "and is almost always wrong": lambda n: first_guesses(n)[1] < 0.01,
    "Greedy takes the likeliest word each time, and misses it": lambda n: len(n["ways"]["beam of 32"]) < len(n["ways"]["greedy"]),
    "its vector after block 1 stays": lambda n: np.allclose(after_block_1(n, "the bears run"), after_block_1(n, "the bears near the cat")),
    "this model itself has 16 places": lambda n: len(n["params"]["R"]) == 16,
    "warms up to nearly .01": lambda n: 0.0095 < max(0.01 * min(1, s / 40) * (1 + np.cos(np.pi * s / 400)) / 2 for s in range(1, 401)) < 0.01,
    "numbers for each token, here 128": lambda n: 2 * n["config"].L * n["config"].D == 128,
    "Keep three things: the largest score so far": lambda n: np.isclose(n["output"] / n["total"], n["probabilities"](n["scores"]) @ n["values"]),
}


def behind(n, name):
    """(nats of a reader, nats of the rules) on all 500 and on the unseen."""
    return list(zip(n["reached"][name], n["reached"]["rules"], strict=True))


def last_noun(tokens):
    nouns = {word for pair in grammar.NOUNS for word in pair}
    return [grammar.NUMBER[grammar.WORDS[t]] for t in tokens if grammar.WORDS[t] in nouns][-1]


def right(n, reader):
    return sum(n["agrees"](reader(tokens), m) for tokens, m in zip(n["prompts"], n["numbers"], strict=True))


@pytest.mark.parametrize("sentence", SAID)
def test_what_the_text_says_is_so(room, sentence):
    text = "\n".join(cell.source for cell in cells(NAME, "markdown")).replace("$\\log 33 = 3.50$", "log 33 = 3.50")
    assert re.search(re.escape(sentence), text, flags=re.IGNORECASE), sentence
    assert SAID[sentence](room)


def test_what_the_predictions_say_is_so(room):
    asked = json.loads((ROOT / "course_utils" / "cards" / "predictions" / f"{NAME}.json").read_text(encoding="utf-8"))
    assert [len([o for o in question["options"] if o.get("right")]) for question in asked.values()] == [1] * 4
    assert room["looks"][1].round(2).tolist()[1:3] == [0.98, 0.89]
    p = np.exp(room["bigram"](room["prompt"]))
    assert p[grammar.verbs(0)].sum() > 3 * p[grammar.verbs(1)].sum()
    assert len(grammar.text(room["ways"]["beam of 32"]).split()) == 4                  # three words and the full stop
    drawn = grammar.sentences(np.random.default_rng(5), 2000)
    assert 6 < np.median((drawn[:, 1:] >= 0).sum(axis=1)) - 1 < 8                      # "about seven words"


def test_the_find_is_there(room):
    """After "the dogs that the cat" head 2 of block 2 looks most at the second noun, and the verb is singular."""
    found = NextWord(room["params"], room["config"], 2, 2, words=["the", "dogs", "that", "the", "cat"])
    numbers = found.compute(found.state)
    assert (numbers["most"], numbers["verbs"][0] > 0.9) == (5, True)
    first = NextWord(room["params"], room["config"], 2, 2)
    assert first.compute(first.state)["most"] == 2                                     # and it does not stand there at the start


def test_the_cell_after_the_instrument_computes_with_what_the_hand_did(room):
    source = next(cell.source for cell in cells(NAME, "code") if "explorer.state" in cell.source)
    moved = NextWord(room["params"], room["config"], 2, 2, words=["the", "cat", "near", "the", "dogs"])
    said = run(source, {**room, "explorer": moved})
    assert said[0] == "the cat near the dogs"
    assert grammar.NUMBER[said[1].split()[0]] == 0


def test_one_loop_of_training_is_that_of_the_course(room):
    """The notebook's loop, with the model that students build, is `train`, here for 20 steps; and what it comes to is what is printed there."""
    cell = {cell.id.removeprefix("10-co-"): cell for cell in cells(NAME, "code")}
    params = new_model(np.random.default_rng(12), CONFIG, dtype=float)
    losses = [loss for _, loss in train(params, room["texts"], CONFIG, np.random.default_rng(2), steps=20)]
    names = dict(room)
    for source in (cell["loss-and-gradients"].source, cell["train"].source.replace("401", "21").replace("40)", "2)").replace("400", "20")):
        run(source, names)
    np.testing.assert_allclose(names["losses"], losses, rtol=1e-9)
    for name in params:
        np.testing.assert_allclose(names["params"][name], params[name], rtol=1e-6, atol=1e-9)
    told = re.findall(r"mean surprise ([\d.]+)", shown(cell["train"]))
    assert [f"{np.mean(room['losses'][step - 50:step]):.2f}" for step in (100, 200, 300, 400)] == told


# Heads, one at a time and together

HEADS = script("make_starts.py").load("subject_heads")


def test_a_silenced_head_adds_nothing_and_the_parameters_stay_as_they_were():
    tokens = grammar.encode("the dogs that see the cat")
    rest = HEADS.without(PARAMS, [(2, 3)], CONFIG)
    changed = [name for name in PARAMS if not np.array_equal(rest[name], PARAMS[name])]
    assert changed == ["2.W_O"]
    mixed = forward(PARAMS, tokens, CONFIG)[1][1]["M"].copy()
    mixed[:, 16:24] = 0                                                     # what head 3 brings, set to 0 instead of its rows
    np.testing.assert_allclose(mixed @ PARAMS["2.W_O"], forward(PARAMS, tokens, CONFIG)[1][1]["M"] @ rest["2.W_O"], atol=1e-6)
    both = HEADS.without(PARAMS, [(2, 3), (2, 1)], CONFIG)
    assert (both["2.W_O"] == 0).all(axis=1).sum() == 16


def test_the_counts_of_silenced_heads_are_those_that_are_stored(room):
    """The notebook's model is not among the ten."""
    told = starts("subject_heads")
    weights, (everyone, best, second, both), nats = HEADS.measure(*(room[name] for name in ("params", "texts", "prompts", "numbers", "config")))
    np.testing.assert_array_less(weights.sum(axis=(1, 2)), CONFIG.L * CONFIG.H)
    assert everyone >= HEADS.NEARLY_ALL
    assert 0 < nats < HEADS.NEAR
    assert both <= min(best, second)
    assert told["both missed"] > max(told["best missed"], told["second missed"])
    assert told["median right without both"] < told["median right without best"] < told["median right without second"]


def test_the_notebook_says_what_ten_starts_say():
    text = "\n".join(shown(cell) for cell in cells(NAME, "code"))
    told = starts("subject_heads")
    words = {"nats of the rules": "near the rules", "190 of 200 right": "nearly all right", "more than half": "one head looks",
             "two or more heads do": "two or more look", "looks most": "best missed", "without the second": "second missed",
             "without both": "both missed"}
    for said, name in words.items():
        assert re.search(rf"{said}: (\d+)", text)[1] == str(told[name])


# The model that students put together

WRITTEN = """
def my_forward(tokens, params, blocks, n_heads):
    T = len(tokens)
    X = params["W_E"][tokens] + params["R"][:T]
    mask = causal_mask(T)
    for b in blocks:
        I = layer_norm(X, b["gamma_1"], b["beta_1"], 1e-5)
        Q, K, V = [split_heads(I @ b["W_" + n] + b["b_" + n], n_heads) for n in "QKV"]
        heads = np.stack([masked_attention(q, k, v, mask)[0] for q, k, v in zip(Q, K, V)])
        A = merge_heads(heads) @ b["W_O"] + b["b_O"]
        Z = X + A
        I = layer_norm(Z, b["gamma_2"], b["beta_2"], 1e-5)
        X = Z + feed_forward(I, b["W_1"], b["b_1"], b["W_2"], b["b_2"])
    Y = layer_norm(X, params["gamma"], params["beta"], 1e-5)
    return Y @ params["W_out"] + params["b_out"]
"""


@pytest.mark.parametrize(("right", "slip", "named"), [
    ("", "", None),
    ('layer_norm(X, b["gamma_1"], b["beta_1"], 1e-5)', "X", "first norm forgotten"),
    ('layer_norm(Z, b["gamma_2"], b["beta_2"], 1e-5)', "Z", "second norm forgotten"),
    ("Z = X + A", "Z = A", "first skip forgotten"),
    ("X = Z + feed", "X = feed", "second skip forgotten"),
    ("X = Z + feed", "X = X + feed", "second skip from X"),
    ("layer_norm(Z, b", "layer_norm(X, b", "both halves read X"),
    ("Z = X + A", "Z = I + A", "first skip starts after the norm"),
    ("X = Z + feed", "X = I + feed", "second skip starts after the norm"),
])
def test_a_slip_in_the_wiring_of_a_block_is_named(right, slip, named):
    names = {"np": np, **{part: getattr(mine, part) for part in EXERCISES["forward"].parts}}
    exec(WRITTEN.replace(right, slip) if right else WRITTEN, names)
    found = EXERCISES["forward"].check(names["my_forward"])
    assert (found.status, found.mistake) == (("wrong", named) if named else ("correct", None))


@pytest.mark.parametrize("heads", ["np.stack([masked_attention(q, k, v, mask) for", "([masked_attention(q, k, v, mask) for"])
def test_who_takes_output_and_weights_for_one_thing_is_asked(heads):
    names = {"np": np, **{part: getattr(mine, part) for part in EXERCISES["forward"].parts}}
    exec(WRITTEN.replace("np.stack([masked_attention(q, k, v, mask)[0] for", heads), names)
    assert "give back two things?" in EXERCISES["forward"].check(names["my_forward"]).message
