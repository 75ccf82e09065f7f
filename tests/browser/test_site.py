"""The site as a reader meets it: in a real browser, from the files alone, without network and kernel; light, dark, and on a phone."""

import re
from urllib.parse import unquote

import pytest
from browsing import LECTURES, NOTEBOOKS, check_quiz, push, settle, violations

PHONE = (390, 844)

# Themes' own faults, with the reason why they stay: see docs/accessibility.md.
THEME = {
    ("label-content-name-mismatch", "search-button"),                 # "Search Ctrl+K" is named "Search"
    ("label-content-name-mismatch", "Toggle hidden content"),         # myst-nb names the fold of a solution otherwise than it reads
}

# What is wider than it may be and hides that, but for code, equations and wide tables of prose, which scroll.
CUT = """() => [...document.querySelectorAll('article *')].filter(element =>
  element.clientWidth && element.scrollWidth > element.clientWidth + 1
  && ['auto', 'scroll', 'hidden'].includes(getComputedStyle(element).overflowX)
  && !element.closest('pre, .highlight, .pst-scrollable-table-container, mjx-container, mjx-assistive-mml, .visually-hidden'))
  .map(element => element.outerHTML.slice(0, 100))"""
NOTEBOOK_LINKS = "[...document.querySelectorAll('article a')].map(a => a.href.match(/notebooks\\/(\\w+)\\.html/)?.[1]).filter(name => name)"

every_page = pytest.mark.parametrize("page", NOTEBOOKS, indirect=True, scope="module")
every_lecture = pytest.mark.parametrize("page", LECTURES, indirect=True, scope="module")


def opened(open_page, name, **how):
    page = open_page(f"site/notebooks/{name}.html" if name in NOTEBOOKS else f"site/{name}.html", **how)
    settle(page)
    return page


@pytest.fixture(scope="module")
def page(request, open_page):
    page = opened(open_page, request.param)
    page.name, page.notebook = request.param, NOTEBOOKS[request.param]
    return page


def ours(found):
    """The violations that no theme causes."""
    return [one for one in found if not any(one[0] == rule and mark in one[1] for rule, mark in THEME)]


@every_page
def test_axe_finds_nothing(page):
    assert ours(violations(page)) == []


@every_page
def test_the_dark_page_has_contrast(page):
    choose(page, "dark")
    assert ours(violations(page, "color-contrast")) == []
    choose(page, "light")


def choose(page, colours):
    page.locator(f".theme-change-button[data-mode={colours}]").first.evaluate("button => button.click()")
    assert page.evaluate("document.documentElement.dataset.theme") == colours
    page.wait_for_timeout(500)             # the theme's own buttons change colour slowly


@every_lecture
def test_the_instrument_answers_without_a_kernel(page):
    instruments = page.locator(".course-instrument").all()
    assert instruments
    assert all(push(instrument) for instrument in instruments)


@every_page
def test_every_slider_has_a_name_and_says_its_value(page):
    for handle in page.locator("[role=slider]").all():
        if handle.is_visible():                # what a state does not show has no name yet
            assert handle.get_attribute("aria-label")
            assert handle.get_attribute("aria-valuetext")


@every_lecture
def test_every_answer_of_the_quiz_gets_a_word(page):
    check_quiz(page)


@every_page
def test_equations_are_set(page):
    assert page.locator("mjx-merror").count() == 0
    assert page.locator("mjx-container").count() >= page.locator(".math").count()          # under a fold stand more


@every_page
def test_headings_go_down_one_level_at_a_time_and_pictures_have_words(page):
    tags = page.evaluate("[...document.querySelectorAll('article :is(h1, h2, h3, h4)')].map(heading => heading.tagName)")
    levels = [int(tag[1]) for tag in tags]
    assert levels[0] == 1
    assert all(below <= above + 1 for above, below in zip(levels, levels[1:], strict=False))
    assert page.evaluate("[...document.images].filter(img => img.alt.length < 20).map(img => img.outerHTML.slice(0, 80))") == []


@every_page
def test_links_lead_to_pages_that_are_there(page, built):
    hrefs = page.evaluate("[...document.querySelectorAll('a[href]')].map(a => a.href)")
    files = {unquote(re.sub(r"[?#].*", "", href)) for href in hrefs if href.startswith("file:")}
    assert len(files) > len(NOTEBOOKS)
    assert [file for file in files if not (built / file.removeprefix(built.as_uri() + "/")).exists()] == []


@every_page
def test_a_phone_scrolls_sideways_only_in_code(page):
    wide = page.viewport_size
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    try:
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        assert page.evaluate(CUT) == []
    finally:
        page.set_viewport_size(wide)


@every_page
def test_nothing_left_the_page_and_nothing_went_wrong(page):
    assert page.faults == []


def test_the_front_page_leads_to_every_notebook(open_page):
    page = opened(open_page, "index")
    assert set(page.evaluate(NOTEBOOK_LINKS)) == set(NOTEBOOKS)
    assert ours(violations(page)) == []
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    assert page.faults == []


def test_search_works_from_the_files_alone(open_page):
    page = open_page("site/search.html?q=softmax")
    page.wait_for_selector("ul.search li a")
    assert page.locator("ul.search li a").count() > 3
    assert page.faults == []


def test_a_page_takes_the_colours_of_the_system(open_page):
    for colours in ("light", "dark"):
        page = opened(open_page, "index", colours=colours)
        assert page.evaluate("document.documentElement.dataset.theme") == colours
        assert ours(violations(page)) == []
