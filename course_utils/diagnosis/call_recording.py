"""The calls that a function makes of the course's functions, and the values of its variables, in
the order of time.

A student's function is run in the worker, and what was seen comes back as plain data. The written
solution is run in the same way. Nothing is compared here: that is done in `builds`.
"""

import contextlib
import copy
import inspect
import sys
from collections.abc import Callable, Iterable, Sequence
from types import FunctionType
from typing import Any

import numpy as np

MOST_EVENTS = 3000  # of one run: a loop of many rounds is not worth more
MOST_NUMBERS = 5000  # of one value


def record(
    function: Callable[..., Any],
    arguments: Sequence[Any],
    names: Iterable[tuple[str, str]] = (),
    instead: Iterable[tuple[str, int, Any]] = (),
    values: Sequence[Any] = (),
) -> list[list[Any]]:
    """Call function(*arguments) on copies. Returns what happened, in the order of time, as lists of
    plain data.

    ["call", name, [argument names], [values], result, line, block], or ["value", variable, value,
    line, block]; last ["end", result, line]. block: the number of the dict, in an argument that is
    a list of them, that one of the variables was just then; None where there is none. names:
    functions of the student's own file that stand for exercises, as {their name: the exercise}.
    instead: (name, the how manyth call of that name, what it gives in a right run): given back in
    the place of what the call gives, where it is a thing of the same shape. values: what
    `_right_(value)` in the function's text gives, one after the other, likewise.
    """
    right = {(name, n): result for name, n, result in instead}
    seen = _Recording(function, copy.deepcopy(arguments), dict(names), right)
    waiting = iter(copy.deepcopy(values))
    seen.space["_right_"] = lambda value: _if_alike(next(waiting, None), value)
    result = None
    with contextlib.suppress(Exception):  # why it stopped is known already; what came before counts
        result = seen.run()
    return [*seen.events, ["end", _kept(result), seen.last_line]]


class _Recording:
    """One run whose calls are written down."""

    def __init__(self, function, arguments, names, instead):
        self.function, self.arguments, self.names = function, arguments, names
        self.instead = instead
        self.events, self.is_inside, self.rebuilt = [], False, {}
        self.loop_names = {}  # {code: the variable that held a block first}
        self.last_line = None
        self.file = function.__code__.co_filename
        self.space = {}
        self.space |= {
            name: self.watched(name, value) for name, value in function.__globals__.items()
        }
        self.entry = self.in_space(function)

    def run(self):
        given = [
            self.noting(name, value) if callable(value) else value
            for name, value in zip(
                inspect.signature(self.function).parameters, self.arguments, strict=False
            )
        ]
        before = sys.gettrace()
        sys.settrace(self.trace)
        try:
            return self.entry(*given)
        finally:
            sys.settrace(before)

    def watched(self, name, value):
        """What stands for a global of the student's: a function that notes its calls, or one that
        sees such functions.
        """
        if type(value).__name__ == "StudentFunctions":
            return _Noting(self, value)
        if isinstance(value, FunctionType):
            if value.__module__ and value.__module__.startswith("course_utils"):
                return self.noting(value.__name__, value)
            if name in self.names:
                return self.noting(self.names[name], value)
            if value.__globals__ is self.function.__globals__:
                return self.in_space(value)
        return value

    def in_space(self, function):
        """The same function, whose globals are the watched ones."""
        if function not in self.rebuilt:
            again = FunctionType(
                function.__code__,
                self.space,
                function.__name__,
                function.__defaults__,
                function.__closure__,
            )
            again.__kwdefaults__ = function.__kwdefaults__
            self.rebuilt[function] = again
        return self.rebuilt[function]

    def noting(self, name, function):
        """The function, whose calls are written down. What it calls in its turn is not."""

        def noted(*arguments, **options):
            if self.is_inside or len(self.events) > MOST_EVENTS:
                return function(*arguments, **options)
            try:
                bound = inspect.signature(function).bind(*arguments, **options)
                bound.apply_defaults()
                parameters, values = list(bound.arguments), list(bound.arguments.values())
            except (TypeError, ValueError):  # it does not fit: the call itself will say so
                parameters, values = [""] * len(arguments), list(arguments)
            line, block = self.place(sys._getframe(1))
            event = [
                "call",
                name,
                parameters,
                [_kept(value) for value in values],
                None,
                line,
                block,
            ]
            self.events.append(event)
            self.is_inside = True
            try:
                result = function(*arguments, **options)
            finally:
                self.is_inside = False
            result = self.in_place_of(name, result)
            event[4] = _kept(result)
            return result

        return noted

    def in_place_of(self, name, result):
        """What a right run has at this call; the result itself where that is another kind of
        thing."""
        n = sum(event[:2] == ["call", name] for event in self.events) - 1
        return _if_alike(self.instead.get((name, n)), result)

    def place(self, frame):
        """(line of the student's file, number of the block) of a step."""
        line, block = None, None
        while frame is not None:
            if frame.f_code.co_filename == self.file:
                line = line or frame.f_lineno
                block = self.block(frame) if block is None else block
            frame = frame.f_back if frame.f_code is not self.entry.__code__ else None
        return line, block

    def block(self, frame):
        lists = [a for a in self.arguments if isinstance(a, list) and a and isinstance(a[0], dict)]
        held = {
            name: k
            for blocks in lists
            for k, one in enumerate(blocks)
            for name, value in frame.f_locals.items()
            if value is one
        }
        first = self.loop_names.setdefault(frame.f_code, next(iter(held))) if held else None
        return held.get(first, next(iter(held.values()), None))

    def trace(self, frame, event, argument):
        """Write down the variables of the student's own frames as they change."""
        if self.is_inside or frame.f_code.co_filename != self.file:
            return None
        last, held = (
            [frame.f_lineno],
            {name: _print(value) for name, value in frame.f_locals.items()},
        )

        def look(frame, event, argument):
            for name, value in list(frame.f_locals.items()):
                seen = _print(value)
                if seen is not None and seen != held.get(name) and len(self.events) <= MOST_EVENTS:
                    held[name] = seen
                    self.events.append(["value", name, _kept(value), last[0], self.place(frame)[1]])
            last[0] = frame.f_lineno
            if frame.f_code is self.function.__code__:
                self.last_line = frame.f_lineno
            return look

        return look


class _Noting:
    """Stands for `mine`."""

    def __init__(self, recording, mine):
        self._recording, self._mine = recording, mine

    def __getattr__(self, name):
        return self._recording.noting(name, getattr(self._mine, name))


def _print(value):
    """What tells a value from another; None for one that is not written down."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf" and value.size <= MOST_NUMBERS:
        return value.shape, value.tobytes()
    if isinstance(value, (list, tuple)) and len(value) <= MOST_NUMBERS:
        return tuple(map(_print, value))
    return (type(value), value) if isinstance(value, (int, float, np.number)) else None


def _if_alike(right, value):
    """A right value in the place of a value of the same kind, else that."""
    return right if _kind(right) == _kind(value) else value


def _kind(value):
    """The shape of an array, of each thing in a tuple; the type of all else."""
    if isinstance(value, tuple):
        return tuple(map(_kind, value))
    return value.shape if isinstance(value, np.ndarray) else type(value)


def _kept(value):
    """A value as it is now; None for one that is too large, or no plain data."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(_kept, value)) if len(value) <= MOST_NUMBERS else None
    if isinstance(value, np.ndarray):
        return value.copy() if value.dtype.kind in "biuf" and value.size <= MOST_NUMBERS else None
    return value if isinstance(value, (int, float, str, np.number)) else None
