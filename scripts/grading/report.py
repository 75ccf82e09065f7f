"""Which exercises of which students' notebooks are right, wrong by which mistake, or not attempted:
a CSV, grades, a page about the class.

    python scripts/export.py report FOLDER [--out FILE] [--to FOLDER [--roster CSV] [--points CSV]]
    [--gradescope JSON] [--seed N] [--no-sandbox]

Every .ipynb below FOLDER is looked at; stored outputs are not. Its cells run in a process of their
own (report_student.py), with limits of time and memory. What reaches a check stays there. This
process sends it the exercise's inputs, gets numbers back, and judges them itself with the same
`check` that the notebooks use. So a notebook that prints "Right.", replaces `diagnose` or edits its
outputs changes nothing. Who wrote an answer, a report cannot know. A function that is right is
tried on hidden inputs as well (hidden.py). There it is watched whether it calls the course's own
function: that is told by the student's process, so it is advice to look at the notebook, and no
proof either way.

A cell that has to be stopped, or ends the process, is left out, and the others run again in a new
one. Of several attempts at an exercise the last one counts.

The process is shut in by bubblewrap (the program `bwrap`, for Linux): no network, no files but
Python's and the course's, both read-only, 64 MiB for its own, no other processes. Without it a
report refuses to run, unless --no-sandbox says that the notebooks are trusted not to harm this
account. Run it as an ordinary user: the administrator is under no limit on the number of processes.
"""

import argparse
import base64
import concurrent.futures
import contextlib
import functools
import hashlib
import itertools
import json
import os
import queue
import re
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from exporting import NOTEBOOKS, ROOT
from voting import polls

from course_utils.diagnosis.evaluation import untouched
from course_utils.diagnosis.exercise import Exercise
from course_utils.diagnosis.running import (
    SECONDS,
    WALL,
    Failure,
    Outcome,
    Worker,
    differ,
    run_search,
    shape_of,
)
from course_utils.diagnosis.verdicts import Diagnosis
from course_utils.diagnosis.worker import pack, unpack
from course_utils.exercises import EXERCISES
from grading import class_page, grades, hidden, ideas, report_student, roster, tables
from grading.report_student import LINE, code_cells
from grading.tables import COLUMNS, Row, found

# Seconds of processor and by the clock.
CELL = (30.0, 60.0)
CALL = (SECONDS, WALL)  # of one function
START = (30.0, 60.0)  # until a process has read a notebook, or can run cells
NOT_REACHED = "The check was not reached"
EARLIER = "An earlier cell"
NOTEBOOK = 240.0  # seconds by the clock for a whole notebook
FILE = 32 << 20  # bytes of a notebook
TELL = 10.0  # seconds between two lines about how far a report is
T = TypeVar("T")
BY_HEART = "right on the course's inputs only"
CHECK = r"""\bdiagnose\((?:[^"'\n]*\bname\s*=)?\s*["'](\w+)["']"""
SYSTEM = ["/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/alternatives"]


@functools.cache
def sandbox() -> list[str]:
    """The command line that shuts a process in, or an empty list where that cannot be done."""
    seen = [
        *SYSTEM,
        sys.prefix,
        sys.base_prefix,
        str(ROOT / "course_utils"),
        report_student.__file__,
    ]
    command = [
        "bwrap",
        "--unshare-all",
        "--die-with-parent",
        "--new-session",
        "--cap-drop",
        "ALL",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--size",
        str(64 << 20),
        "--tmpfs",
        "/tmp",
        *itertools.chain(*(("--ro-bind-try", p, p) for p in seen)),
        "--remount-ro",
        "/dev",
        "--remount-ro",
        "/proc",
        "--remount-ro",
        "/",
        "--chdir",
        "/tmp",
    ]
    newer = [*command, "--unshare-user", "--disable-userns"]  # from bubblewrap 0.8 on
    return next(filter(_can_start, (newer, command)), [])


def _can_start(command):
    try:
        python = [*command, sys.executable, "-c", ""]
        return subprocess.run(python, capture_output=True, timeout=30).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


class Student(Worker):
    """A process in which a student's cells run. Every order to it has a time limit, and all of them
    an end; then it is killed."""

    def __init__(self, shut_in: bool, end: float) -> None:
        """end: when it is killed at the latest, as time.monotonic() counts."""
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.end = end
        self.ended = False
        home = "/tmp" if shut_in else self.folder.name
        keep = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        super().__init__(
            [*(sandbox() if shut_in else []), sys.executable, "-I", "-B", report_student.__file__],
            cwd=self.folder.name,
            env={
                **keep,
                "HOME": home,
                "TMPDIR": home,
                "IPYTHONDIR": home,
                "MPLCONFIGDIR": home,
                "MPLBACKEND": "agg",
                "OPENBLAS_NUM_THREADS": "1",
                # nothing is kept there, so `mine` gives the course's functions
                "COURSE_FOLDER": f"{home}/none",
            },
        )

    def read(self):
        """The next line. It is looked at when it is wanted."""
        line = self.process.stdout.readline(LINE)
        if self.ended or not line:
            raise EOFError
        return line

    def write(self, order):
        # an order is one line, like an answer
        self.process.stdin.write(json.dumps(order).encode() + b"\n")

    def ask(self, order, seconds, wall):
        """The answer to an order, a dict with anything in it, or the Failure with which the process
        has ended."""
        wall = min(wall, max(0.1, self.end - time.monotonic()))
        late = threading.Timer(wall, self.kill)  # one that does not listen would stop the sending
        late.start()
        sent = self.send(order)
        late.cancel()
        answer = self.receive(seconds, wall) if sent else Failure("Ended")
        try:
            answer = answer if isinstance(answer, Failure) else json.loads(answer)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            self.stop()
        return answer if isinstance(answer, (dict, Failure)) else Failure("Ended")

    def stop(self):
        """End it. A listener that waits because nobody took its lines ends, too."""
        self.ended = True
        self.kill()
        with contextlib.suppress(queue.Empty):
            while True:
                self.reports.get_nowait()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.stop()
        self.close()
        self.folder.cleanup()


class Answer:
    """What reached a check: it stands for the student's function in front of `check`, and `run`
    calls the one over there."""

    def __init__(self, student: Student, name: str) -> None:
        self.student = student
        self.exercise = EXERCISES[name]
        self.entered: set[tuple[str, str]] = set()  # (file, name) of the course's functions

    def __call__(self, *arguments):
        raise TypeError("it is called by run()")

    def run(self, function, calls, watch=False):
        """As running.run, in the student's process. watch: note in `entered` which functions of the
        course it calls."""
        outcomes = self._run(calls, watch)
        if outcomes and not any(outcome.failure for outcome in outcomes[:1] + outcomes[-1:]):
            again = self._run(calls[:1], watch)[0]
            outcomes[0].kept = "" if differ(outcomes[0], again, calls[0]) else None
        return outcomes

    def _run(self, calls, watch):
        outcomes = []
        for arguments in calls:
            order = {"call": [self._sent(a) for a in arguments], "watch": watch}
            outcomes.append(self._received(self.student.ask(order, *CALL), len(arguments)))
            if self.student.ended:
                break
        return outcomes

    def _received(self, sent, n_arguments):
        """The Outcome that an order brought."""
        if isinstance(sent, Failure):
            return Outcome(failure=sent)
        try:
            told = outcome(sent, n_arguments)
            self.entered |= {(str(file), str(name)) for file, name in sent["entered"]}
            return told
        except Exception:  # no answer of that form, made by hand
            self.student.stop()
            return Outcome(failure=Failure("Ended"))

    def _sent(self, argument):
        if callable(argument):  # the other side has the same exercises
            return {
                "try": next(
                    [i, j]
                    for i, row in enumerate(self.exercise.tries)
                    for j, a in enumerate(row)
                    if a is argument
                )
            }
        return pack(argument)


def outcome(sent: dict[str, Any], n_arguments: int) -> Outcome:
    """The Outcome that came over. Raises where it is not of that form."""
    value, changed = sent["value"], sent["changed_argument"]
    if changed is not None and not 0 <= changed < n_arguments:
        raise ValueError("no argument")
    return Outcome(
        unpack(value),
        shape_of(value),
        failure(sent["failure"]),
        str(sent["printed"])[:2000],
        changed,
        failure(sent["nan_began"]),
        replaced=sent["replaced"] and str(sent["replaced"])[:60],
    )


def failure(sent: dict[str, Any] | None) -> Failure | None:
    """The Failure that came over."""
    if sent is None:
        return None
    kind, number = str(sent["type"])[:60], sent["number"]
    holds = {
        str(name)[:40]: (
            tuple(int(n) for n in held[:10]) if isinstance(held, list) else str(held)[:40]
        )
        for name, held in itertools.islice(sent["variables"].items(), 40)
    }
    return Failure(
        kind if kind.isidentifier() else "Exception",
        str(sent["text"])[:400],
        str(sent["line"])[:200],
        number and int(number),
        holds,
    )


def judge(student: Student, name: str, reached: dict[str, Any], seed: int) -> tuple[Diagnosis, str]:
    """(Diagnosis, flag) of what reached the check of an exercise. A function that is right is tried
    on hidden inputs as well."""
    answer = Answer(student, name)
    diagnosis = first_look(answer, name, reached)
    if diagnosis.status != "correct" or not isinstance(EXERCISES[name], Exercise):
        return diagnosis, ""
    try:
        second = hidden.exercise(name, seed).check(
            answer, run=functools.partial(answer.run, watch=True)
        )
    except Exception as error:  # as in first_look
        second = _cannot_be_read(error)
    if second.status != "correct":
        diagnosis = Diagnosis(
            "wrong", BY_HEART, f"Right on the course's inputs, wrong on others. {second.sentences}"
        )
    own = hidden.own(name)
    called = sorted(own[place] for place in answer.entered & set(own))
    # a helper comes with the function that it helps
    said = [name for name in called if "._" not in name] or called
    return diagnosis, f"calls the course's own: {', '.join(said[:3])}" if said else ""


def first_look(answer: Answer, name: str, reached: dict[str, Any]) -> Diagnosis:
    """The Diagnosis on the exercise's own inputs."""
    exercise = EXERCISES[name]
    try:
        if exercise.shape == "catch" and exercise.kind == "input":
            # judged in a process, since an input may be one that takes hours
            sent = reached.get("value", {"other": "function"})
            tried = run_search(lambda: vars(exercise.check(unpack(sent))), seconds=SECONDS)
            hint = (
                "Not yet. The check could not try this input. A small array fits, or a tuple of"
                " them."
            )
            return Diagnosis(**tried) if isinstance(tried, dict) else Diagnosis("wrong", None, hint)
        if "value" in reached:
            return exercise.check(unpack(reached["value"]))
        stub = (
            reached.get("gap")
            and exercise.tries
            and untouched(answer.run(None, exercise.tries[:1])[0])
        )
        return exercise.check(... if stub else answer, run=answer.run)
    except Exception as error:  # made by hand, so as to be no answer
        return _cannot_be_read(error)


def _cannot_be_read(error):
    said = f"The check was given something that cannot be read ({type(error).__name__})."
    return Diagnosis("wrong", None, said)


def why_stopped(told: Failure | dict[str, Any]) -> str:
    """Why a cell did not come to its end: it was ended, or brought an error."""
    if not isinstance(told, Failure):
        return f"{str(told['error'])[:60]}: {str(told.get('text'))[:400]}"
    late = told.type == "OutOfTime"
    return f"its cell {'ran for too long and was stopped' if late else 'ended its process'}."


def stopped_before(why: str, errors: dict[int, str]) -> str:
    """Which cell stopped first, where a later one may lack the names of it; else nothing. errors:
    {number of a cell: why_stopped}."""
    first = errors[min(errors)] if errors else why
    if not why.startswith("NameError") or first == why:
        return ""
    ended = first.startswith("its cell ")
    return (
        f"{EARLIER} {first.removeprefix('its cell ')}"
        if ended
        else f"{EARLIER} stopped with {first}"
    )


class Look:
    """One look at a notebook: its cells are run, and what reaches a check is judged there and then.
    Raises ValueError where it is none.

    diagnoses: {exercise: (number of the cell, Diagnosis)} of the last attempts; flags: {exercise:
        what is to be looked at};
    errors: {number of a cell: why it did not come to its end}; replaced: the numbers of cells in
        which `diagnose` was not the course's.
    seed: of the hidden inputs.
    """

    def __init__(self, path: Path, shut_in: bool, seed: int) -> None:
        self.seed = seed
        self.end = time.monotonic() + NOTEBOOK
        self.cells: list[str] = []
        self.diagnoses: dict[str, tuple[int, Diagnosis]] = {}
        self.flags: dict[str, str] = {}
        self.errors: dict[int, str] = {}
        self.left_out: set[int] = set()
        self.judged: set[tuple[int, int]] = set()  # (number of the cell, which check in it)
        self.replaced: set[int] = set()
        while not self._through(path, shut_in):
            pass

    def _through(self, path, shut_in):
        """Run all cells in a new process. False where it had to be ended, so that the rest needs
        another."""
        with Student(shut_in, self.end) as student:
            self.cells = self.cells or read(path, student)
            to_run = self.cells if self.notebooks(path) else []
            if to_run:
                student.ask({"run": ""}, *START)  # so that no cell pays for the start
            for i, source in enumerate(to_run):
                if time.monotonic() > self.end:
                    too_long = "the notebook ran for too long and was stopped."
                    self.errors.update(dict.fromkeys(range(i, len(self.cells)), too_long))
                    return True
                if i not in self.left_out and not self._run(student, i, source):
                    return False
        return True

    def notebooks(self, path: Path) -> list[str]:
        """The notebooks of the course that this one is: its name says so, or else the names of
        exercises in it."""
        text = "\n".join(self.cells)
        mentioned = set(re.findall(r"""["'](\w+)["']""", text)) if "diagnose" in text else set()
        return called(path) or [
            name for name, exercises in course().items() if mentioned & set(exercises)
        ]

    def _run(self, student, i, source):
        """Run a cell, judge what reaches a check and was not judged before. False where the process
        has ended."""
        told = student.ask({"run": source}, *CELL)
        for check in itertools.count():
            if isinstance(told, Failure):
                self.left_out.add(i)
                self.errors[i] = why_stopped(told)
                return False
            if "reached" not in told:
                break
            name = told["reached"]
            if name in list(EXERCISES) and (i, check) not in self.judged:
                self.judged.add((i, check))
                diagnosis, self.flags[name] = judge(student, name, told, self.seed)
                self.diagnoses[name] = i, diagnosis
                if student.ended:
                    return False
            told = student.ask({"go on": None}, *CELL)
        if told.get("replaced"):
            self.replaced.add(i)
        if "error" in told:
            self.errors[i] = why_stopped(told)
        return True

    def verdict(self, name: str) -> Diagnosis:
        """The Diagnosis of an exercise: of its last attempt, or why that did not reach the
        check."""
        at, diagnosis = self.diagnoses.get(name, (-1, None))
        sources = {
            i: re.sub(r"^\s*#.*", "", source, flags=re.MULTILINE)
            for i, source in enumerate(self.cells)
        }
        asks = {i for i, source in sources.items() if i > at and name in re.findall(CHECK, source)}
        if diagnosis is None:  # its name may stand in a variable, its check have another name
            quotes = {
                i for i, source in sources.items() if re.search(rf"""["']{name}["']""", source)
            }
            nameless = {
                i
                for i, source in sources.items()
                if "diagnose(" in source and not re.search(CHECK, source)
            }
            asks |= set(self.errors) & (quotes | (nameless if quotes else set()))
        failed = sorted(asks & set(self.errors))
        if failed:
            why = self.errors[failed[-1]]
            if diagnosis is None and all(self.cells[i] in handed_out() for i in failed):
                return Diagnosis("not attempted", None, f"Its cell is as it was; it stops: {why}")
            before = stopped_before(why, self.errors)
            return Diagnosis("wrong", None, f"{NOT_REACHED}: {why} {before}".strip())
        if diagnosis is None and asks:
            why = (
                "its cell calls another `diagnose` than the course's."
                if asks & self.replaced
                else "its cell does not call it."
            )
            return Diagnosis("wrong", None, f"{NOT_REACHED}: {why}")
        return diagnosis or Diagnosis("not attempted", None, "No cell checks this exercise.")


def read(path: Path, student: Student, what: str = "cells") -> list[str]:
    """The sources of a notebook's code cells, or of its "texts". Raises ValueError where the file
    is no notebook; it is read over there, too."""
    if path.stat().st_size > FILE:
        raise ValueError(f"size: got {path.stat().st_size} bytes, wanted at most {FILE}")
    told = student.ask({"read": base64.b64encode(path.read_bytes()).decode()}, *START)
    if isinstance(told, Failure):
        raise ValueError(
            "it takes too long or too much memory to read, or holds more than 2 MiB of code"
        )
    if "cells" not in told:
        raise ValueError("this file is no notebook in UTF-8: ask for it again")
    return told[what]


@functools.cache
def course() -> dict[str, list[str]]:
    """{notebook: its exercises, in order} of the course."""
    found = {
        path.stem: re.findall(CHECK, "\n".join(code_cells(path.read_bytes())))
        for path in sorted(NOTEBOOKS.glob("*.ipynb"))
    }
    return {name: list(dict.fromkeys(exercises)) for name, exercises in found.items()}


@functools.cache
def handed_out() -> set[str]:
    """The code cells of the course's own notebooks."""
    return {cell for path in NOTEBOOKS.glob("*.ipynb") for cell in code_cells(path.read_bytes())}


def look_at(path: Path, folder: Path, shut_in: bool, seed: int = 0) -> list[Row]:
    """The rows of one file."""
    file = path.relative_to(folder).as_posix()
    try:
        look = Look(path, shut_in, seed)
    except (OSError, ValueError) as error:
        return [Row(file, status="unreadable", message=str(error))]
    wanted = {name: notebook for notebook in look.notebooks(path) for name in course()[notebook]}
    wanted.update({name: "" for name in look.diagnoses if name not in wanted})
    rows = []
    for name, notebook in wanted.items():
        verdict = look.verdict(name)
        flag = look.flags.get(name, "") if verdict.status == "correct" else ""
        if verdict.status == "wrong" and verdict.sentences.startswith(NOT_REACHED):
            flag = "did not reach its check"
        rows.append(
            Row(
                file,
                notebook,
                name,
                EXERCISES[name].shape,
                verdict.status,
                verdict.mistake or "",
                verdict.message,
                flag,
            )
        )
    none = "It has no exercise of this course."
    return rows or [Row(file, status="not of this course", message=none)]


def of_each(look: Callable[..., T], paths: list[Path], *same: Any) -> Iterator[T]:
    """look(path, *same) of each file, several at a time; every ten seconds a line says how far it
    is."""
    told = time.monotonic()
    at_once = min(8, os.cpu_count() or 1)  # each may take 2 GiB
    pool = concurrent.futures.ProcessPoolExecutor(at_once)
    try:
        looks = [pool.submit(look, path, *same) for path in paths]
        for one in looks:
            while not concurrent.futures.wait([one], told + TELL - time.monotonic()).done:
                told, n = time.monotonic(), sum(each.done() for each in looks)
                print(f"{n} of {len(looks)} different files", file=sys.stderr, flush=True)
            yield one.result()
    finally:
        pool.shutdown(cancel_futures=True)


def called(path: Path) -> list[str]:
    """The notebooks of the course that a file is by its name."""
    return [name for name in course() if name in path.stem]


def say_unread(folder: Path) -> None:
    """Say which files below a folder are no notebooks."""
    names = [path.relative_to(folder).as_posix() for path in tables.unread(folder)]
    if names:
        more = ", …" * (len(names) > 3)
        print(
            f"Files that are no notebooks, and not read: {len(names)}"
            f" ({', '.join(names[:3])}{more}). What is packed has to be unpacked first",
            file=sys.stderr,
        )


def handed_in(path: Path) -> Hashable:
    """What tells a file from others to look at: its bytes, and the notebook that it is called. Its
    path where it will not be read."""
    try:
        if path.stat().st_size > FILE:
            return path
        return hashlib.sha256(path.read_bytes()).digest(), *called(path)
    except OSError:
        return path


def report(folder: Path, shut_in: bool = True, seed: int = 0) -> list[Row]:
    """The Rows of every notebook below a folder. The same notebook in several files, such as one
    that nobody touched, is looked at once."""
    base, paths = folder.parent if folder.is_file() else folder, found(folder, "*.ipynb")
    contents = [handed_in(path) for path in paths]
    different = dict(zip(contents, paths, strict=True))
    looked = dict(
        zip(different, of_each(look_at, list(different.values()), base, shut_in, seed), strict=True)
    )
    return [
        row._replace(file=path.relative_to(base).as_posix())
        for path, content in zip(paths, contents, strict=True)
        for row in looked[content]
    ]


def votes_below(folder: Path | None) -> list[dict[str, Any]]:
    """The files of votes below a folder; one that cannot be used is said and left out."""
    read = []
    for path in found(folder, polls.PATTERN) if folder else []:
        try:
            read.append(polls.read(path))
        except (OSError, ValueError) as error:
            print(f"report: {path.name} is left out: {error}", file=sys.stderr)
    if folder and not read:
        print(f"report: no votes are in {folder}", file=sys.stderr)
    return read


def exam_of(table: Path | None) -> list[tuple[str, str, str]]:
    """The wrong choices in the table of an exam."""
    try:
        return ideas.read_exam(table) if table else []
    except OSError as error:
        sys.exit(f"report: the exam's table {table} cannot be read: {error.strerror}")
    except ValueError as error:
        sys.exit(f"report: {error}")


def write_all(
    options: argparse.Namespace,
    rows: list[Row],
    people: list[roster.Person] | None,
    header: list[str],
    worth: dict[str, float],
    votes: list[dict[str, Any]],
    exam: list[tuple[str, str, str]],
) -> None:
    """Write what --to asks for, and say who is missing."""
    group = grades.Class(options.folder, rows, people, course())
    options.to.mkdir(parents=True, exist_ok=True)
    tables.write(
        options.to / "table.csv",
        [[*COLUMNS, "student"], *([*row, group.name(row)] for row in group.rows)],
    )
    (options.to / "class.html").write_text(
        class_page.wall_page(group.students, course(), votes, exam), encoding="utf-8"
    )
    (options.to / "class_details.html").write_text(
        class_page.details_page(group.students, course(), group.others), encoding="utf-8"
    )
    if people is None:
        return
    book = grades.Gradebook(group.students, course(), worth)
    tables.write(options.to / "students.csv", book.overview())
    tables.write(options.to / "grades.csv", book.moodle(), "utf-8")
    tables.write(options.to / "grades_canvas.csv", book.canvas(header), "utf-8")
    tables.write(options.to / "not_matched.csv", [["file", "why"], *group.strangers])
    absent = sum(student.absent for student in group.students)
    print(
        f"Students: {len(people)}, of whom {absent} handed in nothing. Files that fit nobody, or"
        f" several: {len(group.strangers)}",
        file=sys.stderr,
    )


def warn_root(command: str = "report") -> None:
    """Root may read everything, and no limit on the number of processes binds it."""
    if getattr(os, "geteuid", lambda: None)() == 0:  # Windows has no root
        print(
            f"{command}: this runs as root, who is under no limit on processes; run it as an"
            " ordinary user",
            file=sys.stderr,
        )


def read_options(arguments: list[str]) -> argparse.Namespace:
    """The options of the command line; ends the program where they cannot be."""
    parser = argparse.ArgumentParser(
        prog="export.py report", description=__doc__.partition("\n\n")[0]
    )
    parser.add_argument(
        "folder", type=Path, help="the notebooks, in any folders below it; or one notebook"
    )
    parser.add_argument(
        "--out",
        type=Path,
        help=(
            "the CSV file to write; without it, and without --to and --gradescope, the rows are"
            " printed"
        ),
    )
    parser.add_argument(
        "--to",
        type=Path,
        help="a folder for the table, the page about the class, and with --roster the grades",
    )
    parser.add_argument(
        "--roster",
        type=Path,
        help="the students: a CSV with a header, such as Moodle and Canvas export",
    )
    parser.add_argument(
        "--points",
        type=Path,
        help=(
            "points for each exercise; else points.csv in the folder of --to, written where it is"
            " missing"
        ),
    )
    parser.add_argument(
        "--votes", type=Path, help="the folder of votes.py: its counts come on the class page"
    )
    parser.add_argument(
        "--exam", type=Path, help="the table.csv of `exam.py grade`, for the class page, too"
    )
    parser.add_argument(
        "--gradescope",
        type=Path,
        metavar="RESULTS",
        help="write the results.json of one submission",
    )
    parser.add_argument(
        "--seed", type=int, help="of the hidden inputs; without it, they are others each time"
    )
    parser.add_argument(
        "--no-sandbox",
        action="store_true",
        help="run without bubblewrap: only time and memory are limited then",
    )
    options = parser.parse_args(arguments)
    if not (
        options.folder.is_dir() or (options.folder.is_file() and options.folder.suffix == ".ipynb")
    ):
        sys.exit(f"report: got {options.folder}, wanted a folder of notebooks")
    if not os.access(options.folder, os.R_OK):
        sys.exit(
            f"report: got {options.folder}, which you may not read; wanted a folder of yours: as"
            f" root, chown -R YOU {options.folder}"
        )
    if options.roster and not options.to:
        sys.exit("report: got --roster without --to, wanted a folder for the grades")
    if not (options.no_sandbox or sandbox()):
        sys.exit(
            "report: bubblewrap (the program bwrap) is missing or may not be used here; install it,"
            " or add --no-sandbox for notebooks you trust"
        )
    return options


def main(arguments: list[str]) -> None:
    options = read_options(arguments)
    warn_root()
    say_unread(options.folder)
    if not found(options.folder, "*.ipynb"):
        sys.exit(f"report: got {options.folder} without a notebook in it: nothing was written")
    people, header = roster.read(options.roster) if options.roster else (None, [])
    file = options.points or (options.to / "points.csv" if options.roster else None)
    worth = grades.points(file, course()) if file else grades.default_points(course())
    votes, exam = votes_below(options.votes), exam_of(options.exam)  # before all cells run
    seed = secrets.randbelow(10**9) if options.seed is None else options.seed
    rows = report(options.folder, not options.no_sandbox, seed)
    if options.to:
        write_all(options, rows, people, header, worth, votes, exam)
    if options.gradescope:
        options.gradescope.write_text(
            json.dumps(grades.gradescope(rows, worth), indent=1), encoding="utf-8"
        )
    if options.out:
        tables.write(options.out, [COLUMNS, *rows])
    if not (options.out or options.to or options.gradescope):
        tables.write(os.dup(1), [COLUMNS, *rows], "utf-8")
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        counts[row.shape or "unknown"][row.status] += 1
    said = [
        f"{shape}: {', '.join(f'{n} {status}' for status, n in sorted(counts[shape].items()))}"
        for shape in sorted(counts)
    ]
    print(
        f"Files: {len({row.file for row in rows})}. {'; '.join(said)}. Seed of the hidden inputs:"
        f" {seed}",
        file=sys.stderr,
    )
