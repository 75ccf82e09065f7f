"""The instructor's plan fits the notebooks: their headings, their minutes, the names of the mistakes, and no solution."""

import re

import pytest
from helpers import MAIN, ROOT, cells, notebook, shown

from course_utils.exercises import EXERCISES
from course_utils.exercises.checking import solution

PLANS = dict(re.findall(r"^## (\d\d_\w+)\n(.*?)(?=^## |\Z)", (ROOT / "INSTRUCTORS.md").read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL))
every_notebook = pytest.mark.parametrize("name", MAIN)


def sections(name):
    """{heading: its plan} of a lecture."""
    return dict(re.findall(r"^### ([^\n]+)\n(.*?)(?=^### |\Z)", PLANS[name], flags=re.MULTILINE | re.DOTALL))


def headings(name, level):
    prose = "\n\n".join(cell.source for cell in cells(name, "markdown"))
    return re.findall(rf"^{'#' * level} (.+)$", prose, flags=re.MULTILINE)


def exercises(name):
    return {exercise for cell in cells(name, "code") for exercise in re.findall(r'diagnose\("(\w+)"', cell.source)}


def mistakes_in(plan):
    return re.findall(r"`([^`]+)`", plan)


def minutes(plan):
    return int(re.match(r"(\d+) minutes?\.", plan)[1])


def test_every_notebook_has_a_plan_and_every_plan_a_notebook():
    assert list(PLANS) == MAIN


@every_notebook
def test_the_plan_follows_the_headings_of_the_notebook(name):
    order = headings(name, 2) + headings(name, 3)
    assert set(sections(name)) <= set(order)
    assert [heading for heading in sections(name) if heading in headings(name, 2)] == headings(name, 2)
    assert [heading for heading in sections(name) if heading in headings(name, 3)] == [h for h in headings(name, 3) if h in sections(name)]
    assert {heading for heading in headings(name, 3) if heading.startswith("Exercise")} <= set(sections(name))


@every_notebook
def test_the_minutes_add_up_to_those_of_the_notebook(name):
    stated = int(re.search(r"^Minutes: (\d+)$", PLANS[name], flags=re.MULTILINE)[1])
    assert stated == int(re.search(r"\*\*Minutes:\*\* (\d+)", notebook(name).cells[0].source)[1])
    assert sum(minutes(plan) for plan in sections(name).values()) == stated
    for heading, plan in sections(name).items():
        if said := re.search(r"\((\d+) minutes\)", heading):
            assert minutes(plan) == int(said[1])


@every_notebook
def test_the_wrong_ideas_are_known_mistakes_of_that_exercise(name):
    for heading, plan in sections(name).items():
        exercise = re.search(r"`(\w+)`", heading)
        known = {m.name for m in EXERCISES[exercise[1]].mistakes} if exercise else set()
        assert set(mistakes_in(plan)) <= known, heading
        assert not exercise or EXERCISES[exercise[1]].shape in ("catch", "reading") or mistakes_in(plan)
    assert {m[1] for heading in sections(name) if (m := re.search(r"`(\w+)`", heading))} == exercises(name)


@every_notebook
def test_every_lecture_has_predictions_with_their_answers(name):
    polls, answers = (PLANS[name].count(word) for word in ("**Poll:**", "**Expect:**"))
    assert polls == answers >= 2


@every_notebook
def test_numbers_in_a_plan_are_those_of_the_notebook(name):
    text = "\n".join([*(shown(cell) for cell in cells(name, "code")), *(cell.source for cell in cells(name, "markdown"))])
    assert [n for n in re.findall(r"\d+\.\d+", PLANS[name]) if n not in text] == []


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_gives_no_solution_away(name):
    lines = {line.strip() for exercise in exercises(name) for line in solution(exercise).splitlines() if len(line.strip()) >= 12}
    assert lines
    assert [line for line in lines if line in PLANS[name]] == []
    assert "@" not in re.sub(r"`[^`]*`", "", PLANS[name])
