"""The student's file: what is written into it, what is taken from it, what is said of both."""

import importlib
import itertools
import linecache

import numpy as np
import pytest

from course_utils import attention
from course_utils.diagnosis import student_module as module
from course_utils.diagnosis.evaluation import Evaluation
from course_utils.diagnosis.running import run, run_guarded
from course_utils.diagnosis.student_module import FILE, HEAD, CannotSave
from course_utils.exercises import EXERCISES, student_functions

SOFTMAX = (
    "def softmax(scores):\n    e = np.exp(scores - scores.max(-1, keepdims=True))\n"
    "    return e / e.sum(-1, keepdims=True)"
)
ROWS = "def row_sums(A):\n    return A.sum(axis=-1)"
cells = itertools.count()


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_FOLDER", str(tmp_path))
    monkeypatch.setattr(Evaluation, "slips", lambda self, is_named=False: [])  # no searches
    return tmp_path


def written(source, name, **names):
    file = f"<kept {next(cells)}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    names |= {"np": np, "__name__": "__main__"}
    exec(compile(source, file, "exec"), names)
    return names[name]


def keep(source, name="softmax", called="f", **names):
    return module.keep(EXERCISES, name, written(source, called, **names))


def text(folder):
    return (folder / FILE).read_text(encoding="utf-8")


# Writing.


def test_a_file_is_its_head_and_a_block_for_each_function(folder):
    assert keep(SOFTMAX.replace("softmax", "f")) == f"Kept as `softmax` in {FILE}."
    assert text(folder) == f"{HEAD}\n\n# softmax: mine\n{SOFTMAX}\n"
    keep(ROWS.replace("row_sums", "f"), "row_sums")
    assert text(folder) == f"{HEAD}\n\n# row_sums: mine\n{ROWS}\n\n\n# softmax: mine\n{SOFTMAX}\n"
    assert [path.name for path in folder.iterdir()] == [FILE]
    (folder / FILE).write_text(text(folder) + "\n\n# own: mine\ndef own():\n    return 1\n")
    keep(SOFTMAX.replace("softmax", "f").replace("-1", "-1 "))
    assert text(folder).endswith("\n\n# own: mine\ndef own():\n    return 1\n")


def test_imports_of_a_function_stand_in_the_head_once(folder):
    source = (
        "import math as m\nfrom numpy import exp as e_to\nimport numpy.linalg as la\n"
        + SOFTMAX.replace("softmax", "f").replace("np.exp(", "m.exp(0) * la.norm(1) * e_to(")
    )
    keep(source)
    keep(source)
    assert sorted(text(folder).removeprefix(HEAD).split("\n\n\n")[0].splitlines()) == [
        "from numpy import exp as e_to",
        "import math as m",
        "import numpy.linalg as la",
    ]


def test_a_function_of_one_of_numpy_s_modules_is_imported_from_there(folder):
    begun = "from numpy.linalg import norm\nfrom numpy.random import normal as n\n"
    said = keep(
        begun + SOFTMAX.replace("softmax", "f").replace("np.exp(", "norm(1) * n(1, 0) * np.exp(")
    )
    assert said == f"Kept as `softmax` in {FILE}."
    lines = text(folder).splitlines()
    assert "from numpy.linalg import norm" in lines
    assert "from numpy.random import normal as n" in lines


NOT_KEPT = [
    (
        "f = lambda scores: scores",
        "only a function written with `def` can be kept. Write it with `def`",
    ),
    (
        "h = lambda x: np.exp(x)\ndef f(scores):\n    return h(scores)",
        "it calls `h`, which is not written with `def`. Write that with `def`, too",
    ),
    (
        "X = {1: 2}\ndef f(scores):\n    return X",
        "it uses `X` of the notebook, which the file does not have. Make it inside the "
        "function, or "
        "compute with the arguments alone",
    ),
    (
        "h = np.vectorize(abs)\ndef f(scores):\n    return h(scores)",
        "it uses `h` of the notebook, which the file does not have. Make it inside the "
        "function, or "
        "compute with the arguments alone",
    ),
    (
        "def g():\n    k = 1\n    def f(scores):\n        return k\n    return f\nf = g()",
        "it uses variables of a function around it. Write it outside of any other function",
    ),
    (
        "import psutil\ndef f(scores):\n    return psutil",
        "it uses `psutil`, and the file needs NumPy alone. Write it with NumPy",
    ),
    (
        "def f(scores):\n    return mine.softmax(scores)",
        "it calls another `softmax`. Write out what that one does",
    ),
    (
        "def f(scores):\n    return scores",
        f"in {FILE} every name means the function of your file, and there it does not pass. "
        f"`scores` "
        "comes back as it went in",
    ),
    (
        SOFTMAX.replace("softmax", "f").replace(
            "e / e.sum(-1, keepdims=True)", "(e / e.sum(-1, keepdims=True)).tolist()"
        ),
        "it gives back a list, and later notebooks want an array. Put `np.array(...)` around it",
    ),
]


@pytest.mark.parametrize(("source", "why"), NOT_KEPT)
def test_why_a_function_is_not_kept(folder, source, why):
    assert keep(source, mine=student_functions()) == f"Not kept: {why}."
    assert not (folder / FILE).exists()


def test_a_function_without_source_is_not_kept():
    f = written("def f(scores):\n    return scores", "f")
    linecache.cache.pop(f.__code__.co_filename)
    assert module.keep(EXERCISES, "softmax", f) == (
        "Not kept: its source is not at hand. Write it with `def` in a cell."
    )


def test_helpers_and_constants_stand_above_and_another_block_s_names_are_avoided(folder):
    keep(
        "K = 2\ndef h(A):\n    return A * K / 2\ndef f(A):\n    return h(A).sum(axis=-1)",
        "row_sums",
    )
    assert text(folder).endswith(
        "# row_sums: mine\nK = 2\n\ndef h(A):\n    return A * K / 2\n\ndef row_sums(A):\n"
        "    return h(A).sum(axis=-1)\n"
    )
    keep(
        "def h(x):\n    return np.exp(x)\n" + SOFTMAX.replace("softmax", "f").replace("np.exp", "h")
    )
    assert "def softmax_h(x):\n    return np.exp(x)" in text(folder)
    assert "e = softmax_h(scores" in text(folder)


def test_a_helper_with_an_exercise_s_name_gets_another(folder):
    keep("def project(A):\n    return A\ndef f(A):\n    return project(A).sum(axis=-1)", "row_sums")
    assert "def row_sums_project(A):" in text(folder)


def test_what_is_called_is_theirs_else_the_course_s_solution_with_what_that_needs(folder):
    head = "def f(Q, K, V, mask):\n    return "
    keep(
        head + "mine.masked_attention(Q, K, V, mask)", "masked_attention", mine=student_functions()
    )
    keep("def f(Q, K, V):\n    return softmax(Q @ K.T) @ V", "attention", softmax=attention.softmax)
    assert "# softmax: the course's, until mine passes\n" in text(folder)
    assert "import numpy" not in text(folder).split("# softmax")[1]
    assert text(folder).count("def softmax") == 1
    keep(SOFTMAX.replace("softmax", "my_softmax"), called="my_softmax")
    assert "the course's" not in text(folder)
    keep("def f(Q, K, V):\n    return my_softmax(Q @ K.T) @ V", "attention", my_softmax=len)
    assert "return softmax(Q @ K.T) @ V" in text(folder)


def test_without_solutions_what_is_called_must_be_theirs(monkeypatch):
    monkeypatch.setattr(module, "solution", lambda name: "")
    assert keep(
        "def f(Q, K, V):\n    return softmax(Q @ K.T) @ V", "attention", softmax=attention.softmax
    ) == ("Not kept: it uses the course's `softmax`, which is not yours yet.")


def test_a_file_that_cannot_be_read_is_told_with_its_place(folder):
    (folder / FILE).write_text("import numpy as np\ndef softmax(\n")
    said = keep(SOFTMAX.replace("softmax", "f"))
    assert said.startswith(f"Not kept: {FILE} cannot be read as Python (line 2: ")
    assert said.endswith("Mend it or give it another name.")
    (folder / FILE).write_bytes(b"\xff")
    assert keep(SOFTMAX.replace("softmax", "f")) == f"Not kept: {FILE} is no text in UTF-8."
    (folder / FILE).write_bytes(b"#" * ((1 << 20) + 1))
    assert keep(SOFTMAX.replace("softmax", "f")) == f"Not kept: {FILE} is larger than a megabyte."
    (folder / FILE).write_bytes(b"#" * ((1 << 20) - 1) + b"\n")
    assert keep(SOFTMAX.replace("softmax", "f")).startswith("Kept")
    (folder / FILE).unlink()
    (folder / FILE).mkdir()
    assert f"{FILE} cannot be opened (Is a directory)." in keep(SOFTMAX.replace("softmax", "f"))


def test_what_cannot_be_written_leaves_nothing_behind(folder, monkeypatch):
    (folder / FILE).write_text("# mine\n")
    monkeypatch.setattr(module.os, "replace", lambda a, b: (_ for _ in ()).throw(OSError(13, "No")))
    assert keep(SOFTMAX.replace("softmax", "f")) == f"Not kept: {FILE} cannot be written here (No)."
    assert [path.name for path in folder.iterdir()] == [FILE]
    assert text(folder) == "# mine\n"


def test_the_file_lies_where_the_notebook_runs_or_where_it_is_told(folder, monkeypatch, tmp_path):
    assert module.path() == folder / FILE
    monkeypatch.delenv("COURSE_FOLDER")
    monkeypatch.chdir(tmp_path.parent)
    assert module.path() == tmp_path.parent / FILE


def test_names_are_replaced_where_they_are_names_and_nowhere_else():
    source = "def f(x):\n    é = h.f(x, f=1) + f\n    return 'f', f(f), x.f  # f"
    assert module.with_names(source, {"f": "softmax"}) == (
        "def softmax(x):\n    é = h.f(x, softmax=1) + softmax\n    return 'f', "
        "softmax(softmax), x.f  # f"
    )
    assert module.with_names(source, {"f": "f"}) is source


# Taking back.


def test_of_a_file_only_imports_constants_and_functions_are_run(folder):
    found = module.functions(
        "import math\nfrom numpy import exp\nK = -2\na, b = 1, 2\nprint('no')\nL = [1]\n"
        "class C:\n    pass\n"
        "# f: mine\n@print\ndef f(x: no, *y: no, k: no = 1, **z: no) -> no:\n    return K, k\n"
        "def g(x=[1]):\n    return 1\ndef h(x=-1, *, k=None):\n    return x\n"
    )
    assert [*found] == ["f", "h"]
    assert found["f"](0) == (-2, 1)
    assert found["h"]() == -1
    assert found["f"].__module__ == "my_transformer"
    assert found["f"].__code__.co_filename == f"{FILE}, f"
    assert module.functions("") == {}


@pytest.mark.parametrize(
    "line", ["import torch", "from torch.nn import x", "def f():\n    import torch.nn"]
)
def test_another_library_is_refused(line):
    with pytest.raises(CannotSave, match=f"^{FILE} imports torch; it may need NumPy alone$"):
        module.functions(line)


def test_what_a_function_of_the_file_calls(folder):
    source = (
        "def row_sums(A):\n    return project(A)\ndef h(x):\n    return attention(x), h(x)\n"
        "def softmax(x):\n    return h(x), (lambda: row_sums(x))(), softmax, len"
    )
    found = module.functions(source)
    assert sorted(module.needs(found["softmax"], EXERCISES)) == ["attention", "row_sums"]
    assert module.needs(found["row_sums"], EXERCISES) == ["project"]


def test_a_function_is_run_under_the_name_of_its_own_block():
    blocks = "".join(
        f"# {name}: mine\ndef {name}(x):\n    return x\n\n\n" for name in ("f", "g", "h")
    )
    found = module.functions(f"import numpy as np\n\n\n{blocks}")
    assert {name: made.__code__.co_filename for name, made in found.items()} == {
        name: f"{FILE}, {name}" for name in "fgh"
    }


# `mine`.


def put(folder, *blocks, head="import numpy as np\n"):
    (folder / FILE).write_text(
        head + "".join(f"\n\n# {name}: mine\n{text}\n" for name, text in blocks)
    )


def test_mine_says_whose_it_is_once(folder, capsys):
    mine = student_functions()
    assert "softmax" in dir(mine)
    assert "catch_softmax" not in dir(mine)
    assert mine.attention is EXERCISES["attention"].reference
    put(folder, ("softmax", SOFTMAX))
    assert mine.softmax is mine.softmax
    assert mine.attention(np.eye(2), np.eye(2), np.eye(2)).shape == (2, 2)
    assert capsys.readouterr().out == (
        "attention: the course's version is used until yours passes its check.\n"
        f"softmax: yours, from {FILE}.\n"
    )


def test_what_mine_says_is_nothing_that_a_function_printed(folder):
    mine = student_functions()

    def function(x):
        print("my own line")
        return mine.softmax(x)

    assert run_guarded(function, (np.eye(2),)).printed == "my own line\n"


def test_a_kept_function_that_passes_no_more_is_told_and_those_above_find_the_course_s(
    folder, capsys
):
    above = "def attention(Q, K, V):\n    return softmax(Q @ K.T) @ V"
    put(folder, ("softmax", SOFTMAX.replace("-1", "0")), ("attention", above))
    mine = student_functions()
    table = np.eye(2) + 1
    np.testing.assert_allclose(
        mine.attention(table, table, table), EXERCISES["attention"].reference(table, table, table)
    )
    assert capsys.readouterr().out == (
        f"softmax: the course's. Yours in {FILE} does not pass any more (wrong axis).\n"
        f"attention: yours, from {FILE}.\n"
    )


def test_a_build_of_their_parts_is_the_course_s_until_theirs_passes(folder, capsys):
    put(
        folder,
        ("split_heads", "def split_heads(X, H):\n    return np.stack(np.split(X, H, axis=-1))"),
    )
    mine = student_functions()
    assert mine.multi_head_attention is not EXERCISES["multi_head_attention"].reference
    assert (
        "multi_head_attention: the course's version, made of your parts, is used until yours"
        " passes its check.\n" in capsys.readouterr().out
    )


def test_what_cannot_be_read_is_told_and_the_course_s_is_used(folder, capsys):
    mine = student_functions()
    (folder / FILE).write_text("import torch\n# softmax: mine\ndef softmax(s):\n    return s\n")
    assert mine.softmax is EXERCISES["softmax"].reference
    assert capsys.readouterr().out == (
        f"{FILE} imports torch; it may need NumPy alone. The course's functions are used.\n"
        "softmax: the course's version is used until yours passes its check.\n"
    )
    (folder / FILE).write_text("import math.no\n")
    mine.reload()
    assert capsys.readouterr().out.startswith(
        f"{FILE} cannot be run (ModuleNotFoundError: No module named"
    )
    mine.reload()
    assert capsys.readouterr().out == ""
    (folder / FILE).unlink()
    mine.reload()
    assert mine.kept == set()


def test_a_check_finds_what_is_kept_in_the_folder_of_today(folder, tmp_path, monkeypatch):
    """The process that checks lives on when a notebook moves to another folder."""
    line = "def f(v):\n    return mine.rms_norm.__module__ + str(len(mine._text))"
    lengths = []
    for place in ("here", "there"):
        (tmp_path / place).mkdir()
        monkeypatch.setenv("COURSE_FOLDER", str(tmp_path / place))
        if place == "there":
            put(tmp_path / place, ("softmax", SOFTMAX))
        f = written(line, "f", mine=student_functions())
        lengths.append(run(f, [(1,)])[0].value)
    assert lengths[0] != lengths[1]


def test_inside_a_check_mine_says_nothing(folder, capsys):
    put(folder, ("softmax", SOFTMAX))
    mine = student_functions(in_a_check=True)
    assert mine.softmax is not EXERCISES["softmax"].reference
    assert capsys.readouterr().out == ""


def test_a_module_of_a_students_own_is_checked_with_the_same_mine(tmp_path, monkeypatch):
    """The course's softmax gives zeros where all is hidden, which hides a missing repair."""
    (tmp_path / "my_own_module.py").write_text(
        "import numpy as np\nfrom course_utils.exercises import mine\n"
        "def f(Q, K, V, mask):\n    scores = Q @ K.T / np.sqrt(K.shape[1])\n"
        "    weights = mine.softmax(np.where(mask, scores, -np.inf))\n"
        "    return weights @ V, weights\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    theirs = importlib.import_module("my_own_module")
    diagnosis = EXERCISES["masked_attention"].check(theirs.f)
    assert diagnosis.mistake == "row of nothing gives NaN"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("sofmax", "'sofmax'; did you mean 'softmax'?"),
        ("zzzz", "'zzzz'"),
        ("catch_softmax", "'catch_softmax'"),
    ],
)
def test_what_is_no_exercise_s_function_is_refused(name, words):
    with pytest.raises(AttributeError) as refused:
        getattr(student_functions(), name)
    assert str(refused.value).startswith(f"mine: there is no exercise {words}")
    assert ("did you mean" in str(refused.value)) == (name != "zzzz")
