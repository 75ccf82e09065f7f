"""The side of the report that is not trusted: it reads a notebook, runs its cells, and calls what
reaches a check.

One JSON line comes in by stdin for each order, one goes out by stdout for each answer. Nothing is
judged here: what a function computes goes back as plain numbers, so whatever the student's code
does to this process, all it can send is an answer.
"""

import base64
import contextlib
import json
import os
import sys
import traceback
from pathlib import Path
from unittest.mock import MagicMock

ROOT = Path(__file__).resolve().parents[2]
MEMORY, FILE, SECONDS = (
    2 << 30,
    16 << 20,
    240,
)  # bytes of address space, bytes of a file, seconds of processor
LINE = 2 << 20  # bytes of one answer
MOST_ENTERED = 400
SCENERY = ["figures"]  # a report needs no pictures, and drawing them is most of the time


def limit():
    """Give up memory, big files, new processes and most of the time. Windows has no such limits."""
    try:
        import resource
    except ImportError:
        return
    for name, most in [
        ("AS", MEMORY),
        ("FSIZE", FILE),
        ("CPU", SECONDS),
        ("CORE", 0),
        ("NOFILE", 64),
        ("NPROC", 0),
    ]:
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))


def hide_scenery():
    """Put stand-ins, which accept everything and do nothing, in the place of pictures."""
    sys.path.insert(0, str(ROOT))
    for name in SCENERY:
        stand_in = sys.modules[f"course_utils.{name}"] = MagicMock(name=name)
        stand_in.__path__, stand_in.__spec__ = [], None


def sources(data, kind):
    """The sources of a notebook's cells of one kind, "code" or "markdown". Raises where the bytes
    are no notebook.

    nbformat would do it, too; importing it takes longer than all the rest that a report does with a
    notebook.
    """
    notebook = json.loads(data.decode("utf-8"))
    sheets = notebook.get("worksheets", [notebook])  # before 2015 there were sheets, and "input"
    cells = [cell for sheet in sheets for cell in sheet["cells"] if cell["cell_type"] == kind]
    return ["".join(cell["source"] if "source" in cell else cell["input"]) for cell in cells]


def code_cells(data):
    """The sources of a notebook's code cells."""
    return sources(data, "code")


def read(data):
    """What `sources` finds. data: the file in base64."""
    try:
        data = base64.b64decode(data)
        return {"cells": code_cells(data), "texts": sources(data, "markdown")}
    except Exception:  # a student's file may hold anything
        return {}


class Cells:
    """The student's cells, run one after the other as IPython would; `diagnose` hands over to the
    report."""

    def __init__(self, orders, send):
        from IPython.core.history import HistoryManager
        from IPython.core.interactiveshell import InteractiveShell

        import course_utils.exercises

        HistoryManager.enabled = False
        self.shell, self.orders, self.send, self.asked = (
            InteractiveShell.instance(colors="nocolor"),
            orders,
            send,
            False,
        )
        self.shell.showtraceback = self.shell.showsyntaxerror = lambda *a, **k: None
        self.shell.system = lambda command: (
            None
        )  # `!pip install ...` has no network and starts nothing
        self.check, self.ours = course_utils.exercises.diagnose, self.diagnose
        course_utils.exercises.diagnose = self.ours

    def run(self, source):
        """Run a cell. Returns the error that ended it, if one did, and whether `diagnose` is now
        another than the course's."""
        result = self.shell.run_cell(source, store_history=False)
        replaced = self.shell.user_ns.get("diagnose", self.ours) is not self.ours
        return {**told(result.error_before_exec or result.error_in_exec), "replaced": replaced}

    def diagnose(self, name, answer):
        """Stands in the place of the course's: says what reached the check, and calls it until the
        report lets the cell go on."""
        from course_utils.diagnosis.running import has_gap
        from course_utils.diagnosis.worker import pack_within
        from course_utils.exercises import EXERCISES, Diagnosis

        if name not in EXERCISES:
            return self.check(name, answer)  # which says so
        if not self.asked:  # a function may ask for its own check
            self.asked = True
            self.send(
                {
                    "reached": name,
                    "gap": has_gap(answer),
                    **({} if callable(answer) else {"value": pack_within(answer, LINE // 2)}),
                }
            )
            while "call" in (order := json.loads(next(self.orders))):
                self.send(self.called(EXERCISES[name], answer, order["call"], order["watch"]))
            self.asked = False
        return Diagnosis("not attempted", None, "The report judges this.")

    def called(self, exercise, function, arguments, watch):
        """What a call of the function did: a running.Outcome in parts; where it is watched, which
        functions of the course it entered."""
        from course_utils.diagnosis.running import run_guarded
        from course_utils.diagnosis.worker import pack_within, restored, unpack

        given = tuple(
            (
                exercise.tries[a["try"][0]][a["try"][1]]
                if isinstance(a, dict) and "try" in a
                else unpack(a)
            )
            for a in arguments
        )
        with restored(), watched(watch) as entered:
            outcome = run_guarded(function, given)  # the report has the clock
        return {
            **vars(outcome),
            "value": pack_within(outcome.value, LINE // 2),
            "failure": outcome.failure and vars(outcome.failure),
            "nan_began": outcome.nan_began and vars(outcome.nan_began),
            "entered": sorted(entered)[:MOST_ENTERED],
        }


@contextlib.contextmanager
def watched(wanted):
    """A set that fills with (file below the course's package, name) of its functions that are
    called inside."""
    entered, package = set(), str(ROOT / "course_utils") + os.sep

    def look(frame, event, argument):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(package):
            entered.add(
                (code.co_filename.removeprefix(package).replace(os.sep, "/"), code.co_qualname)
            )

    if wanted:
        sys.setprofile(look)
    try:
        yield entered
    finally:
        sys.setprofile(None)


def told(error):
    """An error by its type, its text, and the student's line."""
    if error is None:
        return {}
    theirs = [
        f.line
        for f in traceback.extract_tb(error.__traceback__)
        if f.filename.startswith("<ipython-input")
    ]
    try:
        text = str(error)
    except Exception:  # an error class of the student's own may fail even here
        text = ""
    return {
        "error": type(error).__name__,
        "text": text[:300] + (f" (in: {theirs[-1][:100]})" if theirs and theirs[-1] else ""),
    }


def main():
    """Answer until stdin ends. The student's own stdin is empty and what it prints goes nowhere."""
    orders, answers = (
        os.fdopen(os.dup(0), "r", encoding="utf-8"),
        os.fdopen(os.dup(1), "w", encoding="utf-8"),
    )
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    sys.stdout = sys.stderr = os.fdopen(nowhere, "w", encoding="utf-8")

    def send(answer):
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    limit()
    hide_scenery()
    cells = None
    for line in orders:
        order = json.loads(line)
        if "read" in order:
            send(read(order["read"]))
        else:
            cells = cells or Cells(orders, send)
            send(cells.run(order["run"]))


if __name__ == "__main__":
    main()
