"""Values as the check compares them and speaks of them: numbers within rounding, and lists."""

import numpy as np
import pytest

from course_utils.diagnosis import lists, values
from course_utils.diagnosis.lists import describe_list


class Odd:
    """What is no number, and says so with an error."""

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("no")


def agree(a, b, tolerance=1e-7):
    return values.agree([np.asarray(a)], [np.asarray(b)], tolerance)


def test_near_is_what_isclose_says_of_infinities_too():
    numbers = np.array([0.0, 1, 1 + 1e-9, -1, 1e308, -1e308, np.inf, -np.inf, np.nan])
    a, b = (x.ravel() for x in np.meshgrid(numbers, numbers))
    with np.errstate(all="ignore"):
        wanted = np.isclose(a, b, rtol=1e-7, atol=1e-7, equal_nan=True)
    np.testing.assert_array_equal(values.near(a, b, 1e-7), wanted)


def test_rounding_is_no_difference_and_more_than_rounding_is_one():
    assert agree(1.0, 1 + 1e-8)
    assert not agree(1.0, 1 + 1e-6)
    assert not agree(0.0, 1e-6)
    assert agree(1e9, 1e9 + 1)
    assert agree([np.nan, np.inf], [np.nan, np.inf])
    assert not agree([np.nan], [1.0])
    assert not agree([1.0], [[1.0]])
    assert agree([1], [1.0])
    assert not agree([True], [1.0])
    assert not agree([1.0], [True])
    with pytest.raises(ValueError, match="zip"):
        values.agree([np.ones(1)], [], 1)


@pytest.mark.parametrize(
    ("dtypes", "tolerance"),
    [
        ([float], 1e-7),
        (["float32"], 1e-4),
        (["float16"], 1e-2),
        ([int], 1e-7),
        ([float, "float16", "float32"], 1e-2),
        ([], 1e-7),
    ],
)
def test_the_coarsest_of_the_inputs_says_what_rounding_is(dtypes, tolerance):
    assert values.tolerance_of([*(np.ones(1, dtype) for dtype in dtypes), 2.0, [1]]) == tolerance


def test_what_came_is_taken_apart_like_what_is_wanted():
    one, two = np.ones(2), (np.ones(2), 3)
    assert [a.tolist() for a in values.as_arrays([1, 2], one)] == [[1, 2]]
    assert [a.tolist() for a in values.as_arrays([[1, 2], 4], two)] == [[1, 2], 4]
    assert [a.tolist() for a in values.as_arrays(([1, 2], 4), two)] == [[1, 2], 4]
    assert values.as_arrays(([1, 2], 4, 5), two) is None
    assert values.as_arrays(np.ones((2, 2)), two) is None
    assert values.as_arrays([[1], [2, 3]], one) is None
    assert values.as_arrays("text", one) is None
    assert values.as_arrays(Odd(), one) is None
    assert values.as_arrays(np.array([1j]), one) is None


def test_kinds_of_arguments_in_words():
    assert [values.describe_dimensions(np.ones(shape)) for shape in [(), 2, (2, 2)]] == [
        "a number",
        "a row of numbers",
        "a table of numbers",
    ]
    assert values.describe_dimensions(np.ones((1, 2, 3))) == "3 axes of numbers"
    assert values.describe_dimensions(np.array([1, np.inf])) == (
        "a row of numbers, some of them inf or nan"
    )
    assert [values.describe_dimensions(n) for n in [1, 2.0, np.float32(1)]] == ["a number"] * 3
    assert values.describe_dimensions("x") == "something of type str"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (np.ones((2, 3)), "an array of shape (2, 3)"),
        (np.array(["a"]), "an array of shape (1,) and dtype <U1"),
        ((np.ones(2), None), "2 things (an array of shape (2,), None)"),
        ([[1], [2, 3]], "a list of rows of different lengths, or of things that are not numbers"),
        ([1, 2], "something of type list"),
        ([], "something of type list"),
        (None, "None"),
        ("a", "something of type str"),
    ],
)
def test_what_came_in_words(value, words):
    assert values.describe_type(value) == words


def test_tables_and_truth_values():
    assert [values.is_table(x) for x in ([1, 2], [[1], [2]], np.ones(2), [[1], [2, 3]], ["a"])] == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert [values.is_table(x) for x in (np.float64(1), np.array(1.0), (1, 2), 3, "12")] == [
        False
    ] * 5
    given = True, np.True_, np.array([0.0]), 1, np.ones(2), np.ones(0), "yes", None, Odd()
    assert [values.truth_value(x) for x in given] == [True, True, False, True, *[None] * 5]


def test_a_small_table_is_shown_whole_and_of_a_large_one_the_row_that_differs():
    a, b = np.zeros((6, 6)), np.zeros((6, 6))
    b[2, 1] = 1
    assert values.side_by_side(a, b, 1e-7)[1].count("\n") == 5
    a, b = np.zeros((5, 8)), np.zeros((5, 8))
    b[2, 1] = 1
    assert values.side_by_side(a, b, 1e-7) == (
        "[0. 0. 0. 0. 0. 0. 0. 0.]   (row 2)",
        "[0. 1. 0. 0. 0. 0. 0. 0.]   (row 2)",
    )
    assert values.side_by_side(a[2], b[2], 1e-7)[1] == "[0. 1. 0. 0. 0. 0. 0. 0.]"
    assert values.side_by_side(np.array(1.0), np.array(2.0), 1e-7) == ("[1.]", "[2.]")
    a, b = np.zeros((2, 2, 2)), np.zeros((2, 2, 2))
    b[1, 1, 0] = 0.12345
    assert values.side_by_side(a, b, 1e-7)[1] == "[0.123 0.   ]   (table 1, row 1)"


def test_a_long_row_is_shown_by_its_ends():
    assert values.format_numbers(np.arange(40.0)).count(".") == 40
    assert "..." in values.format_numbers(np.arange(41.0))
    assert values.format_numbers(np.arange(41.0)).startswith("[ 0.  1.  2.  3. ...")
    assert values.format_numbers(np.array([1e-9, 1.0])) == "[0. 1.]"


def test_sizes_that_a_factor_may_come_from():
    def function(X, w, k, name):
        return X

    assert values.sizes_of(function, (np.ones((2, 3)), np.ones(4), 5, "text")) == {
        "the number of columns of `X`": 3,
        "the number of rows of `X`": 2,
        "how many numbers `X` holds": 6,
        "the length of `w`": 4,
        "`k`": 5,
    }
    assert values.sizes_of(lambda x: x, (np.array(3.0),)) == {}


# Lists.


@pytest.mark.parametrize(
    ("value", "is_one"),
    [
        ([1, 2], True),
        (np.array([1, 2]), True),
        ([], True),
        (np.array([], dtype=float), False),
        ([1.5], False),
        ([[1]], False),
        (np.array([True]), False),
        (3, False),
    ],
)
def test_what_a_list_is(value, is_one):
    assert lists.is_list(value) == is_one


DIFFERS = "The first that differs is number {}: {}, wanted {}."
LISTS = [  # what came, what is wanted, the name, the sentence
    (
        [1, 2],
        [1, 2, 3],
        "a part is missing",
        "Your list has 2 tokens; 3 fit. What is there is right; 3 is missing behind it.",
    ),
    (
        [],
        [7],
        "a part is missing",
        "Your list has 0 tokens; 1 fits. 7 should stand first.",
    ),
    (
        [1],
        [],
        "more than was asked",
        "Your list has 1 token; 0 fit. What is asked for is in it, and more: 1 is too much.",
    ),
    (
        [1, 2, 3],
        [1, 2],
        "more than was asked",
        "Your list has 3 tokens; 2 fit. What is asked for is in it, and more: 3 is too much.",
    ),
    (
        [2, 3],
        [1, 2, 3],
        "a part is missing",
        "Your list has 2 tokens; 3 fit. Its end is right: the first 1 of what is wanted are "
        "missing.",
    ),
    (
        [9, 8, 1, 2],
        [1, 2],
        "more than was asked",
        "Your list has 4 tokens; 2 fit. What is asked for is in it, and more: the first 2 are too "
        "much.",
    ),
    (
        [3, 2, 1],
        [1, 2, 3],
        "tokens in reverse order",
        f"The tokens are right, in reverse order. {DIFFERS.format(1, 3, 1)}",
    ),
    (
        [1, 3, 2],
        [1, 2, 3],
        "tokens in another order",
        f"The tokens are right, in another order. {DIFFERS.format(2, 3, 2)}",
    ),
    ([1, 2, 4], [1, 2, 3], None, DIFFERS.format(3, 4, 3)),
    ([4], [1, 2], None, f"Your list has 1 token; 2 fit. {DIFFERS.format(1, 4, 1)}"),
    ([4, 5, 6], [1, 2], None, f"Your list has 3 tokens; 2 fit. {DIFFERS.format(1, 4, 1)}"),
    ([1.5, 2], [1, 2], None, DIFFERS.format(1, 1.5, 1)),
]


@pytest.mark.parametrize(("got", "wanted", "name", "said"), LISTS)
def test_a_list_is_spoken_of_by_its_length_and_its_order(got, wanted, name, said):
    assert describe_list(np.array(got), np.array(wanted), "tokens") == (name, said)


def test_a_list_as_python_writes_it():
    assert lists.as_text(np.array([1.0, 2.0, 0.12345])) == "[1, 2, 0.123]"
    assert lists.many(1, "rows") == "1 row"
    assert lists.many(2) == "2 numbers"
    assert lists.many(1) == "1 number"
