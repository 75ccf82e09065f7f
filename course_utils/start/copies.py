"""A student's own copies of the notebooks: without outputs, made once, never overwritten.

What was copied stands in the hidden file `.course.json` of the student's folder, so that a changed
course and a changed copy can be told apart.
"""

import hashlib
import json
import os
from datetime import date
from pathlib import Path
from urllib.parse import quote

from course_utils.start import COMMAND

RECORD = ".course.json"
FIRST = "00_start_here"
# Begins the end of a notebook's first cell: badges that open the course's own notebook on Colab,
# Kaggle or Binder. scripts/address.py writes them.
ELSEWHERE = "\n\n<!-- elsewhere -->\n"


def without_elsewhere(source: str) -> str:
    """A cell's text without the badges: copies and exported pages have no use for them, and ask no
    other server for a picture."""
    return source.partition(ELSEWHERE)[0]


def copy_of(text: str) -> str:
    """A notebook as a student gets it: no outputs, no execution counts, what lies deeper folded. A
    copy's copy is the same again."""
    notebook = json.loads(text)
    for first in notebook["cells"][:1]:
        if ELSEWHERE in (source := "".join(first["source"])):
            first["source"] = without_elsewhere(source).splitlines(keepends=True)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell |= {"execution_count": None, "outputs": []}
        elif "".join(cell["source"]).startswith("## Deeper"):
            cell["metadata"]["jp-MarkdownHeadingCollapsed"] = True  # JupyterLab's own name for it
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _number(name):
    """What a student calls a notebook: 03 of 03_scaling."""
    return name.partition("_")[0]


def _hash(text):
    return hashlib.sha256(text.encode()).hexdigest()


def _typed(text):
    """A hash of what somebody can have typed into a notebook, whatever was run in it; None where it
    is no notebook any more."""
    try:
        return _hash(
            json.dumps(
                [[cell["cell_type"], "".join(cell["source"])] for cell in json.loads(text)["cells"]]
            )
        )
    except (ValueError, KeyError, TypeError):
        return None


def _read(path):
    return path.read_text(encoding="utf-8", errors="replace")


def _write(path, text):
    """All of it or nothing: a full disk or Ctrl-C leaves the file as it was."""
    unfinished = path.with_name(path.name + ".unfinished")
    unfinished.write_text(text, encoding="utf-8", newline="\n")
    os.replace(unfinished, path)


class Folder:
    """A student's folder, and the folder of notebooks that its copies come from."""

    def __init__(self, path: str | Path, notebooks: str | Path) -> None:
        self.path = Path(path)
        self.sources = {source.stem: source for source in sorted(Path(notebooks).glob("*.ipynb"))}
        try:
            self.made = json.loads((self.path / RECORD).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            self.made = {}

    def first_page(self) -> str:
        """Where JupyterLab opens: at the course's first notebook, in an exam's room at the sheet,
        or at the files where there are several sheets."""
        names = [name for name in self.sources if name == FIRST] or list(self.sources)
        return f"/lab/tree/{quote(names[0])}.ipynb" if len(names) == 1 else "/lab"

    def own(self, name: str) -> Path:
        return self.path / f"{name}.ipynb"

    def _make(self, name, new):
        self.path.mkdir(parents=True, exist_ok=True)
        _write(self.own(name), new)
        self._note(name, new)

    def _note(self, name, new):
        """Remember this copy as the one that the student's is based on."""
        self.made[name] = {"copy": _hash(new), "typed": _typed(new)}
        _write(self.path / RECORD, json.dumps(self.made, indent=1) + "\n")

    def update(self) -> list[str]:
        """Make the copies that are not there, renew those in which nothing was typed. Returns what
        a student has to be told, line by line."""
        return [line for name in self.sources if (line := self._update(name))]

    def _update(self, name):
        new, own, made = copy_of(_read(self.sources[name])), self.own(name), self.made.get(name)
        if not own.exists():
            return self._make(name, new)
        if made and made["copy"] == _hash(new):  # the course has not changed since
            return None
        now = _read(own)
        if made and made["copy"] == _hash(now):  # nobody has touched it
            return self._make(name, new)
        if not made or _typed(now) == _typed(
            new
        ):  # the record was lost, or the student brought the change in by hand
            return self._note(name, new)
        if made["typed"] == _typed(now):
            self._make(name, new)
            return f"{name}: renewed with the course. You had run it and typed nothing."
        return (
            f"{name}: the course has a newer one; yours stays as it is. To get it, and keep yours"
            f" beside it: {COMMAND} fresh {_number(name)}"
        )

    def find(self, word: str) -> str:
        """The notebook that a student means by 3, 03, 03_scaling or 03_scaling.ipynb. Raises
        LookupError with a sentence."""
        word = word.removesuffix(".ipynb")
        start = f"{int(word):02d}_" if word.isdecimal() else word
        found = (
            [name for name in self.sources if name.lower().startswith(start.lower())]
            if word
            else []
        )
        if len(found) != 1:
            raise LookupError(
                f"got {word!r}, wanted one of: {', '.join(_number(name) for name in self.sources)}"
            )
        return found[0]

    def fresh(self, name: str, day: date) -> str:
        """Put a fresh copy in place; what stood there is kept under a name with the `day`. Returns
        a sentence."""
        own, new, kept = self.own(name), copy_of(_read(self.sources[name])), None
        if own.exists() and _read(own) != new:
            names = (
                f"{name} (before {day}{more}).ipynb"
                for more in ["", *(f", {i}" for i in range(2, 1000))]
            )
            kept = next(path for path in map(self.path.joinpath, names) if not path.exists())
            own.rename(kept)
        self._make(name, new)
        return f"{own.name} is fresh." + (f" Yours is kept: {kept.name}" if kept else "")
