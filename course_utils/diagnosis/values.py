"""Values as the check compares them: as arrays, within rounding, and in words."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_utils.diagnosis.properties import place

# Relative and absolute difference that counts as rounding, by the coarsest float among the inputs.
TOLERANCES = {np.dtype("float16"): 1e-2, np.dtype("float32"): 1e-4}
FLOAT64_TOLERANCE = 1e-7
# The trap of an array of whole numbers: results must not be cut to whole ones. To refuse such an
# array is no fault.
WHOLE = "an array of whole numbers"

Function = Callable[..., Any]  # a student's, or one of ours
Arrays = list[NDArray[Any]]


def is_table(value: object) -> bool:
    """Whether rows of plain numbers can be made of it."""
    try:
        return isinstance(value, (list, np.ndarray)) and np.array(value, dtype=float).ndim > 0
    except (TypeError, ValueError):
        return False


def describe_dimensions(value: object) -> str:
    """An argument by its number of axes, in words."""
    if isinstance(value, np.ndarray):
        kinds = [
            "a number",
            "a row of numbers",
            "a table of numbers",
            f"{value.ndim} axes of numbers",
        ]
        return kinds[min(value.ndim, 3)] + (
            "" if np.isfinite(value).all() else ", some of them inf or nan"
        )
    return (
        "a number"
        if isinstance(value, (int, float, np.number))
        else f"something of type {type(value).__name__}"
    )


def truth_value(value: object) -> bool | None:
    """One number or truth as True or False; None of anything else."""
    try:
        array = np.asarray(value)
        return bool(array) if array.size == 1 and array.dtype.kind in "biuf" else None
    except Exception:
        return None


def as_arrays(value: object, like: object) -> Arrays | None:
    """value as arrays, as many as `like` has parts; None where that cannot be."""
    parts = [value]
    if isinstance(like, tuple) and isinstance(value, (tuple, list)):
        parts = list(value)
    if len(parts) != (len(like) if isinstance(like, tuple) else 1):
        return None
    try:
        arrays = [np.asarray(part) for part in parts]
    except Exception:  # rows of different lengths, or an object that refuses
        return None
    return arrays if all(a.dtype.kind in "biuf" for a in arrays) else None


def arrays_of(answer: object) -> Arrays:
    """The arrays of a right answer, one for each of its parts."""
    return [np.asarray(part) for part in (answer if isinstance(answer, tuple) else (answer,))]


def agree(ours: Iterable[NDArray[Any]], theirs: Iterable[NDArray[Any]], tolerance: float) -> bool:
    """Whether arrays have the same shapes and, within rounding, the same numbers. Truth values
    agree with truth values alone.
    """
    return all(
        a.shape == b.shape
        and (a.dtype == bool) == (b.dtype == bool)
        and near(a.astype(float, copy=False), b.astype(float, copy=False), tolerance).all()
        for a, b in zip(ours, theirs, strict=True)
    )


def near(a: NDArray[Any], b: NDArray[Any], tolerance: float) -> NDArray[np.bool]:
    """As np.isclose with NaN equal to NaN, in a quarter of its time: the searches ask it often."""
    with np.errstate(all="ignore"):  # inf - inf
        close = np.abs(a - b) <= tolerance + tolerance * np.abs(b)
    finite = np.isfinite(b)
    close &= finite
    return close if finite.all() else close | (a == b) | ((a != a) & (b != b))


def tolerance_of(arguments: Iterable[object]) -> float:
    """How much of a difference is rounding, by the coarsest floats among the arguments."""
    dtypes = [a.dtype for a in arguments if isinstance(a, np.ndarray)]
    return max((TOLERANCES.get(d, FLOAT64_TOLERANCE) for d in dtypes), default=FLOAT64_TOLERANCE)


def describe_type(value: object) -> str:
    """A value in words: how many things, which shape, which type."""
    if isinstance(value, tuple):
        return f"{len(value)} things ({', '.join(describe_type(v) for v in value)})"
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}" + (
            "" if value.dtype.kind in "biuf" else f" and dtype {value.dtype}"
        )
    if isinstance(value, list) and value and as_arrays(value, value) is None:
        return "a list of rows of different lengths, or of things that are not numbers"
    return "None" if value is None else f"something of type {type(value).__name__}"


def side_by_side(a: NDArray[Any], b: NDArray[Any], tolerance: float) -> tuple[str, str]:
    """Both as text: all of a small table, else the first row that differs."""
    if a.ndim == 2 and a.size <= 36:
        return format_numbers(a), format_numbers(b)
    rows_a, rows_b = (np.atleast_2d(x).reshape(-1, x.shape[-1] if x.ndim else 1) for x in (a, b))
    i = next(
        i
        for i, rows in enumerate(zip(rows_a, rows_b, strict=True))
        if not agree(rows[:1], rows[1:], tolerance)
    )
    where = f"   ({place(i, a.shape)})" if len(rows_a) > 1 else ""
    return format_numbers(rows_a[i]) + where, format_numbers(rows_b[i]) + where


def format_numbers(x: NDArray[Any]) -> str:
    """Numbers with three decimals, the middle of a long array left out."""
    return np.array2string(x, precision=3, suppress_small=True, threshold=40, edgeitems=4)


def sizes_of(function: Function, arguments: Sequence[object]) -> dict[str, float]:
    """{what it is, in words: its size} of all that a result may have been divided by: the sizes of
    arrays, and arguments that are numbers.
    """
    found: dict[str, float] = {}
    for name, argument in zip(inspect.signature(function).parameters, arguments, strict=True):
        if isinstance(argument, np.ndarray) and argument.ndim == 1:
            found[f"the length of `{name}`"] = len(argument)
        elif isinstance(argument, np.ndarray) and argument.ndim > 1:
            found[f"the number of columns of `{name}`"] = argument.shape[-1]
            found[f"the number of rows of `{name}`"] = argument.shape[-2]
            found[f"how many numbers `{name}` holds"] = argument.size
        elif isinstance(argument, (int, float)):
            found[f"`{name}`"] = argument
    return found
