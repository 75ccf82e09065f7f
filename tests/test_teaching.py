"""What instructors get beside exams: derivations that hold, projects with rubrics, and no word of
it in the students' edition."""

import re
import sys

import pytest
from helpers import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
sys.path.insert(0, str(ROOT / "teaching"))
import exam
from exporting import student

DERIVATIONS = re.split(
    r"^(?=## )", (ROOT / "teaching/derivations.md").read_text(encoding="utf-8"), flags=re.MULTILINE
)[1:]
PROJECTS = re.split(
    r"^(?=## )", (ROOT / "teaching/projects.md").read_text(encoding="utf-8"), flags=re.MULTILINE
)[1:]


# Derivations and projects.


@pytest.mark.parametrize("text", DERIVATIONS, ids=lambda text: text.partition("\n")[0].strip("# "))
def test_a_derivation_holds(text):
    assert re.findall(r"^### (\w+)", text, flags=re.MULTILINE) == [
        "Task",
        "Hints",
        "Solution",
        "Check",
    ]
    checks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(checks) == 1
    assert "assert" in checks[0]
    exec(checks[0], {})


def test_tasks_of_derivations_come_without_solutions(capsys):
    exam.main(["--derivations"])
    told = capsys.readouterr().out
    for text in DERIVATIONS:
        assert text.partition("\n")[0] in told
        solution = text.partition("### Solution")[2]
        assert not any(line in told for line in solution.splitlines() if len(line) > 20)
        assert text.partition("### Hints\n")[2].splitlines()[1] not in told


def test_projects_have_what_a_project_needs():
    assert len(PROJECTS) == 3
    for text in PROJECTS:
        assert re.findall(r"^### (.*)", text, flags=re.MULTILINE) == [
            "The question",
            "Milestones",
            "Pitfalls",
            "What a good claim looks like",
            "Hand in",
            "Rubric",
            "Tried",
        ]
        rows = [
            [cell.strip() for cell in line.split("|")[1:-1]]
            for line in text.splitlines()
            if line.startswith("|")
        ]
        (_, *levels), _, *criteria = rows
        assert levels == ["0", "2", "4", "5"]
        assert 4 <= len(criteria) <= 5
        assert all(len(row) == 5 and all(row) for row in criteria)


# Students get none of it.


def test_the_students_edition_has_nothing_of_it(tmp_path):
    student.write(tmp_path / "student")
    paths = [path for path in (tmp_path / "student").rglob("*") if path.is_file()]
    assert not any("teaching" in path.relative_to(tmp_path).parts for path in paths)
    exams = (ROOT / "course_utils/exercises").glob("*/exam.py")
    others = [*(ROOT / "teaching").rglob("*"), *(ROOT / "scripts/grading").rglob("*")]
    ours = {path.read_bytes() for path in [*others, *exams] if path.suffix in (".py", ".md", ".j2")}
    assert len(ours) >= 80
    assert not ours & {path.read_bytes() for path in paths}
    text = "\n".join(
        path.read_text(encoding="utf-8")
        for path in paths
        if path.suffix in (".py", ".md", ".ipynb", ".toml")
    )
    for words in (
        "teaching/exam.py",
        "powers of e. Scores may be several",
        DERIVATIONS[0].splitlines()[0],
    ):
        assert words not in text
