"""The instructor's guide fits the notebooks: a term's tables, and the plans of the lectures that have no page in teaching/plans:
their headings, their minutes, the names of the mistakes, their numbers, and no solution."""

import json
import re

import pytest
from exporting import plans
from helpers import DIVIDED, MAIN, ROOT, cells, notebook, shown

from course_utils.diagnosis.verdicts import solution
from course_utils.exercises import EXERCISES

GUIDE = (ROOT / "INSTRUCTORS.md").read_text(encoding="utf-8")
PLANS = dict(re.findall(r"^## (\d\d_\w+)\n(.*?)(?=^## |\Z)", GUIDE, flags=re.MULTILINE | re.DOTALL))
HERE = [name for name in MAIN if name not in DIVIDED]
every_notebook = pytest.mark.parametrize("name", HERE)
CARDS = ROOT / "course_utils" / "cards"
CLAIMS = json.loads((CARDS / "claims.json").read_text(encoding="utf-8"))
VOTE = 4                                    # minutes in the room for a vote and a talk
POLL = r"\*\*Poll(?: \(vote\))?:\*\*"


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


def head(name):
    """What stands before a plan's first heading: objectives, claims, timetable."""
    return PLANS[name].partition("\n### ")[0]


def of_cards(kind, name):
    return json.loads((CARDS / kind / f"{name}.json").read_text(encoding="utf-8"))


def minutes(plan):
    return int(re.match(r"(\d+) minutes?\.", plan)[1])


def test_every_notebook_has_one_plan():
    assert list(PLANS) == HERE
    assert sorted(path.stem for path in plans.FOLDER.glob("*.md")) == [name[:2] for name in DIVIDED]


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
    assert len(re.findall(POLL, PLANS[name])) == PLANS[name].count("**Expect:**") >= 2


# Time in the room

def timetable(name):
    """The lengths of a lecture's versions, and {heading: (core or not, its cells)}."""
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in re.findall(r"^\|.*\|$", head(name), flags=re.MULTILINE)]
    return [int(length) for length in lines[0][1:]], {row[0].strip("*"): (row[0].startswith("**"), row[1:]) for row in lines[2:]}


def short(heading):
    return re.sub(r" \(\d+ minutes, .*\)$", "", heading)


@every_notebook
def test_a_timetable_has_the_headings_of_its_plan_and_every_version_has_what_is_core(name):
    lengths, rows = timetable(name)
    assert list(rows) == [short(heading) for heading in sections(name)]
    assert all(re.fullmatch(r"\d+(\+\d+)?|home|—", cell) for _, marks in rows.values() for cell in marks)
    assert [heading for heading, (core, marks) in rows.items() if core and {"home", "—"} & set(marks)] == []
    assert {core for core, _ in rows.values()} >= {True}
    assert {len(marks) for _, marks in rows.values()} == {len(lengths)}


@every_notebook
def test_the_versions_of_a_lecture_are_as_long_as_they_say(name):
    lengths, rows = timetable(name)
    assert lengths == {"00_start_here": [25]}.get(name, [50, 75, 90])
    for length, *column in zip(lengths, *(marks for _, marks in rows.values()), strict=True):
        assert length - 5 <= sum(int(part) for cell in column if cell[0].isdigit() for part in cell.split("+")) <= length


@every_notebook
def test_a_vote_takes_its_time_and_stands_where_a_poll_is(name):
    for heading, (_, marks) in timetable(name)[1].items():
        plan = next(plan for full, plan in sections(name).items() if short(full) == heading)
        polls = len(re.findall(POLL, plan))
        votes = [int(cell.partition("+")[2]) for cell in marks if "+" in cell]
        assert all(vote % VOTE == 0 and 0 < vote <= VOTE * polls for vote in votes), heading
        least = min(votes, default=0) // VOTE
        assert plan.count("**Poll (vote):**") == (least if least < polls > 1 else 0), "where votes are fewer than polls, the plan says whose they are"
    assert all(any("+" in cell for cell in column) for column in zip(*(marks for _, marks in timetable(name)[1].values()), strict=True))


@every_notebook
def test_who_is_late_leaves_out_nothing_that_is_core(name):
    late, = re.findall(r"^If late: (.+)$", head(name), flags=re.MULTILINE)
    core = {heading: core for heading, (core, _) in timetable(name)[1].items()}
    named = re.findall(r"\*([^*]+)\*", late)
    assert named
    assert [n for n in named if [c for heading, c in core.items() if heading.startswith(n)] != [False]] == []


# A term

NAMES = {name[:2]: name for name in MAIN}
TERMS = {title: re.findall(r"^\| \d+ \| (\d\d \(.*?) \| (\d+) \| (.*?) \|$", table, flags=re.MULTILINE)
         for title, table in re.findall(r"^\*\*([\w ]+)\*\*,? .*?\n\n(\|.*?)\n\n", GUIDE.partition("## A term")[2].partition("## Before")[0],
                                        flags=re.MULTILINE | re.DOTALL)}


def needed(number):
    """The lectures that a notebook says it needs."""
    said = re.search(r"\*\*You need\*\* (.+)", notebook(NAMES[number]).cells[0].source)[1]
    spans = [(int(a), int(b or a)) for a, b in re.findall(r"(\d\d)(?: to (\d\d))?", said)]
    return {f"{n:02}" for first, last in spans for n in range(first, last + 1)}


def at_home(name, version):
    """The exercises that a version of a lecture leaves for home."""
    if name in DIVIDED:
        clock = plans.read(name).clock[version]
        return exercises(name) - {mistakes_in(heading)[0] for heading, span in clock.items() if "`" in heading and span}
    lengths, rows = timetable(name)
    column = lengths.index(version)
    return {mistakes_in(heading)[0] for heading, (_, marks) in rows.items() if "`" in heading and marks[column] == "home"}


@pytest.mark.parametrize("title", ["One semester", "One week", "Four sessions"])
def test_a_term_takes_versions_that_exist_in_an_order_that_works_and_hands_in_what_was_homework(title):
    met = set()
    for lectures, length, handed_in in TERMS[title]:
        versions = re.findall(r"(\d\d) \((\d+)\)", lectures)
        assert sum(int(version) for _, version in versions) == int(length)
        home = set()
        for number, version in versions:
            assert needed(number) <= met
            met.add(number)
            home |= at_home(NAMES[number], int(version))
        assert set(mistakes_in(re.sub(r"`[\w./]+\.py`", "", handed_in))) <= home
    assert len(met) == {"One semester": 16, "One week": 14, "Four sessions": 11}[title]


def test_no_lecture_needs_the_one_that_a_short_term_leaves_out():
    assert [number for number in NAMES if "09" in needed(number)] == []


# What a student can do afterwards, and which claims are judged

def objectives(name):
    """[(sentence, exercises, numbers of quiz questions, keys of predictions)] of a lecture."""
    found = []
    for sentence, tests in re.findall(r"^- (.+?\.) \(([^)]+)\)$", head(name), flags=re.MULTILINE):
        quiz, polls = (re.search(rf"{word} ([\w, ]+)", tests) for word in ("quiz", "polls?"))
        found.append((sentence, mistakes_in(tests), [int(n) for n in quiz[1].split(", ")] if quiz else [], polls[1].split(", ") if polls else []))
    return found


@every_notebook
def test_each_objective_is_tested_by_what_there_is_and_each_exercise_and_poll_serves_one(name):
    aims = objectives(name)
    assert 3 <= len(aims) <= 5
    assert len(aims) == len(re.findall("^- ", head(name), flags=re.MULTILINE))
    assert {exercise for _, named, _, _ in aims for exercise in named} == exercises(name)
    assert {key for *_, keys in aims for key in keys} == set(of_cards("predictions", name))
    assert all(named or quiz or keys for _, named, quiz, keys in aims)


@every_notebook
def test_the_last_two_questions_go_back_to_earlier_lectures_and_all_others_serve_an_objective(name):
    back = 0 if name[:2] in ("00", "01") else 2
    count = len(of_cards("quizzes", name))
    assert {number for *_, quiz, _ in objectives(name) for number in quiz} == set(range(1, count + 1 - back))
    assert back or "go back to earlier lectures" not in PLANS[name]


def test_the_claims_of_a_lecture_stand_in_its_plan():
    here = {name: re.findall(r"[A-Z]\d+\w?", (re.search(r"Judged here: ([^;.]+)", head(name)) or [""] * 2)[1]) for name in PLANS}
    appendix = {claim for name in PLANS for part in re.findall(r"[Ii]n the appendix: ([^.]+)", head(name)) for claim in part.split(", ")}
    assert appendix <= {claim for claim, about in CLAIMS.items() if not about["main"]}
    for name, claims in here.items():
        assert claims == [claim for claim, about in CLAIMS.items() if about["main"] == name[:2]]


# Numbers

COUNTED = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"]
WORDS = {word: number for number, word in enumerate(COUNTED, 2)} | {"eighteen": 18, "twenty": 20, "thirty": 30, "forty": 40, "hundred": 100}


def numbers(text):
    """All numbers of a text, whole or not, in digits or in words."""
    digits = {float(digits.replace(",", "")) for digits in re.findall(r"\d[\d,]*\.\d+|\.\d+|\d[\d,]*\d|\d", text)}
    return digits | {float(WORDS[word]) for word in re.findall(r"[a-z]+", text.lower()) if word in WORDS}


def parts(name):
    """{heading: all that its part of the notebook says}: text, code, what it shows, its predictions. A part begins with ##, and has its exercises."""
    part, part_of, said, asked = "", {}, {}, of_cards("predictions", name)
    for cell in notebook(name).cells:
        pieces = re.split(r"^(?=#{1,3} )", cell.source, flags=re.MULTILINE) if cell.cell_type == "markdown" else [cell.source + "\n" + shown(cell)]
        for piece in pieces:
            heading = re.match(r"(#{1,3}) (.+)", piece) if cell.cell_type == "markdown" else None
            if heading:
                part = part if heading[1] == "###" else heading[2]
                part_of[heading[2]] = part
            cards = [json.dumps(asked[key], ensure_ascii=False) for key in re.findall(r'predict\("\d\d_(\w+)"', piece)]
            said[part] = "\n".join([said.get(part, ""), piece, *cards])
    return {heading: said[whole] for heading, whole in part_of.items()}


@every_notebook
def test_every_number_of_a_plan_stands_in_that_part_of_the_notebook(name):
    said = parts(name)
    elsewhere = r"^\d+ minutes?\.|`[^`]*`|Two questions go back to earlier lectures\."          # minutes, names, a count: each has its own test
    assert {(heading, n) for heading, plan in sections(name).items() for n in numbers(re.sub(elsewhere, "", plan)) - numbers(said[heading])} == set()


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_gives_no_solution_away(name):
    lines = {line.strip() for exercise in exercises(name) for line in solution(exercise).splitlines() if len(line.strip()) >= 12}
    assert lines
    assert [line for line in lines if line in PLANS[name]] == []
    assert "@" not in re.sub(r"`[^`]*`", "", PLANS[name])
