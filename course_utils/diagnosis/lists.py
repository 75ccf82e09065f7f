"""Lists of whole numbers as they are spoken of: tokens, row numbers, ranks. They have a length and
an order, and no shape.

Nothing is said of ratios or differences: a token 3 times as large as another means nothing.
"""

from typing import Any

import numpy as np


def is_list(wanted: object) -> bool:
    """Whether what is wanted is a list of such numbers: whole numbers along one axis, or nothing at
    all.
    """
    array = np.asarray(wanted)
    return array.ndim == 1 and (
        array.dtype.kind in "iu" or (array.size == 0 and isinstance(wanted, list))
    )


def describe_list(
    got: Any, wanted: Any, things: str = "numbers", came: object = ()
) -> tuple[str | None, str]:
    """(name or None, sentence) about a list that is not the wanted one. got, wanted: 1-D; things:
    what they hold, in words; came: what is spoken of as it came back, an array or a list.
    """
    kind = "array" if isinstance(came, np.ndarray) else "list"
    got, wanted = _items(got), _items(wanted)
    n, m = len(got), len(wanted)
    fits = f"{m} fit{'s' if m == 1 else ''}"
    length = f"Your {kind} has {many(n, things)}; {fits}. " if n != m else ""
    at = next((k for k, (a, b) in enumerate(zip(got, wanted, strict=False)) if a != b), min(n, m))
    if at == n:
        there = f"What is there is right; {wanted[at]} is missing behind it."
        return "a part is missing", length + (there if n else f"{wanted[at]} should stand first.")
    if at == m:
        return (
            "more than was asked",
            f"{length}What is asked for is in it, and more: {got[at]} is too much.",
        )
    differs = f"The first that differs is number {at + 1}: {got[at]}, wanted {wanted[at]}."
    if got == wanted[-n:]:
        return (
            "a part is missing",
            f"{length}Its end is right: the first {m - n} of what is wanted are missing.",
        )
    if wanted == got[-m:]:
        return (
            "more than was asked",
            f"{length}What is asked for is in it, and more: the first {n - m} are too much.",
        )
    if got == wanted[::-1]:
        return f"{things} in reverse order", f"The {things} are right, in reverse order. {differs}"
    if sorted(got) == sorted(wanted):
        return f"{things} in another order", f"The {things} are right, in another order. {differs}"
    return None, length + differs


def many(n: int, things: str = "numbers") -> str:
    """A number of things in words: 1 token, 7 tokens."""
    return f"{n} {things if n != 1 else things.removesuffix('s')}"


def as_text(values: Any) -> str:
    """A list as Python writes it."""
    return "[" + ", ".join(map(str, _items(values))) + "]"


def _items(values):
    """Plain numbers: whole ones without a point."""
    return [
        int(v) if float(v).is_integer() else round(float(v), 3) for v in np.asarray(values).tolist()
    ]
