"""Votes as a hall sees them: phones, the wall, the presenter's page, the slides. Every request is
one to the server."""

import re

import pytest
from browsing import AXE, LECTURES, PHONE
from voting import cards
from voting.polls import CLOSED, FIRST, SECOND, Polls
from voting_server import NAME, Running


@pytest.fixture
def room():
    room = Running(behind=False)
    room.room.voters_of_address = 50  # all of these phones are one computer
    room.room.limits.rate, room.room.limits.burst = 1000, 1000
    room.server.most_streams = 200
    yield room
    room.stop()


@pytest.fixture
def visit(browser, room):
    """visit(path, size): a page of the server in a browser of its own. What it asks of others, or
    complains of, fails the test."""
    faults, contexts = [], []

    def visit(path="", size=PHONE):
        context = browser.new_context(viewport={"width": size[0], "height": size[1]})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)  # a busy machine
        own = (room.room.address, "data:", "blob:", "about:")
        page.on("request", lambda r: r.url.startswith(own) or faults.append(r.url))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(room.room.address + path)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert faults == []


def says(page, words):
    page.wait_for_function(
        "words => document.getElementById('status').textContent.includes(words)", arg=words
    )


def enter(visit, room, size=(1280, 720)):
    page = visit(f"enter/{room.room.key}", size)
    page.wait_for_url("**/presenter/")
    return page


def test_a_phone_votes_twice_and_sees_the_key_when_it_is_closed(visit, room):
    phone = visit()
    says(phone, "No question is open yet.")
    room.advance(FIRST)
    phone.click("button[value=A]")
    says(phone, "A counts.")
    phone.click("button[value=C]")
    says(phone, "C counts.")
    room.advance(SECOND)
    says(phone, "Choose a letter.")
    assert phone.locator("button[aria-pressed=true]").count() == 0
    phone.click("button[value=B]")
    says(phone, "B counts.")
    phone.reload()  # a phone that was asleep, or a page that was shut
    says(phone, "B counts.")
    assert phone.locator("button[aria-pressed=true]").get_attribute("value") == "B"
    assert phone.locator(".right, .bars").count() == 0
    room.advance(CLOSED)
    says(phone, "Closed.")
    assert phone.locator("li.right").inner_text().startswith("✓ d")
    assert room.room.polls.told()["counts"] == [[0, 0, 1, 0], [0, 1, 0, 0]]


def test_a_vote_without_network_is_kept_and_sent_when_the_network_is_back(visit, room):
    room.advance(FIRST)
    phone = visit()
    phone.click("button[value=A]")
    says(phone, "A counts.")
    phone.context.set_offline(True)
    phone.click("button[value=D]")
    says(phone, "D is kept here.")
    phone.context.set_offline(False)
    says(phone, "D counts.")
    assert room.room.polls.told()["n"] == 1


def test_a_phone_votes_again_by_itself_when_the_server_began_anew(visit, room):
    room.advance(FIRST)
    phone = visit()
    phone.click("button[value=A]")
    says(phone, "A counts.")
    room.stop()
    says(phone, "No network.")
    room.__init__(port=room.port, behind=False)
    room.advance(FIRST)
    says(phone, "A counts.")
    assert room.room.polls.told_presenter()["counts"][0] == [1, 0, 0, 0]


def test_the_wall_and_the_presenter(visit, room):
    wall, presenter = visit("wall", (1280, 720)), enter(visit, room)
    assert wall.locator("#address").inner_text() == f"127.0.0.1:{room.port}"
    presenter.select_option("#lecture", "03_scaling")
    presenter.select_option("#asked", NAME)
    assert [presenter.is_enabled(f"#{id}") for id in ("first", "second", "close", "again")] == [
        *(True, False, False, False)
    ]  # nothing is open yet
    presenter.click("#first")
    says(wall, "First vote: 0 votes.")
    phone = visit()
    phone.click("button[value=B]")
    says(presenter, "First vote: 1 vote.")
    says(wall, "First vote: 1 vote.")
    assert presenter.locator("li.right").count() == 1  # while the room is still voting
    assert wall.locator(".right, .bars").count() == 0
    presenter.click("#second")
    says(wall, "Second vote")
    presenter.click("#close")
    says(wall, "Closed.")
    assert wall.locator("li.right .first b").inner_text() == "1"
    assert wall.evaluate("document.documentElement.scrollHeight <= innerHeight")
    says(presenter, "Closed.")  # only then the vote can be asked again
    presenter.click("#again")
    says(phone, "Choose a letter. First vote: 0 votes.")  # its vote belonged to the asking before
    says(wall, "First vote: 0 votes.")


def test_the_presenters_buttons_act_on_the_question_that_another_window_opened(visit, room):
    presenter = enter(visit, room)
    room.advance(FIRST)  # as the slides do
    says(presenter, "First vote")
    assert presenter.input_value("#lecture") == "03_scaling"
    presenter.click("#second")
    says(presenter, "Second vote")
    assert (room.room.polls.open.name, room.room.polls.open.stage) == (NAME, SECOND)
    presenter.select_option("#lecture", "05_multi_head_attention")
    presenter.select_option("#asked", "05_one_head")
    room.advance(CLOSED)  # the same question: what the presenter chose stays
    says(presenter, "Closed.")
    assert presenter.input_value("#asked") == "05_one_head"
    presenter.click("#again")  # of the question on the wall, not of the chosen one
    says(presenter, "First vote")
    for button, stage, words in (("#second", SECOND, "Second vote"), ("#close", CLOSED, "Closed.")):
        presenter.click(button)
        says(presenter, words)
        assert (room.room.polls.open.name, room.room.polls.open.stage) == (NAME, stage)
        assert presenter.input_value("#asked") == "05_one_head"
    assert not any(room.room.polls.questions["05_one_head"].rounds)
    presenter.click("#first")
    says(presenter, "First vote")
    assert room.room.polls.open.name == "05_one_head"
    room.advance(FIRST, "05_nobody")
    presenter.wait_for_function("() => document.getElementById('asked').value === '05_nobody'")


ON_THE_WALL = """async state => {
  const { drawBars, drawQuestion, fitWall, says } = await import('./common.js');
  document.body.classList.add('asked');
  drawQuestion(document.getElementById('question'), state);
  drawBars(document.getElementById('options'), state);
  document.getElementById('status').textContent = says(state);
  return fitWall();
}"""


def test_every_closed_question_fits_the_wall(visit, room):
    wall = visit("wall", (1280, 720))
    says(wall, "No question is open yet.")
    cut = []
    for question in room.room.polls.questions.values():
        other = Polls()
        other.questions[question.name].rounds = [{"a": "A"}, {"a": "B"}]
        other.advance(question.name, CLOSED)
        if not wall.evaluate(ON_THE_WALL, other.told()):
            cut.append(question.name)
    assert cut == []


@pytest.mark.parametrize("stage", [FIRST, CLOSED])
@pytest.mark.parametrize("path", ["", "wall", "presenter"])
def test_the_pages_are_accessible_and_no_wider_than_a_phone(visit, room, path, stage, axe):
    room.advance(stage)
    page = enter(visit, room, PHONE) if path == "presenter" else visit(path)
    page.wait_for_selector("#options li")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(
        "axe.run().then(found => found.violations.map(v => [v.id, v.nodes[0].html]))"
    )
    assert [fault for fault in found if fault[0] not in ("region", "heading-order")] == []
    if path != "wall":  # the wall is wide
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def turn(page, selector):
    page.evaluate(
        """selector => {
          const part = document.querySelector(selector);
          const { h, v } = Reveal.getIndices(part.closest('section'));
          Reveal.slide(h, v);
        }""",
        selector,
    )


def test_the_slides_open_the_question_that_stands_on_the_wall(visit, room, built):
    slides = enter(visit, room)
    slides.goto(f"{room.room.address}presenter/slides/03_scaling.html")
    slides.wait_for_selector("#votes", state="hidden")  # nothing is asked on the first slide
    turn(slides, f'.question[data-vote="{NAME}"]')
    slides.wait_for_selector("#votes", state="visible")
    phone = visit()
    phone.click("button[value=A]")
    says(phone, "A counts.")
    slides.wait_for_function("document.getElementById('votes').textContent.includes('1 voted')")
    slides.evaluate("Reveal.nextFragment()")
    says(phone, "Second vote")
    phone.click("button[value=B]")
    says(phone, "B counts.")
    slides.evaluate("Reveal.next()")  # the cell, and what it gives
    says(phone, "Closed.")
    turn(slides, f'.answer[data-vote="{NAME}"]')
    voted = slides.locator(f'.answer[data-vote="{NAME}"] .voted')
    slides.wait_for_function("document.querySelectorAll('.voted').length === 4")
    assert voted.all_inner_texts() == ["0 → 1", "1 → 0", "0 → 0", "0 → 0"]  # B first: it is right
    turn(slides, f'.question[data-vote="{NAME}"]')  # the speaker goes back
    says(phone, "Closed.")
    slides.keyboard.press("q")
    assert slides.locator("#votes-code img").is_visible()
    slides.keyboard.press("q")
    assert not slides.locator("#votes-code").is_visible()


def test_the_speakers_window_opens_nothing(visit, room, built):
    slides = enter(visit, room)
    slides.goto(f"{room.room.address}presenter/slides/03_scaling.html?receiver")
    slides.wait_for_selector("#votes", state="attached")
    turn(slides, f'.question[data-vote="{NAME}"]')
    slides.wait_for_timeout(500)
    assert room.room.polls.told() == {"name": None}


@pytest.mark.parametrize("lecture", LECTURES)
def test_a_slide_with_counts_still_fits(visit, room, built, lecture):
    for question in room.room.polls.questions.values():
        question.stage = CLOSED
        question.rounds = [
            {str(n): letter for n, letter in enumerate(question.letters * 30)} for _ in range(2)
        ]
    slides = enter(visit, room)
    slides.goto(f"{room.room.address}presenter/slides/{lecture}.html")
    slides.wait_for_selector("#votes", state="attached")
    names = slides.evaluate(
        "() => [...document.querySelectorAll('.answer')].map(part => part.dataset.vote)"
    )
    assert names
    for name in names:
        answer = f'.answer[data-vote="{name}"]'
        turn(slides, answer)
        slides.wait_for_selector(f"{answer} .voted")
        slides.wait_for_timeout(50)  # the letters take their size
        assert slides.evaluate(
            "() => { const { scrollHeight, scrollWidth } = Reveal.getCurrentSlide();"
            " return scrollHeight <= 720 && scrollWidth <= 1280 }"
        ), name


def test_the_cards_are_one_page_of_paper(browser, tmp_path):
    file = tmp_path / "cards.html"
    file.write_text(cards.page(), encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    for paper in ("A4", "Letter"):
        printed = page.pdf(format=paper)
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1, paper
    assert page.locator(".letter").all_inner_texts() == list("ABCD")
    page.close()


def test_segno_draws_the_code_on_the_wall(visit, room):
    pytest.importorskip("segno", reason="no segno: pip install -r requirements-test.txt")
    wall = visit("wall", (1280, 720))
    wall.wait_for_function("document.querySelector('img').naturalWidth > 100")


def test_the_speakers_window_shows_slide_and_notes(visit, room, built):
    slides = enter(visit, room)
    slides.goto(f"{room.room.address}presenter/slides/03_scaling.html")
    slides.wait_for_selector("#votes", state="attached")
    turn(slides, f'.question[data-vote="{NAME}"]')
    with slides.expect_popup() as opened:
        slides.keyboard.press("s")
    speaker = opened.value
    speaker.wait_for_function("document.querySelectorAll('iframe').length === 2")
    speaker.wait_for_function("document.body.textContent.includes('Right: B')")
    speaker.wait_for_function(
        "[...document.querySelectorAll('iframe')]"
        ".every(frame => frame.contentDocument.querySelector('#votes'))"
    )
    slides.keyboard.press("ArrowRight")
    phone = visit()
    says(phone, "Second vote")
