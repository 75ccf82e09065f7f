"""Tie each number of a notebook's text to the expression that gives it, and check the ties.

    python scripts/tie_numbers.py NOTEBOOK       numbers without a tie, with proposals; wrong ties

The ties of a text cell stand in its metadata, in the order of the numbers in the text, one line
each:

    "numbers": ["0.87 = weights[0, 1]", "64 = X.shape[1]"]

An expression is computed in the notebook's own names as they are right after the cell's place, in
a section below `## Deeper` in those of the core and the section's own: it stands alone. One
that begins with "then", as in "64 = then X.shape[1]", is announced: it is computed after the first
code cell that has its names. It must look at a name of the notebook. It agrees if it is the number
as far as the text writes it: 0.87 stands for all from 0.865 to 0.875, 64 for all from 63.5 to
64.5. What CONVENTIONS lists needs no tie.
"""

import course_utils  # noqa: F401  sets what NumPy reads when it is imported

# isort: split
import argparse
import ast
import builtins
import contextlib
import html
import io
import json
import re
from pathlib import Path
from unittest import mock

import lecture
import nbformat
import numpy as np

CONVENTIONS = {  # what is no measured number, and why
    r"`[^`]*`": "code",
    r"^# \d\d": "the lecture's own number",
    r"\[\d\d(?: [^]]*)?\]\([^)]*\)": "a link to a lecture",
    r"\]\([^)]*\)": "an address",
    r"\b(?i:notebooks?|lectures?|notes?) \d\d+\b(?: (?:to|and) \d\d+\b)?": "a lecture or a note",
    r"(?<=\|)00\d(?=\|)": "a note by its number, in a table",
    r"\b[Pp]arts? \d\b": "a part of a note",
    r"\b(?:19[5-9]\d|200[1-9]|20[12]\d)\b": "a year",
    r"\b\d+ min(?:utes?)?\b": "minutes",
    r"### Exercise.*": "an exercise's heading",
    r"^\d+\. ": "an item of a list",
    r"\*\*Further reading.*": "titles and years of what to read",
    r"_\{[^}]*\}|_\d": "an index",
    r"\^\{[^}]*\}|\^[\d⁻]": "an exponent",
    r"\b[A-Za-z]+\d+\b": "a name with a digit, such as float64",
}
THEN = "then "
NUMBER = r"(?<![\w.,])[−-]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.?\d+)"


def said(text):
    """The numbers of a text that need a tie: [(start, end, the number as it is written)]."""

    def blank(match):
        return re.sub(r"[^\n]", " ", match[0])

    for convention in CONVENTIONS:
        text = re.sub(convention, blank, text, flags=re.MULTILINE)
    return [(match.start(), match.end(), match[0]) for match in re.finditer(NUMBER, text)]


def ties(cell):
    """The ties of a text cell: [(number as it is written, expression)]."""
    return [
        tuple(part.strip() for part in tie.split("=", 1))
        for tie in cell.metadata.get("numbers", [])
    ]


def as_number(written):
    """What is written as a float: "−1,000" is -1000.0."""
    return float(written.replace(",", "").replace("−", "-"))


def agrees(written, value):
    """Is a value the number that is written, as far as it is written?"""
    places = len(written.partition(".")[2])
    return bool(abs(float(value) - as_number(written)) <= 0.5 * 10.0**-places + 1e-9)


def looks_at_a_name(expression):
    """Does an expression look at a name that is not Python's own?"""
    return any(
        isinstance(node, ast.Name) and not hasattr(builtins, node.id)
        for node in ast.walk(ast.parse(expression.removeprefix(THEN), mode="eval"))
    )


def values(notebook, after=None):
    """{cell id: the values of its expressions}, computed in the notebook's own names; an
    expression that fails gives its error.

    The notebook's pictures are not drawn. after: called with (cell, names) after each text cell.
    """
    found, names = {}, {}
    with (
        np.printoptions(),
        contextlib.redirect_stdout(io.StringIO()),
        mock.patch("course_utils.figures.show"),
    ):
        core = notebook.cells[: len(lecture.core(notebook.cells)) + 1]  # with the heading Deeper
        announced = _run(core, names, [], found, after)
        for section in lecture.sections(notebook.cells).values():
            announced = _run(section, dict(names), announced, found, after)
    return found


def _run(some_cells, names, announced, found, after):
    """Run a core or a section; what it announces, and was announced before, and is not computed."""
    for cell in some_cells:
        if cell.cell_type == "code":
            exec(cell.source, names)
            for seen, i, expression in announced:
                seen[i] = value(expression, names)
            announced = [
                (seen, i, expression)
                for seen, i, expression in announced
                if isinstance(seen[i], NameError)
            ]
            continue
        seen = found[cell.id] = [value(expression, names) for _, expression in ties(cell)]
        for i, (_, expression) in enumerate(ties(cell)):
            if expression.startswith(THEN):
                seen[i] = NameError("no cell computed its names")
                announced.append((seen, i, expression))
        if after:
            after(cell, names)
    return announced


def value(expression, names):
    """The value of one expression as a float, or the error that it gives."""
    try:
        return float(eval(expression.removeprefix(THEN), dict(names)))
    except Exception as error:
        return error


def faults(cell, found):
    """What is wrong with the numbers of a text cell, a sentence each; found: the values of its
    expressions.
    """
    numbers, tied = [number for *_, number in said(cell.source)], ties(cell)
    if numbers != [number for number, _ in tied]:
        return [f"{cell.id}: the text says {numbers}, tied are {[number for number, _ in tied]}"]
    problems = []
    for (number, expression), seen in zip(tied, found, strict=True):
        if not looks_at_a_name(expression):
            problems.append(
                f"{cell.id}: {number} = {expression} looks at nothing that was computed"
            )
        elif isinstance(seen, Exception):
            problems.append(
                f"{cell.id}: {number} = {expression} gives {type(seen).__name__}: {seen}"
            )
        elif not agrees(number, seen):
            problems.append(f"{cell.id}: the text says {number}, {expression} is {seen:.6g}")
    return problems


def with_titles(cell):
    """The text of a cell in which each tied number says, where a reader points at it, whence it
    comes. Numbers within a formula stay as they are, and so does a text that is not tied.
    """
    numbers, text = said(cell.source), cell.source
    if [number for *_, number in numbers] != [number for number, _ in ties(cell)]:
        return text
    math = re.finditer(r"\$\$.*?\$\$|\$[^$\n]*\$", text, flags=re.DOTALL)
    formulas = [match.span() for match in math]
    tied = list(zip(numbers, ties(cell), strict=True))
    for (start, end, number), (_, expression) in reversed(tied):
        if not any(first < start < last for first, last in formulas):
            title = html.escape(expression.removeprefix(THEN))
            text = f'{text[:start]}<span title="{title}">{number}</span>{text[end:]}'
    return text


def left_over(notebook):
    """The names that loops leave over, and that nothing else gives: their values are the last
    turn's."""
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    nodes = [node for source in code for node in ast.walk(ast.parse(source))]
    loops = [node.target for node in nodes if isinstance(node, (ast.For, ast.comprehension))]
    turning = {node for target in loops for node in ast.walk(target) if isinstance(node, ast.Name)}
    given = {
        node.id
        for node in nodes
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node not in turning
    }
    return {node.id for node in turning} - given


def proposals(written, names, but=(), most=4):
    """Expressions in the notebook's names (but some) that give a number: names, shapes, entries of
    dictionaries and of small arrays. A single letter, which may be a loop's and change, comes last.
    """
    candidates = []
    for name, thing in sorted(names.items(), key=lambda item: len(item[0]) == 1):
        if name.startswith("_") or name in but or callable(thing):
            continue
        if isinstance(thing, dict):
            candidates += [
                (f"{name}[{json.dumps(key, ensure_ascii=False)}]", entry)
                for key, entry in thing.items()
                if isinstance(key, (str, int)) and isinstance(entry, (int, float, np.number))
            ]
        array = (
            np.asarray(thing)
            if isinstance(thing, (int, float, np.number, np.ndarray))
            else np.array("")
        )
        if array.dtype.kind in "iuf" and array.size <= 400:
            candidates += [
                (f"{name}{list(map(int, at)) if at else ''}", array[at])
                for at in np.ndindex(array.shape)
            ]
        if array.ndim:
            candidates += [(f"{name}.shape[{axis}]", size) for axis, size in enumerate(array.shape)]
        if isinstance(thing, (list, tuple, dict, str)):
            candidates.append((f"len({name})", len(thing)))
    return [expression for expression, seen in candidates if agrees(written, seen)][:most]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("notebook", type=Path)
    notebook = nbformat.read(parser.parse_args().notebook, as_version=4)

    def untied(cell, names):
        left = [number for number, _ in ties(cell)]
        for start, end, number in said(cell.source):
            if left[:1] == [number]:
                left.pop(0)
            else:
                around = cell.source[max(0, start - 30) : end + 20]
                where = f"{cell.id}: {around!r}  {number} = "
                proposed = proposals(number, names, loops)
                open_numbers.append((where, number, proposed, names, set(names)))

    open_numbers, lines, loops = [], [], left_over(notebook)
    found = values(notebook, untied)
    for where, number, proposed, names, known in open_numbers:
        later = {name: thing for name, thing in names.items() if name not in known}
        announced = [] if proposed else [THEN + each for each in proposals(number, later, loops)]
        lines.append(where + (" | ".join(proposed + announced) or "?"))
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and ties(cell):
            lines += faults(cell, found[cell.id])
    print(*lines, sep="\n")


if __name__ == "__main__":
    main()
