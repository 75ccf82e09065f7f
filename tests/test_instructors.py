"""The instructor's guide fits the plans: a term takes versions that exist, in an order that
works."""

import re

import lecture
import pytest
from exporting import plans
from grading import books
from helpers import MAIN, ROOT, cells, notebook

TERMS_PAGE = (ROOT / "teaching" / "terms.md").read_text(encoding="utf-8")
NAMES = {name[:2]: name for name in MAIN}
TERMS = {
    title: re.findall(r"^\| \d+ \| (\d\d \(.*?) \| (\d+) \| (.*?) \|$", table, flags=re.MULTILINE)
    for title, table in re.findall(
        r"^\*\*([\w ]+)\*\*,? .*?\n\n(\|.*?)\n\n",
        TERMS_PAGE,
        flags=re.MULTILINE | re.DOTALL,
    )
}


def needed(number):
    """The lectures that a notebook says it needs."""
    said = re.search(r"\*\*You need\*\* (.+)", notebook(NAMES[number]).cells[0].source)[1]
    spans = [(int(a), int(b or a)) for a, b in re.findall(r"(\d\d)(?: to (\d\d))?", said)]
    return {f"{n:02}" for first, last in spans for n in range(first, last + 1)}


def exercises(name):
    return {
        exercise
        for cell in cells(name, "code")
        for exercise in re.findall(r'diagnose\("(\w+)"', cell.source)
    }


def in_code(text):
    return re.findall(r"`([^`]+)`", text)


def at_home(name, version):
    """The exercises that a version of a lecture leaves for home."""
    clock = plans.read(name).clock[version]
    return exercises(name) - {
        in_code(heading)[0] for heading, span in clock.items() if "`" in heading and span
    }


@pytest.mark.parametrize("title", ["One semester", "One week", "Four sessions"])
def test_a_term_takes_versions_that_exist_in_an_order_that_works_and_hands_in_what_was_homework(
    title,
):
    met = set()
    for lectures, length, handed_in in TERMS[title]:
        versions = re.findall(r"(\d\d) \((\d+)\)", lectures)
        assert sum(int(version) for _, version in versions) == int(length)
        home = set()
        for number, version in versions:
            assert needed(number) <= met
            met.add(number)
            home |= at_home(NAMES[number], int(version))
        assert set(in_code(re.sub(r"`[\w./]+\.py`", "", handed_in))) <= home
    assert len(met) == {"One semester": 16, "One week": 15, "Four sessions": 12}[title]


@pytest.mark.parametrize("title", TERMS)
def test_what_a_term_hands_in_is_named_in_the_homework_of_its_plan(title):
    unnamed = []
    for lectures, _, handed_in in TERMS[title]:
        for number in re.findall(r"(\d\d) \(", lectures):
            plan, cells_of = plans.read(NAMES[number]), notebook(NAMES[number]).cells
            homework = re.search(r"\*\*Homework:\*\*(.*?)(?=\n\n)", plan.head, flags=re.DOTALL)[1]
            first, _, always = homework.partition("Always:")
            titles = tuple(re.findall(r"\*([^*]+)\*", always))
            numbers = tuple(f"Exercise {k}:" for k in re.findall(r"\b(\d)\b", first))
            named = set(in_code(homework))
            named |= {in_code(one)[0] for one in plan.slides if one.startswith(numbers)}
            for section, own in lecture.sections(cells_of).items():
                named |= books.in_cells(own) if section.startswith(titles) else set()
            handed_in_here = set(in_code(handed_in)) & exercises(NAMES[number])
            unnamed += [(number, exercise) for exercise in handed_in_here - named]
    assert unnamed == []


def test_no_lecture_needs_the_one_that_a_short_term_leaves_out():
    assert [number for number in NAMES if "09" in needed(number)] == []
