"""A lecture as its headings divide it, the core and below `## Deeper` sections, and their minutes.

    python scripts/lecture.py        lists the minutes and how many cells are free (and words, where
                                     a core is nearly full), and writes the minutes that changed:
                                     into the notebooks, and into README's table of lectures

The minutes come from a model of a careful reader. Three of them read fifteen lectures with a clock:
they took 1.35 to 1.5 times the sum of its parts, since one reads again and a first try fails.
"""

import copy
import json
import math
import re
from pathlib import Path

import nbformat

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
QUIZZES = ROOT / "course_utils" / "cards" / "quizzes"
DEEPER = "## Deeper"
WORDS_A_MINUTE = 120
LINE, PREDICTION, INSTRUMENT, QUESTION = 9 / 60, 45 / 60, 3, 70 / 60  # minutes for each
TRIES = 1.3  # an exercise takes so many times what its heading says
AGAIN = 1.4
MOST_CELLS, MOST_AT_START = 80, 45  # of a notebook; of 00
MOST_MINUTES, MOST_MINUTES_AT_START = 60, 30  # of a core; of that of 00
NEARLY = 5  # words: so few are free in a core that is nearly full


def most_cells(name):
    """How many cells a notebook has at most."""
    return MOST_AT_START if name.startswith("00") else MOST_CELLS


def free_words(name, cells):
    """How many words still fit into the core; below 0, how many must be taken out of it."""
    most = MOST_MINUTES_AT_START if name.startswith("00") else MOST_MINUTES
    return math.floor((most - minutes(core(cells))) / AGAIN * WORDS_A_MINUTE)


def room(name, cells):
    """How many cells are free, and words, where a core is nearly full or over its hour."""
    words, said = free_words(name, cells), f"free cells: {most_cells(name) - len(cells)}"
    if words > NEARLY:
        return said
    return f"{said}; {f'words too many: {-words}' if words < 0 else f'free words: {words}'}"


def core(cells):
    """The cells above `## Deeper`; all cells where nothing lies deeper."""
    return cells[: _where_deeper(cells)]


def sections(cells):
    """{title: its cells} of the sections below `## Deeper`, which begin with `### Title`.

    Raises ValueError where a cell below `## Deeper` belongs to no section.
    """
    found, title = {}, None
    for cell in cells[_where_deeper(cells) + 1 :]:
        heading = re.match(r"### (.+?)(?: \(\d+ minutes?\))?$", _source(cell), flags=re.MULTILINE)
        if cell["cell_type"] == "markdown" and heading:
            title = heading[1]
            found[title] = []
        if title is None:
            raise ValueError(f"got {_source(cell)[:60]!r} below {DEEPER}, wanted `### Title` first")
        found[title].append(cell)
    return found


def minutes(cells):
    """The minutes that a careful reader takes for these cells."""
    texts = [_source(cell) for cell in cells if cell["cell_type"] == "markdown"]
    codes = [_source(cell) for cell in cells if cell["cell_type"] == "code"]
    words = sum(len(text.split()) for text in texts)
    lines = sum(_is_read(line) for code in codes for line in code.split("\n"))
    predictions = sum(len(re.findall(r"\bpredict\(", code)) for code in codes)
    instruments = sum("instruments." in code and "TheMap" not in code for code in codes)
    stated = [
        int(said)
        for text in texts
        for said in re.findall(r"### Exercise[^\n]*\((\d+) minutes", text)
    ]
    questions = sum(
        len(json.loads((QUIZZES / f"{quiz}.json").read_text(encoding="utf-8")))
        for code in codes
        for quiz in re.findall(r'quiz\("(\w+)"', code)
    )
    once = (
        words / WORDS_A_MINUTE
        + lines * LINE
        + predictions * PREDICTION
        + instruments * INSTRUMENT
        + sum(stated) * TRIES
        + questions * QUESTION
    )
    return AGAIN * once


def in_words(cells):
    """The minutes that a careful reader takes for these cells, as headings say them."""
    whole = round(minutes(cells))
    return f"{whole} minute{'s' * (whole != 1)}"


def _is_read(line):
    return bool(line.strip()) and not line.startswith(("from ", "import ", "np.set_print"))


def write_minutes(cells):
    """Write the minutes of the core into the first cell and those of each section into its heading.

    The cells are changed in place. A lecture without `## Deeper` stays as it is.
    """
    if _where_deeper(cells) == len(cells):
        return
    for _ in range(2):  # what a heading says counts as words, too: once more, and it stays
        said = f"**Core:** {in_words(core(cells))}"
        cells[0]["source"] = re.sub(
            r"\*\*Core:\*\* \d+ minutes$", said, _source(cells[0]), flags=re.MULTILINE
        )
        for title, own in sections(cells).items():
            _, _, rest = _source(own[0]).partition("\n")
            heading = f"### {title} ({in_words(own)})"
            own[0]["source"] = f"{heading}\n{rest}" if rest else heading


def _where_deeper(cells):
    """The place of the cell that begins with `## Deeper`, or the number of cells."""
    return next((i for i, cell in enumerate(cells) if _source(cell).startswith(DEEPER)), len(cells))


def _source(cell):
    return "".join(cell["source"])  # a file has a list of lines, nbformat one string


def main():
    readme, changed = README.read_text(encoding="utf-8"), []
    for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        cells, before = notebook.cells, copy.deepcopy(notebook.cells)
        write_minutes(cells)
        if cells != before:
            path.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8", newline="\n")
            changed.append(path.name)
        whole = round(minutes(core(cells)))
        row = rf"(\(notebooks/{path.name}\) \|.*\|) \d+ \|$"
        readme = re.sub(row, rf"\1 {whole} |", readme, flags=re.MULTILINE)
        print(f"{whole:4}     {path.stem} ({room(path.stem, cells)})")
        for title, own in sections(cells).items():
            print(f"{minutes(own):8.0f} {title}")
    if readme != README.read_text(encoding="utf-8"):
        README.write_text(readme, encoding="utf-8", newline="\n")
        changed.append(README.name)
    print(f"changed: {', '.join(changed)}" if changed else "nothing changed")


if __name__ == "__main__":
    main()
