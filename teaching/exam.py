"""An exam, or homework, made by a seed: sheets for students, and the key that they are graded by.

    python teaching/exam.py --seed "a word nobody guesses" [--lectures 01-05] [--minutes 75]
    python teaching/exam.py --seed … --homework 03
        each with [--to FOLDER], [--variants 4 | --roster CSV] (other numbers for each) and
        [--paper] (for a room without computers)
    python teaching/exam.py grade CAME_IN --key FOLDER/key/exam.json [--to FOLDER [--roster CSV]]
    python teaching/exam.py --derivations
        the tasks of derivations.md, without hints and solutions

FOLDER/sheets is for students, FOLDER/key is yours: keep it, for nothing else can grade what you
handed out.
"""

import argparse
import csv
import os
import re
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(1, str(Path(__file__).resolve().parents[1] / "scripts"))
sys.path.insert(
    1, str(Path(__file__).resolve().parents[1])
)  # the package of this folder, installed or not

from exporting import BUILD, lacks

try:
    import lecture
    from exporting import plans
    from grading import books, exam_grades, exams, report, roster, sheets, tables
    from grading.bank import EXERCISES, LECTURES
except ModuleNotFoundError as missing:
    sys.exit(lacks("exam.py", missing))


def lectures_of(text):
    """01-05, or 03, or 01,04: the lectures meant. Raises where one is not of the course."""
    found = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        first, last = first.zfill(2), (last or first).zfill(2)
        names = [name for name in LECTURES if first <= name <= last]
        if not names or first not in LECTURES or last not in LECTURES:
            raise argparse.ArgumentTypeError(
                f"got {text!r}, wanted lectures from {min(LECTURES)} to {max(LECTURES)}, such as "
                f"01-05 or 03 or 01,04"
            )
        found += names
    return sorted(set(found))


def exercises_of(text):
    """softmax_jacobian,top_p: exercises of the course, and the catches of the same functions.
    Raises where one is not."""
    names = text.split(",")
    if unknown := [name for name in names if name not in EXERCISES]:
        raise argparse.ArgumentTypeError(
            f"got {', '.join(unknown)}, wanted exercises by name, such as softmax_jacobian,top_p"
        )
    return [*names, *(f"catch_{name}" for name in names if f"catch_{name}" in EXERCISES)]


def was_set():
    """The exercises above `## Deeper` in a notebook, and those below it that the lecture's plan
    sets as homework for all, by name or by section."""
    core, home = set(), set()
    for name, cells in books.notebooks().items():
        core |= books.in_cells(lecture.core(cells))
        plan = plans.read(name)
        set_by_it = plan.head.partition("**Homework:**")[2] if plan else ""
        home |= set(re.findall(r"`(\w+)`", set_by_it))
        titles = tuple(re.findall(r"\*([^*]+)\*(?! (?:is )?for )", set_by_it))
        for title, own in lecture.sections(cells).items():
            if titles and title.startswith(titles):
                home |= books.in_cells(own)
    return core, home - core


def tasks_of_derivations():
    """derivations.md without hints, solutions and checks."""
    text = (Path(__file__).parent / "derivations.md").read_text(encoding="utf-8")
    parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)[1:]
    return "# Derivations\n\n" + "\n".join(
        part.partition("### Hints")[0].replace("### Task\n\n", "") for part in parts
    )


# Make.


def make(options, parser):
    """Write what is asked for, and say what it is."""
    if options.seed is None:
        parser.error("got no --seed, wanted one: a word or a number that nobody guesses")
    if options.homework and len(options.homework) != 1:
        parser.error("--homework: got several lectures, wanted one")
    if options.roster and options.variants:
        parser.error(
            "got --roster and --variants, wanted one of them: with a roster each student has a"
            " sheet of other numbers"
        )
    if options.minutes is not None and options.minutes < 10:
        parser.error(f"--minutes: got {options.minutes}, wanted 10 or more")
    seed, paper, (core, home) = options.seed, options.paper, was_set()
    without = [
        *options.without,
        *(name for name in EXERCISES if options.core and name not in core | home),
    ]
    if options.homework:
        (lecture,) = options.homework
        stem, title, picks = (
            f"homework_{lecture}",
            f"Homework for lecture {lecture}",
            exams.choose_homework(seed, lecture, paper, without),
        )
    else:
        stem, title = "exam", options.title
        picks = (
            exams.choose_balanced(seed, options.lectures, options.minutes, paper, without)
            if options.minutes
            else exams.choose_all(seed, options.lectures, paper, without)
        )
    students = list(roster.labels(roster.read(options.roster)[0])) if options.roster else ()
    made = exams.make_sheets(title, seed, picks, students, options.variants, paper)
    try:
        paths = sheets.write(options.to, stem, made)
    except ValueError as error:
        sys.exit(f"exam.py: {error}")
    for place in dict.fromkeys(path.parent for path in paths):
        names = [path.name for path in paths if path.parent == place]
        more = f" and {len(names) - 4} more" if len(names) > 4 else ""
        print(f"exam: {place}: {', '.join(names[:4])}{more}")
    first = made[0]
    print(
        f"exam: {len(first.items)} questions, {first.points} points, about {first.minutes} minutes"
    )
    for where, names, what_helps in (
        ("what stands below *Deeper*", set(EXERCISES) - core - home, "--core leaves them out."),
        (
            "homework below *Deeper* that the plans set",
            home,
            "terms.md may set others: what you did not set, --without NAMES leaves out.",
        ),
    ):
        found = Counter(pick.exercise for pick in picks if pick.exercise in names)
        if found:
            asks = "1 question asks" if found.total() == 1 else f"{found.total()} questions ask"
            listed = [f"{name} ({n})" if n > 1 else name for name, n in found.items()]
            print(f"exam: {asks} {where}: {', '.join(listed)}. {what_helps}")
    short = options.minutes and not options.homework and first.minutes < options.minutes
    if short and len(picks) == len(exams.candidates(seed, options.lectures, paper, without)):
        print(f"exam: about {first.minutes} minutes; these lectures have no more questions.")


# Grade.


def grade(options, parser):
    """Grade what came back, and write or print it."""
    if options.roster and not options.to:
        parser.error("got --roster without --to, wanted a folder for the table of students")
    paper = options.folder.is_file() and options.folder.suffix == ".csv"
    try:
        key = exams.read_key(options.key)
    except ValueError as error:
        parser.error(str(error))
    try:
        if options.to:
            exam_grades.read_marks(options.to / "by_hand.csv")  # before all cells run
        rows, texts = exam_grades.grade_paper(options.folder, key) if paper else ([], {})
    except ValueError as error:
        sys.exit(f"exam.py: {error}")
    if not paper:
        check_folder(options, parser)
        rows, texts = exam_grades.grade_notebooks(options.folder, key, not options.no_sandbox)
    if not any(row.question for row in rows):
        why = dict.fromkeys(row.remark for row in rows)
        sys.exit(
            f"exam.py: no sheet of this exam is in {options.folder}: nothing was graded or written."
            + "".join(f" {reason}." for reason in list(why)[:2])
        )
    if options.to:
        try:
            rows = write(options, rows, texts, key)
        except ValueError as error:
            sys.exit(f"exam.py: {error}")
    else:
        table = [exam_grades.COLUMNS, *rows]
        csv.writer(sys.stdout).writerows(
            [[tables.safe("" if cell is None else cell) for cell in row] for row in table]
        )
    for file in dict.fromkeys(row.file for row in rows):
        mine = [row for row in rows if row.file == file]
        unread = sum(row.points is None for row in mine)
        said = "; ".join(row.remark for row in mine if not row.question)
        print(
            f"{file}: {said}"
            if said
            else f"{file}: {sum(row.points or 0 for row in mine):g} of "
            f"{sum(row.of for row in mine)} points"
            f"{f', {unread} answers to be read' if unread else ''}",
            file=sys.stderr,
        )


def check_folder(options, parser):
    """End with a sentence where a folder of notebooks cannot be graded."""
    if not options.folder.is_dir() or not os.access(options.folder, os.R_OK):
        parser.error(
            f"got {options.folder}, wanted a folder of notebooks that you may read, or a CSV of "
            f"answers on paper"
        )
    if not (options.no_sandbox or report.sandbox()):
        parser.error(
            "bubblewrap (the program bwrap) is missing or may not be used here; install it, or add "
            "--no-sandbox "
            "for notebooks you trust"
        )
    report.warn_root("exam.py")
    report.say_unread(options.folder)


def write(options, rows, texts, key):
    """Write what --to asks for. Returns the rows with the points that were given by hand."""
    options.to.mkdir(parents=True, exist_ok=True)
    if texts:
        by_hand = options.to / "by_hand.csv"
        rows = exam_grades.with_points_by_hand(rows, texts, key, by_hand)
        unread = sum(row.points is None for row in rows)
        if unread:
            print(
                f"{unread} answers are to be read: fill in the column `points` of {by_hand}, then "
                f"grade again",
                file=sys.stderr,
            )
    tables.write(
        options.to / "table.csv",
        [exam_grades.COLUMNS, *(["" if cell is None else cell for cell in row] for row in rows)],
    )
    if options.roster:
        people = roster.read(options.roster)[0]
        students, strangers = exam_grades.by_student(
            rows,
            people,
            key,
            options.key.stem,
            roster.unread(options.folder, people, [options.key.stem]),
        )
        tables.write(options.to / "students.csv", students)
        tables.write(options.to / "not_matched.csv", strangers)
        absent = sum(row[-1] == roster.ABSENT for row in students)
        print(
            f"Students: {len(people)}, of whom {absent} handed in nothing. "
            f"Files that fit nobody, or several: {len(strangers) - 1}",
            file=sys.stderr,
        )
    return rows


def main(arguments):
    grading = arguments[:1] == ["grade"]
    parser = argparse.ArgumentParser(
        prog="exam.py grade" if grading else "exam.py",
        description=__doc__.partition("\n\n")[0],
        epilog=None
        if grading
        else "To grade what came in: exam.py grade FOLDER --key FILE; exam.py grade --help says "
        "more.",
    )
    parser.add_argument(
        "--roster", type=Path, help="the students: a CSV with a header, as for export.py report"
    )
    if grading:
        parser.add_argument(
            "folder",
            type=Path,
            help="the sheets, in any folders below it; or the CSV of answers on paper",
        )
        parser.add_argument(
            "--key", type=Path, required=True, help="the stored key, such as key/exam.json"
        )
        parser.add_argument(
            "--to", type=Path, help="a folder for the tables; without it, the rows are printed"
        )
        parser.add_argument(
            "--no-sandbox",
            action="store_true",
            help="run without bubblewrap: only time and memory are limited then",
        )
    else:
        parser.add_argument("--seed", help="what decides the questions and their numbers")
        parser.add_argument(
            "--lectures",
            type=lectures_of,
            default=list(LECTURES),
            help="such as 01-05 or 03 or 01,04; all unless given",
        )
        parser.add_argument(
            "--without",
            type=exercises_of,
            default=(),
            help="exercises that nothing is asked about, such as softmax_jacobian,top_p",
        )
        parser.add_argument(
            "--core",
            action="store_true",
            help="asks nothing below *Deeper* but what a lecture's plan sets as homework for all",
        )
        parser.add_argument(
            "--minutes",
            type=int,
            help="a balanced exam of this length, as far as the lectures have questions; every"
            " exercise unless given",
        )
        parser.add_argument(
            "--homework", type=lectures_of, help="a short sheet for one lecture, such as 03"
        )
        parser.add_argument(
            "--variants",
            type=int,
            default=0,
            help="so many sheets, with other numbers and code; not with --roster",
        )
        parser.add_argument(
            "--paper", action="store_true", help="for a room without computers: a page to print"
        )
        parser.add_argument("--title", default="Exam", help="what stands above the sheet")
        parser.add_argument(
            "--to",
            type=Path,
            default=BUILD / "exam",
            help="the folder to write; build/exam unless given",
        )
        parser.add_argument(
            "--derivations",
            action="store_true",
            help="print the derivations' tasks, without hints and solutions",
        )
    options = parser.parse_args(arguments[grading:])
    if grading:
        grade(options, parser)
    elif options.derivations:
        print(tasks_of_derivations())
    else:
        make(options, parser)


if __name__ == "__main__":
    main(sys.argv[1:])
