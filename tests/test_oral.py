"""The oral on a student's own code: its answers are the checks' own."""

import re
import subprocess
import sys

import numpy as np
import pytest
import test_report as reports
from grading import oral
from helpers import ROOT

from course_utils.exercises import EXERCISES

FILE = '''"""My transformer: functions that I wrote, as they passed the check."""

import numpy as np


# softmax: mine
def softmax(scores):
    top = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - top)
    return e / e.sum(axis=-1, keepdims=True)


# scaled_attention: mine
def scaled_attention(Q, K, V):
    d_k = Q.shape[-1]
    scores = Q @ K.T / np.sqrt(d_k)    # (T, T)
    weights = softmax(scores)
    return weights @ V
'''


@pytest.fixture
def kept(tmp_path):
    path = tmp_path / "my_transformer.py"
    path.write_text(FILE, encoding="utf-8")
    return path


def test_a_change_is_of_one_line_of_the_students_own_text():
    text = FILE.partition("# scaled_attention: mine\n")[2]
    changes = oral.one_line_changes(text, "scaled_attention")
    assert (3, "scores = Q @ K.T / np.sqrt(d_k)", "scores = Q @ K.T") in [
        change[:3] for change in changes
    ]
    for line, before, after, changed in changes:
        assert before.split()[0] in text.splitlines()[line - 1]
        assert before != after
        compile(changed, "changed", "exec")
    assert not any("~" in change[2] for change in changes)


def test_no_change_is_of_the_side_that_reshape_finds_by_itself():
    text = "def split(X, H):\n    T = len(X)\n    return X.reshape(T, H, -1).swapaxes(0, 1)\n"
    after = [change[2] for change in oral.one_line_changes(text, "split")]
    assert "return X.reshape(T, H, -1)" in after
    assert "return X.reshape(T, -1, H).swapaxes(0, 1)" in after
    sides = [
        side[1].split(", ") for line in after if (side := re.search(r"reshape\((.*?)\)", line))
    ]
    assert [side for side in sides if [s for s in side if s.startswith("-")] != ["-1"]] == []


def test_the_points_on_the_card_are_those_of_the_assistants_page(kept):
    page = (ROOT / "teaching" / "assistants.md").read_text(encoding="utf-8")
    assert oral.POINTS in page
    assert oral.POINTS in oral.card("softmax", "def softmax(scores): ...", []).partition("## ")[2]


@pytest.mark.parametrize(("drawn", "said"), [(2, False), (3, True)])
def test_the_card_says_to_ask_two_of_three(drawn, said):
    change = oral.Change(1, "return 1", "return 2", {})
    page = oral.card("softmax", "def softmax(scores): ...", [change] * drawn)
    assert ("Ask two of the three." in page.partition("## For the assistant")[2]) == said


def test_what_the_card_says_is_what_the_checks_say(kept):
    changes = oral.draw_changes(kept, "softmax", "maple", shut_in=reports.SHUT_IN)
    assert 2 <= len(changes) <= oral.CHANGES
    assert len({change.kind for change in changes}) == len(changes)
    assert changes[0].failing[0] == "softmax"
    for change in changes:
        lines = FILE.splitlines()
        at = lines.index("def softmax(scores):") + change.line - 1
        lines[at] = "    " + change.after
        names = {"np": np}
        exec(compile("\n".join(lines), "changed", "exec"), names)
        for name in ("softmax", "scaled_attention"):
            assert EXERCISES[name].check(names[name]).status == change.said[name].status
    card = oral.card("softmax", "def softmax(scores): ...", changes)
    questions, _, answers = card.partition("## For the assistant")
    for change in changes:
        assert f"`{change.after}`" in questions
        assert all(
            change.said[name].mistake not in questions
            for name in change.failing
            if change.said[name].mistake
        )
        assert f"`{change.before}` → `{change.after}`" in answers


def test_the_same_seed_draws_the_same_changes(kept):
    first, second = (
        oral.draw_changes(kept, "scaled_attention", "maple", shut_in=reports.SHUT_IN)
        for _ in range(2)
    )
    assert [change.after for change in first] == [change.after for change in second]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import numpy as np\n", "holds no kept function"),
        ("# softmax: the course's, until mine passes\ndef softmax(x): ...\n", "holds no kept"),
        ("# softmax: mine\ndef my_softmax(x): ...\n", "has no function softmax below"),
        (FILE, "wanted one that is kept: softmax, scaled_attention"),
        ("def", "my_transformer.py is no Python in UTF-8 (invalid syntax"),
        (b"\xee", "my_transformer.py is no Python in UTF-8 ("),
    ],
)
def test_a_file_without_that_function_is_refused_with_a_sentence(tmp_path, text, said):
    path = tmp_path / "my_transformer.py"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    command = [sys.executable, ROOT / "teaching" / "oral.py", path, "--exercise", "rms_norm"]
    result = subprocess.run(
        [*command, "--seed", "a", *([] if reports.SHUT_IN else ["--no-sandbox"])],
        capture_output=True,
        text=True,
    )
    assert result.returncode == 1
    assert said in result.stderr


def test_a_kept_file_that_harms_is_shut_in(tmp_path):
    if not reports.SHUT_IN:
        pytest.skip("no bubblewrap: apt install bubblewrap")
    path, mark = tmp_path / "my_transformer.py", tmp_path / "mark"
    harm = (
        "import contextlib, pathlib\nwith contextlib.suppress(OSError):\n"
        f"    pathlib.Path({str(mark)!r}).write_text('x')\n"
    )
    path.write_text(FILE + harm, encoding="utf-8")
    assert oral.draw_changes(path, "softmax", "maple")
    assert not mark.exists()
