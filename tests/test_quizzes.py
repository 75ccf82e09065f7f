"""A quiz a notebook: questions on it, the same each time, whose longest answer gives nothing away."""

import pytest
from helpers import NOTEBOOKS

from course_utils.cards import carrier, look, questions

NAMES = list(questions.files("quizzes"))


def test_every_lecture_has_a_quiz_and_every_quiz_a_lecture():
    assert [name for name in NOTEBOOKS if name[0].isdigit()] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_quiz_has_five_to_seven_different_questions(name):
    asked = [question["question"] for question in questions.load("quizzes", name)]
    assert 5 <= len(asked) == len(set(asked)) <= 7


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


def is_longest(question):
    """Is the right option longer than each of the others?"""
    lengths = {bool(option.get("right")): [] for option in question["options"]}
    for option in question["options"]:
        lengths[bool(option.get("right"))].append(len(option["text"]))
    return lengths[True][0] > max(lengths[False])


@pytest.mark.parametrize("name", NAMES)
def test_the_right_option_is_seldom_the_longest(name):
    asked = questions.load("quizzes", name)
    assert sum(map(is_longest, asked)) <= len(asked) / 2         # a quarter by chance, and as much again for chance's own spread


@pytest.mark.parametrize("name", NAMES)
def test_the_right_option_has_no_place_of_its_own(name):
    places = [next(i for i, option in enumerate(questions.shuffled(question)) if option.get("right")) for question in questions.load("quizzes", name)]
    assert len(set(places)) > 1
