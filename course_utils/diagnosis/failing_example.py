"""The smallest input on which a student's function goes wrong: a few small whole numbers say more
than a table of decimals.

Candidates are drawn by the exercise itself (`Exercise.draw`), so their shapes always fit; the
smallest that still goes wrong is kept. Then its numbers are made simple: whole, or all zeros. All
is the same at each check.
"""

import copy
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from course_utils.diagnosis.lists import as_text, describe_list, is_list
from course_utils.diagnosis.running import run_search, run_trusted
from course_utils.diagnosis.values import (
    Function,
    agree,
    arrays_of,
    as_arrays,
    format_numbers,
    tolerance_of,
)

if TYPE_CHECKING:
    from course_utils.diagnosis.exercise import Exercise

DRAWN = 60  # candidates that are drawn
TRIED = 30  # of them, the smallest, that are tried
SECONDS = 0.3  # of processor time, for all that the student's function is asked
SEED = 3
LARGEST = 40  # numbers of an array that is shown
VISIBLE = 0.02  # a difference that can be seen in three digits

SIMPLER = 81  # combinations of simpler arguments that are tried
HIDES, SAYS_LITTLE = 24, 8  # the cost, in digits, of an axis of length 1, and of an array of zeros


class Wrong(NamedTuple):
    """A call on which a function goes wrong."""

    arguments: Sequence[Any]
    came: Any
    wanted: Any


Choose = Callable[[list[Wrong]], Wrong | None]


def _first(found):
    return found[0] if found else None


@dataclass(frozen=True)
class Example:
    """An input, what came and what is wanted, as texts; said: a sentence about a list that came, ""
    where it is none.
    """

    given: str
    yours: str
    wanted: str
    said: str = ""


def find_example(
    exercise: "Exercise",
    function: Function,
    original: Sequence[Any],
    choose: Choose = _first,
) -> Example | None:
    """The smallest input on which the function goes wrong and gives something back; None where none
    can be shown.

    original: the arguments on which it was found wrong. choose: takes, of inputs that go wrong,
    the first of which all is true that is said.
    """
    calls = [*exercise.small_calls, *_answered(exercise, [original])]
    found = choose(_wrong_ones(exercise, function, calls))
    if found is None:
        return None
    simpler = _answered(exercise, _simpler(found.arguments))
    return _in_words(exercise, *(choose(_wrong_ones(exercise, function, simpler)) or found))


def draw_small_calls(exercise: "Exercise") -> list[tuple[tuple[Any, ...], Any]]:
    """[(arguments, what is wanted)] of the smallest inputs that an exercise draws: the same at each
    check.
    """
    rng = np.random.default_rng(SEED)
    candidates = [exercise.draw(rng) for _ in range(DRAWN)] if exercise.draw else []
    return _answered(exercise, sorted((c for c in candidates if _size(c) > 0), key=_cost)[:TRIED])


def _answered(exercise, candidates):
    """[(arguments, what is wanted)] of those that have an answer, the smallest first."""
    ordered = sorted(candidates, key=_cost)
    outcomes = [run_trusted(exercise.reference, arguments) for arguments in ordered]
    answers = zip(ordered, outcomes, strict=True)
    return [(a, o.value) for a, o in answers if o.failure is None and _is_finite(o.value)]


def _wrong_ones(exercise, function, answered):
    """[Wrong] of those that go wrong, in their order."""
    calls = [arguments for arguments, _ in answered]
    values = run_search(_values, function, calls, seconds=SECONDS)
    if not isinstance(values, list):  # a Failure, or too much for a line
        return []
    return [
        Wrong(arguments, came[0], wanted)
        for (arguments, wanted), came in zip(answered, values, strict=False)
        if came and _is_seen_wrong(exercise, came[0], wanted)
    ]


def _values(function, calls):
    """For each call a list of what the function gives back alone, None where it stops."""
    values = []
    for arguments in calls:
        try:
            with np.errstate(all="ignore"):
                values.append([function(*copy.deepcopy(arguments))])
        except Exception:  # how it stops is told elsewhere
            values.append(None)
    return values


def _is_seen_wrong(exercise, value, wanted):
    """Whether the digits that are shown tell a value from the (finite) one that is wanted."""
    got, fits = as_arrays(value, wanted), arrays_of(wanted)
    got = got and exercise.canonicalise(got, fits)
    return got is not None and not agree(got, fits, VISIBLE)


def _simpler(arguments):
    """The same arguments with simpler numbers, in all combinations of a few arrays: whole, or all
    zeros. Shares, and their logarithms, are left as they are.
    """
    choices = []
    for argument in arguments:
        options = [argument]
        if (
            isinstance(argument, np.ndarray)
            and argument.dtype.kind == "f"
            and argument.size
            and (argument < 0).any()
            and (argument > 0).any()
        ):
            whole = np.round(2 * argument / max(1.0, np.abs(argument).max() / 2))
            options += [whole.astype(argument.dtype) + 0.0, np.zeros_like(argument)]
        choices.append(options)
    return list(itertools.islice(itertools.product(*choices), 1, 1 + SIMPLER))


def _cost(arguments):
    """How much there is to read: every number by its digits. An axis of length 1 hides what goes
    along it, and costs more.
    """
    arrays = [a for a in arguments if isinstance(a, np.ndarray)]
    digits = sum(len(f"{v:g}") + 1 for a in arrays for v in np.round(a.astype(float).ravel(), 3))
    return (
        digits
        + HIDES * sum(a.shape.count(1) for a in arrays)
        + SAYS_LITTLE * sum(not a.any() for a in arrays)
        + _size(arguments)
    )


def _size(arguments):
    """How many numbers an argument holds, what is in lists and dicts too; 0 where an array is
    empty.
    """
    if any(isinstance(a, np.ndarray) and a.size == 0 for a in arguments):
        return 0
    return sum(map(_count, arguments))


def _count(value):
    if isinstance(value, np.ndarray):
        return value.size
    if isinstance(value, dict):
        return sum(map(_count, value.values()))
    if isinstance(value, (list, tuple)):
        return sum(map(_count, value))
    return len(value) if isinstance(value, str) else 1


def _is_finite(value):
    arrays = as_arrays(value, value) if value is not None else None
    return arrays is not None and all(np.isfinite(a.astype(float)).all() for a in arrays)


# In words.


def is_readable(arguments: Sequence[Any]) -> bool:
    """Whether all arrays of a call are shown with their numbers."""
    return all(a.size <= LARGEST for a in arguments if isinstance(a, np.ndarray))


def describe_arguments(exercise: "Exercise", arguments: Sequence[Any]) -> str:
    """The arguments of a call, a line or a table each. What has no short form is named."""
    lines = [_line(name, value) for name, value in zip(exercise.arguments, arguments, strict=True)]
    return "\n".join(lines)


def _line(name, value):
    begun = f"{name} = "
    if isinstance(value, np.ndarray):
        if value.size > LARGEST:
            return f"{name}: an array of shape {value.shape}"
        return begun + format_numbers(value).replace("\n", "\n" + " " * len(begun))
    if isinstance(value, dict):
        return f"{name}: {', '.join(map(str, value))}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return f"{name}: {len(value)} block{'s' if len(value) != 1 else ''}"
    if isinstance(value, np.number) or (isinstance(value, float) and len(repr(value)) > 8):
        return f"{begun}{value:.4g}"
    if isinstance(value, (int, float, str, list, tuple)) and len(repr(value)) <= 200:
        return f"{begun}{value!r}"
    if called := getattr(value, "__name__", ""):
        return f"{name}: the function {called.strip('_')}"
    return f"{name}: {'a function' if callable(value) else type(value).__name__}"


def _in_words(exercise, arguments, value, wanted):
    """The Example of a call; where several things come back, of the first that is wrong."""
    got, fits, tolerance = as_arrays(value, wanted), arrays_of(wanted), tolerance_of(arguments)
    shown = exercise.canonicalise(got, fits)
    which = next(
        k
        for k, (a, b) in enumerate(zip(shown, fits, strict=True))
        if not agree([a], [b], tolerance)
    )
    came, part = (value[which], wanted[which]) if isinstance(wanted, tuple) else (value, wanted)
    begun = end = said = ""
    if len(fits) > 1:
        begun = f"Of the {len(fits)} things it gives back, number {which + 1}: "
        end = f"   (number {which + 1} of {len(fits)})"
    write = format_numbers
    if is_list(part) and got[which].ndim == 1:
        write = as_text
        said = begun + describe_list(got[which], fits[which], exercise.returns, came)[1]
    return Example(
        describe_arguments(exercise, arguments),
        write(got[which]) + end,
        write(fits[which]) + end,
        said,
    )
