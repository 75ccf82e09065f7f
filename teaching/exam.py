"""An exam, or homework, made by a seed: a notebook for students, and its key.

    python teaching/exam.py --seed "a word nobody guesses" [--lectures 01-05] [--to FOLDER]
    python teaching/exam.py --seed … --homework 03 [--to FOLDER]
    python teaching/exam.py grade FOLDER --seed … [--lectures 01-05 | --homework 03] [--out FILE] [--to FOLDER --roster CSV] [--no-sandbox]
    python teaching/exam.py --derivations              the tasks of derivations.md, without hints and solutions

Every exercise has variants (bank/), and the seed decides which one comes, and its numbers. The sheet for students holds nothing else.
Who knows the seed and has this folder can make the key: choose another for each exam.
"""

import argparse
import csv
import os
import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(1, str(Path(__file__).resolve().parents[1] / "scripts"))        # the report's sandbox
sys.path.insert(1, str(Path(__file__).resolve().parents[1]))                    # the package of this folder, installed or not

try:
    import nbformat
    from bank import LECTURES, draw
    from exporting import BUILD, report, roster, tables
    from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

    from course_utils.diagnosis.questions import SETUP
    from course_utils.diagnosis.running import Failure
    from course_utils.exercises import EXERCISES
except ModuleNotFoundError as missing:
    sys.exit(f"exam.py: this Python ({sys.executable}) has no package {missing.name}; wanted one after `pip install -r requirements.txt`, "
             "or a hub's own (deploy/README.md)")

HOMEWORK = 4, 6                         # the fewest and the most questions of a homework
COLUMNS = ["file", "question", "exercise", "points", "of", "said"]
CARRIER = "row_sums"                    # the report's process hands over what reaches the check of an exercise; this name carries all answers
HAND_OVER = "from course_utils.exercises import diagnose as _hand_over; _hand_over({carrier!r}, {name})"


@dataclass(frozen=True)
class Item:
    """A question on a sheet: its name there, the exercise of which it is a variant, its lecture."""

    name: str
    lecture: str
    exercise: str
    question: object

    @property
    def points(self):
        return EXERCISES[self.exercise].difficulty

    @property
    def heading(self):
        points = f"{self.points} point{'s' * (self.points > 1)}"
        return f"## {self.name}. Lecture {self.lecture} ({points}, about {EXERCISES[self.exercise].minutes} minutes)"


def numbered(picked):
    return [Item(f"q{i:02}", *one) for i, one in enumerate(picked, 1)]


def exam(seed, lectures):
    """A variant of every exercise of the lectures, in the course's order."""
    return numbered((lecture, name, draw(seed, name)) for lecture in lectures for name in LECTURES[lecture])


def homework(seed, lecture):
    """Four to six questions of one lecture; where it has fewer exercises, a second variant of some."""
    fewest, most = HOMEWORK
    names = LECTURES[lecture]
    often = [(name, number) for number in range(fewest) for name in names][:min(most, max(fewest, len(names)))]
    return numbered((lecture, name, draw(seed, name, number)) for name, number in sorted(often, key=lambda one: names.index(one[0])))


def notebook(title, items, key):
    """The sheet, or its key, which is the same notebook with every answer filled in."""
    points, minutes = sum(i.points for i in items), sum(EXERCISES[i.exercise].minutes for i in items)
    rules = (f"# {title}\n\n{len(items)} questions, {points} points, about {minutes} minutes.\n\n"
             "Answer in the cell below each question; leave its names as they are. A cell may compute as much as it likes before it sets the answer. "
             "Run the notebook from top to bottom before you hand it in: nothing here says whether an answer is right.")
    cells = [new_markdown_cell(rules, id="rules"), new_code_cell(SETUP, id="setup")]
    for item in items:
        why = f"\n\n*A variant of* `{item.exercise}`. {getattr(item.question, 'why', '')}" if key else ""
        answer = (item.question.solution if key else item.question.stub)(item.name)
        cells += [new_markdown_cell(f"{item.heading}\n\n{item.question.text}{why}", id=f"{item.name}-asks"), new_code_cell(answer, id=item.name)]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return new_notebook(cells=cells, metadata=kernel)


def write(folder, stem, title, items):
    """Write the sheet and its key into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, key in ((stem, False), (f"{stem}_key", True)):
        path = folder / f"{name}.ipynb"
        nbformat.write(notebook(f"{title}: key" if key else title, items, key), path)
        print(f"exam: {path}")


# Grading. The cells run in the report's process, shut in; answers come over as numbers, and functions are called there. Judged is here.

class Grader:
    """One look at a notebook. asked: the questions whose names stand in its code, none where it is no sheet; verdicts: {question: (right,
    what to say)}."""

    def __init__(self, path, items, shut_in):
        self.items, self.left_out, self.verdicts = items, set(), {}
        self.end, self.cells, self.asked = time.monotonic() + report.NOTEBOOK, None, set()
        while len(self.verdicts) < len(items):
            with report.Student(shut_in, self.end) as student:
                if self.cells is None:
                    self.cells = report.read(path, student)
                    self.asked = {item.name for item in items} & set(re.findall(r"\bq\d+\b", "\n".join(self.cells)))
                if not self.asked:
                    return
                if time.monotonic() > self.end:
                    self.verdicts = {i.name: self.verdicts.get(i.name, (False, "the notebook ran for too long")) for i in items}
                elif self._run_cells(student):
                    self._judge(student)

    def _run_cells(self, student):
        """Run the notebook. False where a cell ended the process: it is left out the next time."""
        for i, source in enumerate(self.cells):
            if i not in self.left_out and isinstance(self._ask(student, {"run": source}), Failure):
                self.left_out.add(i)
                return False
        return True

    def _ask(self, student, order):
        """The answer to an order. A check that the student's own cells call is let go on."""
        told = student.ask(order, *report.CELL)
        while isinstance(told, dict) and "reached" in told and order.get("run") in self.cells:
            told = student.ask({"go on": None}, *report.CELL)
        return told

    def _judge(self, student):
        for item in self.items:
            if item.name not in self.verdicts:
                told = self._ask(student, {"run": HAND_OVER.format(carrier=CARRIER, name=item.name)})
                self.verdicts[item.name] = self._verdict(student, item, told)
                if student.ended:
                    return

    def _verdict(self, student, item, told):
        if isinstance(told, Failure) or "reached" not in told:
            return False, "no answer" if isinstance(told, dict) and told.get("error") == "NameError" else "its cell stops"
        try:
            if "value" in told:
                given = report.unpacked(told["value"])
                said = (False, "no answer") if given is ... else item.question.check(given)
            else:
                given = report.Answer(student, CARRIER)
                said = item.question.check(given, given.run)
        except Exception as error:                           # what came was made by hand, so as to be no answer
            student.stop()
            return False, f"cannot be read ({type(error).__name__})"
        if not student.ended:
            student.ask({"go on": None}, *report.CELL)
        return said


def look_at(path, folder, items, shut_in):
    """(rows of COLUMNS, the questions that it asks) of a notebook."""
    file = path.relative_to(folder).as_posix()
    try:
        look = Grader(path, items, shut_in)
    except (OSError, ValueError) as error:
        return [[file, "", "", 0, 0, str(error)]], set()
    rows = []
    for item in items if look.asked else []:
        right, said = look.verdicts[item.name]
        rows.append([file, item.name, item.exercise, item.points if right else 0, item.points, said])
    return rows, look.asked


def grade(folder, items, shut_in):
    """A row of COLUMNS for each question of each sheet below a folder. What stands on no sheet was deleted before it was handed out."""
    paths = tables.found(folder, "*.ipynb")
    looks = list(report.of_each(look_at, paths, folder, items, shut_in))
    asked = set().union(*(names for _, names in looks))
    others = [path.relative_to(folder).as_posix() for path, (rows, _) in zip(paths, looks, strict=True) if not rows]
    if others:
        print(f"No sheet, and left out: {len(others)} of {len(paths)} files ({', '.join(others[:3])}{', …' * (len(others) > 3)})", file=sys.stderr)
    return [row for rows, _ in looks for row in rows if not row[1] or row[1] in asked]


def of_students(rows, people, stem):
    """(a table with a row a student, a table of the files that fit nobody or several). Of several sheets the best answer to each question counts."""
    worth = {row[1]: row[4] for row in rows if row[1]}
    got, files, strangers = {id(person): {} for person in people}, {id(person): set() for person in people}, {}
    for file, question, _, points, *_ in rows:
        who = roster.whose(Path(file), people, [stem])
        if len(who) != 1:
            strangers[file] = f"fits {' and '.join(person.full for person in who)}" if who else "fits nobody on the roster"
            continue
        key = id(who[0])
        files[key].add(file)
        if question:
            got[key][question] = max(points, got[key].get(question, 0))
    head = ["name", "id", "email", "login", "files", *(f"{name} (of {most})" for name, most in worth.items()),
            f"total (of {sum(worth.values())})", "remark"]
    table = [[person.full, person.id, person.email, person.login, len(files[id(person)]), *(got[id(person)].get(name, "") for name in worth),
              sum(got[id(person)].values()), "" if got[id(person)] else "unreadable" if files[id(person)] else "handed in nothing"]
             for person in people]
    return [head, *table], [["file", "why"], *strangers.items()]


def tasks_of_derivations():
    """derivations.md without hints, solutions and checks."""
    text = (Path(__file__).parent / "derivations.md").read_text(encoding="utf-8")
    parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)[1:]
    return "# Derivations\n\n" + "\n".join(part.partition("### Hints")[0].replace("### Task\n\n", "") for part in parts)


# The command line.

def lectures_of(text):
    """01-05, or 03, or 01,04: the lectures meant. Raises where one is not of the course."""
    found = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        names = [name for name in LECTURES if first.zfill(2) <= name <= (last or first).zfill(2)]
        if not names or first.zfill(2) not in LECTURES or (last or first).zfill(2) not in LECTURES:
            raise argparse.ArgumentTypeError(f"got {text!r}, wanted lectures from {min(LECTURES)} to {max(LECTURES)}, such as 01-05 or 03 or 01,04")
        found += names
    return sorted(set(found))


def sheet(parser, options):
    """(file's stem, title, questions) of what is asked for."""
    if options.seed is None:
        parser.error("got no --seed, wanted one: a word or a number that nobody guesses")
    if options.homework:
        if len(options.homework) != 1:
            parser.error("--homework: got several lectures, wanted one")
        lecture, = options.homework
        return f"homework_{lecture}", f"Homework for lecture {lecture}", homework(options.seed, lecture)
    return "exam", "Exam", exam(options.seed, options.lectures)


def write_all(folder, rows, people, stem):
    """Write what --to asks for."""
    folder.mkdir(parents=True, exist_ok=True)
    tables.write(folder / "table.csv", [COLUMNS, *rows])
    if people:
        students, strangers = of_students(rows, people, stem)
        tables.write(folder / "students.csv", students)
        tables.write(folder / "not_matched.csv", strangers)
        absent = sum(row[-1] == "handed in nothing" for row in students)
        print(f"Students: {len(people)}, of whom {absent} handed in nothing. "
              f"Files that fit nobody, or several: {len(strangers) - 1}", file=sys.stderr)


def main(arguments):
    grading = arguments[:1] == ["grade"]
    parser = argparse.ArgumentParser(prog="exam.py grade" if grading else "exam.py", description=__doc__.partition("\n")[0],
                                     epilog=None if grading else "To grade what came in: exam.py grade FOLDER; exam.py grade --help says more.")
    parser.add_argument("--seed", help="what decides the variants and their numbers")
    parser.add_argument("--lectures", type=lectures_of, default=list(LECTURES), help="such as 01-05 or 03 or 01,04; all unless given")
    parser.add_argument("--homework", type=lectures_of, help="a short sheet for one lecture, such as 03")
    if grading:
        parser.add_argument("folder", type=Path, help="the sheets, in any folders below it; other notebooks are left out")
        parser.add_argument("--to", type=Path, help="a folder for the table, and with --roster a row a student")
        parser.add_argument("--roster", type=Path, help="the students: a CSV with a header, as for export.py report")
        parser.add_argument("--out", type=Path, help="the CSV file to write; without it, the rows are printed")
        parser.add_argument("--no-sandbox", action="store_true", help="run without bubblewrap: only time and memory are limited then")
    else:
        parser.add_argument("--to", type=Path, default=BUILD / "exam", help="the folder to write; build/exam unless given")
        parser.add_argument("--derivations", action="store_true", help="print the derivations' tasks, without hints and solutions")
    options = parser.parse_args(arguments[grading:])
    if not grading and options.derivations:
        print(tasks_of_derivations())
        return
    stem, title, items = sheet(parser, options)
    if not grading:
        write(options.to, stem, title, items)
        return
    if not options.folder.is_dir() or not os.access(options.folder, os.R_OK):
        parser.error(f"got {options.folder}, wanted a folder of notebooks that you may read")
    if options.roster and not options.to:
        parser.error("got --roster without --to, wanted a folder for the table of students")
    if not (options.no_sandbox or report.sandbox()):
        parser.error("bubblewrap (the program bwrap) is missing or may not be used here; install it, or add --no-sandbox for notebooks you trust")
    report.warn_root()
    people = roster.read(options.roster)[0] if options.roster else []
    rows = grade(options.folder, items, not options.no_sandbox)
    if options.out:
        tables.write(options.out, [COLUMNS, *rows])
    if options.to:
        write_all(options.to, rows, people, stem)
    if not (options.out or options.to):
        csv.writer(sys.stdout).writerows([[tables.safe(cell) for cell in row] for row in [COLUMNS, *rows]])
    for name in dict.fromkeys(row[0] for row in rows):
        got, of = (sum(row[i] for row in rows if row[0] == name) for i in (3, 4))
        print(f"{name}: {got} of {of} points", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
