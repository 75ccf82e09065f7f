"""The parts of today's models against what other programs computed: `scripts/make_today_truth.py`
called them and stored their results."""

from pathlib import Path

import numpy as np
import pytest

from course_utils.attention import grouped_query_attention, sliding_window_mask
from course_utils.decoding import sharpen
from course_utils.layers import silu, swiglu
from course_utils.quantisation import dequantise, dequantise_block, pack, quantise

with np.load(Path(__file__).parent / "truth" / "today.npz", allow_pickle=False) as file:
    STORED = {name: file[name] for name in file.files}

# rtol and atol: some roundings of numbers around 1 to 10 (one is 6e-8, 1e-16), as both sides sum in
# their own order.
TOLERANCES = {"float32": 5e-6, "float64": 1e-14}

in_both_dtypes = pytest.mark.parametrize("dtype", TOLERANCES)


def cases(start):
    """The names of all stored cases that begin so, in the order of the file."""
    return list(
        dict.fromkeys(
            name.rpartition("/")[0]
            for name in STORED
            if name.startswith(start + "/") and name.count("/") == 2
        )
    )


def agree(ours, theirs):
    tolerance = TOLERANCES[theirs.dtype.name]
    assert ours.dtype == theirs.dtype
    np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)


@in_both_dtypes
@pytest.mark.parametrize("case", cases("heads"))
def test_shared_heads_are_pytorch_attention_with_enable_gqa(case, dtype):
    Q, K, V = (
        x.astype(dtype) for x in (STORED["heads/Q"], STORED[f"{case}/K"], STORED[f"{case}/V"])
    )
    output, weights = grouped_query_attention(Q, K, V, STORED.get(f"{case}/mask"))
    agree(output, STORED[f"{case}/output {dtype}"])
    agree(weights @ np.repeat(V, 8 // V.shape[1], axis=1), STORED[f"{case}/output {dtype}"])


@pytest.mark.parametrize("case", cases("window"))
def test_the_window_is_that_of_mistral(case):
    np.testing.assert_array_equal(
        sliding_window_mask(9, int(case.split("/")[1])), STORED[f"{case}/mask"]
    )


@in_both_dtypes
def test_swiglu_is_the_mlp_of_llama(dtype):
    X, *matrices = (STORED[f"gated/{name}"].astype(dtype) for name in ("X", "gate", "up", "down"))
    agree(swiglu(X, *(W.T for W in matrices)), STORED[f"gated/output {dtype}"])


@in_both_dtypes
@pytest.mark.filterwarnings("error")
def test_silu_is_that_of_pytorch_also_far_from_0(dtype):
    agree(silu(STORED["gated/far"].astype(dtype)), STORED[f"gated/silu {dtype}"])


@pytest.mark.parametrize("case", cases("nucleus"))
def test_top_p_is_that_of_transformers(case):
    temperature, top_p = map(float, case.split("/")[1].split())
    ours = np.stack([sharpen(row, temperature, top_p=top_p) for row in STORED["nucleus/log_probs"]])
    np.testing.assert_allclose(ours, STORED[f"{case}/probabilities"], rtol=1e-9, atol=1e-15)


def blocks_of_the_file():
    """Step and least (64, 3) in half precision, packed codes (64, 3, 16): how gguf wrote the bytes
    of Q4_1."""
    raw = STORED["bits/raw"].reshape(64, 3, 20)
    scales = np.ascontiguousarray(raw[..., :4]).view("<f2")
    return scales[..., 0], scales[..., 1], raw[..., 4:]


def test_a_block_of_four_bits_is_read_as_gguf_reads_it():
    np.testing.assert_array_equal(
        dequantise_block(*blocks_of_the_file()).reshape(64, 96), STORED["bits/numbers"]
    )


def test_a_block_of_four_bits_is_written_as_gguf_writes_it():
    step, least, codes = quantise(STORED["bits/x"], n_bits=4, block_size=32)
    their_step, their_least, packed = blocks_of_the_file()
    np.testing.assert_array_equal(step.astype(np.float16), their_step)
    np.testing.assert_array_equal(least.astype(np.float16), their_least)
    np.testing.assert_array_equal(pack(codes.reshape(64, 3, 32)), packed)
    np.testing.assert_array_equal(
        dequantise(their_step, their_least, codes), STORED["bits/numbers"]
    )


def test_all_that_is_stored_is_compared():
    assert {start: len(cases(start)) for start in ("heads", "window", "nucleus")} == {
        "heads": 12,
        "window": 5,
        "nucleus": 12,
    }
    assert {name.split("/")[0] for name in STORED} == {
        "heads",
        "window",
        "gated",
        "nucleus",
        "bits",
        "versions",
    }
