"""Five questions a notebook: one right answer, wrong ones that say why they tempt, no network, colours that can be read."""

import json
import re

import pytest
from helpers import NOTEBOOKS

from course_utils import quizzes

QUESTIONS = [pytest.param(question, id=f"{name} {i}") for name in quizzes.NAMES for i, question in enumerate(quizzes.load(name), start=1)]


def texts(question):
    """All that a reader sees of a question."""
    return [question["question"], *(answer[key] for answer in question["answers"] for key in ("answer", "feedback"))]


def shown(name, monkeypatch):
    """The page and the script that quiz(name) displays."""
    displayed = []
    monkeypatch.setattr(quizzes, "display", lambda *parts: displayed.extend(part.data for part in parts))
    quizzes.quiz(name)
    return displayed


def what_can_run(script):
    """A script without its blocks `if (false) {...}`."""
    before, switched_off, after = script.partition("if (false) {")
    if not switched_off:
        return before
    depth = 1
    for end, character in enumerate(after):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth == 0:
            return before + what_can_run(after[end + 1:])
    raise AssertionError("a brace is missing")


def test_every_notebook_has_a_quiz_and_every_quiz_a_notebook():
    assert list(NOTEBOOKS) == quizzes.NAMES


@pytest.mark.parametrize("name", quizzes.NAMES)
def test_a_quiz_has_five_different_questions(name):
    questions = [question["question"] for question in quizzes.load(name)]
    assert len(questions) == len(set(questions)) == 5


@pytest.mark.parametrize("question", QUESTIONS)
def test_one_answer_is_right_and_three_or_more_different_ones_are_wrong(question):
    assert question["type"] == "multiple_choice"
    right = [answer["correct"] for answer in question["answers"]]
    assert right.count(True) == 1
    assert right.count(False) == len(right) - 1 >= 3
    assert len({answer["answer"] for answer in question["answers"]}) == len(right)


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_answer_has_feedback_that_says_right_or_not_quite_and_why(question):
    for answer in question["answers"]:
        assert answer["feedback"].startswith("Right" if answer["correct"] else "Not quite")
        assert len(answer["feedback"]) > 25
    assert len({answer["feedback"] for answer in question["answers"]}) == len(question["answers"])


@pytest.mark.parametrize("question", QUESTIONS)
def test_questions_are_plain_text(question):
    for text in texts(question):
        assert not re.search(r"\$|\\\(|\\\[|https?:|<\w", text), text


@pytest.mark.parametrize("name", quizzes.NAMES)
def test_a_quiz_is_the_same_each_time_and_asks_no_network(name, monkeypatch):
    page, script = shown(name, monkeypatch)
    assert shown(name, monkeypatch) == [page, script]
    assert f'id="quiz_{name}"' in page
    assert f"quiz_{name}" in script
    assert all(json.dumps(text)[1:-1] in script for question in quizzes.load(name) for text in texts(question))
    assert not re.search(r"fetch\(\s*['\"]http|src\s*=\s*['\"]http|@import|url\(", page + what_can_run(script))


def test_a_switched_off_block_ends_at_its_own_brace():
    assert what_can_run("a if (false) { b { c } d } e { f }") == "a  e { f }"


def luminance(colour):
    """Relative luminance of #rrggbb (WCAG 2.2)."""
    channels = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(share * c for share, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(a, b):
    """Contrast ratio of two colours (WCAG 2.2)."""
    dark, light = sorted([luminance(a), luminance(b)])
    return (light + 0.05) / (dark + 0.05)


COLOURS = {name.removeprefix("--jq-"): colour for name, colour in quizzes.COLOURS.items()}
BUTTON_TEXT = "#333333"         # jupyterquiz's own


@pytest.mark.parametrize(("front", "back"), [
    (COLOURS["text-color"], COLOURS["multiple-choice-bg"]),
    (COLOURS["text-color"], COLOURS["correct-color"]),
    (COLOURS["text-color"], COLOURS["incorrect-color"]),
    (COLOURS["correct-color"], COLOURS["multiple-choice-bg"]),
    (COLOURS["incorrect-color"], COLOURS["multiple-choice-bg"]),
    (COLOURS["link-color"], COLOURS["multiple-choice-bg"]),
    (BUTTON_TEXT, COLOURS["mc-button-bg"]),
])
def test_text_contrasts_with_what_is_behind_it(front, back):
    assert contrast(front, back) >= 4.5


def test_contrast_is_measured_as_the_standard_says():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


def test_an_unknown_quiz_is_refused_with_the_names_there_are():
    with pytest.raises(ValueError, match="name: got '99_nothing', wanted one of .*01_self_attention"):
        quizzes.quiz("99_nothing")
