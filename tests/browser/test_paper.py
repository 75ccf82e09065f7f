"""An exam on paper, printed by a browser as a room's computer would: every question whole, an
answer sheet for each."""

import sys

import numpy as np
import pytest
from browsing import count_pages
from helpers import ROOT

sys.path.insert(0, str(ROOT / "teaching"))
sys.path.insert(0, str(ROOT / "scripts"))
import exam
from grading import exams

A4, LETTER = (210, 297), (216, 279)  # millimetres
MARGIN = 28  # above and below together, as the page's style says
PIXELS = 96 / 25.4  # of CSS, in a millimetre


@pytest.fixture(scope="module")
def paper(tmp_path_factory):
    """The folder of an exam with three variants."""
    folder = tmp_path_factory.mktemp("paper")
    exam.main(
        [
            "--seed",
            "maple",
            "--lectures",
            "01-05",
            "--minutes",
            "75",
            "--paper",
            "--variants",
            "3",
            "--to",
            str(folder),
        ]
    )
    return folder


@pytest.fixture
def page(browser):
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.emulate_media(media="print")
    yield page
    context.close()


@pytest.mark.parametrize("size", [A4, LETTER], ids=["A4", "Letter"])
def test_a_browser_prints_sheets_and_answer_sheets(paper, page, size):
    key = exams.read_key(paper / "key" / "exam.json")
    page.goto((paper / "sheets" / "exam.html").as_uri())
    pdf = page.pdf(width=f"{size[0]}mm", height=f"{size[1]}mm")
    assert pdf.startswith(b"%PDF")
    n_pages = count_pages(pdf)
    parts = page.eval_on_selector_all(
        ".sheet, .answers", "all => all.map(one => [one.dataset.sheet, one.className])"
    )
    assert parts == [[sheet, part] for sheet in key for part in ("sheet", "answers")]
    assert n_pages >= len(parts)
    assert n_pages <= 7 * len(key)  # five for the questions and two for the answers, at most


def test_no_question_is_cut_and_nothing_is_wider_than_the_paper(paper, page):
    key = exams.read_key(paper / "key" / "exam.json")
    page.set_viewport_size({"width": round((A4[0] - 36) * PIXELS), "height": 1000})
    page.goto((paper / "sheets" / "exam.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    heights = page.eval_on_selector_all(
        ".question", "all => all.map(one => one.getBoundingClientRect().height)"
    )
    assert len(heights) == sum(len(sheet.items) for sheet in key.values())
    assert (
        max(heights) < (LETTER[1] - MARGIN) * PIXELS
    )  # then `break-inside: avoid` can keep it whole
    assert page.eval_on_selector_all(
        ".question", "all => all.every(one => getComputedStyle(one).breakInside == 'avoid')"
    )


def test_an_answer_sheet_has_a_place_for_every_answer_and_the_page_no_answer(paper, page):
    key = exams.read_key(paper / "key" / "exam.json")
    page.goto((paper / "sheets" / "exam.html").as_uri())
    for sheet in key.values():
        rows = page.locator(f".answers[data-sheet='{sheet.id}'] tbody tr").all()
        assert len(rows) == len(sheet.items)
        for item, row in zip(sheet.items, rows, strict=True):
            assert row.locator("td").first.inner_text() == item.name
            kind = item.question.kind
            places = {"choice": ".box", "number": ".number", "why": ".line"}[kind]
            wanted = {"choice": 4, "why": 5}.get(kind) or np.size(item.question.answer)
            assert row.locator(places).count() == wanted
        asked = page.locator(f".sheet[data-sheet='{sheet.id}']").inner_text()
        assert all(
            item.question.model not in asked for item in sheet.items if item.question.kind == "why"
        )
    assert page.locator(".solution, script, a").count() == 0
    page.goto((paper / "key" / "exam.html").as_uri())
    assert page.locator(".solution").count() == sum(len(sheet.items) for sheet in key.values())
    assert page.locator(".answers").count() == 0
