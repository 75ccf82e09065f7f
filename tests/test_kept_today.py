"""A student's own functions run the block of notebook 14 as PyTorch does; and where one of them is
wrong, the notebook says which."""

import numpy as np
import pytest
from test_kept_models import THEIRS as EARLIER
from test_kept_models import after, mistakes, planted, sources, written

from course_utils import exercises
from course_utils.data import smol_pieces
from course_utils.diagnosis import comparing
from course_utils.diagnosis.student_module import FILE
from course_utils.exercises import EXERCISES, student_functions

CELLS = sources("14_todays_models")

# Right, and written as the course does not write it: by loops, by lists, by einsum, one calling the
# other.
THEIRS = {
    **{
        name: EARLIER[name]
        for name in ("softmax", "causal_mask", "masked_attention", "split_heads", "merge_heads")
    },
    "rms_norm": (
        """
def rms_norm(x, gamma, eps):
    rows = []
    for row in x.reshape(-1, x.shape[-1]).tolist():
        size = math.sqrt(sum(number * number for number in row) / len(row) + eps)
        rows.append([number / size for number in row])
    return np.array(rows).reshape(x.shape) * gamma
"""
    ),
    "rotate": (
        """
def rotate(X, cos, sin):
    half = X.shape[1] // 2
    turned = (X[:, :half] + 1j * X[:, half:]) * (cos + 1j * sin)
    return np.hstack([turned.real, turned.imag])
"""
    ),
    "grouped_query_attention": (
        """
def grouped_query_attention(Q, K, V, mask):
    both = []
    for h, q in enumerate(Q):
        group = h * len(K) // len(Q)
        both.append(masked_attention(q, K[group], V[group], mask))
    return np.array([output for output, _ in both]), np.array([weights for _, weights in both])
"""
    ),
    "swiglu": (
        """
def swiglu(X, W_gate, W_up, W_down):
    g = np.einsum("td,df->tf", X, W_gate)
    opened = np.array([[number * (0.5 + 0.5 * math.tanh(number / 2)) for number in row] for row in g])
    return np.einsum("tf,fd->td", opened * np.einsum("td,df->tf", X, W_up), W_down)
"""  # noqa: E501
    ),
    "top_p": (
        """
def top_p(probabilities, p):
    kept, left = np.zeros(len(probabilities)), probabilities.copy()
    while kept.sum() < p:
        i = left.argmax()
        kept[i], left[i] = left[i], -1
    return kept / kept.sum()
"""
    ),
    "dequantise_block": (
        """
def dequantise_block(step, least, packed):
    low, high = [], []
    for byte in packed.tolist():
        high.append(least + step * (byte // 16))
        low.append(least + step * (byte % 16))
    return np.array(low + high)
"""
    ),
}
BLOCK = [
    name
    for name in EXERCISES
    if name in THEIRS and name not in ("softmax", "masked_attention", "top_p", "dequantise_block")
]
TO_COMPARE = ["set-up", "next-pieces", "real-rows", "block", "run-block"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_FOLDER", str(tmp_path))
    return tmp_path


@pytest.fixture
def mine(folder, monkeypatch):
    """The `mine` of a notebook that is opened anew."""
    written(folder, THEIRS)
    monkeypatch.setattr(exercises, "mine", student_functions())
    return exercises.mine


def test_their_functions_run_the_block_as_pytorch_does_and_read_the_file(mine):
    names, said = after(CELLS, TO_COMPARE)
    np.testing.assert_allclose(names["Y"], smol_pieces.load()["block"], rtol=1e-9, atol=1e-9)
    pieces = smol_pieces.load()
    codes = np.concatenate([pieces["packed"] & 15, pieces["packed"] >> 4], axis=-1)
    wanted = codes * pieces["step"][..., None].astype(float) + pieces["least"][..., None].astype(
        float
    )
    np.testing.assert_allclose(names["W"], wanted.reshape(64, 576))
    for name in (*BLOCK, "dequantise_block"):
        assert f"{name}: yours, from {FILE}." in said


def test_compare_runs_each_of_theirs_and_blames_none(mine):
    names, _ = after(CELLS, TO_COMPARE)
    found = eval(CELLS["compare"], names)
    assert [piece.name for piece in found.pieces if piece.calls] == [
        name for name in EXERCISES if name in THEIRS and piece_of_the_block(name)
    ]
    assert all(piece.whose == "yours" for piece in found.pieces)
    assert found.blamed == []
    assert float(found.end.split("differ by ")[1].split()[0]) < 1e-12


def piece_of_the_block(name):
    """Those that the block calls, or that these call."""
    return name in BLOCK or name in ("softmax", "masked_attention")


@pytest.fixture(scope="module")
def before():
    return after(CELLS, TO_COMPARE)[0]


@pytest.mark.parametrize(
    ("name", "mistake"),
    mistakes("rms_norm", "rotate", "grouped_query_attention", "swiglu"),
    ids=lambda x: getattr(x, "name", x),
)
def test_a_registered_mistake_is_blamed_on_its_function(mine, before, monkeypatch, name, mistake):
    planted(monkeypatch, name, mistake.function)
    found = eval(CELLS["compare"], {**before, "compare": exercises.compare})
    assert found.blamed == [name], repr(found)
    assert isinstance(found, comparing.Comparison)
