"""The students' edition: no word of an answer in it, everything that it takes to run, and it runs
from the zip alone."""

import json
import os
import re
import subprocess
import sys
import zipfile

import pytest
from helpers import EVERYTHING, NOTEBOOKS, ROOT, mostly, notebook

from course_utils.exercises import EXERCISES

sys.path.insert(0, str(ROOT / "scripts"))
from exporting import student

every_notebook = pytest.mark.parametrize("name", NOTEBOOKS)
# Those that train no model for long run always; the names are looked at in all.
QUICK = [
    name
    for name in NOTEBOOKS
    if name[:2] in {"00", "01", "02", "04", "05", "07", "08", "12", "13", "14"}
]
# Runs notebooks' cells one after the other, as Run All does, in a process without pictures: they
# are the slow part, and no exercise draws one.
# It prints {notebook: how it failed} as its last line.
RUN = """
import json, sys, traceback
import numpy as np
from pathlib import Path
edition, scripts = map(Path, sys.argv[1:3])
sys.path.insert(0, str(scripts))
from grading import report_student
report_student.ROOT = edition
report_student.hide_scenery()
import course_utils
assert Path(course_utils.__file__).is_relative_to(edition)
failed = {}
for name in sys.argv[3:]:
    cells = json.loads((edition / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    names = {"display": print, "__name__": "__main__"}
    with np.printoptions():
        try:
            for source in ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"):
                exec(compile(source, source, "exec"), names)
        except Exception:
            failed[name] = traceback.format_exc()
print()
print(json.dumps(failed))
"""  # noqa: E501


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    """The edition without solutions, unpacked from its zip into a folder where nothing else is."""
    made, there = tmp_path_factory.mktemp("made"), tmp_path_factory.mktemp("there")
    student.main(["--to", str(made / "student"), "--zip", "--without-solutions"])
    with zipfile.ZipFile(made / "student.zip") as archive:
        archive.extractall(there)
    (folder,) = there.iterdir()
    return folder


def paths(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def lines_of_answers(name):
    """Every line of the solutions, and of all stored results, that is long enough to say something
    and is not asked anywhere."""
    code = [cell for cell in notebook(name).cells if cell.cell_type == "code"]
    asked = "\n".join(
        cell.source
        for cell in notebook(name).cells
        if "solution" not in cell.metadata.get("tags", [])
    )
    for cell in code:
        shown = [
            output.get("text", "") or str(output.get("data", {}).get("text/plain", ""))
            for output in cell.outputs
        ]
        solved = [cell.source] if "solution" in cell.metadata.get("tags", []) else []
        for line in "\n".join([*solved, *shown]).splitlines():
            if len(line.strip()) >= 12 and line.strip() not in asked:
                yield line.strip()


@every_notebook
def test_no_line_of_a_solution_or_a_result_is_left(edition, name):
    text = (edition / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8")
    answers = set(lines_of_answers(name))
    assert answers
    assert [line for line in answers if json.dumps(line, ensure_ascii=False)[1:-1] in text] == []
    assert "_solution" not in text
    assert "image/png" not in text


def test_an_agent_may_run_the_check_as_its_page_says_and_learns_no_line(edition, tmp_path):
    page = (edition / "AGENTS.md").read_text(encoding="utf-8")
    for rule in ("run the check", "nudge", "must not", "write, complete or correct a line"):
        assert rule in page
    (tmp_path / "answer.py").write_text(
        "import numpy as np\n\ndef my_softmax(scores):\n"
        "    exps = np.exp(scores - scores.max(axis=0))\n    return exps / exps.sum(axis=0)\n"
    )
    (code,) = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    (tmp_path / "ask.py").write_text(code)
    environment = {key: value for key, value in os.environ.items() if key != "COURSE_FOLDER"}
    said = subprocess.run(
        [sys.executable, "ask.py"],
        cwd=tmp_path,
        env=environment | {"PYTHONPATH": str(edition), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said.startswith("wrong wrong axis\n")
    assert EXERCISES["softmax"].nudge in said
    solution = (ROOT / "course_utils/exercises/softmax/solution.py").read_text(encoding="utf-8")
    assert [line for line in solution.splitlines()[3:] if line.strip() in said] == []
    assert "axis=-1" not in said
    assert not (tmp_path / "my_transformer.py").exists()


def test_it_holds_what_a_student_needs_and_nothing_of_the_instructors(edition):
    files = paths(edition)
    assert {
        "start.py",
        "requirements.txt",
        "pyproject.toml",
        "LICENSE",
        "README.md",
        "AGENTS.md",
        "course_utils/__init__.py",
    } <= files
    assert {path for path in files if path.startswith("notebooks/")} == {
        f"notebooks/{name}.ipynb" for name in NOTEBOOKS
    }
    assert {path.partition("/")[0] for path in files} == student.OURS
    assert [
        path
        for path in files
        if "__pycache__" in path or "INSTRUCTORS" in path or path.endswith("/solution.py")
    ] == []
    readme = (edition / "README.md").read_text(encoding="utf-8")
    assert "python start.py" in readme
    assert not {"INSTRUCTORS", "scripts/", "start.py test"} & {
        word for word in ("INSTRUCTORS", "scripts/", "start.py test") if word in readme
    }


def test_solutions_are_files_that_can_be_left_out(tmp_path, monkeypatch):
    monkeypatch.setattr(student, "ROOT", tmp_path / "course")
    for name in student.FILES:
        (tmp_path / "course" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "course" / name).write_text(name)
    softmax = tmp_path / "course" / "course_utils" / "exercises" / "softmax"
    softmax.mkdir(parents=True)
    (softmax / student.SOLUTIONS).write_text("the solution")
    for wanted in (True, False):
        student.write(tmp_path / "edition", wanted)
        assert (
            "course_utils/exercises/softmax/solution.py" in paths(tmp_path / "edition")
        ) is wanted


@pytest.fixture(scope="module")
def failed(edition, tmp_path_factory):
    """{notebook: the traceback} of those that do not run."""
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-c",
        RUN,
        edition,
        ROOT / "scripts",
        *(NOTEBOOKS if EVERYTHING else QUICK),
    ]
    result = subprocess.run(
        command, cwd=tmp_path_factory.mktemp("run"), capture_output=True, text=True, timeout=600
    )
    assert result.returncode == 0, result.stderr[-2000:]
    return json.loads(result.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", mostly(NOTEBOOKS, QUICK))
def test_a_notebook_of_the_zip_runs_with_the_package_of_the_zip(failed, name):
    assert failed.get(name, "") == ""


def test_no_cell_needs_a_name_that_the_solutions_made(edition):
    command = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--isolated",
        "--no-cache",
        "--quiet",
        "--output-format",
        "concise",
        "--select",
        "F821",
    ]
    result = subprocess.run([*command, edition / "notebooks"], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, "")


def test_the_zip_starts_by_itself(edition, tmp_path):
    """As far as it goes without installing: the start's own Python, the copies, and a word for what
    is not there."""

    def start(*words):
        environ = {**os.environ, "COURSE_FOLDER": str(tmp_path / "mine")}
        return subprocess.run(
            [sys.executable, edition / "start.py", *words],
            cwd=tmp_path,
            env=environ,
            capture_output=True,
            text=True,
        )

    assert "python start.py fresh 03" in start("--help").stdout
    assert start("fresh", "1").stdout.startswith("01_self_attention.ipynb is fresh.")
    assert (tmp_path / "mine" / "01_self_attention.ipynb").read_bytes() == (
        edition / "notebooks" / "01_self_attention.ipynb"
    ).read_bytes()
    assert (
        start("test").stderr
        == "start.py: test: this is the students' edition, which has no tests\n"
    )


def test_the_same_edition_makes_the_same_zip(tmp_path):
    for name in ("a", "b"):
        student.main(["--to", str(tmp_path / name), "--zip"])
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def test_somebody_elses_folder_is_not_written_to(tmp_path):
    student.write(tmp_path)
    student.write(tmp_path)
    (tmp_path / "my_course").mkdir()
    with pytest.raises(SystemExit, match="where somebody has my_course"):
        student.write(tmp_path)
    with pytest.raises(SystemExit, match="CONTRIBUTING.md"):
        student.write(ROOT)
    assert NOTEBOOKS["00_start_here"].exists()


# A branch


@pytest.fixture
def repository(tmp_path):
    """`git(...)` in a repository of one commit on main, with a change that is not committed."""
    folder = tmp_path / "repository"
    folder.mkdir()

    def git(*words):
        command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words]
        return subprocess.run(
            command, cwd=folder, check=True, capture_output=True, text=True
        ).stdout.strip()

    git("init", "-b", "main")
    (folder / "mine.txt").write_text("mine")
    git("add", ".")
    git("commit", "-m", "first")
    (folder / "mine.txt").write_text("changed")
    return folder, git


def test_a_branch_gets_a_commit_where_something_changed_and_nothing_else_moves(
    tmp_path, repository
):
    folder, git = repository
    student.write(tmp_path / "edition")
    assert student.commit(tmp_path / "edition", "students", folder)
    assert not student.commit(tmp_path / "edition", "students", folder)
    (tmp_path / "edition" / "README.md").write_text("better")
    assert student.commit(tmp_path / "edition", "students", folder)
    assert git("rev-list", "--count", "students") == "2"
    assert set(git("ls-tree", "-r", "--name-only", "students").splitlines()) == paths(
        tmp_path / "edition"
    )
    assert (git("branch", "--show-current"), git("status", "--porcelain")) == ("main", "M mine.txt")
    assert [path.name for path in folder.iterdir() if path.name != ".git"] == ["mine.txt"]


def test_the_branch_that_is_checked_out_is_not_touched(tmp_path, repository):
    student.write(tmp_path / "edition")
    with pytest.raises(SystemExit, match="got the branch main"):
        student.commit(tmp_path / "edition", "main", repository[0])
    assert repository[1]("rev-list", "--count", "main") == "1"
