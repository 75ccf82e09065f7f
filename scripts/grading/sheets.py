"""A sheet as a notebook, or on paper: a page of HTML that any browser prints. Each with its key,
for people to read."""

import csv
import re
from collections.abc import Sequence
from pathlib import Path

import jinja2
import nbformat
import numpy as np
from markupsafe import Markup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_utils.diagnosis.questions import SETUP
from grading.exams import Item, Sheet, key_text

TEMPLATES = Path(__file__).parent / "templates" / "exam"
RULES = """# {title}

{n} questions, {points} points, about {minutes} minutes.

Answer in the cell below each question; leave its names as they are. A cell may compute as much as
it likes before it sets the answer. Each right part of an answer earns its share of the points. Run
the notebook from top to bottom before you hand it in: nothing here says whether an answer is
right."""


def solution(item: Item) -> str:
    """What the key says of a question, in Markdown: the answer, where it comes from, what earns
    points."""
    question = item.question
    said = [f"*Made of* `{item.exercise}`.", getattr(question, "why", "")]
    if question.kind == "why":
        said += ["", *(f"- 1 point: {criterion}" for criterion in question.rubric)]
    return "\n".join(said).strip()


def printed_solution(item: Item) -> str:
    """`solution` with the answer itself, for paper."""
    answer = item.question.solution(item.name)
    return f"{solution(item)}\n\n```python\n{answer}\n```"


def to_notebook(sheet: Sheet, key=False):
    """A sheet as a notebook; its key is the same notebook with every answer filled in."""
    rules = RULES.format(
        title=sheet.title, n=len(sheet.items), points=sheet.points, minutes=sheet.minutes
    )
    rules += f"\n\nFor {sheet.student}." if sheet.student else ""
    setup = f'SHEET = "{sheet.id}"      # your sheet is graded by it: leave it as it is\n\n{SETUP}'
    cells = [new_markdown_cell(rules, id="rules"), new_code_cell(setup, id="setup")]
    for item in sheet.items:
        cells.append(new_markdown_cell(item.text, id=f"{item.name}-asks"))
        if key:
            cells.append(new_markdown_cell(solution(item), id=f"{item.name}-key"))
        answer = item.question.solution(item.name) if key else item.question.stub(item.name)
        cells.append(new_code_cell(answer, id=item.name))
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return new_notebook(cells=cells, metadata=kernel)


def to_paper(sheets: Sequence[Sheet], key=False) -> str:
    """Sheets for paper as one page of HTML, each with its answer sheet; or their keys."""
    from nbconvert.filters import markdown2html  # here: grading needs no nbconvert

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["markdown"] = lambda text: Markup(without_anchors(markdown2html(text)))
    environment.filters["solution"] = printed_solution
    environment.filters["size"] = lambda question: np.size(question.answer)
    return environment.get_template("paper.html.j2").render(
        title=sheets[0].title, sheets=sheets, key=key
    )


def without_anchors(page: str) -> str:
    """HTML without the links that nbconvert puts at headings: they would be printed as ¶."""
    return re.sub(r'<a class="anchor-link".*?</a>', "", page)


def file_name(stem, sheet: Sheet) -> str:
    """What a sheet's notebook is called, without its ending."""
    if sheet.student:
        name = re.sub(r"[^-\w.,’@ ]", " ", sheet.student)  # no sign that a file system refuses
        return f"{stem} ({name})"
    return f"{stem}_{sheet.variant:02}" if sheet.variant else stem


def write(folder: Path, stem, sheets: Sequence[Sheet]) -> list[Path]:
    """Write sheets/, which is handed out, and key/, which is not. Returns the paths.

    Raises ValueError where another exam's key stands there, since what it graded could not be
    graded again, and where two students have one name.
    """
    names = [file_name(stem, sheet) for sheet in sheets]
    if double := next((name for name in names if names.count(name) > 1), None):
        raise ValueError(f"got two students for {double!r}, wanted names that differ")
    stored, key = key_text(sheets), folder / "key" / f"{stem}.json"
    if key.exists() and key.read_text(encoding="utf-8") != stored:
        raise ValueError(
            f"got {folder}, where another exam has its key ({key.name}); wanted another folder"
        )
    files = {key: stored}
    if sheets[0].paper:
        files[folder / "sheets" / f"{stem}.html"] = to_paper(sheets)
        files[folder / "key" / f"{stem}.html"] = to_paper(sheets, key=True)
    else:
        for sheet in sheets:
            name = f"{file_name(stem, sheet)}.ipynb"
            files[folder / "sheets" / name] = nbformat.writes(to_notebook(sheet))
            files[folder / "key" / name] = nbformat.writes(to_notebook(sheet, key=True))
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    if not sheets[0].paper:
        return list(files)
    answers = folder / "key" / f"{stem}_answers.csv"
    if not answers.exists():  # it may have been filled in
        with open(answers, "w", newline="", encoding="utf-8-sig") as file:
            names = [item.name for item in sheets[0].items]
            csv.writer(file).writerows(
                [
                    ["name", "sheet", *names],
                    *([s.student, s.id, *[""] * len(names)] for s in sheets),
                ]
            )
    return [*files, answers]
