"""The page of a lecture that is divided: its clock, its votes, its names of mistakes fit the
notebook, and it fits a sheet."""

import json
import re

import lecture
import pytest
from exporting import plans, slides
from helpers import MAIN, ROOT, notebook

from course_utils.diagnosis.verdicts import solution
from course_utils.exercises import EXERCISES

LENGTHS = {"00_start_here": [25]}
WORDS = 475  # on a printed sheet
VOTE = 4  # minutes for a vote, a talk and a second vote
every_plan = pytest.mark.parametrize("name", MAIN)


def headings(name):
    """The headings of a lecture's core below its title, without minutes and difficulty."""
    prose = "\n\n".join(
        cell.source for cell in lecture.core(notebook(name).cells) if cell.cell_type == "markdown"
    )
    return [
        re.sub(r" \(\d+ minutes.*\)$", "", heading)
        for heading in re.findall(r"^##+ (.+)$", prose, flags=re.MULTILINE)
    ]


def predictions(name):
    """{key: its options} of the predictions that the core asks."""
    code = "\n".join(
        cell.source for cell in lecture.core(notebook(name).cells) if cell.cell_type == "code"
    )
    asked = json.loads(
        (ROOT / "course_utils" / "cards" / "predictions" / f"{name}.json").read_text(
            encoding="utf-8"
        )
    )
    return {key: asked[key]["options"] for key in re.findall(r'predict\("\d\d_(\w+)"\)', code)}


@every_plan
def test_a_plan_has_the_lectures_title_and_fits_a_sheet(name):
    text = (plans.FOLDER / f"{name[:2]}.md").read_text(encoding="utf-8")
    assert text.partition("\n")[0] == notebook(name).cells[0].source.partition("\n")[0]
    assert len(re.findall(r"\w+", text)) <= WORDS
    assert 1 <= len(re.findall(r"^- .+\([^)]+\)$", text, flags=re.MULTILINE)) <= 3
    for part in ("**Late:**", "**Challenge:**", "**Homework:**"):
        assert text.count(part) == 1


@every_plan
def test_the_clock_runs_through_the_headings_without_a_gap(name):
    plan = plans.read(name)
    assert list(plan.clock) == LENGTHS.get(name, [50, 75])
    for length, rows in plan.clock.items():
        assert list(rows) == headings(name)
        spans = [span for span in rows.values() if span]
        assert [start for start, _ in spans] == [0, *(end for _, end in spans[:-1])]
        assert length - 5 <= spans[-1][1] <= length


@every_plan
def test_a_heading_stands_on_the_slide_that_the_clock_says(name):
    plan = plans.read(name)
    assert plan.slides == slides.beginnings(name, notebook(name), plan), (
        "export.py slides writes it"
    )


SHOWS = {
    "05_multi_head_attention": {"2.2": "goes through W_Q", "6.2": "Split: each row"},
    "11_language_model": {"2.1": "surprise 0.00", "5.2": "is close behind the rules"},
}  # slides that a plan names


@every_plan
def test_a_slide_that_a_plan_names_shows_what_is_meant(name):
    plan = plans.read(name)
    text = (plans.FOLDER / f"{name[:2]}.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\bslide (\d+\.\d+)", text)) == set(SHOWS.get(name, {}))
    for minutes in plan.clock if name in SHOWS else ():
        shown, place = {}, (0, 0)
        for cell in slides.deck(name, notebook(name), {}, plans.homework(plan, minutes)).cells:
            starts = cell.metadata.get("slideshow", {}).get("slide_type")
            column, row = place
            place = {"slide": (column + 1, 1), "subslide": (column, row + 1)}.get(starts, place)
            shown.setdefault("{}.{}".format(*place), []).append(str(cell))
        for slide, words in SHOWS[name].items():
            assert words in "".join(shown[slide]), (minutes, slide)


@every_plan
def test_each_vote_has_its_letter_and_the_idea_behind_each_wrong_one(name):
    said = " ".join(plans.read(name).notes.values())
    votes = {
        key: (letter, rest)
        for key, letter, rest in re.findall(
            r"\*\*Poll\*\* `(\w+)`: ([A-F])\.(.*?)(?=\*\*Poll|$)", said, flags=re.DOTALL
        )
    }
    options = predictions(name)
    assert set(votes) == set(options)
    for key, (letter, rest) in votes.items():
        letters = {"ABCDEF"[i]: bool(option.get("right")) for i, option in enumerate(options[key])}
        assert letters[letter], key
        assert set(re.findall(r"\b([A-F]):", rest)) == set(letters) - {letter}, key


@every_plan
def test_a_reading_has_its_letter(name):
    plan = plans.read(name)
    for heading in plan.slides:
        exercise = EXERCISES.get("".join(re.findall(r"`(\w+)`", heading)))
        if exercise and exercise.shape == "reading":
            assert plan.notes[heading].startswith(f"**Right:** {exercise.right}."), heading


@every_plan
def test_what_fifty_minutes_leave_for_home_is_the_homework_after_them(name):
    plan = plans.read(name)
    said = re.search(r"After 50(?: minutes)?: (.*?)\. Always:", plan.head)
    left = plans.homework(plan, 50)
    exercises = {heading[9] for heading in left if heading.startswith("Exercise ")}
    found = re.search(r"Exercises? ([\d and]+)", said[1]) if said else None
    assert set(re.findall(r"\d", found[1] if found else "")) == exercises
    assert ("the quiz" in (said[1] if said else "")) == ("Quiz" in left)


@every_plan
def test_a_vote_has_its_minutes(name):
    plan = plans.read(name)
    for rows in plan.clock.values():
        for heading, span in rows.items():
            polls = plan.notes.get(heading, "").count("**Poll**")
            assert not (span and polls) or span[1] - span[0] > VOTE * polls, heading


@every_plan
def test_what_to_listen_for_are_known_mistakes_of_that_exercise(name):
    plan = plans.read(name)
    assert set(plan.notes) <= set(headings(name))
    listened = 0
    for heading, said in plan.notes.items():
        _, _, heard = said.partition("**Listen for:**")
        exercise = re.search(r"`(\w+)`", heading)
        known = {mistake.name for mistake in EXERCISES[exercise[1]].mistakes} if exercise else set()
        assert set(re.findall(r"`([^`]+)`", heard)) <= known, heading
        listened += bool(heard)
    assert listened


@every_plan
def test_who_is_late_leaves_out_headings_that_there_are(name):
    late = re.search(r"\*\*Late:\*\*(.*?)(?=\n\n)", plans.read(name).head, flags=re.DOTALL)[1]
    named = re.findall(r"\*([^*]+)\*", late.replace("**Very late:**", ""))
    assert named
    assert [
        one for one in named if not any(heading.startswith(one) for heading in headings(name))
    ] == []


@every_plan
def test_who_is_late_wins_the_minutes_back(name):
    plan = plans.read(name)
    late = re.search(r"\*\*Late:\*\*(.*?)(?=\n\n)", plan.head, flags=re.DOTALL)[1]
    five, _, ten = late.partition("**Very late:**")
    for length, rows in plan.clock.items() if name not in LENGTHS else ():

        def won(said, rows=rows):
            named = tuple(re.findall(r"\*([^*]+)\*", said))
            spans = [span for part, span in rows.items() if span and part.startswith(named)]
            return sum(end - start for start, end in spans) + VOTE * said.count("poll")

        assert won(five) >= 3, length
        assert not ten or won(five) + won(ten) >= 8, length


@every_plan
def test_a_plan_gives_no_solution_away(name):
    text = (plans.FOLDER / f"{name[:2]}.md").read_text(encoding="utf-8")
    exercises = {
        found
        for cell in notebook(name).cells
        for found in re.findall(r'diagnose\("(\w+)"', cell.source)
    }
    lines = {
        line.strip()
        for exercise in exercises
        for line in solution(exercise).splitlines()
        if len(line.strip()) >= 12
    }
    assert lines
    assert [line for line in lines if line in text] == []


def test_a_clock_that_is_none_is_refused_with_a_sentence():
    head = "# 99 Title\n\n| | 50 | slide |\n|---|---|---|\n"
    plan = plans.parse(head + "| Begin | 0-9 | 2 |\n| End | home | 3 |\n")
    assert plan.clock == {50: {"Begin": (0, 9), "End": None}}
    assert plan.slides == {"Begin": "2", "End": "3"}
    with pytest.raises(ValueError, match="got '9' in a plan's clock, wanted start-end, or home"):
        plans.parse(head + "| Begin | 9 | 2 |\n")
    with pytest.raises(ValueError, match="wanted its clock"):
        plans.parse("# 99 Title\n")
