"""Python's and NumPy's own errors, raised by real lines, in plain words."""

import linecache
import math

import numpy as np
import pytest

from course_utils.attention import softmax
from course_utils.diagnosis.error_messages import (
    explain,
    explain_change,
    explain_notebook_name,
)
from course_utils.diagnosis.running import Failure, run_trusted


def helper(a, b):
    return a


def recurse(x):
    return recurse(x)


NAMES = {"np": np, "math": math, "softmax": softmax, "helper": helper, "recurse": recurse}


def stopped(body):
    """The Failure of a function of a table (2, 3) and a list, whose lines are given."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    source, file = f"def f(x, rows):\n{lines}", f"<lines {body}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    names = dict(NAMES)
    exec(compile(source, file, "exec"), names)
    return run_trusted(names["f"], (np.arange(6.0).reshape(2, 3), [1.0, 2.0])).failure


# A line, what slipped, how the sentence about it begins.
LINES = [
    (
        "x @ np.ones(4)",
        "sizes that do not meet",
        "`@` needs as many columns on its left as rows on its right:",
    ),
    (
        "np.dot(x, x)",
        "sizes that do not meet",
        "A matrix product needs as many columns on its left as rows on",
    ),
    (
        "x @ 2.0",
        "a number in a matrix product",
        "One side of `@` is no array. Plain numbers are multiplied by",
    ),
    (
        "x.__iadd__(np.ones((4, 2, 3)))",
        "in place, into another shape",
        "The result has shape (4,2,3), and the array it should go into",
    ),
    (
        "x + np.ones((2, 2))",
        "shapes that do not fit together",
        "These shapes do not fit together: (2,3) and (2,2). Line the",
    ),
    (
        "x + np.ones((3, 2))",
        "transposed",
        "One of the two is turned: rows and columns have changed",
    ),
    (
        "x[:, :1] + np.ones((3, 1))",
        "two columns",
        "Both stand as columns. Where each number should meet each,",
    ),
    (
        "x - x.max(axis=1)",
        "keepdims forgotten",
        "A sum or a maximum along an axis loses that axis;",
    ),
    (
        "x - np.ones(2)",
        "new axis forgotten",
        "(2,) is laid along the columns. To meet the rows it has to",
    ),
    (
        "np.ones(2) + np.ones(3)",
        "shapes that do not fit together",
        "`+` adds arrays number by number. Lists it joins: is one of",
    ),
    (
        "np.ones(2) * np.ones(3)",
        "shapes that do not fit together",
        "Where each number of one should meet each of the other, one",
    ),
    (
        "x / np.ones(x.shape).shape",
        "a shape where one size belongs",
        "`.shape` holds all sizes; `.shape[-1]` is the last of them.",
    ),
    (
        "np.ones((2, 3)) * np.ones((3, 4))",
        "`*` in place of `@`",
        "`*` multiplies number by number. A matrix product is `@`.",
    ),
    (
        "np.ones((2, 1)) * np.ones((3, 2))",
        "a column where a row belongs",
        "(2,1) stands as a column, and has a number for each column of",
    ),
    (
        "x.reshape(4, 2)",
        "a reshape that does not come out",
        "`reshape` keeps every number, and here 6 numbers do not fill",
    ),
    (
        "np.hstack([x, np.ones((1, 3))])",
        "side by side instead of below each other",
        "Arrays that are put together must have the same size along",
    ),
    (
        "np.concatenate([x, np.ones(3)])",
        "new axis forgotten",
        "Arrays that are put together must have the same size along",
    ),
    (
        "np.stack([x, np.ones(3)])",
        "pieces that do not fit together",
        "Arrays that are put together must have the same size along",
    ),
    (
        "np.append(x, np.ones(3), axis=0)",
        "new axis forgotten",
        "Arrays that are put together must have the same size along",
    ),
    (
        "x.transpose(0, 1, 2)",
        "not one number for each axis",
        "`transpose` wants one number for each axis of the array.",
    ),
    (
        "x.transpose(0, 0)",
        "one axis named twice",
        "`transpose` wants every axis once: one is named twice, and",
    ),
    (
        "np.split(x, 5)",
        "split over the rows",
        "`split` cuts along axis 0, between rows, where no axis is",
    ),
    (
        "np.split(x, 2, axis=1)",
        "pieces of unequal size",
        "The axis cannot be cut into that many pieces of one size.",
    ),
    (
        "[a for a, b in [(1, 2, 3)]]",
        "more things than names",
        "There are 2 names on the left, and more things on the right.",
    ),
    (
        "[a for a, b in [(1,)]]",
        "fewer things than names",
        "There are 2 names on the left, and 1 thing on the right.",
    ),
    (
        "np.array([[1, 2], [3]])",
        "parts of different shapes",
        "An array wants parts of one shape. Here they differ: rows of",
    ),
    (
        "np.array([1.0, 2.0]).__setitem__(0, x)",
        "a row where one number belongs",
        "An array has one number in each place. Here a whole row",
    ),
    (
        'np.einsum("ij,jk->ik", x, x)',
        "the letters of einsum",
        "The letters of `einsum` do not fit the arrays: one letter for",
    ),
    (
        "np.broadcast_to(x, (2, 2, 3)).__setitem__(0, 1)",
        "an array that must not change",
        "This array may be read, not changed. Work on a copy.",
    ),
    (
        "math.sqrt(-1.0)",
        "a root or logarithm of a negative number",
        "`math` has no root and no logarithm of a negative number.",
    ),
    (
        "np.sum(x, axis=-3)",
        "an axis that is not there",
        "There is no axis -3: the array has 2, counted from 0; -1 is",
    ),
    (
        "max(0, x)",
        "Python's max of a whole array",
        "Python asks a whole array for a single yes or no: `max`,",
    ),
    (
        "min(x, x)",
        "Python's min of a whole array",
        "Python asks a whole array for a single yes or no: `max`,",
    ),
    (
        "sorted([x, x])",
        "Python's sorted of a whole array",
        "Python asks a whole array for a single yes or no: `max`,",
    ),
    (
        "x > 0 and x < 1",
        "and, or, not of a whole array",
        "Python asks a whole array for a single yes or no: `max`,",
    ),
    (
        "not x",
        "and, or, not of a whole array",
        "Python asks a whole array for a single yes or no: `max`,",
    ),
    (
        "[v for v in [1] if x > v]",
        "if of a whole array",
        "Python asks a whole array for a single yes or no: `max`,",
    ),
    (
        "np.max(0, x)",
        "np.max for np.maximum",
        "`np.max` looks for the largest number of one array, and its",
    ),
    (
        "np.min(0.0, x)",
        "np.min for np.minimum",
        "`np.min` looks for the smallest number of one array, and its",
    ),
    (
        "np.zeros(2, 3)",
        "brackets missing",
        "`np.zeros` takes the sizes as one thing: a pair of brackets",
    ),
    (
        "np.concatenate(x, x)",
        "brackets missing",
        "`np.concatenate` takes the arrays as one thing: a pair of",
    ),
    (
        "range(x)",
        "range of an array",
        "`range` counts up to one whole number. How many rows an array",
    ),
    (
        "rows[x]",
        "a list where an array is needed",
        "A list takes one whole number between its square brackets.",
    ),
    (
        "rows[0, 1]",
        "a list where an array is needed",
        "A list takes one whole number between its square brackets: no",
    ),
    (
        "math.exp(x)",
        "an array where one number belongs",
        "A whole array stands where one number is wanted. The",
    ),
    (
        "x(0)",
        "numbers called like a function",
        "Two pairs of parentheses stand side by side, or a name that",
    ),
    (
        "np.exp[x]",
        "square brackets after a function",
        "Square brackets stand after a function: call it with round",
    ),
    (
        "softmax[x]",
        "square brackets after a function",
        "Square brackets stand after a function: call it with round",
    ),
    ("2 ^ x", "^ for a power", "`^` is no power in Python: it compares numbers bit by bit. A"),
    (
        "rows * 2.0",
        "a list where an array is needed",
        "A list times a number repeats the list. `np.array(...)` makes",
    ),
    (
        "rows - 1",
        "a list where an array is needed",
        "A list does not calculate. `np.array(...)` makes an array of",
    ),
    (
        "rows + 1",
        "a list where an array is needed",
        "`+` puts a list behind a list. `np.array(...)` makes an array",
    ),
    (
        "-rows",
        "a list where an array is needed",
        "A list does not calculate. `np.array(...)` makes an array of",
    ),
    (
        "x * None",
        "None in a calculation",
        "Something in this line is None: a function before it gave",
    ),
    ('"a" * x', "text in a calculation", "Text stands where a number should."),
    ('"a" - 1', "text in a calculation", "Text stands where a number should."),
    (
        "softmax * x",
        "function not called",
        "A function stands where its result should. Round brackets",
    ),
    (
        "map(abs, x) * 2",
        "a list where an array is needed",
        "A map does not calculate. `np.array(list(...))` makes numbers",
    ),
    (
        "{1} * x",
        "a list where an array is needed",
        "A set does not calculate. `np.array(list(...))` makes numbers",
    ),
    ("x & x", "& or | of numbers", "`&` and `|` combine truth values, not numbers."),
    ("~x", "~ of numbers", "`~` turns True into False and back. It wants an array of"),
    (
        "(x > 0) - (x > 1)",
        "minus of truth values",
        "Truth values have no minus. `~` turns True into False and",
    ),
    (
        "-(x > 0)",
        "minus of truth values",
        "Truth values have no minus. `~` turns True into False and",
    ),
    ("np.exp()", "too few arguments", "`exp` is called with too few arguments."),
    ("np.tril()", "too few arguments", "`tril` is called with too few arguments."),
    (
        "helper(x, kind=1)",
        "an argument that the function does not have",
        "`helper` has no argument `kind`.",
    ),
    (
        "helper(1, 2, a=3)",
        "one argument given twice",
        "`helper` gets its argument `a` twice: by its place, and by",
    ),
    ("helper(1, 2, 3)", "too many arguments", "`helper` is called with too many arguments."),
    ("len(x, x)", "too many arguments", "`len` is called with too many arguments."),
    (
        "x[0, 0][0]",
        "a number where an array is needed",
        "A single number has no entries: square brackets stand behind",
    ),
    (
        "len(2)",
        "a number where an array is needed",
        "A single number is used as if it were an array.",
    ),
    (
        "len(x[0, 0])",
        "a number where an array is needed",
        "A single number is used as if it were an array.",
    ),
    (
        "[a for a, b in [1]]",
        "a number where an array is needed",
        "A single number is used as if it were an array.",
    ),
    (
        "np.zeros(x.shape[0] / 2)",
        "not a whole number",
        "A size or a position is a whole number, and `/` always gives",
    ),
    (
        "x[:, :3 / 2]",
        "not a whole number",
        "A size or a position is a whole number, and `/` always gives",
    ),
    (
        "x[5]",
        "an index out of range",
        "There is no entry 5 along axis 0: it has 2, counted from 0.",
    ),
    (
        "x[0, 1, 2]",
        "more indices than axes",
        "The array has 2 axes and gets 3 indices. `None` makes a new",
    ),
    ("x[0.5]", "not a whole number", "Positions are whole numbers. `//` divides whole numbers and"),
    (
        "x[np.ones(2)]",
        "not a whole number",
        "Positions are whole numbers or truth values. Here they are",
    ),
    (
        "x[np.ones(3, dtype=bool)]",
        "a mask of another shape",
        "A mask must have the shape of what it picks from.",
    ),
    (
        "x[[0, 1], [0, 1, 2]]",
        "indices of unlike lengths",
        "Rows and columns are named in pairs: as many of the one as of",
    ),
    (
        "rows[7]",
        "an index out of range",
        "There are fewer entries than that; they are counted from 0.",
    ),
    ("scroes", "unknown name", "Nothing is called `scroes` here."),
    (
        "np.linalg.nrom(x)",
        "unknown name",
        "`numpy.linalg` has no `nrom`. Did you mean `np.linalg.norm`?",
    ),
    (
        "np.softmax(x)",
        "unknown name",
        "NumPy has no `softmax`. Did you mean `softmax`, without `np.`?",
    ),
    (
        "x.append(1)",
        "an array used like a list",
        "An array has no `.append`: lists have. An array keeps its",
    ),
    ("x.sume()", "unknown name", "`.sume` is asked of something that has none (an array). Did"),
    (
        "rows.sum()",
        "a list where an array is needed",
        "`.sum` is asked of a list, which has none. `np.array(...)`",
    ),
    ("(2.0).shape", "a number where an array is needed", "`.shape` is asked of a single number."),
    (
        "x[0, 0].append(1)",
        "a number where an array is needed",
        "`.append` is asked of a single number.",
    ),
    (
        "softmax.sum()",
        "function not called",
        "`.sum` is asked of a function that was not called. Round",
    ),
    (
        '"text".sum()',
        "unknown name",
        "`.sum` is asked of something that has none (its type is str).",
    ),
    (
        "None.sum()",
        "None in a calculation",
        "Something in this line is None: a function before it gave",
    ),
    (
        '__import__("torch")',
        "a package that is not here",
        "There is no `torch` here: NumPy is all that is needed.",
    ),
    ("1 / 0", "divided by zero", "It divides by zero."),
    ("math.exp(1000.0)", "overflow", "A number grew beyond what a float can hold."),
    (
        "np.linalg.inv(np.zeros((2, 2)))",
        "a matrix without an inverse",
        "A matrix has no inverse, or is not square.",
    ),
    (
        "softmax(x, axis=2.0)",
        "an argument that does not fit",
        "A function of the course refuses an argument: axis: got 2.0,",
    ),
    (
        "recurse(x)",
        "calls itself without end",
        "Your function calls itself without end. Which call should be",
    ),
    ("exit()", "Python ended", "Your function calls `exit`, which ends Python itself. A"),
    ("x.squeeze(axis=0)", None, "Python says: cannot select an axis to squeeze out which has"),
    ("...  + x", "a gap left open", "Fill in what is missing."),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("line", "name", "words"), LINES, ids=[line for line, *_ in LINES])
def test_a_line_that_stops_is_explained(line, name, words):
    failure = stopped(f"return {line}")
    title, said = explain(failure, [*NAMES])
    assert title == name, said
    assert said.startswith("Your function ") or title == "a gap left open"
    assert f" {words}" in f" {said}"


def test_the_line_is_quoted_and_the_shapes_of_its_arrays_follow():
    said = explain(stopped("scale, w = 2.0, x.T\nreturn scale * x @ w[:, :1] @ w"))[1]
    assert said.startswith(
        "Your function stopped at `return scale * x @ w[:, :1] @ w`. `@` needs as many "
    )
    assert said.endswith(" The shapes: `x` (2, 3), `w` (3, 2).")
    assert "The shapes" not in explain(stopped("return 1 / 0"))[1]


def test_an_error_that_nobody_knows_is_told_as_python_says_it():
    assert explain(Failure("OddError", "no luck", "do()", 3)) == (
        None,
        "Your function stopped with OddError at `do()`. Python says: no luck",
    )
    assert explain(Failure("OddError", "", "", 3))[1] == (
        "Your function stopped with OddError in line 3."
    )
    assert explain(Failure("OddError"))[1] == "Your function stopped with OddError."


BODIES = [  # lines, what slipped, what is said
    ("e = x.sort()\nreturn e * 2", "in-place function gives nothing back", "`e` is None: `.sort`"),
    ("e = helper(None, 1)\nreturn e + x", "None in a calculation", "`e` is None: a function"),
    ("a = x.sum(axis=1)\nreturn x - a", "keepdims forgotten", "A sum or a maximum along an axis"),
    ("a = x[:, 0]\nreturn x - a", "new axis forgotten", "To meet the rows it has to stand"),
    ("x += x.sum(axis=1)\nreturn x", "keepdims forgotten", "`keepdims=True` keeps it"),
    (
        "k = np.append(x, x)\nreturn k @ x",
        "np.append without an axis",
        "one long row of everything",
    ),
    ("y = np.stack([x, x])\nreturn x @ y.T", ".T of three axes", "turns all of them round"),
    ("y = np.stack([x, x])\nreturn y @ x", "sizes that do not meet", "here 3 and 2"),
    ("f = helper\nreturn x @ f", "function not called", "`f` is a function, and it stands beside"),
    ("return np.tril(2, 3)", "a number where an array is needed", "`tril` cuts a triangle out"),
    ("w = ...\nreturn w * x", "a gap left open", "`w` is still `...`. Fill in what is missing."),
    ("v = w = ...\nreturn w * v", "a gap left open", "`v` and `w` are still `...`. Fill in"),
    ("while x.any() > x:\n    pass", "if of a whole array", "`np.where` chooses"),
    ("return bool(x)", "one yes or no for a whole array", "Python asks a whole array"),
    ("return any([x])", "Python's any of a whole array", "Python asks a whole array"),
    ("t = 1, 2\nt[0] = 3", "a tuple to be changed", "A tuple stays as it is."),
    ("y = x.astype(int)\ny += x", "in place, into another kind of number", "The array holds int64"),
    ("y = x.copy()\ny[0] = x[:, 0]", "a place of another shape", "Something of shape (2,) is put"),
    ("m += x\nreturn m", "used before it has a value", "`m` is used before it is given a value"),
    ("return x @ (x.T, x)", "`@` with several matrices", "`@` takes one matrix at a time."),
    ("return attention(x, x, x)", "unknown name", "Nothing is called `attention` here."),
    ("del x\nreturn rows + 1", "no list behind a list", "Square brackets make a list of one thing"),
]


@pytest.mark.parametrize(("body", "name", "words"), BODIES, ids=[name for _, name, _ in BODIES])
def test_what_the_lines_before_did_is_seen(body, name, words):
    title, said = explain(stopped(body), [*NAMES])
    assert title == name, said
    assert words in said


NEAR = {  # what is written, what is meant: of the function's own names, the notebook's, NumPy's
    "return Rows": " Did you mean `rows`?",
    "return sofmax(x)": " Did you mean `softmax`?",
    "return numpy.exp(x)": " Did you mean `np`?",
    "return lenn(x)": " Did you mean `len`?",
    "return zzzz(x)": "",
    "return np.qqqqqq(x)": "",
}


@pytest.mark.parametrize("body", NEAR)
def test_the_nearest_name_is_asked_for(body):
    said = explain(stopped(body), [*NAMES])[1].split(" The shapes")[0]
    assert said.endswith(("here." if "np." not in body else "`.") + NEAR[body])


def test_a_name_that_is_not_there_is_never_its_own_guess():
    for name, guess in {"np": " `import numpy as np` makes it.", "softmax": ""}.items():
        failure = Failure("NameError", f"name '{name}' is not defined", f"return {name}", 2, {})
        assert explain(failure, [name])[1].endswith(f"Nothing is called `{name}` here.{guess}")


def test_no_inner_name_of_an_array_is_guessed():
    assert "__iadd__" not in explain(stopped("return x.iadd(1)"))[1]


def test_several_heads_in_a_function_of_one_are_told():
    failure = Failure(
        "ValueError", "matmul", "attention(Q, K, V)", 2, {"Q": (2, 5, 3), "K": (5, 3)}
    )
    assert (
        " `attention` takes one head at a time: tables of two axes. The shapes:"
        in explain(failure)[1]
    )
    failure.variables["Q"] = 5, 3
    assert "one head" not in explain(failure)[1]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([1], "Work on a copy: `ids = ids.copy()`."),
        ({}, "Make a new dictionary, and new arrays in it"),
        (np.ones(2), "write `x = x - 1` rather than `x -= 1`."),
    ],
)
def test_a_changed_argument_is_told_by_its_kind(value, words):
    said, name = explain_change("ids", value)
    assert said.startswith("What comes back is right, but `ids` is different after the call. ")
    assert words in said
    assert name == "argument changed"


def test_a_name_of_the_notebook_is_told_with_what_became_of_the_argument():
    begun, end = "`X` is a value of your notebook, and no argument. ", " Did you mean `x`?"
    name = "a name of the notebook"
    assert explain_notebook_name("X", "x", is_read=True) == (
        f"{begun}Your function should compute with its argument `x` alone.{end}",
        name,
    )
    assert explain_notebook_name("X", "x", is_read=False) == (
        f"{begun}Your function never reads its argument `x`: with other numbers it would give the"
        f" same.{end}",
        name,
    )
