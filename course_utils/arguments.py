"""What fits and what does not, and one sentence for what does not fit.

`as_…` looks at one argument. A `Specification` looks at all arguments of a function: it has a line
for each, as a docstring writes it: "Q (..., T_q, d_k)". Both give back what the mathematics can
use, never change what they were given, and raise an ArgumentError. `checks` holds the
specifications of the ground floor.
"""

import functools
import operator
import os
import re
import traceback
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.floating]
Integers = NDArray[np.integer]
Shape = tuple[int, ...]
PACKAGE_FOLDER = os.path.dirname(os.path.abspath(__file__))
TOO_FEW_AXES = {
    1: "at least one row of features",
    2: "(..., T, d): tokens are rows",
    3: "(..., H, T, d)",
}


class ArgumentError(ValueError):
    """An argument that does not fit: its name, what came, and what would fit."""

    def __init__(self, argument: str, got: object, wanted: str) -> None:
        super().__init__(f"{argument}: got {got}, wanted {wanted}")

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows: the caller's line and the message (IPython calls it by name)."""
        frames = [
            frame
            for frame in traceback.extract_tb(self.__traceback__)
            if not frame.filename.startswith(PACKAGE_FOLDER) and "IPython" not in frame.filename
        ]
        where = [f"line {frame.lineno}:  {frame.line}" for frame in frames[-1:]]
        return [*where, f"ArgumentError: {self}"]


def require(fits: object, argument: str, got: object, wanted: str) -> None:
    """Raises an ArgumentError unless the argument fits."""
    if not fits:
        raise ArgumentError(argument, got, wanted)


class Short:
    """A value in one short line. It is written where it is read: an array takes long to write."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __str__(self) -> str:
        text = " ".join(repr(self.value).split())
        return text if len(text) <= 60 else text[:57] + "..."


# One argument.


def as_array(x: ArrayLike, name: str, wanted: str = "an array of numbers") -> NDArray[Any]:
    try:
        return np.asarray(x)
    except ValueError:
        raise ArgumentError(name, "rows of different lengths", wanted) from None


def as_floats(x: ArrayLike, name: str) -> Array:
    """x as an array of floats; whole numbers and truth values become float64."""
    x = as_array(x, name)
    if x.dtype.kind == "f":
        return x
    require(x.dtype.kind in "iub", name, f"dtype {x.dtype}", "an array of real numbers")
    return x.astype(float)


def as_count(n: Any, name: str) -> int:
    """n as a whole number of at least 1."""
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 1:
        raise ArgumentError(name, Short(n), "a whole number of at least 1")
    return int(n)


def as_number(x: Any, name: str, wanted: str = "a number") -> float:
    """x as one real number."""
    if isinstance(x, bool) or not isinstance(x, (int, float, np.integer, np.floating)):
        raise ArgumentError(name, Short(x), wanted)
    return float(x)


def check_choice(x: Any, name: str, *choices: str) -> None:
    wanted = " or ".join(f'"{choice}"' for choice in choices)
    require(isinstance(x, str) and x in choices, name, repr(x), wanted)


def as_text(text: Any, name: str) -> str:
    """A text that can be written in UTF-8."""
    require(isinstance(text, str), name, type(text).__name__, "a text in quotes")
    half = re.search("[\ud800-\udfff]", text)
    require(not half, name, "half a character (a lone surrogate)", "a text of whole characters")
    return str(text)


# Half precision: squares overflow from 256 on, scores and sums beyond 65504. So the mathematics is
# done in float32 at least.


def at_least_float32(x: Array) -> Array:
    return x.astype(np.float32) if x.dtype == np.float16 else x


def as_given(x: Array, *given: Array) -> Array:
    """x in the dtype of what was given."""
    return x.astype(np.result_type(*given), copy=False)


# All arguments of a function.


class Specification:
    """What the arguments of a function should be, a line for each. Called, it gives them back.

    "Q (..., T_q, d_k)" is an array of floats: axes of one name have one size, "..." in front stands
    for leading axes, which must broadcast, and "n..." is an axis of any size. "k count <= E" is a
    whole number, "eps number >= 0" any number. A name with "?" may be None. The words behind say
    why; {Q} in them is Q's shape, {d_k} a size.

    Example:
        >>> check = Specification("x (T, d)", "y (T,): as x {x}")
        >>> x, y = check(np.ones((5, 4)), np.ones(3))
        Traceback (most recent call last):
        course_utils.arguments.ArgumentError: y: got shape (3,), wanted (5,): as x (5, 4)
    """

    def __init__(self, *lines: str) -> None:
        self.lines = tuple(_Line(line) for line in lines)

    def __call__(self, *arguments: Any, **known: Any) -> Any:
        """The list of the arguments, checked. known: sizes and shapes that are known, by name."""
        checked, numbers = list(arguments), []
        shapes: list[Shape | None] = [None] * len(checked)
        for i, (x, line) in enumerate(zip(arguments, self.lines, strict=True)):
            if line.axes and not (x is None and line.optional):
                checked[i] = as_floats(x, line.name)
                shapes[i] = checked[i].shape
            elif x is not None or not line.optional:
                numbers.append((i, line))
        known = _known(self.lines, tuple(shapes), *known.items())
        for i, line in numbers:
            checked[i] = line.as_number(checked[i], known)
            known = {**known, line.name: checked[i]}
        return checked


@functools.lru_cache(1024)  # the same shapes come again and again
def _known(
    lines: tuple["_Line", ...], shapes: tuple[Shape | None, ...], *given: tuple[str, Any]
) -> dict[str, Any]:
    """The sizes of axes and the shapes of arguments by their names, if all shapes fit."""
    known: dict[str, Any] = dict(given)
    leading: dict[str, Shape] = {}
    for line, shape in zip(lines, shapes, strict=True):
        if shape is not None:
            line.fit(shape, known, leading)
    return known


class _Line:
    """What one argument should be."""

    FORM = re.compile(
        r"(\S+?)(\??) (\(.+?\)|count|number)((?: (?:<=|>=|>|divides) \w+| even)*)"
        r"((?:[:,] .*)?)"
    )
    RELATIONS: dict[str, Any] = {
        "<=": operator.le,
        ">=": operator.ge,
        ">": operator.gt,
        "divides": lambda n, total: total % n == 0,
        "even": lambda n, _: n % 2 == 0,
    }

    def __init__(self, line: str) -> None:
        parts = self.FORM.fullmatch(line)
        if not parts:
            raise ValueError(f"{line!r} is no line of a specification")
        self.name, self.optional, self.kind, relations, self.why = parts.groups()
        self.axes = re.findall(r"\w+", self.kind) if self.kind[0] == "(" else []
        self.leads = self.kind.startswith("(...")
        self.relations = re.findall(r"(<=|>=|>|divides|even)(?: (\w+))?", relations)

    def as_number(self, n: Any, known: dict[str, Any]) -> float:
        wanted = self.why[2:] or "a number"
        n = as_count(n, self.name) if self.kind == "count" else as_number(n, self.name, wanted)
        for relation, bound in self.relations:
            if not self.RELATIONS[relation](n, known[bound] if bound in known else int(bound or 0)):
                raise ArgumentError(self.name, n, wanted.format_map(known))
        return n

    def fit(self, shape: Shape, known: dict[str, Any], leading: dict[str, Shape]) -> None:
        """Adds what the shape says to what is known, if it fits."""
        start = len(shape) - len(self.axes)
        if self.leads and start < 0:
            got = f"shape {shape}" if len(self.axes) > 1 else "a single number"
            raise ArgumentError(self.name, got, TOO_FEW_AXES[len(self.axes)])
        found = list(zip(self.axes, shape[start:], strict=False))
        sizes = {**dict(found), **known}
        if (start and not self.leads) or any(sizes[axis] != size for axis, size in found):
            wanted = re.sub(
                r"(\w+)(\.\.\.)?",
                lambda axis: str(known.get(axis[1], axis[2] or axis[1])),
                self.kind,
            )
            raise ArgumentError(self.name, f"shape {shape}", wanted + self.why.format_map(known))
        known.update({**sizes, self.name: shape})
        if self.leads:
            try:
                np.broadcast_shapes(shape[:start], *leading.values())
            except ValueError:
                wanted = " and ".join(f"{name} {known[name]}" for name in leading)
                raise ArgumentError(
                    self.name, f"shape {shape}", f"the same leading axes as {wanted}"
                ) from None
            leading[self.name] = shape[:start]


@functools.lru_cache(1024)
def broadcasts(shape: Shape, to: Shape) -> bool:
    """Whether an array of a shape can be repeated to another shape."""
    return len(shape) <= len(to) and all(
        size in (1, wanted) for size, wanted in zip(shape[::-1], to[::-1], strict=False)
    )
