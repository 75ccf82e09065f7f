"""Which function is to blame inside a model, on a model of three small functions."""

import numpy as np
import pytest

from course_utils.diagnosis.comparing import Comparison, Parts, Piece, compare
from course_utils.diagnosis.student_module import FILE
from course_utils.exercises import EXERCISES, student_functions

SOFTMAX = (
    "def softmax(scores):\n    e = np.exp(scores - scores.max(-1, keepdims=True))\n    return {}"
)
RIGHT = SOFTMAX.format("e / e.sum(-1, keepdims=True)")
ATTENTION = "def attention(Q, K, V):\n    return softmax(Q @ K.T) @ V"
ROWS = "def row_sums(A):\n    return A.sum(axis=1)"


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Writes functions into a student's file; gives their `mine`."""
    monkeypatch.setenv("COURSE_FOLDER", str(tmp_path))

    def write(*texts):
        blocks = [f"# {text.split('(')[0].removeprefix('def ')}: mine\n{text}\n" for text in texts]
        (tmp_path / FILE).write_text("import numpy as np\n\n\n" + "\n\n".join(blocks))
        return student_functions()

    return write


def model(parts):
    X = np.arange(6.0).reshape(2, 3) / 10
    A = parts.softmax(X @ X.T)
    return parts.attention(X, X, X), parts.softmax(A)


def test_where_nothing_is_kept_the_model_runs_on_the_course_s(kept):
    found = compare(kept(ROWS), model)
    assert (found.pieces, found.blamed) == ([], [])
    assert (
        repr(found) == f"{FILE} holds none of these functions yet: the model runs on the course's."
    )


def test_right_functions_are_right_in_their_calls_and_below_others(kept, capsys):
    found = compare(kept(RIGHT, ATTENTION), model)
    said = repr(found).splitlines()
    assert said[:2] == [
        "softmax            yours        right, in 3 calls of the model",
        "attention          yours        right, in 1 call of the model",
    ]
    assert said[2].startswith("The whole model: yours and the course's differ by ")
    assert float(said[2].split()[-3]) < 1e-12
    assert found.blamed == []


def test_what_only_the_others_call_is_tried_by_its_check_and_by_their_calls(kept, capsys):
    found = compare(kept(RIGHT, ATTENTION), lambda parts: parts.attention(*[np.eye(2)] * 3))
    assert [piece.name for piece in found.pieces] == ["softmax", "attention"]
    assert "differ by" in found.end


def test_a_function_that_does_not_pass_is_blamed_with_what_slipped(kept, capsys):
    found = compare(kept(SOFTMAX.format("e / e.sum()"), ATTENTION), model)
    assert found.blamed == ["softmax"]
    assert not found.pieces[0].passes
    assert found.pieces[1].passes
    assert repr(found).startswith("softmax            yours        TO BLAME: ")
    assert "Not yet" not in repr(found)
    end = "To blame: softmax. The course's stands in its place until that is mended."
    assert found.end == end


@pytest.mark.parametrize(
    ("slip", "how"),
    [
        ("e[:, 0]", "gives something else than the course's"),
        ("e + 1", "gives something else than the course's"),
        ("{}['a']", "stops (KeyError)"),
        ("'a'", "gives something else than the course's"),
    ],
)
def test_what_passes_and_fails_in_the_model_is_blamed_with_the_call(kept, capsys, slip, how):
    sly = RIGHT.replace(
        "    return", f"    if scores.shape == (1, 7):\n        return {slip}\n    return"
    )
    found = compare(
        kept(sly), lambda parts: (parts.softmax(np.eye(2)), parts.softmax(np.ones((1, 7))))
    )
    assert found.blamed == ["softmax"]
    assert found.pieces[0].wrong == (
        f"TO BLAME: it passes its check, but in call 2 of the model it {how}."
    )
    assert found.end == "To blame: softmax. The model is not to be trusted until that is mended."


def test_only_functions_that_are_exercises_are_parts():
    calls = {}
    parts = Parts(EXERCISES, calls)
    table = np.eye(2)
    assert parts.row_sums(table).tolist() == [1, 1]
    table[0] = 9
    assert calls["row_sums"][0][0].tolist() == [[1, 0], [0, 1]]
    for name in ("encoder", "which_sum_00"):
        with pytest.raises(AttributeError, match=f"parts: there is no exercise '{name}'"):
            getattr(parts, name)


def test_names_stand_in_a_column():
    pieces = [
        Piece("softmax", "yours", 0),
        Piece("grouped_query_attention", "the course's", 1, "x"),
    ]
    assert repr(Comparison(pieces, "end")) == (
        "softmax                 yours        right, by its check\n"
        "grouped_query_attention the course's x\nend"
    )
    assert repr(Comparison()) == ""
