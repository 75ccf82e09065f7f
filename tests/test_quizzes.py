"""A quiz a notebook: questions on it and on earlier ones, the same each time, whose looks give
nothing away."""

import re

import pytest
from helpers import NOTEBOOKS, cells

from course_utils.cards import carrier, look, questions

NAMES = list(questions.files("quizzes"))
ALL = [question for name in NAMES for question in questions.load("quizzes", name)]


def test_every_lecture_has_a_quiz_and_every_quiz_a_lecture():
    assert [name for name in NOTEBOOKS if name[0].isdigit()] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_quiz_asks_four_questions_on_its_core_and_from_02_on_two_on_earlier_lectures(name):
    asked = questions.load("quizzes", name)
    earlier = [question["from"] for question in asked if "from" in question]
    assert len({question["question"] for question in asked}) == len(asked)
    assert len(asked) - len(earlier) == 4
    assert len(earlier) == (2 if NAMES.index(name) >= 2 else 0)
    assert all(told in NAMES[: NAMES.index(name)] for told in earlier)


@pytest.mark.parametrize("name", NAMES)
def test_a_quiz_has_a_table_or_a_line_that_its_notebook_does_not_show(name):
    source = "\n".join(cell.source for cell in cells(name, "code"))
    own = [question for question in questions.load("quizzes", name) if "from" not in question]
    assert any("weights" in question or "code" in question for question in own)
    for question in own:
        lines = [
            line.partition("#")[0].strip()
            for line in question.get("code", "a new line").splitlines()
        ]
        assert any(line not in source for line in lines)


def test_the_numbers_of_a_table_are_shares():
    """Of 1, along each row or, where a row of weights is laid out as a picture, in all; up to what
    rounding does."""
    for question in ALL:
        rows, digits = [sum(row) for row in question.get("weights", [])], 0.005
        width = len(question.get("columns", []))
        assert (
            all(abs(row - 1) <= width * digits for row in rows)
            or abs(sum(rows) - 1) <= width * len(rows) * digits
        ), question


@pytest.mark.parametrize("name", NAMES)
def test_a_quiz_is_the_same_each_time_and_its_words_hold_no_answer(name):
    carrier.forget()
    card = questions.quiz(name)
    carrier.forget()
    assert questions.quiz(name).html == card.html
    words = card.html.partition("<script>")[0]
    asked = questions.load("quizzes", name)
    assert repr(card) == f"Quiz: {len(asked)} questions"
    for question in asked:
        assert look.inline(question["question"]) in words
        assert all(look.inline(option["text"]) in words for option in question["options"])
        assert not any(look.inline(option["why"]) in words for option in question["options"])
    assert "✓" not in words


def lengths(question):
    """(letters of the right option, those of the others)"""
    right, others = [], []
    for option in question["options"]:
        (right if option.get("right") else others).append(len(option["text"].replace("`", "")))
    return right[0], others


def test_no_option_is_called_by_a_letter():
    """Letters are for the choices: "A: row D" and "B: row A" would be heard as one another in a
    hall."""
    called = r"\b(?:rows?|columns?|heads?|tables?|texts?|words?) [A-D]\b|^[A-D]$"
    texts = [option["text"] for question in ALL for option in question["options"]]
    assert [text for text in texts if re.search(called, text)] == []


def test_the_options_of_a_question_are_of_like_length():
    for question in ALL:
        right, others = lengths(question)
        least, most = min(right, *others), max(right, *others)
        # four letters more or less say nothing: “1” beside “β + 1”
        assert most <= 1.5 * least or most - least <= 4, question


@pytest.mark.parametrize("name", NAMES)
def test_the_right_option_is_seldom_the_longest(name):
    asked = [lengths(question) for question in questions.load("quizzes", name)]
    assert sum(right > max(others) for right, others in asked) <= 2


def test_the_right_option_is_the_longest_or_the_shortest_no_more_often_than_chance():
    asked = [lengths(question) for name in NAMES for question in questions.load("quizzes", name)]
    assert sum(right > max(others) for right, others in asked) <= len(asked) / 4
    assert sum(right < min(others) for right, others in asked) <= len(asked) / 4


def place(question):
    """Where the right option stands."""
    return next(i for i, option in enumerate(questions.shuffled(question)) if option.get("right"))


@pytest.mark.parametrize("name", NAMES)
def test_the_right_option_has_no_place_of_its_own(name):
    places = [place(question) for question in questions.load("quizzes", name)]
    assert len(set(places)) >= 3
    assert max(map(places.count, places)) <= len(places) / 2
