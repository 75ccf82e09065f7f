"""The conversation as a hand meets it: a plain page, with a stand-in for the kernel at the other
end of the channel."""

import pytest
from browsing import PHONE, THEMES, WIDE, heard, plain, violations

from course_utils.cards import carrier
from course_utils.data import speech
from course_utils.instruments import chat

CHANNEL = """missing => {
  const channel = { get: () => ({ missing }), sent: [], send: message => channel.sent.push(message), on: (_, come) => channel.come = come };
  globalThis.courseChannels = { "": channel };
  dispatchEvent(new Event("course-channel"));
}"""  # noqa: E501


@pytest.fixture
def open_chat(open_plain):
    """open_chat(theme, size, ...): a page with the conversation."""

    def open_one(theme="light", size=WIDE, channel=True, missing=""):
        carrier.forget()
        html = chat.Chat()._repr_mimebundle_()["text/html"]
        carrier.forget()
        page = open_plain("chat.html", plain(theme, "chat", html), size=size)
        if channel:
            page.evaluate(CHANNEL, missing)
        return page

    return open_one


def sent(page):
    return page.evaluate("courseChannels[''].sent")


def come(page, **message):
    page.evaluate(
        "message => courseChannels[''].come({ to: courseChannels[''].sent.findLast(one =>"
        " one.n)?.n, ...message })",
        message,
    )


def say(page, text):
    page.get_by_label("what you say").fill(text)
    page.keyboard.press("Enter")


def test_words_appear_as_they_come_and_are_heard_by_sentences(open_chat):
    page = open_chat()
    say(page, "Hello")
    assert sent(page) == [{"ask": "Hello", "n": 1, "temperature": 0, "top_p": 1}]
    turns = page.locator(".course-talk li")
    for i, word in enumerate(["Bears", " sleep", ".", " They", " dream"]):
        come(page, word=word)
        assert turns.nth(1).inner_text().endswith(word.strip())
        assert heard(page) == ("" if i < 3 else "Bears sleep.")
    come(page, done="")
    assert heard(page) == "They dream"
    assert turns.all_inner_texts() == ["You: Hello", "The model: Bears sleep. They dream"]
    assert page.get_by_label("what you say").input_value() == ""


def test_stop_is_sent_at_once_by_button_and_by_key(open_chat):
    page = open_chat()
    for stop in (
        lambda: page.get_by_role("button", name="Stop").click(),
        lambda: page.keyboard.press("Escape"),
    ):
        say(page, "Go on")
        come(page, word="One")
        stop()
        assert sent(page)[-1] == {"stop": True}
        come(page, done="It was stopped.")
        assert heard(page) == "It was stopped."
    n = len(sent(page))
    page.keyboard.press("Escape")  # nothing is said: nothing to stop
    assert len(sent(page)) == n


def test_only_one_question_at_a_time_and_none_that_is_empty(open_chat):
    page = open_chat()
    say(page, "   ")
    say(page, "One")
    say(page, "Two")
    assert [message["ask"] for message in sent(page)] == ["One"]
    come(page, done="")
    page.keyboard.press("Enter")  # the second question waited in its field
    assert [message["ask"] for message in sent(page)] == ["One", "Two"]


def test_temperature_and_top_p_are_moved_by_keys_and_go_along(open_chat):
    page = open_chat()
    temperature, top = page.get_by_role("slider").all()
    assert temperature.get_attribute("aria-valuetext") == "0: the likeliest"
    for _ in range(7):
        temperature.press("ArrowRight")
    top.press("ArrowLeft")
    assert (temperature.get_attribute("aria-valuetext"), top.get_attribute("aria-valuetext")) == (
        "0.7",
        "0.95",
    )
    say(page, "Hello")
    assert sent(page)[-1] == {"ask": "Hello", "n": 1, "temperature": 0.7, "top_p": 0.95}


def test_a_new_conversation_empties_the_page_and_late_words_are_not_shown(open_chat):
    page = open_chat()
    say(page, "Hello")
    come(page, word="One")
    page.get_by_role("button", name="New conversation").click()
    assert sent(page)[-1] == {"new": True}
    come(page, word="late")
    assert page.locator(".course-talk li").count() == 0
    say(page, "Again")
    come(page, word="late", to=1)
    come(page, done="", to=1)
    come(page, word="Fresh")
    assert page.locator(".course-talk li").all_inner_texts() == ["You: Again", "The model: Fresh"]


def test_keys_reach_nobody_else(open_chat):
    page = open_chat()
    page.evaluate(
        "window.heard = []; document.addEventListener('keydown', event => heard.push(event.key))"
    )
    say(page, "abc")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("heard") == []


def test_without_a_kernel_the_stored_conversation_stands_and_no_field(open_chat):
    page = open_chat(channel=False)
    for text in speech.facts()["conversation"]:
        assert text.splitlines()[0] in page.inner_text("main")
    assert not page.get_by_label("what you say").is_visible()


def test_without_weights_a_sentence_says_how_to_get_them(open_chat):
    page = open_chat(missing="To talk to the model yourself you need its weights.")
    assert "you need its weights" in page.inner_text("main")
    assert not page.get_by_label("what you say").is_visible()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_it_is_accessible_and_fits(open_chat, axe, theme, size):
    page = open_chat(theme, size)
    say(page, "Hello")
    come(page, word="Bears.")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
