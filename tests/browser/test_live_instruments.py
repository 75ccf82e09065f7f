"""The instruments as a hand meets them: a plain page, no kernel, no network; by mouse, finger and keys, light and dark, wide and on a phone."""

import json

import numpy as np
import pytest
from browsing import FRAMES, PHONE, THEMES, WIDE, load_again, plain, plain_page, violations
from instruments.parity import TRIALS, opened

from course_utils.cards import carrier

each = pytest.mark.parametrize("page", TRIALS, indirect=True, scope="module")

# Stands in for a kernel: holds what the instrument sends.
CHANNEL = """start => {
  const channel = { state: start, get: () => channel.state, set: (_, state) => channel.state = state, save_changes() {},
    on: (_, come) => channel.come = come };
  globalThis.courseChannels = { "": channel };
  dispatchEvent(new Event("course-channel"));
}"""
BARS = """side => [...document.querySelector('.course-instrument').shadowRoot.querySelectorAll('.level')]
  .filter(bar => bar.getClientRects().length).map(bar => +bar.getAttribute(side))"""
PICTURE = "() => document.querySelector('.course-instrument').shadowRoot.querySelector('.stage').innerHTML"


def shown(name, **changes):
    """What the instrument's cell shows, with all that it needs."""
    carrier.forget()
    html = opened(name, **changes)._repr_mimebundle_()["text/html"]
    carrier.forget()
    return html


@pytest.fixture(scope="module")
def page(request, browser, tmp_path_factory):
    """A page for an instrument: see `begin`."""
    file = tmp_path_factory.mktemp(request.param) / "light.html"
    file.write_text(plain("light", request.param, shown(request.param)), encoding="utf-8")
    with plain_page(browser, file) as page:
        page.name, page.file = request.param, file
        yield page


def begin(page, size=WIDE, motion="no-preference"):
    """Load the page as somebody does who has never been here; its name, the instrument, and how that is tried."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(reduced_motion=motion)
    page.mouse.move(0, 0)
    if page.url == page.file.as_uri():
        page.evaluate("localStorage.clear()")
    page.goto(page.file.as_uri())
    it = opened(page.name)
    page.evaluate(CHANNEL, it.start())
    return page.name, it, TRIALS[page.name]


def taken(page, label):
    return page.locator(f"[role=slider][aria-label^='{label}']").first


def middle(page, label):
    grip = taken(page, label)
    grip.scroll_into_view_if_needed()
    box = grip.locator(".grip").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, label, dx, dy):
    x, y = middle(page, label)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy, steps=8)
    page.mouse.up()


def act(page, kind, *what):
    if kind == "drag":
        drag(page, *what)
    elif kind == "press":
        page.get_by_role("button", name=what[0], exact=True).click()
    elif kind == "cell":
        page.get_by_role("gridcell").nth(what[0]).click()
    elif kind == "set":
        title, value = what
        slide = "(input, value) => { input.value = value; input.dispatchEvent(new Event('input')); }"
        page.get_by_role("slider", name=title, exact=True).evaluate(slide, value)


def settled(page):
    """The state that was sent to Python, once the hand rests."""
    page.clock.run_for(700)
    return page.evaluate("courseChannels[''].state")


def assert_drawn_and_said(page, name, state):
    """The bars are what Python computes for this state, the words that are seen and heard are what Python says."""
    it, trial = opened(name), TRIALS[name]
    numbers = it.compute(state)
    np.testing.assert_allclose(trial.drawn(page.evaluate(BARS, trial.side)), trial.shown(numbers), atol=1e-9)
    assert page.locator(".words").inner_text() == it.describe(numbers)
    assert page.locator(".heard").text_content() == it.describe(numbers)


def height(page):
    """Of all that is drawn: a picture does not jump when something is said."""
    bottom = "svg => svg.getBoundingClientRect().bottom - svg.getRootNode().host.getBoundingClientRect().top"
    return page.locator(".stage > svg, .stage > div > svg").last.evaluate(bottom)


@each
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_drag_moves_it_and_it_draws_and_says_what_python_computes(page, size):
    name, it, trial = begin(page, size)
    assert_drawn_and_said(page, name, it.start())
    before = height(page)
    drag(page, trial.grip, *trial.drag)
    state = settled(page)
    assert state != it.start()
    assert_drawn_and_said(page, name, state)
    assert height(page) == before
    page.locator(".foot button").last.click()
    assert settled(page) == json.loads(json.dumps(it.start()))
    assert_drawn_and_said(page, name, it.start())


@each
def test_a_finger_drags_it(page):
    name, it, trial = begin(page, PHONE)
    x, y = middle(page, trial.grip)
    touch = page.context.new_cdp_session(page)
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    for i, kind in enumerate(["touchStart", *["touchMove"] * 6]):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x + trial.drag[0] * i / 6, "y": y + trial.drag[1] * i / 6}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    state = settled(page)
    assert state != it.start()
    assert_drawn_and_said(page, name, state)


@each
def test_keys_move_it_and_reach_nobody_else(page):
    name, _, trial = begin(page)
    page.evaluate("window.heard = []; document.addEventListener('keydown', event => heard.push(event.key))")
    grip = taken(page, trial.grip)
    grip.focus()
    for key in trial.keys:
        before = grip.get_attribute("aria-valuetext")
        page.keyboard.press(key)
        page.clock.run_for(60)
        assert grip.get_attribute("aria-valuetext") != before, key
    assert_drawn_and_said(page, name, settled(page))
    assert page.evaluate("heard") == []


@each
def test_a_table_is_walked_by_keys_and_tells_its_cells(page):
    begin(page)
    for table in page.get_by_role("grid").all():
        cells = table.get_by_role("gridcell").all()
        cells[0].focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
        told = page.locator(".told").inner_text()
        assert any(character.isdigit() for character in told)
        assert page.evaluate("document.querySelector('.course-instrument').shadowRoot.activeElement.ariaLabel") == told
        assert table.locator("[tabindex='0']").count() == 1


@each
def test_the_challenge_is_a_conversation_and_its_lesson_is_kept(page):
    """Every move, the ticks are what Python says of the state; the lesson comes when all hold, and is there again after a reload."""
    name, it, trial = begin(page)
    met = page.locator(".course-met")
    lesson = met.get_by_role("status")

    def assert_told(state):
        conditions = it.conditions(it.compute(state))
        assert [line.strip() for line in met.locator("li > span:nth-of-type(2)").all_text_contents()] == [one["text"] for one in conditions]
        signs = met.locator("li").get_by_role("img").all()
        assert [sign.get_attribute("aria-label") == "right" for sign in signs] == [one["holds"] for one in conditions]

    assert_told(it.start())
    for one in trial.solved:
        assert lesson.inner_text() == ""
        act(page, *one)
        state = settled(page)
        assert_told(state)
    numbers = it.compute(state)
    assert it.met(numbers)
    assert lesson.inner_text() == f"✓ {it.lesson(numbers)}"
    load_again(page)
    assert lesson.inner_text() == f"✓ {it.lesson(numbers)}"


BROKEN = {"TokenMover": [("press", "bears pain"), ("drag", "bears", -30, 0), ("drag", "bears", -30, 0)],
          "QueryExplorer": [("drag", "key of bears", 30, 30)],
          "NormExplorer": [("drag", "sport of won", 0, -20)], "TurningArrows": [("drag", "arrow of the key", 30, 30)],
          "SoftmaxSharpening": [("drag", "score of key 0", 0, -30)], "DecodingTree": [("drag", "hear after", 9, 0), ("drag", "won after", 9, 0)]}


@pytest.mark.parametrize("page", BROKEN, indirect=True, scope="module")
def test_a_broken_rule_says_so_and_leads_back(page):
    name, it, _ = begin(page)
    back = page.locator(".course-met li button")
    assert back.evaluate_all("all => all.filter(one => !one.hidden).length") == 0
    for one in BROKEN[name]:
        act(page, *one)
    page.clock.run_for(100)
    line = page.locator(".course-met li").filter(has=page.locator("button:not([hidden])"))
    assert line.get_by_role("img").get_attribute("aria-label") == "wrong"
    line.get_by_role("button").click()
    assert settled(page) == json.loads(json.dumps(it.start()))
    assert page.locator(".course-met").get_by_role("img", name="wrong").count() == 0


@each
def test_its_words_are_shown_to_who_asks(page):
    name, it, _ = begin(page)
    words = page.locator(".words")
    if name == "TheMap":                                  # its words explain the part that is open, and always stand
        assert words.is_visible()
        return
    assert not words.is_visible()
    page.get_by_role("button", name="in words").click()
    assert words.is_visible()
    assert page.get_by_role("button", name="in words").get_attribute("aria-pressed") == "true"


# One stage: windows in which an instrument stands, with the width of the column and the size of its text. On the site the article is 58em
# wide; JupyterLab in a window of 1280 × 800, with its bars and a closed sidebar, leaves 1080 × 679, and with the file browser 828.
WINDOWS = {"1280": (1280, 800, "58em", 16), "1440": (1440, 900, "58em", 16), "1920": (1920, 1080, "58em", 16), "phone": (390, 844, "100%", 16),
           "lab": (1112, 679, "100%", 14), "lab, files open": (860, 679, "100%", 14)}
STAGE = """() => {
  const host = document.querySelector('.course-instrument'), root = host.shadowRoot, box = host.getBoundingClientRect();
  const seen = [...root.querySelectorAll('svg text')].filter(text =>
    text.textContent.trim() && text.getClientRects().length && getComputedStyle(text).opacity > 0);
  const size = text => parseFloat(getComputedStyle(text).fontSize) * text.ownerSVGElement.getScreenCTM().a;
  const small = seen.filter(text => size(text) < 11).map(text => [text.textContent, size(text)]);
  const cut = seen.filter(text => { const at = text.getBoundingClientRect(); return at.left < box.left - 8 || at.right > box.right + 8; });
  const pictures = [...root.querySelectorAll('.stage > svg')].map(svg => svg.getBoundingClientRect()).filter(at => at.height);
  const bottom = pictures.length ? Math.max(...pictures.map(at => at.bottom)) : root.querySelector('.stage').getBoundingClientRect().bottom;
  return { small, cut: cut.map(text => text.textContent), drawn: bottom - box.top, whole: host.parentNode.getBoundingClientRect().bottom - box.top };
}"""


@pytest.mark.parametrize("window", WINDOWS)
def test_hand_effect_and_challenge_stand_in_one_window(browser, tmp_path, window):
    """On a phone hand and effect; everywhere no text below 11 pixels, and none beyond the edge."""
    width, height, column, size = WINDOWS[window]
    faults = {}
    for name in TRIALS:
        file = tmp_path / f"{name}.html"
        style = f"<style>body{{margin:0}}main{{width:{column};max-width:100%;margin:auto;padding:0 16px;" \
                f"box-sizing:border-box;font-size:{size}px}}</style>"
        changes = {"here": "04"} if name == "TheMap" else {}         # as in a lecture, which it names
        file.write_text(plain("light", name, shown(name, **changes), style), encoding="utf-8")
        with plain_page(browser, file, size=(width, height)) as page:
            page.goto(file.as_uri())
            page.clock.run_for(300)
            page.evaluate(FRAMES)
            found = page.evaluate(STAGE)
            for one in TRIALS[name].solved:
                act(page, *one)
            page.evaluate(FRAMES)
            moved = page.evaluate(STAGE)
        room = found["drawn"] if window == "phone" else found["whole"]
        print(f"{window}, {name}: {room:.0f} of {height} px")
        if room > height or any(state[fault] for state in (found, moved) for fault in ("small", "cut")):
            faults[name] = found, moved
    assert faults == {}


@each
def test_python_moves_it_by_the_wire_and_nothing_stays_of_an_earlier_picture(page):
    name, it, trial = begin(page)
    drag(page, trial.grip, *trial.drag)
    moved, pictures = settled(page), []
    for state in (it.start(), moved, it.start(), moved):
        page.evaluate("state => { const channel = courseChannels['']; channel.state = state; channel.come(); }", state)
        page.clock.run_for(1000)                                   # whatever glides has come to rest
        assert_drawn_and_said(page, name, state)
        pictures.append(page.evaluate(PICTURE))
    assert pictures[2:] == pictures[:2]


@pytest.fixture(scope="module")
def all_shown():
    """All instruments, each in a section of its own; those behind the first bring no scripts that are there."""
    carrier.forget()
    sections = [f'<section><h2>{name}</h2>{opened(name)._repr_mimebundle_()["text/html"]}</section>' for name in TRIALS]
    carrier.forget()
    return "".join(sections)


def test_without_scripts_the_words_stand(open_plain, all_shown):
    page = open_plain("all.html", plain("light", "All", all_shown), script=False)
    for name, section in zip(TRIALS, page.locator("section").all(), strict=True):
        it, text = opened(name), section.inner_text()
        assert it.describe(it.compute(it.start())) in text
        assert "Run this cell" in text
        image = section.locator("img")
        assert image.get_attribute("alt") == it.describe(it.compute(it.start()))
        assert image.evaluate("image => image.complete && image.naturalWidth > 200 && image.naturalHeight > 100")


WIDER = "width => [...document.querySelectorAll('section')].filter(one => one.scrollWidth > width).map(one => one.querySelector('h2').textContent)"


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("theme", THEMES)
def test_they_are_accessible_and_fit(open_plain, axe, all_shown, theme, size):
    page = open_plain("all.html", plain(theme, "All", all_shown), size=size)
    page.clock.run_for(300)
    assert page.locator(".course-instrument").count() == len(TRIALS)
    assert violations(page) == []
    assert page.evaluate(WIDER, size[0]) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
