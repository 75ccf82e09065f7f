"""Which exercises of which students' notebooks are right, wrong by which mistake, or not attempted: a CSV.

    python scripts/export.py report FOLDER [--out FILE] [--no-sandbox]

Every .ipynb below FOLDER is looked at; stored outputs are not. For each exercise the cells up to its check run in a process
of their own (report_student.py), with limits of time and memory. The student's function stays there. This process sends it
the exercise's inputs, gets numbers back, and judges them itself with the same `check` that the notebooks use. So a notebook
that prints "Right.", replaces `diagnose` or edits its outputs changes nothing. Who wrote an answer, a report cannot know.

The process is shut in by bubblewrap (the program `bwrap`, for Linux): no network, no files but Python's and the course's,
both read-only, no other processes. Without it a report refuses to run, unless --no-sandbox says that the notebooks are trusted
not to harm this account. Run it as an ordinary user: the administrator is under no limit on the number of processes.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import csv
import functools
import itertools
import json
import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import warnings
from pathlib import Path

import nbformat

from course_utils.exercises import EXERCISES
from course_utils.exercises.checking import Diagnosis, check
from course_utils.exercises.running import SECONDS, OutOfTime
from exporting import NOTEBOOKS, ROOT, report_student
from exporting.report_student import packed, unpacked

CELLS, CALL = 60.0, SECONDS - 0.5           # seconds: for the cells up to a check, and for one call of a function
LINE, FILE = 8 << 20, 32 << 20              # bytes of one answer, and of a notebook
COLUMNS = ["file", "notebook", "exercise", "status", "mistake", "message"]
CHECK = r"""\bdiagnose\(\s*["'](\w+)["']"""
SYSTEM = ["/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/alternatives"]


class NoAnswerError(Exception):
    """The student's process is gone, or sends what is not an answer."""


@functools.cache
def sandbox():
    """The command line that shuts a process in, or an empty list where that cannot be done."""
    seen = [*SYSTEM, sys.prefix, sys.base_prefix, str(ROOT / "course_utils"), report_student.__file__]
    command = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--proc", "/proc", "--dev", "/dev",
               "--size", str(64 << 20), "--tmpfs", "/tmp", "--chdir", "/tmp", *itertools.chain(*(("--ro-bind-try", p, p) for p in seen))]
    try:
        works = subprocess.run([*command, sys.executable, "-c", ""], capture_output=True, timeout=30).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        works = False
    return command if works else []


class Student:
    """A process in which a student's cells run. Every question to it has a time limit; at the end it is killed."""

    def __init__(self, shut_in):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        home = "/tmp" if shut_in else self.folder.name
        keep = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        self.process = subprocess.Popen(
            [*(sandbox() if shut_in else []), sys.executable, "-I", "-B", report_student.__file__],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.folder.name, start_new_session=True,
            env={**keep, "HOME": home, "TMPDIR": home, "IPYTHONDIR": home, "MPLCONFIGDIR": home, "MPLBACKEND": "agg", "OPENBLAS_NUM_THREADS": "1"})
        self.answers = queue.Queue(maxsize=4)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        while line := self.process.stdout.readline(LINE):
            self.answers.put(line)
        self.answers.put(b"")

    def ask(self, order, seconds):
        """The answer to an order. Raises OutOfTime, or NoAnswerError where there is none."""
        try:
            self.process.stdin.write(json.dumps(order).encode() + b"\n")
            self.process.stdin.flush()
            answer = json.loads(self.answers.get(timeout=seconds))
        except queue.Empty:
            self.kill()
            raise OutOfTime from None
        except (OSError, ValueError, RecursionError):
            raise NoAnswerError from None
        if not isinstance(answer, dict):
            raise NoAnswerError
        return answer

    def kill(self):
        if os.name == "nt":
            self.process.kill()
        else:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.kill()
        self.process.wait()
        with contextlib.suppress(OSError):  # something was still to be sent
            self.process.stdin.close()
        self.folder.cleanup()


class Proxy:
    """Stands for the student's function where it is judged: it sends the arguments over and gives back what comes."""

    def __init__(self, student, exercise):
        self.student, self.exercise = student, exercise

    def __call__(self, *arguments):
        answer = self.student.ask({"call": {"name": self.exercise.name, "arguments": [self._sent(a) for a in arguments]}}, CALL)
        if "error" in answer:
            name = str(answer["error"])[:60]
            if answer.get("gap") or name == "NotImplementedError":
                raise NotImplementedError
            raise type(name if name.isidentifier() else "Exception", (Exception,), {})(str(answer.get("text"))[:400])
        try:
            value = unpacked(answer["value"])
            for argument, after in zip(arguments, answer["after"], strict=True):
                if after is not None:
                    argument[...] = unpacked(after)         # so that the check sees what was changed
        except Exception:
            raise NoAnswerError from None
        return value

    def _sent(self, argument):
        if callable(argument):              # the other side has the same exercises
            return {"input": next([i, j] for i, row in enumerate(self.exercise.inputs) for j, a in enumerate(row) if a is argument)}
        return packed(argument)


def judge(name, cells, shut_in):
    """The diagnosis of the exercise that the last of the cells checks."""
    with Student(shut_in) as student:
        try:
            answer = student.ask({"run": {"cells": cells, "name": name}}, CELLS)
        except OutOfTime:
            return Diagnosis("wrong", None, "The cells up to the check ran for too long and were stopped.")
        except NoAnswerError:
            return Diagnosis("wrong", None, "The cells up to the check ended their process.")
        if answer.get("reached") == "nothing":
            why = f"{answer['error']}: {answer.get('text')}" if "error" in answer else "its cell does not call it."
            return Diagnosis("wrong", None, f"The check was not reached: {why}")
        try:
            function = unpacked(answer["value"]) if answer.get("reached") == "value" else Proxy(student, EXERCISES[name])
        except Exception:
            return Diagnosis("wrong", None, "The check was given something that cannot be read.")
        diagnosis = check(EXERCISES[name], function)
        return Diagnosis("wrong", None, "Your function ended its process.") if "stopped with NoAnswerError" in diagnosis.message else diagnosis


def code_cells(path):
    """(source, whether it is a solution) of each code cell. Raises ValueError where the file is no notebook."""
    if path.stat().st_size > FILE:
        raise ValueError(f"size: got {path.stat().st_size} bytes, wanted at most {FILE}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")              # a missing id, an older format
            notebook = nbformat.read(path, as_version=4)
        cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        return [(str(c.source), "solution" in c.metadata.get("tags", []) or bool(re.search(r"\bdef \w+_solution\(", c.source))) for c in cells]
    except Exception as error:                           # a student's file may hold anything
        raise ValueError(f"{type(error).__name__}: {error}") from None


@functools.cache
def course():
    """{notebook: its exercises, in order} of the course."""
    found = {path.stem: re.findall(CHECK, "\n".join(s for s, solution in code_cells(path) if not solution))
             for path in sorted(NOTEBOOKS.glob("*.ipynb"))}
    return {name: list(dict.fromkeys(exercises)) for name, exercises in found.items()}


def look_at(path, folder, shut_in):
    """The rows of one file."""
    file = path.relative_to(folder).as_posix()
    try:
        cells = code_cells(path)
    except (OSError, ValueError) as error:
        return [[file, "", "", "unreadable", "", str(error)]]
    checks = [set() if solution else set(re.findall(CHECK, source)) for source, solution in cells]
    mentioned = set().union(*checks)
    notebooks = [name for name, exercises in course().items() if name in path.stem or mentioned & set(exercises)]
    rows = []
    for notebook in notebooks:
        for name in course()[notebook]:
            last = max((i for i, check in enumerate(checks) if name in check), default=None)
            if last is None:
                verdict = Diagnosis("not attempted", None, "No cell checks this exercise.")
            else:
                verdict = judge(name, [source for source, _ in cells[:last + 1]], shut_in)
            rows.append([file, notebook, name, verdict.status, verdict.mistake or "", verdict.message])
    return rows or [[file, "", "", "not of this course", "", "It has no exercise of this course."]]


def safe(text, most=600):
    """A cell on one line that a spreadsheet takes as text, never as a formula."""
    line = " ".join(str(text).encode("utf-8", "backslashreplace").decode().split())[:most]
    return "'" + line if line[:1] in tuple("=+-@") else line


def report(folder, shut_in=True):
    """The rows of every notebook below a folder, each a list of COLUMNS."""
    paths = sorted(p for p in folder.rglob("*.ipynb") if p.is_file() and not p.is_symlink() and ".ipynb_checkpoints" not in p.parts)
    with concurrent.futures.ProcessPoolExecutor(min(8, os.cpu_count() or 1)) as pool:         # each may take 2 GiB
        rows = pool.map(look_at, paths, itertools.repeat(folder), itertools.repeat(shut_in))
        return [[safe(cell) for cell in row] for file_rows in rows for row in file_rows]


def main(arguments):
    parser = argparse.ArgumentParser(prog="export.py report", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, help="the CSV file to write; without it, the rows are printed")
    parser.add_argument("--no-sandbox", action="store_true", help="run without bubblewrap: only time and memory are limited then")
    options = parser.parse_args(arguments)
    if not options.folder.is_dir():
        sys.exit(f"report: got {options.folder}, wanted a folder of notebooks")
    if not (options.no_sandbox or sandbox()):
        sys.exit("report: bubblewrap (the program bwrap) is missing or may not be used here; install it, or add --no-sandbox for notebooks you trust")
    rows = report(options.folder, not options.no_sandbox)
    with open(options.out, "w", newline="", encoding="utf-8-sig") if options.out else os.fdopen(os.dup(1), "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([COLUMNS, *rows])
    counts = collections.Counter(row[3] for row in rows)
    print(f"Files: {len({row[0] for row in rows})}. Exercises:", ", ".join(f"{n} {status}" for status, n in sorted(counts.items())), file=sys.stderr)
