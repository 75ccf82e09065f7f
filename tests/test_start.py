"""start.py: copies without answers that nobody's start overwrites, an environment that mends
itself, and a sentence for whatever goes wrong.

Nothing is installed here: a stand-in for an environment's Python notes what it is asked to do.
"""

import ast
import contextlib
import datetime
import errno
import json
import os
import re
import signal
import stat
import subprocess
import sys
import urllib.request
from pathlib import Path

import nbformat
import pytest
from helpers import MAIN, NOTEBOOKS, ROOT

from course_utils.start import commands, environment
from course_utils.start.copies import Folder, copy_of

DAY = datetime.date(2026, 11, 21)
posix = pytest.mark.skipif(
    os.name == "nt", reason="a script as the stand-in for Python, and signals, are POSIX"
)


def cell(source, kind="code", **more):
    results = (
        {
            "outputs": [{"output_type": "stream", "name": "stdout", "text": "the answer is 42"}],
            "execution_count": 7,
        }
        if kind == "code"
        else {}
    )
    return {
        "cell_type": kind,
        "id": f"id-{abs(hash(source)) % 10**6}",
        "metadata": {},
        "source": source,
        **results,
        **more,
    }


def write(path, *sources):
    """A notebook as it is stored in the course: run."""
    content = {"cells": [*map(cell, sources)], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))


def sources(path):
    return ["".join(cell["source"]) for cell in json.loads(path.read_text())["cells"]]


def edit(path, words):
    """What a student does: type into the first cell, and run it."""
    content = json.loads(path.read_text())
    content["cells"][0] |= {
        "source": words,
        "execution_count": 1,
        "outputs": [{"output_type": "stream", "name": "stdout", "text": "mine"}],
    }
    path.write_text(json.dumps(content))


@pytest.fixture
def course(tmp_path):
    for name in ("00_first", "03_third"):
        write(tmp_path / "notebooks" / f"{name}.ipynb", f"# {name}", "def my_f(x):\n    ...")
    return tmp_path


@pytest.fixture
def folder(course):
    """`folder()` is the student's folder as a new start finds it."""
    return lambda: Folder(course / "my_course", course / "notebooks")


def files(path):
    return {file.name: file.read_bytes() for file in path.iterdir()}


# Copies


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_copy_has_no_output_and_all_the_rest(name):
    stored = nbformat.read(NOTEBOOKS[name], as_version=4)
    copy = nbformat.reads(copy_of(NOTEBOOKS[name].read_text(encoding="utf-8")), as_version=4)
    nbformat.validate(copy)
    folded = [
        c.metadata.pop("jp-MarkdownHeadingCollapsed")
        for c in copy.cells
        if c.source.startswith("## Deeper")
    ]
    assert folded == [True] * (name in MAIN)
    assert [(c.id, c.cell_type, c.metadata, c.source) for c in copy.cells] == [
        (c.id, c.cell_type, c.metadata, c.source) for c in stored.cells
    ]
    assert all(
        c.outputs == [] and c.execution_count is None for c in copy.cells if c.cell_type == "code"
    )
    assert copy.metadata == stored.metadata


def test_a_copys_copy_is_the_same(course):
    copy = copy_of((course / "notebooks" / "00_first.ipynb").read_text())
    assert copy_of(copy) == copy


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_copy_is_written_as_jupyter_writes_it(name):
    copy = copy_of(NOTEBOOKS[name].read_text(encoding="utf-8"))
    assert nbformat.writes(nbformat.reads(copy, as_version=4)) + "\n" == copy


def test_the_first_start_copies_and_the_second_writes_nothing(course, folder):
    assert folder().update() == []
    before = files(course / "my_course")
    assert set(before) == {"00_first.ipynb", "03_third.ipynb", ".course.json"}
    assert sources(course / "my_course" / "03_third.ipynb") == [
        "# 03_third",
        "def my_f(x):\n    ...",
    ]
    edit(course / "my_course" / "00_first.ipynb", "mine")
    (course / "my_course" / "my_transformer.py").write_text("mine, too")
    before = files(course / "my_course")
    assert folder().update() == []
    assert files(course / "my_course") == before


def test_an_edited_copy_survives_a_change_of_the_course_and_is_told_how_to_get_it(course, folder):
    folder().update()
    edit(course / "my_course" / "03_third.ipynb", "mine")
    write(course / "notebooks" / "03_third.ipynb", "# better", "def my_f(x):\n    ...")
    before = files(course / "my_course")
    for _ in range(2):  # until the student has decided
        (line,) = folder().update()
        assert line.startswith("03_third: ")
        assert "python start.py fresh 03" in line
        assert files(course / "my_course") == before


def test_copies_in_which_nothing_was_typed_are_renewed_and_new_notebooks_come(course, folder):
    folder().update()
    run = course / "my_course" / "03_third.ipynb"
    edit(run, "# 03_third")  # run, with outputs and all, and as it was
    for name in ("00_first", "03_third", "04_new"):
        write(course / "notebooks" / f"{name}.ipynb", "# better")
    assert folder().update() == [
        "03_third: renewed with the course. You had run it and typed nothing."
    ]
    assert all(
        sources(course / "my_course" / f"{name}.ipynb") == ["# better"]
        for name in ("00_first", "03_third", "04_new")
    )
    assert folder().update() == []


def test_outputs_of_the_course_are_no_change_of_it(course, folder):
    folder().update()
    edit(course / "my_course" / "03_third.ipynb", "mine")
    stored = course / "notebooks" / "03_third.ipynb"
    stored.write_text(stored.read_text().replace("the answer is 42", "another number"))
    assert folder().update() == []


def test_a_change_that_the_student_has_made_too_is_told_no_more(course, folder):
    folder().update()
    write(course / "notebooks" / "03_third.ipynb", "# better", "def my_f(x):\n    ...")
    edit(course / "my_course" / "03_third.ipynb", "# better")
    assert folder().update() == []
    edit(course / "my_course" / "03_third.ipynb", "mine")
    assert folder().update() == []


@pytest.mark.parametrize("record", [None, "no JSON", "{}"])
def test_a_lost_record_costs_nothing(course, folder, record):
    folder().update()
    edit(course / "my_course" / "03_third.ipynb", "mine")
    (
        os.remove(course / "my_course" / ".course.json")
        if record is None
        else (course / "my_course" / ".course.json").write_text(record)
    )
    assert folder().update() == []
    assert sources(course / "my_course" / "03_third.ipynb")[0] == "mine"


def test_a_broken_notebook_is_somebodys_work_too(course, folder):
    folder().update()
    (course / "my_course" / "03_third.ipynb").write_text("{ half a")
    write(course / "notebooks" / "03_third.ipynb", "# better")
    assert [line[:9] for line in folder().update()] == ["03_third:"]
    assert (course / "my_course" / "03_third.ipynb").read_text() == "{ half a"


def test_fresh_keeps_every_old_one(course, folder):
    folder().update()
    own = course / "my_course" / "03_third.ipynb"
    assert folder().fresh("03_third", DAY) == "03_third.ipynb is fresh."
    for words in ("first", "second", "third"):
        edit(own, words)
        assert "Yours is kept: 03_third (before 2026-11-21" in folder().fresh("03_third", DAY)
        assert own.read_text() == copy_of((course / "notebooks" / "03_third.ipynb").read_text())
    kept = {
        name: sources(course / "my_course" / name)[0]
        for name in files(course / "my_course")
        if "before" in name
    }
    assert kept == {
        "03_third (before 2026-11-21).ipynb": "first",
        "03_third (before 2026-11-21, 2).ipynb": "second",
        "03_third (before 2026-11-21, 3).ipynb": "third",
    }
    assert folder().update() == []


def test_answers_beside_a_notebook_are_no_copy_and_stay(course, folder):
    folder().update()
    own, answers = (
        course / "my_course" / "03_third.ipynb",
        course / "my_course" / "03_third.answers.json",
    )
    answers.write_text('{"notebook": "03_third"}')
    edit(own, "mine")
    write(course / "notebooks" / "03_third.ipynb", "# 03_third", "newer")
    assert [line.partition(":")[0] for line in folder().update()] == ["03_third"]
    assert folder().find("3") == "03_third"
    folder().fresh("03_third", DAY)
    assert answers.read_text() == '{"notebook": "03_third"}'


@pytest.mark.parametrize("word", ["3", "03", "03_third", "03_third.ipynb", "03_T"])
def test_a_notebook_is_found_by_its_number_or_name(folder, word):
    assert folder().find(word) == "03_third"


@pytest.mark.parametrize("word", ["", "7", "0", "third"])
def test_a_notebook_that_is_not_there_is_answered_with_those_that_are(folder, word):
    if word == "0":
        assert folder().find(word) == "00_first"
    else:
        with pytest.raises(LookupError, match="wanted one of: 00, 03"):
            folder().find(word)


# The environment

STAND_IN = """#!{python}
import json, os, sys
with open({log!r}, "a") as log:
    log.write(json.dumps([sys.argv[1:], os.getcwd(), os.environ.get("COURSE_FOLDER")]) + "\\n")
if sys.argv[1:3] == ["-m", "pip"]:
    print(os.environ.get("STAND_IN_SAYS", "Collecting numpy==2.4.6"))
    sys.exit(int(os.environ.get("STAND_IN_PIP", "0")))
sys.exit(int(os.environ.get("STAND_IN_LAB", "0")))
"""


@pytest.fixture
def machine(course, monkeypatch):
    """A machine without uv and without an active environment, on which making one gives a stand-in.
    What that was asked, in order."""
    log = course / "asked.jsonl"

    def create(folder, with_pip, symlinks):
        python = Path(folder, "bin", "python")
        python.parent.mkdir(parents=True)
        python.write_text(STAND_IN.format(python=sys.executable, log=str(log)))
        python.chmod(python.stat().st_mode | stat.S_IXUSR)

    monkeypatch.setattr(environment.sys, "prefix", sys.base_prefix)
    monkeypatch.setattr(environment.shutil, "which", lambda name: None)
    monkeypatch.setattr(environment.venv, "create", create)
    monkeypatch.setattr(commands, "ROOT", course)
    monkeypatch.setattr(commands.signal, "signal", lambda *_: None)
    monkeypatch.delenv("COURSE_FOLDER")
    for name in ("requirements.txt", "requirements-test.txt"):
        (course / name).write_text(f"# {name}\nnumpy==2.4.6\n-e .\n")
    return lambda: (
        [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    )


def pip_calls(asked):
    return [words[-1] for words, *_ in asked if words[:3] == ["-m", "pip", "install"]]


@posix
def test_the_first_run_makes_and_installs_and_the_next_one_neither(course, machine, capsys):
    for _ in range(2):
        assert environment.ready(course) == course / ".venv" / "bin" / "python"
    assert pip_calls(machine()) == ["requirements.txt"]
    assert capsys.readouterr().out.splitlines() == [
        "Making an environment for the course in the folder .venv ...",
        "Installing what it needs, once. This takes a minute or two ...",
    ]


@posix
def test_tests_are_added_and_changed_requirements_installed_into_the_same_environment(
    course, machine
):
    environment.ready(course)
    (course / ".venv" / "somebody's").write_text("")
    environment.ready(course, "requirements-test.txt")
    environment.ready(course)
    (course / "requirements.txt").write_text("numpy==2.5.0\n")
    environment.ready(course)
    assert pip_calls(machine()) == ["requirements.txt", "requirements-test.txt", "requirements.txt"]
    assert (course / ".venv" / "somebody's").exists()


@posix
def test_the_environment_of_another_copy_is_left_as_it_is(
    course, machine, monkeypatch, tmp_path_factory
):
    other = tmp_path_factory.mktemp("other")
    (other / ".venv").mkdir()
    monkeypatch.setattr(environment.sys, "prefix", str(other / ".venv"))
    monkeypatch.setattr(environment, "_install", lambda *_: None)
    assert environment.ready(course) == other / ".venv" / "bin" / "python"  # somebody's own
    (other / "start.py").touch()
    assert environment.ready(course) == course / ".venv" / "bin" / "python"


@posix
def test_a_folder_that_was_moved_is_installed_again(course, machine, tmp_path_factory):
    environment.ready(course)
    moved = tmp_path_factory.mktemp("moved") / "course"
    course.rename(moved)
    log = moved / "asked.jsonl"
    (moved / ".venv" / "bin" / "python").write_text(
        STAND_IN.format(python=sys.executable, log=str(log))
    )
    environment.ready(moved)
    assert len(log.read_text().splitlines()) == 2
    environment.ready(moved)
    assert len(log.read_text().splitlines()) == 2


@posix
@pytest.mark.parametrize(
    "half", ["nothing in it", "no pip yet", "in the middle of pip", "its Python is gone"]
)
def test_half_an_environment_is_made_anew(course, machine, monkeypatch, half):
    if half == "in the middle of pip":
        monkeypatch.setenv("STAND_IN_PIP", "1")
        with pytest.raises(SystemExit):
            environment.ready(course)
        monkeypatch.delenv("STAND_IN_PIP")
    elif half == "its Python is gone":
        environment.ready(course)
        (course / ".venv" / "bin" / "python").unlink()
    else:
        (course / ".venv" / "bin").mkdir(parents=True)
        if half == "no pip yet":
            (course / ".venv" / "bin" / "python").write_text(
                "#!/bin/sh\nexit 1\n"
            )  # no link: not everybody may make one
            (course / ".venv" / "bin" / "python").chmod(0o755)
    (course / ".venv" / "left over").write_text("")
    environment.ready(course)
    assert not (course / ".venv" / "left over").exists()
    assert pip_calls(machine())[-1] == "requirements.txt"
    asked = len(machine())
    environment.ready(course)
    assert len(machine()) == asked


@posix
def test_an_environment_that_somebody_else_made_whole_is_filled_not_deleted(course, machine):
    environment.venv.create(course / ".venv", True, True)
    (course / ".venv" / "theirs").write_text("")
    environment.ready(course)
    assert (course / ".venv" / "theirs").exists()
    assert pip_calls(machine()) == ["requirements.txt"]


@posix
def test_uv_installs_where_it_is_there(course, machine, monkeypatch):
    uv = course / "uv"
    uv.write_text(f'#!/bin/sh\necho "$@" > {str(course / "uv.log")!r}\n')
    uv.chmod(0o755)
    monkeypatch.setattr(environment.shutil, "which", lambda name: str(uv))
    python = environment.ready(course)
    assert (course / "uv.log").read_text().split() == [
        "pip",
        "install",
        "--python",
        str(python),
        "-r",
        "requirements.txt",
    ]
    assert pip_calls(machine()) == []


def sentence(capsys, run, *arguments):
    """What start.py says on the terminal where it gives up: one sentence, which starts with its
    name."""
    with pytest.raises(SystemExit) as ended:
        run(*arguments)
    assert ended.value.code not in (0, None)
    assert "Traceback" not in "".join(capsys.readouterr())
    return str(ended.value.code)


@posix
@pytest.mark.parametrize(
    "said",
    [
        (
            "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError(...:"
            " [Errno -2] Name or service not known')'"
        ),
        "error: Failed to fetch: `https://x.example/simple/anyio/`\n  Caused by: dns error",
        "urllib3.exceptions.ConnectTimeoutError: Connection to x.example timed out",
    ],
)
def test_no_network_is_one_sentence(course, machine, monkeypatch, capsys, said):
    monkeypatch.setenv("STAND_IN_PIP", "1")
    monkeypatch.setenv("STAND_IN_SAYS", f"{said}\nERROR: No matching distribution found for anyio")
    told = sentence(capsys, commands.main, [], "")
    assert re.fullmatch(r"start\.py: there is no network[^\n]*", told)


@posix
def test_another_failure_gives_the_installers_own_errors(course, machine, monkeypatch, capsys):
    monkeypatch.setenv("STAND_IN_PIP", "1")
    monkeypatch.setenv("STAND_IN_SAYS", "Collecting a\nERROR: No matching distribution found for a")
    assert sentence(capsys, environment.ready, course).endswith(
        "last words:\nERROR: No matching distribution found for a"
    )


@posix
@pytest.mark.parametrize(
    "said",
    [
        "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
        "  Caused by: failed to write: No space left on device (os error 28)",
    ],
)
def test_a_full_disk_is_one_sentence_and_the_next_start_goes_on(
    course, machine, monkeypatch, capsys, said
):
    monkeypatch.setenv("STAND_IN_PIP", "1")
    monkeypatch.setenv("STAND_IN_SAYS", f"Collecting a\n{said}")
    assert re.fullmatch(
        r"start\.py: the disk is full: \d+ MB are free[^\n]*",
        sentence(capsys, environment.ready, course),
    )
    monkeypatch.delenv("STAND_IN_PIP")
    environment.ready(course)


def test_a_disk_that_fills_while_copies_are_made_is_one_sentence(course, monkeypatch, capsys):
    def full(*arguments):
        raise OSError(errno.ENOSPC, "No space left on device", "03_third.ipynb")

    monkeypatch.setattr(environment, "ready", lambda root: sys.executable)
    monkeypatch.setattr(Folder, "update", full)
    assert sentence(capsys, commands.main, [], "").startswith(
        "start.py: No space left on device: 03_third.ipynb. Is the disk full"
    )


# What Windows does not allow in a name is left out there.
STRANGE = [
    "it's",
    "a & b",
    "$HOME",
    "%PATH%",
    "😀 ä",
    "a (1) [2] {3}; #!",
    *(['"quoted"', "a * ? < > | b"] if os.name != "nt" else []),
]


@pytest.mark.parametrize("name", STRANGE)
def test_the_tests_run_in_a_folder_of_any_name(tmp_path, monkeypatch, capfd, name):
    (tmp_path / name / "tests").mkdir(parents=True)
    (tmp_path / name / "pyproject.toml").write_text(
        "[tool.pytest.ini_options]\ntestpaths = ['tests']\n"
    )
    (tmp_path / name / "tests" / "test_one.py").write_text("def test_one():\n    pass\n")
    monkeypatch.setattr(commands, "ROOT", tmp_path / name)
    monkeypatch.setattr(environment, "ready", lambda root, wanted: sys.executable)
    with pytest.raises(SystemExit) as ended:
        commands.main(["test"], "")
    said = capfd.readouterr().out
    assert (ended.value.code, "1 passed" in said) == (0, True), said


def test_an_installer_gives_up_soon_unless_told_otherwise():
    assert environment.PATIENCE["PIP_RETRIES"] == "1"
    assert int(environment.PATIENCE["PIP_DEFAULT_TIMEOUT"]) <= 15


def test_debian_without_venv_is_one_sentence_and_leaves_nothing(
    course, machine, monkeypatch, capsys
):
    monkeypatch.setattr(environment.importlib.util, "find_spec", lambda name: None)
    assert "sudo apt install python3-venv" in sentence(capsys, environment.ready, course)
    assert not (course / ".venv").exists()


# The commands


@posix
def test_jupyter_gets_its_arguments_and_the_students_folder(course, machine, capsys):
    commands.main(["--no-browser", "--port", "9999"], "")
    words, where, kept = machine()[-1]
    assert words == [
        "-P",
        str(ROOT / "course_utils" / "start" / "lab.py"),
        "--LabApp.default_url=/lab",
        "--no-browser",
        "--port",
        "9999",
    ]
    assert (Path(where), kept) == ((course / "my_course").resolve(), str(course / "my_course"))
    assert (course / "my_course" / "03_third.ipynb").exists()
    assert (
        capsys.readouterr().out.splitlines()[-1]
        == "The course is closed. Your work is in the folder my_course"
    )


@pytest.mark.parametrize(
    ("names", "page"),
    [
        (["00_start_here", "01_self_attention"], "/lab/tree/00_start_here.ipynb"),
        (["exam (Ana Silva)"], "/lab/tree/exam%20%28Ana%20Silva%29.ipynb"),
        (["exam (Ana Silva)", "exam (Bo Li)"], "/lab"),
    ],
)
def test_jupyter_opens_a_notebook_that_is_there_in_an_exam_s_room_too(tmp_path, names, page):
    for name in names:
        (tmp_path / f"{name}.ipynb").touch()
    assert Folder(tmp_path / "my_course", tmp_path).first_page() == page


@posix
def test_the_students_folder_can_stand_elsewhere(course, machine, monkeypatch):
    monkeypatch.setenv("COURSE_FOLDER", str(course / "else" / "where"))
    commands.main([], "")
    assert machine()[-1][1:] == [
        str((course / "else" / "where").resolve()),
        str(course / "else" / "where"),
    ]
    assert not (course / "my_course").exists()


@posix
def test_when_jupyter_fails_its_last_words_are_shown(course, machine, monkeypatch, capsys):
    monkeypatch.setenv("STAND_IN_LAB", "1")
    assert sentence(capsys, commands.main, [], "").startswith("start.py: JupyterLab ended.")


@posix
def test_fresh_needs_no_environment_and_names_what_it_did(course, machine, capsys):
    commands.main(["fresh", "03"], "")
    assert "03_third.ipynb is fresh." in capsys.readouterr().out
    assert machine() == []
    assert (
        sentence(capsys, commands.main, ["fresh"], "")
        == "start.py: fresh: got '', wanted one of: 00, 03"
    )


@posix
def test_test_runs_all_or_the_files_that_are_named_from_any_folder(
    course, machine, monkeypatch, capsys
):
    (course / "tests").mkdir()
    (course / "tests" / "test_a.py").write_text("")
    monkeypatch.chdir(course / "tests")
    for more in ([], ["test_a.py::test_b", "-k", "some"]):
        with pytest.raises(SystemExit) as ended:
            commands.main(["test", *more], "")
        assert ended.value.code == 0
    asked = [words for words, *_ in machine() if words[:2] == ["-m", "pytest"]]
    assert asked == [
        ["-m", "pytest", "--rootdir", "."],
        [
            "-m",
            "pytest",
            "--rootdir",
            ".",
            str(course / "tests" / "test_a.py::test_b"),
            "-k",
            "some",
        ],
    ]
    assert pip_calls(machine()) == ["requirements-test.txt"]


def test_the_students_edition_says_that_it_has_no_tests(course, machine, capsys):
    assert "no tests" in sentence(capsys, commands.main, ["test"], "")


def test_an_unknown_word_is_answered_with_the_known_ones(machine, capsys):
    assert "'frsh', wanted fresh, test" in sentence(capsys, commands.main, ["frsh"], "")


def test_help_says_every_command(machine, capsys):
    about = ast.get_docstring(ast.parse((ROOT / "start.py").read_text()), clean=False)
    commands.main(["--help"], about)
    shown = capsys.readouterr().out
    assert all(
        word in shown for word in ("--no-browser", "fresh 03", "test [FILE", "COURSE_FOLDER")
    )


def test_ctrl_c_before_the_course_is_open_is_a_sentence(machine, monkeypatch, capsys):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(environment, "ready", interrupted)
    assert sentence(capsys, commands.main, [], "").strip().startswith("Stopped.")


def test_a_folder_that_may_not_be_written_to_is_a_sentence(course, machine, monkeypatch, capsys):
    def refused(*_, **__):
        raise PermissionError(13, "Permission denied", str(course / ".venv"))

    monkeypatch.setattr(Path, "mkdir", refused)
    told = sentence(capsys, commands.main, [], "")
    assert re.fullmatch(
        r"start\.py: Permission denied: \S+\.venv\. Is the disk full, or may you not write"
        r" here\?[^\n]*",
        told,
    )


def test_an_older_python_reads_start_py_up_to_its_sentence():
    """No syntax in it is newer than Python 2.7's, and the version is asked before anything else is
    imported."""
    tree = ast.parse((ROOT / "start.py").read_text(encoding="utf-8"), feature_version=(3, 4))
    assert (ROOT / "start.py").read_bytes().isascii()
    newer = (
        ast.JoinedStr,
        ast.NamedExpr,
        ast.AnnAssign,
        ast.AsyncFunctionDef,
        ast.Starred,
        ast.Nonlocal,
        ast.Raise,
    )
    assert [node for node in ast.walk(tree) if isinstance(node, newer)] == []
    kinds = [type(node).__name__ for node in tree.body]
    assert kinds[:4] == ["Expr", "Import", "If", "ImportFrom"]
    assert "version_info < (3, 11)" in ast.unparse(tree.body[2].test)
    assert [alias.name for alias in tree.body[1].names] == ["sys"]


@pytest.mark.parametrize("name", ["__init__", "commands", "copies", "environment"])
def test_what_runs_before_anything_is_installed_needs_the_standard_library_only(name):
    tree = ast.parse((ROOT / "course_utils" / "start" / f"{name}.py").read_text(encoding="utf-8"))
    names = [
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    ]
    names += [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert [
        name
        for name in names
        if name.split(".")[0] not in sys.stdlib_module_names
        and not name.startswith("course_utils.start")
    ] == []


REALLY = """
import sys
from course_utils.start import commands
commands.environment.ready = lambda root: sys.executable
commands.main(["--no-browser", "--allow-root"], "")
"""


@posix
def test_jupyterlab_says_where_it_is_and_ctrl_c_ends_it_without_a_question(tmp_path):
    """The real one, in this environment: the address answers, nothing of Jupyter's own stands on
    the terminal, and nothing is left running."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "random.py").write_text(
        "raise SystemError('a file of the student is not what Jupyter imports')"
    )
    jupyters = {
        f"JUPYTER_{name}_DIR": str(tmp_path / name) for name in ("RUNTIME", "CONFIG", "DATA")
    }
    environ = {**os.environ, **jupyters, "COURSE_FOLDER": str(tmp_path / "mine")}
    # A terminal to type into: without one Jupyter asks no questions. Where there are none, a pipe.
    ours, theirs = os.openpty() if hasattr(os, "openpty") else os.pipe()[::-1]
    with subprocess.Popen(
        [sys.executable, "-c", REALLY],
        cwd=ROOT,
        env=environ,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as start:
        try:
            words = [start.stdout.readline().strip() for _ in range(7)]
            address = words.pop(4)
            assert words == [
                "Opening your notebooks, in the folder mine ...",
                "",
                "The course is open at",
                "",
                "",
                "To stop it, press Ctrl-C here.",
            ]
            assert re.fullmatch(r"http://\S+/lab/tree/00_start_here\.ipynb\?token=\w+", address)
            for page in (address, address.replace("/lab/tree/", "/api/contents/")):
                with urllib.request.urlopen(page, timeout=60) as answer:
                    assert b"00_start_here" in answer.read()
            page = address.replace("/lab/tree/00_start_here.ipynb", "/lab")
            with urllib.request.urlopen(page, timeout=60) as answer:
                config = re.search(
                    r'id="jupyter-config-data"[^>]*>(.*?)</script>', answer.read().decode(), re.S
                )
            # by ear its buttons would stand among a card's
            off = "@jupyterlab/cell-toolbar-extension"
            assert off in json.loads(config[1])["disabledExtensions"]
            for plugin, name, wanted in (
                # what is out of sight has no place for a screen reader, which loses its own there
                ("notebook-extension:tracker", "windowingMode", "none"),
                ("apputils-extension:notification", "fetchNews", "false"),  # it would ask
            ):
                settings = f"/lab/api/settings/@jupyterlab/{plugin}"
                with urllib.request.urlopen(
                    address.replace("/lab/tree/00_start_here.ipynb", settings), timeout=60
                ) as answer:
                    set_to = json.load(answer)["schema"]["properties"][name]
                assert set_to["default"] == wanted
            os.killpg(start.pid, signal.SIGINT)  # as a terminal does
            said, _ = start.communicate(timeout=60)
            assert (said, start.returncode) == (
                "\nThe course is closed. Your work is in the folder mine\n",
                0,
            )
            with pytest.raises(ProcessLookupError):
                os.killpg(start.pid, 0)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(start.pid, signal.SIGKILL)
            os.close(ours)
            os.close(theirs)
