"""What a screen reader really says: Orca beside Chromium, its speech as text.

Runs where COURSE_SCREEN_READER is 1 and Orca is installed and speaks (see orca.py): a desktop's
services may keep a program waiting that has no desktop. What every machine checks stands in the
other tests: names, roles, and what the one voice is given to say.
"""

import os
import re
import time

import pytest
from browsing import plain
from card_pages import FIRST, page_of
from instrument_pages import shown
from instruments.parity import opened
from orca import listen, missing_programs

from course_utils.cards import look, questions

QUIZ = questions.load("quizzes", "01_self_attention")

# The first headings of a page of the site.
HEADINGS = """() => [...document.querySelectorAll('article :is(h1, h2)')].slice(0, 3)
  .map(one => one.firstChild.textContent)"""


@pytest.fixture(scope="module")
def listener(playwright):
    if os.environ.get("COURSE_SCREEN_READER") != "1":
        pytest.skip("a screen reader is listened to where COURSE_SCREEN_READER is 1")
    if missing := missing_programs():
        pytest.skip(f"no screen reader to listen to: {', '.join(missing)} missing")
    with listen(playwright) as found:
        found.page.goto("data:text/html,<title>Heard</title><h1>Heard</h1>")
        if not found.said():
            pytest.skip("Orca started and says nothing: are its recommended packages installed?")
        yield found


@pytest.fixture
def hear(listener, tmp_path):
    """hear(html): the listener on that page, and what was said while it loaded."""

    def load(text):
        file = tmp_path / "page.html"
        file.write_text(text, encoding="utf-8")
        listener.page.goto(file.as_uri())
        listener.page.evaluate("localStorage.clear()")
        listener.page.reload()
        return listener, listener.said()

    return load


def after_key(listener, key):
    """What is said of a key, without the key itself."""
    listener.said()
    listener.key(key)
    return " ".join(one for one in listener.said() if one.strip() != key.lower())


def until(listener, words, seconds=60):
    """What is said until these words came: a long page is read late."""
    told, end = "", time.monotonic() + seconds
    while words not in told:
        told += " ".join(listener.said())
        assert time.monotonic() < end, f"{words!r} was not heard in {told!r}"
    return told


def test_cards_are_heard_once_and_only_when_somebody_did_something(hear):
    """By the Tab and Enter keys alone."""
    listener, loading = hear(page_of("light", False))
    page, question = listener.page, FIRST["question"].replace("`", "")
    assert not any("Columns sum" in one or "summed up" in one for one in loading), loading

    page.locator(".course-options button").first.evaluate("one => one.focus()")
    page.evaluate("document.activeElement.blur()")
    first = after_key(listener, "Tab")
    assert first.index(question) < first.index(FIRST["options"][1]["text"].split("`")[0])
    kept = after_key(listener, "Return")
    assert kept.count("is kept.") == 1

    options = questions.shuffled(QUIZ[0])
    right = next(i for i, option in enumerate(options) if option.get("right"))
    wrong = (right + 1) % len(options)
    buttons = page.locator(".course-question").first.locator("button")
    for i, verdict in ((wrong, "Not right."), (right, "Right.")):
        buttons.nth(i).focus()
        told = after_key(listener, "Return")
        assert told.count(verdict) == 1, told
        assert told.count(options[i]["why"].split("`")[0][:30]) == 1, told


def test_an_instrument_says_a_change_once_and_nothing_while_it_loads(hear):
    it = opened("QueryExplorer")
    start = it.describe(it.compute(it.start()))
    listener, loading = hear(plain("light", "Query", shown("QueryExplorer")))
    assert not any(start[:20] in one for one in loading), loading
    slider = listener.page.get_by_role("slider", name="query's length")
    slider.focus()
    told = after_key(listener, "Right")
    assert told.count("1.22") == 2, told  # the slider's value, and the sentence that names it
    assert told.count("A query of length 1.22") == 1, told


def test_both_axes_of_a_handle_speak(hear):
    listener, _ = hear(plain("light", "Query", shown("QueryExplorer")))
    listener.page.get_by_role("slider", name="query", exact=True).focus()
    assert after_key(listener, "Up").startswith("action 1.10, thing 0.60")
    assert after_key(listener, "Up").startswith("action 1.10, thing 0.70")
    assert after_key(listener, "Right").startswith("action 1.20, thing 0.70")


def test_a_challenge_is_found_by_its_heading(hear):
    listener, _ = hear(plain("light", "Query", shown("QueryExplorer")))
    listener.key("ctrl+Home")
    heard = after_key(listener, "h")
    assert heard.startswith("Challenge ")
    assert heard.endswith("heading level 3.")


def test_a_cards_heading_is_heard_in_one_piece(hear):
    diagnosis = look.card("diagnosis", "not yet: one scale for all rows", "", state="bad")
    listener, _ = hear(plain("light", "Cards", diagnosis))
    listener.key("ctrl+Home", "h")
    assert any(
        re.fullmatch(r"Diagnosis +not yet: one scale for all rows heading level 3\.", one)
        for one in listener.said()
    )


def test_what_a_cell_printed_is_heard_line_by_line(hear):
    listener, _ = hear(plain("light", "Output", "<pre>T, D = (3, 4)\nlove   1.76\n</pre>"))
    listener.key("ctrl+Home")
    assert "T, D = (3, 4)" in after_key(listener, "Down")
    assert "love   1.76" in after_key(listener, "Down")


def test_a_notebook_is_walked_by_its_headings_and_a_prediction_by_its_buttons(listener, built):
    page = listener.page
    page.goto((built / "site" / "notebooks" / "01_self_attention.html").as_uri())
    until(listener, "Finished loading")
    listener.key("ctrl+Home", "h", "h", "h", "h")
    heard = until(listener, "Prediction")
    places = [heard.find(one) for one in [*page.evaluate(HEADINGS), "Prediction"]]
    assert places == sorted(places), heard
    assert -1 not in places, heard
    listener.key("b")
    until(listener, "push button")
    listener.key("Return")
    assert until(listener, "is kept.").count("is kept.") == 1


def test_a_slide_is_heard_once_when_it_comes_and_a_vote_without_its_answer(listener, built):
    page = listener.page
    page.goto((built / "slides" / "01_self_attention.html").as_uri())
    listener.said()
    told = after_key(listener, "Next")
    assert told.count("One vector cannot mean three things") == 1, told
    while "With which word" not in told and page.evaluate("location.hash") < "#/3":
        told = after_key(listener, "Next")
    assert told.count("With which word") == 1, told
    assert "1.76" not in told, told
