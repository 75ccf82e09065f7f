"""One file an export; each has main(arguments), called by scripts/export.py."""

import re
import sys
from pathlib import Path

from course_utils.start.copies import without_elsewhere
from course_utils.start.environment import python_of

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ROOT / "notebooks"
BUILD = ROOT / "build"
# how the names of notebooks begin that one looks things up in: pages of the site, and no slides
APPENDIX = "A_"


def lacks(command: str, missing: ImportError, export: bool = False) -> str:
    """What is said to who runs a command with a Python that has not its packages."""
    wanted = (
        "`pip install -r requirements-export.txt`"
        if export
        else "`pip install -r requirements.txt`, or a hub's own (deploy/README.md)"
    )
    own = python_of(Path(".venv"))
    has_own = (ROOT / own).exists() and (ROOT / own) != Path(sys.executable)
    instead = f". The course's own Python is {own}" if has_own else ""
    return (
        f"{command}: this Python ({sys.executable}) has no package {missing.name}; wanted one"
        f" after {wanted}{instead}"
    )


def stored():
    """{name: notebook as it is stored, executed, without the badges}, to be changed freely."""
    import nbformat  # here: the students' edition and the class hub need Python alone

    notebooks = {
        path.stem: nbformat.read(path, as_version=4) for path in sorted(NOTEBOOKS.glob("*.ipynb"))
    }
    for notebook in notebooks.values():
        notebook.cells[0].source = without_elsewhere(notebook.cells[0].source)
    return notebooks


def is_figure(output: dict) -> bool:
    """Whether an output of a cell is a figure, as course_utils.figures.show stores it."""
    return output.get("data", {}).get("text/html", "").startswith('<div class="course-picture">')


def without_picture(page):
    """A figure's HTML with its drawing alone: an exported page shows SVG, and needs no picture in
    its place."""
    return re.sub(r'<img alt="[^"]*" src="data:[^"]*">', "", page)


# A letter tells the language of these; of the others the key before the sentence does.
SCRIPTS = {"hi": "\u0900-\u097f", "ru": "\u0400-\u04ff", "zh": "\u4e00-\u9fff"}
NAMED = {"French": "fr", "German": "de"}


def mark_languages(page: str) -> str:
    """A page's HTML whose strings of code say their language, where that is not English: a screen
    reader changes its voice.

    >>> mark_languages('<span class="s2">&quot;Медведи спят&quot;</span>')
    '<span class="s2" lang="ru">&quot;Медведи спят&quot;</span>'
    """
    for language, letters in SCRIPTS.items():
        page = re.sub(
            rf'(<span class="s[12]")(>[^<]*[{letters}][^<]*</span>)',
            rf'\1 lang="{language}"\2',
            page,
        )
    for name, language in NAMED.items():
        key = rf'(?:&quot;|")(?:a line in )?{name}(?:&quot;|")</span><span class="p">:</span>\s*'
        page = re.sub(rf'({key}<span class="s[12]")(>)', rf'\1 lang="{language}"\2', page)
    return page
