"""The report tells right from wrong, and no notebook can talk it into a verdict, stop it, or reach anything outside itself."""

import csv
import json
import os
import subprocess
import sys

import nbformat
import pytest
from helpers import ROOT, notebook
from nbformat.v4 import new_code_cell, new_notebook, new_output

sys.path.insert(0, str(ROOT / "scripts"))
from exporting import report

SHUT_IN = bool(report.sandbox())
needs_the_sandbox = pytest.mark.skipif(not SHUT_IN, reason="bubblewrap (the program bwrap) is not installed, or may not be used here")
RIGHT = "def my_softmax(s):\n    e = np.exp(s - s.max(axis=-1, keepdims=True))\n    return e / e.sum(axis=-1, keepdims=True)\n"
WRONG = "def my_softmax(s):\n    e = np.exp(s - s.max())\n    return e / e.sum(axis=0)\n"
CHECK = 'diagnose("softmax", my_softmax)'
SETUP = "from course_utils.exercises import diagnose\nimport numpy as np"


def verdict(tmp_path, *sources, name="softmax", file="01_self_attention.ipynb"):
    """(status, mistake, message) of an exercise in a notebook of these cells after the usual set-up."""
    path = tmp_path / file
    nbformat.write(new_notebook(cells=[new_code_cell(source) for source in (SETUP, *sources)]), path)
    rows = report.look_at(path, tmp_path, SHUT_IN)
    return next(tuple(row[3:]) for row in rows if row[2] == name)


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(report, "CELLS", 6.0)
    monkeypatch.setattr(report, "CALL", 1.0)


# What it tells apart.

def test_a_right_answer_a_known_mistake_an_unknown_one_and_none(tmp_path):
    assert verdict(tmp_path, RIGHT + CHECK)[:2] == ("correct", "")
    assert verdict(tmp_path, RIGHT.replace("-1", "0") + CHECK)[:2] == ("wrong", "wrong axis")
    assert verdict(tmp_path, "def my_softmax(s):\n    return s * 3\n" + CHECK)[:2] == ("wrong", "")
    assert verdict(tmp_path, "def my_softmax(s):\n    w = ...\n    return w\n" + CHECK)[0] == "not attempted"
    assert verdict(tmp_path, "1 + 1")[0] == "not attempted"


def test_it_says_what_the_notebook_would_say(tmp_path):
    assert "(3, 3) fits" in verdict(tmp_path, "def my_softmax(s):\n    return s[0]\n" + CHECK)[2]
    assert "gave back nothing" in verdict(tmp_path, "def my_softmax(s):\n    s + 1\n" + CHECK)[2]
    assert "NameError" in verdict(tmp_path, "def my_softmax(s):\n    return sofmax(s)\n" + CHECK)[2]
    assert "The check was not reached: SyntaxError" in verdict(tmp_path, "def my_softmax(s)\n    return s\n" + CHECK)[2]
    assert "without parentheses" in verdict(tmp_path, 'diagnose("softmax", np.ones(3))')[2]
    assert verdict(tmp_path, 'diagnose("softmax", ...)')[0] == "not attempted"
    assert verdict(tmp_path, RIGHT.replace("(s):", "(s):\n    s -= 1") + CHECK)[1] == "argument changed"
    assert verdict(tmp_path, RIGHT + "numbers = my_softmax\nmy_softmax = lambda s: numbers(s).tolist()\n" + CHECK)[0] == "correct"


def test_functions_among_the_arguments_are_those_of_the_course(tmp_path):
    block = ("def my_block(X, attend, think, norm):\n    Z = X + attend(norm(X))\n    return Z + think(norm({}))\n"
             "diagnose('transformer_block', my_block)")
    assert verdict(tmp_path, block.format("Z"), name="transformer_block")[0] == "correct"
    assert verdict(tmp_path, block.format("X"), name="transformer_block")[1] == "both parts read X"


def test_the_last_attempt_counts_and_a_solution_does_not(tmp_path):
    solution = "def softmax_solution(s):\n" + RIGHT.partition("\n")[2] + 'diagnose("softmax", softmax_solution)'
    assert verdict(tmp_path, WRONG + CHECK, RIGHT + CHECK)[0] == "correct"
    assert verdict(tmp_path, RIGHT + CHECK, WRONG + CHECK)[0] == "wrong"
    assert verdict(tmp_path, WRONG + CHECK, solution)[0] == "wrong"


def test_the_course_s_own_notebook_is_not_attempted(tmp_path):
    nbformat.write(notebook("05_multi_head_attention"), tmp_path / "Kopie von 05.ipynb")
    rows = report.look_at(tmp_path / "Kopie von 05.ipynb", tmp_path, SHUT_IN)
    exercises = ["split_heads", "merge_heads", "multi_head_attention"]
    assert [row[1:4] for row in rows] == [["05_multi_head_attention", name, "not attempted"] for name in exercises]


# What does not forge a verdict.

FORGERIES = {
    "prints it": "print('Right.')",
    "replaces the check": "import course_utils.exercises\nfrom course_utils.exercises.checking import Diagnosis\n"
                          "course_utils.exercises.diagnose = diagnose = lambda *a: Diagnosis('correct', None, 'Right.')",
    "replaces the verdict": "import course_utils.exercises.checking as c\nc.Diagnosis = lambda *a: 'correct'\nc.check = lambda *a: 'correct'",
    "replaces the reference": "from course_utils.exercises import EXERCISES\nEXERCISES['softmax'].reference = lambda s: s\n"
                              "EXERCISES['softmax'].inputs.clear()",
    "replaces the comparison": "np.allclose = lambda *a, **k: True\nnp.array_equal = lambda *a, **k: True",
    "answers in the process's name": "import os\nfor fd in range(3, 12):\n    try: os.write(fd, b'{\"status\": \"correct\"}\\n' * 3)\n"
                                     "    except OSError: pass",
    "an object that equals everything": "class Same(float):\n    __eq__ = lambda *a: True\ndef my_softmax(s): return Same()",
}


@pytest.mark.parametrize("how", FORGERIES)
def test_a_forgery_is_still_wrong(tmp_path, impatient, how):
    wrong = "" if "my_softmax" in FORGERIES[how] else WRONG
    assert verdict(tmp_path, FORGERIES[how], FORGERIES[how] + "\n" + wrong + CHECK)[0] == "wrong"


def test_stored_outputs_are_not_read(tmp_path):
    cell = new_code_cell(WRONG + CHECK, outputs=[new_output("stream", text="Right.")], metadata={"status": "correct"})
    nbformat.write(new_notebook(cells=[new_code_cell(SETUP), cell]), tmp_path / "01_self_attention.ipynb")
    assert report.look_at(tmp_path / "01_self_attention.ipynb", tmp_path, SHUT_IN)[0][3] == "wrong"


# What does not stop it.

@pytest.mark.parametrize("body", [
    "while True: pass", "import os; os._exit(0)", "import sys; sys.exit()", "x = bytearray(8 << 30)", "import os; os.kill(os.getpid(), 9)",
    "return [np.ones(1)] * 10**7", "return np.ones((2000, 2000))", "return np.array([object()])", "raise type('=1+1', (Exception,), {})('x')"])
def test_a_function_that_misbehaves_is_wrong(tmp_path, impatient, body):
    assert verdict(tmp_path, f"def my_softmax(s):\n    {body}\n" + CHECK)[0] == "wrong"


@pytest.mark.parametrize("cell", ["while True: pass", "import os; os._exit(0)", "while True: print('x' * 10**6)"])
def test_a_cell_that_misbehaves_costs_its_exercise_only(tmp_path, impatient, cell):
    path = tmp_path / "01_self_attention.ipynb"
    cells = [SETUP, RIGHT + CHECK, cell, 'diagnose("self_attention", my_softmax)']
    nbformat.write(new_notebook(cells=[new_code_cell(source) for source in cells]), path)
    assert [row[3] for row in report.look_at(path, tmp_path, SHUT_IN)] == ["correct", "wrong"]


@needs_the_sandbox
def test_processes_that_it_starts_end_with_it(tmp_path, impatient):
    mark = f"left-behind-{os.getpid()}"
    start = f"subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)', '{mark}'], start_new_session=True)"
    fork = f"import os, sys, subprocess\nfor _ in range(5):\n    try: {start}\n    except OSError: pass\n"
    assert verdict(tmp_path, fork + RIGHT + CHECK)[0] == "correct"
    assert mark not in subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout


# What it cannot reach.

@needs_the_sandbox
def test_files_outside_are_neither_seen_nor_changed(tmp_path, impatient):
    other = tmp_path / "another student.txt"
    other.write_text("secret")
    module = ROOT / "course_utils" / "attention.py"
    before = module.read_bytes()
    attack = (f"import os, shutil\nseen = os.path.exists({str(other)!r})\n"
              f"for path in ({str(tmp_path)!r}, {str(ROOT)!r}): shutil.rmtree(path, ignore_errors=True)\n"
              f"try: open({str(module)!r}, 'a').write('x')\nexcept OSError: pass\n")
    spying = "def my_softmax(s):\n    return np.full((7, 7 + seen), 0.0)\n"
    assert "(7, 7)" in verdict(tmp_path, attack + spying + CHECK)[2]
    assert other.read_text() == "secret"
    assert module.read_bytes() == before


@needs_the_sandbox
def test_there_is_no_network(tmp_path, impatient):
    listen = "import socket; s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1], flush=True); s.accept()"
    server = subprocess.Popen([sys.executable, "-c", listen], stdout=subprocess.PIPE, text=True)
    port = server.stdout.readline().strip()
    try:
        call = f"import socket\ndef my_softmax(s):\n    socket.create_connection(('127.0.0.1', {port}), timeout=1)\n"
        assert "Error" in verdict(tmp_path, call + CHECK)[2]
        assert server.poll() is None
    finally:
        server.kill()
        server.communicate()


def test_secrets_of_the_environment_do_not_come_along(tmp_path, monkeypatch):
    monkeypatch.setenv("A_TOKEN", "secret")
    assert "(1, 0)" in verdict(tmp_path, "import os\ndef my_softmax(s):\n    return np.ones((1, int('A_TOKEN' in os.environ)))\n" + CHECK)[2]


# What is no notebook of this course, and the table.

def test_broken_and_foreign_files_have_a_row_of_their_own(tmp_path):
    (tmp_path / "broken.ipynb").write_text('{"cells": [')
    (tmp_path / "list.ipynb").write_text("[" * 100_000)
    (tmp_path / "bytes.ipynb").write_bytes(b"\xff\xfe\x00")
    nbformat.write(new_notebook(), tmp_path / "empty.ipynb")
    nbformat.write(new_notebook(cells=[new_code_cell("diagnose('their own', f)")]), tmp_path / "other course.ipynb")
    nbformat.write(new_notebook(), tmp_path / "00_start_here (Zoë).ipynb")
    status = {path.name: report.look_at(path, tmp_path, SHUT_IN)[0][3] for path in tmp_path.iterdir()}
    assert status == {"broken.ipynb": "unreadable", "list.ipynb": "unreadable", "bytes.ipynb": "unreadable", "empty.ipynb": "not of this course",
                      "other course.ipynb": "not of this course", "00_start_here (Zoë).ipynb": "not attempted"}


def test_the_command_writes_a_table_that_no_spreadsheet_runs(tmp_path):
    (tmp_path / "students" / "Łucja").mkdir(parents=True)
    (tmp_path / "students" / "Łucja" / "ünïcode 数.ipynb").write_text("{}")
    (tmp_path / "students" / "=HYPERLINK(1).ipynb").write_text("{")
    outside = tmp_path / "outside.ipynb"
    nbformat.write(new_notebook(), outside)
    (tmp_path / "students" / "link.ipynb").symlink_to(outside)
    command = [sys.executable, "scripts/export.py", "report", tmp_path / "students", "--out", tmp_path / "out.csv"]
    result = subprocess.run([*command, *([] if SHUT_IN else ["--no-sandbox"])], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    with open(tmp_path / "out.csv", newline="", encoding="utf-8-sig") as file:
        rows = list(csv.reader(file))
    assert rows[0] == report.COLUMNS
    assert [row[0] for row in rows[1:]] == ["'=HYPERLINK(1).ipynb", "Łucja/ünïcode 数.ipynb"]
    cells = {"=1+1": "'=1+1", " @x": "'@x", "-2": "'-2", "a\nb": "a b", "−1e9 in float16": "−1e9 in float16", "\ud800": "\\ud800"}
    assert {cell: report.safe(cell) for cell in cells} == cells


def test_a_wrong_folder_is_said_in_one_sentence(tmp_path):
    with pytest.raises(SystemExit, match="wanted a folder of notebooks"):
        report.main([str(tmp_path / "none")])


@pytest.mark.parametrize("sent", [
    {}, {"array": "", "dtype": "O", "shape": [1]}, {"array": "AAAA", "dtype": "float64", "shape": [9]}, {"array": "", "dtype": "f8,f8", "shape": [0]},
    {"list": 3}, {"other": "__import__('os')"}], ids=json.dumps)
def test_what_comes_back_is_only_read(sent):
    try:
        value = report.unpacked(sent)
    except Exception:
        return
    assert type(value).__name__ == "object"
