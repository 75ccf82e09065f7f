"""The graded samples of the assistants' guide are what the engine says of them."""

import json
import re

import numpy as np
import pytest
import test_report as reports
from grading import bank, grades, report
from helpers import ROOT, run_directly

from course_utils import attention

GUIDE = (ROOT / "teaching" / "assistants.md").read_text(encoding="utf-8")
SAMPLES = {
    title: text
    for title, text in re.findall(
        r"^## (Sample \d.*?)\n(.*?)(?=^## )", GUIDE, flags=re.MULTILINE | re.DOTALL
    )
}
CODE = [title for title, text in SAMPLES.items() if "check:" in text]


def said(text, key):
    return re.search(rf"^{key}: (.+)$", text, flags=re.MULTILINE)[1]


def row_of(name, code, folder):
    """The report's Row for a notebook with this code, in an exercise's cell."""
    notebook = next(n for n, names in report.course().items() if name in names)
    source = (
        "import numpy as np\nfrom course_utils.exercises import diagnose, mine\n"
        f"{code}\ndiagnose({name!r}, my_{name})"
    )
    cell = {
        "cell_type": "code",
        "metadata": {},
        "outputs": [],
        "execution_count": None,
        "source": source,
    }
    path = folder / f"{notebook}.ipynb"
    path.write_text(
        json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    )
    return next(row for row in report.report(path, reports.SHUT_IN, 1) if row.exercise == name)


def test_there_are_six_samples():
    assert len(SAMPLES) == 6
    assert len(CODE) == 4


@pytest.mark.parametrize("title", CODE)
def test_a_sample_of_code_is_what_the_report_says(title, tmp_path):
    text = SAMPLES[title]
    name = re.search(r"^`(\w+)`$", text, flags=re.MULTILINE)[1]
    (code,) = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    row = row_of(name, code, tmp_path)
    assert ": ".join(filter(None, [row.status, row.mistake])) == said(text, "check")
    most = grades.default_points(report.course())[name]
    earned = most if row.status == "correct" else 0
    assert f"{earned} of {most}" == said(text, "points")
    assert row.flag == (said(text, "flag") if "flag:" in text else "")


def question_of(text):
    seed, name, way = re.search(r"^Exam, seed `(\w+)`: `(\w+)`, way `(\w+)`", text, re.M).groups()
    return bank.draw(seed, name, way)


def test_the_exams_function_earns_its_share():
    text = next(text for title, text in SAMPLES.items() if title.startswith("Sample 5"))
    question = question_of(text)
    (code,) = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    names = {"np": np, "attention": attention}
    exec(code, names)
    points, remark = question.grade(names["answer"], run_directly)
    assert f"{points} of {question.points}" == said(text, "points")
    assert remark == said(text, "remark")


def test_the_answer_in_words_is_read_by_the_questions_own_rubric():
    text = next(text for title, text in SAMPLES.items() if title.startswith("Sample 6"))
    question = question_of(text)
    rows = re.findall(r"^\| (.+?) \| (\d) \|$", text, flags=re.MULTILINE)
    assert tuple(line for line, _ in rows) == question.rubric
    assert f"{sum(int(points) for _, points in rows)} of {question.points}" == said(text, "points")
