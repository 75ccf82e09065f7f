"""Runs a student's function so that nothing it does can hurt the notebook: it may raise, print, use all memory, or never end.

It runs in a process of its own (worker.py), which can be ended from outside even where it is deep in C code. Where there are
no processes, as in a browser, it runs here, watched at each of its steps.
"""

import atexit
import contextlib
import dis
import itertools
import linecache
import os
import pickle
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import cloudpickle

from course_utils.diagnosis import worker

SECONDS = 4.0                # of processor time, for one call; the exercises need milliseconds
WALL = 20.0                  # seconds by the clock: on a busy machine even a right answer may wait
MEMORY = 3 << 30             # bytes


class OutOfTime(BaseException):
    """Raised inside a function that runs too long. Not an Exception, so `except Exception` does not catch it."""


@dataclass
class Failure:
    """An error of the student's function: its type's name, its text, their line and its number, what the variables in it held,
    and the lines in which the line's variables were made."""

    type: str
    text: str = ""
    line: str = ""
    number: int | None = None
    variables: dict = field(default_factory=dict)
    made: dict = field(default_factory=dict)


@dataclass
class Outcome:
    """What one call did: the value it returned (its kind where it cannot be sent) or the Failure, what it printed, which
    argument it changed, where NaN began."""

    value: object = None
    type_description: str | None = None
    failure: Failure | None = None
    printed: str = ""
    changed_argument: int | None = None
    nan_began: Failure | None = None


def run(function, calls):
    """Call the function with each of the argument tuples, on copies. Returns a list of Outcomes, shorter where it had to be stopped."""
    try:
        order = list(sys.path), cloudpickle.dumps((function, calls))
    except Exception:                            # it refers to what cannot be sent: a widget, a lock, an open file
        return [Outcome(failure=Failure("Unsendable"))]
    for _ in range(2):                           # a worker may have ended while nobody asked it
        try:
            process = _worker()
        except OSError:                          # Python in a browser has no processes
            return run_here(function, calls)
        if process.send(order):
            break
        process.close()
    outcomes, told = [], process.receive(WALL)
    if isinstance(told, dict) and "unreadable" in told:
        return run_here(function, calls)
    for _ in calls:
        told = told if isinstance(told, Failure) else process.receive(SECONDS)
        if isinstance(told, Failure):
            process.close()
            return [*outcomes, Outcome(failure=told)]
        outcomes.append(_outcome(told, function))
    return outcomes


def run_here(function, calls):
    """As `run`, in this process. A bare `except:` inside a loop escapes the clock."""
    outcomes = []
    for arguments in calls:
        with _clock():
            outcomes.append(_outcome(worker.call(function, arguments), function))
        if outcomes[-1].failure and outcomes[-1].failure.type == "OutOfTime":
            break
    return outcomes


def run_trusted(function, arguments):
    """As `run`, for one call of a function of the course's own, which ends."""
    return _outcome(worker.call(function, arguments), function)


class Worker:
    """A process that answers orders: by itself that of worker.py. Orders go in, reports come out, and it is ended when it takes too long.

    What goes over is pickled. A process that is not trusted wants a `read` and a `write` of its own.
    """

    def __init__(self, command=(sys.executable, worker.__file__), **options):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        start_new_session=True, **options)
        self.reports = queue.Queue(maxsize=4)    # one that reports without being asked has to wait
        threading.Thread(target=self._listen, daemon=True).start()

    def read(self):
        """The next report. Raises where none comes any more."""
        return pickle.load(self.process.stdout)

    def write(self, order):
        pickle.dump(order, self.process.stdin)

    def _listen(self):
        with self.process.stdout, contextlib.suppress(Exception):
            while True:
                self.reports.put(self.read())
        self.reports.put(Failure("Ended"))

    def send(self, order):
        """Send an order; False where the process has ended."""
        try:
            self.write(order)
            self.process.stdin.flush()
        except OSError:
            return False
        return self.process.poll() is None

    def receive(self, seconds, wall=None):
        """The next report, or a Failure: OutOfTime (after `seconds` of processor time, or `wall`, else WALL, by the clock), OutOfMemory, Ended."""
        import psutil  # part of every Jupyter kernel; a browser's Python has none and never comes here
        end, start = time.monotonic() + (wall or WALL), None
        while True:
            with contextlib.suppress(queue.Empty):
                return self.reports.get(timeout=0.1)
            if time.monotonic() > end:
                return Failure("OutOfTime")
            with contextlib.suppress(psutil.Error):
                process = psutil.Process(self.process.pid)
                family = [process, *process.children(recursive=True)]
                spent = sum(sum(member.cpu_times()[:2]) for member in family)
                start = spent if start is None else start
                if spent - start > seconds:
                    return Failure("OutOfTime")
                if sum(member.memory_info().rss for member in family) > MEMORY:
                    return Failure("OutOfMemory")

    def kill(self):
        """End it, and what it has started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):       # they have ended
            self.process.kill() if os.name == "nt" else os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def close(self):
        """Kill it, and close the way to it."""
        self.kill()
        with contextlib.suppress(OSError):                   # something was still to be sent
            self.process.stdin.close()


_running = None


def _worker():
    """The worker of this process, made anew where there is none, or where this process is a fork of another."""
    global _running
    if _running is None or _running[0] != os.getpid() or _running[1].process.poll() is not None:
        _running = os.getpid(), Worker()
        atexit.register(_running[1].close)
    return _running[1]


def _outcome(told, function):
    error, nan = told["error"], told["nan"]
    return Outcome(told["value"], told["type_description"], _failure(*error, function) if error else None, told["printed"], told["changed"],
                   _failure("NaN", *nan, [{}] * len(nan[1]), function) if nan else None)


def _failure(kind, text, places, frames, function):
    """The error at the student's own innermost line: in the file of their function, or at least outside the package's."""
    theirs = getattr(getattr(function, "__code__", None), "co_filename", None)
    mine = str(Path(__file__).parents[1])
    inside = [i for i, (file, _) in enumerate(places) if file == theirs] or [i for i, (file, _) in enumerate(places) if not file.startswith(mine)]
    if not inside:
        return Failure(kind, text)
    file, number = places[inside[-1]]
    line = linecache.getline(file, number).strip()
    return Failure(kind, text, line, number, frames[inside[-1]], _made(file, number, line))


def _made(file, number, line):
    """{variable: line}: where the variables that a line names last got their values, within the same function."""
    wanted, found = set(re.findall(r"\w+", line)), {}
    for k in range(number - 1, max(number - 60, 0), -1):
        above = linecache.getline(file, k).strip()
        if re.match(r"(?:def|class)\b", above):
            break
        given = re.match(r"([\w\s,]+?)\s*(?:[-+*/@]|//|\*\*)?=(?!=)", above)
        found |= {name: above for name in wanted & set(re.findall(r"\w+", given[1])) if name not in found} if given else {}
    return found


@contextlib.contextmanager
def _clock():
    """Look at the clocks at each step of what is called inside, and raise OutOfTime there: after SECONDS of processor time, or WALL."""
    start, end = time.monotonic(), time.process_time() + SECONDS             # thread_time is not in every browser

    def look(frame, event, argument):
        if frame.f_code.co_filename == worker.__file__:
            return None                          # our own steps are few
        frame.f_trace_opcodes = True             # a loop on one line may have no line event
        spent = time.monotonic() - start         # quick to ask; the processor's time is not, and is no more than this
        if spent > SECONDS and (spent > WALL or time.process_time() > end):
            raise OutOfTime
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        yield
    finally:
        sys.settrace(before)


def has_gap(function):
    """True for a function that still sets a variable to `...`, or returns it: a stub that is not filled in."""
    code = getattr(function, "__code__", None)
    steps = list(dis.get_instructions(code)) if code else []
    gaps = (..., (..., ...), (..., ..., ...))
    return any(step.opname == "LOAD_CONST" and step.argval in gaps and after.opname.startswith(("STORE", "RETURN", "UNPACK"))
               or step.opname == "RETURN_CONST" and step.argval in gaps          # Python 3.12 and 3.13 return a constant in one step
               for step, after in itertools.pairwise([*steps, *steps[-1:]]))


