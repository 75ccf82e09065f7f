"""Files that come in, and tables that go out as CSV that no spreadsheet takes for a program."""

import csv
import io
from typing import NamedTuple


class Row(NamedTuple):
    """A row of a report: an exercise of a file, or why a file has none."""

    file: str
    notebook: str = ""
    exercise: str = ""
    shape: str = ""
    status: str = ""
    mistake: str = ""
    message: str = ""
    flag: str = ""


COLUMNS = list(Row._fields)


def safe(text, most=600):
    """A cell on one line that a spreadsheet takes as text, never as a formula: whole, and where a
    semicolon parts columns."""
    line = "".join(
        c if c.isprintable() else " "
        for c in str(text).encode("utf-8", "backslashreplace").decode()
    )
    parts = " ".join(line.split())[:most].split(";")
    return ";".join(
        f"'{part}" if part.lstrip(' "')[:1] in tuple("=+-@＝＋－＠") else part for part in parts
    )


def write(path, rows, encoding="utf-8-sig", most=600):
    """A CSV file, at most so many characters a cell. With its byte-order mark a spreadsheet reads
    it as UTF-8; importers of grades want none."""
    with open(path, "w", newline="", encoding=encoding) as file:
        csv.writer(file).writerows([[safe(cell, most) for cell in row] for row in rows])


def read(path, reader=csv.DictReader):
    """The rows of a table with a header, as dictionaries (or as csv.reader gives them): parted by
    commas, semicolons or tabs, as a spreadsheet left it. Raises ValueError with a sentence where it
    is no text in UTF-8."""
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            text = file.read()
    except UnicodeDecodeError:
        raise ValueError(f"got {path}, wanted a CSV in UTF-8") from None
    first = text.partition("\n")[0]
    lines = io.StringIO(text, newline="")
    rows = list(reader(lines, delimiter=max(",;\t", key=first.count)))
    for row in rows:
        if isinstance(row, dict):
            row.pop(None, None)  # cells beyond the heading's
    return rows


def unread(folder):
    """The files below a folder that are neither notebooks nor what the course writes beside them:
    an archive, a page, a picture. Nobody reads them."""
    ours = ("*.ipynb", "*.answers*.json", "my_transformer.py", "collected.json", ".*", "Thumbs.db")
    return [
        path
        for path in ([] if folder.is_file() else found(folder, "*"))
        if not any(map(path.match, ours)) and "__MACOSX" not in path.parts
    ]


def found(folder, pattern):
    """The files below a folder, or the one file that was given in its place."""
    paths = [folder] if folder.is_file() else folder.rglob(pattern)
    return sorted(
        p
        for p in paths
        if p.match(pattern)
        and p.is_file()
        and not p.is_symlink()
        and ".ipynb_checkpoints" not in p.parts
    )
