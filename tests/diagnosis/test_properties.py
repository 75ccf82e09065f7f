"""Measured properties of numbers that are wrong: each is told where it holds, and nowhere else."""

import numpy as np
import pytest

from course_utils.diagnosis.properties import describe_shape, properties_of


def normal(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape).round(3)


def first_property(*given):
    return next(properties_of(*given), None)


def close(a, b):
    return np.shape(a) == np.shape(b) and np.allclose(a, b, 1e-7, 1e-7, equal_nan=True)


W, W3, SQ = normal(0, 3, 4), normal(1, 2, 3, 4), normal(2, 3, 3)
S = np.abs(W) / np.abs(W).sum(axis=1, keepdims=True)  # shares: each row sums to 1
R = np.array([1.5, -2.0, 3.25, 0.75])
P = np.abs(W) + 0.1
SIZES = {"`n`": 4, "`m`": 9, "the number of rows of `X`": 3}

SHAPES = [  # what came, what is wanted, the name, the sentence after the shapes
    (
        W.T,
        W,
        "transposed",
        "It looks transposed: the numbers are right, rows and columns are swapped.",
    ),
    (
        W3.transpose(1, 0, 2),
        W3,
        "axes in the wrong order",
        "The numbers are right, the axes stand in another order.",
    ),
    (W[None], W, "an axis too many", "An axis of length 1 was kept."),
    (
        R,
        R[:, None],
        "an axis of length 1 lost",
        "The numbers are right, but an axis of length 1 is gone: was it squeezed, or taken by"
        " a number?",
    ),
    (R + 1, R[:, None], None, "There are as many numbers as there should be, cut into other rows."),
    (
        R.sum(),
        R[:, None],
        "summed once too often",
        "The right numbers were summed once more, all of them.",
    ),
    (
        W[0],
        W,
        "the first row only",
        "Only the first row came back. Does the `return` stand inside a loop?",
    ),
    (
        W[2],
        W,
        "the last row only",
        "Only the last row came back. Has the result of each a place of its own?",
    ),
    (W[1], W, "one row only", "Only row 1 came back. Has the result of each a place of its own?"),
    (W[0] + 1, W, None, "One axis is lost."),
    (
        W3[0],
        W3,
        "the first table only",
        "Only the first table came back. Does the `return` stand inside a loop?",
    ),
    (
        W3[1],
        W3,
        "the last table only",
        "Only the last table came back. Has the result of each a place of its own?",
    ),
    (
        R[1],
        R,
        "one number only",
        "Only number 1 came back. Has the result of each a place of its own?",
    ),
    (
        R[0],
        R,
        "the first number only",
        "Only the first number came back. Does the `return` stand inside a loop?",
    ),
    (
        R[3],
        R,
        "the last number only",
        "Only the last number came back. Has the result of each a place of its own?",
    ),
    (W[:2], W, "a part is missing", "What is there is right, but a part is missing."),
    (W[:, 1:], W, "a part is missing", "What is there is right, but a part is missing."),
    (W[1:2], W, None, ""),
    (np.vstack([W + 1, W]), W, "more than was asked", "What is asked for is in it, and more."),
    (
        W.mean(),
        W,
        "averaged once too often",
        "The right numbers were averaged once more, all of them.",
    ),
    (
        W.sum(axis=0),
        W,
        "summed once too often",
        "The right numbers were summed once more, along axis 0.",
    ),
    (
        W.sum(axis=1),
        W,
        "summed once too often",
        "The right numbers were summed once more, along axis 1.",
    ),
    (
        W.mean(axis=1),
        W,
        "averaged once too often",
        "The right numbers were averaged once more, along axis 1.",
    ),
    (
        W3.sum(axis=2),
        W3,
        "summed once too often",
        "The right numbers were summed once more, along axis 2.",
    ),
    (
        W.reshape(6, 2)[::-1],
        W,
        None,
        "There are as many numbers as there should be, cut into other rows.",
    ),
    (
        W.ravel(),
        W,
        "cut into other rows",
        "There are as many numbers as there should be, in the right order, cut into other rows.",
    ),
    (
        (W + 1).T,
        W,
        None,
        "Rows and columns have changed places: on which axis should the tokens stand?",
    ),
    (
        7.0,
        W,
        "one number for everything",
        "It is a single number; an array of shape (3, 4) fits. Which axis was meant?",
    ),
    (
        7.0,
        R,
        "one number for everything",
        "It is a single number; an array of shape (4,) fits. Which axis was meant?",
    ),
    (np.ones((2, 3, 4, 1, 1)), W3[..., None], None, "An axis of length 1 was kept."),
    (
        W[None, :, :, None],
        W,
        "cut into other rows",
        "There are as many numbers as there should be, in the right order, cut into other rows.",
    ),
    (np.ones((0, 4)), W, None, ""),
    ((W3 + 1).reshape(4, 3, 2), W3, None, "The sizes are right, the axes stand in another order."),
]

NUMBERS = [  # what came, what is wanted, the name or names, the sentence
    (W * np.nan, W, None, 'Every number of it is NaN, "not a number".'),
    (
        np.where(W > 0, W, np.nan),
        W,
        None,
        '5 of its 12 numbers are NaN, "not a number"; the others are right.',
    ),
    (np.where(W > 0, W + 1, np.nan), W, None, '5 of its 12 numbers are NaN, "not a number".'),
    (np.where(W > 0, W, np.inf), W, None, "5 of its 12 numbers are infinite."),
    (np.where(W > 0, W, np.inf), np.where(W > 0, W, np.inf) + 1, None, ""),
    (np.array([np.nan]), np.array([1.0]), None, 'It is NaN, "not a number".'),
    (np.array([np.inf]), np.array([1.0]), None, "It is infinite."),
    (np.array([np.nan, 1.0]), np.array([np.nan, 2.0]), None, "Only the last number is wrong."),
    (
        np.trunc(W).astype(int),
        W,
        "cut to whole numbers",
        "Your numbers are whole: an array that was made for whole numbers cuts off what comes"
        " after the point.",
    ),
    (
        np.floor(W).astype(int),
        W,
        "cut to whole numbers",
        "Your numbers are whole: an array that was made for whole numbers cuts off what comes"
        " after the point.",
    ),
    (
        np.round(W).astype(int),
        W,
        "cut to whole numbers",
        "Your numbers are whole: an array that was made for whole numbers cuts off what comes"
        " after the point.",
    ),
    (np.trunc(W).astype(int) + 1, W, None, ""),
    (np.trunc(W), W, None, ""),
    (np.round(W, 1), W, "rounded", "The numbers are rounded. Give them back as they are."),
    (
        W + 0.002 * np.sign(SQ[0, 0] - W),
        W,
        None,
        "Nearly: no number is off by more than 0.002. Was something rounded, or a number "
        "typed by hand?",
    ),
    (
        W + 0.004 * np.arange(12).reshape(3, 4) / 11,
        W,
        None,
        "Nearly: no number is off by more than 0.004. Was something rounded, or a number "
        "typed by hand?",
    ),
    (W + 0.007 * np.arange(12).reshape(3, 4) / 11, W, None, ""),
    (W * 0, W, "all zeros", "All its numbers are 0. Is what was computed ever put in?"),
    (-W, W, "wrong sign", "Every number has the wrong sign."),
    (
        3 * W,
        W,
        ("multiplied by the root of m", "multiplied by the number of rows of X"),
        "Every number is 3 times what it should be.",
    ),
    (W / 4, W, ("divided by n",), "Every number is 1/4 of what it should be: 4 is `n`."),
    (
        W / 2,
        W,
        ("divided by the root of n",),
        "Every number is 1/2 of what it should be: 2 is √4, and 4 is `n`.",
    ),
    (
        W * 2,
        W,
        ("multiplied by the root of n",),
        "Every number is 2 times what it should be: 2 is √4, and 4 is `n`.",
    ),
    (
        W * 9,
        W,
        ("multiplied by m", "multiplied by the square of the number of rows of X"),
        "Every number is 9 times what it should be.",
    ),
    (
        W / 9,
        W,
        ("divided by m", "divided by the square of the number of rows of X"),
        "Every number is 1/9 of what it should be.",
    ),
    (W / 5, W, (), "Every number is 1/5 of what it should be."),
    (W * 1.37, W, (), "Every number is 1.37 times what it should be."),
    (W * -4, W, (), "Every number is -4 times what it should be: 4 is `n`."),
    (np.array([0.0]), np.array([2.0]), None, ""),
    (
        SQ.T,
        SQ,
        "transposed",
        "It is the transpose of what it should be: rows and columns are swapped.",
    ),
    (W[:, ::-1], W, "columns in reverse order", "The columns are right, in reverse order."),
    (W[::-1], W, "rows in reverse order", "The rows are right, in reverse order."),
    (R[::-1], R, "numbers in reverse order", "The numbers are right, in reverse order."),
    (
        W[:, [1, 0, 2, 3]],
        W,
        "columns in another order",
        "The columns are right, in another order: number 2 of yours should come first.",
    ),
    (
        W[[1, 2, 0]],
        W,
        "rows in another order",
        "The rows are right, in another order: number 3 of yours should come first.",
    ),
    (
        W3.swapaxes(0, 0)[[1, 0]],
        W3,
        "tables in reverse order",
        "The tables are right, in reverse order.",
    ),
    (
        W.ravel()[[3, 1, 2, 0, 4, 5, 6, 7, 8, 9, 11, 10]].reshape(3, 4),
        W,
        "right numbers at other places",
        "All its numbers are right, but they stand at other places.",
    ),
    (np.abs(W), W, "wrong signs", "Only signs are wrong: the sizes of the numbers are right."),
    (W + 0.5, W, None, "Every number is off by the same amount: +0.5."),
    (R - 2, R, None, "Every number is off by the same amount: -2."),
    (np.log(P), P, "a logarithm too many", "These are the logarithms of what was wanted."),
    (np.exp(W), W, "an exp too many", "These are the exponentials of what was wanted."),
    (W * W, W, "a square too many", "These are the squares of what was wanted."),
    (np.sqrt(P), P, "a square root too many", "These are the square roots of what was wanted."),
    (1 / W, W, "one over it", "Each number is one over what it should be."),
    (
        np.vstack([W[:1], W[1:] * 0]),
        W,
        "only the first row filled",
        "The first row is right, the others are 0. Does the `return` stand inside the loop?",
    ),
    (
        np.vstack([W[:2], W[2:] * 0]),
        W,
        "rows left empty",
        "Row 2 is 0 (counted from 0), the others are right. What is different about those?",
    ),
    (
        np.vstack([W[:1] * 0, W[1:]]),
        W,
        "rows left empty",
        "Row 0 is 0 (counted from 0), the others are right. What is different about those?",
    ),
    (
        np.vstack([W[:1] * 0, W[1:2], W[:1] * 0]),
        W,
        "rows left empty",
        "Rows 0, 2 are 0 (counted from 0), the others are right. What is different about those?",
    ),
    (np.vstack([W[:1], W[1:] ** 3 + 2]), W, None, "The first row is right, the others are not."),
    (np.vstack([W[:2] ** 3 + 2, W[2:]]), W, None, "The last row is right, the others are not."),
    (np.vstack([W[:2], W[2:] ** 3 + 2]), W, None, "Only the last row is wrong."),
    (np.vstack([W[:1] ** 3 + 2, W[1:]]), W, None, "Only the first row is wrong."),
    (np.vstack([W[:1], W[1:2] ** 3 + 2, W[2:]]), W, None, "Only row 1 is wrong (counted from 0)."),
    (np.array([1.5, 9, 3.25, 0.75]), R, None, "Only number 1 is wrong (counted from 0)."),
    (np.array([1.5, 0, 0, 0]), R, None, "The first number is right, the others are not."),
    (
        W3 + np.eye(6)[2].reshape(2, 3, 1) * np.array([1.0, 2, 4, -3]),
        W3,
        None,
        "Only the first table is wrong.",
    ),
    (
        W3 * (np.arange(2)[:, None, None] == 0),
        W3,
        "only the first table filled",
        "The first table is right, the others are 0. Does the `return` stand inside the loop?",
    ),
    (
        np.hstack([W[:, :1], W[:, 1:] ** 3 + 2]),
        W,
        None,
        "Columns 1, 2, 3 are wrong (counted from 0), the others agree here.",
    ),
    (
        np.hstack([W[:, :3], W[:, 3:] ** 3 + 2]),
        W,
        None,
        "Column 3 is wrong (counted from 0), the others agree here.",
    ),
    (
        np.hstack([W[:, :3], W[:, 3:] * 0]),
        W,
        "columns left empty",
        "Column 3 is 0 (counted from 0), the others agree here. What is different about those?",
    ),
    (
        np.hstack([W[:, :2], W[:, 2:] * 0]),
        W,
        "columns left empty",
        "Columns 2, 3 are 0 (counted from 0), the others agree here. What is different about"
        " those?",
    ),
    (
        W * np.array([[2.0], [3], [4]]),
        W,
        None,
        "Within each row the numbers have the right proportions, but every row is off by a "
        "factor of its own (from 2 to 4).",
    ),
    (
        W * np.array([2.0, 3, 4, 5]),
        W,
        None,
        "Within each column the numbers have the right proportions, but every column is off "
        "by a factor of its own (from 2 to 5).",
    ),
    (
        W * np.array([[2.0], [2.001], [2.002]]),
        W,
        None,
        "Every number is about 2 times what it should be.",
    ),
    (S[:, [0]] * 0 + S**3 + 0.1, S, None, "Its rows sum to 0.505 to 0.665 instead of 1."),
    (
        np.array([[1.5, -0.5, 0, 0], [0.5, 0.5, 0, 0], [1, 0, 0, 0]]),
        S,
        None,
        "Some of its numbers are negative: shares are not.",
    ),
    (
        S.T[:3, :3] / S.T[:3, :3].sum(axis=0),
        np.full((3, 3), 1 / 3) + np.array([0.1, 0, -0.1]),
        "columns sum to 1 instead of rows",
        "Its columns sum to 1. Each row should.",
    ),
    (
        np.arange(12).reshape(3, 4) / 66,
        S,
        "everything sums to 1 instead of each row",
        "All its numbers together sum to 1. Each row should.",
    ),
    (
        np.array([0.5, 0.3, 0.1, 0.1]),
        np.array([0.1, 0.2, 0.3, 0.4]),
        None,
        "The numbers sum to 1, as they should, but the shares are others.",
    ),
    (
        np.array([0.5, 0.3, 0.1, 0.3]),
        np.array([0.1, 0.2, 0.3, 0.4]),
        None,
        "Its numbers sum to 1.2 instead of 1.",
    ),
    (
        np.array([3, 1, 2]),
        np.array([1, 3, 2]),
        "numbers in another order",
        "The numbers are right, in another order: number 2 of yours should come first.",
    ),
    (np.array([3, 6, 9]), np.array([1, 2, 3]), None, ""),
    (np.array([1, 2, 9]), np.array([1, 2, 3]), None, "Only the last number is wrong."),
]


@pytest.mark.parametrize(("got", "wanted", "name", "said"), SHAPES)
def test_another_shape_is_explained(got, wanted, name, said):
    got, wanted = np.asarray(got), np.asarray(wanted)
    shapes = f"It has shape {got.shape}; {wanted.shape} fits."
    title, told = describe_shape(got, wanted, close)
    assert (title, told.removeprefix(shapes).strip()) == (name, said)
    assert told.startswith(shapes) or name == "one number for everything"


@pytest.mark.parametrize(("got", "wanted", "name", "said"), NUMBERS)
def test_numbers_of_the_right_shape_are_explained(got, wanted, name, said):
    assert (first_property(got, wanted, close, SIZES) or (None, "")) == (name, said)


@pytest.mark.parametrize("strange", [np.inf, np.nan])
def test_what_is_not_finite_hides_no_other_property_and_warns_of_nothing(strange):
    both = np.where(np.arange(12).reshape(3, 4) == 5, strange, W)
    for got in (2 * both, both + 1, both**3 + both, W**3 + W, 2 * W):
        assert first_property(got, both, close, {}) is None
    assert first_property(np.abs(both), both, close, {})[0] == "wrong signs"
    assert first_property(both[::-1], both, close, {})[0] == "rows in reverse order"
    assert first_property(0 * W, both, close, {})[0] == "all zeros"


def test_many_numbers_are_not_compared_by_their_order():
    row = np.arange(13.0)
    assert first_property(np.roll(row[:12], 1), row[:12], close, {}) is not None
    assert first_property(np.roll(row, 1), row, close, {}) is None
