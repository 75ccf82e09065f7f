"""How a law is run, and what is said of one that says False of the right function, or that compares with the function itself."""

import contextlib
import dis
import functools
import sys

import numpy as np

from course_utils.diagnosis import code_inspection
from course_utils.diagnosis.running import SECONDS, run_search

LONGEST = 80                                     # characters of a value that is shown
_is_law_running = False


class Withheld(Exception):  # noqa: N818 (it is a rule, not a fault)
    """Raised by `mine` inside a law: with the student's functions a law could compute what it should judge."""


def is_law_running():
    """Whether what runs now was called by a law."""
    return _is_law_running


@contextlib.contextmanager
def running_law():
    """A law runs inside; `mine` gives nothing there."""
    global _is_law_running
    before, _is_law_running = _is_law_running, True
    try:
        yield
    finally:
        _is_law_running = before


def without_mine(law):
    """The law as a check runs it: `mine` raises Withheld inside, in whichever way it is reached."""
    @functools.wraps(law)
    def run_law(function):
        with running_law():
            return law(function)

    return run_law


def compares_with_itself(law, exercise):
    """Whether a law asks for the right function by its name, as in mine.softmax: then it would catch everything without a thought."""
    names = getattr(law, "__globals__", {})
    for code in code_inspection.codes(law):
        for step in dis.get_instructions(code):
            if step.opname in ("LOAD_ATTR", "LOAD_METHOD", "IMPORT_FROM") and step.argval == exercise.name:
                return True
            if step.opname in ("LOAD_GLOBAL", "LOAD_NAME") and names.get(step.argval) is exercise.reference:
                return True
    return False


def explain_false(law, exercise):
    """What to say of a law that says False of the right function: what that one gave back, and what the law made of it."""
    said = f"Your law says False of the right {exercise.name}. A law holds for every right one."
    seen = run_search(what_a_law_saw, law, exercise.reference, seconds=SECONDS)
    if isinstance(seen, dict) and seen["gave"]:
        said += f" The right one gave back {seen['gave']}."
        made = " and ".join(f"`{name}` = {value}" for name, value in seen["made"].items())
        said += f" With it, your law has {made}." if made else ""
    near = "allclose" in _names(law) or "isclose" in _names(law)
    return said if near else f"{said} Floats are rarely equal to the last digit: np.allclose."


def _names(law):
    return {name for code in code_inspection.codes(law) for name in code.co_names}


def what_a_law_saw(law, right):
    """{"gave": the last thing that the right function gave the law, "made": {name: what the law's variables hold at its end}}, as text."""
    gave, made = [], {}

    @functools.wraps(right)
    def recorded(*arguments, **named):
        gave.append(right(*arguments, **named))
        return gave[-1]

    def look(frame, event, argument):
        if event == "return" and frame.f_code is law.__code__:
            made.update(frame.f_locals)

    sys.setprofile(look)
    try:
        without_mine(law)(recorded)
    finally:
        sys.setprofile(None)
    last = _text(gave[-1]) if gave else ""
    shown = {name: _text(value) for name, value in made.items() if not callable(value)}
    return {"gave": last, "made": {name: text for name, text in list(shown.items())[-3:] if text not in ("", last)}}


def _text(value):
    """A value on one line; an array that is too long by its shape, anything else that is too long not at all."""
    if isinstance(value, (np.ndarray, np.generic, float)):
        text = " ".join(np.array2string(np.asarray(value), precision=3, suppress_small=True, threshold=12).split())
        text = text.removesuffix(".")            # a whole number
        return text if len(text) <= LONGEST else f"an array of shape {np.shape(value)}"
    text = repr(value) if isinstance(value, (int, str, list, tuple, bool)) else ""
    return text if len(text) <= LONGEST else ""
