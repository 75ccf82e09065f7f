"""A student's function as trees that can be changed and run again, and the judge of what comes out.

It is what the searches work on (mending.py, substitution.py). They run where students' code runs,
in the worker: a
changed function may never end, print, or ask for all memory.
"""

import ast
import builtins
import contextlib
import inspect
import io
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

import cloudpickle
import numpy as np

from course_utils.diagnosis.values import Function, agree, arrays_of, as_arrays, near

with contextlib.suppress(ImportError):  # not on Windows, not in browsers
    import resource

FILE = "<candidate>"  # the file name of all that is compiled here
FIRST_LIMIT = 0.2  # seconds of processor time of one call; right ones need a hundredth of that
LATER_LIMIT = 0.02  # of the calls after one that was stopped
QUICKLY = np.ndarray, int, float  # what is copied in less time than by pickle
ROOM = 1 << 30  # bytes that a candidate may ask for beyond what the process has


class TooLong(BaseException):
    """Raised inside a candidate that runs too long. Not an Exception, so `except Exception` does
    not catch it.
    """


@dataclass
class Program:
    """A student's function and the helpers of the same cell that it calls, as trees.

    functions: the checked one first; the lines of each are counted from its `def` as 1. space:
    the pickled
    {name: value} that they see besides. calls: {helper: the line of the first function that leads
    to it}. spans: {function:
    its first and last line in the file}.
    """

    functions: list[ast.FunctionDef]
    space: bytes
    calls: dict[str, int] = field(default_factory=dict)
    spans: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.functions[0].name

    def names(self) -> dict[Any, Any]:
        """What the functions see, with themselves in it: a new dictionary, in which candidates
        are defined.
        """
        names = pickle.loads(self.space)
        if "mine" in names:  # each of its functions is looked up once, not at each call
            used = {
                node.attr
                for tree in self.functions
                for node in ast.walk(tree)
                if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "mine"
            }
            mine = names["mine"]
            names["mine"] = SimpleNamespace(
                **{name: getattr(mine, name) for name in used if hasattr(mine, name)}
            )
        for tree in self.functions:
            define(tree, names)
        return names

    def line(self, function: str, line: int) -> int:
        """A line of one of the functions as a line of the first."""
        return line if function == self.name else self.calls.get(function, 1)

    def made_at(self, function: str, name: str, line: int) -> int:
        """The last line before a line in which a variable got its value, or a part of it; the
        line itself where there is none.
        """
        tree, found = next(tree for tree in self.functions if tree.name == function), []
        node: Any
        for node in ast.walk(tree):
            targets = (
                node.targets
                if isinstance(node, ast.Assign)
                else [node.target]
                if isinstance(node, (ast.AugAssign, ast.For))
                else []
            )
            for target in targets:
                stored = {n.id for n in ast.walk(target) if isinstance(n, ast.Name)} - {
                    n.id
                    for t in ast.walk(target)
                    if isinstance(t, ast.Subscript)
                    for n in ast.walk(t.slice)
                    if isinstance(n, ast.Name)
                }
                if name in stored and node.lineno < line:
                    found.append(node.lineno)
        return max(found, default=line)

    def ends_inside(self, function: str, line: int) -> bool:
        """Whether a line stands in a loop that a `return` ends: what comes after it counts."""
        tree = next(tree for tree in self.functions if tree.name == function)
        return any(
            isinstance(node, (ast.For, ast.While))
            and node.lineno < line <= (node.end_lineno or 0)
            and any(isinstance(inside, ast.Return) for inside in ast.walk(node))
            for node in ast.walk(tree)
        )

    @property
    def has_helpers_above(self) -> bool:
        """Whether a helper stands above the checked function, whose lines start the count."""
        return any(self.spans[tree.name] < self.spans[self.name] for tree in self.functions[1:])

    @property
    def only_line(self) -> tuple[int, ...]:
        """The line of the only statement, in a tuple; () where there are several."""
        body = [
            one
            for one in self.functions[0].body
            if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
        ]
        single = len(body) == 1 and isinstance(body[0], (ast.Return, ast.Expr, ast.Assign))
        return (body[0].lineno,) if single else ()

    @property
    def gap_line(self) -> tuple[int, ...]:
        """The first line in which a value is still `...`, in a tuple; () where none is."""
        nodes: list[Any] = [node for tree in self.functions[:1] for node in ast.walk(tree)]
        indices = [node.slice for node in nodes if isinstance(node, ast.Subscript)]
        apart = {id(n) for index in indices for n in ast.walk(index)}
        apart |= {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        gaps = [n.lineno for n in nodes if getattr(n, "value", None) is ... and id(n) not in apart]
        return tuple(sorted(gaps)[:1])

    def lines_at(self, number: int | None) -> tuple[int, ...]:
        """A line of the student's file as a line of the first function, in a tuple; () where it
        is in none of them.
        """
        inside = [
            name
            for name, (first, last) in self.spans.items()
            if number is not None and first <= number <= last
        ]
        if number is None or not inside:
            return ()
        return (self.line(inside[0], number - self.spans[inside[0]][0] + 1),)

    def is_first(self, function: str, line: int) -> bool:
        """Whether no statement of the checked function stands above a line."""
        above = [
            node
            for node in self.functions[0].body
            if node.lineno < line and not isinstance(getattr(node, "value", None), ast.Constant)
        ]
        return function == self.name and not above

    def is_last(self, function: str, line: int) -> bool:
        """Whether nothing is done after a line of the checked function: a `return` of variables
        may stand there.
        """
        later = [
            node
            for node in ast.walk(self.functions[0])
            if isinstance(node, ast.stmt) and node.lineno > line
        ]
        return function == self.name and all(map(_gives_names, later))

    def statement(self, function: str, line: int) -> str:
        """The first line of the statement that stands at a line of a function, as text; "" where
        none does.
        """
        tree = next(tree for tree in self.functions if tree.name == function)
        found = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.stmt)
            and node is not tree
            and node.lineno <= line <= (node.end_lineno or node.lineno)
        ]
        if not found:
            return ""
        return ast.unparse(
            min(found, key=lambda node: (node.end_lineno or 0) - node.lineno)
        ).partition("\n")[0]


def _gives_names(statement) -> bool:
    """Whether a statement gives back variables as they are."""
    value = getattr(statement, "value", None)
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    return isinstance(statement, ast.Return) and all(isinstance(p, ast.Name) for p in parts)


def define(tree: ast.FunctionDef, names: dict[Any, Any]) -> None:
    """Define a function among the names that it sees."""
    exec(compile(ast.Module([tree], []), FILE, "exec"), names)


def read_program(function: Function) -> Program | None:
    """The program of a student's function; None where its text is not to be had, or what it uses
    cannot be sent.
    """
    trees: list[ast.FunctionDef] = []
    space: dict[str, Any] = {}
    calls: dict[str, int] = {}
    spans, waiting, seen = {}, [(function, "")], set()
    while waiting:
        one, caller = waiting.pop(0)
        if one in seen:
            continue
        seen.add(one)
        tree = definition(one)
        if tree is None:
            if not trees:
                return None
            space[one.__name__] = one
            continue
        trees.append(tree)
        spans[tree.name] = tree.lineno, tree.end_lineno or tree.lineno
        ast.increment_lineno(tree, 1 - tree.lineno)
        held = zip(one.__code__.co_freevars, one.__closure__ or (), strict=True)
        visible = {
            **one.__globals__,
            **{name: cell.cell_contents for name, cell in held if _is_full(cell)},
        }
        for node in ast.walk(tree):
            if not isinstance(node, ast.Name) or node.id not in visible:
                continue
            other = visible[node.id]
            if _is_helper(other, one, node.id):
                calls.setdefault(node.id, node.lineno if not caller else calls.get(caller, 1))
                waiting.append((other, one.__name__))
            else:
                space[node.id] = other
    space.setdefault("np", np)
    try:
        return Program(trees, cloudpickle.dumps(space), calls, spans)
    except Exception:  # a widget, a lock, an open file
        return None


def _is_full(cell) -> bool:
    try:
        return bool(cell.cell_contents is cell.cell_contents)
    except ValueError:
        return False


def _is_helper(other, function, name: str) -> bool:
    return (
        isinstance(other, FunctionType)
        and other.__name__ == name
        and other.__code__.co_filename == function.__code__.co_filename
    )


def definition(function: Function) -> ast.FunctionDef | None:
    """The tree of a function, or of a lambda as a function; None where it cannot be read."""
    if not isinstance(function, FunctionType):
        return None
    code = function.__code__
    try:
        whole = ast.parse("".join(inspect.findsource(function)[0]))
    except (OSError, SyntaxError, IndexError):
        return None
    found = [
        node
        for node in ast.walk(whole)
        if isinstance(node, (ast.FunctionDef, ast.Lambda)) and _is_of(node, code)
    ]
    if len(found) > 1:  # several lambdas in one line
        found = [node for node in found if _code(node).co_code == code.co_code] or found
    if not found:
        return None
    tree = found[0]
    if isinstance(tree, ast.Lambda):
        name = function.__name__ if function.__name__.isidentifier() else "student"
        body = ast.copy_location(ast.Return(tree.body), tree.body)
        tree = ast.copy_location(_blank_function(name, tree.args, body), tree)
    tree.decorator_list, tree.returns = [], None
    return ast.fix_missing_locations(tree)


def _blank_function(name, arguments, statement) -> ast.FunctionDef:
    tree: Any = ast.parse(f"def {name}(): pass").body[0]
    tree.args, tree.body = arguments, [statement]
    return tree


def _is_of(node, code) -> bool:
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
    given = [a.arg for a in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]]
    return (
        first == code.co_firstlineno
        and getattr(node, "name", "<lambda>") == code.co_name
        and given == list(code.co_varnames[: len(given)])
    )


def _code(node):
    body = ast.Expression(node) if isinstance(node, ast.Lambda) else ast.Module([node], [])
    compiled = compile(body, FILE, "eval" if isinstance(node, ast.Lambda) else "exec")
    return next(part for part in compiled.co_consts if hasattr(part, "co_code"))


# What is right.


def is_numeric(value: object) -> bool:
    return (
        isinstance(value, (np.ndarray, float, int, np.number, np.bool_))
        and np.asarray(value).dtype.kind in "biuf"
    )


def same_value(a: Any, b: Any, tolerance: float = 1e-7) -> bool:
    """Whether two values of runs are the same: numbers within rounding and of one shape, all else
    by equality.
    """
    if is_numeric(a) and is_numeric(b):
        return np.shape(a) == np.shape(b) and agree([np.asarray(a)], [np.asarray(b)], tolerance)
    if type(a) is not type(b):
        return False
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(
            same_value(x, y, tolerance) for x, y in zip(a, b, strict=True)
        )
    try:
        return bool(a == b)
    except Exception:  # things that refuse to be compared
        return False


def _is_small(value, most: list[Any] | None = None, depth: int = 0) -> bool:
    """Whether a list, and the lists in it, may be looked through: a candidate may put one into
    itself, or fill it without end.
    """
    if not isinstance(value, (list, tuple)):
        return True
    most = most if most is not None else [100_000]
    most[0] -= len(value)
    return depth < 6 and most[0] > 0 and all(_is_small(part, most, depth + 1) for part in value)


def fingerprint(value: Any) -> Any:
    """Equal for two tables (or lists) of numbers that are equal within rounding; None for single
    numbers and all else.
    """
    if isinstance(value, list):
        return ("list", _digest(value)) if len(value) > 1 else None
    if not is_numeric(value) or np.size(value) < 2:
        return None
    return _digest(value)


def print_of(value: Any, like: Any) -> Any:
    """The fingerprint of a whole result, in the form of another one; None where that cannot be."""
    try:
        arrays = as_arrays(value, like) if _is_small(value) else None
        return arrays and _digest(arrays)
    except Exception:  # things that are no arrays of numbers
        return None


def _digest(value):
    """What tells a value from others, but for rounding."""
    if isinstance(value, (list, tuple)):
        return tuple(map(_digest, value))
    if isinstance(value, dict):
        return tuple((key, _digest(part)) for key, part in value.items())
    if not is_numeric(value):
        return repr(value)
    return np.shape(value), (np.round(np.asarray(value, float), 6) + 0.0).tobytes()


@dataclass
class Judge:
    """The calls of a check, and what the right function gives back.

    n_ordinary calls come first, then traps; those from `fresh` on are for a second look only.
    seconds: the longest that a right call takes.
    """

    calls: list[tuple[Any, ...]]
    wanted: list[Any]
    tolerances: list[float]
    canonicalise: Callable[..., Any]
    n_ordinary: int
    fresh: int
    seconds: float = 0.0

    def is_right(self, value: object, i: int) -> bool:
        """Whether a value is what call number i wants, as far as the task tells them apart."""
        return self.is_same(value, self.wanted[i], i)

    def is_same(self, value: object, wanted: Any, i: int) -> bool:
        """Whether a value is another one, as far as the task tells them apart on call number i."""
        if not _is_small(value):
            return False
        try:
            like = as_arrays(wanted, wanted)
            if like is None:
                return same_value(value, wanted, self.tolerances[i])
            got = None if value is None else as_arrays(value, wanted)
            if not got:
                return False
            came = self.canonicalise(got, like)
            return agree(came, like, self.tolerances[i])
        except Exception:  # things that are no arrays of numbers
            return False

    def share_right(self, value: object, i: int) -> tuple[int, float]:
        """How near a wrong value is: (how many of its parts have the right shape, the share of
        right numbers in them).
        """
        try:
            if not _is_small(value):
                return -1, 0.0
            got, like = as_arrays(value, self.wanted[i]), arrays_of(self.wanted[i])
            pairs = [(a, b) for a, b in zip(got or (), like, strict=True) if a.shape == b.shape]
            return len(pairs), sum(
                float(near(a.astype(float), b.astype(float), 1e-6).mean())
                for a, b in pairs
                if a.size
            )
        except Exception:
            return -1, 0.0


class Runner:
    """Calls functions of candidates on a judge's inputs, each for a short time only."""

    def __init__(self, judge: Judge) -> None:
        self.judge, self.limit = judge, FIRST_LIMIT
        self.packed = [
            None if all(isinstance(one, QUICKLY) for one in call) else pickle.dumps(call)
            for call in judge.calls
        ]

    def copies(self, i: int) -> Sequence[Any]:
        """The arguments of a call, for one candidate alone."""
        if (packed := self.packed[i]) is not None:
            return pickle.loads(packed)
        return [one.copy() if isinstance(one, np.ndarray) else one for one in self.judge.calls[i]]

    def shorten(self, slowest: float) -> None:
        """Give a call no longer than a run of this length may need: what never ends is found out
        sooner.
        """
        self.limit = min(FIRST_LIMIT, max(0.004, 6 * slowest, 20 * self.judge.seconds))

    def shorten_after(self, error: tuple[str, int] | None) -> None:
        """Give the other calls less time once one was stopped: a loop that does not end on one
        input seldom ends on the next.
        """
        if error and error[0] == "TooLong":
            self.limit = min(self.limit, LATER_LIMIT)

    def call(self, function: Function, i: int) -> tuple[Any, tuple[str, int] | None]:
        """(value, None) or (None, (the error's type, the line where it stopped))."""
        try:
            arguments = self.copies(i)
            with time_limit(self.limit):
                return function(*arguments), None
        except BaseException as error:
            # whatever a candidate does: SystemExit, TooLong, MemoryError
            step, line = error.__traceback__, 0
            while step is not None:
                line = step.tb_lineno if step.tb_frame.f_code.co_filename == FILE else line
                step = step.tb_next
            return None, (type(error).__name__, line)

    def is_right(self, function: Function, i: int) -> bool:
        value, error = self.call(function, i)
        return error is None and self.judge.is_right(value, i)


_is_set = False  # whether the signal of the clock raises TooLong


@contextlib.contextmanager
def clock() -> Iterator[None]:
    """Inside, the signal of the clock raises TooLong. Around many calls, it is set once.

    While an object is being deleted Python reports an error instead of raising it. That report is
    dropped: the clock rings again.
    """
    global _is_set
    if _is_set:
        yield
        return
    before, _is_set = signal.signal(signal.SIGVTALRM, _stop), True
    report = sys.unraisablehook
    sys.unraisablehook = lambda lost: lost.exc_type is TooLong or report(lost)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)  # without TooLong its signal ends the process
        _is_set = False
        signal.signal(signal.SIGVTALRM, before)
        sys.unraisablehook = report


def has_clock() -> bool:
    """Whether the system can stop a function after a time: Windows and browsers cannot."""
    is_able = hasattr(signal, "setitimer") and sys.platform != "emscripten"
    return is_able and threading.current_thread() is threading.main_thread()


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TooLong in a candidate that runs inside after so many seconds of processor time, as
    often as it is caught there.
    """
    if has_clock():
        with clock():
            signal.setitimer(signal.ITIMER_VIRTUAL, seconds, seconds)
            try:
                yield
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return
    end, before = time.monotonic() + seconds, sys.gettrace()

    def look(frame, event, argument):  # without a clock: look at each step
        # a loop on one line has no line events
        frame.f_trace_opcodes = frame.f_code.co_filename == FILE
        if time.monotonic() > end:
            _stop(None, frame)
        return look

    sys.settrace(look)
    try:
        yield
    finally:
        sys.settrace(before)


def _stop(_, frame):
    """Raise TooLong where a candidate runs; never in the clock's own lines, which must set it
    back.
    """
    while frame is not None:
        if frame.f_code.co_filename == FILE:
            raise TooLong
        frame = frame.f_back


class _Nowhere(io.TextIOBase):
    """Takes what candidates print, and keeps nothing."""

    def write(self, text):
        return len(text)


@contextlib.contextmanager
def quiet_room() -> Iterator[None]:
    """Inside, what candidates print is lost, NumPy does not warn, and no array may be too large
    (where the system can say so).
    """
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.redirect_stdout(_Nowhere()))
        stack.enter_context(contextlib.redirect_stderr(_Nowhere()))
        stack.enter_context(np.errstate(all="ignore"))
        if has_clock():
            stack.enter_context(clock())
        with contextlib.suppress(NameError, OSError, ValueError):  # without `resource`
            pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0])
            before = resource.getrlimit(resource.RLIMIT_AS)
            most = pages * resource.getpagesize() + ROOM
            if before[1] == resource.RLIM_INFINITY or most < before[1]:
                resource.setrlimit(resource.RLIMIT_AS, (most, before[1]))
                stack.callback(resource.setrlimit, resource.RLIMIT_AS, before)
        yield


BUILTINS = frozenset(dir(builtins))
