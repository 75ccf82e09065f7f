"""The report tells right from wrong, and no notebook can talk it into a verdict, stop it, or reach
anything outside itself."""

import contextlib
import csv
import json
import os
import re
import subprocess
import sys
import threading
import time
import tracemalloc

import nbformat
import pytest
from helpers import ROOT, mostly, notebook
from nbformat.v4 import new_code_cell, new_notebook, new_output

from course_utils.diagnosis import running
from course_utils.diagnosis.verdicts import solution

sys.path.insert(0, str(ROOT / "scripts"))
from grading import report, tables

SHUT_IN = bool(report.sandbox())
needs_the_sandbox = pytest.mark.skipif(
    not SHUT_IN,
    reason=(
        "bubblewrap (the program bwrap) is not there, or may not be used: on Linux, apt install"
        " bubblewrap"
    ),
)
RIGHT = (
    "def my_softmax(s):\n    e = np.exp(s - s.max(axis=-1, keepdims=True))\n    return e /"
    " e.sum(axis=-1, keepdims=True)\n"
)
WRONG = "def my_softmax(s):\n    e = np.exp(s - s.max())\n    return e / e.sum(axis=0)\n"
CHECK = 'diagnose("softmax", my_softmax)'
SETUP = "from course_utils.exercises import diagnose\nimport numpy as np"


def rows_of(tmp_path, *sources, file="01_self_attention.ipynb"):
    """{exercise: (shape, status, mistake, message)} of a notebook of these cells."""
    path = tmp_path / file
    nbformat.write(new_notebook(cells=[new_code_cell(source) for source in sources]), path)
    return {row[2]: tuple(row[3:]) for row in report.look_at(path, tmp_path, SHUT_IN)}


def verdict(tmp_path, *sources, name="softmax", file="01_self_attention.ipynb"):
    """(status, mistake, message) of an exercise in a notebook of these cells after the usual
    set-up."""
    return rows_of(tmp_path, SETUP, *sources, file=file)[name][1:]


def rows_of_cases(folder, cases, *before):
    """{case: its row}, as of rows_of, of one notebook with the cells of all cases, {case:
    (exercise, cells)}: each asks for a twin of its exercise.

    A case finds none of the earlier ones' functions, and the usual set-up anew.
    """
    twins = {case: f"{name}_{i}" for i, (case, (name, _)) in enumerate(cases.items())}
    named = {twins[case]: name for case, (name, _) in cases.items()}
    of = " ".join(named.values())  # no twin is named before its case
    sources = [
        SETUP,
        *before,
        (
            "from course_utils.exercises import EXERCISES\nEXERCISES.update({f'{name}_{i}':"
            f" EXERCISES[name] for i, name in enumerate('{of}'.split())}})"
        ),
    ]
    for case, (name, cells) in cases.items():
        sources.append(f"my_softmax = my_solution = softmax_solution = None\n{SETUP}")
        sources += [re.sub(rf"""(["']){name}\1""", f'"{twins[case]}"', cell) for cell in cells]
    with pytest.MonkeyPatch.context() as patch:
        for twin, name in named.items():
            patch.setitem(report.EXERCISES, twin, report.EXERCISES[name])
        patch.setattr(report, "course", lambda: {"01_self_attention": list(named)})
        rows = rows_of(folder, *sources)
    return {case: rows[twin] for case, twin in twins.items()}


@contextlib.contextmanager
def most_memory(most):
    """What happens inside takes at most so many bytes of this process."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


@contextlib.contextmanager
def short_limits():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report, "CELL", (0.5, 10.0))
        patch.setattr(report, "CALL", (0.3, 4.0))
        yield


@pytest.fixture
def impatient():
    with short_limits():
        yield


# What it tells apart.


def test_a_right_answer_a_known_mistake_an_unknown_one_and_none(tmp_path):
    cells = {
        "right": RIGHT + CHECK,
        "known": RIGHT.replace("-1", "0") + CHECK,
        "unknown": "def my_softmax(s):\n    return s * 3\n" + CHECK,
        "stub": "def my_softmax(s):\n    w = ...\n    return w\n" + CHECK,
        "none": "1 + 1",
    }
    rows = rows_of_cases(tmp_path, {case: ("softmax", [cell]) for case, cell in cells.items()})
    assert {case: row[1:3] for case, row in rows.items()} == {
        "right": ("correct", ""),
        "known": ("wrong", "wrong axis"),
        "unknown": ("wrong", ""),
        "stub": ("not attempted", ""),
        "none": ("not attempted", ""),
    }


def test_it_says_what_the_notebook_would_say(tmp_path):
    said = {
        "def my_softmax(s):\n    return s[0]\n" + CHECK: "(3, 5) fits",
        "def my_softmax(s):\n    s + 1\n" + CHECK: "gave back nothing",
        "def my_softmax(s):\n    return sofmax(s)\n" + CHECK: "Nothing is called `sofmax`",
        "def my_softmax(s)\n    return s\n" + CHECK: "The check was not reached: SyntaxError",
        'diagnose("softmax", np.ones(3))': "without parentheses",
        'diagnose("softmax", ...)': "not attempted",
        RIGHT.replace("(s):", "(s):\n    s -= 1") + CHECK: "argument changed",
        RIGHT + "numbers = my_softmax\nmy_softmax = lambda s: numbers(s).tolist()\n" + CHECK: (
            "correct"
        ),
    }
    rows = rows_of_cases(tmp_path, {cell: ("softmax", [cell]) for cell in said})
    assert {cell: row for cell, row in rows.items() if said[cell] not in " ".join(row)} == {}


def test_functions_among_the_arguments_are_those_of_the_course(tmp_path):
    block = (
        "def my_block(X, attend, think, norm):\n    Z = X + attend(norm(X))\n    return Z +"
        " think(norm({}))\ndiagnose('transformer_block', my_block)"
    )
    rows = rows_of_cases(
        tmp_path, {reads: ("transformer_block", [block.format(reads)]) for reads in "ZX"}
    )
    assert rows["Z"][1] == "correct"
    assert rows["X"][2] == "both parts read X"


def test_the_last_attempt_counts(tmp_path):
    tries = {
        "correct": [WRONG + CHECK, RIGHT + CHECK],
        "wrong": [RIGHT + CHECK, WRONG + CHECK],
        "not attempted": [RIGHT + CHECK, STUB + CHECK],
    }
    rows = rows_of_cases(tmp_path, {last: ("softmax", cells) for last, cells in tries.items()})
    assert {last: row[1] for last, row in rows.items()} == {last: last for last in tries}


def test_it_is_judged_as_the_notebook_stood_when_it_was_asked(tmp_path):
    half = "def shift(s):\n    return s - s.max(axis=-1, keepdims=True)\n"
    uses = (
        "def my_softmax(s):\n    e = np.exp(shift(s))\n    return e / e.sum(axis=-1,"
        " keepdims=True)\n"
    )
    assert verdict(tmp_path, half + uses + CHECK, "def shift(T):\n    return T + 1")[0] == "correct"


# What fair notebooks look like: (cells after the set-up, status).

STUB = "def my_softmax(s):\n    weights = ...\n    return weights\n"
SOLUTION = RIGHT.replace("my_softmax", "softmax_solution") + 'diagnose("softmax", softmax_solution)'
FAIR = {
    "as it is asked": ([RIGHT + CHECK], "correct"),
    "called my_solution": (
        [RIGHT.replace("my_softmax", "my_solution") + 'diagnose("softmax", my_solution)'],
        "correct",
    ),
    "a helper whose name ends in _solution": (
        [
            "def shift_solution(s):\n    return s - s.max(axis=-1, keepdims=True)\n"
            + RIGHT.replace("s - s.max(axis=-1, keepdims=True)", "shift_solution(s)")
            + CHECK
        ],
        "correct",
    ),
    "typed into a cell below the stub's": ([STUB + CHECK, SOLUTION], "correct"),
    "typed wrongly into a cell below the stub's": (
        [STUB + CHECK, SOLUTION.replace("axis=-1", "axis=0")],
        "wrong",
    ),
    "both by keyword": ([RIGHT + 'diagnose(name="softmax", answer=my_softmax)'], "correct"),
    "keywords the other way round": (
        [RIGHT + "diagnose(answer=my_softmax, name='softmax')"],
        "correct",
    ),
    "one by keyword": ([RIGHT + 'diagnose("softmax", answer=my_softmax)'], "correct"),
    "the name in a variable": (
        ['exercise = "softmax"', RIGHT + "diagnose(exercise, my_softmax)"],
        "correct",
    ),
    "the name in a variable, and an error": (
        ['exercise = "softmax"', WRONG.replace("np", "mp") + "diagnose(exercise, mp.exp)"],
        "wrong",
    ),
    "a loop over answers": (
        [RIGHT, 'for name, answer in {"softmax": my_softmax}.items():\n    diagnose(name, answer)'],
        "correct",
    ),
    "over several lines": ([RIGHT, "diagnose(\n    'softmax',\n    my_softmax,\n)"], "correct"),
    "by the module": (
        ["from course_utils import exercises", RIGHT + 'exercises.diagnose("softmax", my_softmax)'],
        "correct",
    ),
    "under another name": (
        [
            "from course_utils.exercises import diagnose as check",
            RIGHT + 'check("softmax", my_softmax)',
        ],
        "correct",
    ),
    "what it says put into a variable": (
        [RIGHT + 'said = diagnose("softmax", my_softmax)\nprint(said.status, said.message)'],
        "correct",
    ),
    "a lambda": (
        [RIGHT, "their_own = my_softmax\nmy_softmax = lambda s: their_own(s)\n" + CHECK],
        "correct",
    ),
    "timed": ([RIGHT, "%time " + CHECK], "correct"),
    "installs something first": (["!pip install numpy", RIGHT + CHECK], "correct"),
    "shows the error of another cell": (
        ["np.ones(3) @ np.ones(4)", RIGHT + CHECK, "undefined"],
        "correct",
    ),
    "tried again below, with a slip of the pen": (
        [RIGHT + CHECK, WRONG.replace("(s):", "(s)") + CHECK],
        "wrong",
    ),
    "its check commented out": ([RIGHT + "# " + CHECK], "not attempted"),
    "a stub": ([STUB + CHECK], "not attempted"),
    "the gap left out": (["def my_softmax(s):\n    pass\n" + CHECK], "wrong"),
}


@pytest.fixture(scope="module")
def fair(tmp_path_factory):
    return rows_of_cases(
        tmp_path_factory.mktemp("fair"),
        {form: ("softmax", cells) for form, (cells, _) in FAIR.items()},
    )


@pytest.mark.parametrize("form", FAIR)
def test_a_fair_notebook_is_read_as_it_is_meant(fair, form):
    assert fair[form][1] == FAIR[form][1]


def test_a_notebook_that_fails_early_reports_each_exercise_and_why(tmp_path):
    rows = rows_of(
        tmp_path,
        "import a_library_of_mine\n" + SETUP,
        RIGHT + CHECK,
        "1 + 1",
        'diagnose("self_attention", my_softmax)',
    )
    assert set(rows) == set(report.course()["01_self_attention"])
    for name in "softmax", "self_attention":
        assert rows[name][1] == "wrong"
        assert "'diagnose' is not defined" in rows[name][3]
        assert "No module named 'a_library_of_mine'" in rows[name][3]
        assert rows[name][4] == "did not reach its check"


def test_a_cell_as_it_was_handed_out_is_no_attempt_even_where_it_stops(tmp_path):
    cells = [c.source for c in notebook("01_self_attention").cells if c.cell_type == "code"]
    rows = rows_of(tmp_path, *(c.replace("from course_utils", "from course_utilz") for c in cells))
    assert {row[1] for row in rows.values()} == {"not attempted"}
    assert "Its cell is as it was; it stops: NameError" in rows["softmax"][3]


def test_every_exercise_can_be_answered(tmp_path):
    cells = [SETUP + "\nfrom course_utils.exercises import EXERCISES"]
    for name, exercise in report.EXERCISES.items():
        answer = {"reading": f"EXERCISES[{name!r}].right", "catch": name}.get(
            exercise.shape, f"EXERCISES[{name!r}].reference"
        )
        cells.append(
            (solution(name) if exercise.shape == "catch" else "")
            + f"\ndiagnose({name!r}, {answer})"
        )
    rows = rows_of(tmp_path, *cells)
    assert {name: row[2:] for name, row in rows.items() if row[1] != "correct"} == {}
    assert set(rows) == set(report.EXERCISES)


# All shapes of an exercise.

CATCH = (
    "from course_utils.exercises import EXERCISES\nfrom course_utils.diagnosis.exercise import"
    " Catch, Reading\nfor kind in 'law', 'input':\n    EXERCISES[f'catch_{kind}'] ="
    " Catch(f'catch_{kind}', EXERCISES['softmax'], kind, ['wrong axis', 'one sum for the whole"
    " table'], 2)\n"
)
READING = (
    "EXERCISES['reading'] = Reading('reading', 'Which?', [('this', 'It is.'), ('that', 'It is"
    " not.')], 'A')"
)
LAW = (
    "def my_law(f):\n    return bool(np.allclose(f(np.array([[1.0, 2, 3], [0, 5,"
    " 1]])).sum(axis=-1), 1))\n"
)
SHAPES = {
    "a law": (
        "catch_law",
        LAW + "diagnose('catch_law', my_law)",
        ("catch", "correct", "catches 2 of 2"),
    ),
    "a weak law": (
        "catch_law",
        LAW.replace("np.allclose(", "len(").replace(", 1))", ".shape) == 1)")
        + "diagnose('catch_law', my_law)",
        ("catch", "wrong", "catches 0 of 2"),
    ),
    "a law that is false": (
        "catch_law",
        "diagnose('catch_law', lambda f: False)",
        ("catch", "wrong", "says False of the right softmax"),
    ),
    "a law with its gap": (
        "catch_law",
        "def my_law(f):\n    holds = ...\n    return holds\ndiagnose('catch_law', my_law)",
        ("catch", "not attempted", ""),
    ),
    "a law without end": (
        "catch_law",
        "def my_law(f):\n    while True: pass\ndiagnose('catch_law', my_law)",
        ("catch", "wrong", "too long"),
    ),
    "an input": (
        "catch_input",
        "diagnose('catch_input', np.array([[0.0, 1, 2], [5, 1, 1]]))",
        ("catch", "correct", "catches 2 of 2"),
    ),
    "an input in words": (
        "catch_input",
        "diagnose('catch_input', {'a': 1})",
        ("catch", "wrong", "something of type dict"),
    ),
    "a function for an input": (
        "catch_input",
        "diagnose('catch_input', np.exp)",
        ("catch", "wrong", "something of type function"),
    ),
    "an input with its gap": (
        "catch_input",
        "diagnose('catch_input', ...)",
        ("catch", "not attempted", ""),
    ),
    "a letter": ("reading", "diagnose('reading', 'a')", ("reading", "correct", "A: It is.")),
    "the other letter": (
        "reading",
        "diagnose('reading', 'B')",
        ("reading", "wrong", "B: It is not."),
    ),
    "no letter": ("reading", "diagnose('reading', '')", ("reading", "not attempted", "")),
    "a number for a letter": (
        "reading",
        "diagnose('reading', 1)",
        ("reading", "wrong", "one letter from A to B"),
    ),
    "a function for a letter": (
        "reading",
        "diagnose('reading', np.exp)",
        ("reading", "wrong", "one letter from A to B"),
    ),
}


@contextlib.contextmanager
def all_shapes():
    """The exercises with a catch of both kinds and a reading, here as in the student's process."""
    names = dict(report.EXERCISES)
    exec(
        (CATCH + READING).replace("from course_utils.exercises import EXERCISES\n", ""),
        {"EXERCISES": names},
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report, "EXERCISES", names)
        yield names


@pytest.fixture(scope="module")
def shapes(tmp_path_factory):
    with short_limits(), all_shapes():
        return rows_of_cases(
            tmp_path_factory.mktemp("shapes"),
            {form: (name, [cell]) for form, (name, cell, _) in SHAPES.items()},
            CATCH + READING,
        )


@pytest.mark.parametrize("form", SHAPES)
def test_each_shape_is_judged_and_counted(shapes, form):
    shape, status, said = SHAPES[form][2]
    assert shapes[form][:2] == (shape, status)
    assert said in shapes[form][3]


def test_an_input_that_would_take_hours_is_not_tried_here(tmp_path, impatient, monkeypatch):
    monkeypatch.setattr(running, "SECONDS", 0.5)
    monkeypatch.setattr(running, "MEMORY", 1 << 30)
    start = time.monotonic()
    with all_shapes() as names, most_memory(500 << 20):
        names["catch_input"].exercise = names["causal_mask"]
        names["catch_input"].planted = [names["causal_mask"].mistakes[0].name]
        assert (
            rows_of(tmp_path, SETUP, CATCH, "diagnose('catch_input', 10**5)")["catch_input"][1]
            == "wrong"
        )
    assert time.monotonic() - start < 60


def test_the_shape_of_each_exercise_of_a_notebook_is_told(tmp_path):
    rows = rows_of(tmp_path, SETUP, "1 + 1")
    assert {name: row[0] for name, row in rows.items()} == {
        name: report.EXERCISES[name].shape for name in report.course()["01_self_attention"]
    }


def test_nothing_is_kept_and_mine_is_the_course_s(tmp_path):
    kept = (
        "from course_utils.diagnosis.student_module import path\nfrom course_utils.exercises import"
        " EXERCISES, mine\n"
    )
    looks = (
        "def my_softmax(s):\n    return np.ones((1, 10 + (mine.softmax is"
        " EXERCISES['softmax'].reference) + 2 * path().exists()))\n"
    )
    assert "(1, 11)" in verdict(tmp_path, RIGHT + CHECK, kept + looks + CHECK)[2]
    assert {path.name for path in tmp_path.iterdir()} == {"01_self_attention.ipynb"}


def test_the_course_s_own_notebook_is_not_attempted(tmp_path):
    nbformat.write(notebook("04_masking"), tmp_path / "Kopie von 04.ipynb")
    rows = report.look_at(tmp_path / "Kopie von 04.ipynb", tmp_path, SHUT_IN)
    assert [row[2] for row in rows if row[1] == "04_masking"] == report.course()["04_masking"]
    assert {row[4] for row in rows} == {"not attempted"}


# What does not forge a verdict.

FORGERIES = {
    "prints it": "print('Right.')",
    "replaces the check": (
        "import course_utils.exercises\nfrom course_utils.diagnosis.verdicts import"
        " Diagnosis\ncourse_utils.exercises.diagnose = diagnose = lambda *a: Diagnosis('correct',"
        " None, 'Right.')"
    ),
    "replaces the verdict": (
        "import course_utils.diagnosis.exercise as c\nc.Diagnosis = lambda *a: 'correct'\nc.check ="
        " lambda *a: 'correct'"
    ),
    "replaces the reference": (
        "from course_utils.exercises import EXERCISES\nEXERCISES['softmax'].reference = lambda s:"
        " s\nEXERCISES['softmax'].inputs.clear()"
    ),
    "replaces the comparison": (
        "np.allclose = lambda *a, **k: True\nnp.array_equal = lambda *a, **k: True"
    ),
    "answers in the process's name": (
        'import os\nfor fd in range(3, 12):\n    try: os.write(fd, b\'{"status": "correct"}\\n\' *'
        " 3)\n    except OSError: pass"
    ),
    "an object that equals everything": (
        "class Same(float):\n    __eq__ = lambda *a: True\ndef my_softmax(s): return Same()"
    ),
}


@pytest.mark.parametrize(
    "how",
    mostly(
        FORGERIES,
        ["replaces the check", "replaces the reference", "an object that equals everything"],
    ),
)
def test_a_forgery_is_still_wrong(tmp_path, impatient, how):
    wrong = "" if "my_softmax" in FORGERIES[how] else WRONG
    assert verdict(tmp_path, FORGERIES[how], FORGERIES[how] + "\n" + wrong + CHECK)[0] == "wrong"


def test_a_check_of_the_student_s_own_is_told_from_a_cell_without_one(tmp_path):
    assert (
        verdict(tmp_path, "def diagnose(name, answer):\n    print('Right.')", RIGHT + CHECK)[2]
        == "The check was not reached: its cell calls another `diagnose` than the course's."
    )
    assert (
        verdict(tmp_path, RIGHT + "if False:\n    " + CHECK)[2]
        == "The check was not reached: its cell does not call it."
    )


def test_stored_outputs_are_not_read(tmp_path):
    cell = new_code_cell(
        WRONG + CHECK, outputs=[new_output("stream", text="Right.")], metadata={"status": "correct"}
    )
    nbformat.write(
        new_notebook(cells=[new_code_cell(SETUP), cell]), tmp_path / "01_self_attention.ipynb"
    )
    assert report.look_at(tmp_path / "01_self_attention.ipynb", tmp_path, SHUT_IN)[0][4] == "wrong"


# What does not stop it.

BODIES = [
    "while True: pass",
    "import os; os._exit(0)",
    "import sys; sys.exit()",
    "x = bytearray(8 << 30)",
    "import os; os.kill(os.getpid(), 9)",
    "return [np.ones(1)] * 10**7",
    "return np.ones((600, 600))",
    "return np.array([object()])",
    "raise type('=1+1', (Exception,), {})('x')",
]


@pytest.fixture(scope="module")
def misbehaved(tmp_path_factory):
    """{body of a function: its row}, and under None that of a right function below them all."""
    cases = {**{body: f"def my_softmax(s):\n    {body}\n" for body in BODIES}, None: RIGHT}
    with short_limits():
        return rows_of_cases(
            tmp_path_factory.mktemp("misbehaved"),
            {body: ("softmax", [cell + CHECK]) for body, cell in cases.items()},
        )


@pytest.mark.parametrize("body", BODIES)
def test_a_function_that_misbehaves_is_wrong(misbehaved, body):
    assert misbehaved[body][1] == "wrong"
    assert misbehaved[None][1] == "correct"


@pytest.mark.parametrize(
    "cell",
    mostly(
        ["while True: pass", "import os; os._exit(0)", "while True: print('x' * 10**6)"],
        ["while True: pass", "import os; os._exit(0)"],
    ),
)
def test_a_cell_that_misbehaves_costs_its_exercise_only(tmp_path, impatient, cell):
    attend = RIGHT + "def my_self_attention(X):\n    return my_softmax(X @ X.T) @ X\n"
    ask = 'diagnose("self_attention", my_self_attention)\n'
    rows = rows_of_cases(
        tmp_path,
        {
            "above": ("softmax", [RIGHT + CHECK]),
            "in it": ("self_attention", [attend + cell + "\n" + ask]),
            "below": ("self_attention", [cell, attend + ask]),
        },
    )
    assert {case: row[1] for case, row in rows.items()} == {
        "above": "correct",
        "in it": "wrong",
        "below": "correct",
    }
    assert "The check was not reached: " in rows["in it"][3]


def test_a_function_that_misbehaves_costs_its_exercise_only(tmp_path, impatient):
    both = (
        "def my_self_attention(X):\n    return my_softmax(X @ X.T) @ X\n"
        + CHECK
        + '\ndiagnose("self_attention", my_self_attention)'
    )
    ends = (
        "import os\ndef my_softmax(s):\n    os._exit(0)\n"
        + CHECK
        + "\n"
        + RIGHT
        + 'diagnose("self_attention", lambda X: my_softmax(X @ X.T) @ X)'
    )
    assert {
        name: row[1] for name, row in rows_of(tmp_path, SETUP, ends).items() if row[1] == "correct"
    } == {"self_attention": "correct"}
    rows = rows_of(
        tmp_path,
        SETUP,
        RIGHT.replace("    e =", "    while s.shape[-1] == 5: pass\n    e =", 1) + both,
    )
    assert "ran for too long" in rows["softmax"][3]


def test_all_of_a_notebook_has_an_end(tmp_path, impatient, monkeypatch):
    monkeypatch.setattr(report, "NOTEBOOK", 2.0)
    start = time.monotonic()
    slow = "import os\nwhile True:\n    diagnose('softmax', lambda s: os._exit(0))"
    assert (
        verdict(
            tmp_path,
            slow,
            *["while True: pass"] * 9,
            "def my_self_attention(X): pass\ndiagnose('self_attention', X)",
        )[0]
        == "wrong"
    )
    assert time.monotonic() - start < 40


def test_a_process_that_floods_and_does_not_listen_is_ended(tmp_path, impatient, monkeypatch):
    monkeypatch.setattr(report, "NOTEBOOK", 2.0)
    flood = (
        "import os\nwhile True:\n    for fd in range(3, 12):\n"
        "        try: os.write(fd, b'{}\\n' * 100)\n        except OSError: pass"
    )
    start, threads = time.monotonic(), threading.active_count()
    assert verdict(tmp_path, flood, RIGHT + CHECK, "x = [\n" + "1,\n" * 100_000 + "]")[0] == "wrong"
    assert time.monotonic() - start < 60
    assert threading.active_count() <= threads + 1


def test_a_huge_notebook_takes_no_memory_here(tmp_path):
    (tmp_path / "huge.ipynb").write_text('{"cells": [' + ",".join(["{}"] * (10 << 20)) + "]}")
    with most_memory(300 << 20):
        assert report.look_at(tmp_path / "huge.ipynb", tmp_path, SHUT_IN)[0][4] == "unreadable"


@needs_the_sandbox
def test_processes_that_it_starts_end_with_it(tmp_path, impatient):
    mark = f"left-behind-{os.getpid()}"
    start = (
        f"subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)', '{mark}'],"
        " start_new_session=True)"
    )
    fork = (
        f"import os, sys, subprocess\nfor _ in range(5):\n    try: {start}\n    except OSError:"
        " pass\n"
    )
    assert verdict(tmp_path, fork + RIGHT + CHECK)[0] == "correct"
    end = time.monotonic() + 20  # they are killed, and need a moment
    while (
        mark
        in (left := subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout)
        and time.monotonic() < end
    ):
        time.sleep(0.1)
    assert mark not in left


# What it cannot reach.


@needs_the_sandbox
def test_files_outside_are_neither_seen_nor_changed(tmp_path, impatient):
    other = tmp_path / "another student.txt"
    other.write_text("secret")
    module = ROOT / "course_utils" / "attention.py"
    before = module.read_bytes()
    attack = (
        f"import os, shutil\nseen = os.path.exists({str(other)!r})\n"
        f"for path in ({str(tmp_path)!r}, {str(ROOT)!r}): shutil.rmtree(path, ignore_errors=True)\n"
        f"try: open({str(module)!r}, 'a').write('x')\nexcept OSError: pass\n"
    )
    spying = "def my_softmax(s):\n    return np.full((7, 7 + seen), 0.0)\n"
    assert "(7, 7)" in verdict(tmp_path, attack + spying + CHECK)[2]
    assert other.read_text() == "secret"
    assert module.read_bytes() == before


@needs_the_sandbox
def test_what_it_can_write_is_little_and_it_makes_no_namespaces(tmp_path, impatient):
    fill = (
        "import ctypes, os\nwritten = 0\n"
        "for folder in ('/', '/dev', '/dev/shm', '/proc', '/run', '/var/tmp', '/tmp', '/usr'):\n"
        "    for i in range(30):\n"
        "        try: written += open(f'{folder}/{i}', 'wb').write(bytes(8 << 20)) >> 20\n"
        "        except OSError: pass\n"
        "inside = ctypes.CDLL(None).unshare(0x10000000) + 1\n"
        "def my_softmax(s):\n    return np.ones((written, 1 + inside))\n"
    )
    said = verdict(tmp_path, fill + CHECK)[2]
    written, inside = map(int, re.search(r"\((\d+), (\d)\)", said).groups())
    assert written <= 64
    assert inside == 1 or "--disable-userns" not in report.sandbox()


@needs_the_sandbox
def test_there_is_no_network(tmp_path, impatient):
    listen = (
        "import socket; s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1],"
        " flush=True); s.accept()"
    )
    server = subprocess.Popen([sys.executable, "-c", listen], stdout=subprocess.PIPE, text=True)
    port = server.stdout.readline().strip()
    try:
        call = (
            "import socket\ndef my_softmax(s):\n    socket.create_connection(('127.0.0.1',"
            f" {port}), timeout=1)\n"
        )
        assert "Error" in verdict(tmp_path, call + CHECK)[2]
        assert server.poll() is None
    finally:
        server.kill()
        server.communicate()


def test_secrets_of_the_environment_do_not_come_along(tmp_path, monkeypatch):
    monkeypatch.setenv("A_TOKEN", "secret")
    assert (
        "(1, 0)"
        in verdict(
            tmp_path,
            "import os\ndef my_softmax(s):\n    return np.ones((1, int('A_TOKEN' in os.environ)))\n"
            + CHECK,
        )[2]
    )


# What is no notebook of this course, and the table.


def test_broken_and_foreign_files_have_a_row_of_their_own(tmp_path):
    (tmp_path / "broken.ipynb").write_text('{"cells": [')
    (tmp_path / "list.ipynb").write_text("[" * 100_000)
    (tmp_path / "bytes.ipynb").write_bytes(b"\xff\xfe\x00")
    nbformat.write(new_notebook(), tmp_path / "empty.ipynb")
    nbformat.write(
        new_notebook(cells=[new_code_cell("diagnose('their own', f)")]),
        tmp_path / "other course.ipynb",
    )
    nbformat.write(new_notebook(), tmp_path / "00_start_here (Zoë).ipynb")
    rows = {path.name: report.look_at(path, tmp_path, SHUT_IN)[0] for path in tmp_path.iterdir()}
    assert {name: row[6] for name, row in rows.items() if row[4] == "unreadable"} == dict.fromkeys(
        ["broken.ipynb", "list.ipynb", "bytes.ipynb"],
        "this file is no notebook in UTF-8: ask for it again",
    )
    assert {name: row[4] for name, row in rows.items()} == {
        "broken.ipynb": "unreadable",
        "list.ipynb": "unreadable",
        "bytes.ipynb": "unreadable",
        "empty.ipynb": "not of this course",
        "other course.ipynb": "not of this course",
        "00_start_here (Zoë).ipynb": "not attempted",
    }


def test_the_command_writes_a_table_that_no_spreadsheet_runs(tmp_path):
    (tmp_path / "students" / "Łucja").mkdir(parents=True)
    (tmp_path / "students" / "Łucja" / "ünïcode 数.ipynb").write_text("{}")
    (tmp_path / "students" / "=HYPERLINK(1).ipynb").write_text("{")
    command = [
        sys.executable,
        "scripts/export.py",
        "report",
        tmp_path / "students",
        "--out",
        tmp_path / "out.csv",
    ]
    result = subprocess.run(
        [*command, *([] if SHUT_IN else ["--no-sandbox"])],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    with open(tmp_path / "out.csv", newline="", encoding="utf-8-sig") as file:
        rows = list(csv.reader(file))
    assert rows[0] == report.COLUMNS
    assert "Files: 2. unknown: 2 unreadable" in result.stderr
    assert [row[0] for row in rows[1:]] == ["'=HYPERLINK(1).ipynb", "Łucja/ünïcode 数.ipynb"]
    cells = {
        "=1+1": "'=1+1",
        " @x": "'@x",
        "-2": "'-2",
        "a\nb": "a b",
        "a;=1+1": "a;'=1+1",
        '; "@x': ";' \"@x",
        "＝1+1": "'＝1+1",
        "\x00=1": "'=1",
        "a; b": "a; b",
        "−1e9 in float16": "−1e9 in float16",
        "\ud800": "\\ud800",
    }
    assert {cell: tables.safe(cell) for cell in cells} == cells


REPLACES = (
    "def my_softmax(s):\n    np.exp = np.exp(s - s.max(axis=-1, keepdims=True))\n    return np.exp"
    " / np.exp.sum(axis=-1, keepdims=True)\n"
)
COUNTS = "def my_row_sums(A, count=[0]):\n    count[0] += 1\n    return A.sum(axis=-1) * count[0]\n"
NEXT = (
    "def my_attention(Q, K, V):\n    s = Q @ K.T\n    e = np.exp(s - s.max(axis=-1,"
    " keepdims=True))\n"
)
NEXT += "    return e / e.sum(axis=-1, keepdims=True) @ V\n"


def test_a_slip_of_one_exercise_leaves_no_trace_in_the_next(tmp_path):
    rows = rows_of(tmp_path, SETUP, REPLACES + CHECK, NEXT + 'diagnose("attention", my_attention)')
    assert rows["softmax"][1:3] == ("wrong", "a function replaced")
    assert rows["attention"][1] == "correct"


def test_what_is_kept_between_calls_is_seen(tmp_path):
    assert rows_of(
        tmp_path, SETUP, COUNTS + 'diagnose("row_sums", my_row_sums)', file="00_start_here.ipynb"
    )["row_sums"][1:3] == ("wrong", "state kept between calls")


def test_a_link_out_of_the_folder_is_not_followed(tmp_path):
    (tmp_path / "students").mkdir()
    nbformat.write(new_notebook(), tmp_path / "outside.ipynb")
    try:
        (tmp_path / "students" / "link.ipynb").symlink_to(tmp_path / "outside.ipynb")
    except OSError as error:
        pytest.skip(
            "this account may not make links, so no student of it can hand one in"
            f" ({error.strerror})"
        )
    assert tables.found(tmp_path / "students", "*.ipynb") == []


def test_a_long_report_says_how_far_it_is_even_while_one_file_takes_long(monkeypatch, capsys):
    monkeypatch.setattr(report, "TELL", 0.5)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert list(report.of_each(time.sleep, [3, 0, 0])) == [None] * 3
    assert "2 of 3 different files" in capsys.readouterr().err.split("\n")


def test_what_is_handed_in_twice_is_looked_at_once(tmp_path, monkeypatch):
    """A look at it is counted by a stand-in: the same bytes are another notebook where their name
    says so."""
    looks = []
    monkeypatch.setattr(
        report,
        "of_each",
        lambda look, paths, *same: (
            looks.append(path.name) or [report.Row("?", path.name)] for path in paths
        ),
    )
    for name, text in {
        "a": "x",
        "b": "y",
        "c": "x",
        "01_self_attention": "x",
        "01_self_attention (Bo)": "x",
    }.items():
        (tmp_path / f"{name}.ipynb").write_text(text)
    seen = report.report(tmp_path)
    assert [row.file for row in seen] == [
        "01_self_attention (Bo).ipynb",
        "01_self_attention.ipynb",
        "a.ipynb",
        "b.ipynb",
        "c.ipynb",
    ]
    assert [seen[i][1] == seen[j][1] for i, j in ((0, 1), (2, 4), (1, 2), (2, 3))] == [
        True,
        True,
        False,
        False,
    ]
    assert len(looks) == 3


def test_export_says_what_it_can_do():
    result = subprocess.run(
        [sys.executable, "scripts/export.py", "--help"], cwd=ROOT, capture_output=True, text=True
    )
    assert result.returncode == 0
    assert "export.py report FOLDER" in result.stdout


def test_without_a_sandbox_and_with_an_older_one(tmp_path, monkeypatch):
    path = tmp_path / "01_self_attention.ipynb"
    nbformat.write(
        new_notebook(cells=[new_code_cell(source) for source in (SETUP, RIGHT + CHECK)]), path
    )
    assert (
        next(row[4] for row in report.look_at(path, tmp_path, False) if row[2] == "softmax")
        == "correct"
    )

    def older(command, **options):
        return subprocess.CompletedProcess(command, int("--disable-userns" in command))

    def none(command, **options):
        raise FileNotFoundError("bwrap")

    monkeypatch.setattr(subprocess, "run", older)
    assert "--remount-ro" in report.sandbox.__wrapped__()
    monkeypatch.setattr(subprocess, "run", none)
    assert report.sandbox.__wrapped__() == []


def test_a_wrong_folder_is_said_in_one_sentence(tmp_path):
    with pytest.raises(SystemExit, match="wanted a folder of notebooks"):
        report.main([str(tmp_path / "none")])


def test_a_folder_that_may_not_be_read_is_not_an_empty_one(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(SystemExit, match="may not read"):
        report.main([str(tmp_path)])


@pytest.mark.parametrize(("user", "said"), [(0, "report: this runs as root"), (1000, "")])
def test_root_is_warned_in_one_line(monkeypatch, capsys, user, said):
    monkeypatch.setattr(os, "geteuid", lambda: user, raising=False)
    report.warn_root()
    err = capsys.readouterr().err
    assert err.startswith(said)
    assert err.count("\n") == bool(said)
    report.warn_root("exam.py")
    assert capsys.readouterr().err == err.replace("report", "exam.py", 1)


@pytest.mark.parametrize(
    "command",
    [
        ["scripts/export.py", "report", "."],
        ["scripts/export.py", "slides"],
        ["scripts/votes.py"],
        ["teaching/exam.py", "--seed", "x"],
        ["teaching/oral.py", "x"],
    ],
)
def test_without_packages_one_sentence_says_what_to_install(command):
    """-S: without this Python's own packages."""
    done = subprocess.run(
        [sys.executable, "-S", *command], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert re.fullmatch(
        r"(export|votes|exam|oral)\.py.* has no package \w+; wanted one after `pip install -r"
        r" requirements\S*\.txt`.*\n",
        done.stderr,
    )


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"array": "", "dtype": "O", "shape": [1]},
        {"array": "AAAA", "dtype": "float64", "shape": [9]},
        {"array": "", "dtype": "f8,f8", "shape": [0]},
        {"list": 3},
        {"other": "__import__('os')"},
    ],
    ids=json.dumps,
)
def test_what_comes_back_is_only_read(sent):
    try:
        value = report.unpack(sent)
    except Exception:
        return
    assert type(value).__name__ == "object"
