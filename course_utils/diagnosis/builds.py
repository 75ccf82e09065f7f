"""The step of a build that first goes wrong: a student's calls beside those of a right run on the
same input.

A build is made of parts: functions of earlier exercises, or functions among its arguments. Both
runs note their calls. The first call that no right run makes is told: which one, which argument,
and what that argument is in place of what. Values are compared, never code; so what is said holds
of any way to write it.
"""

import ast
import dataclasses
import importlib.util
import inspect
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from course_utils.diagnosis.call_recording import record
from course_utils.diagnosis.candidates import read_program, same_value
from course_utils.diagnosis.lists import describe_list
from course_utils.diagnosis.running import run_search
from course_utils.diagnosis.values import Function, agree, as_arrays
from course_utils.diagnosis.verdicts import reference_source

if TYPE_CHECKING:
    from course_utils.diagnosis.exercise import Exercise

SECONDS = 1.0  # of processor time, for one run whose calls are noted
MOST_TERMS = 5000  # named values that a difference may be made of
OTHER_NUMBERS = "It holds other numbers than in a right run."
HERE = "On the input of the check: "
ORDINALS = "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"


@dataclass(frozen=True)
class Step:
    """The step that first goes wrong: a name or None, sentences, the lines of the function, counted
    from its `def` as 1. is_end: whether all calls are right, and only what comes back is not.
    after, after_lines: what is said of a second one, or "", and its lines.
    """

    name: str | None
    sentences: str
    lines: tuple[int, ...] = ()
    is_end: bool = False
    after: str = ""
    after_lines: tuple[int, ...] = ()


@dataclass(frozen=True)
class WrongArgument:
    """An argument that a right run has not: what is said of it; the line of its call and its name;
    the line where it went wrong; the block of its call; (the variable, its line in the file, its
    right values in the order of time), where it was made, or None.
    """

    name: str | None
    sentences: str
    lines: tuple[int, ...]
    place: tuple[int | None, str]
    line: int | None
    block: int | None
    made: tuple[str, int, list[Any]] | None = None


@dataclass(frozen=True, eq=False)
class Call:
    """A call as it was noted."""

    name: str
    parameters: list[str]
    values: list[Any]
    result: object
    line: int | None
    block: int | None


@dataclass(frozen=True, eq=False)
class Value:
    """A variable that was given a value."""

    name: str
    value: object
    line: int | None
    block: int | None


class Run:
    """What was seen in one run: its calls and its variables in the order of time, and what came
    back.
    """

    def __init__(self, events: list[list[Any]]) -> None:
        self.events = [Call(*e[1:]) if e[0] == "call" else Value(*e[1:]) for e in events[:-1]]
        self.calls = [event for event in self.events if isinstance(event, Call)]
        _, self.result, self.line = events[-1]


def is_build(exercise: "Exercise") -> bool:
    """Whether an exercise is put together of functions: earlier exercises, or such as are among its
    arguments.
    """
    return bool(exercise.parts) or any(callable(argument) for argument in exercise.tries[0])


def find_first_step(
    exercise: "Exercise",
    function: Function,
    arguments: Sequence[Any],
    tolerance: float,
    is_stopped: bool = False,
) -> Step | None:
    """The first step of function(*arguments) that a right run does not make; None where nothing can
    be said.

    The student's function is run in the worker. is_stopped: it stops with an error, and only a
    wrong call before that is told.
    """
    right = right_run(exercise.name, arguments)
    if right is None or not inspect.isfunction(function):
        return None
    own = {
        name: name.removeprefix("my_")
        for name in function.__globals__
        if _reference(name.removeprefix("my_"))
    }
    own.pop(function.__name__, None)

    def beside(function, *mended):
        noted = run_search(record, function, arguments, own, *mended, seconds=SECONDS)
        if not isinstance(noted, list):  # a Failure, or too much for a line
            return None
        return _Beside(exercise, function, arguments, Run(noted), right, tolerance)

    first = beside(function)
    step = first and first.step(is_stopped)
    if not step or not first.wrong:
        return step
    name, line, values = first.wrong.made or ("", 0, [])
    # a list grows later on: what is put into it would be in all that is made of it
    is_list = any(isinstance(value, list) for value in values)
    if mended := name and not is_list and _with_right_value(function, name, line):
        then = beside(mended, (), values)
    else:  # the call gives what is right
        results = first.right_results()
        then = beside(function, results) if results else None
        if then:
            then.skipped = first.wrong_call.name, first.wrong_call.line
    after, its_lines = then.second(first.wrong, is_stopped) if then else ("", ())
    return dataclasses.replace(step, after=after, after_lines=its_lines)


def _with_right_value(function, name, line):
    """The function, in which a variable goes through `_right_` after a line of the file; None where
    it cannot be written anew."""
    program, code = read_program(function), function.__code__
    if program is None or code.co_freevars:
        return None
    tree, at = program.functions[0], line - code.co_firstlineno + 1
    for holder in ast.walk(tree):
        for body in (getattr(holder, field, None) for field in ("body", "orelse")):
            for k, one in enumerate(body if isinstance(body, list) else ()):
                is_here = one.lineno <= at <= (one.end_lineno or 0) and not hasattr(one, "body")
                if is_here and name in _stored(one):
                    said = ast.parse(f"{name} = _right_({name})").body[0]
                    for node in ast.walk(said):
                        ast.copy_location(node, one)
                    body.insert(k + 1, said)
                    ast.increment_lineno(tree, code.co_firstlineno - 1)
                    space = {}
                    exec(compile(ast.Module([tree], []), code.co_filename, "exec"), space)
                    new = space[tree.name].__code__
                    return FunctionType(new, function.__globals__, tree.name, function.__defaults__)
    return None


def _stored(statement):
    """The variables to which a statement gives a value, or a part of one."""
    targets = getattr(statement, "targets", [getattr(statement, "target", None)])
    found = {
        n.id for target in targets if target for n in ast.walk(target) if isinstance(n, ast.Name)
    }
    return found if isinstance(statement, (ast.Assign, ast.AugAssign)) else set()


def right_run(name: str, arguments: Sequence[Any]) -> Run | None:
    """The run of the written solution; None where no solution is written."""
    text = reference_source(name)
    if not text:
        return None
    tree = ast.parse(text)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    space: dict[str, Any] = {"np": np, "__name__": "course_utils"}
    space |= {other: reference for other in used if (reference := _reference(other))}
    exec(compile(tree, f"<solution of {name}>", "exec"), space)
    return Run(record(space[name], arguments))


def kinds_of_calls(name: str, arguments: Sequence[Any]) -> set[tuple[str, bool]]:
    """{(the name of a part, whether it is called more than once)} in the right run."""
    right = right_run(name, arguments)
    names = [call.name for call in right.calls] if right else []
    return {(one, names.count(one) > 1) for one in names}


def _reference(name):
    """The right function of another exercise; None where there is no such exercise."""
    module = f"course_utils.exercises.{name}.exercise"
    try:
        if not name.isidentifier() or importlib.util.find_spec(module) is None:
            return None
    except ModuleNotFoundError:
        return None
    return getattr(importlib.import_module(module).EXERCISE, "reference", None)


class _Beside:
    """A student's run beside a right one."""

    def __init__(self, exercise, function, arguments, theirs, right, tolerance):
        self.exercise, self.function, self.arguments, self.tolerance = (
            exercise,
            function,
            arguments,
            tolerance,
        )
        self.theirs, self.right = theirs, right
        self.parameters = list(inspect.signature(exercise.reference).parameters)
        self.matched = {}  # {id of a call: the right one that is the same}
        self.wrong, self.wrong_call = None, None  # the WrongArgument that is told, and its call
        self.skipped = (
            None  # (name, line) of calls that give what is right, whatever they are given
        )

    # Which call.

    def step(self, is_stopped):
        waiting = self.match()
        strange = None
        for call in self.theirs.calls:
            if (call.name, call.line) == self.skipped:
                fitting = self.fitting(call, waiting)
                right = fitting and self.counterpart(call, fitting, is_stopped)
                if right:  # who mends its argument makes the calls before it, too
                    done = self.right.calls[: self.right.calls.index(right) + 1]
                    waiting = [r for r in waiting if r not in done]
                continue
            if id(call) in self.matched:
                if self.is_part_wrong(call, self.matched[id(call)]):
                    return self.of_part(call)
                continue
            fitting = self.fitting(call, waiting)
            if not fitting:
                strange = strange or (
                    call
                    if self.count(self.theirs, call.name) > self.count(self.right, call.name) > 0
                    else None
                )
                continue
            right = self.counterpart(call, fitting, is_stopped)
            if right and not self.is_piece(call, fitting):
                return self.of_call(call, right)
        return None if is_stopped else self.of_end(waiting, strange)

    def match(self):
        """Find the calls that a right run makes, too. Returns the right calls that are not made."""
        matched, waiting, twice = self.matched, list(self.right.calls), []
        for call in self.theirs.calls:
            same = [
                r for r in self.right.calls if r.name == call.name and self.is_same_call(call, r)
            ]
            if same:  # the nearest that is not yet taken
                right = min(same, key=lambda r: (r not in waiting, r.block != call.block))
                twice += [call] if right not in waiting else []
                waiting = [r for r in waiting if r is not right]
                matched[id(call)] = right
        for call in (
            twice
        ):  # made twice, a call does no harm: but where another of its name is not made at all
            is_other_missing = any(r.name == call.name and r.block == call.block for r in waiting)
            if is_other_missing and self.count(self.theirs, call.name) <= self.count(
                self.right, call.name
            ):
                del matched[id(call)]
        return waiting

    @staticmethod
    def fitting(call, waiting):
        """The right calls that a wrong one may stand for."""
        named = [r for r in waiting if r.name == call.name]
        return [r for r in named if None in (call.block, r.block) or call.block == r.block] or named

    def row(self, call):
        """(the name of a call, the how manyth it is of that name in its block)."""
        run = self.theirs if call in self.theirs.calls else self.right
        alike = [c for c in run.calls if (c.name, c.block) == (call.name, call.block)]
        return call.name, alike.index(call)

    def right_results(self):
        """(name, the how manyth call of that name, what it gives in a right run) of the wrong call,
        and of all that are made in its line; [] where a right run makes others.
        """
        ours, theirs = (
            [c for c in run.calls if c.name == self.wrong_call.name]
            for run in (self.right, self.theirs)
        )
        if any(a.block != b.block for a, b in zip(ours, theirs, strict=False)):
            return []
        here = [theirs[n % len(theirs)].line == self.wrong_call.line for n in range(len(ours))]
        return [(c.name, n, c.result) for n, c in enumerate(ours) if here[n]]

    def second(self, first, is_stopped):
        """(what is said of the next step that goes wrong, its lines), where it is another slip than
        the first, which is right in this run; ("", ()) where there is none.
        """
        step = self.step(is_stopped)
        if step is None:
            return "", ()
        if self.wrong is not None:
            is_told = self.is_another(self.wrong, first)
            return (
                (f"Once that is right: {self.wrong.sentences}", step.lines) if is_told else ("", ())
            )
        line = next(iter(step.lines), None)
        wrong = WrongArgument(step.name, step.sentences, (), (None, ""), line, None)
        if self.is_another(wrong, first) or (not step.name and line and self.is_slip(line)):
            if step.is_end and line:
                said = f"Once that is right, look at line {line}, too. {self.returned()[1]}"
                return said, step.lines
            return f"Once that is right: {step.sentences}", step.lines
        return "", ()

    @staticmethod
    def is_another(wrong, first):
        """Whether a wrong argument is another slip than the first, and not what follows from it:
        that has the same name, or is the other half of an exchange, or stands in the same place.
        """
        ours, theirs = (
            re.sub(r" of the \w+ block|\[\d+\]", "", one.name or "") for one in (wrong, first)
        )
        exchanged = " in the place of ".join(theirs.split(" in the place of ")[::-1])
        return (
            ours not in ("", theirs, exchanged)
            and (wrong.place, wrong.block) != (first.place, first.block)
            and wrong.line != first.line
        )

    def is_slip(self, line):
        """Whether all that a `return` reads is right, though what it gives is not."""
        program = read_program(self.function)
        said = program.statement(program.name, line) if program else ""
        if not said.startswith("return "):
            return False
        held = {event.name: event.value for event in self.theirs.events if isinstance(event, Value)}
        right = [e.value if isinstance(e, Value) else e.result for e in self.right.events]
        names = {node.id for node in ast.walk(ast.parse(said)) if isinstance(node, ast.Name)}
        return all(
            any(v is not None and self.same(held[name], v) for v in right)
            for name in names & held.keys()
        )

    def counterpart(self, call, fitting, is_stopped):
        """The right call that has the place of a wrong one: the same in the row, where as many are
        made or all before it are right; else the one that is most like it; None where the row alone
        would decide.
        """
        ours, theirs = (
            [c for c in run.calls if c.name == call.name] for run in (self.right, self.theirs)
        )
        at = theirs.index(call)
        is_row = len(ours) == len(theirs) or (
            is_stopped and [self.matched.get(id(c)) for c in theirs[:at]] == ours[:at]
        )
        if is_row and at < len(ours) and ours[at] in fitting:
            return ours[at]
        if is_stopped:
            return None
        return max(fitting, key=lambda r: self.likeness(call, r))

    @staticmethod
    def count(run, name):
        return sum(call.name == name for call in run.calls)

    def likeness(self, call, right):
        """How many arguments are the same; then how many have the same shape; then the earlier."""
        pairs = list(zip(call.values, right.values, strict=False))
        return (
            sum(self.same(a, b) for a, b in pairs),
            sum(_shape(a) == _shape(b) for a, b in pairs),
            -self.right.calls.index(right),
        )

    def is_same_call(self, call, right):
        return all(self.same(a, b) for a, b in zip(call.values, right.values, strict=False))

    def is_piece(self, call, fitting):
        """Whether it is one of several right calls together, or a part of one: a way to write it,
        and no slip.
        """
        for got, *wanted in zip(call.values, *(r.values for r in fitting), strict=False):
            if not isinstance(got, np.ndarray) or not all(
                isinstance(w, np.ndarray) for w in wanted
            ):
                continue
            if got.ndim == wanted[0].ndim + 1 and all(
                any(self.same(part, w) for w in wanted) for part in got
            ):
                return True
            if any(
                got.ndim == w.ndim - 1 and any(self.same(got, part) for part in w) for w in wanted
            ):
                return True
        return False

    def same(self, a, b):
        a, b = _plain(a), _plain(b)
        if a is None or b is None:  # a function, or too large a value
            return True
        ours, theirs = as_arrays(a, b), as_arrays(b, b)
        if ours is None or theirs is None:
            try:
                return type(a) is type(b) and bool(a == b)
            except ValueError:  # arrays among them, of other shapes or another number
                return False
        return agree(ours, theirs, self.tolerance)

    def is_part_wrong(self, call, right):
        return (
            call.result is not None
            and right.result is not None
            and not self.same(call.result, right.result)
        )

    # What is said.

    def of_part(self, call):
        return Step(
            None,
            f"The first call that differs from a right run is {self.where(call)}: it is given what"
            " is right, and gives back something else.",
            self.lines(call.line),
        )

    def of_call(self, call, right):
        k = next(
            k
            for k, (a, b) in enumerate(zip(call.values, right.values, strict=False))
            if not self.same(a, b)
        )
        self.wrong, self.wrong_call = self.argument(call, right, k), call
        earlier = itertools.takewhile(lambda c: c is not call, self.theirs.calls)
        before = list(
            dict.fromkeys(
                c.name for c in earlier if id(c) in self.matched and c.block in (call.block, None)
            )
        )
        fine = f" What {_list(f'`{n}`' for n in before)} gave before is right." if before else ""
        return Step(
            self.wrong.name,
            f"The first call that differs from a right run is {self.wrong.sentences}{fine}",
            self.wrong.lines,
        )

    def argument(self, call, right, k):
        """Argument k of a call as a WrongArgument."""
        name, said = self.described(call.values[k], self.wanted(call, right, k), call)
        made = self.wrong_list(call.values[k], call) or self.made(call.values[k], call)
        lines, origin = self.lines(call.line), ""
        if made:
            of_line = self.lines(made.line)
            origin = f", which is `{made.name}`" + (f" of line {of_line[0]}" if of_line else "")
            lines = tuple(sorted({*lines, *of_line}))
        argument = f"`{right.parameters[k]}`" if right.parameters[k] else "argument"
        return WrongArgument(
            name,
            f"{self.where(call, right)}, in its {argument}{origin}. {said}",
            lines,
            (call.line, argument),
            self.line(made.line if made else call.line),
            call.block,
            made and (made.name, made.line, self.right_values(right, k, made)),
        )

    def right_values(self, right, k, made):
        """What a variable should be each time that it is made: argument k of a right call, and of
        those like it in other blocks where it is made in each.
        """
        row, calls = self.row(right), self.right.calls
        alike = [c for c in calls if self.row(c) == row and (made.block is not None or c is right)]
        return [c.values[k] for c in alike]

    def of_end(self, waiting, strange):
        """All calls are right: what is missing, or what is done with the results."""
        known = [
            part
            for part in dict.fromkeys([*self.exercise.parts, *self.parameters])
            if part in {r.name for r in self.right.calls}
        ]
        theirs = [c.name for c in self.theirs.calls]
        fewer = [r for r in waiting if r.name in known and r.name in theirs]
        fewer = [r for r in fewer if theirs.count(r.name) != self.count(self.right, r.name)]
        fewer = [
            r  # what has its result may call it once for several
            for r in fewer
            if theirs.count(r.name) > self.count(self.right, r.name) or not self.has(r.result)
        ]
        name, said, wrong = self.returned()
        made = None if wrong is None else self.made(wrong, None)
        lines = self.lines(made.line if made else self.theirs.line)
        if strange is not None:
            n, m = self.count(self.theirs, strange.name), self.count(self.right, strange.name)
            return Step(
                f"{strange.name} called too often",
                f"`{strange.name}` is called {_times(n)}; a right run calls it "
                f"{_times(m)}. The call that is too many stands in line {self.line(strange.line)}. "
                f"{said}".rstrip(),
                self.lines(strange.line),
            )
        if fewer:
            first = fewer[0]
            n, m = self.count(self.theirs, first.name), self.count(self.right, first.name)
            same = " The second time it is given what it was given the first time."
            again = same if self.is_repeated(first.name) else ""
            return Step(
                name,
                f"`{first.name}` is called {_times(n)}; a right run calls it {_times(m)}.{again} "
                f"{said}".rstrip(),
            )
        if not self.theirs.calls:
            return None if not name else Step(name, said, ())
        if not said:
            return None
        missing = [part for part in known if part not in theirs]
        never = f" Never called: {_list(f'`{n}`' for n in missing)}." if missing else ""
        return Step(
            name,
            f"All functions that you call are given what is right, and give what is right.{never}"
            f" {said}",
            lines,
            is_end=True,
        )

    def has(self, table):
        """Whether a table is a part of a larger one that the student has made."""
        if not isinstance(table, np.ndarray) or table.ndim != 2:
            return False
        T, n = table.shape
        made = [e.result if isinstance(e, Call) else e.value for e in self.theirs.events]
        arrays = [_plain(value) for value in made]
        arrays = [v for v in arrays if isinstance(v, np.ndarray) and v.ndim > 1]
        tables = [v.reshape(-1, n) for v in arrays if v.shape[-1] == n]
        return any(self.same(v[k : k + T], table) for v in tables for k in range(0, len(v), T))

    def wanted(self, call, right, k):
        """What argument k of a call should be: of all heads together, where one call has them all
        and a right run asks for one after the other; of one head where it is the other way round.
        """
        got, one = _plain(call.values[k]), right.values[k]
        if not (isinstance(got, np.ndarray) and isinstance(one, np.ndarray)):
            return one
        ours, theirs = (
            [c for c in run.calls if c.name == call.name and c.block in (call.block, None)]
            for run in (self.right, self.theirs)
        )
        is_all = got.ndim == one.ndim + 1 and len(got) == len(ours) > len(theirs)
        if is_all and len({_shape(c.values[k]) for c in ours}) == 1:
            return np.stack([c.values[k] for c in ours])
        if got.ndim == one.ndim - 1 and len(one) == len(theirs) > len(ours):
            return one[theirs.index(call)]
        return one

    def where(self, call, right=None):
        """Which call it is, in words."""
        # a loop's variable still holds the last block where the loop has ended
        is_repeated = any(
            c.line == one.line and c.block != one.block
            for run, one in ((self.theirs, call), (self.right, right))
            for c in (run.calls if one else ())
        )
        is_inside = is_repeated and call.block is not None
        alike = [
            r
            for r in self.right.calls
            if r.name == call.name
            and right is not None
            and (r.block == right.block or not is_inside)
        ]
        which = (
            f"the {_ordinal(alike.index(right))} of `{call.name}`"
            if len(alike) > 1
            else f"that of `{call.name}`"
        )
        inside = f" in the {_ordinal(call.block)} block" if is_inside else ""
        line = f" (line {self.line(call.line)})" if self.lines(call.line) else ""
        return f"{which}{inside}{line}"

    def returned(self):
        """(name or None, sentence, the thing that is wrong) about what came back."""
        got, wanted = self.theirs.result, self.right.result
        if got is None or self.same(got, wanted):
            return None, "", None
        if isinstance(wanted, tuple) and isinstance(got, (tuple, list)) and len(got) == len(wanted):
            which = next(
                (
                    k
                    for k, (a, b) in enumerate(zip(got, wanted, strict=True))
                    if not self.same(a, b)
                ),
                None,
            )
            if which is None:
                return None, "", None
            name, said = self.described(got[which], wanted[which], None)
            return (
                name,
                f"Of the {len(wanted)} things that come back, look at number {which + 1}. {said}",
                got[which],
            )
        name, said = self.described(got, wanted, None)
        return name, f"What differs is what is returned. {said}".rstrip(), got

    def line(self, number):
        return None if number is None else number - self.function.__code__.co_firstlineno + 1

    def lines(self, number):
        line = self.line(number)
        return (line,) if line and line > 0 else ()

    def made(self, value, call):
        """The variable that holds the value at a call, as it was made; None where it is none."""
        found = None
        for event in self.theirs.events:
            if event is call:
                break
            if (
                isinstance(event, Value)
                and _shape(event.value) == _shape(value)
                and self.same(event.value, value)
            ):
                found = event if found is None or event.name != found.name else found
        return found

    def wrong_list(self, value, call):
        """The first variable that holds a list with which no list of a right run begins; None where
        there is none.
        """
        if not _is_tokens(_plain(value)):
            return None
        right = [e.value for e in self.right.events if isinstance(e, Value)] + [
            v for c in self.right.calls for v in [*c.values, c.result]
        ]
        known = [list(map(int, v)) for v in [*right, *self.arguments] if _is_tokens(_plain(v))]
        for event in itertools.takewhile(lambda event: event is not call, self.theirs.events):
            if isinstance(event, Value) and _is_tokens(event.value):
                tokens = list(map(int, event.value))
                if not any(one[: len(tokens)] == tokens for one in known):
                    return event
        return None

    # What a value is, in words.

    def described(self, got, wanted, call):
        """(name or None, sentence): what a value is in place of what."""
        got, wanted = _plain(got), _plain(wanted)
        if _is_tokens(wanted) and _is_tokens(got):
            return self.described_tokens(got, wanted)
        if not isinstance(wanted, np.ndarray):
            return None, (
                f"It is {got!r}; {wanted!r} fits." if len(f"{got!r}{wanted!r}") < 80 else ""
            )
        if not isinstance(got, np.ndarray):
            return None, ""
        terms = self.terms(call)
        mine, fits = (
            next((name for name, v in terms if v.shape == x.shape and self.same(v, x)), None)
            for x in (got, wanted)
        )
        if mine and fits and mine != fits:
            mine, fits, is_same = self.by_counter(mine, fits)
            if is_same:
                return (
                    f"{mine} in every round",
                    f"It is {_quoted(mine)} in every round, and each has its own.",
                )
            return (
                f"{mine} in the place of {fits}",
                f"It is {_quoted(mine)}; {_quoted(fits)} belongs there.",
            )
        if got.ndim == wanted.ndim == 2 and self.same(got.T, wanted):
            return "transposed", "Its rows and its columns are exchanged."
        if mine and mine != fits:
            return None, f"It is {_quoted(mine)}, and something else belongs there."
        if got.ndim == wanted.ndim == 3:
            parts = [
                next((n for n, v in terms if v.shape == part.shape and self.same(v, part)), None)
                for part in got
            ]
            if None not in parts and len(set(parts)) < len(parts) + (got.shape != wanted.shape):
                return (
                    None,
                    (
                        f"It is made of {_list(map(_quoted, dict.fromkeys(parts)))}; it should hold"
                        " other parts."
                    ),
                )
        if got.shape != wanted.shape:
            return None, f"It has shape {got.shape}; {wanted.shape} fits."
        return self.difference(got.astype(float), wanted.astype(float), terms)

    def by_counter(self, mine, fits):
        """(mine, fits, whether the same part is read in every round of a loop), by the counter of
        the student's loop in the place of its number where that is read.
        """
        part, program = re.fullmatch(r"(\w+)(\[\d+\])", mine), read_program(self.function)
        if not part or not program:
            return mine, fits, False
        name, index = part.groups()
        text = ast.unparse(program.functions[0])
        if fits.startswith(f"{name}[") and mine in text:
            return mine, fits, True
        counter = re.search(rf"\b{name}(\[[^\W\d]\w*\])", text)
        if counter and fits.endswith(index):
            return name + counter[1], fits.removesuffix(index) + counter[1], False
        return mine, fits, False

    def difference(self, got, wanted, terms):
        """(name or None, sentence): of what a difference is made: something missing, too many, or
        in the place of something.
        """
        gap = got - wanted
        if not np.isfinite(gap).all():
            return None, "It holds numbers that are not finite."
        fitting = [
            (name, np.broadcast_to(v, gap.shape).astype(float))
            for name, v in terms
            if _spreads(v.shape, gap.shape)
        ]
        fitting += self.products(gap.shape, terms)
        fitting = [(name, v) for name, v in fitting if np.isfinite(v).all() and v.any()][
            :MOST_TERMS
        ]
        nonzero = np.abs(wanted) > 1e-9
        ratios = got[nonzero] / wanted[nonzero]
        if ratios.size > 1 and self.same(got, np.median(ratios) * wanted):
            return None, f"Its numbers are {np.median(ratios):.3g} times those of a right run."
        if not fitting:
            return None, OTHER_NUMBERS
        table, flat = np.stack([v.ravel() for _, v in fitting]), gap.ravel()
        at = int(np.abs(flat).argmax())
        for sign, name, said in (
            (-1, "{} is missing", "In it {} is missing: added, it would be right."),
            (1, "{} is added as well", "In it {} is added once too often."),
            (-2, "{} is taken away", "From it {} is taken away; it should be added."),
        ):
            for k in np.flatnonzero(np.isclose(sign * table[:, at], flat[at], rtol=1e-6)):
                if self.same(flat, sign * table[k]):
                    return name.format(fitting[k][0]), said.format(_quoted(fitting[k][0]))
        if pair := self.exchanged(table, flat, [name for name, _ in fitting]):
            return (
                f"{pair[0]} in the place of {pair[1]}",
                f"It is made with {_quoted(pair[0])} where {_quoted(pair[1])} belongs.",
            )
        with np.errstate(all="ignore"):
            scales = flat[at] / table[:, at]
        for k in np.flatnonzero(np.isfinite(scales)):
            if self.same(flat, scales[k] * table[k]):
                return (
                    f"{fitting[k][0]} is scaled",
                    (
                        f"In it stands {_quoted(fitting[k][0])} {scales[k] + 1:.3g} times instead"
                        " of once."
                    ),
                )
        return None, OTHER_NUMBERS

    def exchanged(self, table, flat, names):
        """(name that is there, name that belongs there) of two terms whose difference is the gap;
        None where there are none.
        """
        at = int(np.abs(flat).argmax())
        order = np.argsort(table[:, at])
        column = table[order, at]
        low, high = (
            np.searchsorted(column, table[:, at] - flat[at] + sign * 1e-7, side)
            for sign, side in ((-1, "left"), (1, "right"))
        )
        near = [(a, int(b)) for a in range(len(table)) for b in order[low[a] : high[a]]]
        pairs = [
            (a, b) for a, b in near if names[a] != names[b] and self.same(table[a] - table[b], flat)
        ]
        # Of several, the pair whose names are most alike: the same value times two tables, or two
        # values times the same.
        pairs.sort(key=lambda p: (-_alike(names[p[0]], names[p[1]]), p))
        return (names[pairs[0][0]], names[pairs[0][1]]) if pairs else None

    def products(self, shape, terms):
        """Named values times named tables, of a shape."""
        if len(shape) != 2:
            return []
        left = [
            (name, v)
            for name, v in terms
            if v.ndim == 2 and v.dtype.kind == "f" and len(v) == shape[0]
        ]
        right = [(name, v) for name, v in terms if v.ndim == 2 and "[" not in name]
        right += [(f"{name}.T", v.T) for name, v in right]
        return [
            (f"{a} @ {b}", x @ y)
            for (a, x), (b, y) in itertools.product(left, right)
            if y.shape == (x.shape[1], shape[1])
        ]

    def terms(self, call):
        """(name, array) of all that a right value may be, each once: in the student's words where
        they have a name for it.
        """
        block = call.block if call else None
        own = {}
        for event in itertools.takewhile(lambda event: event is not call, self.theirs.events):
            if isinstance(event, Value) and isinstance(event.value, np.ndarray):
                own[_print(event.value)] = event.name
        here = [e for e in self.right.events if block is None or e.block in (block, None)]
        calls, values = ([e for e in here if isinstance(e, kind)] for kind in (Call, Value))
        if block:  # the block before gave what this one begins with
            values += [
                e for e in self.right.events if isinstance(e, Value) and e.block == block - 1
            ]
        results = [(f"what {c.name} gives", c.result) for c in calls]
        results += [
            (f"the second thing that {c.name} gives", c.result[1])
            for c in calls
            if isinstance(c.result, tuple) and len(c.result) > 1
        ]
        results += [
            (f"the {c.parameters[k]} of {c.name}", v)
            for c in calls
            for k, v in enumerate(c.values)
            if np.ndim(_plain(v)) > 1
        ]
        found = {}
        for name, value in [*self.given(block), *((v.name, v.value) for v in values), *results]:
            value = (
                value[0] if isinstance(value, tuple) and value else value
            )  # lists are still growing: no terms
            if not isinstance(value, np.ndarray) or not value.ndim:
                continue
            name = own.get(_print(value), name)
            found.setdefault(_print(value), (name, value))
            if value.ndim == 3:
                for h, part in enumerate(value):
                    found.setdefault(
                        _print(part),
                        (f"{name}[{h}]" if name.isidentifier() else f"a part of {name}", part),
                    )
        return list(found.values())

    def is_repeated(self, name):
        """Whether the second call of a part is like the first, and in a right run is not."""
        mine, fits = (
            [call.values for call in run.calls if call.name == name][:2]
            for run in (self.theirs, self.right)
        )
        return all(len(two) == 2 for two in (mine, fits)) and (
            all(map(same_value, *mine)) and not all(map(same_value, *fits))
        )

    def given(self, block=None):
        """(name, array) of all arguments, what is in dicts and lists of dicts too, and the rows
        that tokens take of a table.
        """
        found = []
        for name, value in zip(self.parameters, self.arguments, strict=False):
            if isinstance(value, dict):
                found += [(key, v) for key, v in value.items()]
            elif isinstance(value, list) and value and isinstance(value[0], dict):
                found += [
                    (
                        (
                            key
                            if k == block or len(value) == 1
                            else f"{key} of the {_ordinal(k)} block"
                        ),
                        v,
                    )
                    for k, one in enumerate(value)
                    for key, v in one.items()
                ]
            else:
                found.append((name, value))
        found = [(name, v) for name, v in found if isinstance(v, np.ndarray) and v.ndim]
        tokens = [(name, v) for name, v in found if v.ndim == 1 and v.dtype.kind in "iu"]
        for (name, v), (index, rows) in itertools.product(list(found), tokens):
            if v.ndim == 2 and v.dtype.kind == "f":
                T = len(rows)
                if rows.max(initial=0) < len(v):
                    found.append((f"{name}[{index}]", v[rows]))
                found += [(f"{name}[{k}:{k + T}]", v[k : k + T]) for k in range(len(v) - T + 1)]
        return found

    def described_tokens(self, got, wanted):
        """(name or None, sentence) about two lists of tokens: the pieces they are put together of,
        or where they first differ.
        """
        pieces = {
            name: [int(t) for t in value]
            for name, value in zip(self.parameters, self.arguments, strict=False)
            if _is_tokens(value) and len(value)
        }
        pieces |= {
            name: [int(value)]
            for name, value in zip(self.parameters, self.arguments, strict=False)
            if name == "end" and np.ndim(value) == 0
        }
        chosen = [c.result for c in self.right.calls if c.name == "choose"]
        said = [int(t) for t in chosen if t is not None and [int(t)] != pieces.get("end")]
        options = [{**pieces, "answer": said[:n]} for n in range(len(said), 0, -1)] + [pieces]
        mine, fits = (
            next(
                (found for o in options if (found := _parted([int(t) for t in x], o)) is not None),
                None,
            )
            for x in (got, wanted)
        )
        if mine is not None and fits is not None and mine != fits and chosen:
            return _order_slip(mine, fits), f"It is {_sum(mine)}; {_sum(fits)} belongs there."
        differs = describe_list(got, wanted, self.exercise.returns, got)[1]
        return None, f"{HERE}{differs}"


def _parted(tokens, pieces):
    """The names of pieces that make up a list, in their order; None where they do not, or where one
    is there more than twice: that is chance."""
    if not tokens:
        return []
    for name, piece in pieces.items():
        if (
            tokens[: len(piece)] == piece
            and (rest := _parted(tokens[len(piece) :], pieces)) is not None
        ):
            return [name, *rest] if rest.count(name) < 2 else None
    return None


def _order_slip(mine, fits):
    if sorted(mine) == sorted(fits):
        return "the pieces in another order"
    missing, more = (
        [n for n in fits if mine.count(n) < fits.count(n)],
        [n for n in mine if mine.count(n) > fits.count(n)],
    )
    if missing and not more:
        return f"{_list(dict.fromkeys(missing))} missing"
    if more and not missing:
        return f"{_list(dict.fromkeys(more))} too often"
    return None


def _sum(names):
    return (
        " + ".join(f"`[{name}]`" if name == "end" else f"`{name}`" for name in names)
        or "an empty list"
    )


def _print(value):
    """What tells an array from another, but for rounding."""
    return value.shape, np.round(value.astype(float), 9).tobytes()


def _quoted(name):
    """A name as code, words as they are."""
    return name if name.startswith(("what ", "the ", "a part ")) else f"`{name}`"


def _alike(a, b):
    """How much two names have in common: one side of a product, or being no product both."""
    (a, *x), (b, *y) = a.split(" @ "), b.split(" @ ")
    return (a == b) + (x == y) if bool(x) == bool(y) else -1


def _spreads(shape, to):
    """Whether an array of a shape may be added to one of another without changing it."""
    return shape == to or (len(shape) == 1 and shape == to[-1:])


def _plain(value):
    """A value as it is compared: a list of tables as an array."""
    if isinstance(value, list) and value and isinstance(value[0], np.ndarray):
        try:
            return np.asarray(value)
        except ValueError:
            return value
    return value


def _shape(value):
    """The shape of a value; its length where it is a list of lists of several lengths."""
    try:
        return np.shape(_plain(value))
    except ValueError:
        return len(value)


def _is_tokens(value):
    if isinstance(value, np.ndarray):
        return value.ndim == 1 and value.dtype.kind in "iu"
    return isinstance(value, list) and all(
        isinstance(t, (int, np.integer)) and not isinstance(t, bool) for t in value
    )


def _times(n):
    return {0: "never", 1: "once", 2: "twice"}.get(n, f"{n} times")


def _ordinal(k):
    return ORDINALS[k] if k < len(ORDINALS) else f"{k + 1}th"


def _list(words):
    *begun, last = words
    return f"{', '.join(begun)} and {last}" if begun else last
