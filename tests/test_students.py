"""What the check accepts carries: students' files in other habits of writing, each function
accepted, run through the whole course.

tests/students: tables alone (`axis=1`, `.T`), row by row, in place on copies, lists and loops.
"""

import contextlib
import importlib
import io
import re
from unittest import mock

import numpy as np
import pytest
from helpers import EVERYTHING, MAIN, ROOT, cells, run_directly

from course_utils.attention import softmax
from course_utils.diagnosis.student_module import FILE
from course_utils.diagnosis.verdicts import shown_solution
from course_utils.exercises import EXERCISES, mine

FUNCTIONS = [name for name, exercise in EXERCISES.items() if exercise.shape in ("gap", "build")]
STYLES = [path.stem for path in sorted((ROOT / "tests/students").glob("*.py"))]
# Training and real models take minutes row by row, and hours in plain lists.
TOO_SLOW = {
    "row_by_row": ["03", "11", "15", "16", "17"],
    "in_place": ["11"],
    "lists_and_loops": ["03", "06", "07", "08", "09", "11", "12", "14", "15", "16", "17"],
}
EACH = [
    (style, name) for style in STYLES for name in MAIN if name[:2] not in TOO_SLOW.get(style, [])
]
QUICK = [
    ("row_by_row", "02_queries_keys_values"),
    ("tables", "04_masking"),
    ("in_place", "05_multi_head_attention"),
]


def file_of(style):
    """A student's file of functions in this habit, each marked as theirs."""
    text = (ROOT / f"tests/students/{style}.py").read_text(encoding="utf-8")
    return re.sub(rf"^(def ({'|'.join(FUNCTIONS)})\()", r"# \2: mine\n\1", text, flags=re.MULTILINE)


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """keep(style): their file lies in the folder of this test."""
    monkeypatch.setenv("COURSE_FOLDER", str(tmp_path))

    def keep(style):
        (tmp_path / FILE).write_text(file_of(style), encoding="utf-8")
        mine.reload()

    yield keep
    monkeypatch.undo()
    mine.reload()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_right_function_is_accepted_in_every_habit(name):
    for style in STYLES:
        theirs = getattr(importlib.import_module(f"students.{style}"), name)
        assert EXERCISES[name].check(theirs, run_directly).message == "Right.", style


@pytest.mark.parametrize("style", STYLES)
def test_every_shown_solution_passes_above_such_a_file(style, kept):
    kept(style)
    refused = {}
    for name in FUNCTIONS:
        names = {"np": np, "mine": mine, "softmax": softmax}
        with contextlib.redirect_stdout(io.StringIO()):
            exec(shown_solution(EXERCISES[name]), names)
            diagnosis = EXERCISES[name].check(names[f"my_{name}"], run_directly)
        if diagnosis.status != "correct":
            refused[name] = diagnosis.sentences
    assert refused == {}


@pytest.mark.parametrize(("style", "name"), EACH if EVERYTHING else QUICK)
def test_a_notebook_runs_on_such_a_file(style, name, kept):
    kept(style)
    names, said = {}, io.StringIO()
    with (
        contextlib.redirect_stdout(said),
        np.printoptions(),
        mock.patch("course_utils.figures.show"),
    ):
        for cell in cells(name, "code"):
            exec(cell.source, names)
    assert "does not pass any more" not in said.getvalue()
