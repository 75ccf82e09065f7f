"""How a law is run, and what is said of it: that it compares with the function itself, refuses the
right one, or lets too much pass."""

import contextlib
import dis
import functools
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from course_utils.diagnosis import code_inspection
from course_utils.diagnosis.candidates import read_program
from course_utils.diagnosis.catch_inputs import say_what_hides
from course_utils.diagnosis.running import SECONDS, run_search
from course_utils.diagnosis.values import Function

if TYPE_CHECKING:
    from course_utils.diagnosis.exercise import Exercise

LONGEST = 80  # characters of a value that is shown
SEED = 5
# What a law may fail to notice in the result: (changes that it all accepts, what is then said). The
# first that passes says most.
CHANGES = [
    (
        (
            lambda a, rng: 100 * rng.normal(size=(*a.shape, 2)),
            lambda a, rng: 100 * rng.normal(size=a.shape),
        ),
        "It says True of everything.",
    ),
    (
        (lambda a, rng: 100 * rng.normal(size=a.shape), lambda a, rng: rng.normal(size=a.shape)),
        "It says True of any numbers in the right shape: it looks at the shape only.",
    ),
    (
        (lambda a, rng: rng.permutation(a.ravel()).reshape(a.shape),),
        "It says True where the right numbers stand at other places, with the same sum.",
    ),
    (
        (
            lambda a, rng: np.where(
                np.arange(a.size).reshape(a.shape) == 0, a, rng.normal(size=a.shape)
            ),
        ),
        "It looks at the first number only.",
    ),
    (
        (lambda a, rng: np.concatenate([a[:1], rng.normal(size=a[1:].shape)]),),
        "It looks at the first row only.",
    ),
    (
        (
            lambda a, rng: (
                a
                + rng.permuted(
                    np.where(np.arange(a.shape[-1]) % 2, 0.1, -0.1)
                    * (np.arange(a.shape[-1]) < a.shape[-1] // 2 * 2)
                )
            ),
        ),
        (
            "It says True of other numbers in each row, where their sum, and so their mean, is the"
            " same."
        ),
    ),
    (
        (lambda a, rng: -a,),
        "It says True of the right result with the other sign, where each length is the same.",
    ),
    ((lambda a, rng: a / 2,), "It says True of half of the right result."),
]

_is_law_running = False


class Withheld(Exception):  # noqa: N818
    """Raised by `mine` inside a law: with the student's functions a law could compute what it
    should judge."""


def is_law_running() -> bool:
    """Whether what runs now was called by a law."""
    return _is_law_running


@contextlib.contextmanager
def running_law() -> Iterator[None]:
    """A law runs inside; `mine` gives nothing there."""
    global _is_law_running
    before, _is_law_running = _is_law_running, True
    try:
        yield
    finally:
        _is_law_running = before


def without_mine(law: Function) -> Function:
    """The law as a check runs it: `mine` raises Withheld inside, in whichever way it is reached."""

    @functools.wraps(law)
    def run_law(function):
        with running_law():
            return law(function)

    return run_law


def compares_with_itself(law: Function, exercise: "Exercise") -> bool:
    """Whether a law asks for the right function by its name, as in mine.softmax: then it would
    catch everything without a thought."""
    names = getattr(law, "__globals__", {})
    for code in code_inspection.codes(law):
        for step in dis.get_instructions(code):
            if (
                step.opname in ("LOAD_ATTR", "LOAD_METHOD", "IMPORT_FROM")
                and step.argval == exercise.name
            ):
                return True
            if (
                step.opname in ("LOAD_GLOBAL", "LOAD_NAME")
                and names.get(step.argval) is exercise.reference
            ):
                return True
    return False


def explain_false(
    law: Function, exercise: "Exercise", others: Sequence[bool]
) -> tuple[str, tuple[int, ...]]:
    """(sentences, lines) on a law that says False of the right function. others: what it says of
    the wrong ones.

    What the right function gave back, what the law made of it, and the line in which it returned.
    """
    said = f"Your law says False of the right {exercise.name}. A law holds for every right one."
    if not any(others):
        said += " It says False of all wrong ones, too."
    elif sum(others) > len(others) // 2:
        said += (
            f" It says True of {sum(others)} of {len(others)} wrong ones: are True and False turned"
            " round, the opposite of what is meant?"
        )
    seen = _seen(law, exercise)
    if seen["gave"]:
        said += f" The right one gave back {seen['gave']}."
        made = " and ".join(f"`{name}` = {value}" for name, value in seen["made"].items())
        said += f" With it, your law has {made}." if made else ""
    near = {"allclose", "isclose"} & {
        name for code in code_inspection.codes(law) for name in code.co_names
    }
    return (
        said if near else f"{said} Floats are rarely equal to the last digit: np.allclose.",
        lines_of(law, seen["line"]),
    )


def explain_passing(law: Function, exercise: "Exercise") -> tuple[str, tuple[int, ...]]:
    """(sentences, lines) on a law that lets too much pass: what is alike in the arguments it tries,
    and what it does not look at."""
    seen = _seen(law, exercise)
    if not seen["calls"]:
        return f"It never calls `{exercise.name}`, so it says the same of everything.", lines_of(
            law, seen["line"]
        )
    alike = say_what_hides(exercise.arguments, seen["arguments"], [])
    unseen = [
        sentence for (_, sentence), passes in zip(CHANGES, seen["passes"], strict=False) if passes
    ]
    return " ".join([*unseen[:1], *alike[:2]]), lines_of(law, seen["line"])


def lines_of(law: Function, number: int | None) -> tuple[int, ...]:
    """A line of the law's file as a line of the law, in a tuple; () where it has none."""
    program = read_program(law)
    return program.lines_at(number) if program else ()


def _seen(law, exercise):
    seen = run_search(what_a_law_saw, law, exercise.reference, seconds=SECONDS)
    return (
        seen
        if isinstance(seen, dict)
        else {"gave": "", "made": {}, "line": None, "arguments": (), "calls": 1, "passes": []}
    )


def what_a_law_saw(law: Function, right: Function) -> dict[str, Any]:
    """What a law meets with the right function, as plain data.

    gave: the last thing it was given, as text; made: {name: what its variables hold at its end}, as
    text; line: where it returned; arguments: those of its last call; calls: how many; passes:
    whether it says True after each of CHANGES of what it is given ([] where it calls more than
    once: it may compare two results, and a change of both shows nothing).
    """
    gave, given, made = [], [], {"line": None}

    def recorded(change=None):
        @functools.wraps(right)
        def called(*arguments, **named):
            given.append(arguments)
            gave.append(right(*arguments, **named))
            return gave[-1] if change is None else _changed(gave[-1], change)

        return called

    def look(frame, event, argument):
        if event == "return" and frame.f_code is law.__code__:
            made.update(frame.f_locals, line=frame.f_lineno)

    sys.setprofile(look)
    try:
        without_mine(law)(recorded())
    finally:
        sys.setprofile(None)
    line, last, arguments = (
        made.pop("line"),
        _text(gave[-1]) if gave else "",
        given[-1] if given else (),
    )
    calls = len(gave)
    shown = {name: _text(value) for name, value in made.items() if not callable(value)}
    shown = {name: text for name, text in list(shown.items())[-3:] if text not in ("", last)}
    passes = (
        [all(_holds(law, recorded(change)) for change in changes) for changes, _ in CHANGES]
        if calls == 1
        else []
    )
    return {
        "gave": last,
        "made": shown,
        "line": line,
        "arguments": arguments,
        "calls": calls,
        "passes": passes,
    }


def _changed(value, change):
    if isinstance(value, tuple):
        return tuple(_changed(part, change) for part in value)
    new = change(np.asarray(value, float), np.random.default_rng(SEED)) if np.ndim(value) else value
    if np.array_equal(new, value):
        raise ValueError("nothing is changed")  # such as all but the only row
    return new


def _holds(law, function):
    """Whether a law says True of a function; where it stops, it does not."""
    try:
        return bool(law(function))
    except Exception:
        return False


def _text(value):
    """A value on one line; an array that is too long by its shape, anything else that is too long
    not at all."""
    if isinstance(value, (np.ndarray, np.generic, float)):
        text = " ".join(
            np.array2string(
                np.asarray(value), precision=3, suppress_small=True, threshold=12
            ).split()
        )
        text = text.removesuffix(".")  # a whole number
        return text if len(text) <= LONGEST else f"an array of shape {np.shape(value)}"
    text = repr(value) if isinstance(value, (int, str, list, tuple, bool)) else ""
    return text if len(text) <= LONGEST else ""
