"""A student's own functions run the model of notebook 15, and where one of them is wrong, the
notebook says which."""

import io

import numpy as np
import pytest
from helpers import ROOT, chat_weights, mostly
from test_chat_model import prompts
from test_kept_models import THEIRS as OTHERS
from test_kept_models import after, mistakes, planted, sources, written

from course_utils.diagnosis import comparing
from course_utils.diagnosis.student_module import FILE
from course_utils.exercises import student_functions
from course_utils.models import chat_model
from course_utils.models.chat_model import Cache, ChatModel, speak

NAME = "15_speak"

# Right, and written as the course does not write it: by loops, by lists, by einsum. Some call
# others.
THEIRS = {
    name: OTHERS[name]
    for name in ("softmax", "causal_mask", "masked_attention", "split_heads", "merge_heads")
} | {
    "rms_norm": (
        """
def rms_norm(x, gamma, eps):
    mean_square = np.einsum("...d,...d->...", x, x) / x.shape[-1]
    return x * (mean_square + eps)[..., None] ** -0.5 * gamma
"""
    ),
    "rotate": (
        """
def rotate(X, cos, sin):
    half = X.shape[1] // 2
    turned = np.empty(X.shape)
    for i, x in enumerate(X):
        z = (x[:half] + 1j * x[half:]) * (cos[i] + 1j * sin[i])
        turned[i] = np.append(z.real, z.imag)
    return turned
"""
    ),
    "grouped_query_attention": (
        """
def grouped_query_attention(Q, K, V, mask):
    keys, values = np.repeat(K, len(Q) // len(K), axis=0), np.repeat(V, len(Q) // len(V), axis=0)
    found = [masked_attention(q, k, v, mask) for q, k, v in zip(Q, keys, values)]
    return np.array([output for output, _ in found]), np.array([weights for _, weights in found])
"""
    ),
    "kv_cache_step": (
        """
def kv_cache_step(q, k, v, K, V):
    K, V = np.append(K, [k], axis=0), np.append(V, [v], axis=0)
    scores = np.array([[float(q @ key) / math.sqrt(len(q)) for key in K]])
    return np.einsum("j,jd->d", softmax(scores)[0], V), K, V
"""
    ),
    "swiglu": (
        """
def swiglu(X, W_gate, W_up, W_down):
    gate = np.einsum("td,df->tf", X, W_gate)
    return np.tensordot(gate * (0.5 + 0.5 * np.tanh(gate / 2)) * (X @ W_up), W_down, axes=1)
"""
    ),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_FOLDER", str(tmp_path))
    return tmp_path


@pytest.fixture
def mine(folder):
    written(folder, THEIRS)
    return student_functions()


@pytest.fixture(scope="module")
def first_steps():
    """The part of the model that the notebook itself compares: a norm and a head, on arrays of the
    real model."""
    return after(sources(NAME), ["set-up", "asked", "norm", "head", "compare"])[0]["first_steps"]


@pytest.fixture(scope="module")
def tiny():
    return ChatModel.from_file(
        io.BytesIO((ROOT / "tests" / "truth" / "tiny_llama" / "tiny.gguf").read_bytes())
    )


def test_their_functions_run_what_the_notebook_compares(mine, first_steps):
    found = comparing.compare(mine, first_steps)
    assert {piece.name for piece in found.pieces} == {
        "softmax",
        "causal_mask",
        "masked_attention",
        "rms_norm",
        "rotate",
    }
    assert found.blamed == []
    assert float(found.end.split("differ by ")[1].split()[0]) < 1e-4


def test_their_functions_run_a_model_with_and_without_a_cache(mine, tiny, capsys):
    ids = [7, 200, 3, 91, 14]
    np.testing.assert_allclose(tiny.logits(ids, parts=mine), tiny.logits(ids), rtol=0, atol=1e-4)
    assert [*speak(tiny, ids, 12, parts=mine)] == [*speak(tiny, ids, 12)]
    cache = Cache()
    by_one = np.concatenate([tiny.logits([i], cache=cache, parts=mine) for i in ids])
    np.testing.assert_allclose(by_one, tiny.logits(ids), rtol=0, atol=1e-4)
    assert all(
        line.endswith(f"yours, from {FILE}.") for line in capsys.readouterr().out.splitlines()
    )


@pytest.fixture(scope="module")
def real():
    return chat_model.load_chat_model(lean=False)


@chat_weights
@pytest.mark.parametrize("number", mostly([0, 5, 20], [20]))  # that one is short
def test_their_functions_run_the_real_model_to_the_same_tolerance(mine, real, number):
    prompt, written, before, _ = prompts()[number]
    cache = Cache()
    scores = real.logits(prompt, last_only=True, cache=cache, parts=mine)[0]
    np.testing.assert_allclose(scores[::64], before, rtol=0, atol=5e-4)
    own = [*speak(real, written[:1], 7, cache=cache, parts=mine)]
    assert [scores.argmax(), *own] == [token for token in written[:8] if token != chat_model.END]


@pytest.mark.parametrize("left", [*[[name] for name in THEIRS], []], ids=str)
def test_the_course_s_functions_stand_in_for_those_that_are_not_kept(folder, left, tiny):
    written(folder, {name: text for name, text in THEIRS.items() if name not in left})
    ids = [7, 200, 3, 91]
    assert [*speak(tiny, ids, 6, parts=student_functions())] == [*speak(tiny, ids, 6)]


# One is wrong.


@pytest.mark.parametrize(
    ("name", "mistake"),
    mistakes("softmax", "causal_mask", "masked_attention", "rms_norm", "rotate"),
    ids=lambda x: getattr(x, "name", x),
)
def test_the_notebook_blames_a_registered_mistake_on_the_function_that_makes_it(
    mine, monkeypatch, first_steps, name, mistake
):
    planted(monkeypatch, name, mistake.function)
    found = comparing.compare(mine, first_steps)
    assert found.blamed == [name], repr(found)


def whole(model):
    """The whole model as something to compare: its scores, and those by the cache."""

    def run(parts):
        cache = Cache()
        model.logits([7, 200, 3], cache=cache, parts=parts)
        return model.logits([7, 200, 3, 91], parts=parts), model.logits(
            [91], cache=cache, parts=parts
        )

    return run


@pytest.mark.parametrize(
    ("name", "mistake"),
    mistakes("grouped_query_attention", "kv_cache_step", "swiglu", "split_heads", "merge_heads"),
    ids=lambda x: getattr(x, "name", x),
)
def test_compared_as_a_whole_the_model_names_the_others_too(mine, monkeypatch, tiny, name, mistake):
    planted(monkeypatch, name, mistake.function)
    assert comparing.compare(mine, whole(tiny)).blamed == [name]
