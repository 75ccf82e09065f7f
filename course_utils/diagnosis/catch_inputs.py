"""What is said of the arguments of a catch: why they are none, or what in them lets mistakes pass.

Only what can be measured is said: the kind and the number of what came, and what is alike in it.
"""

import itertools
import re
from typing import Any

import numpy as np

from course_utils.diagnosis.values import describe_dimensions

TEXT = "an array of something else than numbers, such as text"
SMALL = 50  # numbers up to this one are small to exp


def explain_misfit(
    names: list[Any], wanted: tuple[Any, ...], given: tuple[Any, ...]
) -> tuple[Any, ...] | None:
    """(name, sentence) where arguments are not of the kind that is wanted; None where they are.

    names: of the arguments, in order; wanted: arguments that fit.
    """
    listed = " and ".join(f"`{name}`" for name in names)
    if len(given) != len(wanted):
        name = "an argument is missing" if len(given) < len(wanted) else "an argument too many"
        asked = f"{listed} alone"
        if len(names) > 1:
            asked = f"{len(names)} things, as a tuple in brackets: {listed}"
        return name, f"Asked for: {asked}. Given: {len(given)}."
    fits, came = [describe_dimensions(a) for a in wanted], [_describe(a) for a in given]
    for name, asked, kind, value, got in zip(names, wanted, fits, given, came, strict=True):
        said = f"`{name}` should be {kind}. Given: {got}."
        if isinstance(value, np.ndarray) and value.size == 0:
            return "nothing in it", f"`{name}` is empty."
        if got == kind:
            continue
        if isinstance(asked, str):
            return "not a text", f"`{name}` should be a text, words in quotes. Given: {got}."
        if sorted(fits) == sorted(came):
            return "another order of the arguments", f"{said} The order is {listed}."
        rows = value if isinstance(value, (list, tuple)) else ()
        if len({len(row) for row in rows if isinstance(row, (list, tuple))}) > 1:
            return "rows of different lengths", f"{said} The rows of an array have one length."
        if not isinstance(value, (np.ndarray, int, float, np.number)) or got == TEXT:
            return "not an array of numbers", f"{said} An array of numbers fits, not text."
        if "inf or nan" in got:
            return "a number that is not finite", said
        if np.ndim(value) == np.ndim(asked):
            return "another shape", said
        return "another shape", f"{said} It has {_axes(value)}; {_axes(asked)} fit."
    return None


def _axes(value) -> str:
    """How many axes a value has, in words."""
    n = np.ndim(value)
    return f"{n or 'no'} {'axis' if n == 1 else 'axes'}"


def _describe(value) -> str:
    is_other = isinstance(value, np.ndarray) and value.dtype.kind not in "biuf"
    return TEXT if is_other else describe_dimensions(value)


def say_what_hides(names: list[str], arguments: tuple[Any, ...], traps: list[str]) -> list[str]:
    """Sentences on what is alike in arguments, so that mistakes do not show; [] where nothing is.

    traps: what the mistakes that pass need, such as "scores of several thousand".
    """
    found = []
    for name, value in zip(names, arguments, strict=False):
        is_numeric = isinstance(value, (np.ndarray, bool, int, float, np.number))
        if is_numeric and (said := _alike(name, np.asarray(value))):
            found.append(said)
    for (one, a), (other, b) in itertools.combinations(zip(names, arguments, strict=False), 2):
        if isinstance(a, np.ndarray) and np.array_equal(a, b):
            found.append(f"`{one}` and `{other}` are the same.")
    table = arguments[0] if len(arguments) == 1 else 0
    if not found and np.ndim(table) == 2 and len(set(np.argmax(table, axis=1))) == 1:
        found.append(f"In each row of `{names[0]}` the largest number stands at the same place.")
    arrays = [a for a in arguments if isinstance(a, np.ndarray) and a.size]
    numbers = [np.abs(a).max() for a in arrays if a.dtype.kind in "iuf"]
    if traps and numbers and max(numbers) < SMALL and re.search(r"\d|large|thousand", traps[0]):
        found.append(f"All numbers are small: none is larger than {max(numbers):.3g}.")
    if traps:
        found.append(f"Some that are not caught show only here: {traps[0]}.")
    return found


def _alike(name: str, a: np.ndarray) -> str:
    """What is alike in one argument, as a sentence; "" where nothing is."""
    if a.size == 0 or a.dtype.kind not in "biuf":
        return ""
    if a.dtype == bool:
        is_alike = a.all() or not a.any()
        return f"`{name}` is {a.flat[0]} everywhere." if is_alike else ""
    if a.ndim == 0:
        return f"`{name}` is {a:g}." if a in (0, 1) else ""
    if not a.any():
        return f"All numbers of `{name}` are zero."
    if a.shape[0] == 1:
        return f"`{name}` has one {'row' if a.ndim > 1 else 'number'} only."
    if a.ndim > 1 and a.shape[-1] == 1:
        return f"`{name}` has width one: a single column."
    if (a == a.flat[0]).all():
        return f"All numbers of `{name}` are equal."
    if a.ndim == 2 and (a == a[0]).all():
        return f"All rows of `{name}` are equal."
    if a.ndim > 1 and not a.any(axis=-1).all():
        return f"Some rows of `{name}` are zero already."
    if a.ndim == 1 and ((np.diff(a) <= 0).all() or (np.diff(a) >= 0).all()):
        return f"`{name}` is sorted already."
    return ""
