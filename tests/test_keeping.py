"""A function that passes is kept, in a file that needs NumPy alone; `mine` gives it back, and obeys
nothing that no longer passes."""

import itertools
import linecache
import re
import subprocess
import sys

import numpy as np
import pytest

from course_utils import attention
from course_utils.diagnosis.exercise import Exercise
from course_utils.diagnosis.student_module import FILE
from course_utils.diagnosis.verdicts import EXERCISES as FOLDERS
from course_utils.exercises import EXERCISES, diagnose, student_functions

FUNCTIONS = {
    name: exercise for name, exercise in EXERCISES.items() if isinstance(exercise, Exercise)
}
RIGHT = (
    "def my_softmax(scores):\n    e = np.exp(scores - scores.max(axis=-1, keepdims=True))\n   "
    " return e / e.sum(axis=-1, keepdims=True)"
)
cells = itertools.count()


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_FOLDER", str(tmp_path))
    return tmp_path


@pytest.fixture
def mine():
    return student_functions()


@pytest.fixture
def notebook():
    """Runs cells as a notebook does, one after the other; the names they leave are what it gives
    back."""
    names = {
        "np": np,
        "softmax": attention.softmax,
        "causal_mask": attention.causal_mask,
        "__name__": "__main__",
    }

    def run(source):
        file = f"<cell {next(cells)}>"
        linecache.cache[file] = (
            len(source),
            None,
            [line + "\n" for line in source.split("\n")],
            file,
        )
        exec(compile(source, file, "exec"), names)
        return names

    return run


def check(notebook, name, source):
    """What the check says of the last function of a cell."""
    names = notebook(source)
    return diagnose(
        name, names[re.findall(r"^(?:def )?(\w+)(?:\(| = lambda)", source, flags=re.MULTILINE)[-1]]
    ).message


def kept(folder):
    return (folder / FILE).read_text(encoding="utf-8")


# What is kept, and how.


def test_a_function_that_passes_is_kept_under_the_exercise_s_name(notebook, folder):
    assert check(notebook, "softmax", RIGHT) == f"Right. Kept as `softmax` in {FILE}."
    assert "# softmax: mine\ndef softmax(scores):" in kept(folder)
    assert "my_softmax" not in kept(folder)


def test_a_function_that_does_not_pass_is_not(notebook, folder):
    assert "Not yet" in check(notebook, "softmax", RIGHT.replace("-1", "0"))
    assert not (folder / FILE).exists()


def test_the_last_right_one_stays_when_a_wrong_one_follows(notebook, folder):
    check(notebook, "softmax", RIGHT)
    before = kept(folder)
    check(notebook, "softmax", RIGHT.replace("-1", "0"))
    assert kept(folder) == before
    check(notebook, "softmax", RIGHT.replace("e /", "1.0 * e /"))
    assert "1.0 * e" in kept(folder)
    assert kept(folder).count("def softmax") == 1


def test_helpers_constants_and_imports_come_along(notebook, folder):
    helper = (
        "import math\nfrom numpy import exp\nHALF = 0.5\ndef powers(x):\n    return exp(x * HALF)"
        " ** 2 * math.exp(0)\n"
    )
    cell = helper + RIGHT.replace("np.exp", "powers")
    assert "Kept" in check(notebook, "softmax", cell)
    assert {"import math", "from numpy import exp", "HALF = 0.5"} <= set(kept(folder).splitlines())
    assert "def powers(x):" in kept(folder)


def test_an_attribute_is_no_variable_of_the_notebook(notebook, folder):
    notebook("pi, T = np.array([0.75, 0.25]), 3")
    assert "Kept" in check(notebook, "softmax", RIGHT.replace("e /", "np.pi / np.pi * e.T.T /"))
    assert "T = 3" not in kept(folder)


def test_two_helpers_of_one_name_do_not_meet(notebook, folder):
    check(
        notebook,
        "row_sums",
        "def helper(A):\n    return A.sum(axis=-1)\ndef my_row_sums(A):\n    return helper(A)",
    )
    check(
        notebook,
        "softmax",
        "def helper(x):\n    return np.exp(x - x.max(axis=-1, keepdims=True))\ndef"
        " my_softmax(scores):\n    return helper(scores) / helper(scores).sum(axis=-1,"
        " keepdims=True)",
    )
    names = {}
    exec(kept(folder), names)
    assert (
        diagnose("row_sums", names["row_sums"]).status
        == diagnose("softmax", names["softmax"]).status
        == "correct"
    )


def test_what_a_function_needs_is_theirs_where_it_is_kept_else_the_course_s_solution(
    notebook, folder
):
    assert "Kept" in check(
        notebook, "self_attention", "def my_self_attention(X):\n    return softmax(X @ X.T) @ X"
    )
    assert "# softmax: the course's, until mine passes" in kept(folder)
    check(notebook, "softmax", RIGHT)
    assert "# softmax: mine" in kept(folder)
    assert "the course's" not in kept(folder)


def test_a_build_may_call_mine(notebook, folder):
    notebook("from course_utils.exercises import mine")
    assert "Kept" in check(
        notebook, "attention", "def my_attention(Q, K, V):\n    return mine.softmax(Q @ K.T) @ V"
    )
    assert "return softmax(Q @ K.T) @ V" in kept(folder)


def test_the_order_is_the_course_s_and_a_student_s_own_head_stays(notebook, folder):
    check(notebook, "attention", "def my_attention(Q, K, V):\n    return softmax(Q @ K.T) @ V")
    (folder / FILE).write_text("# by Ana\n" + kept(folder), encoding="utf-8")
    check(notebook, "row_sums", "def my_row_sums(A):\n    return A.sum(axis=-1)")
    assert re.findall(r"^# (\w+): ", kept(folder), flags=re.MULTILINE) == [
        "row_sums",
        "softmax",
        "attention",
    ]
    assert kept(folder).startswith("# by Ana\n")


NOT_KEPT = [
    (
        RIGHT.replace(
            "return e / e.sum(axis=-1, keepdims=True)",
            "return (e / e.sum(axis=-1, keepdims=True)).tolist()",
        ),
        "it gives back a list",
    ),
    ("def my_softmax(scores):\n    return softmax(scores)", "it calls another `softmax`"),
    ("my_softmax = lambda scores: softmax(scores)", "only a function written with `def`"),
    (
        "helper = lambda x: np.exp(x)\n" + RIGHT.replace("np.exp", "helper"),
        "it calls `helper`, which is not written with `def`",
    ),
    (
        "X = np.ones(3)\n" + RIGHT.replace("return e /", "return X[0] * e /"),
        "it uses `X` of the notebook",
    ),
    (
        (
            "def outer():\n    power = 1\n    def inner(s):\n        return softmax(s) ** power\n  "
            "  return inner\nmy_softmax = outer()\ndef last(s):\n    return my_softmax(s)"
        ),
        "variables of a function around it",
    ),
    (
        "import matplotlib as mpl\n" + RIGHT.replace("return e /", "mpl\n    return e /"),
        "it uses `matplotlib`",
    ),
]


@pytest.mark.parametrize(("cell", "why"), NOT_KEPT)
def test_what_cannot_stand_alone_is_right_and_not_kept_and_the_reason_is_said(
    notebook, folder, cell, why
):
    message = check(notebook, "softmax", cell)
    assert message.startswith("Right.")
    assert "Not kept: " in message
    assert why in message
    assert not (folder / FILE).exists()


ALL_HEADS_AT_ONCE = """
def my_forward(tokens, params, blocks, n_heads):
    X = params["W_E"][tokens] + params["R"][:len(tokens)]
    mask = mine.causal_mask(len(tokens))
    for b in blocks:
        I = mine.layer_norm(X, b["gamma_1"], b["beta_1"], 1e-5)
        Q, K, V = [mine.split_heads(I @ b["W_" + n] + b["b_" + n], n_heads) for n in "QKV"]
        heads = mine.masked_attention(Q, K, V, mask)[0]
        X = X + mine.merge_heads(heads) @ b["W_O"] + b["b_O"]
        I = mine.layer_norm(X, b["gamma_2"], b["beta_2"], 1e-5)
        X = X + mine.feed_forward(I, b["W_1"], b["b_1"], b["W_2"], b["b_2"])
    return mine.layer_norm(X, params["gamma"], params["beta"], 1e-5) @ params["W_out"] + params["b_out"]
"""  # noqa: E501


def test_where_it_stops_on_its_own_the_line_of_theirs_is_said(notebook, mine, monkeypatch):
    """The course's masked_attention takes all heads at once, that of the file takes one; the line
    of the file's numbers is nobody's to count."""
    monkeypatch.setattr(
        "course_utils.diagnosis.running._running", None
    )  # a process of its own, which looks into this test's folder
    notebook("pass")["mine"] = mine
    message = check(notebook, "forward", ALL_HEADS_AT_ONCE)
    assert message.startswith("Right. Not kept: ")
    assert "`heads = masked_attention(Q, K, V, mask)[0]`" in message
    assert "`masked_attention` takes one head at a time: tables of two axes." in message


def test_a_name_that_hides_the_course_s_is_given_back(notebook):
    assert "hid the course's `softmax`" in check(
        notebook, "softmax", RIGHT.replace("my_softmax", "softmax").replace("-1", "0")
    )
    assert notebook("later = softmax")["later"] is attention.softmax
    assert "hid the course's" in check(notebook, "softmax", RIGHT.replace("my_softmax", "softmax"))
    assert "hid" not in check(notebook, "softmax", RIGHT)


# Giving back.


def test_mine_is_theirs_where_it_passed_and_says_so_once(notebook, mine, capsys):
    assert mine.softmax is EXERCISES["softmax"].reference
    check(notebook, "softmax", RIGHT + "  # theirs")
    assert mine.softmax is mine.softmax is not EXERCISES["softmax"].reference
    np.testing.assert_allclose(mine.softmax(np.eye(2)), attention.softmax(np.eye(2)))
    assert capsys.readouterr().out == (
        "softmax: the course's version is used until yours passes its check.\n"
        f"softmax: yours, from {FILE}.\n"
    )


def test_an_unknown_name_is_refused_with_a_suggestion(mine):
    with pytest.raises(AttributeError, match="did you mean 'softmax'"):
        mine.sofmax  # noqa: B018


BROKEN = {
    "no Python": "# softmax: mine\ndef softmax(",
    "no text": b"\xff\xfe\x00",
    "too large": "#" * (1 << 21),
    "never ends": "# softmax: mine\nwhile True: pass\n",
    "never ends in a default": (
        "# softmax: mine\ndef softmax(s, x=[0 for _ in iter(int, 1)]):\n    return s\n"
    ),
    "leaves Python": "import sys\nsys.exit()\n# softmax: mine\nimport os\nos._exit(1)\n",
    "another library": "import torch\n# softmax: mine\ndef softmax(s):\n    return s\n",
    "no function": "# softmax: mine\nsoftmax = 3\n",
    "a wrong one": (
        "import numpy as np\n# softmax: mine\ndef softmax(scores):\n    e = np.exp(scores)\n   "
        " return e / e.sum(axis=0)\n"
    ),
    "one that never ends": "# softmax: mine\ndef softmax(scores):\n    while True: pass\n",
    "one that ends the process": (
        "# softmax: mine\ndef softmax(scores):\n    import os\n    os._exit(1)\n"
    ),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_or_hostile_file_is_named_and_not_obeyed(folder, mine, capsys, monkeypatch, how):
    monkeypatch.setattr("course_utils.diagnosis.running.SECONDS", 0.5)
    content = BROKEN[how]
    (folder / FILE).write_bytes(content if isinstance(content, bytes) else content.encode())
    assert mine.softmax is EXERCISES["softmax"].reference
    said = capsys.readouterr().out.splitlines()
    assert 1 <= len(said) <= 2
    assert "the course's" in said[-1]


@pytest.mark.parametrize("how", ["no Python", "no text", "too large"])
def test_a_file_that_cannot_be_read_is_left_as_it_is(notebook, folder, how):
    content = BROKEN[how] if isinstance(BROKEN[how], bytes) else BROKEN[how].encode()
    (folder / FILE).write_bytes(content)
    assert f"Not kept: {FILE}" in check(notebook, "softmax", RIGHT)
    assert (folder / FILE).read_bytes() == content


def test_a_folder_that_cannot_be_written_is_said(notebook, monkeypatch, folder):
    monkeypatch.setenv("COURSE_FOLDER", str(folder / "none"))
    assert "cannot be written here" in check(notebook, "softmax", RIGHT)


# All of it: the file of one who solved everything.


def test_the_file_of_one_who_solved_everything_runs_alone_and_agrees_with_the_course(
    notebook, folder, tmp_path
):
    order = [name for name in FUNCTIONS if (FOLDERS / name / "solution.py").exists()]
    assert set(order) == set(FUNCTIONS)
    for name in order:
        text = re.sub(
            rf"\b{name}\(",
            f"my_{name}(",
            (FOLDERS / name / "solution.py").read_text(encoding="utf-8"),
        )
        names = notebook(text)
        message = diagnose(name, names[f"my_{name}"]).message
        assert "Kept as" in message, (name, message)
        names[name] = names[f"my_{name}"]  # a later cell may call it by either name
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / FILE).write_text(kept(folder), encoding="utf-8")
    program = (
        f"import sys; sys.path.insert(0, {str(alone)!r}); import {FILE[:-3]}; print(sorted(m for m"
        " in sys.modules if m.startswith(('course_utils', 'matplotlib', 'IPython'))))"
    )
    result = subprocess.run(
        [sys.executable, "-P", "-c", program], cwd=alone, capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"
    names = {}
    exec(kept(folder), names)
    assert "the course's" not in kept(folder)
    for name in order:
        assert EXERCISES[name].check(names[name]).status == "correct"
