"""The slides as a lecture hall sees them: a real browser, no network, no kernel."""

import html
import re

import pytest
from browsing import LECTURES, NOTEBOOKS, ROOT, check_quiz, push, settle, violations

from course_utils.exercises.checking import solution

WIDTH, HEIGHT = 1280, 720

every_deck = pytest.mark.parametrize("deck", LECTURES, indirect=True, scope="module")

# What stands out of the slide, or is cut off or scrolls within it. Hidden: what is read aloud, and what the speaker sees.
OVERFLOW = """() => {
  const slide = Reveal.getCurrentSlide(), out = [];
  for (const element of slide.querySelectorAll('*')) {
    if (element.closest('aside.notes, mjx-assistive-mml, svg')) continue;
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    if (!box.width || !box.height) continue;
    const larger = element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1;
    const clipped = larger && !['visible', 'clip'].includes(style.overflowX);
    if (box.bottom > 720 || box.right > 1280 || box.left < 0 || box.top < 0 || clipped)
      out.push([element.tagName, element.className, box.right, box.bottom, element.textContent.trim().slice(0, 40)].join(' '));
  }
  return out;
}"""


@pytest.fixture(scope="module")
def deck(request, open_page):
    page = open_page(f"slides/{request.param}.html", size=(WIDTH, HEIGHT))
    settle(page)
    page.name, page.notebook = request.param, NOTEBOOKS[request.param]
    return page


def turn_to(deck, locator):
    """Show the slide that holds an element, with all its fragments."""
    locator.evaluate("element => { const { h, v } = Reveal.getIndices(element.closest('section')); Reveal.slide(h, v, 99) }")


# The slides, as "h/v"; then those on which a script draws something: only they could differ when they are the first that is opened.
PLACES = "() => Reveal.getSlides().map(slide => Reveal.getIndices(slide)).map(({ h, v }) => `${h}/${v || 0}`)"
DRAWN = PLACES.replace("getSlides()", "getSlides().filter(slide => slide.querySelector('mjx-container, .course-instrument, .course-questions'))")


@every_deck
def test_no_slide_overflows(deck):
    found = {}
    for place in deck.evaluate(PLACES):
        deck.evaluate("""async place => {
          Reveal.slide(...place.split('/').map(Number), 99);
          await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
        }""", place)
        found[place] = deck.evaluate(OVERFLOW)
    assert {place: out for place, out in found.items() if out} == {}


@every_deck
def test_no_slide_overflows_that_is_the_first_to_be_opened(deck):
    found = {}
    for place in deck.evaluate(DRAWN):
        deck.goto(f"{deck.url.partition('?')[0].partition('#')[0]}?{place}#/{place}")
        settle(deck)
        found[place] = deck.evaluate(OVERFLOW)
    assert {place: out for place, out in found.items() if out} == {}


@every_deck
def test_the_instrument_answers_and_turns_no_slide(deck):
    instruments = deck.locator(".course-instrument").all()
    assert instruments
    for instrument in instruments:
        turn_to(deck, instrument)
        place = deck.evaluate("Reveal.getIndices()")
        assert push(instrument)
        assert deck.evaluate("Reveal.getIndices()") == place


@every_deck
def test_every_answer_of_the_quiz_gets_a_word(deck):
    turn_to(deck, deck.locator(".course-questions"))
    check_quiz(deck)


@every_deck
def test_no_solution_stands_in_the_slides(deck):
    text = re.sub(r"\s+", " ", deck.content())
    exercises = re.findall(r'diagnose\("(\w+)"', "\n".join(cell.source for cell in deck.notebook.cells))
    lines = [line.strip() for name in exercises for line in solution(name).splitlines() if len(line.strip()) > 12]
    shown = "\n".join(cell.source for cell in deck.notebook.cells)
    assert lines
    assert [line for line in lines if line not in shown and html.escape(line) in text] == []
    cards = deck.evaluate("[...document.querySelectorAll('[role=group]')].map(card => card.getAttribute('aria-label'))")
    assert cards
    assert "Diagnosis: right" not in cards


@every_deck
def test_headings_go_down_one_level_at_a_time_and_pictures_have_words(deck):
    levels = [int(tag[1]) for tag in deck.evaluate("[...document.querySelectorAll('h1,h2,h3,h4')].map(h => h.tagName)")]
    assert levels[0] == 1
    assert all(below <= above + 1 for above, below in zip(levels, levels[1:], strict=False))
    assert deck.evaluate("[...document.images].filter(img => img.alt.length < 20).map(img => img.outerHTML.slice(0, 80))") == []


@every_deck
def test_equations_are_set(deck):
    assert deck.locator("mjx-merror").count() == 0
    in_prose = any(re.search(r"\$.+\$", cell.source) for cell in deck.notebook.cells if cell.cell_type == "markdown")
    assert (deck.locator("mjx-container").count() > 0) == in_prose


@every_deck
def test_axe_finds_nothing(deck):
    assert violations(deck) == []


@every_deck
def test_nothing_left_the_page_and_nothing_went_wrong(deck):
    assert deck.faults == []


GUIDE = ROOT / "INSTRUCTORS.md"


@pytest.mark.skipif(not GUIDE.exists(), reason="no INSTRUCTORS.md")
@every_deck
def test_the_notes_of_the_guide_stand_below_their_slides(deck):
    part = re.search(rf"^## {deck.name}\n(.*?)(?=^## |\Z)", GUIDE.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    assert part, "INSTRUCTORS.md says nothing about it"
    wanted = [re.sub(r"[`*]", "", heading).strip() for heading in re.findall(r"^### (.+)$", part[1], flags=re.MULTILINE)]
    assert wanted
    with_notes = deck.locator("section:has(> aside.notes) > .jp-Cell :is(h1, h2, h3)").all_text_contents()
    assert sorted(re.sub(r"¶", "", heading).strip() for heading in with_notes) == sorted(wanted)


@pytest.mark.skipif(not GUIDE.exists(), reason="no INSTRUCTORS.md")
def test_the_speaker_view_opens_and_shows_the_notes(open_page):
    deck = open_page("slides/01_self_attention.html")
    settle(deck)
    turn_to(deck, deck.locator("aside.notes").first)
    words = deck.evaluate("Reveal.getCurrentSlide().querySelector('aside.notes').textContent.trim().slice(0, 20)")
    with deck.expect_popup() as opened:
        deck.keyboard.press("s")
    speaker = opened.value
    speaker.wait_for_function("words => document.querySelector('.speaker-controls-notes')?.textContent.includes(words)", arg=words)
    assert deck.faults == []
