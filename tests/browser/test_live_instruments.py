"""The instruments as a hand meets them: a plain page, no kernel, no network; by mouse, finger and
keys, light and dark, wide and on a phone."""

import json

import numpy as np
import pytest
from browsing import (
    FRAMES,
    PHONE,
    WIDE,
    every_look,
    heard,
    load_again,
    plain,
    plain_page,
    violations,
)
from instrument_pages import begin, put, settled, shown
from instruments.parity import TRIALS, opened

from course_utils.cards import carrier

each = pytest.mark.parametrize("page", TRIALS, indirect=True, scope="module")

BARS = """side => [...document.querySelector('.course-instrument').shadowRoot.querySelectorAll('.level')]
  .filter(bar => bar.getClientRects().length).map(bar => +bar.getAttribute(side))"""  # noqa: E501
PICTURE = (
    "() =>"
    " document.querySelector('.course-instrument').shadowRoot.querySelector('.stage').innerHTML"
)


def taken(page, label):
    return page.locator(f"[role=slider][aria-label^='{label}']").first


def middle(page, label):
    grip = taken(page, label)
    grip.scroll_into_view_if_needed()
    box = grip.locator(".grip").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def pixels(page, label, dx, dy):
    """How far on the page a way is that is told in units of the handle's picture."""
    scale = taken(page, label).evaluate("grip => grip.ownerSVGElement.getScreenCTM().a")
    return dx * scale, dy * scale


def drag(page, label, dx, dy):
    x, y = middle(page, label)
    dx, dy = pixels(page, label, dx, dy)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy, steps=8)
    page.mouse.up()


def act(page, kind, *what):
    if kind == "drag":
        drag(page, *what)
    elif kind == "pick":
        drag(page, what[0], 0, 0)
    elif kind == "roll":
        drag(page, what[0], -30, 0)
    elif kind == "press":
        page.get_by_role("button", name=what[0], exact=True).click()
    elif kind == "cell":
        page.get_by_role("gridcell").nth(what[0]).click()
    elif kind == "set":
        title, value = what
        slide = (
            "(input, value) => { input.value = value; input.dispatchEvent(new Event('input')); }"
        )
        page.get_by_role("slider", name=title, exact=True).evaluate(slide, value)


def assert_drawn_and_said(page, name, state, touched=True):
    """The bars are what Python computes for this state, the words that are seen and heard are what
    Python says."""
    it, trial = opened(name), TRIALS[name]
    numbers = it.compute(state)
    np.testing.assert_allclose(
        trial.drawn(page.evaluate(BARS, trial.side)), trial.shown(numbers), atol=1e-9
    )
    assert page.locator(".words").inner_text() == it.describe(numbers)
    if touched:
        assert heard(page).startswith(it.describe(numbers))
    else:
        assert heard(page) == "", "nothing is said that nobody brought about"


def height(page):
    """Of all that is drawn: a picture does not jump when something is said."""
    bottom = (
        "svg => svg.getBoundingClientRect().bottom -"
        " svg.getRootNode().host.getBoundingClientRect().top"
    )
    return page.locator(".stage > svg, .stage > div > svg").last.evaluate(bottom)


@each
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_drag_moves_it_and_it_draws_and_says_what_python_computes(page, size):
    name, it, trial = begin(page, size)
    assert_drawn_and_said(page, name, it.start(), touched=False)
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
    # a finger that met no handle would go back a page
    page.add_style_tag(content="html{overscroll-behavior:none}")
    page.clock.run_for(300)
    page.evaluate(FRAMES)  # it stands where it will stay
    page.evaluate(
        "window.cancelled = 0; document.addEventListener('pointercancel', () => cancelled++)"
    )
    x, y = middle(page, trial.grip)
    dx, dy = pixels(page, trial.grip, *trial.drag)
    touch = page.context.new_cdp_session(page)
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    for i, kind in enumerate(["touchStart", *["touchMove"] * 6]):
        touch.send(
            "Input.dispatchTouchEvent",
            {
                "type": kind,
                "touchPoints": [{"x": x + dx * i / 6, "y": y + dy * i / 6}],
            },
        )
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    state = settled(page)
    assert page.evaluate("cancelled") == 0  # the browser did not take it for scrolling
    assert state != it.start()
    assert_drawn_and_said(page, name, state)


@each
def test_keys_move_it_and_reach_nobody_else(page):
    name, _, trial = begin(page)
    page.evaluate(
        "window.heard = []; document.addEventListener('keydown', event => heard.push(event.key))"
    )
    grip = taken(page, trial.grip)
    grip.focus()
    for key in trial.keys:
        before = grip.get_attribute("aria-valuetext")
        page.keyboard.press(key)
        page.clock.run_for(500)
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
        assert page.evaluate(
            "document.querySelector('.course-instrument').shadowRoot.activeElement.ariaLabel"
        ).endswith(told)
        assert table.locator("[tabindex='0']").count() == 1


ROWS = """([name, state, data]) => {
  const it = courseKit.all[name], { rows, values } = it.table(it.compute(state, data), data);
  const write = value => typeof value == 'number' ? courseKit.fixed(value, 2) : `${value}`;
  return rows.map((row, i) => [row, ...values[i]].map((one, k) => (k ? write(one) : `${one}`)));
}"""


@each
def test_its_data_stand_in_a_table_that_follows_the_hand(page):
    """Under a fold that keys open; of many rows the first and the last are among those shown."""
    name, it, trial = begin(page)
    fold = page.locator(".course-instrument .data")
    assert fold.locator("table").count() == 0
    fold.locator("summary").press("Enter")
    fold.locator("tbody tr").first.wait_for()
    for moved in (False, True):
        if moved:
            grip = taken(page, trial.grip)
            grip.focus()
            grip.press(trial.keys[0])
        state = settled(page) if moved else it.start()
        rows = page.evaluate(ROWS, [name, state, it.data()])
        shown = [
            [cell.strip() for cell in row.locator("th, td").all_text_contents()]
            for row in fold.locator("tbody tr").all()
        ]
        assert (shown[0], shown[-1]) == (rows[0], rows[-1])
        assert len(shown) == min(len(rows), 30)
        assert f"({len(shown)} of {len(rows)} rows)" in fold.inner_text() or len(rows) <= 30
    assert fold.locator("thead th[scope=col]").count() == len(rows[0])
    assert fold.locator("tbody th[scope=row]").count() == len(shown)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@each
def test_the_challenge_is_a_conversation_and_its_lesson_is_kept(page):
    """Every move, the ticks are what Python says of the state; the lesson comes when all hold, and
    is there again after a reload."""
    name, it, trial = begin(page)
    met = page.locator(".course-met")
    lesson = met.locator(".course-lesson")

    def assert_told(state):
        conditions = it.conditions(it.compute(state))
        assert [
            line.strip() for line in met.locator("li > span:nth-of-type(2)").all_text_contents()
        ] == [one["text"] for one in conditions]
        signs = met.locator("li").get_by_role("img").all()
        assert [sign.get_attribute("aria-label") == "met" for sign in signs] == [
            one["holds"] for one in conditions
        ]

    assert_told(it.start())
    for one in trial.solved:
        assert lesson.inner_text() == ""
        act(page, *one)
        state = settled(page)
        assert_told(state)
    numbers = it.compute(state)
    assert it.met(numbers)
    assert lesson.inner_text() == f"✓ {it.lesson(numbers)}"
    assert heard(page).count("Reached: ") + heard(page).count(it.lesson(numbers)) >= 2
    load_again(page)
    assert lesson.inner_text() == f"✓ {it.lesson(numbers)}"
    assert heard(page) == ""


BROKEN = {
    "TokenMover": [("press", "bears pain"), ("drag", "bears", -33, 0), ("drag", "bears", -33, 0)],
    "QueryExplorer": [("drag", "key of bears", 33, 33)],
    "NormExplorer": [("drag", "sport of won", 0, -22)],
    "TurningArrows": [("drag", "arrow of the key", 33, 33)],
    "SoftmaxSharpening": [("drag", "score of key 0", 0, -33)],
    "DecodingTree": [("drag", "hear after", 10, 0), ("drag", "won after", 10, 0)],
}


@pytest.mark.parametrize("page", BROKEN, indirect=True, scope="module")
def test_a_broken_rule_says_so_and_leads_back(page):
    name, it, _ = begin(page)
    back = page.locator(".course-met li button")
    assert back.evaluate_all("all => all.filter(one => !one.hidden).length") == 0
    for one in BROKEN[name]:
        act(page, *one)
    page.clock.run_for(100)
    line = page.locator(".course-met li").filter(has=page.locator("button:not([hidden])"))
    assert line.get_by_role("img").get_attribute("aria-label") == "broken"
    line.get_by_role("button").click()
    assert settled(page) == json.loads(json.dumps(it.start()))
    assert page.locator(".course-met").get_by_role("img", name="broken").count() == 0


@each
def test_its_words_are_shown_to_who_asks(page):
    name, it, _ = begin(page)
    words = page.locator(".words")
    if name == "TheMap":  # its words explain the part that is open, and always stand
        assert words.bounding_box()["height"] > 1
        return
    assert words.bounding_box()["height"] == 1  # heard, and not seen
    page.get_by_role("button", name="in words").click()
    assert words.bounding_box()["height"] > 1
    assert page.get_by_role("button", name="in words").get_attribute("aria-pressed") == "true"


# One stage: windows in which an instrument stands, with the width of the column and the size of its
# text. On the site the article is 58em wide, in larger windows, too; JupyterLab in a window of
# 1280 × 800, with its bars and a closed sidebar, leaves 1080 × 679, and with the file browser 828.
WINDOWS = {
    "1280": (1280, 800, "58em", 16),
    "phone": (390, 844, "100%", 16),
    "lab": (1112, 679, "100%", 14),
    "lab, files open": (860, 679, "100%", 14),
}
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
}"""  # noqa: E501


@pytest.mark.parametrize("name", TRIALS)
def test_hand_effect_and_challenge_stand_in_one_window(browser, tmp_path, name):
    """On a phone hand and effect; everywhere no text below 11 pixels, and none beyond the edge. At
    the start, and with the challenge met."""
    changes = {"here": "04"} if name == "TheMap" else {}  # as in a lecture, which it names
    style = (
        "<style>body{margin:0}main{width:var(--column);max-width:100%;margin:auto;padding:0 16px;"
        "box-sizing:border-box;font-size:var(--size)}</style>"
    )
    file = tmp_path / f"{name}.html"
    file.write_text(plain("light", name, shown(name, **changes), style), encoding="utf-8")
    faults = []
    with plain_page(browser, file) as page:
        page.goto(file.as_uri())
        for met in (False, True):
            for one in TRIALS[name].solved if met else ():
                act(page, *one)
            for window, (width, height, column, size) in WINDOWS.items():
                page.set_viewport_size({"width": width, "height": height})
                page.evaluate(
                    "both => Object.entries(both).forEach(([name, value]) =>"
                    " document.documentElement.style.setProperty(name, value))",
                    {"--column": column, "--size": f"{size}px"},
                )
                page.clock.run_for(300)
                page.evaluate(FRAMES)
                found = page.evaluate(STAGE)
                room = found["drawn"] if window == "phone" else found["whole"]
                print(f"{window}, {name}: {room:.0f} of {height} px")
                if (not met and room > height) or found["small"] or found["cut"]:
                    faults.append((window, met, room, found))
    assert faults == []


@each
def test_python_moves_it_by_the_wire_and_nothing_stays_of_an_earlier_picture(page):
    name, it, trial = begin(page)
    drag(page, trial.grip, *trial.drag)
    moved, pictures = settled(page), []
    for state in (it.start(), moved, it.start(), moved):
        put(page, state)
        page.clock.run_for(300)  # whatever glides has come to rest
        assert_drawn_and_said(page, name, state)
        pictures.append(page.evaluate(PICTURE))
    assert pictures[2:] == pictures[:2]


@pytest.fixture(scope="module")
def all_shown():
    """All instruments, each in a section of its own; those behind the first bring no scripts that
    are there."""
    carrier.forget()
    sections = [
        f"<section><h2>{name}</h2>{opened(name)._repr_mimebundle_()['text/html']}</section>"
        for name in TRIALS
    ]
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
        assert image.evaluate(
            "image => image.complete && image.naturalWidth > 200 && image.naturalHeight > 100"
        )


WIDER = (
    "width => [...document.querySelectorAll('section')].filter(one => one.scrollWidth >"
    " width).map(one => one.querySelector('h2').textContent)"
)


@every_look
def test_they_are_accessible_and_fit(open_plain, axe, all_shown, theme, size):
    page = open_plain("all.html", plain(theme, "All", all_shown), size=size)
    page.clock.run_for(300)
    assert page.locator(".course-instrument").count() == len(TRIALS)
    assert violations(page) == []
    assert page.evaluate(WIDER, size[0]) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
