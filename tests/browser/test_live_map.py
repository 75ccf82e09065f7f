"""The map in a browser: parts open by a click or a key, the sentence flows stage by stage until its
full stop, a lane lights its ribbons."""

import sys
import xml.etree.ElementTree as ET
from collections import Counter
from html import escape

import numpy as np
import pytest
from browsing import PHONE, ROOT, WIDE
from instrument_pages import begin, settled
from test_live_instruments import assert_drawn_and_said

from course_utils.instruments.rounding import fixed
from course_utils.instruments.the_map import LECTURES, WHOLE

sys.path.insert(0, str(ROOT / "scripts"))
import pictures

the_map = pytest.mark.parametrize("page", ["TheMap"], indirect=True, scope="module")
SIZES = pytest.mark.parametrize("size", [WIDE, (760, 900), PHONE], ids=["wide", "middle", "phone"])
LIT = (
    "() =>"
    " [...document.querySelector('.course-instrument').shadowRoot.querySelectorAll('g[opacity=\"0.9\"]')].map(g"  # noqa: E501
    " => g.children.length)"
)
SEEN = """() => [...document.querySelector('.course-instrument').shadowRoot.querySelectorAll('.frame > svg')]
  .map(svg => [getComputedStyle(svg).visibility, svg.style.transform])"""  # noqa: E501
NUMBERS = """() => [...document.querySelector('.course-instrument').shadowRoot.querySelectorAll('.frame > svg')]
  .filter(svg => getComputedStyle(svg).visibility == 'visible')
  .flatMap(svg => [...svg.querySelectorAll('.numeral')]).filter(text => text.getClientRects().length)
  .map(text => text.textContent).filter(text => text && text != '–')"""  # noqa: E501
FOCUSED = "document.querySelector('.course-instrument').shadowRoot.activeElement?.ariaLabel ?? ''"


def level_seen(page):
    """The one level that is seen; nothing is scaled any more."""
    seen = page.evaluate(SEEN)
    assert [transform for _, transform in seen] == [""] * 4
    (level,) = (k for k, (visibility, _) in enumerate(seen) if visibility == "visible")
    return level


@the_map
@SIZES
def test_a_click_opens_a_part_and_the_track_leads_on(page, size):
    begin(page, size)
    page.get_by_role("button", name="softmax").press("Enter")
    assert settled(page)["stage"] == 10
    assert_drawn_and_said(page, "TheMap", settled(page))
    assert level_seen(page) == 0
    page.keyboard.press("ArrowRight")
    page.keyboard.press(" ")
    assert settled(page)["stage"] == 11
    part = page.get_by_role("button", name="attention, block 2").bounding_box()
    page.mouse.click(part["x"] + part["width"] / 3, part["y"] + part["height"] / 3)
    page.clock.run_for(1000)
    state = settled(page)
    assert [state["stage"], state["level"], level_seen(page)] == [6, 1, 1]
    assert state["lane"] is not None
    assert_drawn_and_said(page, "TheMap", state)


@the_map
@SIZES
@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_keys_walk_in_to_one_score_and_escape_walks_out(page, size, motion):
    begin(page, size, motion)
    page.get_by_role("button", name="attention, block 2").press("Enter")
    firsts = ("head 1 of block 2", "full stop → full stop", "full stop: score")
    for level, name in enumerate(firsts, start=1):
        page.clock.run_for(1000)
        assert settled(page)["level"] == level == level_seen(page)
        assert page.evaluate(FOCUSED).startswith(name)
        assert_drawn_and_said(page, "TheMap", settled(page))
        if level < 3:
            page.keyboard.press("ArrowRight" if level == 1 else "ArrowDown")
            page.keyboard.press("Enter")
    state = settled(page)
    assert [state["head"], state["lane"], state["key"]] == [2, 1, 0]
    for level in (2, 1, 0):
        page.keyboard.press("Escape")
        page.clock.run_for(1000)
        assert settled(page)["level"] == level == level_seen(page)
        assert page.evaluate(FOCUSED) != ""
    assert page.evaluate(FOCUSED) == "attention, block 2"
    assert_drawn_and_said(page, "TheMap", settled(page))


@the_map
def test_what_is_pressed_grows_until_it_is_the_picture(page):
    """On the way both drawings are seen, and the door keeps its place in them."""
    begin(page)
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))  # a busy machine takes no time
    page.get_by_role("button", name="attention, block 2").press("Enter")
    scales = []
    for _ in range(4):
        page.clock.run_for(120)
        seen = page.evaluate(SEEN)
        assert [visibility for visibility, _ in seen[:2]] == ["visible", "visible"]
        scales.append([float(text[6:-1]) for _, text in seen[:2]])
    ratios = [outer / inner for outer, inner in scales]
    assert max(ratios) - min(ratios) < 1e-3 * ratios[0]
    assert [outer for outer, _ in scales] == sorted(outer for outer, _ in scales)
    assert scales[0][0] >= 1 > scales[0][1]
    page.clock.run_for(1000)
    page.clock.resume()
    assert level_seen(page) == 1


@the_map
@SIZES
def test_the_crumbs_lead_to_every_level_and_its_numbers_are_pythons(page, size):
    _, it, _ = begin(page, size, "reduce")
    for level, crumb in [(3, "one score"), (1, "block 2"), (2, "head 1"), (0, "machine")]:
        page.get_by_role("group", name="how deep").get_by_role("button", name=crumb).click()
        state = settled(page)
        assert state["level"] == level == level_seen(page)
        numbers, drawn = it.compute(state), page.evaluate(NUMBERS)
        i, j = numbers["lane"], numbers["key"]
        wanted = {
            0: [fixed(numbers["rest"], 2)],
            1: [fixed(length, 1) for length in numbers["lengths"][3:].ravel()],
            2: [fixed(w, 2) for w in numbers["A"][np.tril_indices(i + 1)]]
            + [fixed(x, 1) for x in [*numbers["V"].ravel(), *numbers["output"][i]]],
            3: [fixed(x, 2) for x in [*(numbers["Q"][i] * numbers["K"][j]), *numbers["A"][i]]]
            + [f"= {fixed(numbers['products'][i][j], 2)}"],
        }[level]
        assert Counter(wanted) <= Counter(drawn)


@the_map
@SIZES
def test_the_sentence_is_the_readers_own(page, size):
    _, it, _ = begin(page, size)
    page.get_by_role("button", name="dogs, lane").click()
    assert settled(page)["lane"] == 2
    words = page.get_by_label("the picked word")
    assert words.input_value() == "dogs"
    words.select_option("dog")
    state = settled(page)
    assert state["words"] == ["the", "dog", "near", "the", "cat"]
    assert it.compute(state)["best"][0] == "sees"
    assert_drawn_and_said(page, "TheMap", state)
    page.get_by_role("button", name="+ word").click()
    assert settled(page)["words"][-1] == "sees"
    assert page.get_by_role("button", name="+ word").is_disabled()
    for _ in range(3):
        words.select_option("(leave out)")
        settled(page)
    assert settled(page)["words"] == ["the", "dog", "near"]
    assert words.locator("option").last.is_disabled()
    assert_drawn_and_said(page, "TheMap", settled(page))


@the_map
@SIZES
def test_steps_lead_through_the_whole_sentence_and_back(page, size):
    begin(page, size)
    flow = WHOLE * 2  # one word is written, then the full stop comes

    def said_after(name):
        page.get_by_role("button", name=name).click()
        page.clock.run_for(50)
        return page.locator(".words").inner_text()

    there = [said_after("step ›") for _ in range(flow + 1)]
    assert len(set(there)) == flow + 1
    assert "the sentence is finished" in there[-2]
    assert [said_after("‹ back") for _ in range(flow)] == there[-2::-1]
    assert_drawn_and_said(page, "TheMap", settled(page))


@the_map
@SIZES
def test_a_lane_that_is_pointed_at_lights_its_ribbons(page, size):
    begin(page, size)
    assert page.evaluate(LIT) == [6, 6]
    for token, ribbons in (("dogs", 3), ("near", 4)):
        page.get_by_role("button", name=f"{token}, lane").hover()
        assert page.evaluate(LIT) == [ribbons, ribbons]
        assert page.locator(".told").inner_text().startswith(f"{token} looks at, in block 1:")


@the_map
def test_play_can_be_paused_and_without_motion_nothing_glides(page):
    begin(page, motion="reduce")
    page.get_by_role("button", name="▶ play").click()
    page.clock.run_for(3200)
    assert settled(page)["stage"] == 1
    fade = page.locator("linearGradient").evaluate("fade => fade.getAttribute('x2')")
    page.get_by_role("button", name="❚❚ pause").click()
    page.clock.run_for(3200)
    assert settled(page)["stage"] == 1
    assert page.locator("linearGradient").evaluate("fade => fade.getAttribute('x2')") == fade
    assert_drawn_and_said(page, "TheMap", settled(page))


@the_map
def test_a_page_among_lectures_leads_to_them(page, tmp_path):
    begin(page)
    assert (
        page.locator(".links a").evaluate_all("links => links.map(a => a.getAttribute('href'))")
        == []
    )
    lecture = tmp_path / "04_masking.html"
    lecture.write_text(page.file.read_text(encoding="utf-8"), encoding="utf-8")
    other = page.context.new_page()
    other.goto(lecture.as_uri())
    other.get_by_role("button", name="feed-forward, block 1").press("Enter")
    other.clock.run_for(300)
    links = other.locator(".links a").evaluate_all(
        "links => links.map(a => [a.getAttribute('href'), a.textContent])"
    )
    files = {number: file for number, (file, *_) in LECTURES.items()}
    assert (
        [href for href, _ in links]
        == [f"{files[text[:2]]}.html" for _, text in links]
        == [f"{files[n]}.html" for n in ("07", "09", "14")]
    )


def test_the_still_is_what_the_map_draws_and_the_readme_says_it_in_words(browser):
    for name, colours in pictures.PAGES.items():
        stored = (pictures.FOLDER / f"{name}.svg").read_text(encoding="utf-8")
        now = pictures.draw(browser, *colours)
        assert _texts(stored) == _texts(now)
        assert len(stored) == pytest.approx(
            len(now), rel=0.02
        )  # another browser rounds other last digits
        assert "var(" not in stored
        assert "color-mix" not in stored
    assert f'<img src="docs/map.svg" alt="{escape(pictures.words())}">' in (
        ROOT / "README.md"
    ).read_text(encoding="utf-8")


def test_in_a_page_the_picture_moves_but_not_for_who_wants_less_motion(browser):
    """A picture asks the system, not the page: so a browser of its own for who wants less."""
    still = browser.browser_type.launch(
        executable_path=pictures.CHROMIUM,
        args=["--no-sandbox", "--disable-gpu", "--force-prefers-reduced-motion"],
    )
    assert _moves(browser)
    assert not _moves(still)
    still.close()


def _moves(browser):
    """Whether a page with the picture looks otherwise within two seconds."""
    picture = browser.new_page(viewport={"width": 960, "height": 510})
    picture.goto((ROOT / "docs").as_uri())
    picture.set_content(f'<img src="{(ROOT / "docs" / "map.svg").as_uri()}" width="946">')
    picture.wait_for_function("document.images[0].naturalWidth")
    looks = [picture.screenshot()]
    while len(looks) < 5 and looks[-1] == looks[0]:
        picture.wait_for_timeout(500)
        looks.append(picture.screenshot())
    picture.close()
    return looks[-1] != looks[0]


def _texts(svg):
    return [
        element.text
        for element in ET.fromstring(svg).iter()
        if element.text and element.text.strip()
    ]
