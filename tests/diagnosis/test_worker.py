"""A call and what comes back of it: plain data, errors with their places, what was changed."""

import functools
import json
import linecache
import os
import random
import sys
import time
from unittest import mock

import numpy as np
import psutil
import pytest

from course_utils.diagnosis import running, worker
from course_utils.diagnosis.running import Failure, Outcome


def written(source, **names):
    file = f"<called {source}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    names |= {"np": np, "__name__": "__main__"}
    exec(compile(source, file, "exec"), names)
    return names["f"]


# Plain data.

SENT = [
    None,
    True,
    3,
    2.5,
    "text",
    ...,
    [1, [2.5, "a"]],
    (1, (2,)),
    {3, 4},
    {"a": [1], 2: None},
    np.float32(1.5),
    np.arange(6).reshape(2, 3),
    np.zeros((0, 2), dtype=bool),
]


@pytest.mark.parametrize("value", SENT, ids=repr)
def test_plain_data_comes_back_as_it_was(value):
    back = worker.unpack(json.loads(json.dumps(worker.pack(value))))
    assert type(back) is type(value)
    np.testing.assert_equal(back, value)
    assert getattr(back, "dtype", None) == getattr(value, "dtype", None)


def test_of_anything_else_only_the_type_is_sent():
    assert worker.pack(len) == {"other": "builtin_function_or_method"}
    assert worker.pack(np.array(["a"])) == {"other": "ndarray", "shape": (1,), "dtype": "str32"}
    assert type(worker.unpack({"other": "Lock"})).__name__ == "Lock"
    assert type(worker.unpack({"other": "not a name"})).__name__ == "object"
    assert worker.unpack(worker.pack(np.longdouble(2))) == 2
    assert worker.pack(np.ones(2, dtype="complex128"))["other"] == "ndarray"
    assert worker.unpack(worker.pack(np.ones(2, dtype=np.longdouble))).dtype == float
    assert worker.pack(frozenset([2, 1])) == {"set": [1, 2]}


def test_what_is_too_large_or_within_itself_is_told_by_its_kind():
    table = np.zeros((20, 20))
    assert worker.pack_within(table, 100) == {
        "other": "ndarray",
        "shape": (20, 20),
        "dtype": "float64",
    }
    assert worker.pack_within([1], 100) == {"list": [1]}
    assert worker.pack_within("a" * 98, 100) == "a" * 98  # quotes count
    assert worker.pack_within("a" * 99, 100) == {"other": "str"}
    within = []
    within.append(within)
    assert worker.pack_within(within, 10**6) == {"other": "list"}
    deep = functools.reduce(lambda inner, _: [inner], range(worker.DEEPEST), 1)
    assert worker.unpack(worker.pack(deep)) == deep
    with pytest.raises(RecursionError):
        worker.pack([[deep]])


@pytest.mark.parametrize(
    "sent",
    [{"array": "", "dtype": "object", "shape": [0]}, {"array": "AA", "dtype": "u1"}, {}, [1]],
)
def test_what_was_written_by_hand_is_refused(sent):
    with pytest.raises((ValueError, KeyError, AttributeError)):
        worker.unpack(sent)


# One call.


def called(source, *arguments):
    return worker.call(written(source), arguments)


def test_a_call_tells_what_came_and_what_was_printed():
    told = called("def f(x):\n    print('here')\n    return x + 1", 1)
    assert told == {
        "value": 2,
        "error": None,
        "printed": "here\n",
        "replaced": None,
        "changed": None,
        "nan": None,
    }


def test_a_call_tells_which_argument_it_changed_and_leaves_it_alone():
    first, second = [1], np.ones(2)
    assert called("def f(a, b):\n    b[0] = 2", first, second)["changed"] == 1
    assert called("def f(a, b):\n    a.append(2)", first, second)["changed"] == 0
    assert (first, second.tolist()) == ([1], [1, 1])


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        (np.ones(2), np.ones(2), True),
        (np.ones(2), [1, 1], False),
        (np.ones(2), np.ones(3), False),
        (np.array([np.nan]), np.array([np.nan]), True),
        (np.array([1]), np.array([2]), False),
        ([1, 2], [1, 2], True),
        ([1, 2], [1], False),
        ([1, [2]], [1, [3]], False),
        ((1,), (2,), False),
        ({"a": 1}, {"a": 1}, True),
        ({"a": 1}, {"a": 2}, False),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, False),
        ({1}, {1}, True),
        ({1}, {2}, False),
        ("a", "b", False),
        (2, 3, False),
        (len, max, True),
    ],
)
def test_whether_an_argument_is_as_it_was(before, after, same):
    assert worker.is_same(before, after) == same


def test_an_error_is_told_with_its_lines_and_what_variables_held():
    told = called(
        "def g(n):\n    return 1 / n\ndef f(x, n=None):\n    k = 0\n    return g(k)", np.ones(2)
    )
    kind, text, places, frames = told["error"]
    assert (kind, text) == ("ZeroDivisionError", "division by zero")
    assert [number for _, number in places][-2:] == [5, 2]
    assert frames[-2:] == [{"x": (2,), "n": "None", "k": "int"}, {"n": "int"}]
    assert told["value"] is None


def test_errors_that_fail_themselves_and_long_ones_are_told_too():
    source = (
        "class Odd(Exception):\n    def __str__(self):\n        return 1\ndef f():\n    raise {}"
    )
    assert called(source.format("Odd"))["error"][:2] == ("Odd", "")
    assert len(called(source.format("ValueError('a' * 5000)"))["error"][1]) == 2000
    assert called(source.format("ValueError('\\ud800')"))["error"][1] == "\\ud800"
    assert called(source.format("SystemExit"))["error"][0] == "SystemExit"


def test_what_is_printed_has_a_limit():
    assert called("def f():\n    print('a' * 10)")["printed"] == "a" * 10 + "\n"
    told = called("def f():\n    while True:\n        print('a' * 999)")
    assert told["error"][0] == "PrintsTooMuch"
    assert len(told["printed"]) == worker.MOST_PRINTED
    assert called("import sys\ndef f():\n    print('b', file=sys.stderr)")["printed"] == "b\n"


def test_where_nan_began_is_told_only_where_nan_comes_back():
    told = called("def f(x):\n    y = x - 1\n    return np.log(y) * 0", 0.0)
    assert told["nan"][0] == "invalid value encountered in log"
    assert told["nan"][1][-1][1] == 3
    assert called("def f(x):\n    return x * 1", np.nan)["nan"] is None
    assert called("def f(x):\n    np.log(x)\n    return 1", -1.0)["nan"] is None
    tiny = "def f(x):\n    np.exp(-800 * np.ones(1))\n    return np.log(x)"
    assert called(tiny, -1.0)["nan"][1][-1][1] == 3  # what becomes 0 is no fault
    assert [worker.has_nan(v) for v in (np.nan, (1, [np.nan]), [1.0], "a", None)] == [
        True,
        True,
        False,
        False,
        True,
    ]


def test_numpy_says_nothing_beside_the_answer():
    with np.errstate(all="raise"):
        assert called("def f(x):\n    return np.exp(x)", np.array([1e4]))["error"] is None


def test_what_was_put_in_the_place_of_numpy_s_is_named_and_put_back():
    exp, dumps = np.exp, json.dumps
    assert called("def f():\n    np.exp = 1")["replaced"] == "np.exp"
    assert called("import json\ndef f():\n    json.dumps = 1")["replaced"] == "json.dumps"
    assert called("def f():\n    del np.linalg.norm")["replaced"] == "np.linalg.norm"
    assert (np.exp, json.dumps) == (exp, dumps)
    assert called("def f():\n    np.my_own = 1")["replaced"] is None
    del np.my_own


def test_everything_is_put_back_afterwards(tmp_path):
    folder, path = os.getcwd(), list(sys.path)
    state, python = np.random.get_state()[1].tolist(), random.getstate()  # noqa: NPY002
    prints, limit = np.get_printoptions(), sys.getrecursionlimit()
    with worker.restored():
        np.exp, np.own = 1, 2
        sys.modules["own"] = 3
        sys.path.append("x")
        os.environ["OWN"] = "1"
        os.chdir(tmp_path)
        random.seed(1)
        np.random.seed(1)  # noqa: NPY002
        np.set_printoptions(precision=1)
        sys.setrecursionlimit(limit + 1)
    assert np.exp(0) == 1
    assert not hasattr(np, "own")
    assert "own" not in sys.modules
    assert "OWN" not in os.environ
    assert (os.getcwd(), sys.path, sys.getrecursionlimit()) == (folder, path, limit)
    assert (np.random.get_state()[1].tolist(), random.getstate()) == (state, python)  # noqa: NPY002
    assert np.get_printoptions() == prints


def test_what_outlives_a_call_is_found_in_all_places():
    source = (
        "total = 1\nscale = 2\ndef g():\n    return total\n"
        "def make():\n    around = [0]\n    def f(x, kept=[1], *, more=2):\n"
        "        return around, g(), scale.real\n    return f\nf = make()\nf.mark = 3"
    )
    held = worker.lasting(written(source))
    assert {name: worker.unpack(json.loads(text)) for name, text in held.items()} == {
        "kept": [1],
        "more": 2,
        "around": [0],
        "scale": 2,
        "f.mark": 3,
        "total": 1,
    }
    assert worker.lasting(len) == {}


def test_reports_end_with_the_first_call_once_more():
    told = list(
        worker.reports(
            written("seen = []\ndef f(x):\n    seen.append(x)\n    return x"), [(1,), (2,)]
        )
    )
    assert [one["value"] for one in told[:2]] == [1, 2]
    assert (told[2]["again"]["value"], told[2]["kept"]) == (1, ["seen"])
    told = list(worker.reports(written("def f(x):\n    return 1 / x"), [(0,), (1,)]))
    assert (told[-1]["again"], told[-1]["kept"]) == (None, [])


# What the notebook makes of it.


def outcomes(source, *calls):
    f = written(source)
    return running._outcomes(list(worker.reports(f, calls)), f, calls)


def test_the_line_that_stopped_is_the_student_s_own_and_where_its_variables_were_made():
    source = (
        "def f(x):\n    a = x.T\n    b, c = a, 2\n    b = a[0]\n    if b is a == 3:\n        pass\n"
        "    b += 0\n    return np.linalg.norm(b, 9) @ a"
    )
    failure = outcomes(source, (np.ones((2, 2)),))[0].failure
    assert (failure.type, failure.line, failure.number) == (
        "ValueError",
        "return np.linalg.norm(b, 9) @ a",
        8,
    )
    assert failure.made == {"b": "b += 0", "a": "a = x.T"}
    assert failure.variables == {"x": (2, 2), "a": (2, 2), "b": (2,), "c": "int"}


def test_an_error_outside_of_the_student_s_file_is_told_where_it_is():
    def f(x):
        return x

    assert running._failure("E", "t", [("other.py", 3)], [{"a": [2]}], f).number == 3
    own = running.__file__
    assert running._failure("E", "t", [(own, 3)], [{}], f) == Failure("E", "t")
    places = [(f.__code__.co_filename, 5), ("other.py", 3)]
    assert running._failure("E", "t", places, [{"a": [2]}, {}], f).variables == {"a": (2,)}
    assert running._failure("E", "t", [], [], f) == Failure("E", "t")


def test_what_is_kept_between_calls_is_named_and_what_is_not_is_none():
    count = "n = [0]\ndef f(x):\n    n[0] += 1\n    return n[0] * x"
    assert [o.kept for o in outcomes(count, (1,), (2,))] == ["n", None]
    assert outcomes("def f(x):\n    return x", (1,))[0].kept is None
    assert outcomes(count.replace("n[0] * x", "x"), (1,))[0].kept is None
    assert outcomes("def f(x):\n    return np.random.rand()", (1,))[0].kept == ""
    told = [
        {"value": 1, "error": None, "printed": "", "changed": None, "nan": None, "replaced": None}
    ]
    ended = running._outcomes([*told, Failure("Ended")], len, [((),)])
    assert (ended[0].value, ended[0].kept) == (1, "")
    ended = running._outcomes([*told, Failure("Ended")], len, [((),), ((),)])
    assert (ended[0].kept, ended[1].failure) == (None, Failure("Ended"))


def test_two_calls_differ_by_more_than_rounding():
    def differ(a, b):
        return running.differ(Outcome(a), Outcome(b), ())

    assert not differ(1.0, 1 + 1e-9)
    assert differ(1.0, 1.1)
    assert not differ("a", "a")
    assert differ("a", "b")
    assert differ(1.0, "a")
    assert running.differ(Outcome(1), Outcome(1, failure=Failure("E")), ())


def test_a_line_that_is_no_report_was_written_by_hand():
    assert running._report(b'={"value": 1}\n', b"") == {"value": 1}
    assert running._report(b".end\n", b"end") == Failure("Ended")
    assert running._report(Failure("OutOfTime"), b"end") == Failure("OutOfTime")
    for line in (b"hello\n", b"=[1]\n", b".other\n", b"=" + b"[" * 99999):
        assert running._report(line, b"end") == Failure("Garbled")


@pytest.mark.parametrize(
    "change",
    [{"changed": 1}, {"changed": -1}, {"value": {"array": 1}}, {"error": [1]}, {"nan": 3}],
)
def test_a_report_that_fits_nothing_was_written_by_hand(change):
    told = {
        "value": 1,
        "error": None,
        "printed": "",
        "changed": None,
        "nan": None,
        "replaced": None,
    }
    assert running._received(told, len, (1,)).value == 1
    assert running._received({**told, "changed": 0}, len, (1,)).changed_argument == 0
    assert running._received({**told, **change}, len, (1,)).failure == Failure("Garbled")
    assert running._received({}, len, (1,)).failure == Failure("Garbled")


def test_an_array_that_came_by_its_shape_is_told_in_words():
    assert running.shape_of({"other": "ndarray", "shape": [2, 3], "dtype": "float64"}) == (
        "an array of shape (2, 3)"
    )
    assert running.shape_of({"other": "ndarray", "shape": [2], "dtype": "object"}) == (
        "an array of shape (2,) and dtype object"
    )
    assert running.shape_of({"other": "Lock"}) is None
    assert running.shape_of([1]) is None


STUBS = [
    ("def f(x):\n    y = ...\n    return y", True),
    ("def f(x):\n    return ...", True),
    ("def f(x):\n    return ..., ...", True),
    ("def f(x):\n    a, b = ..., ...\n    return a", True),
    ("def f(x):\n    return x[..., 0]", False),
    ("def f(x):\n    return x", False),
]


@pytest.mark.parametrize(("source", "is_open"), STUBS)
def test_a_stub_is_known_by_its_gaps(source, is_open):
    assert running.has_gap(written(source)) == is_open
    assert not running.has_gap(len)


# The process, and its absence.


def is_alive(process):
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_a_worker_that_is_closed_ends_with_all_that_it_started():
    sleep = "import time; time.sleep(60)"
    started = f"subprocess.Popen([sys.executable, '-c', {sleep!r}], start_new_session=True)"
    code = f"import subprocess, sys; print({started}.pid, flush=True); {sleep}"
    process = running.Worker([sys.executable, "-c", code])
    below = psutil.Process(int(process.receive(20.0)))
    process.close()
    assert process.process.returncode != 0
    late = time.monotonic() + 20.0  # a signal takes its time on a busy machine
    while (alive := is_alive(below)) and time.monotonic() < late:
        time.sleep(0.01)
    assert not alive


def test_a_search_runs_here_where_there_are_no_processes(monkeypatch):
    monkeypatch.setattr(running, "_worker", mock.Mock(side_effect=OSError))
    assert running.run_search(lambda x: {"a": [x, (1, None)]}, 3, seconds=9.0) == {
        "a": [3, (1, None)]
    }
    assert type(running.run_search(lambda: len, seconds=9.0)) is not type(len)
    assert running.run_search(lambda: [][0], seconds=9.0).type == "IndexError"
