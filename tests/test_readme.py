"""What the README says first is true: its code gives what stands below it, its table and its
numbers are the course's, its links lead somewhere."""

import contextlib
import io
import re
from collections import Counter
from urllib.parse import unquote

import numpy as np
import pytest
from helpers import MAIN, NOTEBOOKS, ROOT, notebook

from course_utils import instruments
from course_utils.cards.verdicts import claims
from course_utils.data import SENTENCES, embed
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises import EXERCISES

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [
    "README.md",
    "AGENTS.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "INSTRUCTORS.md",
    "deploy/README.md",
    *(f"teaching/{path.name}" for path in sorted((ROOT / "teaching").glob("*.md"))),
    *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))),
]


def test_the_six_lines_give_what_stands_below_them():
    code, output = re.search(
        r"```python\n(.*?)```\s+```text\n(.*?)```", TEXT, flags=re.DOTALL
    ).groups()
    names = {}
    with np.printoptions(), contextlib.redirect_stdout(io.StringIO()) as out:
        np.set_printoptions(edgeitems=3, precision=8, suppress=False)  # as a fresh Python has it
        exec(code, names)
    assert out.getvalue() == output
    assert len(code.splitlines()) == 6
    assert SENTENCES["animal"] == ["I", "love", "bears"]
    assert np.array_equal(names["X"], embed(SENTENCES["animal"]))  # the vectors of notebook 01
    assert names["X_hat"][2].argmax() == 0


def test_the_table_of_lectures_is_the_notebooks_own():
    rows = re.findall(
        r"^\| \[([^\]]+)\]\(notebooks/(\w+)\.ipynb\) \| .+ \| (\d+) \|$", TEXT, flags=re.MULTILINE
    )
    assert [name for _, name, _ in rows] == MAIN
    assert round(sum(int(minutes) for *_, minutes in rows) / 60) == 17
    assert "seventeen hours in all" in TEXT
    for title, name, minutes in rows:
        first = notebook(name).cells[0].source
        assert first.startswith(f"# {title}\n")
        assert f"**Core:** {minutes} minutes" in first


def test_the_numbers_are_counted():
    kinds = Counter(about["kind"] for about in claims().values())
    functions = [
        exercise for exercise in EXERCISES.values() if type(exercise) is Exercise
    ]  # a student writes one
    names = [mistake.name for exercise in functions for mistake in exercise.mistakes]
    assert "softmax over queries" in names
    wanted = [
        f"judges {len(claims())} sentences that others say, each by the logic that it has:"
        f" {kinds['always']} that say *always* by a search",
        f"{kinds['because']} that say *because* with and without the cause, {kinds['typically']}"
        f" that say *typically* by a sample, {kinds['can']} that says *can* by a witness."
        f" {kinds['definition']} is a definition.",
        f"more than {len(names) // 100 * 100:,} known mistakes",
        f"{len(instruments.__all__)} [instruments](docs/instruments.md)",
    ]
    text = " ".join(TEXT.split())
    missing = [words for words in wanted if words not in text]
    assert not missing, f"README.md, below *What it does differently*: wanted {missing}"


def test_every_instrument_stands_on_its_page_with_its_lectures():
    parts = re.split(
        r"^## ", (ROOT / "docs" / "instruments.md").read_text(encoding="utf-8"), flags=re.MULTILINE
    )[1:]
    titles, lectures = [part.partition("\n")[0] for part in parts], []
    known = set(instruments.__all__)
    assert not known - set(titles), (
        f"docs/instruments.md: wanted a heading '## NAME' for {known - set(titles)}"
    )
    assert not set(titles) - known, (
        f"docs/instruments.md: no instrument is called {set(titles) - known}, as a heading is"
    )
    for title, part in zip(titles[1:], parts[1:], strict=True):  # the map stands in all
        links = re.findall(r"\[([^\]]+)\]\(\.\./notebooks/(\w+)\.ipynb\)", part)
        assert len(links) == 1, f"docs/instruments.md, {title}: wanted one link to its lecture"
        ((topic, name),) = links
        assert any(f"instruments.{title}(" in cell.source for cell in notebook(name).cells), (
            f"docs/instruments.md, {title}: the link leads to {name}, where it does not stand"
        )
        assert notebook(name).cells[0].source.startswith(f"# {topic}")
        lectures.append((name, title))
    for (name, title), (before, above) in zip(lectures[1:], lectures[:-1], strict=True):
        assert before <= name, (
            f"docs/instruments.md: {above} ({before}) stands above {title} ({name}); wanted: in"
            " the lectures' order"
        )


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_files_and_headings_that_are_there(page):
    text = re.sub(
        r"```.*?```|`[^`\n]*`", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL
    )
    for link in re.findall(r"\]\(([^)\s]+)\)|(?:src|srcset|href)=\"([^\"]+)\"", text):
        file, _, heading = unquote("".join(link)).partition("#")
        if re.match(r"\w+:", file):
            continue
        target = (ROOT / page).parent / file if file else ROOT / page
        assert target.exists(), link
        if heading:
            titles = re.findall(
                r"^#+ (.+)$", target.read_text(encoding="utf-8"), flags=re.MULTILINE
            )
            assert heading in {
                re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles
            }, link


def test_the_first_links_lead_to_every_start():
    """Where to start: each way leads to a notebook that is there, or to the page for
    instructors."""
    table = TEXT[TEXT.index("## Where to start") : TEXT.index("## What it does")]
    starts = re.findall(r"\[(\d\d)\]\(notebooks/(\w+)\.ipynb\)", table)
    assert len(starts) >= 6
    assert all(name in NOTEBOOKS and name.startswith(f"{number}_") for number, name in starts)
    assert "docs/where_to_start.md" in table
