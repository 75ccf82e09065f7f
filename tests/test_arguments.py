"""The reader of specifications: kinds, axes, sizes that arguments share, and its sentences."""

import numpy as np
import pytest

from course_utils.arguments import ArgumentError, Specification, broadcasts


def refusal(specification, *arguments, **known):
    with pytest.raises(ArgumentError) as caught:
        specification(*arguments, **known)
    return str(caught.value)


def test_axes_of_one_name_have_one_size_in_one_argument_and_in_several():
    square = Specification("X (N, D)", "covariances (C, D, D): for {N} points")
    X, covariances = square(np.ones((5, 2)), np.ones((3, 2, 2)))
    assert (X.shape, covariances.shape) == ((5, 2), (3, 2, 2))
    wanted = "wanted (C, 2, 2): for 5 points"
    for shape in [(3, 2, 4), (3, 4, 2), (3, 4, 4), (2, 2)]:
        message = refusal(square, np.ones((5, 2)), np.ones(shape))
        assert message == f"covariances: got shape {shape}, {wanted}"
    assert "wanted (D, D)" in refusal(Specification("W (D, D)"), np.ones((2, 3)))


def test_leading_axes_must_broadcast_and_all_others_are_named():
    check = Specification("Q (..., T, d)", "K (..., T_kv, d)", "V (..., T_kv, d_v)")
    assert len(check(*map(np.ones, [(2, 5, 4), (7, 4), (3, 1, 7, 6)]))) == 3
    message = refusal(check, *map(np.ones, [(2, 5, 4), (7, 4), (3, 7, 6)]))
    wanted = "the same leading axes as Q (2, 5, 4) and K (7, 4)"
    assert message == f"V: got shape (3, 7, 6), wanted {wanted}"


def test_an_axis_of_any_size_is_known_afterwards():
    check = Specification("W (D, n...): a row for each feature", "b? (n,)")
    assert check(np.ones((2, 5)), None, D=2)[1] is None
    assert refusal(check, np.ones((3, 5)), None, D=2) == (
        "W: got shape (3, 5), wanted (2, ...): a row for each feature"
    )
    assert refusal(check, np.ones((2, 5)), np.ones(4), D=2) == "b: got shape (4,), wanted (5,)"


def test_numbers_are_held_against_sizes_numbers_and_each_other():
    check = Specification(
        "X (..., D)",
        "k count <= D: at most {D} of X {X}",
        "n? count divides D",
        "p number > 0 <= 1: above 0, at most 1",
        "m count even",
    )
    X = np.ones((3, 6))
    assert check(X, 6, None, 0.5, 2)[1:] == [6, None, 0.5, 2]
    assert refusal(check, X, 7, None, 1, 2) == "k: got 7, wanted at most 6 of X (3, 6)"
    assert refusal(check, X, 6.0, None, 1, 2) == "k: got 6.0, wanted a whole number of at least 1"
    assert refusal(check, X, None, None, 1, 2).startswith("k: got None")
    assert refusal(check, X, 1, 4, 1, 2).startswith("n: got 4")
    assert refusal(check, X, 1, 2, 0, 2) == "p: got 0.0, wanted above 0, at most 1"
    assert refusal(check, X, 1, 2, 1.5, 2) == "p: got 1.5, wanted above 0, at most 1"
    assert refusal(check, X, 1, 2, np.nan, 2).startswith("p: got nan")
    assert refusal(check, X, 1, 2, "1", 2) == "p: got '1', wanted above 0, at most 1"
    assert refusal(check, X, 1, 2, 1, 3).startswith("m: got 3")


def test_shapes_that_fitted_once_are_not_mixed_up_with_others():
    check = Specification("x (D,)", "y (D,)")
    for _ in range(2):
        assert refusal(check, np.ones(2), np.ones(3)) == "y: got shape (3,), wanted (2,)"
        check(np.ones(3), np.ones(3))
        assert refusal(check, np.ones(3), np.ones(3), D=2) == "x: got shape (3,), wanted (2,)"
        assert refusal(Specification("x (..., D)", "y (D, 3)"), np.ones(3), np.ones(3))


def test_a_line_that_cannot_be_read_is_seen_at_once():
    for line in ("Q", "Q shape", "(..., T)", "k count < 3", "k count <= D or E"):
        with pytest.raises(ValueError, match="specification"):
            Specification(line)


@pytest.mark.parametrize(
    ("shape", "to", "fits"),
    [
        ((), (2, 3), True),
        ((1, 3), (2, 3), True),
        ((3,), (2, 3), True),
        ((2, 3), (3,), False),
        ((2,), (2, 3), False),
        ((3,), (2, 1), False),
        ((1,), (2, 0), True),
        ((1, 3), (3,), False),
    ],
)
def test_a_shape_broadcasts_to_another_or_does_not(shape, to, fits):
    assert broadcasts(shape, to) == fits
