"""The map in a browser: parts open by a click or a key, the sentence flows stage by stage until its full stop, a lane lights its ribbons."""

import sys
import xml.etree.ElementTree as ET
from html import escape

import pytest
from browsing import PHONE, ROOT, WIDE
from test_live_instruments import assert_drawn_and_said, begin, page, settled  # noqa: F401  (page is a fixture)

from course_utils.instruments import TheMap
from course_utils.instruments.the_map import STORED, WHOLE

sys.path.insert(0, str(ROOT / "scripts"))
import pictures

the_map = pytest.mark.parametrize("page", ["TheMap"], indirect=True, scope="module")
SIZES = pytest.mark.parametrize("size", [WIDE, (760, 900), PHONE], ids=["wide", "middle", "phone"])
LIT = "() => [...document.querySelector('.course-instrument').shadowRoot.querySelectorAll('g[opacity=\"0.9\"]')].map(g => g.children.length)"


@the_map
@SIZES
def test_a_click_or_enter_opens_a_part(page, size):  # noqa: F811
    begin(page, size)
    part = page.get_by_role("button", name="attention, block 2")
    part.focus()
    page.keyboard.press("Enter")
    assert settled(page)["stage"] == 6
    assert_drawn_and_said(page, "TheMap", settled(page))
    page.keyboard.press("ArrowRight")
    page.keyboard.press(" ")
    assert settled(page)["stage"] == 7
    box = part.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 3, box["y"] + box["height"] / 3)
    state = settled(page)
    assert state["stage"] == 6
    assert state["lane"] is not None
    assert_drawn_and_said(page, "TheMap", state)


@the_map
@SIZES
def test_steps_lead_through_the_whole_sentence_and_back(page, size):  # noqa: F811
    begin(page, size)
    flow = WHOLE * len(STORED["passes"])

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
def test_a_lane_that_is_pointed_at_lights_its_ribbons(page, size):  # noqa: F811
    begin(page, size)
    assert page.evaluate(LIT) == [6, 6]
    for token, ribbons in (("dogs", 3), ("near", 4)):
        page.get_by_role("button", name=f"{token}, lane").hover()
        assert page.evaluate(LIT) == [ribbons, ribbons]
        assert page.locator(".told").inner_text().startswith(f"{token} looks at, in block 1:")


@the_map
def test_play_can_be_paused_and_without_motion_nothing_glides(page):  # noqa: F811
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
def test_a_page_among_lectures_leads_to_them(page, tmp_path):  # noqa: F811
    begin(page)
    assert page.locator(".links a").evaluate_all("links => links.map(a => a.getAttribute('href'))") == []
    lecture = tmp_path / "04_masking.html"
    lecture.write_text(page.file.read_text(encoding="utf-8"), encoding="utf-8")
    other = page.context.new_page()
    other.goto(lecture.as_uri())
    other.get_by_role("button", name="feed-forward, block 1").press("Enter")
    other.clock.run_for(300)
    links = other.locator(".links a").evaluate_all("links => links.map(a => [a.getAttribute('href'), a.textContent])")
    files = {number: one["file"] for number, one in TheMap.data()["lectures"].items()}
    assert [href for href, _ in links] == [f"{files[text[:2]]}.html" for _, text in links] == [f"{files[n]}.html" for n in ("07", "09", "14")]


def test_the_still_is_what_the_map_draws_and_the_readme_says_it_in_words(browser):
    for name, colours in pictures.PAGES.items():
        stored = (pictures.FOLDER / f"{name}.svg").read_text(encoding="utf-8")
        now = pictures.draw(browser, *colours)
        assert _texts(stored) == _texts(now)
        assert len(stored) == pytest.approx(len(now), rel=0.02)               # another browser rounds other last digits
        assert "var(" not in stored
        assert "color-mix" not in stored
    assert f'<img src="docs/map.svg" alt="{escape(pictures.words())}">' in (ROOT / "README.md").read_text(encoding="utf-8")


def test_in_a_page_the_picture_moves_but_not_for_who_wants_less_motion(browser):
    """A picture asks the system, not the page: so a browser of its own for who wants less."""
    still = browser.browser_type.launch(executable_path=pictures.CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--force-prefers-reduced-motion"])
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
    return [element.text for element in ET.fromstring(svg).iter() if element.text and element.text.strip()]
