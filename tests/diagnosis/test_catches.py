"""What is said of a law and of an input that let mistakes pass, or are none."""

import linecache
import re

import numpy as np
import pytest

from course_utils.diagnosis.catch_inputs import explain_misfit, say_what_hides
from course_utils.exercises import EXERCISES

TABLE = np.array([[1.0, 2.0], [3.0, 5.0]])


def law(body, argument="attention"):
    """A law as a notebook has it, with its source."""
    code, file = f"def my_law({argument}):\n{body}", f"<law {abs(hash(body))}>"
    linecache.cache[file] = len(code), None, code.splitlines(keepends=True), file
    names = {"np": np, "__name__": "__main__"}
    exec(compile(code, file, "exec"), names)
    return names["my_law"]


CALL = """    Q, K, V = np.random.default_rng(0).normal(size=(3, 4, 4))
    came = attention(Q, K, V)
"""


@pytest.mark.parametrize(
    ("body", "name", "said", "lines"),
    [
        ("    return True", "too few are caught", "never calls `attention`", (2,)),
        (
            CALL + "    return came.shape == (4, 4)",
            "too few are caught",
            "looks at the shape only",
            (4,),
        ),
        (
            CALL + "    return bool(came.size)",
            "too few are caught",
            "It says True of everything",
            (4,),
        ),
        (
            "    z, V = np.zeros((2, 3)), np.arange(4.0).reshape(2, 2)\n"
            "    return np.allclose(attention(z, z, V), V.mean(axis=0))",
            "too few are caught",
            "All numbers of `Q` are zero.",
            (3,),
        ),
        (
            CALL + "    return np.allclose(came, V)",
            "the right one is refused",
            "It says False of all wrong ones, too.",
            (4,),
        ),
        (
            CALL + "    e = np.exp(Q @ K.T)\n"
            "    return not np.allclose(came, (e / e.sum(axis=1, keepdims=True)) @ V)",
            "the right one is refused",
            "turned round",
            (5,),
        ),
        (CALL + "    np.allclose(came, V)", "nothing returned", "`return`", (4,)),
        (CALL + "    return came == V", "not one True or False", "`np.allclose`", (4,)),
        ("    return attention(np.ones((2, 2)))", "too few arguments", "too few arguments", (2,)),
    ],
)
def test_a_law_is_told_what_it_misses_and_where(body, name, said, lines):
    diagnosis = EXERCISES["catch_attention"].check(law(body))
    assert (diagnosis.status, diagnosis.mistake) == ("wrong", name)
    assert said in diagnosis.sentences
    assert diagnosis.lines == lines


def test_a_law_that_compares_two_results_is_not_probed_by_changes_of_both():
    """A leak is found by two calls: any change of both results passes a right law as well."""
    body = """    Q, K, V = np.random.default_rng(0).normal(size=(3, 5, 2))
    mask = np.tril(np.ones((5, 5), dtype=bool))
    a, _ = masked_attention(Q, K, V, mask)
    K[1:] += 9
    b, _ = masked_attention(Q, K, V, mask)
    return np.allclose(a[0], b[0])"""
    diagnosis = EXERCISES["catch_leak"].check(law(body, "masked_attention"))
    assert (diagnosis.mistake, diagnosis.lines) == ("too few are caught", (7,))
    assert not re.search("It says True|It looks", diagnosis.sentences)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ((TABLE,), "an argument is missing"),
        ((TABLE, TABLE, TABLE), "an argument too many"),
        ((0.5, TABLE), "another order of the arguments"),
        (([[1.0], [1.0, 2.0]], 0.5), "rows of different lengths"),
        ((["a", "b"], 0.5), "not an array of numbers"),
        ((np.array(["a"]), 0.5), "not an array of numbers"),
        ((TABLE * np.nan, 0.5), "a number that is not finite"),
        ((TABLE[0], 0.5), "another shape"),
        ((TABLE[:0], 0.5), "nothing in it"),
        ((object(), 0.5), "not an array of numbers"),
    ],
)
def test_arguments_that_do_not_fit_are_told_what_differs(given, name):
    found = explain_misfit(["scores", "temperature"], (TABLE, 0.5), given)
    assert found is not None
    assert found[0] == name


def test_arguments_that_fit_have_no_misfit():
    assert explain_misfit(["scores", "temperature"], (TABLE, 0.5), (TABLE + 1, 2)) is None


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        (np.zeros((2, 2)), "All numbers of `x` are zero."),
        (np.zeros((1, 2)), "All numbers of `x` are zero."),
        (np.full((2, 2), 3.0), "All numbers of `x` are equal"),
        (np.array([[1.0, 2.0]]), "`x` has one row only."),
        (np.array([[1.0], [2.0]]), "`x` has width one"),
        (np.array([[1.0, 2.0], [1.0, 2.0]]), "All rows of `x` are equal"),
        (np.array([[1.0, 2.0], [0.0, 0.0]]), "Some rows of `x` are zero"),
        (np.array([3.0, 2.0, 1.0]), "`x` is sorted already."),
        (np.ones((2, 2), dtype=bool), "`x` is True everywhere"),
        (1, "`x` is 1."),
        (np.array([[1.0, 2.0], [3.0, 5.0]]), "the largest number stands at the same place"),
    ],
)
def test_what_is_alike_in_an_argument_is_said(argument, said):
    assert said in " ".join(say_what_hides(["x"], (argument,), []))


def test_what_differs_hides_nothing():
    assert say_what_hides(["x"], (np.array([[1.0, 2.0], [5.0, 3.0]]),), []) == []
    assert say_what_hides(["x", "y"], (TABLE, TABLE), []) == ["`x` and `y` are the same."]


def test_small_numbers_are_told_where_what_passes_needs_large_ones():
    x = np.array([[1.0, 2.0], [5.0, 3.0]])
    assert "none is larger than 5" in " ".join(say_what_hides(["x"], (x,), ["scores around 1000"]))
    assert "larger" not in " ".join(say_what_hides(["x"], (1e3 * x,), ["scores around 1000"]))


def test_of_another_shape_the_axes_are_counted():
    name, said = explain_misfit(["scores"], (TABLE,), (TABLE[0],))
    assert name == "another shape"
    assert said.endswith("It has 1 axis; 2 axes fit.")
    said = explain_misfit(["scores"], (TABLE,), (np.array(3.0),))[1]
    assert said.endswith("It has no axes; 2 axes fit.")
