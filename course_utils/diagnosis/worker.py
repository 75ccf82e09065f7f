"""A process of its own in which a student's function is called: whatever it does there, the notebook lives on.

It takes a pickled (search path, function, list of argument tuples) from stdin, and sends a pickled report for every call to
stdout. It is started by path, so it imports nothing of the course but what the function itself needs.
"""

import contextlib
import copy
import io
import os
import pickle
import queue
import sys
import threading

if __name__ == "__main__":
    sys.path.pop(0)          # the folder of this file: its modules have names that others use, too

import cloudpickle
import numpy as np

IDLE = 120.0                 # seconds without a question, after which the process ends: memory is scarce on a shared machine
MOST_PRINTED = 1 << 16       # characters
MOST_RETURNED = 1 << 26      # bytes of an array


class PrintsTooMuch(BaseException):
    """Raised inside a function that prints without end. Not an Exception, so `except Exception` does not catch it."""


class Printed(io.StringIO):
    """What the function prints, up to a limit."""

    def write(self, text):
        if self.tell() > MOST_PRINTED:
            raise PrintsTooMuch
        return super().write(text)


def call(function, arguments):
    """Call function(*arguments). Returns a dict: value (or its kind, where it cannot be sent) or error, printed, changed
    (the number of an argument), nan (where NaN began)."""
    printed = Printed()
    copies = copy.deepcopy(arguments)
    told = {"value": None, "type_description": None, "error": None, "changed": None, "nan": None}
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), np.errstate(all="ignore"):
        try:
            told["value"] = function(*copies)
        except BaseException as error:           # SystemExit, too: a check must come back with a word
            told["error"] = describe_error(error)
        for position, (before, after) in enumerate(zip(arguments, copies, strict=True)):
            if isinstance(before, np.ndarray) and not np.array_equal(before, after, equal_nan=before.dtype.kind == "f"):
                told["changed"] = position
        if told["value"] is not None and has_nan(told["value"]):
            told["nan"] = where_nan_begins(function, copy.deepcopy(arguments))
    return {**told, "printed": printed.getvalue()[:MOST_PRINTED]}


def describe_error(error):
    """An error as (type, text, [(file, line)], {variable: what it holds} of the innermost frame)."""
    try:
        text = str(error)
    except Exception:                            # an error class of the student's own may fail even here
        text = ""
    places, frames, step = [], [], error.__traceback__
    while step is not None:
        places.append((step.tb_frame.f_code.co_filename, step.tb_lineno))
        frames.append({name: holds(value) for name, value in list(step.tb_frame.f_locals.items())[:40]})
        step = step.tb_next
    return type(error).__name__, text[:2000], places[:50], frames[:50]


def holds(value):
    """What a variable holds, as a shape where it has one."""
    if isinstance(value, np.ndarray):
        return value.shape
    return "None" if value is None else type(value).__name__


def has_nan(value):
    try:
        parts = value if isinstance(value, (tuple, list)) else [value]
        return any(np.isnan(np.asarray(part, dtype=float)).any() for part in parts)
    except Exception:                            # no numbers
        return False


def where_nan_begins(function, arguments):
    """(what NumPy says, places) of the first step that overflows or has no answer; None where NaN came in with the arguments."""
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        try:
            function(*arguments)
        except FloatingPointError as error:
            return describe_error(error)[1:3]
        except BaseException:                    # whatever else it does, it did before
            pass
    return None


def packed(report):
    """The report as bytes; a value that cannot be sent is told by its kind."""
    value = report["value"]
    try:
        if getattr(value, "nbytes", 0) <= MOST_RETURNED:
            data = cloudpickle.dumps(report)
            pickle.loads(data)
            return data
    except BaseException:                        # a generator, a lock, an object that refuses
        pass
    shape = getattr(value, "shape", None)
    kind = f"an array of shape {shape}" if isinstance(value, np.ndarray) else f"something of type {type(value).__name__}"
    return pickle.dumps({**report, "value": None, "type_description": kind})


def main():
    """Answer until stdin ends or nothing comes for a while. The function's own stdin is empty."""
    orders, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    sys.stdin = io.StringIO()
    waiting = queue.Queue()

    def listen():
        with contextlib.suppress(EOFError, OSError):
            while True:
                waiting.put(pickle.load(orders))
        waiting.put(None)

    threading.Thread(target=listen, daemon=True).start()
    try:
        while order := waiting.get(timeout=IDLE):
            path, data = order
            sys.path[:] = path
            try:
                function, calls = pickle.loads(data)
            except BaseException as error:       # a module that is not found here
                answers.write(pickle.dumps({"unreadable": type(error).__name__}))
                answers.flush()
                continue
            answers.write(pickle.dumps({"ready": True}))         # what was imported until now is not the function's time
            answers.flush()
            for arguments in calls:
                answers.write(packed(call(function, arguments)))
                answers.flush()
            if threading.active_count() > 2:     # a thread of the student's lives on: it ends with this process
                break
    except queue.Empty:
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
