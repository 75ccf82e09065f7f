"""The slides as a lecture hall sees them: a real browser, no network, no kernel."""

import html
import re
import sys

import pytest
from browsing import FRAMES, LECTURES, NOTEBOOKS, PHONE, ROOT, push, settle, violations
from helpers import is_figure

from course_utils.cards.look import inline
from course_utils.cards.questions import files, load
from course_utils.diagnosis.verdicts import solution

sys.path.insert(0, str(ROOT / "scripts"))
import lecture
from exporting import plans, slides
from exporting.slide_code import mathematics
from exporting.slide_parts import REWORDED, reworded

WIDTH, HEIGHT = 1280, 720

every_deck = pytest.mark.parametrize("deck", LECTURES, indirect=True, scope="module")

# What stands out of the slide, covers its arrows, or is cut off or scrolls within it. Hidden: what
# is read aloud, and what the speaker sees.
OVERFLOW = """() => {
  const slide = Reveal.getCurrentSlide(), out = [];
  const arrows = [...document.querySelectorAll('.controls .enabled')].map(arrow => arrow.getBoundingClientRect());
  for (const element of slide.querySelectorAll('*')) {
    if (element.closest('aside.notes, mjx-assistive-mml, svg')) continue;
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    if (!box.width || !box.height) continue;
    const larger = element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1;
    const clipped = larger && !['visible', 'clip'].includes(style.overflowX);
    const drawn = style.borderRightStyle !== 'none' || style.backgroundColor !== 'rgba(0, 0, 0, 0)';
    const text = document.createRange();
    text.selectNodeContents(element);
    const rects = drawn ? [box] : element.children.length ? [] : [...text.getClientRects()];
    const covers = rects.some(rect => arrows.some(arrow => rect.bottom > arrow.top && rect.right > arrow.left && rect.left < arrow.right));
    if (covers || box.bottom > 720 || box.right > 1280 || box.left < 0 || box.top < 0 || clipped)
      out.push([element.tagName, element.className, box.right, box.bottom, element.textContent.trim().slice(0, 40)].join(' '));
  }
  return out;
}"""  # noqa: E501


@pytest.fixture(scope="module")
def deck(request, open_page):
    page = open_page(f"slides/{request.param}.html", size=(WIDTH, HEIGHT))
    settle(page)
    page.name, page.cells = request.param, lecture.core(NOTEBOOKS[request.param].cells)
    return page


def turn_to(deck, locator):
    """Show the slide that holds an element, with all its fragments."""
    locator.evaluate(
        "element => { const { h, v } = Reveal.getIndices(element.closest('section'));"
        " Reveal.slide(h, v, 99) }"
    )


# The slides, as "h/v"; those on which a script draws something: only they could differ when they
# are the first that is opened.
PLACES = (
    "() => Reveal.getSlides().map(slide => Reveal.getIndices(slide)).map(({ h, v }) => `${h}/${v ||"
    " 0}`)"
)
DRAWN = PLACES.replace(
    "getSlides()",
    "getSlides().filter(slide => slide.querySelector('mjx-container, .course-instrument,"
    " .course-ribbons'))",
)
ALIVE = DRAWN.replace("mjx-container, ", "")
MOST = f"""() => {{
  const equations = place => Reveal.getSlide(...place.split('/').map(Number)).querySelectorAll('mjx-container').length;
  return ({DRAWN})().sort((one, other) => equations(other) - equations(one)).slice(0, 1);
}}"""  # noqa: E501

# The smallest letters of the slide that is shown, in pixels of 720, by kind: the size that is
# computed, times every zoom.
SIZES = """() => {
  const slide = Reveal.getCurrentSlide(), sizes = {}, words = document.createTreeWalker(slide, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const element = words.currentNode.parentElement;
    if (!words.currentNode.textContent.trim() || !element.getClientRects().length) continue;
    if (element.closest('aside.notes, mjx-container, svg, style, script, sub, sup, .anchor-link')) continue;
    const within = parts => element.closest(parts);
    const kind = within('pre') ? 'code' : within('.question, .right, .why') ? 'question' : within('code') ? 'code' : 'text';
    const size = parseFloat(getComputedStyle(element).fontSize) * (element.currentCSSZoom ?? 1);
    const is = slide.querySelector('.course-instrument') ? 'instrument' : kind;
    sizes[is] = Math.min(sizes[is] ?? Infinity, size);
  }
  return sizes;
}"""  # noqa: E501
SMALLEST = {
    "question": 32,
    "text": 24,
    "code": 22,
    "instrument": 20,
}  # of an instrument: what stands below it

# Every slide with all its fragments: [its place, what overflows, its smallest letters].
WALK = f"""async () => {{
  const found = [];
  for (const place of ({PLACES})()) {{
    Reveal.slide(...place.split('/').map(Number), 99);
    await ({FRAMES})();
    found.push([place, ({OVERFLOW})(), ({SIZES})()]);
  }}
  return found;
}}"""

# As a slide looks whose equations are set while it is seen, which is so on the slide that is opened
# first: before it is fitted again, and after; the second is what `fit` of slides.js finds when it
# comes later than the equations.
ANEW = f"""async () => {{
  const found = [], frames = {FRAMES};
  for (const place of ({DRAWN})()) {{
    const [h, v] = place.split('/').map(Number), slide = Reveal.getSlide(h, v);
    const away = Reveal.getIndices(Reveal.getSlides().findLast(one => one != slide));
    Reveal.slide(away.h, away.v);
    MathJax.startup.document.getMathItemsWithin([slide]).forEach(item => item.removeFromDocument(true));
    MathJax.typesetClear([slide]);
    Reveal.slide(h, v);
    await frames();
    await MathJax.typesetPromise([slide]);
    await frames();
    found.push([place, ({OVERFLOW})()]);
    fit();
    await frames();
    found.push([place, ({OVERFLOW})()]);
  }}
  return found;
}}"""  # noqa: E501

# What a slide says, its code and the speaker's notes apart.
SAID = """() => Reveal.getSlides().map(slide => {
  const copy = slide.cloneNode(true);
  for (const part of copy.querySelectorAll('aside.notes, script, style, pre')) part.remove();
  return copy.textContent;
})"""

# Sentences that are true in a notebook, and not on a slide.
UNTRUE = [
    "three dots",
    "next cell",
    "run the cell",
    "run this cell",
    "cell again",
    "cell below",
    "shift + enter",
    "predict, then run",
    "write it below",
    "help opens",
    "put your letter",
    "in place of the dots",
    "picture in words",
    "click commits",
    "in your browser",
    "before you run the",
    "show what was right",
    "this notebook",
    "your hand",
    "you left",
    ".ipynb",
    "replaces the dots",
]


@every_deck
def test_no_slide_overflows_and_all_can_be_read_from_the_last_row(deck):
    walk = deck.evaluate(WALK)
    small = [
        (place, {kind: size for kind, size in sizes.items() if size < SMALLEST[kind] - 0.01})
        for place, _, sizes in walk
    ]
    assert [(place, out) for place, out, _ in walk if out] == []
    assert [(place, found) for place, found in small if found] == []


@every_deck
def test_no_slide_overflows_that_is_the_first_to_be_opened(deck):
    """Opened in truth where a script lives and where most equations stand; for the others their
    equations are set anew."""
    alive, found = deck.evaluate(ALIVE), deck.evaluate(ANEW)
    for place in [*alive, *deck.evaluate(MOST)]:
        deck.goto(f"{deck.url.partition('?')[0].partition('#')[0]}?{place}#/{place}")
        settle(deck)
        found.append((place, deck.evaluate(OVERFLOW)))
    assert [(place, out) for place, out in found if out] == []


@pytest.mark.parametrize("deck", ["07_transformer_block"], indirect=True, scope="module")
def test_the_map_is_as_large_as_its_slide_allows(deck):
    """It chooses its plan once it is seen: before that it is as high as on a phone."""
    deck.evaluate(
        "() => { const frame = [...document.querySelectorAll('.course-instrument')].map(host =>"
        " host.shadowRoot?.querySelector('.frame')).find(Boolean);"
        " const { h, v } = Reveal.getIndices(frame.getRootNode().host.closest('section'));"
        " Reveal.slide(h, v); window.map = frame }"
    )
    deck.wait_for_function(
        "map.querySelector('.map').getBoundingClientRect().width > innerWidth / 2"
    )


@every_deck
def test_a_picture_has_the_height_or_the_width_of_its_slide(deck):
    pictures = deck.evaluate(
        """() => [...document.querySelectorAll('.course-drawn > svg')].map(svg => {
      const { h, v } = Reveal.getIndices(svg.closest('section'));
      Reveal.slide(h, v);
      const box = svg.getBoundingClientRect(), { width, height } = svg.viewBox.baseVal, scale = Math.min(box.width / width, box.height / height);
      return [scale * width, scale * height];
    })"""  # noqa: E501
    )
    assert [size for size in pictures if size[0] < 0.9 * WIDTH and size[1] < 0.9 * HEIGHT] == []
    assert len(pictures) == sum(
        is_figure(output) for cell in deck.cells for output in cell.get("outputs", [])
    )


@every_deck
def test_the_instrument_answers_and_turns_no_slide(deck):
    instruments = deck.locator(".course-instrument").all()
    assert bool(instruments) == any(
        re.search(r"instruments\.(?!Chat)", cell.source) for cell in deck.cells
    )
    for instrument in instruments:
        turn_to(deck, instrument)
        place = deck.evaluate("Reveal.getIndices()")
        assert push(instrument, enough=3)  # all handles: test_site.py
        assert deck.evaluate("Reveal.getIndices()") == place


@every_deck
def test_a_question_stands_alone_and_its_answer_on_a_later_slide(deck):
    """The predictions as polls, in two steps, then the quiz; no slide that asks says what is right,
    or lets it be clicked."""
    polls, quiz = asked_in(deck)
    slides = deck.evaluate(
        """() => Reveal.getSlides().flatMap((slide, i) => [...slide.querySelectorAll('.question, .answer')].map(part => ({
      i, asks: part.matches('.question'), text: part.textContent, letters: part.querySelectorAll('ol > li').length,
      steps: slide.querySelectorAll('.fragment').length, presses: slide.querySelectorAll('button, a, input, summary, .course-questions').length,
      others: [...slide.children].filter(child => !child.contains(part) && !child.matches('aside.notes')).length })))"""  # noqa: E501
    )
    questions, answers = slides[::2], slides[1::2]
    assert len(questions) == len(answers) == len(polls) + len(quiz)
    for wanted, question, answer in zip([*polls, *quiz], questions, answers, strict=True):
        whys = [plain(option["why"]) for option in wanted["options"]]
        right = next(plain(option["text"]) for option in wanted["options"] if option.get("right"))
        assert (question["asks"], answer["asks"]) == (True, False)
        assert question["i"] < answer["i"]
        assert plain(wanted["question"]) in question["text"]
        assert "✓" not in question["text"]
        assert [why for why in whys if why in question["text"]] == []
        assert (question["letters"], question["presses"], question["others"]) == (len(whys), 0, 0)
        assert question["steps"] == (wanted in polls)
        assert [why for why in whys if why not in answer["text"]] == []
        assert re.match(rf"✓ [A-H] {re.escape(right)}", answer["text"])


def asked_in(deck):
    """What a deck asks: the predictions of its core, as they come, and its quiz."""
    asked = load("predictions", deck.name) if deck.name in files("predictions") else {}
    keys = [
        key for cell in deck.cells for key in re.findall(r'predict\("\d\d_(\w+)"\)', cell.source)
    ]
    return [asked[key] for key in keys], load("quizzes", deck.name)


def plain(text):
    """A text of the questions as a page shows it."""
    return html.unescape(re.sub("<[^>]+>", "", inline(reworded(text))))


@every_deck
def test_the_arrow_goes_through_a_poll_step_by_step(deck):
    deck.evaluate(
        "() => { const { h, v } ="
        " Reveal.getIndices(document.querySelector('.talk').closest('section')); Reveal.slide(h, v,"
        " -1) }"
    )
    shown = (
        "() => [!!Reveal.getCurrentSlide().querySelector('.question'),"
        " !!Reveal.getCurrentSlide().querySelector('.talk.visible')]"
    )
    assert deck.evaluate(shown) == [True, False]
    deck.keyboard.press("ArrowRight")
    assert deck.evaluate(shown) == [True, True]
    deck.keyboard.press("ArrowRight")
    assert deck.evaluate(shown) == [False, False]


@every_deck
def test_nothing_is_said_that_is_untrue_on_a_slide(deck):
    said = deck.evaluate(SAID)
    links = deck.evaluate(
        "[...document.querySelectorAll('.slides a')].map(link =>"
        " link.getAttribute('href')).filter(href => /ipynb/.test(href))"
    )
    assert [(words, text[:60]) for text in said for words in UNTRUE if words in text.lower()] == []
    assert links == []


@every_deck
def test_plumbing_is_hidden_and_a_key_shows_it(deck):
    shown = deck.evaluate(
        "() => [...document.querySelectorAll('.slides .jp-InputArea .highlight pre')].map(code =>"
        " code.textContent)"
    )
    plumbing = re.compile(
        r"^(?:import|from)"
        r" |\b(?:diagnose|judge|predict|quiz|ribbons)\(|figures\.\w+\(|set_printoptions",
        flags=re.MULTILINE,
    )
    assert [code for code in shown if plumbing.search(code)] == []
    cells = [
        cell
        for cell in deck.cells
        if cell.cell_type == "code" and cell.metadata.slideshow.slide_type != "skip"
    ]
    hidden = deck.evaluate(
        "() => [...document.querySelectorAll('.all-code')].map(code => code.textContent)"
    )
    whole = [
        cell.source
        for cell in cells
        if cell.outputs
        and not re.match(r"(?:predict|predictions|quiz|diagnose|compare)\(", cell.source)
    ]
    assert [
        code
        for code in whole
        if code not in "\n".join(hidden)
        and "\n".join(line.rstrip() for line in code.split("\n")) not in "\n".join(shown)
        and not re.search(r"^diagnose\(", code, flags=re.MULTILINE)
    ] == []
    turn_to(deck, deck.locator(".all-code").first)
    code = deck.locator("section.present:not(.stack) .all-code")
    assert not code.is_visible()
    deck.keyboard.press("c")
    assert code.is_visible()
    assert deck.evaluate("Reveal.getCurrentSlide().querySelector('aside.notes').textContent").count(
        "Key C"
    )
    deck.keyboard.press("c")
    assert not code.is_visible()


@every_deck
def test_every_step_has_a_note(deck):
    assert (
        deck.evaluate(
            "Reveal.getSlides().filter(slide =>"
            " (slide.querySelector('aside.notes')?.textContent.trim().length ?? 0) < 10).length"
        )
        == 0
    )
    assert (
        deck.evaluate(
            "[...document.querySelectorAll('.slides .fragment')].filter(step => (step.dataset.notes"
            " ?? '').length < 20).length"
        )
        == 0
    )
    polls = deck.evaluate(
        """() => [...document.querySelectorAll('.question:has(.talk)')].map(question =>
      [question.closest('section').querySelector('aside.notes').textContent, question.querySelector('.talk').dataset.notes])"""  # noqa: E501
    )
    for question, notes in zip(asked_in(deck)[0], polls, strict=True):
        right = "ABCDEFGH"[
            next(i for i, option in enumerate(question["options"]) if option.get("right"))
        ]
        assert all(f"Right: {right}." in note for note in notes)


@every_deck
def test_no_solution_stands_in_the_slides(deck):
    text = re.sub(r"\s+", " ", deck.content())
    exercises = re.findall(r'diagnose\("(\w+)"', "\n".join(cell.source for cell in deck.cells))
    lines = [
        line.strip()
        for name in exercises
        for line in solution(name).splitlines()
        if len(line.strip()) > 12
    ]
    shown = "\n".join(cell.source for cell in deck.cells)
    assert lines
    assert [line for line in lines if line not in shown and html.escape(line) in text] == []
    cards = deck.evaluate(
        "[...document.querySelectorAll('[role=group]')].map(card =>"
        " card.getAttribute('aria-label'))"
    )
    assert "Diagnosis: right" not in cards


@every_deck
def test_headings_go_down_one_level_at_a_time_and_pictures_have_words(deck):
    levels = [
        int(tag[1])
        for tag in deck.evaluate(
            "[...document.querySelectorAll('h1,h2,h3,h4')].map(h => h.tagName)"
        )
    ]
    assert levels[0] == 1
    assert all(below <= above + 1 for above, below in zip(levels, levels[1:], strict=False))
    assert (
        deck.evaluate(
            "[...document.querySelectorAll('img, .course-drawn > svg')].filter(one => (one.alt ??"
            " one.ariaLabel ?? '').length < 20).map(one => one.outerHTML.slice(0, 80))"
        )
        == []
    )


@every_deck
def test_equations_are_set(deck):
    assert deck.locator("mjx-merror").count() == 0
    in_prose = any(
        re.search(r"\$.+\$", cell.source) for cell in deck.cells if cell.cell_type == "markdown"
    )
    assert (deck.locator("mjx-container").count() > 0) == in_prose


@every_deck
def test_tab_meets_the_slide_that_is_shown_alone_and_no_equation(deck):
    reached = "Reveal.getSlides().filter(slide => !slide.inert)"
    for index in (0, 1, 2):
        deck.evaluate("index => Reveal.slide(index, 0)", index)
        assert deck.evaluate(f"{reached}.length") == 1
        assert deck.evaluate(f"{reached}[0] == Reveal.getCurrentSlide()")
    assert deck.locator("mjx-container[tabindex]").count() == 0


@every_deck
def test_axe_finds_nothing(deck):
    assert violations(deck) == []


@every_deck
def test_nothing_left_the_page_and_nothing_went_wrong(deck):
    assert deck.faults == []


@every_deck
def test_the_notes_of_the_plan_stand_below_their_slides(deck):
    wanted = {
        slides.short(heading): words(text) for heading, text in plans.read(deck.name).notes.items()
    }
    assert wanted
    found = deck.evaluate(
        """() => [...document.querySelectorAll('section:has(> aside.notes) > .jp-Cell :is(h1, h2, h3)')].map(heading =>
      [heading.textContent, heading.closest('section').querySelector('aside.notes').textContent])"""  # noqa: E501
    )
    noted = {words(slides.short(heading.removesuffix("¶"))): words(note) for heading, note in found}
    assert [
        heading
        for heading, text in wanted.items()
        if text not in noted.get(words(slides.short(REWORDED.get(heading, heading))), "")
    ] == []


@pytest.mark.parametrize("name", [name for name in NOTEBOOKS if plans.read(name)])
def test_the_shorter_version_leaves_out_its_homework_and_nothing_else(name):
    plan = plans.read(name)
    home = plans.homework(plan, 50)
    whole = lecture.core(NOTEBOOKS[name].cells)
    short = list(slides.taught(whole, home))

    def headings(cells):
        text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        found = re.findall(r"^#{1,3} (.+)", text, flags=re.MULTILINE)
        return [slides.short(heading) for heading in found]

    assert headings(short) == [heading for heading in headings(whole) if heading not in home]
    code = [cell.source for cell in short if cell.cell_type == "code"]
    gone = [cell.source for cell in whole if cell.cell_type == "code" and cell.source not in code]
    assert [text for text in gone if not re.search(r"^(?:diagnose|quiz)\(", text, re.M)] == []
    assert len(gone) == len([heading for heading in home if re.match("Exercise|Quiz", heading)])
    notes = "\n".join(plans.speaker_notes(plan, 50).values())
    assert "· 75: " not in notes
    assert notes.count("skip, homework") == len(home)


@pytest.mark.parametrize("minutes", slides.VERSIONS)
def test_no_slide_says_that_no_function_is_kept_yet(minutes):
    name = "11_language_model"
    home = plans.homework(plans.read(name), minutes)
    said = "holds none of these functions yet"
    assert said in str(NOTEBOOKS[name].cells)
    assert said not in str(slides.deck(name, NOTEBOOKS[name], {}, home).cells)


@every_deck
def test_a_note_gives_the_minutes_in_the_room_and_no_poll_twice(deck):
    found = deck.evaluate(
        """() => Reveal.getSlides().map(slide => [
      slide.querySelector('h1, h2, h3')?.tagName, slide.querySelector('aside.notes').textContent.trim()])"""  # noqa: E501
    )
    starts, later = (
        [note for tag, note in found if tag in ("H2", "H3")],
        [note for tag, note in found if not tag],
    )
    times = r"\d+: (?:\d+–\d+|skip, homework)"
    assert [
        note
        for note in starts
        if not re.search(rf"{times}(?: · {times})*\.", note) or re.search(r"\b\d+ minutes?\.", note)
    ] == []
    assert [
        note
        for note in later
        if "… continued: " not in note or re.search(r"Poll(?: \(vote\))?:", note)
    ] == []


@every_deck
def test_the_last_slide_says_the_licence(deck):
    last = deck.evaluate("() => Reveal.getSlides().at(-1).textContent")
    assert "CC BY 4.0" in last
    assert deck.evaluate("() => document.querySelectorAll('.licence').length") == 1


@every_deck
def test_no_heading_stands_alone(deck):
    assert (
        deck.evaluate("""() => Reveal.getSlides().filter(slide => {
      const copy = slide.cloneNode(true);
      for (const part of copy.querySelectorAll('h1, h2, h3, aside.notes, .all-code, script, style')) part.remove();
      return !copy.textContent.trim() && !copy.querySelector('img, .course-instrument, .course-ribbons');
    }).map(slide => slide.textContent)""")  # noqa: E501
        == []
    )


def steps(name, talks=True):
    """{heading: how often the speaker presses the arrow for it}, in the decks' own order; a talk is
    a step. Without talks, how many slides it has."""
    found, before, heading = {}, "", ""
    for slide in slides.packed(slides.parts(name, NOTEBOOKS[name].cells)):
        named = [part.heading for part in slide if part.heading]
        before = [before, *(one for one in named if not slides.is_exercise(one))][-1]
        if named:
            heading = named[-1]
        elif slides.is_exercise(heading) and not any("diagnose(" in part.code for part in slide):
            heading = before
        found[slides.short(heading)] = (
            found.get(slides.short(heading), 0)
            + 1
            + talks * sum("fragment talk" in str(part.cell) for part in slide)
        )
    return found


def in_the_room(name):
    """[{heading: its minutes}] of each version of a lecture, without what is homework."""
    return [
        {heading: span[1] - span[0] for heading, span in rows.items() if span}
        for rows in plans.read(name).clock.values()
    ]


@pytest.mark.parametrize("name", LECTURES)
def test_a_version_has_time_for_its_slides(name):
    """Of a heading at most 1.3 slides a minute, and two steps; of a whole version 1.3 steps. A quiz
    is answered in the notebook, and one question of it shown."""
    pressed = {heading: count for heading, count in steps(name).items() if heading != "Quiz"}
    shown = steps(name, talks=False)
    for version in in_the_room(name):
        minutes = {heading: time for heading, time in version.items() if heading in pressed}
        assert {
            heading: (pressed[heading], shown[heading], time)
            for heading, time in minutes.items()
            if pressed[heading] > 2 * time or shown[heading] > 1.3 * time
        } == {}
        assert sum(pressed[heading] for heading in minutes) <= 1.3 * sum(minutes.values())


def words(text):
    """The letters and digits of a text, whatever stands between."""
    return re.sub(r"[\W_]", "", text)


SAYS = (
    "note => document.querySelector('.speaker-controls-notes .value').textContent.replace(/\\s/g,"
    " '').includes(note)"
)


@pytest.fixture
def speaker(open_page):
    """A deck in one window, and its speaker's window."""
    deck = open_page("slides/01_self_attention.html")
    settle(deck)
    with deck.expect_popup() as opened:
        deck.keyboard.press("s")
    window = opened.value
    window.wait_for_function(
        "() => document.querySelector('.speaker-controls-notes .value')?.textContent.trim()"
    )
    yield deck, window
    window.close()
    assert deck.faults == []


def test_keys_in_the_speakers_window_turn_the_slides_and_its_notes_follow(speaker):
    """From a file, as from a server: there and back, and through the steps of a poll."""
    deck, window = speaker
    window.bring_to_front()
    for key in [*["ArrowRight"] * 12, *["ArrowLeft"] * 2, "Space"]:
        before = deck.evaluate("JSON.stringify(Reveal.getIndices())")
        window.keyboard.press(key)
        deck.wait_for_function(
            "before => JSON.stringify(Reveal.getIndices()) != before", arg=before
        )
        note = deck.evaluate(
            """() => (Reveal.getCurrentSlide().querySelector('.fragment.current-fragment')?.dataset.notes
          ?? Reveal.getCurrentSlide().querySelector('aside.notes').textContent).replace(/\\s/g, '').slice(0, 60)"""  # noqa: E501
        )
        window.wait_for_function(SAYS, arg=note)
    window.keyboard.press("c")
    deck.wait_for_function("() => Reveal.getRevealElement().classList.contains('with-code')")


def test_a_number_skips_a_heading_from_either_window_and_shift_on_the_wall(speaker):
    deck, window = speaker
    at = "place => { const { h, v } = Reveal.getIndices(); return `${h + 1}.${v + 1}` == place }"
    for page, number, place in [(deck, "4.2", "4.2"), (window, "6", "6.1")]:
        page.bring_to_front()
        shown = page.frame_locator("iframe").first if page is window else page
        shown.locator(
            ".reveal.ready"
        ).wait_for()  # the speaker's copy of the deck comes up after the notes
        jump = shown.locator(".jump-to-slide input")
        tries = 0
        while not jump.is_visible():
            if tries % 30 == 0:  # a key that comes before the window has found the deck is lost
                page.keyboard.press("g")
            tries += 1
            assert tries < 300
            page.wait_for_timeout(100)
        page.keyboard.type(number)
        page.keyboard.press("Enter")
        deck.wait_for_function(at, arg=place)
    deck.bring_to_front()
    deck.keyboard.press("Shift+ArrowDown")
    deck.keyboard.press("ArrowRight")
    deck.wait_for_function(at, arg="7.1")


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        ("import numpy as np\nS = X @ X.T  # scores\nprint(S)", "S = X @ X.T  # scores"),
        (
            "rng = np.random.default_rng(0)\nfor x in X:\n    print(x @ W)",
            "for x in X:\n    print(x @ W)",
        ),
        ("for x in X:\n    print(f'{x:.2f}')\nfigures.show(picture)", ""),
        ("def half(x):\n    return x / 2\n\njudge('A1', {'a': half(1) < 1})", ""),
    ],
)
def test_of_code_the_mathematics_is_shown(source, seen):
    assert mathematics(source) == seen


def test_on_a_phone_the_slides_are_one_page_that_keys_can_move(open_page):
    page = open_page("slides/01_self_attention.html", size=PHONE)
    page.locator("body.reveal-scroll").wait_for()
    assert violations(page) == []


def test_the_choice_in_the_speakers_window_has_a_name(built):
    script = built / "slides" / "assets" / "reveal" / "plugin" / "notes" / "notes.js"
    found = re.findall(r"<select [^>]*>", script.read_text(encoding="utf-8"))
    assert [r"aria-label=\"Layout\"" in one for one in found] == [True]
