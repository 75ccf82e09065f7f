"""Laws of numbers in few bits."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils.quantisation import dequantise, dequantise_block, pack, quantise

seeds = st.integers(0, 10**6)


def numbers(seed, rows=3, n=64):
    return np.random.default_rng(seed).normal(size=(rows, n)) * np.random.default_rng(
        seed + 1
    ).uniform(0.01, 100)


@given(seeds, st.integers(1, 8), st.sampled_from([1, 2, 4, 32, 64]))
def test_no_number_moves_by_more_than_half_a_step_and_the_ends_stay(seed, n_bits, block_size):
    x = numbers(seed)
    step, least, codes = quantise(x, n_bits, block_size)
    back = dequantise(step, least, codes)
    assert codes.max() < 2**n_bits
    blocks, moved = (z.reshape(3, -1, block_size) for z in (x, np.abs(back - x)))
    assert (moved <= step[..., None] / 2 * (1 + 1e-6) + 1e-12).all()
    np.testing.assert_allclose(back.reshape(blocks.shape).min(axis=-1), blocks.min(axis=-1))
    np.testing.assert_allclose(back.reshape(blocks.shape).max(axis=-1), blocks.max(axis=-1))


def test_every_block_of_a_row_has_its_own_least_and_a_step_of_its_spread_over_all_codes():
    x = np.random.default_rng(0).normal(size=(2, 3, 8))
    for n_bits in (1, 3, 4, 8):
        step, least, codes = quantise(x, n_bits, block_size=4)
        blocks = x.reshape(2, 3, 2, 4)
        np.testing.assert_array_equal(least, blocks.min(axis=-1))
        np.testing.assert_allclose(step, np.ptp(blocks, axis=-1) / (2**n_bits - 1))
        assert codes.shape == x.shape == dequantise(step, least, codes).shape


def test_near_152_a_number_moves_by_half_a_step_and_the_rounding_of_float32():
    """Measured: 1.6 half steps with 8 bits, where a step is a few units in the last place."""
    rng, worst = np.random.default_rng(0), 0
    for size in np.geomspace(1e-4, 1, 200):
        x = (152 + size * rng.uniform(-1, 1, (1, 32))).astype(np.float32)
        step, least, codes = quantise(x, 8)
        moved = np.abs(dequantise(step, least, codes).astype(float) - x)
        assert (moved <= step / 2 * (1 + 1e-4) + np.spacing(np.float32(152))).all()
        worst = max(worst, (moved / (step / 2)).max())
    assert worst > 1.5


@pytest.mark.parametrize(("dtype", "most"), [(np.float32, 3e38), (np.float64, 1.7e308)])
def test_a_range_beyond_the_dtype_is_refused_with_a_sentence(dtype, most):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(
            ValueError, match=f"^x: got a block with a range beyond {np.dtype(dtype)}"
        ):
            quantise(np.array([[-most, most]], dtype=dtype), 4, 2)
        step, least, codes = quantise(np.array([[-most, -most, most, most / 2]], dtype=dtype), 4, 2)
    assert np.isfinite(dequantise(step, least, codes)).all()
    half = np.array([[-65504, 65504]], dtype=np.float16)  # float16 is computed in float32
    assert quantise(half, 4, 2)[0].tolist() == [[np.float32(131008) / 15]]


def test_codes_fit_their_bits_even_where_a_step_is_too_small_for_a_float():
    for dtype in (np.float32, np.float64):
        tiny = np.finfo(dtype).smallest_subnormal
        step, _, codes = quantise(
            np.array([0, 20 * tiny], dtype=dtype), 4, 2
        )  # 20 / 15 of the smallest number there is
        assert (step == tiny, codes.tolist()) == (True, [0, 15])


@given(seeds)
def test_what_was_quantised_once_stays_when_it_is_quantised_again(seed):
    once = dequantise(*quantise(numbers(seed)))
    np.testing.assert_allclose(dequantise(*quantise(once)), once, rtol=1e-9, atol=1e-9)


@given(seeds)
def test_a_smaller_block_never_has_a_larger_step(seed):
    x = numbers(seed)
    assert (quantise(x, 4, 16)[0].reshape(3, 2, 2) <= quantise(x, 4, 32)[0][..., None]).all()


@given(seeds)
def test_packing_loses_nothing_and_halves_the_bytes(seed):
    step, least, codes = quantise(numbers(seed))
    packed = pack(codes.reshape(3, 2, 32))
    assert (packed.shape, packed.dtype) == ((3, 2, 16), np.uint8)
    np.testing.assert_array_equal(
        dequantise_block(step, least, packed).reshape(3, 64), dequantise(step, least, codes)
    )


def test_equal_numbers_have_no_step_and_come_back_whole():
    step, least, codes = quantise(np.full((1, 4), 7.5), block_size=4)
    assert (step.tolist(), least.tolist(), codes.tolist()) == ([[0]], [[7.5]], [[0] * 4])
    assert dequantise(step, least, codes).tolist() == [[7.5] * 4]


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: quantise(np.ones((2, 6)), 4, 4), "block_size"),
        (lambda: quantise(np.ones((2, 4)), 9, 4), "n_bits"),
        (lambda: quantise(np.array([1.0, np.nan]), 4, 2), "x"),
        (lambda: pack([1, 2, 3]), "codes"),
        (lambda: pack([16, 0]), "codes"),
        (lambda: dequantise([[1.0]], [[0.0]], [[0.5, 1.0]]), "codes"),
        (lambda: dequantise([[1.0, 1.0]], [[0.0, 0.0]], [[1, 2, 3]]), "codes"),
        (lambda: dequantise([[1.0]], [0.0], [[1, 2]]), "least"),
        (lambda: dequantise_block([1.0], [0.0], [1, 2]), "packed"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(call, name):
    with pytest.raises(ValueError, match=f"^{name}: got "):
        call()
