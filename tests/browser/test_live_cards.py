"""The cards as a reader meets them: a plain page, no kernel, no network; by mouse and by keyboard,
in light and dark, wide and on a phone."""

import json

import pytest
from browsing import THEMES, every_look, heard, load_again, violations
from card_pages import FIRST, FIRST_KEY, READING, SECOND, SECOND_KEY, page_of, right_of

from course_utils.cards import questions


@pytest.fixture
def open_cards(open_plain):
    """open_cards(theme, size, script, notebook): the page of all cards."""
    return lambda theme="light", notebook=False, **how: open_plain(
        f"{theme}.html", page_of(theme, notebook), **how
    )


def cards(page, kind):
    return page.locator(f"[role=group][aria-label^='{kind}']")


def press(page, button, keyboard):
    """Press a button by mouse, or by keyboard alone."""
    if keyboard:
        button.focus()
        page.keyboard.press("Enter")
    else:
        button.click()


@pytest.mark.parametrize("keyboard", [False, True], ids=["mouse", "keyboard"])
@pytest.mark.parametrize("theme", THEMES)
def test_a_prediction_locks_tells_when_asked_is_kept_and_summed_up(open_cards, theme, keyboard):
    page = open_cards(theme)
    hit, miss, total = cards(page, "Prediction").all()
    wrong = next(i for i in range(2) if i != right_of(SECOND))
    for card, question, choice in ((hit, FIRST, right_of(FIRST)), (miss, SECOND, wrong)):
        options = card.locator(".course-options button")
        press(page, options.nth(choice), keyboard)
        assert options.nth(choice).get_attribute("aria-pressed") == "true"
        options.nth((choice + 1) % 2).evaluate("button => button.click()")  # too late
        assert card.locator("[aria-pressed=true]").count() == 1
        assert "is kept" in card.locator(".course-said").inner_text()
        assert heard(page).endswith("is kept. The button below shows what was right.")
        assert not any(option["why"][:30] in card.inner_text() for option in question["options"])
        assert card.locator(".course-good, .course-bad").count() == 0
        assert "not told yet" in total.inner_text()
        press(page, card.get_by_text("Show what was right"), keyboard)
        assert options.nth(right_of(question)).locator("i").get_attribute("aria-label") == "right"
        assert question["options"][right_of(question)]["why"][:30] in card.inner_text()
        told = question["options"][choice]["why"].split("`")[0]
        came = "It came out as you said. " if choice == right_of(question) else "You said "
        assert heard(page).startswith(came)
        assert told in heard(page)
    assert "It came out as you said" in hit.inner_text()
    assert SECOND["options"][wrong]["why"][:30] in miss.inner_text()
    assert miss.locator("button").nth(wrong).locator("i").get_attribute("aria-label") == "wrong"
    assert "Run this cell" not in page.inner_text("main")
    assert "1 of 2 as it came out" in total.inner_text()
    assert (
        total.inner_text().count("Not predicted")
        == len(questions.load("predictions", "01_self_attention")) - 2
    )
    load_again(page)
    assert heard(page) == "", "nothing is said that nobody brought about"
    assert "1 of 2 as it came out" in cards(page, "Prediction").nth(2).inner_text()
    assert cards(page, "Prediction").nth(0).locator("[aria-disabled=true]").count() == len(
        FIRST["options"]
    )
    press(page, page.get_by_text("Forget my answers"), keyboard)
    load_again(page)
    assert cards(page, "Prediction").nth(0).locator("[aria-disabled=true]").count() == 0


def test_in_a_live_notebook_the_next_cell_tells(open_cards):
    page = open_cards(notebook=True)
    first, second = cards(page, "Prediction").all()[:2]
    first.locator("button").nth(right_of(FIRST)).click()
    assert "Run the next code cell" in first.inner_text()
    assert first.get_by_text("Show what was right").count() == 0
    prompts = page.locator(".jp-InputPrompt")
    prompts.nth(0).evaluate("prompt => prompt.textContent = '[*]:'")
    page.clock.run_for(600)
    assert "It came out" not in first.inner_text()
    prompts.nth(0).evaluate(
        """prompt => {
          prompt.closest('.jp-Cell').insertAdjacentHTML(
            'beforeend', '<p data-mime-type="application/vnd.jupyter.error">NameError</p>');
          prompt.textContent = '[2]:';
        }"""
    )
    page.clock.run_for(600)
    assert "It came out" not in first.inner_text()
    assert "The next cell stopped with an error." in heard(page)
    page.locator("[data-mime-type]").evaluate("error => error.remove()")
    prompts.nth(0).evaluate("prompt => prompt.textContent = '[4]:'")
    first.get_by_text("It came out as you said").wait_for()
    prompts.nth(1).evaluate("prompt => prompt.textContent = '[3]:'")
    second.locator("button").nth(
        0
    ).click()  # its next cell ran before, as after Run All: a second click tells, or another run
    assert second.get_by_text("Show what was right").count() == 1
    prompts.nth(1).evaluate("prompt => prompt.textContent = '[5]:'")
    second.get_by_text(f"It came out as {'ABCD'[right_of(SECOND)]}").wait_for()
    assert page.evaluate("Object.keys(localStorage).sort()") == sorted(
        f"course:/somebody/:01_{key}" for key in (FIRST_KEY, SECOND_KEY)
    )


@pytest.mark.parametrize("keyboard", [False, True], ids=["mouse", "keyboard"])
def test_a_quiz_answers_at_once_lets_try_again_and_counts_first_tries(open_cards, keyboard):
    page = open_cards()
    asked, total = page.locator(".course-question").all(), page.locator(".course-sum")
    for number, (shown, question) in enumerate(
        zip(asked, questions.load("quizzes", "01_self_attention"), strict=True)
    ):
        options = questions.shuffled(question)
        wrong_ones, right = (
            [i for i in range(len(options)) if not options[i].get("right")],
            right_of({"options": options}),
        )
        assert total.inner_text() == ""
        for i in (
            [right] if number == 0 else [*wrong_ones, right]
        ):  # the first question at the first try
            press(page, shown.locator("button").nth(i), keyboard)
            assert (
                shown.locator(".course-said")
                .inner_text()
                .endswith(options[i]["why"].split("`")[-1][-12:])
            )
            assert shown.locator("button").nth(i).locator("i").inner_text() == (
                "✓" if options[i].get("right") else "✗"
            )
        assert shown.locator("[aria-disabled=true]").count() == len(options)
    assert total.inner_text() == f"1 of {len(asked)} right at the first try."
    shown = page.locator(".course-questions").inner_html()
    load_again(page)
    assert page.locator(".course-questions").inner_html() == shown
    assert total.inner_text() == f"1 of {len(asked)} right at the first try."
    press(page, page.get_by_text("Forget my answers"), keyboard)
    load_again(page)
    assert page.locator(".course-question").get_by_role("button", disabled=True).count() == 0


@pytest.mark.parametrize("keyboard", [False, True], ids=["mouse", "keyboard"])
def test_a_reading_answers_a_click_as_a_prediction_does_and_is_kept(open_cards, keyboard):
    page = open_cards()
    clicked = cards(page, "Reading: which one?")
    assert clicked.locator("button").count() == len(READING)
    for i, why, sign in [(2, "Not both.", "✗"), (0, "It is this.", "✓")]:
        press(page, clicked.locator("button").nth(i), keyboard)
        assert clicked.locator(".course-said").inner_text().endswith(why)
        assert clicked.locator("button").nth(i).locator("i").inner_text() == sign
    assert clicked.locator("[aria-disabled=true]").count() == len(READING)
    shown = clicked.inner_html()
    load_again(page)
    assert clicked.inner_html() == shown
    press(page, page.get_by_text("Forget my answers"), keyboard)
    load_again(page)
    assert clicked.locator("[aria-disabled=true]").count() == 0


def test_a_letter_in_the_code_is_shown_on_the_card_and_another_may_be_clicked(open_cards):
    page = open_cards()
    typed = cards(page, "Reading: B is not it")
    assert typed.locator(".course-said").inner_text().endswith("Not that.")
    assert typed.locator("button").nth(1).locator("i").inner_text() == "✗"
    typed.locator("button").nth(0).click()
    assert typed.locator(".course-said").inner_text().endswith("It is this.")


def test_a_page_without_a_server_offers_the_answers_as_a_download(open_cards):
    page = open_cards()
    cards(page, "Prediction").nth(0).locator("button").nth(1).click()
    page.locator(".course-question").nth(1).locator("button").nth(0).click()
    field = page.get_by_label("What is still unclear to you?")
    field.fill("x" * 1999)
    field.press("End")
    page.keyboard.type("<b>")
    assert page.get_by_text("This page cannot put your answers beside a notebook.").count() == 1
    assert page.get_by_role("button", name="beside the notebook").count() == 0
    load_again(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download 01_self_attention.answers.json").click()
    assert json.loads(download.value.path().read_text(encoding="utf-8")) == {
        "notebook": "01_self_attention",
        "questions": questions.fingerprint("01_self_attention"),
        "predictions": {FIRST_KEY: "B"},
        "quiz": [[], ["A"], *[[]] * (len(questions.load("quizzes", "01_self_attention")) - 2)],
        "open": "x" * 1999 + "<",
    }


@pytest.mark.parametrize(
    ("before", "after", "asks"),
    [
        ("<main>", '<main class="reveal">', False),
        ('{"baseUrl": "/somebody/"}', '{"baseUrl": "/somebody/", "litePluginSettings": {}}', True),
    ],
    ids=["slide", "lite"],
)
def test_no_button_where_nothing_can_be_written(open_cards, tmp_path, before, after, asks):
    """On a slide, which is for a room, not even the question; in a browser that is its own server,
    the question and a download."""
    page, file = open_cards(notebook=True), tmp_path / "light.html"
    page.locator(".course-question").nth(0).locator("button").nth(0).click()
    assert page.get_by_role("button", name="Put my answers beside the notebook").count() == 1
    changed = file.read_text(encoding="utf-8").replace(before, after)
    file.write_text(changed, encoding="utf-8")
    load_again(page)
    assert cards(page, "Prediction").nth(2).get_by_text("Not predicted").count() > 0
    assert page.get_by_role("button", name="beside the notebook").count() == 0
    assert (
        page.locator("textarea").count()
        == page.get_by_role("link", name="Download").count()
        == asks
    )
    assert (
        page.locator(".course-question").nth(0).locator("[aria-disabled=true]").count() > 0
    ) == asks  # a slide asks its next audience anew


def test_letters_move_with_their_options_to_another_edition_of_the_questions(
    open_cards, tmp_path, monkeypatch
):
    """Kept is what was said; where an update puts it at another place, or changed it, the letters
    follow."""
    load = questions.load

    def turned(kind, name):
        asked = load(kind, name)
        return (
            {
                key: {**question, "options": question["options"][::-1]}
                for key, question in asked.items()
            }
            if kind == "predictions"
            else asked
        )

    page = open_cards()
    cards(page, "Prediction").nth(0).locator("button").nth(0).click()
    page.locator(".course-question").nth(0).locator("button").nth(1).click()
    monkeypatch.setattr(questions, "load", turned)
    (tmp_path / "light.html").write_text(page_of("light", False), encoding="utf-8")
    load_again(page, same="keys")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    answers = json.loads(download.value.path().read_text(encoding="utf-8"))
    assert answers["questions"] == questions.fingerprint("01_self_attention")
    assert (answers["predictions"], answers["quiz"][0]) == (
        {FIRST_KEY: "ABCD"[len(FIRST["options"]) - 1]},
        ["B"],
    )


def test_a_ladder_opens_one_step_at_a_time(open_cards):
    page = open_cards()
    card = cards(page, "Diagnosis: not yet")
    for step, further in (("A nudge", "A skeleton"), ("A skeleton", "A solution")):
        assert not card.get_by_text(further).is_visible()
        card.get_by_text(step).focus()
        page.keyboard.press("Enter")
        assert card.get_by_text(further).is_visible()
    assert not card.get_by_text("np.exp").is_visible()


def test_keys_in_a_card_reach_nobody_else(open_cards):
    page = open_cards()
    page.evaluate(
        "window.heard = []; document.addEventListener('keydown', event => heard.push(event.key))"
    )
    cards(page, "Prediction").nth(0).locator("button").nth(0).focus()
    for key in ("ArrowRight", "Tab", "a"):
        page.keyboard.press(key)
    assert page.evaluate("heard") == []
    assert page.evaluate("document.activeElement.textContent").startswith("B")


def test_keys_that_run_a_cell_reach_the_notebook(open_cards):
    """JupyterLab hears keys at the document, and asks there whether a card keeps them."""
    page = open_cards()
    page.evaluate(
        "window.heard = []; document.addEventListener('keydown', event =>"
        " heard.push([event.key, event.target.closest('[data-lm-suppress-shortcuts]') == null]))"
    )
    cards(page, "Prediction").nth(0).locator("button").nth(0).focus()
    for key in ("Shift+Enter", "a", "Control+Enter", "Enter"):
        page.keyboard.press(key)
        page.wait_for_timeout(20)
    assert page.evaluate("heard") == [["Enter", True], ["Enter", True]]


def test_without_scripts_the_words_stand_and_hold_no_answer(open_cards):
    page = open_cards(script=False)
    text = page.inner_text("main")
    assert text.count("Run this cell to answer here.") == 5
    for question in [FIRST, SECOND, *questions.load("quizzes", "01_self_attention")]:
        assert all(option["text"].replace("`", "") in text for option in question["options"])
        assert not any(option["why"] in text for option in question["options"])


@every_look
def test_every_card_in_every_state_is_accessible_and_fits(open_cards, axe, theme, size):
    assert violations(open_cards(theme, size=size, notebook=True)) == []
    page = open_cards(theme, size=size)
    assert violations(page) == []
    for group in page.locator(".course-options").all():
        for button in group.locator("button").all()[:2]:
            button.evaluate("button => button.click()")
    for button in page.get_by_text("Show what was right").all()[:1]:
        button.click()
    page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
