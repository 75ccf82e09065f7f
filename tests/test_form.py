"""A lecture keeps its form: a core of an hour, an answer by its middle, sections below. That each
stands alone is tested where they are run: tests/test_numbers.py."""

import re

import lecture
import pytest
from helpers import MAIN, NOTEBOOKS, notebook

ANSWERED_BY = 35  # minutes into the core
every_lecture = pytest.mark.parametrize("name", MAIN)


@every_lecture
def test_the_minutes_are_said_as_they_are_counted(name):
    cells, mend = notebook(name).cells, "python scripts/lecture.py writes the minutes"
    assert f"**Core:** {lecture.in_words(lecture.core(cells))}" in cells[0].source, mend
    for title, own in lecture.sections(cells).items():
        assert own[0].source.startswith(f"### {title} ({lecture.in_words(own)})\n"), mend


@every_lecture
def test_a_core_takes_an_hour_and_answers_its_question_by_the_middle(name):
    free = lecture.free_words(name, notebook(name).cells)
    assert free >= 0, f"take out {-free} word(s) above ## Deeper"
    cells = lecture.core(notebook(name).cells)
    (answer,) = (i for i, cell in enumerate(cells) if "answer" in cell.metadata.get("tags", []))
    assert lecture.minutes(cells[: answer + 1]) <= ANSWERED_BY


@every_lecture
def test_a_section_says_in_a_line_for_whom_it_is(name):
    found = lecture.sections(notebook(name).cells)
    assert found
    for title, (first, *_) in found.items():
        _, _, line = first.source.strip().partition("\n")
        assert re.match(r"\n?[A-Z][^\n]{8,200}\.(\n|$)", line), title


@every_lecture
def test_the_exercises_are_counted_from_1(name):
    texts = "\n".join(cell.source for cell in notebook(name).cells if cell.cell_type == "markdown")
    counted = [int(n) for n in re.findall(r"^#+ Exercise (\d+):", texts, re.MULTILINE)]
    assert counted == list(range(1, len(counted) + 1)), "an exercise between others moves the later"


def cell(kind, source):
    return {"cell_type": kind, "source": source}


LECTURE = [
    cell("markdown", "# 99 Title\n\n**Core:** 0 minutes"),
    cell("code", "import numpy\nx = 1"),
    cell("markdown", "## Deeper\n\nMore."),
    cell("markdown", "### One\n\nFor all."),
    cell("code", "y = x"),
    cell("markdown", "### Two (7 minutes)\n\n" + "word " * 240),
]


def test_a_lecture_is_divided_by_its_headings():
    assert lecture.core(LECTURE) == LECTURE[:2]
    assert lecture.sections(LECTURE) == {"One": LECTURE[3:5], "Two": LECTURE[5:]}
    assert lecture.sections(LECTURE[:2]) == {}
    with pytest.raises(ValueError, match=r"got 'y = x' below ## Deeper, wanted"):
        lecture.sections([*LECTURE[:3], LECTURE[4]])


def test_minutes_are_counted_and_written_once():
    assert lecture.minutes([cell("markdown", "word " * 120)]) == pytest.approx(1.4)
    assert lecture.minutes([cell("code", "\n".join(["x = 1"] * 20))]) == pytest.approx(
        1.4 * 3
    )  # 20 lines of 9 seconds
    assert lecture.minutes(
        [cell("markdown", "### Exercise 1: `softmax` (10 minutes, ●●○)")]
    ) == pytest.approx(1.4 * (13 + 7 / 120))
    cells = [dict(one) for one in LECTURE]
    lecture.write_minutes(cells)
    assert cells[5]["source"].startswith("### Two (3 minutes)\n\nword")
    assert "**Core:** 0 minutes" in cells[0]["source"]
    again = [dict(one) for one in cells]
    lecture.write_minutes(again)
    assert again == cells


@pytest.mark.parametrize(
    ("name", "words", "said"),
    [
        ("98_one", 5137, "free cells: 79; free words: 5"),  # 60 / 1.4 * 120 = 5142.86
        ("98_one", 5142, "free cells: 79; free words: 0"),
        ("98_one", 5143, "free cells: 79; words too many: 1"),
        ("98_one", 5136, "free cells: 79"),
        ("00_one", 2572, "free cells: 44; words too many: 1"),
    ],
)
def test_a_core_that_is_nearly_full_says_how_many_words_are_free(name, words, said):
    assert lecture.room(name, [cell("markdown", "word " * words)]) == said


def test_minutes_that_changed_are_written_and_nothing_else(tmp_path, monkeypatch, capsys):
    name = MAIN[0]
    kept = NOTEBOOKS[name].read_text(encoding="utf-8")
    path = tmp_path / "notebooks" / f"{name}.ipynb"
    path.parent.mkdir()
    monkeypatch.setattr(lecture, "ROOT", tmp_path)
    monkeypatch.setattr(lecture, "README", tmp_path / "README.md")
    readme = f"| [it](notebooks/{name}.ipynb) | its question | {{}} |\n"
    lecture.README.write_text(readme.format(999), encoding="utf-8")
    path.write_text(re.sub(r"\*\*Core:\*\* \d+", "**Core:** 999", kept), encoding="utf-8")
    lecture.main()
    assert path.read_text(encoding="utf-8") == kept
    assert "999" not in lecture.README.read_text(encoding="utf-8")
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first.endswith(f"{name} ({lecture.room(name, notebook(name).cells)})")
    assert last == f"changed: {name}.ipynb, README.md"
    lecture.main()
    assert capsys.readouterr().out.endswith("\nnothing changed\n")
