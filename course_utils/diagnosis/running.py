"""Runs a student's function so that nothing it does can hurt the notebook: it may raise, print, use
all memory, or never end.

It runs in a process of its own (worker.py), which can be ended from outside even where it is deep
in C code. What comes back is plain data. Where there are no processes, as in a browser, it runs
here, watched at each of its steps, and what it assigned is put back.
"""

import atexit
import contextlib
import dis
import inspect
import io
import itertools
import json
import linecache
import os
import pickle
import queue
import re
import secrets
import signal
import subprocess
import sys
import threading
import time
import tokenize
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np

from course_utils.diagnosis import worker
from course_utils.diagnosis.values import Function, agree, as_arrays, tolerance_of

SECONDS = 2.0  # of processor time, for one call; the exercises need milliseconds
FINISH = 2.0  # seconds by the clock, until what a function started is ended
WALL = 20.0  # seconds by the clock: on a busy machine even a right answer may wait
LOOK = 0.25  # seconds between two looks at what a worker uses: to list all processes takes its time
MEMORY = 3 << 30  # bytes


class OutOfTime(BaseException):
    """Raised inside a function that runs too long. Not an Exception, so `except Exception` does not
    catch it."""


@dataclass
class Failure:
    """An error of the student's function: its type's name, its text, their line and its number,
    what the variables in it held, and the lines in which the line's variables were made."""

    type: str
    text: str = ""
    line: str = ""
    number: int | None = None
    variables: dict[str, Any] = field(default_factory=dict)
    made: dict[str, Any] = field(default_factory=dict)


@dataclass
class Outcome:
    """What one call did: the value it returned (its kind where it cannot be sent) or the Failure,
    what it printed, which argument it changed, where NaN began.

    replaced: a function of NumPy or Python in whose place it put something. kept: of the first call
    of several, the name of what they keep so that the same arguments give another answer later (""
    where no name is found, None where nothing is kept).
    """

    value: object = None
    type_description: str | None = None
    failure: Failure | None = None
    printed: str = ""
    changed_argument: int | None = None
    nan_began: Failure | None = None
    kept: str | None = None
    replaced: str | None = None


RunCalls = Callable[[Function, Sequence[tuple[Any, ...]]], list[Outcome]]


def run(function: Function, calls: Sequence[tuple[Any, ...]]) -> list[Outcome]:
    """Call the function with each of the argument tuples, on copies. Returns a list of Outcomes,
    shorter where it had to be stopped."""
    told = _ask("calls", function, calls, SECONDS, len(calls) + 1)
    if told is None:
        return run_here(function, calls)
    return _outcomes(told, function, calls)


def run_search(function: Function, *arguments: Any, seconds: float) -> Any:
    """What function(*arguments) finds, called in the worker: plain data, or a Failure.

    For a search of the course's own that tries a student's code in many forms: none of them can
    hurt the notebook, and all ends with the search. Found is what `worker.pack` sends: numbers,
    texts, None, arrays, and lists, tuples, dicts and sets of them; of anything else only the type.
    seconds: of processor time, after which it is stopped with Failure("OutOfTime"). A search that
    gives the best until then keeps a clock of its own, such as signal.setitimer: it runs in the
    main thread of its process.

        found = run_search(find_mend, answer, "softmax", seconds=2.0)
        if not isinstance(found, Failure): ...
    """
    told = _ask("search", function, arguments, seconds, 1)
    if told is None:
        try:
            with worker.restored(), _clock(seconds):
                told = [worker.call_once(function, arguments)]
                told[0]["value"] = worker.pack_within(told[0]["value"], worker.MOST_RETURNED)
        except OutOfTime:  # not in the function itself
            return Failure("OutOfTime")
    if isinstance(told[0], Failure):
        return told[0]
    outcome = _received({**told[0], "changed": None, "nan": None}, function, ())
    return outcome.failure or outcome.value


def run_here(function: Function, calls: Sequence[tuple[Any, ...]]) -> list[Outcome]:
    """As `run`, in this process. A bare `except:` inside a loop escapes the clock."""
    with contextlib.suppress(Exception):
        # so that what it does to names of the notebook, it does to copies
        function, calls = pickle.loads(cloudpickle.dumps((function, calls)))
    told: list[Any] = []
    reports = worker.reports(function, calls)
    with worker.restored():
        while len(told) <= len(calls):
            try:
                with _clock(SECONDS):
                    told.append(next(reports))
            except OutOfTime:  # not in the function itself
                told.append(Failure("OutOfTime"))
            last = told[-1]
            if isinstance(last, Failure) or (last.get("error") or [""])[0] == "OutOfTime":
                break
    return _outcomes(told, function, calls)


def run_trusted(function: Function, arguments: Sequence[Any]) -> Outcome:
    """As `run`, for one call of a function of the course's own, which ends."""
    return _outcome(worker.call(function, arguments, is_trusted=True), function)


def run_guarded(function: Function, arguments: Sequence[Any]) -> Outcome:
    """As `run`, for one call of a student's function in a process that is shut in: what it puts in
    the place of a function of NumPy or Python is seen and taken out again."""
    return _outcome(worker.call(function, arguments), function)


def _ask(what, function, given, seconds, wanted):
    """What the worker sends: as many reports as are wanted, a Failure last where there are fewer;
    None where there is no process for it."""
    try:
        data = cloudpickle.dumps((what, function, given))
    except Exception:  # it refers to what cannot be sent: a widget, a lock, an open file
        return [Failure("Unsendable")]
    named = {name.decode() for name in re.findall(rb"course_utils[\w.]*", data)}
    modules = [name for name in list(sys.modules) if name in named]
    end = secrets.token_hex(8).encode()
    kept = (
        os.environ.get("COURSE_FOLDER") or os.getcwd()
    )  # both may have changed since the worker began
    order = pickle.dumps((list(sys.path), kept, modules, data, end))
    for _ in range(2):  # a worker may have ended while nobody asked it
        try:
            process = _worker()
        except OSError:  # Python in a browser has no processes
            return None
        if process.send(order):
            break
        process.close()
    told = []
    while len(told) <= wanted:
        line = process.receive(seconds if told else WALL)  # first, that it is ready
        told.append(_report(line, end))
        if isinstance(told[-1], Failure) or "unreadable" in told[-1]:
            break
    if told[-1] == Failure("Ended"):  # whoever sent END has ended what was begun
        if line == told[-1]:
            process.close()
    else:
        process.finish(end)
    if isinstance(told[0], dict) and "unreadable" in told[0]:
        return None
    return told[1:] or told


def _report(line, end):
    """The plain data of a line that came, or the Failure that it stands for."""
    if isinstance(line, Failure):
        return line
    if line == worker.END + end + b"\n":
        return Failure("Ended")
    try:
        told = json.loads(line.removeprefix(worker.ANSWER))
    except (ValueError, RecursionError):
        told = None
    return told if isinstance(told, dict) else Failure("Garbled")


class Worker:
    """A process that answers orders: by itself that of worker.py. Orders go in, lines come out, and
    it is ended when it takes too long.

    What comes out is bytes of somebody who is not trusted: it is read as plain data, and nothing in
    it is run.
    """

    def __init__(self, command: Sequence[str] | None = None, **options: Any) -> None:
        command = command or [
            sys.executable,
            worker.__file__,
            *([] if worker.FORKS else ["--one-process"]),
        ]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            **options,
        )
        self.reports: queue.Queue[bytes | Failure] = queue.Queue(
            maxsize=4
        )  # one that reports without being asked has to wait
        threading.Thread(target=self._listen, daemon=True).start()

    def read(self) -> bytes:
        """The next line. Raises where none comes any more."""
        line = self.process.stdout.readline(worker.LINE)
        if not line:
            raise EOFError
        return line

    def write(self, order: bytes) -> None:
        """Send the bytes of an order."""
        self.process.stdin.write(len(order).to_bytes(8, "big") + order)

    def finish(self, end: bytes) -> None:
        """Have what was begun ended, until the line that says so; a worker that cannot is
        closed."""
        line: bytes | Failure = b""
        late = time.monotonic() + FINISH
        if worker.FORKS:
            self.send(b"")  # where nothing is going on, it does nothing
        while (
            not isinstance(line, Failure)
            and line != worker.END + end + b"\n"
            and time.monotonic() < late
        ):
            line = self.receive(FINISH, max(0.0, late - time.monotonic()))
        if line != worker.END + end + b"\n":
            self.close()

    def _listen(self):
        with self.process.stdout, contextlib.suppress(Exception):
            while True:
                self.reports.put(self.read())
        self.reports.put(Failure("Ended"))

    def send(self, order: bytes) -> bool:
        """Send an order; False where the process has ended."""
        try:
            self.write(order)
            self.process.stdin.flush()
        except OSError:
            return False
        return self.process.poll() is None

    def receive(self, seconds: float, wall: float | None = None) -> bytes | Failure:
        """The next report, or a Failure: OutOfTime (after `seconds` of processor time, or `wall`,
        else WALL, by the clock), OutOfMemory, Ended."""
        # part of every Jupyter kernel; a browser's Python has none and never comes here
        import psutil

        end, start = time.monotonic() + (WALL if wall is None else wall), None
        while True:
            with contextlib.suppress(queue.Empty):
                return self.reports.get(timeout=LOOK)
            if time.monotonic() > end:
                return Failure("OutOfTime")
            with contextlib.suppress(psutil.Error):
                family = self.family()
                spent = sum(sum(member.cpu_times()[:2]) for member in family)
                start = spent if start is None else start
                if spent - start > seconds:
                    return Failure("OutOfTime")
                if sum(member.memory_info().rss for member in family) > MEMORY:
                    return Failure("OutOfMemory")

    def family(self) -> list[Any]:
        """It and all processes below it. Raises psutil.Error where it has ended."""
        import psutil

        process = psutil.Process(self.process.pid)
        return [process, *process.children(recursive=True)]

    def kill(self) -> None:
        """End it, and what it has started."""
        import psutil

        with contextlib.suppress(psutil.Error):
            for process in self.family()[1:]:
                with contextlib.suppress(psutil.Error):
                    process.kill()
        with contextlib.suppress(ProcessLookupError, PermissionError):  # they have ended
            self.process.kill() if os.name == "nt" else os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def close(self) -> None:
        """Kill it, and close the way to it."""
        self.kill()
        with contextlib.suppress(OSError):  # something was still to be sent
            self.process.stdin.close()


_running = None


def _worker():
    """The worker of this process, made anew where there is none, or where this process is a fork of
    another."""
    global _running
    if _running is None or _running[0] != os.getpid() or _running[1].process.poll() is not None:
        _running = os.getpid(), Worker()
    return _running[1]


@atexit.register
def _close():
    """End the worker with the process whose it is."""
    if _running and _running[0] == os.getpid():
        _running[1].close()


def _outcomes(told, function, calls):
    """The Outcomes of what came: a report or a Failure for each call, then the first call once more
    and the names of what was left changed."""
    outcomes = [
        Outcome(failure=one) if isinstance(one, Failure) else _received(one, function, arguments)
        for one, arguments in zip(told, calls, strict=False)
    ]
    last = told[-1]
    if not outcomes or outcomes[0].failure or (isinstance(last, dict) and "again" not in last):
        return outcomes
    if isinstance(last, Failure):  # it ran, and once more it did not: or it stopped at a later one
        outcomes[0].kept = "" if len(told) > len(calls) else None
        return outcomes
    if last.get("again") and differ(
        outcomes[0], _received(last["again"], function, calls[0]), calls[0]
    ):
        outcomes[0].kept = _name(last.get("kept")) or ""
    return outcomes


def _name(names):
    """The first of names that came, None where there is none."""
    return str(names[0])[:60] if isinstance(names, list) and names else None


def differ(first: Outcome, second: Outcome, arguments: Sequence[Any]) -> bool:
    """Whether two Outcomes of calls with the same arguments differ by more than rounding."""
    if second.failure:
        return True
    ours, theirs = as_arrays(first.value, first.value), as_arrays(second.value, first.value)
    if ours is None or theirs is None:
        return worker.pack(first.value) != worker.pack(second.value)
    return not agree(ours, theirs, tolerance_of(arguments))


def _received(told, function, arguments):
    """The Outcome of a report that came as plain data."""
    try:
        sent, changed = told["value"], told["changed"]
        if changed is not None and not 0 <= changed < len(arguments):
            raise ValueError("no argument")
        outcome = _outcome(
            {**told, "value": worker.unpack(sent), "printed": str(told["printed"])}, function
        )
        outcome.type_description, outcome.replaced = (
            shape_of(sent),
            outcome.replaced and str(outcome.replaced)[:60],
        )
        return outcome
    except Exception:  # no report: it was written by hand
        return Outcome(failure=Failure("Garbled"))


def shape_of(sent: Any) -> str | None:
    """In words, an array that came by its shape alone: it is too large, or holds no numbers. None
    for anything else. Raises where it has none."""
    if not isinstance(sent, dict) or sent.get("other") != "ndarray":
        return None
    kind = np.dtype(str(sent["dtype"]))
    return f"an array of shape {tuple(int(n) for n in sent['shape'])}" + (
        "" if kind.kind in "biuf" else f" and dtype {kind}"
    )


def _outcome(told, function):
    error, nan = told["error"], told["nan"]
    return Outcome(
        told["value"],
        None,
        _failure(*error, function) if error else None,
        told["printed"],
        told["changed"],
        _failure("NaN", *nan, [{}] * len(nan[1]), function) if nan else None,
        replaced=told["replaced"],
    )


def _failure(kind, text, places, frames, function):
    """The error at the student's own innermost line: in the file of their function, or at least
    outside the package's."""
    theirs = getattr(getattr(inspect.unwrap(function), "__code__", None), "co_filename", None)
    mine = str(Path(__file__).parents[1])
    inside = [i for i, (file, _) in enumerate(places) if file == theirs] or [
        i for i, (file, _) in enumerate(places) if not file.startswith(mine)
    ]
    if not inside:
        return Failure(kind, text)
    file, number = places[inside[-1]]
    line = _code_of(linecache.getline(file, number))
    held = {
        name: tuple(what) if isinstance(what, list) else what
        for name, what in frames[inside[-1]].items()
    }
    return Failure(kind, text, line, number, held, _made(file, number, line))


def _code_of(line):
    """A line of a file without a comment at its end."""
    line = line.strip()
    with contextlib.suppress(tokenize.TokenError, SyntaxError):  # a statement of several lines
        for token in tokenize.generate_tokens(io.StringIO(line).readline):
            if token.type == tokenize.COMMENT:
                return line[: token.start[1]].rstrip() or line
    return line


def _made(file, number, line):
    """{variable: line}: where the variables that a line names last got their values, within the
    same function."""
    wanted, found = set(re.findall(r"\w+", line)), {}
    for k in range(number - 1, max(number - 60, 0), -1):
        above = _code_of(linecache.getline(file, k))
        if re.match(r"(?:def|class)\b", above):
            break
        given = re.match(r"([\w\s,]+?)\s*(?:[-+*/@]|//|\*\*)?=(?!=)", above)
        found |= (
            {
                name: above
                for name in wanted & set(re.findall(r"\w+", given[1]))
                if name not in found
            }
            if given
            else {}
        )
    return found


@contextlib.contextmanager
def _clock(seconds):
    """Look at the clocks at each step of what is called inside, and raise OutOfTime there: after so
    many of processor time, or WALL."""
    start, end = (
        time.monotonic(),
        time.process_time() + seconds,
    )  # thread_time is not in every browser

    def look(frame, event, argument):
        if frame.f_code.co_filename == worker.__file__:
            return None  # our own steps are few
        frame.f_trace_opcodes = True  # a loop on one line may have no line event
        spent = (
            time.monotonic() - start
        )  # quick to ask; the processor's time is not, and is no more than this
        if spent > seconds and (spent > WALL or time.process_time() > end):
            raise OutOfTime
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        yield
    finally:
        sys.settrace(before)


def has_gap(function: Function) -> bool:
    """True for a function that still sets a variable to `...`, or returns it: a stub that is not
    filled in."""
    code = getattr(function, "__code__", None)
    steps = list(dis.get_instructions(code)) if code else []
    gaps = (..., (..., ...), (..., ..., ...))
    return any(
        step.opname == "LOAD_CONST"
        and step.argval in gaps
        and after.opname.startswith(("STORE", "RETURN", "UNPACK"))
        or step.opname == "RETURN_CONST"
        and step.argval in gaps  # Python 3.12 and 3.13 return a constant in one step
        for step, after in itertools.pairwise([*steps, *steps[-1:]])
    )
