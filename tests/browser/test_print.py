"""The site and the slides on paper: black on white although the reader's system is dark, every fold
open, nothing to press."""

import pytest
from browsing import ROOT, count_pages, settle

LECTURE = "01_self_attention"
PAGES = {"site": f"site/notebooks/{LECTURE}.html", "slides": f"slides/{LECTURE}.html"}

# What paper shows of a page: the paper's colour (of the last element behind all with one), colours
# of text, what could be pressed, and the folds of which nothing but the name is seen.
PAPER = """() => {
  const seen = one => one.getClientRects().length > 0;
  const all = (css, ...more) => [...document.querySelectorAll(css)].filter(seen);
  const grounds = [document.documentElement, document.body]
    .map(one => getComputedStyle(one).backgroundColor).filter(colour => colour != 'rgba(0, 0, 0, 0)');
  return {
    paper: grounds.at(-1) ?? 'rgb(255, 255, 255)',
    text: [...new Set(all('main p, main li, main pre').map(one => getComputedStyle(one).color))],
    code: [...new Set(all('main pre, main .cell_input').map(one => getComputedStyle(one).backgroundColor))],
    pressed: all('button, .bd-sidebar, .bd-header').filter(one => !one.closest('.course-options'))
      .map(one => one.outerHTML.slice(0, 80)),
    folded: all('main details').filter(one => one.offsetHeight < one.firstElementChild.offsetHeight + 12)
      .map(one => one.textContent.slice(0, 80)),
    folds: all('main details').length,
    wide: document.documentElement.scrollWidth - innerWidth,
  };
}"""  # noqa: E501


@pytest.mark.parametrize("kind", PAGES)
def test_a_lecture_on_paper(open_page, kind):
    page = open_page(PAGES[kind], "dark", (794, 1123))
    settle(page)
    page.locator("main .course-instrument").first.wait_for(state="attached")
    page.emulate_media(media="print")
    found = page.evaluate(PAPER)
    assert found["paper"] == "rgb(255, 255, 255)"
    assert set(found["text"]) <= {"rgb(0, 0, 0)", "rgb(34, 34, 34)", "rgb(51, 51, 51)"}
    assert set(found["code"]) <= {"rgba(0, 0, 0, 0)", "rgb(255, 255, 255)"}
    assert found["pressed"] == []
    assert found["folded"] == []
    assert found["folds"] > 5 or kind == "slides"
    assert found["wide"] <= 0
    shadow = page.locator(".course-instrument button, .course-instrument input")
    assert not any(one.is_visible() for one in shadow.all())


@pytest.mark.parametrize(
    "lecture", sorted(path.stem for path in (ROOT / "teaching" / "plans").glob("[0-9]*.md"))
)
def test_a_plan_is_one_page(open_page, lecture):
    page = open_page(f"teachers/teaching/plans/{lecture}.html")
    assert count_pages(page.pdf(format="A4")) == 1
