"""The smallest failing example, in words: its arguments, what came, what is wanted."""

import numpy as np
import pytest

from course_utils.diagnosis.exercise import Exercise
from course_utils.diagnosis.failing_example import _cost, _line, _simpler, _size, find_example


def named(x):
    return x


LINES = [
    (np.array([[1.0, 2.0], [3.0, 4.0]]), "v = [[1. 2.]\n     [3. 4.]]"),
    (np.zeros((5, 8)), "v = " + str(np.zeros((5, 8))).replace("\n", "\n    ")),
    (np.zeros((6, 7)), "v: an array of shape (6, 7)"),
    ({"W": 1, "b": 2}, "v: W, b"),
    ([{"W": 1}], "v: 1 block"),
    ([{"W": 1}, {}], "v: 2 blocks"),
    ([1, 2], "v = [1, 2]"),
    ("a", "v = 'a'"),
    (np.float64(0.5), "v = 0.5"),
    ("a" * 198, f"v = '{'a' * 198}'"),
    ("a" * 199, "v: str"),
    (named, "v: the function named"),
    (None, "v: NoneType"),
]


@pytest.mark.parametrize(("value", "line"), LINES)
def test_an_argument_stands_on_a_line(value, line):
    assert _line("v", value) == line


def test_what_there_is_to_read_counts():
    assert _size((np.ones((2, 3)), [1, [2]], {"a": np.ones(2)}, "abc", 5)) == 6 + 2 + 2 + 3 + 1
    assert _size((np.ones((0, 3)), 1)) == 0
    assert _cost((np.array([1.0, 10.0]),)) == 2 + 3 + 2
    assert _cost((np.array([[1.0, 10.0]]),)) == 2 + 3 + 2 + 24
    assert _cost((np.zeros(2),)) == 4 + 2 + 8


def test_simpler_numbers_are_whole_or_zero_and_shares_stay():
    mixed, shares = np.array([0.3, -1.2, 2.4]), np.array([0.2, 0.8])
    found = [[a.tolist() for a in arguments] for arguments in _simpler((mixed, shares))]
    assert found == [[[0, -2, 4], [0.2, 0.8]], [[0, 0, 0], [0.2, 0.8]]]
    assert _simpler((np.array([1, -1]), np.zeros(0), 3)) == []


def task(reference, **options):
    draw = options.pop("draw", lambda rng: (rng.normal(size=(1, int(rng.integers(1, 4)))),))
    return Exercise("task", reference, [(np.ones((2, 3)),)], draw=draw, **options)


def test_an_example_is_small_and_shows_a_difference_that_can_be_seen():
    found = find_example(task(lambda x: x * 2), lambda x: x * 2 + 1, (np.ones((2, 3)),))
    assert found.given.startswith("x = [[")
    yours, wanted = (
        [float(n) for n in text.strip("[]").split()] for text in (found.yours, found.wanted)
    )
    assert len(yours) > 1  # one number along an axis would hide what goes along it
    assert np.allclose(np.subtract(yours, wanted), 1)
    assert find_example(task(lambda x: x * 2), lambda x: x * 2 + 1e-3, (np.ones((2, 3)),)) is None
    assert find_example(task(lambda x: x * 2), lambda x: x * 2, (np.ones((2, 3)),)) is None
    assert find_example(task(lambda x: x * 2), lambda x: 1 / 0, (np.ones((2, 3)),)) is None


def test_what_the_task_does_not_tell_apart_is_no_difference():
    up_to_sign = {"canonicalise": lambda came, other: [np.abs(a) for a in came]}
    exercise = task(lambda x: np.abs(x), **up_to_sign)
    assert find_example(exercise, lambda x: -np.abs(x), (np.ones((2, 3)),)) is None
    assert find_example(exercise, lambda x: 2 * np.abs(x), (np.ones((2, 3)),)) is not None


def test_of_several_things_the_first_that_differs_is_shown():
    found = find_example(
        task(lambda x: (x, x.sum()), draw=None), lambda x: (x, x.sum() + 1), (np.ones((1, 2)),)
    )
    assert (found.yours, found.wanted) == ("3.   (number 2 of 2)", "2.   (number 2 of 2)")


def test_of_several_lists_the_first_that_differs_is_told():
    exercise = task(lambda x: ([1, 2, 3], [4, 5, 6]), draw=None)
    found = find_example(exercise, lambda x: ([1, 2, 3], [4, 5, 7]), (np.ones((1, 2)),))
    assert found.said.startswith("Of the 2 things it gives back, number 2: ")
