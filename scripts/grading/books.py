"""What the notebooks say of the exercises: where each stands, and what its skeleton is given."""

import functools
import json
import re

from exporting import NOTEBOOKS

CHECKED = r"""\bdiagnose\(["'](\w+)["']"""


@functools.cache
def notebooks():
    """{a notebook of the course: its cells}."""
    return {
        path.stem: json.loads(path.read_text(encoding="utf-8"))["cells"]
        for path in sorted(NOTEBOOKS.glob("*.ipynb"))
    }


def in_cells(cells):
    """The exercises that cells of a notebook check, or say in a text how to check."""
    return set(re.findall(CHECKED, _text(cells)))


@functools.cache
def in_notebooks():
    """The exercises that stand in some notebook."""
    return set().union(*map(in_cells, notebooks().values()))


@functools.cache
def given(name):
    """What an exercise's skeleton says of its arguments, as "(N, E), (N, E, D)"; or nothing."""
    text = "\n".join(map(_text, notebooks().values()))
    said = re.search(rf"^def my_{name}\(.*\): *# (.+)$", text, flags=re.MULTILINE)
    return said[1] if said else ""


def _text(cells):
    return "\n".join("".join(cell["source"]) for cell in cells)
