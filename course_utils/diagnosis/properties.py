"""What kind of thing is wrong with an answer that no known mistake explains: a measured property,
before any numbers.

Each look takes what came and what was wanted, and returns (name, sentence) or None. The name is
None where the sentence only describes numbers; where the property itself is the idea that slipped,
it has a name.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Close = Callable[[NDArray[Any], NDArray[Any]], bool]


def describe_shape(got: NDArray[Any], wanted: NDArray[Any], close: Close) -> tuple[str | None, str]:
    """(name or None, sentence): why an array has another shape: a lost axis, a kept one, a
    transpose, a part."""
    said = f"It has shape {got.shape}; {wanted.shape} fits."
    for look in (_other_axes, _axis_too_many, _axis_lost, _one_of_them, _part, _summed, _recut):
        found = look(got, wanted, close)
        if found:
            return found[0], f"{said} {found[1]}"
    if got.ndim == 0:
        return (
            "one number for everything",
            f"It is a single number; an array of shape {wanted.shape} fits. Which axis was meant?",
        )
    return None, f"{said} One axis is lost." if got.ndim == wanted.ndim - 1 else said


def _other_axes(got, wanted, close):
    if got.ndim != wanted.ndim or not 2 <= got.ndim <= 4:
        return None
    for order in itertools.permutations(range(got.ndim)):
        turned = got.transpose(order)
        if turned.shape == wanted.shape and close(turned, wanted):
            if got.ndim == 2:
                return (
                    "transposed",
                    "It looks transposed: the numbers are right, rows and columns are swapped.",
                )
            return (
                "axes in the wrong order",
                "The numbers are right, the axes stand in another order.",
            )
    return None


def _axis_too_many(got, wanted, close):
    if got.ndim == wanted.ndim + 1 and 1 in got.shape and got.size == wanted.size:
        return (
            "an axis too many" if close(got.reshape(wanted.shape), wanted) else None
        ), "An axis of length 1 was kept."
    return None


def _axis_lost(got, wanted, close):
    """All is there, but axes of length 1 are gone: nothing was added up."""
    is_same_but_for_ones = [n for n in got.shape if n > 1] == [
        n for n in wanted.shape if n > 1
    ] and got.size == wanted.size
    if got.ndim < wanted.ndim and is_same_but_for_ones and close(got.reshape(wanted.shape), wanted):
        return (
            "an axis of length 1 lost",
            (
                "The numbers are right, but an axis of length 1 is gone: was it squeezed, or taken"
                " by a number?"
            ),
        )
    return None


def _one_of_them(got, wanted, close):
    if wanted.ndim < 1 or got.shape != wanted.shape[1:] or len(wanted) < 2:
        return None
    one = {1: "number", 2: "row"}.get(wanted.ndim, "table")
    same = [i for i, part in enumerate(wanted) if close(got, part)]
    if not same:
        return None
    which = {0: "first", len(wanted) - 1: "last"}.get(same[0])
    where = f"the {which} {one}" if which else f"{one} {same[0]}"
    ask = (
        "Does the `return` stand inside a loop?"
        if which == "first"
        else "Has the result of each a place of its own?"
    )
    return (
        f"the {which} {one} only" if which else f"one {one} only",
        f"Only {where} came back. {ask}",
    )


def _part(got, wanted, close):
    """The beginning or the end of what is wanted, or more than it, along one axis."""
    differ = [
        axis
        for axis in range(wanted.ndim)
        if got.shape[axis : axis + 1] != wanted.shape[axis : axis + 1]
    ]
    if got.ndim != wanted.ndim or len(differ) != 1 or not got.size:
        return None
    a, b = np.moveaxis(got, differ[0], 0), np.moveaxis(wanted, differ[0], 0)
    n = min(len(a), len(b))
    if not (close(a[:n], b[:n]) or close(a[-n:], b[-n:])):
        return None
    if len(a) < len(b):
        return "a part is missing", "What is there is right, but a part is missing."
    return "more than was asked", "What is asked for is in it, and more."


def _summed(got, wanted, close):
    for axis in [None, *range(wanted.ndim)]:
        for value, words in (
            (wanted.sum(axis=axis), "summed once too often"),
            (wanted.mean(axis=axis), "averaged once too often"),
        ):
            if wanted.size > 1 and got.shape == np.shape(value) and close(got, value):
                gone = "all of them" if axis is None else f"along axis {axis}"
                return words, f"The right numbers were {words.split()[0]} once more, {gone}."
    return None


def _recut(got, wanted, close):
    if got.size != wanted.size or not got.size:
        return None
    if close(got.reshape(wanted.shape), wanted):
        return (
            "cut into other rows",
            (
                "There are as many numbers as there should be, in the right order, cut into other"
                " rows."
            ),
        )
    if got.ndim == 2 and got.shape == wanted.shape[::-1]:
        return (
            None,
            "Rows and columns have changed places: on which axis should the tokens stand?",
        )
    if sorted(got.shape) == sorted(wanted.shape):
        return None, "The sizes are right, the axes stand in another order."
    return None, "There are as many numbers as there should be, cut into other rows."


def properties_of(
    got: NDArray[Any], wanted: NDArray[Any], close: Close, sizes: Mapping[str, float]
) -> Iterator[tuple[Any, str]]:
    """The properties that hold of numbers of the right shape, in the order in which they are told:
    (name, names that may fit, or None; sentence) each.

    close(a, b) says whether arrays agree; sizes: {size in words: number}, in which a factor may be
    recognised.
    """
    a, b = np.atleast_1d(got).astype(float), np.atleast_1d(wanted).astype(float)
    looks: tuple[Callable[..., Any], ...] = (
        _nan,
        _whole,
        _rounded,
        _constant_factor,
        _in_other_places,
        _sign,
        _constant_offset,
        _function_of,
        _some_rows,
        _row_factors,
        _sums,
    )
    if (
        np.asarray(wanted).dtype.kind in "iu"
    ):  # numbers of rows or of tokens: a third of one means nothing
        looks = (_nan, _in_other_places, _some_rows)
    for look in looks:
        found = (
            look(a, b, close, sizes) if look is not _whole else look(np.atleast_1d(got), b, close)
        )
        if found:
            yield found


def _whole(got, b, close):
    """Whole numbers where others belong."""
    if got.dtype.kind not in "iu" or close(b, np.round(b)):
        return None
    if any(close(got, cut(b)) for cut in (np.trunc, np.floor, np.round)):
        return (
            "cut to whole numbers",
            (
                "Your numbers are whole: an array that was made for whole numbers cuts off what"
                " comes after the point."
            ),
        )
    return None


def _rounded(a, b, close, sizes):
    """Nearly right."""
    if any(np.array_equal(a, np.round(b, digits)) for digits in range(1, 6)) and a.any():
        return "rounded", "The numbers are rounded. Give them back as they are."
    if (
        np.isfinite(a).all()
        and np.isfinite(b).all()
        and np.abs(a - b).max() < 6e-3 < np.abs(b).max()
    ):
        return (
            None,
            (
                f"Nearly: no number is off by more than {np.abs(a - b).max():.1g}. Was something"
                " rounded, or a number typed by hand?"
            ),
        )
    return None


def _nan(a, b, close, sizes):
    """NaN where numbers belong; infinite where finite."""
    nan = np.isnan(a) & ~np.isnan(b)
    if a.size == 1 and not np.isfinite(a).all() and np.isfinite(b).all():
        return None, 'It is NaN, "not a number".' if nan.all() else "It is infinite."
    if nan.all():
        return None, 'Every number of it is NaN, "not a number".'
    if nan.any():
        rest = "; the others are right" if close(a[~nan], b[~nan]) else ""
        return None, f'{nan.sum()} of its {a.size} numbers are NaN, "not a number"{rest}.'
    if np.isinf(a).any() and not np.isinf(b).any():
        return None, f"{np.isinf(a).sum()} of its {a.size} numbers are infinite."
    return None


def _constant_factor(a, b, close, sizes):
    usable = (np.abs(b) > 1e-12) & np.isfinite(b)
    if usable.any() and a.size > 1 and not a.any():
        return "all zeros", "All its numbers are 0. Is what was computed ever put in?"
    if usable.sum() < 2 or not np.isfinite(a).all():
        return None
    c = float(np.median(a[usable] / b[usable]))
    if not math.isfinite(c) or abs(c) < 1e-12 or not close(a, c * b):
        return None
    if math.isclose(c, -1, rel_tol=1e-6):
        return "wrong sign", "Every number has the wrong sign."
    return _factor(c, sizes)


def _factor(c, sizes):
    """A factor in words, and where it comes from, if one size alone explains it: itself, its root
    or its square, or one over them.
    Here the names are a tuple, of all sizes that explain it.
    """
    times = f"{c:.3g} times" if abs(c) >= 1 else f"1/{1 / c:.3g} of"
    large = max(abs(c), 1 / abs(c))
    found = [
        (words, n, shape)
        for (words, n), (power, shape) in itertools.product(
            sizes.items(), [(1, "{}"), (0.5, "√{}"), (2, "{}²")]
        )
        if n > 1 and math.isclose(large, n**power, rel_tol=1e-5)
    ]
    said = f"Every number is {times} what it should be"
    did = "multiplied" if abs(c) >= 1 else "divided"
    by = {"{}": "", "√{}": "the root of ", "{}²": "the square of "}
    names = tuple(
        f"{did} by {by[shape]}{words.replace('`', '')}" for words, n, shape in found if c > 0
    )
    if len(found) != 1:
        return names, said + "."
    words, n, shape = found[0]
    why = (
        f"{n} is {words}"
        if shape == "{}"
        else f"{large:.3g} is {shape.format(n)}, and {n} is {words}"
    )
    return names, f"{said}: {why}."


def _in_other_places(a, b, close, sizes):
    """The right numbers at other places."""
    if a.ndim >= 2 and a.shape[-1] == a.shape[-2] and close(a.swapaxes(-1, -2), b):
        return (
            "transposed",
            "It is the transpose of what it should be: rows and columns are swapped.",
        )
    for axis, name in ((-1, "columns"), (-2, "rows"), (-3, "tables")):
        if a.ndim < -axis or a.shape[axis] < 2:
            continue
        one = name if a.ndim > 1 else "numbers"
        if close(np.flip(a, axis), b):
            return f"{one} in reverse order", f"The {one} are right, in reverse order."
        order = _matching(np.moveaxis(a, axis, 0), np.moveaxis(b, axis, 0), close)
        if order:
            return (
                f"{one} in another order",
                (
                    f"The {one} are right, in another order: number {order.index(0) + 1} of yours"
                    " should come first."
                ),
            )
    if a.ndim >= 2 and close(np.sort(a, axis=None), np.sort(b, axis=None)):
        return (
            "right numbers at other places",
            "All its numbers are right, but they stand at other places.",
        )
    return None


def _matching(parts, others, close):
    """For each part the number of the other that equals it, if that is a permutation and not the
    identity."""
    if len(parts) > 12:
        return None
    order = [
        next((j for j, other in enumerate(others) if close(part, other)), None) for part in parts
    ]
    return (
        order
        if None not in order and len(set(order)) == len(order) and order != list(range(len(order)))
        else None
    )


def _sign(a, b, close, sizes):
    return (
        ("wrong signs", "Only signs are wrong: the sizes of the numbers are right.")
        if close(np.abs(a), np.abs(b))
        else None
    )


def _constant_offset(a, b, close, sizes):
    if not (np.isfinite(a).all() and np.isfinite(b).all()) or a.size < 2:
        return None
    c = float(np.median(a - b))
    return (None, f"Every number is off by the same amount: {c:+.3g}.") if close(a, b + c) else None


def _function_of(a, b, close, sizes):
    """A step too many or too few that can be undone."""
    with np.errstate(all="ignore"):
        steps = {
            "a logarithm too many": ("These are the logarithms of what was wanted.", np.log(b)),
            "an exp too many": ("These are the exponentials of what was wanted.", np.exp(b)),
            "a square too many": ("These are the squares of what was wanted.", b * b),
            "a square root too many": (
                "These are the square roots of what was wanted.",
                np.sqrt(b),
            ),
            "one over it": ("Each number is one over what it should be.", 1 / b),
        }
    for name, (words, value) in steps.items():
        if np.isfinite(value).all() and close(a, value):
            return name, words
    return None


def place(k: int, shape: Sequence[int]) -> str:
    """Row number k of an array of this shape, in words."""
    if len(shape) < 3:
        return f"row {k}"
    return f"table {k // shape[-2] % shape[-3]}, row {k % shape[-2]}"


def _some_rows(a, b, close, sizes):
    """Some rows right, others not; of three axes, some tables."""
    one = {1: "number", 2: "row"}.get(a.ndim, "table")
    right = [bool(close(x, y)) for x, y in zip(a, b, strict=True)]
    wrong = [i for i, ok in enumerate(right) if not ok]
    if a.ndim > 1 and 0 < len(wrong) < len(right) and not a[wrong].any():
        if wrong == list(range(1, len(right))):
            return (
                f"only the first {one} filled",
                (
                    f"The first {one} is right, the others are 0. Does the `return` stand inside"
                    " the loop?"
                ),
            )
        which = (
            f"{one.capitalize()} {wrong[0]} is"
            if len(wrong) == 1
            else f"{one.capitalize()}s {', '.join(map(str, wrong))} are"
        )
        return (
            f"{one}s left empty",
            f"{which} 0 (counted from 0), the others are right. What is different about those?",
        )
    if len(right) > 2 and len(wrong) == len(right) - 1 and (right[0] or right[-1]):
        return None, f"The {'first' if right[0] else 'last'} {one} is right, the others are not."
    if len(right) > 1 and len(wrong) == 1:
        where = {0: "first", len(right) - 1: "last"}.get(wrong[0])
        return (
            None,
            (
                f"Only the {where} {one} is wrong."
                if where
                else f"Only {one} {wrong[0]} is wrong (counted from 0)."
            ),
        )
    if a.ndim > 2:
        rows = [
            k
            for k, (x, y) in enumerate(
                zip(a.reshape(-1, a.shape[-1]), b.reshape(-1, b.shape[-1]), strict=True)
            )
            if not close(x, y)
        ]
        return (
            (None, f"Only {place(rows[0], a.shape)} is wrong (counted from 0).")
            if len(rows) == 1
            else None
        )
    return _some_columns(a, b, close)


def _some_columns(a, b, close):
    if a.ndim != 2 or a.shape[1] < 2:
        return None
    wrong = [j for j, (x, y) in enumerate(zip(a.T, b.T, strict=True)) if not close(x, y)]
    if not wrong or len(wrong) == a.shape[1]:
        return None
    which = (
        f"Column {wrong[0]} is" if len(wrong) == 1 else f"Columns {', '.join(map(str, wrong))} are"
    )
    if not a[:, wrong].any():
        return (
            "columns left empty",
            f"{which} 0 (counted from 0), the others agree here. What is different about those?",
        )
    return None, f"{which} wrong (counted from 0), the others agree here."


def _row_factors(a, b, close, sizes):
    """Each row, or each column, off by a factor of its own; one factor for all, where something
    small is added as well."""
    if a.ndim < 2 or not (np.isfinite(a).all() and np.isfinite(b).all()):
        return None
    for axis, one in ((-1, "row"), (-2, "column")):
        with np.errstate(all="ignore"):
            factor = np.sum(a * b, axis=axis, keepdims=True) / np.sum(
                b * b, axis=axis, keepdims=True
            )
        if not np.isfinite(factor).all() or not factor.all() or not close(a, factor * b):
            continue
        low, high = factor.min(), factor.max()
        if high - low < 0.01 * np.abs(factor).max():
            return None, f"Every number is about {np.median(factor):.2g} times what it should be."
        if factor.size < 2:
            continue
        return (
            None,
            (
                f"Within each {one} the numbers have the right proportions, but every {one} is off"
                f" by a factor of its own (from {low:.3g} to {high:.3g})."
            ),
        )
    return None


def _sums(a, b, close, sizes):
    """Rows that should be shares and are not."""
    if b.ndim < 1 or b.shape[-1] < 2 or not close(b.sum(axis=-1), np.ones(b.shape[:-1])):
        return None
    sums, parts = a.sum(axis=-1), "rows" if b.ndim > 1 else "numbers"
    if not np.isfinite(sums).all():
        return None
    if close(sums, np.ones(sums.shape)):
        return None, (
            "Some of its numbers are negative: shares are not."
            if (a < 0).any()
            else f"The {parts} sum to 1, as they should, but the shares are others."
        )
    if a.ndim >= 2 and close(a.sum(axis=-2), np.ones(a.sum(axis=-2).shape)):
        return "columns sum to 1 instead of rows", "Its columns sum to 1. Each row should."
    if math.isclose(a.sum(), 1, rel_tol=1e-6):
        return (
            "everything sums to 1 instead of each row",
            "All its numbers together sum to 1. Each row should.",
        )
    spread = (
        f"{sums.min():.3g}"
        if close(sums, np.full(sums.shape, sums.min()))
        else f"{sums.min():.3g} to {sums.max():.3g}"
    )
    return None, f"Its {parts} sum to {spread} instead of 1."
