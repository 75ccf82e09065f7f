"""What stands in a student's code, read without running it."""

import functools
import linecache

import numpy as np
import pytest

from course_utils.diagnosis import code_inspection as code


def written(source, name="f", **names):
    file = f"<read {source}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    names |= {"np": np, "__name__": "__main__"}
    exec(compile(source, file, "exec"), names)
    return names[name]


def body(lines, head="def f(x, y):"):
    indented = "".join(f"    {line}\n" for line in lines.splitlines())
    return written(f"{head}\n{indented}")


# Arguments.


def test_which_arguments_are_read():
    f = body("return [x for _ in range(2)]")
    assert code.reads(f, 0)
    assert not code.reads(f, 1)
    assert not code.reads(f, 2)
    assert code.reads(body("x = 1\nreturn x"), 0)
    assert not code.reads(body("x = 1\nreturn y"), 0)
    assert code.reads(body("def g():\n    return x\nreturn g()"), 0)
    assert code.reads(written("def f(x, *rest):\n    return rest"), 3)
    assert not code.reads(written("def f(x, *rest):\n    return x"), 1)
    assert not code.reads(functools.partial(f), 0)
    assert not code.reads(len, 0)


class Layer:
    def method(self, x, y):
        return y


def test_a_method_s_own_object_is_no_argument():
    assert not code.reads(Layer().method, 0)
    assert code.reads(Layer().method, 1)


def test_an_argument_that_is_lost_is_named():
    assert code.overwritten(body("y = 2\nreturn x + y")) == "y"
    assert code.overwritten(body("y = y + 2\nreturn x")) is None
    assert code.overwritten(body("z = 2\nreturn z")) is None
    assert code.overwritten(len) is None


def test_a_notebook_s_name_in_the_place_of_an_argument():
    table = np.eye(2)

    def meant(lines, head="def f(x, y):", **held):
        indented = "".join(f"    {line}\n" for line in lines.splitlines())
        return code.notebook_name(written(f"{head}\n{indented}", **held), ["scores", "mask"])

    assert meant("return X + y", X=table) == ("X", "x", False)
    assert meant("return scores + x + y", scores=table) == ("scores", "x", True)
    assert meant("return other + x", other=table) == ("other", "y", False)
    assert meant("return other + x", other=[1]) == ("other", "y", False)
    assert meant("return other + x", other=2.0) is None  # a constant of the notebook is no slip
    assert meant("return Y + x", Y=2.0) == ("Y", "y", False)
    assert meant("return other + x + y", other=table) is None
    assert meant("return helper(x)", helper=len) is None
    assert meant("return gone(x)") is None
    assert code.notebook_name(len, ["x"]) is None


def test_the_line_that_changes_an_argument():
    def line(lines, position=0):
        return code.changes_argument(body(lines), position)

    assert line("z = 1\nx[0] = z\nreturn x") == 3
    assert line("x += 1\nreturn x") == 2
    assert line("y += 1\nreturn x") is None
    assert line("y += 1\nreturn x", 1) == 2
    assert line("z = x\nw = 1\nz[1] += w\nreturn x") == 4
    assert line("z = x.copy()\nz[0] = 1\nreturn z") is None
    assert line("z = 2 * x\nz += 1\nreturn z") is None
    assert line("for k in y:\n    x[k] = 0\nreturn x") == 3
    assert line("if y:\n    np.exp(y, out=x)\nreturn x") == 3
    assert line("e = np.exp(x, out=x)\nreturn e") == 2
    assert line("e = np.exp(x, out=y)\nreturn e") is None
    assert line("x.sort()\nreturn x") == 2
    assert line("x = x + 1\nreturn x") is None
    assert code.changes_argument(len, 0) is None


# Code that hardly anybody means.

LOST = "gets another value before it is used: what came as an argument is lost."
NOBODY = "computes something that nobody keeps: it changes nothing by itself."
UNUSED = "is computed and not used after that. Was it meant where another name stands?"
SUSPICIOUS = [
    ("z = x\ny = 1\nreturn z + y", "argument overwritten", f"`y` {LOST}", 3),
    (
        "z = x\nz == x + y\nreturn z",
        "== for =",
        "`z == x + y` asks whether two things are equal, and changes nothing. A name gets a value "
        "by `=`.",
        3,
    ),
    ("x + y\nreturn x", "a result not kept", f"`x + y` {NOBODY}", 2),
    ("z = y\nx.reshape(2)\nreturn x + z", "a result not kept", f"`x.reshape(2)` {NOBODY}", 3),
    ("np.append(x, y)\nreturn x", "a result not kept", f"`np.append(x, y)` {NOBODY}", 2),
    ("max(x, y)\nreturn x", "a result not kept", f"`max(x, y)` {NOBODY}", 2),
    ("z = x * y\nreturn x", "computed, but not used", f"`z` {UNUSED}", 2),
    ("x.append(y)\nreturn x", None, None, None),
    ("x.sort()\nreturn x + y", None, None, None),
    ("print(x)\nreturn x + y", None, None, None),
    ("_ = x * y\nreturn x", None, None, None),
    ("x[0] = y\nreturn x", None, None, None),
    ("z = y\nreturn x + z", None, None, None),
]


@pytest.mark.parametrize(("lines", "name", "said", "line"), SUSPICIOUS)
def test_code_that_hardly_anybody_means_is_told(lines, name, said, line):
    found = code.suspicious_code(body(lines))
    assert found == (name and (name, said, line))


PURE = [
    "reshape",
    "transpose",
    "swapaxes",
    "astype",
    "copy",
    "sum",
    "mean",
    "max",
    "min",
    "exp",
    "sqrt",
    "log",
    "concatenate",
    "vstack",
    "hstack",
    "stack",
    "delete",
    "round",
    "clip",
    "where",
    "abs",
    "dot",
    "matmul",
    "split",
    "ravel",
    "flatten",
    "squeeze",
    "softmax",
    "triu",
    "tril",
]


@pytest.mark.parametrize("name", PURE)
def test_a_result_that_nobody_keeps_is_told(name):
    for call in (f"np.{name}(x, y)", f"x.{name}(y)", f"{name}(x, y)"):
        said = f"`{call}` {NOBODY}"
        assert code.suspicious_code(body(f"{call}\nreturn x")) == ("a result not kept", said, 2)


def test_where_no_code_is_at_hand_nothing_is_found():
    assert code.suspicious_code(len) is None
    assert code.ending(len) is None
    assert code.last_line(len) is None
    assert code.copies_a_row(len) is None
    assert code.gaps(len) == ([], False)
    assert code.codes(len) == []


# What a name may say of the code.

HOLDS = {
    "a division": ["x / y", "np.divide(x, y)", "np.true_divide(x, y)", "[a / y for a in x]"],
    "a power": ["x**y", "np.power(x, y)", "np.float_power(x, y)", "pow(x, y)"],
    "a root": ["np.sqrt(x)", "x**0.5", "x**-0.5", "np.power(x, 0.5)"],
    "a new axis": [
        "x[:, None]",
        "x[None]",
        "x[:, np.newaxis]",
        "np.expand_dims(x, 0)",
        "x.reshape(2, 1)",
    ],
    "steps of two": ["[k for k in range(0, 8, 2)]"],
    "a transpose": ["x.T", "np.transpose(x)", "x.swapaxes(0, 1)"],
    "the number 100": ["100 * x", "x + 1e2"],
}
NONE_OF_IT = "x * y + x[0] - np.exp(0.25) + 2 * len(range(4)) // 1 + (None is x)"


@pytest.mark.parametrize("what", HOLDS)
def test_a_name_that_speaks_of_code_finds_it_however_it_is_written(what):
    holds = code.CODE_PREDICATES[what]
    for expression in HOLDS[what]:
        assert holds(body(f"return {expression}")), expression
        if what not in ("a new axis", "steps of two"):
            helper = f"def g(x, y):\n    return {expression}\n"
            assert holds(written(f"{helper}def f(x, y):\n    return g(x, y)"))
    assert not holds(body(f"return {NONE_OF_IT}"))
    assert set(HOLDS) == set(code.CODE_PREDICATES)


def test_in_place_signs_count_too():
    assert code.divides(body("x /= y\nreturn x"))
    assert code.powers(body("x **= y\nreturn x"))
    assert not code.roots(body("return 0.5 * x"))
    assert not code.counts_in_twos(body("return range(1, 8, 2), range(8)"))


def test_helpers_of_the_same_notebook_are_looked_at_and_others_not():
    source = "def g(x):\n    return x / 2\ndef f(x):\n    return (lambda a: g(a))(x)"
    assert [one.co_name for one in code.codes(written(source))] == ["f", "<lambda>", "g"]
    assert [one.co_name for one in code.codes(written("def f(x):\n    return f(x)"))] == ["f"]
    elsewhere = written("def h(x):\n    return x / 2", "h")
    assert [c.co_name for c in code.codes(written("def f(x):\n    return h(x)", h=elsewhere))] == [
        "f"
    ]


# A copied row, gaps, the end.


def test_a_list_of_one_row_copied_is_found_where_it_is_written_into():
    rows = "z = 1\nrows = [[0] * 3] * 2\nrows[0][1] = {}\nreturn rows"
    assert code.copies_a_row(body(rows.format("x"))) == 3
    assert code.copies_a_row(body("rows = [[0] * 3] * 2\nreturn rows")) is None
    assert code.copies_a_row(body("rows = [0] * 3\nrows[0] = x\nreturn rows")) is None
    assert code.copies_a_row(body("rows = [] * 3\nrows[0] = x\nreturn rows")) is None
    assert code.copies_a_row(body("rows = [x] * 3\nrows[0] += y\nreturn rows")) == 2
    assert code.copies_a_row(body("rows = [x] + [y]\nrows[0] += y\nreturn rows")) is None


def test_what_is_still_open_is_named():
    assert code.gaps(body("z = ...\nw = x\nreturn z + w")) == (["z"], True)
    assert code.gaps(body("z = ...\nw = ...\nreturn z + w")) == (["z", "w"], False)
    assert code.gaps(body("z, w = ..., 2\nreturn z + w")) == (["z"], True)
    assert code.gaps(body("z, w = ..., ...\nreturn z + w")) == (["z", "w"], False)
    assert code.gaps(body("z = ...\nz = ...\nreturn z")) == (["z"], False)
    assert code.gaps(body("w = x[..., 0]\nreturn w")) == ([], True)
    assert code.gaps(body("return ...")) == ([], False)


ENDS = [
    ("x = 1", "no return"),
    ("def g():\n    return 1\ng()", "no return"),
    ("return", "bare return"),
    ("return None", "bare return"),
    ("if x:\n    return 1", "some return"),
    ("if x:\n    return 1\nreturn", "some return"),
    ("if x:\n    return 1\nreturn y + 1", "y + 1"),
    ("if x:\n    return None\nreturn y + 1", "some return"),
    ("z = x.sort()\nreturn z", "x.sort()"),
    ("z = y\nz = x.sort()\nreturn z", "x.sort()"),
    ("return x", "x"),
]


@pytest.mark.parametrize(("lines", "end"), ENDS)
def test_how_a_function_ends(lines, end):
    assert code.ending(body(lines)) == end


def test_lines_are_those_of_the_file():
    f = written("\n\ndef f(x):\n    y = 1\n    return (x +\n        y)\n")
    assert code.last_line(f) == 5
    assert code.suspicious_code(written("\n\ndef f(x):\n    x + 1\n    return x"))[2] == 4
