"""One file an export; each has main(arguments), called by scripts/export.py."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ROOT / "notebooks"
BUILD = ROOT / "build"
APPENDIX = "A_"               # how the names of notebooks begin that one looks things up in: pages of the site, and no slides


def stored():
    """{name: notebook as it is stored, executed}, to be changed freely."""
    import nbformat  # here: the students' edition and the class hub need Python alone

    return {path.stem: nbformat.read(path, as_version=4) for path in sorted(NOTEBOOKS.glob("*.ipynb"))}


def is_figure(output):
    """Whether an output of a cell is a figure, as course_utils.figures.show stores it."""
    return output.get("data", {}).get("text/html", "").startswith('<div class="course-picture">')


def without_picture(page):
    """A figure's HTML with its drawing alone: an exported page shows SVG, and needs no picture in its place."""
    return re.sub(r'<img alt="[^"]*" src="data:[^"]*">', "", page)
