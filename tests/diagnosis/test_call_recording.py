"""What is written down of a run: calls and variables in the order of time, with their lines."""

import linecache

import numpy as np

from course_utils.attention import softmax
from course_utils.diagnosis.call_recording import MOST_EVENTS, MOST_NUMBERS, record
from course_utils.exercises import mine


def seen(source, *arguments, names=()):
    """The events of a run, arrays as lists."""
    file = f"<recorded {source}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    space = {"np": np, "softmax": softmax, "mine": mine, "__name__": "__main__"}
    exec(compile(source, file, "exec"), space)

    def plain(value):
        if isinstance(value, np.ndarray):
            return value.tolist()
        return type(value)(map(plain, value)) if isinstance(value, (list, tuple)) else value

    return [plain(event) for event in record(space["f"], arguments, names)]


def test_calls_and_variables_stand_in_the_order_of_time():
    assert seen("def f(x):\n    a = x + 1\n    b = softmax(a)\n    return b * 2", np.zeros(2)) == [
        ["value", "a", [1, 1], 2, None],
        ["call", "softmax", ["x", "axis"], [[1, 1], -1], [0.5, 0.5], 3, None],
        ["value", "b", [0.5, 0.5], 3, None],
        ["end", [1, 1], 4],
    ]


def test_a_call_through_mine_is_noted_once_and_what_it_calls_is_not():
    events = seen("def f(x):\n    return mine.self_attention(x)", np.eye(2))
    assert [event[:2] for event in events if event[0] == "call"] == [["call", "self_attention"]]
    assert events[0][5] == 2


def test_an_argument_that_is_a_function_is_noted_by_its_name():
    events = seen("def f(X, norm):\n    return norm(X)", np.ones(2), lambda a, b=3: a + b)
    assert events == [
        ["call", "norm", ["a", "b"], [[1, 1], 3], [4, 4], 2, None],
        ["end", [4, 4], 2],
    ]


def test_a_call_that_does_not_fit_is_noted_without_names_and_ends_the_run():
    events = seen("def f(X, norm):\n    return norm(X, X)", 1, lambda a: a)
    assert events == [["call", "norm", ["", ""], [1, 1], None, 2, None], ["end", None, 2]]


def test_helpers_of_the_notebook_are_looked_into():
    source = "def g(x):\n    y = x * 2\n    return softmax(y)\ndef f(x):\n    return g(x)[0]"
    events = seen(source, np.zeros(1))
    assert [event[:2] for event in events] == [["value", "y"], ["call", "softmax"], ["end", 1]]
    assert [events[0][3], events[1][5], events[2][2]] == [2, 3, 5]


def test_a_student_s_own_function_may_stand_for_an_exercise():
    source = "def my_g(x, *, k=1):\n    y = x\n    return y + k\ndef f(x):\n    return my_g(x, k=2)"
    events = seen(source, 3, names=[("my_g", "g")])
    assert events == [["call", "g", ["x", "k"], [3, 2], 5, 5, None], ["end", 5, 5]]


def test_of_blocks_the_one_is_told_that_is_at_hand():
    source = "def f(blocks, g):\n    for b in blocks:\n        g(b['w'])\n    return 0"
    events = seen(source, [{"w": 1.0}, {"w": 2.0}], lambda x: x)
    assert [(event[0], event[-1]) for event in events if event[0] == "call"] == [
        ("call", 0),
        ("call", 1),
    ]


def test_the_block_at_hand_is_found_from_a_helper_too():
    source = (
        "def h(x, g):\n    return g(x)\ndef f(blocks, g):\n    for b in blocks:\n        h(1, g)"
    )
    events = seen(source, [{"w": 1.0}, {"w": 2.0}], lambda x: x)
    assert [event[-2:] for event in events if event[0] == "call"] == [[2, 0], [2, 1]]


def test_arguments_are_copies_and_values_are_as_they_were_then():
    given = np.zeros(2)
    events = seen("def f(x):\n    y = [1]\n    y.append(2)\n    x[0] = 7\n    return x", given)
    assert [event[1:3] for event in events] == [
        ["y", [1]],
        ["y", [1, 2]],
        ["x", [7, 0]],
        [[7, 0], 5],
    ]
    assert given.tolist() == [0, 0]


def test_what_is_large_or_no_data_is_left_out():
    source = "def f(x, n):\n    big, text, few = np.zeros(n), 'a', True\n    return big"
    assert [event[1] for event in seen(source, 0, MOST_NUMBERS)[:-1]] == ["big", "few"]
    assert [event[1] for event in seen(source, 0, MOST_NUMBERS + 1)[:-1]] == ["few"]
    assert seen(source, 0, MOST_NUMBERS + 1)[-1] == ["end", None, 3]


def test_a_long_loop_is_noted_from_its_beginning():
    events = seen("def f(x):\n    for k in range(9999):\n        x = k\n    return x", 0)
    assert MOST_EVENTS <= len(events) <= MOST_EVENTS + 3
    assert events[-1] == ["end", 9998, 4]


def test_a_run_that_stops_keeps_what_came_before():
    events = seen("def f(x):\n    a = x + 1\n    return a / 0", 1)
    assert events == [["value", "a", 2, 2, None], ["end", None, 3]]
