"""What to say next, as a wall shows it: every idea of the course fits a screen."""

import pytest
from browsing import plain_page
from grading import class_page, ideas, report

from course_utils.cards.questions import LETTERS, files
from course_utils.exercises import EXERCISES

CUT = """() => [...document.querySelectorAll('section')]
  .filter(slide => slide.scrollHeight > slide.clientHeight || slide.scrollWidth > slide.clientWidth)
  .map(slide => slide.querySelector('h2').textContent)"""
SMALLEST = """() => Math.min(...[...document.querySelectorAll('section .ask, section li')]
  .map(part => parseFloat(getComputedStyle(part).fontSize)))"""


def every_idea():
    """All that could stand on the wall: known mistakes, and wrong options of all questions."""
    for notebook, names in report.course().items():
        if notebook not in files("predictions"):
            continue
        marks = [("check", name, m.name) for name in names for m in EXERCISES[name].mistakes]
        for (kind, key), (_, options) in ideas.questions(notebook).items():
            letters = zip(LETTERS, options, strict=False)
            marks += [(kind, key, letter) for letter, o in letters if not o.get("right")]
        for mark in marks:
            yield ideas.Seen(ideas.idea_of(mark, notebook, class_page.what_to_say))


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (1024, 768)])
def test_every_idea_fits_the_wall_in_letters_that_a_hall_reads(
    browser, tmp_path, monkeypatch, size
):
    found = list(every_idea())
    for one in found:
        one.counts.update(dict.fromkeys(ideas.SOURCES, 100))
    monkeypatch.setattr(ideas, "seen", lambda *arguments: found)
    monkeypatch.setattr(class_page, "LARGEST", len(found))
    file = tmp_path / "class.html"
    file.write_text(class_page.wall_page([], {"03_scaling": []}), encoding="utf-8")
    with plain_page(browser, file, size=size) as page:
        page.goto(file.as_uri())
        assert page.locator("section").count() == len(found) > 1500
        assert page.evaluate(CUT) == []
        assert page.evaluate(SMALLEST) >= 20  # pixels of a screen 720 high
