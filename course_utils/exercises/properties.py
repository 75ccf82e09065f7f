"""What kind of thing is wrong with an answer that no known mistake explains: a measured property, before any numbers.

Each function takes what came and what was wanted, arrays of floats, and returns a sentence or None.
"""

import itertools
import math

import numpy as np


def describe_shape(got, wanted):
    """Why an array has another shape: a lost axis, a kept one, a transpose."""
    said = f"It has shape {got.shape}; {wanted.shape} fits."
    if got.ndim == wanted.ndim >= 2 and got.shape == wanted.swapaxes(-1, -2).shape:
        return f"{said} It looks transposed."
    if got.ndim == wanted.ndim + 1 and 1 in got.shape and got.size == wanted.size:
        return f"{said} An axis of length 1 was kept."
    if got.ndim == wanted.ndim - 1:
        return f"{said} One axis is lost."
    if got.ndim == wanted.ndim and sorted(got.shape) == sorted(wanted.shape):
        return f"{said} The sizes are right, the axes stand in another order."
    if got.size == wanted.size:
        return f"{said} There are as many numbers as there should be, cut into other rows."
    return said


def describe_values(got, wanted, close, sizes):
    """The first property that holds of numbers of the right shape, or None.

    close(a, b) says whether arrays agree; sizes: {size in words: number}, in which a factor may be recognised.
    """
    a, b = np.atleast_1d(got).astype(float), np.atleast_1d(wanted).astype(float)
    for look in (_nan, _rounded, _constant_factor, _in_other_places, _sign, _constant_offset, _function_of, _some_rows, _row_factors, _sums):
        words = look(a, b, close, sizes)
        if words:
            return words
    return None


def _rounded(a, b, close, sizes):
    """Nearly right."""
    if np.isfinite(a).all() and np.isfinite(b).all() and np.abs(a - b).max() < 6e-3 < np.abs(b).max():
        return f"Nearly: no number is off by more than {np.abs(a - b).max():.1g}. Was something rounded, or a number typed by hand?"
    return None


def _nan(a, b, close, sizes):
    """NaN where numbers belong; infinite where finite."""
    nan = np.isnan(a) & ~np.isnan(b)
    if nan.all():
        return "Every number of it is NaN, \"not a number\"."
    if nan.any():
        rest = "; the others are right" if close(a[~nan], b[~nan]) else ""
        return f"{nan.sum()} of its {a.size} numbers are NaN, \"not a number\"{rest}."
    if np.isinf(a).any() and not np.isinf(b).any():
        return f"{np.isinf(a).sum()} of its {a.size} numbers are infinite."
    return None


def _constant_factor(a, b, close, sizes):
    usable = (np.abs(b) > 1e-12) & np.isfinite(b)
    if usable.sum() < 2 or not np.isfinite(a).all():
        return None
    c = float(np.median(a[usable] / b[usable]))
    if not math.isfinite(c) or abs(c) < 1e-12 or not close(a, c * b):
        return None
    if math.isclose(c, -1, rel_tol=1e-6):
        return "Every number has the wrong sign."
    times = f"{c:.3g} times" if abs(c) >= 1 else f"1/{1 / c:.3g} of"
    return f"Every number is {times} what it should be.{_recognised(c, sizes)}"


def _recognised(c, sizes):
    """Where a factor comes from, if it is a size, its root or its square, or one over them."""
    large = max(abs(c), 1 / abs(c))
    for (words, n), (power, shape) in itertools.product(sizes.items(), [(1, "{}"), (0.5, "√{}"), (2, "{}²")]):
        if n > 1 and math.isclose(large, n**power, rel_tol=1e-5):
            return f" {large:.3g} is {shape.format(n)}, and {n} is {words}."
    return ""


def _in_other_places(a, b, close, sizes):
    """The right numbers at other places."""
    if a.ndim >= 2 and a.shape[-1] == a.shape[-2] and close(a.swapaxes(-1, -2), b):
        return "It is the transpose of what it should be: rows and columns are swapped."
    for axis, name in ((-1, "columns"), (-2, "rows"), (-3, "tables")):
        if a.ndim < -axis or a.shape[axis] < 2:
            continue
        if close(np.flip(a, axis), b):
            return f"The {name} are right, in reverse order." if a.ndim > 1 else "The numbers are right, in reverse order."
        order = _matching(np.moveaxis(a, axis, 0), np.moveaxis(b, axis, 0), close)
        if order:
            one = name if a.ndim > 1 else "numbers"
            return f"The {one} are right, in another order: number {order.index(0)} should stand first."
    if a.ndim >= 2 and close(np.sort(a, axis=None), np.sort(b, axis=None)):
        return "All its numbers are right, but they stand at other places."
    return None


def _matching(parts, others, close):
    """For each part the number of the other that equals it, if that is a permutation and not the identity."""
    if len(parts) > 12:
        return None
    order = [next((j for j, other in enumerate(others) if close(part, other)), None) for part in parts]
    return order if None not in order and len(set(order)) == len(order) and order != list(range(len(order))) else None


def _sign(a, b, close, sizes):
    return "Only signs are wrong: the sizes of the numbers are right." if close(np.abs(a), np.abs(b)) else None


def _constant_offset(a, b, close, sizes):
    if not (np.isfinite(a).all() and np.isfinite(b).all()) or a.size < 2:
        return None
    c = float(np.median(a - b))
    return f"Every number is off by the same amount: {c:+.3g}." if close(a, b + c) else None


def _function_of(a, b, close, sizes):
    """A step too many or too few that can be undone."""
    with np.errstate(all="ignore"):
        steps = {"the logarithms of": np.log(b), "the exponentials of": np.exp(b), "the squares of": b * b, "the square roots of": np.sqrt(b),
                 "one over": 1 / b}
    for words, value in steps.items():
        if np.isfinite(value).all() and close(a, value):
            return f"These are {words} what was wanted." if words != "one over" else "Each number is one over what it should be."
    return None


def _some_rows(a, b, close, sizes):
    """Some rows right, others not."""
    if a.ndim < 2:
        right = [bool(close(x, y)) for x, y in zip(a, b, strict=True)]
        one = "number"
    else:
        rows_a, rows_b = a.reshape(-1, a.shape[-1]), b.reshape(-1, b.shape[-1])
        right = [bool(close(x, y)) for x, y in zip(rows_a, rows_b, strict=True)]
        one = "row"
    if len(right) < 2 or not any(right):
        return _some_columns(a, b, close)
    wrong = [i for i, ok in enumerate(right) if not ok]
    if right[0] and len(wrong) == len(right) - 1 and len(right) > 2:
        return f"The first {one} is right, the others are not."
    if right[-1] and len(wrong) == len(right) - 1 and len(right) > 2:
        return f"The last {one} is right, the others are not."
    if len(wrong) == 1:
        where = {0: "first", len(right) - 1: "last"}.get(wrong[0])
        return f"Only the {where} {one} is wrong." if where else f"Only {one} {wrong[0]} is wrong (counted from 0)."
    return None


def _some_columns(a, b, close):
    if a.ndim != 2 or a.shape[1] < 2:
        return None
    right = [bool(close(x, y)) for x, y in zip(a.T, b.T, strict=True)]
    wrong = [j for j, ok in enumerate(right) if not ok]
    if not any(right):
        return None
    return f"Columns {', '.join(map(str, wrong))} are wrong (counted from 0), the others are right."


def _row_factors(a, b, close, sizes):
    """Each row off by a factor of its own."""
    if a.ndim < 2 or not (np.isfinite(a).all() and np.isfinite(b).all()):
        return None
    with np.errstate(all="ignore"):
        factor = np.sum(a * b, axis=-1, keepdims=True) / np.sum(b * b, axis=-1, keepdims=True)
    if np.isfinite(factor).all() and close(a, factor * b):
        ends = f"from {factor.min():.3g} to {factor.max():.3g}"
        return f"Within each row the numbers have the right proportions, but every row is off by a factor of its own ({ends})."
    with np.errstate(all="ignore"):
        factor = np.sum(a * b, axis=-2, keepdims=True) / np.sum(b * b, axis=-2, keepdims=True)
    if np.isfinite(factor).all() and close(a, factor * b):
        return "Within each column the numbers have the right proportions, but every column is off by a factor of its own."
    return None


def _sums(a, b, close, sizes):
    """Rows that should be shares and are not."""
    if b.ndim < 1 or b.shape[-1] < 2 or not close(b.sum(axis=-1), np.ones(b.shape[:-1])):
        return None
    sums = a.sum(axis=-1)
    if not np.isfinite(sums).all():
        return None
    if close(sums, np.ones(sums.shape)):
        return ("Some of its numbers are negative: shares are not." if (a < 0).any()
                else "The rows sum to 1, as they should, but the shares are others.")
    if a.ndim >= 2 and close(a.sum(axis=-2), np.ones(a.sum(axis=-2).shape)):
        return "Its columns sum to 1. Each row should."
    if math.isclose(a.sum(), 1, rel_tol=1e-6):
        return "All its numbers together sum to 1. Each row should."
    spread = f"{sums.min():.3g}" if close(sums, np.full(sums.shape, sums.min())) else f"{sums.min():.3g} to {sums.max():.3g}"
    return f"Its rows sum to {spread} instead of 1."
