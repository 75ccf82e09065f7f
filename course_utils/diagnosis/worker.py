"""A process in which a student's function is called: whatever it does there, the notebook lives on.

It takes orders from stdin and sends plain data (JSON) to stdout. Where it can, it forks: it stays
warm and runs nothing of the student's itself, and each check has a child of its own, which is ended
with all that it has started. So nothing that a function assigns, starts or opens lasts longer than
its check. Elsewhere (Windows; macOS, whose libraries do not all survive a fork) the function is
called in this process: what it assigned is put back, and where it leaves a thread or a process
behind, this process ends, too.

It is started by path, so it imports nothing of the course but what the function itself needs.
"""

import base64
import builtins
import contextlib
import copy
import ctypes
import importlib
import io
import json
import os
import pickle
import random
import select
import signal
import sys
import threading
import time
import types
from collections.abc import Callable
from typing import Any

if __name__ == "__main__":
    sys.path.pop(0)  # the folder of this file: its modules have names that others use, too

from collections.abc import Iterable, Iterator, Sequence
from typing import IO

import cloudpickle  # noqa: F401
import numpy as np

FORKS = sys.platform == "linux"
# seconds without a question, after which the process ends: memory is scarce on a shared machine
IDLE = 120.0
MOST_PRINTED = 1 << 16  # characters
MOST_RETURNED = 1 << 26  # bytes of a value as JSON
LINE = MOST_RETURNED + (1 << 20)  # bytes of one answer
DEEPEST = 50  # lists within lists
ANSWER, END = b"=", b"."  # what a line to the notebook begins with
SUBREAPER = 36  # of prctl: what loses its parent becomes a child of this process
GUARDED = (
    "contextlib",
    "copy",
    "functools",
    "itertools",
    "json",
    "math",
    "operator",
    "os",
    "random",
    "re",
    "time",
)
NAMES = {
    "": vars(builtins),
    "np.": vars(np),
    "np.linalg.": vars(np.linalg),
    "sys.modules.": sys.modules,
    **{f"{name}.": vars(importlib.import_module(name)) for name in GUARDED},
}  # {how a name begins: where its values stand}


# Plain data: nothing in it is ever run.


def pack(value: Any, depth: int = 0) -> Any:
    """A value as JSON takes it: numbers and texts as they are, arrays by their bytes, lists,
    tuples, dicts and sets by their parts, of anything else only its type. `unpack` makes the value
    of it again.
    """
    if value is None or type(value) in (bool, int, float, str):
        return value
    if value is ...:
        return {"gap": None}
    if depth > DEEPEST:
        raise RecursionError("a list within itself")
    if isinstance(value, (list, tuple, set, frozenset)):
        kind = "list" if isinstance(value, list) else "tuple" if isinstance(value, tuple) else "set"
        return {
            kind: [
                pack(part, depth + 1)
                for part in (value if kind != "set" else sorted(value, key=repr))
            ]
        }
    if isinstance(value, dict):
        return {
            "dict": [[pack(key, depth + 1), pack(part, depth + 1)] for key, part in value.items()]
        }
    try:
        array = np.asarray(value)
        if array.dtype.kind == "f" and array.dtype.itemsize > 8:
            array = array.astype(float)
        if array.dtype.kind in "biuf" and array.nbytes <= MOST_RETURNED:
            kind = "array" if isinstance(value, np.ndarray) or array.shape else "number"
            data = base64.b64encode(array.tobytes()).decode()
            return {kind: data, "dtype": array.dtype.name, "shape": array.shape}
    except Exception:  # an object that refuses
        pass
    return _kind(value)


def _kind(value):
    """Of a value that is not sent: its type, of an array its shape and what it holds."""
    if isinstance(value, np.ndarray):
        return {"other": "ndarray", "shape": value.shape, "dtype": value.dtype.name}
    return {"other": type(value).__name__}


def pack_within(value: Any, most: int) -> Any:
    """A value packed; only its kind where it is longer than `most` bytes, or a list within
    itself."""
    try:
        sent = pack(value)
        return sent if len(json.dumps(sent)) <= most else _kind(value)
    except (
        MemoryError,
        RecursionError,
        ValueError,
    ):  # a number of a million digits is a ValueError
        return _kind(value)


def unpack(sent: Any) -> Any:
    """The value that `pack` made into `sent`. Raises where it is not of that form; nothing in it is
    ever run."""
    if sent is None or isinstance(sent, (bool, int, float, str)):
        return sent
    (kind, content), *_ = sent.items()
    if kind == "gap":
        return ...
    if kind in ("list", "tuple", "set"):
        return {"list": list, "tuple": tuple, "set": set}[kind](unpack(part) for part in content)
    if kind == "dict":
        return {unpack(key): unpack(part) for key, part in content}
    if kind in ("array", "number"):
        dtype = np.dtype(str(sent["dtype"]))
        if dtype.kind not in "biuf":
            raise ValueError(f"dtype: got {dtype}, wanted numbers")
        array = np.frombuffer(base64.b64decode(content), dtype).reshape(sent["shape"]).copy()
        return array if kind == "array" else array[()]
    name = str(content)[:40]
    return type(name if name.isidentifier() else "object", (), {})()


# A call.


Function = Callable[..., Any]  # a student's, or one of ours
Told = dict[str, Any]  # what is said of a call, as plain data
Send = Callable[[Told], None]


class PrintsTooMuch(BaseException):
    """Raised inside a function that prints without end. Not an Exception, so `except Exception`
    does not catch it."""


class Printed(io.StringIO):
    """What the function prints, up to a limit."""

    def write(self, text: str) -> int:
        if self.tell() > MOST_PRINTED:
            raise PrintsTooMuch
        return super().write(text)


def call(function: Function, arguments: Sequence[Any], is_trusted: bool = False) -> Told:
    """Call function(*arguments) on copies. Returns a dict: value or error, printed, changed (the
    number of an argument), nan (where NaN began). is_trusted: it is the course's own."""
    copies = copy.deepcopy(arguments)
    told = call_once(function, copies, is_trusted)
    changed = [
        k
        for k, (before, after) in enumerate(zip(arguments, copies, strict=True))
        if not is_same(before, after)
    ]
    told |= {"changed": changed[-1] if changed else None, "nan": None}
    if told["value"] is not None and has_nan(told["value"]):
        told["nan"] = where_nan_begins(function, copy.deepcopy(arguments))
    return told


def call_once(
    function: Function, arguments: Sequence[Any], is_trusted: bool = False, **errors: Any
) -> Told:
    """Call function(*arguments). Returns a dict: value or error, printed, replaced (the name of a
    function of NumPy or Python in whose place it put something; the right one is there again).
    is_trusted: it is the course's own, and puts nothing in another's place. errors: of np.errstate,
    by itself none.
    """
    told: Told = {"value": None, "error": None}
    printed, here, raised = Printed(), os.getpid(), None
    with (
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
        np.errstate(**errors or {"all": "ignore"}),
    ):
        held = () if is_trusted else NAMES.items()
        before = [(shown, names, dict(names)) for shown, names in held]
        try:
            told["value"] = function(*arguments)
        except BaseException as error:  # SystemExit, too: a check must come back with a word
            raised = error
        replaced = put_back(before)
        told["error"] = describe_error(raised) if raised else None
    if os.getpid() != here:  # the function has forked, and this is the fork: one of the two answers
        os._exit(0)
    return {**told, "printed": _shown(printed.getvalue()[:MOST_PRINTED]), "replaced": replaced}


def put_back(before: Iterable[tuple[str, dict[str, Any], dict[str, Any]]]) -> str | None:
    """Give names the values that they had. Returns the first that had another, or None. It needs
    nothing that could be replaced."""
    found = None
    for shown, names, values in before:
        for name, value in values.items():
            if name not in names or names[name] is not value:
                names[name] = value
                found = found or shown + name
    return found


def is_same(before: Any, after: Any) -> bool:
    """Whether an argument holds after the call what it held before. What is neither numbers, text
    nor made of them is not compared."""
    if isinstance(before, np.ndarray):
        return isinstance(after, np.ndarray) and np.array_equal(
            before, after, equal_nan=before.dtype.kind == "f"
        )
    if isinstance(before, (list, tuple)):
        return len(before) == len(after) and all(map(is_same, before, after))
    if isinstance(before, dict):
        return list(before) == list(after) and all(
            is_same(before[key], after[key]) for key in before
        )
    if isinstance(before, set):
        return before == after
    return not isinstance(before, (int, str)) or before == after


def _shown(text):
    """Text that every page can hold: half of a character by its number."""
    return text.encode("utf-8", "backslashreplace").decode()


def describe_error(error: BaseException) -> tuple[str, str, list[Any], list[Any]]:
    """An error as (type, text, [(file, line)], [{variable: what it holds}]), the innermost frame
    last."""
    try:
        text = str(error)
    except Exception:  # an error class of the student's own may fail even here
        text = ""
    places, frames, step = [], [], error.__traceback__
    while step is not None:
        places.append((step.tb_frame.f_code.co_filename, step.tb_lineno))
        frames.append(
            {str(name): holds(value) for name, value in list(step.tb_frame.f_locals.items())[:40]}
        )
        step = step.tb_next
    return _shown(type(error).__name__[:60]), _shown(text[:2000]), places[:50], frames[:50]


def holds(value: Any) -> Any:
    """What a variable holds, as a shape where it has one."""
    if isinstance(value, np.ndarray):
        return value.shape
    return "None" if value is None else type(value).__name__


def has_nan(value: Any) -> bool:
    try:
        parts = value if isinstance(value, (tuple, list)) else [value]
        return any(np.isnan(np.asarray(part, dtype=float)).any() for part in parts)
    except Exception:  # no numbers
        return False


def where_nan_begins(function: Function, arguments: Sequence[Any]) -> Any:
    """(what NumPy says, places) of the first step that overflows or has no answer; None where NaN
    came in with the arguments."""
    error = call_once(
        function, arguments, over="raise", invalid="raise", divide="raise", under="ignore"
    )["error"]
    return error[1:3] if error and error[0] == "FloatingPointError" else None


# What outlives a call.


def lasting(function: Any) -> dict[str, str]:
    """{name: what it holds, as text} of what outlives a call of a function: its default values,
    variables around it, names of its notebook that it and its helpers read."""
    held, waiting, seen = {}, [function], []
    while waiting:
        one = waiting.pop(0)
        code = getattr(one, "__code__", None)
        if not isinstance(code, types.CodeType) or code in seen:
            continue
        seen.append(code)
        names, values = code.co_varnames[: code.co_argcount], one.__defaults__ or ()
        found = dict(zip(names[len(names) - len(values) :], values, strict=True)) | (
            one.__kwdefaults__ or {}
        )
        for name, cell in zip(code.co_freevars, one.__closure__ or (), strict=True):
            with contextlib.suppress(ValueError):  # a cell that is still empty
                found[name] = cell.cell_contents
        found |= {name: one.__globals__[name] for name in _names(code) if name in one.__globals__}
        found |= {f"{one.__name__}.{name}": value for name, value in vars(one).items()}
        waiting += [value for value in found.values() if isinstance(value, types.FunctionType)]
        held |= {
            name: json.dumps(pack_within(value, 1 << 20))
            for name, value in found.items()
            if not callable(value) and not isinstance(value, types.ModuleType)
        }
    return held


def _names(code):
    """The names that a code, and that of functions within it, looks up outside."""
    within = [
        name for part in code.co_consts if isinstance(part, types.CodeType) for name in _names(part)
    ]
    return [*code.co_names, *within]


@contextlib.contextmanager
def restored() -> Iterator[None]:
    """Put back what is assigned inside: the names in NumPy, in Python's modules and in the
    course's, `sys.modules`, `sys.path`, the environment, the folder, the states of random numbers,
    how NumPy prints."""
    modules, path, limit = dict(sys.modules), list(sys.path), sys.getrecursionlimit()
    environment, folder = dict(os.environ), os.getcwd()
    held = [(names, dict(names)) for names in NAMES.values() if names is not sys.modules]
    held += [
        (vars(module), dict(vars(module)))
        for name, module in modules.items()
        if name.split(".")[0] in ("numpy", "course_utils") and isinstance(module, types.ModuleType)
    ]
    prints, python = np.get_printoptions(), random.getstate()
    legacy = np.random.get_state()  # noqa: NPY002
    try:
        yield
    finally:
        for names, before in held:
            for name in [
                name
                for name in names
                if name not in before and not isinstance(names[name], types.ModuleType)
            ]:
                del names[name]
        put_back([("", names, before) for names, before in held])
        for name in [
            name
            for name, module in sys.modules.items()
            if name not in modules and getattr(module, "__spec__", None) is None
        ]:
            del sys.modules[name]  # it was put there by hand, not imported
        sys.modules.update(modules)
        sys.path[:] = path
        sys.setrecursionlimit(limit)
        if os.environ != environment:
            os.environ.clear()
            os.environ.update(environment)
        with contextlib.suppress(OSError):  # a folder that is gone
            os.chdir(folder)
        random.setstate(python)
        np.random.set_state(legacy)  # noqa: NPY002
        np.set_printoptions(**prints)


# An order: (search path, the folder of the student's functions, modules to have ready, the pickle
# of (what, function, arguments), what the line at the end says).


def answer(data: bytes, send: Send) -> None:
    """Do what an order says, and send what came of it, a line for each call. Lines hold plain
    data."""
    try:
        what, function, given = pickle.loads(data)
    except BaseException as error:  # a module that is not found here
        send({"unreadable": type(error).__name__})
        return
    send({"ready": True})  # what was imported until now is not the function's time
    if what == "search":
        told = call_once(function, given)
        send({**told, "value": pack_within(told["value"], MOST_RETURNED)})
        return
    for told in reports(function, given):
        send(told)


def reports(function: Function, calls: Sequence[tuple[Any, ...]]) -> Iterator[Told]:
    """A report of each call as it is done. The last one has the first call once more, and the names
    of what the calls have changed."""
    before, first = lasting(function), None
    for arguments in calls:
        told = report(function, arguments)
        first = first or told
        yield told
    again = report(function, calls[0]) if first and not first["error"] else None
    after = lasting(function)
    yield {
        "again": again,
        "kept": [name for name in before if before[name] != after.get(name)][:20],
    }


def report(function: Function, arguments: Sequence[Any]) -> Told:
    """What a call did, as plain data."""
    told = call(function, arguments)
    return told | {"value": pack_within(told["value"], MOST_RETURNED)}


def lines_to(file: IO[bytes]) -> Send:
    """A function that writes plain data as a line of a binary file."""

    def send(told):
        file.write(json.dumps(told).encode() + b"\n")
        file.flush()

    return send


def warm(path: list[str], kept: str, modules: Iterable[str]) -> None:
    """Look where the notebook looks, and import what the order needs of the course, once for all
    checks."""
    sys.path[:], os.environ["COURSE_FOLDER"] = path, kept
    for name in modules:
        with contextlib.suppress(BaseException):
            importlib.import_module(name)


def answer_in_a_child(data: bytes, orders: int, answers: IO[bytes]) -> bool:
    """Do what an order says in a fork, which ends with all that it has started. Its lines go on to
    the notebook. Returns True."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            os.close(orders)
            os.close(answers.fileno())  # what it writes goes to the process above it alone
            answer(data, lines_to(os.fdopen(writing, "wb")))
        finally:
            os._exit(0)
    os.close(writing)
    relay(reading, orders, child, answers)
    os.close(reading)
    end_children(child)
    return True


def relay(reading: int, orders: int, child: int, answers: IO[bytes]) -> None:
    """Send on what the child writes, line by line, until it has ended or the notebook has something
    new to say."""
    waiting, ended = bytearray(), False
    while True:
        ready, _, _ = select.select([reading, orders], [], [], 0.05)
        if orders in ready:
            return
        if reading in ready:
            data = os.read(reading, 1 << 16)
            if not data:
                return
            start = len(waiting)
            waiting += data
            while (end := waiting.find(b"\n", start)) >= 0:
                answers.write(ANSWER + waiting[: end + 1])
                del waiting[: end + 1]
                start = 0
            answers.flush()
            if len(waiting) > LINE:
                return
        elif ended:  # what it wrote has been read; what it started may hold the pipe open
            return
        else:
            ended = os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def end_children(child: int) -> None:
    """End a fork and whatever it has started, in whichever group it is."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):  # there are none left
        os.waitpid(child, 0)
        while True:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                kill_all_below()
                time.sleep(0.005)


def kill_all_below() -> int:
    """Kill every process below this one. Returns how many there were."""
    import psutil  # slow to import, and seldom needed

    below = psutil.Process().children(recursive=True)
    for process in below:
        with contextlib.suppress(psutil.Error):
            process.kill()
    return len(below)


def answer_here(data: bytes, answers: IO[bytes]) -> bool:
    """Do what an order says in this process. Returns whether the process may go on: nothing was
    left behind."""
    send = lines_to(answers)

    def send_answer(told):
        answers.write(ANSWER)
        send(told)

    threads = threading.active_count()
    with restored():
        answer(data, send_answer)
    return threading.active_count() <= threads and not kill_all_below()


def read_order(orders: int) -> bytes:
    """The bytes of the next order; none of them ends what the last one began. orders: a descriptor.
    Raises EOFError."""

    def exactly(n):
        data = bytearray()
        while len(data) < n:
            part = os.read(orders, min(n - len(data), 1 << 20))
            if not part:
                raise EOFError
            data += part
        return bytes(data)

    return exactly(int.from_bytes(exactly(8), "big"))


def next_order(orders: int) -> bytes:
    """The bytes of the next order that asks for something. Ends this process where none comes for a
    while."""
    idle = threading.Timer(
        IDLE, os._exit, (0,)
    )  # Windows cannot wait for a pipe and a clock at once
    idle.start()
    try:
        while not (order := read_order(orders)):
            pass
        return order
    finally:
        idle.cancel()
        idle.join()  # a fork wants no other threads, and those of a student are counted


def main(forks: bool = FORKS) -> None:
    """Answer until stdin ends or nothing comes for a while. The function's own stdin is empty."""
    orders, answers = os.dup(0), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    sys.stdin = io.StringIO()
    if forks:
        ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    with contextlib.suppress(EOFError):  # the notebook has ended
        while order := next_order(orders):
            path, kept, modules, data, end = pickle.loads(order)
            warm(path, kept, modules)
            goes_on = (
                answer_in_a_child(data, orders, answers) if forks else answer_here(data, answers)
            )
            if not goes_on:
                break
            answers.write(END + end + b"\n")
            answers.flush()
    os._exit(0)


CHECKS = __name__ == "__main__"  # for who asks sys.modules["__main__"]
if CHECKS:
    main(*([False] if "--one-process" in sys.argv else []))
