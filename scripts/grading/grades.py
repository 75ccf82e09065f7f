"""From the rows of a report to grades: the best of what each student handed in, points, and the
tables that others import."""

import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from course_utils.cards.questions import LETTERS, load
from course_utils.exercises import EXERCISES
from grading import answers, roster
from grading.tables import Row, found, read, write

POINTS = ["notebook", "exercise", "shape", "difficulty", "points"]
FEWEST_RIGHT, FEWEST_PREDICTIONS = 3, 6  # before a student is asked about them
RANK = ["not attempted", "wrong", "correct"]
LATE = r"[^\W_]+_LATE_\d+_\d+_"  # as Canvas marks it


@dataclass
class Work:
    """What a student handed in: the best Row of each exercise, the notebooks' paths, of which some
    could not be used, and what was clicked."""

    person: object  # of the roster, or the path where there is none
    rows: dict = field(default_factory=dict)
    files: list = field(default_factory=list)
    unusable: int = 0
    unreadable: dict = field(default_factory=dict)  # {path: why}
    unread: list = field(default_factory=list)  # the names of files that are no notebooks
    answers: dict = field(default_factory=dict)  # {notebook: what its page wrote}
    is_mistakable: bool = False  # whether a file fits this person and another

    def add(self, row):
        """Keep the best row of an exercise; of equal ones the first, but rather one without a
        flag."""
        if row.file.endswith(".ipynb") and row.file not in self.files:
            self.files.append(row.file)
        self.unusable += not row.exercise
        if row.status == "unreadable":
            self.unreadable[row.file] = row.message
        if row.exercise and (
            row.exercise not in self.rows or _rank(row) > _rank(self.rows[row.exercise])
        ):
            self.rows[row.exercise] = row

    @property
    def notebooks(self):
        return {row.notebook for row in self.rows.values() if row.notebook}

    @property
    def absent(self):
        return not (self.files or self.answers or self.unread or self.is_mistakable)

    @property
    def late(self):
        return sum(bool(re.match(LATE, file.rpartition("/")[2])) for file in self.files)


def _rank(row):
    return RANK.index(row.status), not row.flag


def answers_below(folder):
    """({path: answers}, Rows of the files that could not be used) of what students clicked."""
    read, rows = {}, []
    for path in found(folder, answers.PATTERN):
        file = path.relative_to(folder)
        try:
            read[file] = answers.read(path)
        except answers.OtherEdition as error:
            rows.append(
                Row(
                    file.as_posix(),
                    error.notebook,
                    status="another edition",
                    message=str(error),
                )
            )
        except (OSError, ValueError) as error:
            rows.append(Row(file.as_posix(), status="unreadable", message=str(error)))
    return read, rows


class Class:
    """Whose the files of a folder are, and the best of what each has. Without a roster (people
    None) each notebook is somebody's own."""

    def __init__(self, folder, rows, people, course):
        said, more = answers_below(folder)
        self.rows, self.strangers, self.course, self.people = [*rows, *more], [], course, people
        self.students, self._whose = [Work(person) for person in people or []], {}
        for row in self.rows:
            if work := self.work(Path(row.file)):
                work.add(row)
        unread = roster.unread(folder, people or [], course)
        for work in self.students:
            work.unread = unread.get(id(work.person), [])
        for file, answer in sorted(
            said.items(), key=lambda item: (folder / item[0]).stat().st_mtime
        ):  # the newest counts
            if work := self.work(file):
                work.answers[answer["notebook"]] = answer

    def work(self, file):
        """The Work to which a file belongs, or None."""
        if file not in self._whose:
            self._whose[file] = self._own(file) if self.people is None else self._matched(file)
        return self._whose[file]

    def name(self, row):
        """The student of a row; without a roster, and for a stranger, nothing."""
        work = self.work(Path(row.file))
        return work.person.full if self.people and work else ""

    def _own(self, file):
        stem = file.with_name(
            re.sub(r"(\.answers)?\.(ipynb|json)$", "", file.name)
        )  # the notebook and the file beside it
        same = next((work for work in self.students if work.person == stem), None)
        if same is None:
            same = Work(stem)
            self.students.append(same)
        return same

    def _matched(self, file):
        who = roster.whose(file, self.people, self.course)
        if len(who) == 1:
            return next(work for work in self.students if work.person is who[0])
        for work in self.students:
            work.is_mistakable |= work.person in who
        names = [name for name, one in roster.labels(self.people).items() if one in who]
        self.strangers.append(
            [
                file.as_posix(),
                (f"fits {' and '.join(names)}" if who else "fits nobody on the roster"),
            ]
        )
        return None

    @property
    def others(self):
        """{notebook: how many answered another edition of its questions}."""
        return Counter(row.notebook for row in self.rows if row.status == "another edition")


def default_points(course):
    """A point for each ● of an exercise's difficulty."""
    return {name: EXERCISES[name].difficulty for names in course.values() for name in names}


def points(path, course):
    """{exercise: points} of a file that the instructor may edit. Where it is missing it is
    written."""
    if not path.exists():
        worth = default_points(course)
        rows = [
            [notebook, name, EXERCISES[name].shape, "●" * EXERCISES[name].difficulty, worth[name]]
            for notebook, names in course.items()
            for name in names
        ]
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, [POINTS, *rows])
    found = {}
    try:
        rows = read(path)
    except ValueError as error:
        sys.exit(f"report: {error}")
    for row in rows:
        name, said = (
            (row.get("exercise") or "").strip(),
            (row.get("points") or "").strip().replace(",", "."),
        )
        if name not in EXERCISES or not re.fullmatch(r"\d+(\.\d+)?", said):
            sys.exit(
                f"report: {path}: got {said!r} points for {name!r}, wanted columns `exercise`, one"
                " of the course, and `points`, a number"
            )
        found[name] = float(said)
    return found


def earned(student, names, worth):
    return sum(
        worth.get(name, 0)
        for name in names
        if name in student.rows and student.rows[name].status == "correct"
    )


def number(value):
    return f"{value:g}"


def question_about(student):
    """What to ask a student whose code is all right and whose predictions are all wrong; else
    nothing.

    It is a question and no charge: who only guesses is wrong so often, too, and the words say how
    often.
    """
    statuses = [row.status for row in student.rows.values() if row.status != "not attempted"]
    if statuses.count("correct") < FEWEST_RIGHT or set(statuses) != {"correct"}:
        return ""
    n, chance = 0, 1.0
    for notebook, said in student.answers.items():
        asked = load("predictions", notebook)
        for key, letter in said["predictions"].items():
            options = asked[key]["options"]
            if options[LETTERS.index(letter)].get("right"):
                return ""
            n, chance = n + 1, chance * (1 - 1 / len(options))
    if n < FEWEST_PREDICTIONS:
        return ""
    return (
        f"a question, no charge: all code is right and all {n} predictions are wrong (a guesser:"
        f" {100 * chance:.0f} of 100). Ask how the code came about (teaching/oral.py)"
    )


class Gradebook:
    """What each student has, in the lectures of which anything was handed in. worth: {exercise:
    points}."""

    def __init__(self, students, course, worth):
        self.students, self.worth = students, worth
        came = set().union(*(student.notebooks for student in students)) if students else set()
        self.lectures = {notebook: names for notebook, names in course.items() if notebook in came}
        self.most = {
            notebook: sum(worth.get(name, 0) for name in names)
            for notebook, names in self.lectures.items()
        }

    def cells(self, student):
        """The points of each lecture, nothing where the student handed in nothing, and their
        sum."""
        got = {
            notebook: earned(student, names, self.worth)
            for notebook, names in self.lectures.items()
        }
        return [number(got[n]) if n in student.notebooks else "" for n in got], number(
            sum(got.values())
        )

    def overview(self):
        """A row a student, for the instructor."""
        yield [
            "name",
            "id",
            "email",
            "login",
            "files",
            "late",
            *(f"{n} (of {number(most)})" for n, most in self.most.items()),
            f"total (of {number(sum(self.most.values()))})",
            "correct",
            "wrong",
            "not attempted",
            "unusable files",
            "remark",
        ]
        for student in self.students:
            person, (cells, total) = student.person, self.cells(student)
            counts = Counter(row.status for row in student.rows.values())
            flags = "; ".join(
                f"{name} {row.flag}" for name, row in student.rows.items() if row.flag
            )
            unread = "; ".join(
                f"{file.rpartition('/')[2]}: {why}" for file, why in student.unreadable.items()
            )
            other = (
                f"{roster.NO_NOTEBOOK}: {', '.join(student.unread)}"
                if student.unread
                else ""
                if student.files
                else roster.NO_NOTEBOOK
            )
            yield [
                person.full,
                person.id,
                person.email,
                person.login,
                len(student.files),
                student.late,
                *cells,
                total,
                counts["correct"],
                counts["wrong"],
                counts["not attempted"],
                student.unusable,
                (
                    roster.ABSENT
                    if student.absent
                    else roster.SEVERAL
                    if not (student.files or student.answers or student.unread)
                    else "; ".join(filter(None, [unread, other, flags, question_about(student)]))
                ),
            ]

    def moodle(self):
        """For *Import → CSV file*: Moodle finds a student by ID number, email address or username;
        every column is then assigned by hand."""
        yield [
            "First name",
            "Last name",
            "ID number",
            "Email address",
            "Username",
            *self.lectures,
            "Sum of the lectures",
        ]
        for student in self.students:
            person, (cells, total) = student.person, self.cells(student)
            yield [
                person.first,
                person.last,
                person.sis or person.id,
                person.email,
                person.login,
                *cells,
                total,
            ]

    def canvas(self, header):
        """For *Gradebook → Import*. No sum: Canvas would count it as one more assignment.

        header: of the roster; an assignment that stands there keeps its name and number, so that no
        second one is made.
        """
        titles = [
            next((cell for cell in header if re.fullmatch(rf"{n}(\.ipynb)?( \(\d+\))?", cell)), n)
            for n in self.lectures
        ]
        yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *titles]
        yield ["Points Possible", "", "", "", "", *map(number, self.most.values())]
        for student in self.students:
            person = student.person
            known = person.row["canvas"]
            name = ", ".join(part for part in (person.last, person.first) if part)
            yield [
                name,
                known or "",
                person.sis or ("" if known else person.id),
                person.login,
                person.section,
                *self.cells(student)[0],
            ]


def gradescope(rows, worth):
    """results.json of one submission: a test for each exercise, and for the instructor alone what
    is to be looked at."""
    best = Work(None)
    for row in rows:
        best.add(row)
    tests = [
        {
            "name": f"{row.notebook} · {row.exercise}",
            "score": earned(best, [row.exercise], worth),
            "max_score": worth.get(row.exercise, 0),
            "status": "passed" if row.status == "correct" else "failed",
            "output": row.message,
        }
        for row in best.rows.values()
    ]
    flags = [
        {
            "name": f"{row.exercise}: look at it",
            "score": 0,
            "max_score": 0,
            "output": row.flag,
            "visibility": "hidden",
        }
        for row in best.rows.values()
        if row.flag
    ]
    said = [f"{row.file}: {row.status}. {row.message}" for row in rows if not row.exercise]
    return {
        "score": sum(test["score"] for test in tests),
        "tests": [*tests, *flags],
        "output": (
            "\n".join(said)
            or (f"{len(tests)} exercises." if rows else "No notebook (.ipynb) came.")
        ),
    }
