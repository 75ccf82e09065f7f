"""What follows from a key, a click and a drag, and slips of the hand planted in the instruments'
scripts: each must be seen by the test of what follows.

The slips are a list of the course's own. A tool that makes them (Stryker) would load a browser for
each of some thousand lines, and most lines of a drawing are colours and places that no test should
fix. The numbers and words of every instrument, which can be tried without a browser, are mutated
line by line in tests/test_instruments.py.
"""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from browsing import plain, plain_page
from instrument_pages import CHANNEL, settled, shown
from instruments.parity import opened
from test_live_instruments import drag, middle, taken

from course_utils import instruments
from course_utils.cards.scripts import read_script, squeeze
from course_utils.instruments import LayerWalk
from course_utils.instruments.mask_explorer import PLACE, PRESETS, T

FOLDER = Path(instruments.__file__).parent
LAST = len(LayerWalk.data()["places"]) - 1  # after the last block
CAUSAL = PRESETS["causal"].tolist()
LEAK = [
    [seen or (i, j) == (1, PLACE) for j, seen in enumerate(row)] for i, row in enumerate(CAUSAL)
]
FOCUSED = """() => { const { activeElement: one } = document.querySelector('.course-instrument').shadowRoot;
  const rows = [...one.closest('[role=grid]').children], row = one.parentNode;
  return [rows.indexOf(row), [...row.children].indexOf(one)]; }"""  # noqa: E501
DASHES = """() => [...document.querySelector('.course-instrument').shadowRoot.querySelectorAll('path')]
  .filter(one => one.getAttribute('d') && one.getAttribute('stroke-dasharray') == '7 5').length"""  # noqa: E501


def sweep(page, cells):
    """Press the first cell, and paint over the others."""
    first, *others = (page.get_by_role("gridcell").nth(i) for i in cells)
    first.hover()
    page.mouse.down()
    for cell in others:
        cell.hover()
    page.mouse.up()


def place(page):
    """Where the query points, as its handle says it."""
    words = taken(page, "query").get_attribute("aria-valuetext")
    return np.array([float(part.split()[1]) for part in words.split(", ")])


# What follows. Each takes a page on which nobody has done anything yet.


def a_brush_closes_and_opens_the_cells_it_comes_to_until_it_is_lifted(page):
    sweep(page, [2, 3, 4])
    page.get_by_role("gridcell").nth(T + 4).hover()
    wanted = np.array(PRESETS["none"])
    wanted[0, 2:5] = False
    assert settled(page)["mask"] == wanted.tolist()
    sweep(page, [2, 3])
    wanted[0, 2:4] = True
    assert settled(page)["mask"] == wanted.tolist()


def enter_and_space_paint_a_cell(page):
    page.get_by_role("gridcell").nth(3).focus()
    for key, seen in (("Space", False), ("Space", True), ("Enter", False), ("Enter", True)):
        page.keyboard.press(key)
        assert settled(page)["mask"][0][3] == seen


def arrows_home_and_end_walk_in_a_table(page):
    page.get_by_role("gridcell").nth(0).focus()
    for key, there in (
        ("ArrowRight", [0, 1]),
        ("End", [0, T - 1]),
        ("ArrowDown", [1, T - 1]),
        ("ArrowLeft", [1, T - 2]),
        ("Home", [1, 0]),
        ("ArrowUp", [0, 0]),
        ("ArrowUp", [0, 0]),
    ):
        page.keyboard.press(key)
        assert page.evaluate(FOCUSED) == there, key


def a_ribbon_is_dashed_where_it_goes_past_the_mask(page):
    it = opened("MaskExplorer", mask=CAUSAL, way=1)
    past = [
        i for i, moved in enumerate(it.numbers["moved"]) if moved > 1e-6 and not CAUSAL[i][PLACE]
    ]
    assert past
    assert page.evaluate(DASHES) == len(past)


def nothing_is_met_before_somebody_has_touched_it(page):
    lesson = page.locator(".course-met .course-lesson")
    page.clock.run_for(2000)
    assert lesson.inner_text() == ""
    page.get_by_role("gridcell").nth(T).focus()
    page.clock.run_for(2000)
    assert lesson.inner_text().startswith("✓ “won” now sees “pain”")


def keys_move_a_handle_one_step_or_five_in_their_direction(page):
    taken(page, "query").focus()
    page.keyboard.press("Home")
    steps = {}
    for key, back in (
        ("ArrowRight", "ArrowLeft"),
        ("ArrowUp", "ArrowDown"),
        ("PageDown", "PageUp"),
        ("Shift+ArrowLeft", "Shift+ArrowRight"),
    ):
        before = place(page)
        page.keyboard.press(key)
        page.clock.run_for(60)
        steps[key] = place(page) - before
        page.keyboard.press(back)
        page.clock.run_for(60)
        np.testing.assert_allclose(place(page), before, atol=0.021)
    (right, zero), (none, up) = steps["ArrowRight"], steps["ArrowUp"]
    assert right > 0
    assert up > 0
    assert zero == none == 0
    np.testing.assert_allclose(steps["PageDown"], [0, -5 * up], atol=0.06)
    np.testing.assert_allclose(steps["Shift+ArrowLeft"], [-5 * right, 0], atol=0.06)


def a_handle_stays_under_the_hand_where_it_was_taken(page):
    x, y = middle(page, "query")
    page.mouse.move(x + 6, y - 5)
    page.mouse.down()
    page.mouse.move(x + 46, y - 35, steps=4)
    page.mouse.up()
    page.clock.run_for(60)
    np.testing.assert_allclose(middle(page, "query"), [x + 40, y - 30], atol=1.5)


def the_other_button_of_a_mouse_drags_nothing(page):
    x, y = middle(page, "query")
    page.mouse.move(x, y)
    page.mouse.down(button="right")
    page.mouse.move(x + 40, y - 30, steps=4)
    page.mouse.up(button="right")
    page.clock.run_for(700)
    assert middle(page, "query") == (x, y)


def a_drag_or_a_visit_by_keys_is_one_move_of_the_hand(page):
    drag(page, "bears", -30, 20)
    assert settled(page)["drags"] == 1
    drag(page, "bears", 20, 10)
    assert settled(page)["drags"] == 2
    for visits in (3, 4):
        taken(page, "bears").focus()
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowUp")
        assert settled(page)["drags"] == visits
        taken(page, "bears").blur()


def a_click_in_the_table_takes_that_row(page):
    before = opened("NormExplorer").state["batch"]
    for i in (4, 1):
        page.get_by_role("gridcell").nth(4 * i).click()
        before[i] = not before[i]
        assert settled(page)["batch"] == before


def a_button_does_what_it_says_and_shows_that_it_is_down(page):
    names = page.get_by_role("group", name="who is in the batch").get_by_role("button")
    for button in (names.nth(3), names.nth(0)):
        was = button.get_attribute("aria-pressed")
        button.click()
        settled(page)
        assert button.get_attribute("aria-pressed") == {"true": "false", "false": "true"}[was]
    assert (
        names.evaluate_all("all => all.map(one => one.ariaPressed == 'true')")
        == settled(page)["batch"]
    )


def a_head_is_silenced_and_heard_again(page):
    head = page.get_by_role("gridcell").nth(0)
    head.click()
    assert settled(page)["silent"] == 0
    head.focus()
    for key, silent in (("Space", -1), ("Space", 0), ("Enter", -1)):
        page.keyboard.press(key)
        assert settled(page)["silent"] == silent


def a_head_is_lit_taken_away_and_given_back(page):
    head = page.get_by_role("button", name="head 3 of block 1", exact=True)
    head.click()
    assert settled(page)["lit"] == [1, 3]
    away = page.get_by_role("button", name="take the lit head away")
    for wanted in ([[1, 3]], []):
        away.click()
        assert settled(page)["away"] == wanted
        assert away.get_attribute("aria-pressed") == str(wanted != []).lower()
    page.get_by_role("button", name="head 2 of block 2", exact=True).press("Space")
    assert settled(page)["lit"] == [2, 2]


def a_tile_says_whether_it_is_a_byte_or_a_token(page):
    ids = opened("TokenCutter").numbers["ids"]
    assert min(ids) < 256 <= max(ids)
    tiles = page.locator(".stage > svg").first.locator("g > g")
    assert tiles.count() == len(ids)
    for tile, i in zip(tiles.all(), ids, strict=True):
        tile.hover()
        told = page.locator(".told").inner_text()
        assert f"is a byte, {i}." in told if i < 256 else f"is token {i}: " in told
    page.mouse.move(0, 0)
    assert not page.locator(".told").is_visible()


def what_is_written_is_what_is_cut(page):
    page.get_by_role("textbox", name="text").fill("two bears 🐻")
    assert settled(page)["text"] == "two bears 🐻"
    page.get_by_role("textbox", name="text").fill("x" * 200)
    assert settled(page)["text"] == "x" * opened("TokenCutter").data()["longest"]


def a_slider_says_its_value(page):
    slide = page.get_by_role("slider", name="pairs", exact=True)
    slide.focus()
    for key, n in (("Home", 0), ("ArrowRight", 1)):
        page.keyboard.press(key)
        assert settled(page)["n"] == n
        assert slide.get_attribute("aria-valuetext") == f"{n}"
        assert page.locator("label output").inner_text() == f"{n}"


def without_motion_its_end_is_there_at_once(page):
    page.emulate_media(reduced_motion="reduce")
    page.get_by_role("button", name="play").click()
    assert settled(page)["layer"] == LAST


def what_moves_stops_where_it_is_told(page):
    page.get_by_role("button", name="play").click()
    page.clock.run_for(1500)
    page.get_by_role("button", name="stop").click()
    stopped = settled(page)["layer"]
    page.clock.run_for(20_000)
    assert settled(page)["layer"] == stopped < LAST


@dataclass
class Slip:
    """Part of a script's source, and what it becomes."""

    file: str
    old: str
    new: str


@dataclass
class Hand:
    """What follows, on which instrument, opened with which state, and the slips that it sees."""

    follows: Callable
    instrument: str
    slips: list[Slip]
    changes: dict = field(default_factory=dict)


PRESS = "if (event.key != 'Enter' && event.key != ' ') return;"
HANDS = [
    Hand(
        a_brush_closes_and_opens_the_cells_it_comes_to_until_it_is_lifted,
        "MaskExplorer",
        [
            Slip("mask_explorer", "brush = !state.mask[i][j];", "brush = true;"),
            Slip("mask_explorer", "['pointerup', 'pointerleave',", "['pointerleave',"),
        ],
    ),
    Hand(
        enter_and_space_paint_a_cell,
        "MaskExplorer",
        [Slip("mask_explorer", PRESS, "if (event.key != 'Enter') return;")],
    ),
    Hand(
        arrows_home_and_end_walk_in_a_table,
        "MaskExplorer",
        [
            Slip("kit", "End: [0, columns]", "End: [0, 1]"),
            Slip("kit", "Home: [0, -j]", "Home: [0, -1]"),
        ],
    ),
    Hand(
        a_ribbon_is_dashed_where_it_goes_past_the_mask,
        "MaskExplorer",
        [Slip("mask_explorer", "mask[i][place] ? '' : '7 5'", "''")],
        {"mask": CAUSAL, "way": 1},
    ),
    Hand(
        nothing_is_met_before_somebody_has_touched_it,
        "MaskExplorer",
        [Slip("kit", "const met = touched && it.met", "const met = it.met")],
        {"mask": LEAK},
    ),
    Hand(
        keys_move_a_handle_one_step_or_five_in_their_direction,
        "QueryExplorer",
        [
            Slip("kit", "far = shiftKey ? 5 : 1", "far = 1"),
            Slip("kit", "PageDown: [0, -5]", "PageDown: [0, 5]"),
            Slip("kit", "ArrowLeft: [-far, 0]", "ArrowLeft: [far, 0]"),
        ],
    ),
    Hand(
        a_handle_stays_under_the_hand_where_it_was_taken,
        "QueryExplorer",
        [Slip("kit", "offset = [u - x, v - y];", "offset = [0, 0];")],
    ),
    Hand(
        the_other_button_of_a_mouse_drags_nothing,
        "QueryExplorer",
        [Slip("kit", "if (event.button) return;", "")],
    ),
    Hand(
        a_drag_or_a_visit_by_keys_is_one_move_of_the_hand,
        "TokenMover",
        [
            Slip("kit", "begun = true;", ""),
            Slip("kit", "element.addEventListener('blur', () => (begun = false));", ""),
        ],
    ),
    Hand(
        a_click_in_the_table_takes_that_row,
        "NormExplorer",
        [Slip("norm_explorer", "'click', () => toggle(i)", "'click', () => toggle(5 - i)")],
    ),
    Hand(
        a_button_does_what_it_says_and_shows_that_it_is_down,
        "NormExplorer",
        [Slip("kit", "down[k] ?? k == down", "!down[k]")],
    ),
    Hand(
        a_head_is_silenced_and_heard_again,
        "HeadBoard",
        [
            Slip("head_board", "state.silent == l * H + h ? -1 : l * H + h", "l * H + h"),
            Slip("head_board", PRESS, "if (event.key != 'Enter') return;"),
        ],
    ),
    Hand(
        a_head_is_lit_taken_away_and_given_back,
        "NextWord",
        [
            Slip("next_word", "others.length < state.away.length ? others :", ""),
            Slip("next_word", "/^( |Enter)$/", "/^Enter$/"),
            Slip("next_word", "state.lit = mine;", "state.lit = [mine[0], 1 + (mine[1] % 4)];"),
        ],
    ),
    Hand(
        a_tile_says_whether_it_is_a_byte_or_a_token,
        "TokenCutter",
        [
            Slip(
                "token_cutter", "ids[i] < 256\n              ? `", "ids[i] < 999\n              ? `"
            ),
            Slip("kit", "pointed == words", "pointed != words"),
        ],
    ),
    Hand(
        what_is_written_is_what_is_cut,
        "TokenCutter",
        [Slip("token_cutter", ".slice(0, longest).join('')", ".join('')")],
    ),
    Hand(
        a_slider_says_its_value,
        "TokenCutter",
        [Slip("kit", "tell();\n      change(+input.value);", "change(+input.value);")],
    ),
    Hand(
        without_motion_its_end_is_there_at_once,
        "LayerWalk",
        [Slip("kit", "return (show(1), () => {});", "return (show(0), () => {});")],
    ),
    Hand(
        what_moves_stops_where_it_is_told,
        "LayerWalk",
        [Slip("kit", "return () => cancelAnimationFrame(frame);", "return () => {};")],
    ),
]


@contextlib.contextmanager
def page_of(hand, browser, folder, slip=None):
    """A new page with the hand's instrument, whose script has the slip."""
    html = shown(hand.instrument, **hand.changes)
    if slip:
        path = FOLDER / f"{slip.file}.js"
        source = path.read_text(encoding="utf-8")
        assert slip.old in source
        assert read_script(path) in html
        html = html.replace(read_script(path), squeeze(source.replace(slip.old, slip.new)))
    file = folder / "hand.html"
    file.write_text(plain("light", hand.instrument, html), encoding="utf-8")
    with plain_page(browser, file) as page:
        page.goto(file.as_uri())
        page.evaluate(CHANNEL, opened(hand.instrument, **hand.changes).state)
        yield page


@pytest.mark.parametrize("hand", HANDS, ids=lambda hand: hand.follows.__name__)
def test_what_follows(hand, browser, tmp_path):
    with page_of(hand, browser, tmp_path) as page:
        hand.follows(page)


@pytest.mark.parametrize(
    ("hand", "slip"),
    [
        pytest.param(hand, slip, id=f"{slip.file}: {slip.new or 'without ' + slip.old}")
        for hand in HANDS
        for slip in hand.slips
    ],
)
def test_a_slip_of_the_hand_is_seen(hand, slip, browser, tmp_path):
    with page_of(hand, browser, tmp_path, slip) as page, pytest.raises(AssertionError):
        hand.follows(page)
