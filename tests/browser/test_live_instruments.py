"""The instruments as a hand meets them: a plain page, no kernel, no network; by mouse, finger and keys, light and dark, wide and on a phone."""

import json

import numpy as np
import pytest
from browsing import violations
from instruments.parity import TRIALS, opened

from course_utils.cards import carrier

each = pytest.mark.parametrize("name", TRIALS)
PHONE = (390, 844)
THEMES = {"light": ("rgba(0, 0, 0, 0.87)", "#fff"), "dark": ("rgba(255, 255, 255, 0.87)", "#111")}

# Stands in for a kernel: holds what the instrument sends.
WIRE = """start => {
  const wire = { state: start, get: () => wire.state, set: (_, state) => wire.state = state, save_changes() {}, on: (_, come) => wire.come = come };
  globalThis.courseWires = { "": wire };
  dispatchEvent(new Event("course-wire"));
}"""
BARS = """side => [...document.querySelector('.course-instrument').shadowRoot.querySelectorAll('.level')]
  .filter(bar => bar.getClientRects().length).map(bar => +bar.getAttribute(side))"""


def page_of(name, theme):
    carrier.forget()
    text, page = THEMES[theme]
    html = opened(name)._repr_mimebundle_()["text/html"]
    carrier.forget()
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{name}</title>' \
           f'<body style="--jp-layout-color0:{page};color:{text};background:{page};font:14px sans-serif"><main><h1>{name}</h1>{html}</main>'


@pytest.fixture
def open_instrument(browser, tmp_path):
    """open_instrument(name, theme, size, ...): its page. Whatever it asks for or complains of fails the test."""
    faults, contexts = [], []

    def open_one(name, theme="light", size=(1280, 900), script=True, touch=False):
        context = browser.new_context(offline=True, viewport={"width": size[0], "height": size[1]}, java_script_enabled=script, has_touch=touch)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        file = tmp_path / f"{theme}.html"
        file.write_text(page_of(name, theme), encoding="utf-8")
        page.on("request", lambda request: request.url == file.as_uri() or faults.append(request.url))
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(file.as_uri())
        if script:
            page.evaluate(WIRE, opened(name).start())
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert faults == []


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
    page.wait_for_timeout(700)
    return page.evaluate("courseWires[''].state")


def assert_drawn_and_said(page, name, state):
    """The bars are what Python computes for this state, the words that are seen and heard are what Python says."""
    it, trial = opened(name), TRIALS[name]
    numbers = it.compute(state)
    np.testing.assert_allclose(trial.drawn(page.evaluate(BARS, getattr(trial, "SIDE", "height"))), trial.shown(numbers), atol=1e-9)
    assert page.locator(".words").inner_text() == it.describe(numbers)
    assert page.locator(".heard").text_content() == it.describe(numbers)


def height(page):
    return page.locator(".course-instrument").bounding_box()["height"]


@each
@pytest.mark.parametrize("size", [(1280, 900), PHONE], ids=["wide", "phone"])
def test_a_drag_moves_it_and_it_draws_and_says_what_python_computes(open_instrument, name, size):
    page, trial = open_instrument(name, size=size), TRIALS[name]
    assert_drawn_and_said(page, name, opened(name).start())
    before = height(page)
    drag(page, trial.TAKEN, *trial.DRAG)
    state = settled(page)
    assert state != opened(name).start()
    assert_drawn_and_said(page, name, state)
    assert height(page) == before
    page.get_by_text("↺ reset").click()
    assert settled(page) == json.loads(json.dumps(opened(name).start()))
    assert_drawn_and_said(page, name, settled(page))


@each
def test_a_finger_drags_it(open_instrument, name):
    page, trial = open_instrument(name, size=PHONE, touch=True), TRIALS[name]
    x, y = middle(page, trial.TAKEN)
    touch = page.context.new_cdp_session(page)
    for i, kind in enumerate(["touchStart", *["touchMove"] * 6]):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x + trial.DRAG[0] * i / 6, "y": y + trial.DRAG[1] * i / 6}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    state = settled(page)
    assert state != opened(name).start()
    assert_drawn_and_said(page, name, state)


@each
def test_keys_move_it_and_reach_nobody_else(open_instrument, name):
    page, trial = open_instrument(name), TRIALS[name]
    page.evaluate("window.heard = []; document.addEventListener('keydown', event => heard.push(event.key))")
    grip = taken(page, trial.TAKEN)
    grip.focus()
    for key in trial.KEYS:
        before = grip.get_attribute("aria-valuetext")
        page.keyboard.press(key)
        page.wait_for_timeout(60)
        assert grip.get_attribute("aria-valuetext") != before, key
    assert_drawn_and_said(page, name, settled(page))
    assert page.evaluate("heard") == []


@each
def test_a_table_is_walked_by_keys_and_tells_its_cells(open_instrument, name):
    page = open_instrument(name)
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
def test_the_challenge_is_recognised_and_kept(open_instrument, name):
    page, it = open_instrument(name), opened(name)
    status = page.locator(".course-met")
    assert "Not met yet" in status.inner_text()
    for one in TRIALS[name].SOLVED:
        assert "Not met yet" in status.inner_text()
        act(page, *one)
        page.wait_for_timeout(100)
    assert it.met(it.compute(settled(page)))
    assert it.lesson[:40] in status.inner_text()
    assert status.get_by_role("img", name="right").inner_text() == "✓"
    page.reload()
    assert it.lesson[:40] in status.inner_text()


@each
def test_python_moves_it_by_the_wire(open_instrument, name):
    page, it, trial = open_instrument(name), opened(name), TRIALS[name]
    drag(page, trial.TAKEN, *trial.DRAG)
    moved = settled(page)
    page.evaluate("start => { const wire = courseWires['']; wire.state = start; wire.come(); }", it.start())
    page.wait_for_timeout(700)
    assert_drawn_and_said(page, name, it.start())
    page.evaluate("moved => { const wire = courseWires['']; wire.state = moved; wire.come(); }", moved)
    page.wait_for_timeout(700)
    assert_drawn_and_said(page, name, moved)


@each
def test_without_scripts_the_words_stand(open_instrument, name):
    page, it = open_instrument(name, script=False), opened(name)
    assert it.describe(it.compute(it.start())) in page.inner_text("main")
    assert "Run this cell" in page.inner_text("main")


@each
@pytest.mark.parametrize("size", [(1280, 900), PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("theme", THEMES)
def test_it_is_accessible_and_fits(open_instrument, axe, name, theme, size):
    page = open_instrument(name, theme, size)
    page.wait_for_timeout(300)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
