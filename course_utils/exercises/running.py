"""Runs a student's function so that nothing it does can hurt the notebook: it may raise, print, or never end."""

import contextlib
import copy
import ctypes
import dis
import io
import itertools
import sys
import threading
import time
import traceback
from dataclasses import dataclass

import numpy as np

SECONDS = 4.0        # for one call; the exercises need milliseconds


class OutOfTime(BaseException):
    """Raised inside a function that runs too long. Not an Exception, so `except Exception` does not catch it."""


@dataclass
class Outcome:
    """What one call did: the value it returned or the error it raised, what it printed, whether it changed its input."""

    value: object = None
    error: BaseException | None = None
    printed: str = ""
    changed_argument: int | None = None


def run(function, arguments):
    """Call function(*arguments) on copies, and stop it after SECONDS. Returns an Outcome."""
    outcome = Outcome()
    copies = copy.deepcopy(arguments)
    printed = io.StringIO()

    def call():
        try:
            with np.errstate(all="ignore"):
                outcome.value = function(*copies)
        except BaseException as error:           # SystemExit and OutOfTime, too: a check must come back with a word
            outcome.error = error

    # A thread, because signals do not exist on Windows and a process could not see the notebook's names.
    thread = threading.Thread(target=call, daemon=True)
    with contextlib.redirect_stdout(printed):
        try:
            thread.start()
        except RuntimeError:                     # Python in a browser has no threads
            _watched(call)
        else:
            _stop_after(thread, SECONDS)
    if thread.is_alive():
        return Outcome(error=OutOfTime(), printed=printed.getvalue())
    outcome.printed = printed.getvalue()
    for position, (before, after) in enumerate(zip(arguments, copies, strict=True)):
        if isinstance(before, np.ndarray) and not np.array_equal(before, after, equal_nan=before.dtype.kind == "f"):
            outcome.changed_argument = position
    return outcome


def _stop_after(thread, seconds):
    thread.join(seconds)
    for _ in range(20):                          # again and again: a bare `except:` inside a loop swallows one
        if not thread.is_alive():
            break
        _raise_in(thread, OutOfTime)
        thread.join(0.05)


def _watched(call):
    """Call it in this thread, and look at the clock at each of its steps. A bare `except:` inside a loop escapes it."""
    end = time.monotonic() + SECONDS

    def look(frame, event, argument):
        frame.f_trace_opcodes = True             # a loop on one line may have no line event
        if time.monotonic() > end:
            raise OutOfTime
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        call()
    finally:
        sys.settrace(before)


def _raise_in(thread, exception):
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(exception))


def explain_error(error, function):
    """One or two sentences about an error of the student's function: what, and in which of their lines."""
    name, where = type(error).__name__, ""
    try:
        text = str(error)
    except Exception:                            # an error class of the student's own may fail even here
        text = ""
    theirs = getattr(getattr(function, "__code__", None), "co_filename", None)
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename == theirs:
            where = f" in line {frame.lineno}" + (f": `{frame.line}`" if frame.line else "")
    return f"Your function stopped with {name}{where}." + (f" Python says: {text}" if text else "")


def has_gap(function):
    """True for a function that still sets a variable to `...`, or returns it: a stub that is not filled in."""
    code = getattr(function, "__code__", None)
    steps = list(dis.get_instructions(code)) if code else []
    gaps = (..., (..., ...), (..., ..., ...))
    return any(step.opname == "LOAD_CONST" and step.argval in gaps and after.opname.startswith(("STORE", "RETURN", "UNPACK"))
               for step, after in itertools.pairwise(steps))
