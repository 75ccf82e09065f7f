"""Laws of the norms, the activations, the feed-forward network and the block."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils.attention import causal_mask, multi_head_attention
from course_utils.layers import (
    batch_norm,
    feed_forward,
    gelu,
    layer_norm,
    relu,
    rms_norm,
    silu,
    swiglu,
    transformer_block,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(2, 5, 8)) * 3 + 1
GAMMA, BETA = RNG.normal(size=8), RNG.normal(size=8)
seeds = st.integers(0, 10**6)


def block_parameters(D=8, d_ff=16, seed=0):
    rng = np.random.default_rng(seed)
    shapes = {
        "W_Q": (D, D),
        "W_K": (D, D),
        "W_V": (D, D),
        "W_O": (D, D),
        "W_1": (D, d_ff),
        "b_1": (d_ff,),
        "W_2": (d_ff, D),
        "b_2": (D,),
        "b_Q": (D,),
        "b_K": (D,),
        "b_V": (D,),
        "b_O": (D,),
        "gamma_1": (D,),
        "beta_1": (D,),
        "gamma_2": (D,),
        "beta_2": (D,),
    }
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


# Norms.


def test_layer_norm_gives_each_token_mean_beta_and_deviation_gamma():
    normed = layer_norm(X, eps=0)
    np.testing.assert_allclose(normed.mean(axis=-1), 0, atol=1e-12)
    np.testing.assert_allclose(normed.std(axis=-1), 1)
    np.testing.assert_allclose(layer_norm(X, GAMMA, BETA, eps=0), normed * GAMMA + BETA)


@given(seeds, st.floats(0.1, 100), st.floats(-100, 100))
def test_layer_norm_ignores_shift_and_stretch_of_a_token(seed, stretch, shift):
    x = np.random.default_rng(seed).normal(size=(3, 8))
    np.testing.assert_allclose(
        layer_norm(x * stretch + shift, eps=0), layer_norm(x, eps=0), atol=1e-9
    )


def test_layer_norm_treats_each_token_alone():
    np.testing.assert_array_equal(layer_norm(X)[1, 2], layer_norm(X[1, 2]))


def test_layer_norm_is_rms_norm_of_the_centred_token():
    np.testing.assert_allclose(layer_norm(X), rms_norm(X - X.mean(axis=-1, keepdims=True)))


def test_rms_norm_gives_each_token_a_root_mean_square_of_one_and_keeps_its_direction():
    normed = rms_norm(X, eps=0)
    np.testing.assert_allclose(np.sqrt((normed**2).mean(axis=-1)), 1)
    np.testing.assert_allclose(
        normed / np.linalg.norm(normed, axis=-1, keepdims=True),
        X / np.linalg.norm(X, axis=-1, keepdims=True),
    )
    np.testing.assert_allclose(rms_norm(X, GAMMA), rms_norm(X) * GAMMA)


def test_batch_norm_gives_each_feature_mean_beta_and_deviation_gamma():
    normed = batch_norm(X, GAMMA, BETA, eps=0)
    np.testing.assert_allclose(normed.mean(axis=(0, 1)), BETA, atol=1e-12)
    np.testing.assert_allclose(normed.std(axis=(0, 1)), np.abs(GAMMA))


def test_batch_norm_is_the_same_however_the_rows_are_grouped():
    np.testing.assert_allclose(batch_norm(X).reshape(10, 8), batch_norm(X.reshape(10, 8)))


@pytest.mark.parametrize("norm", [layer_norm, rms_norm, batch_norm])
def test_epsilon_is_a_hundred_thousandth_unless_given(norm):
    np.testing.assert_array_equal(norm(X / 1000), norm(X / 1000, eps=1e-5))


def test_epsilon_stands_inside_the_root_and_saves_a_constant_row():
    np.testing.assert_allclose(layer_norm(np.array([1.0, 3.0]), eps=3.0), [-0.5, 0.5])
    np.testing.assert_allclose(rms_norm(np.array([3.0, 3.0]), eps=16.0), [0.6, 0.6])
    assert layer_norm(np.full(4, 7.0)).tolist() == [0] * 4


@given(seeds, st.floats(1, 15), st.sampled_from([1e-5, 1e-12]))
def test_norms_of_half_precision_are_those_of_wide_floats(seed, power, eps):
    x = (
        (2**power * np.random.default_rng(seed).normal(size=(2, 3, 8)))
        .clip(-6e4, 6e4)
        .astype(np.float16)
    )
    for norm in (layer_norm, rms_norm, batch_norm):
        normed = norm(x, eps=eps)
        assert normed.dtype == np.float16
        np.testing.assert_allclose(normed, norm(x.astype(float), eps=eps), rtol=1e-3, atol=2e-3)


def test_a_small_epsilon_is_not_lost_in_half_precision():
    for norm in (layer_norm, rms_norm, batch_norm):
        assert (
            norm(np.zeros((2, 4), dtype=np.float16), eps=1e-12).tolist()
            == np.zeros((2, 4)).tolist()
        )


def test_norms_give_back_the_dtype_of_what_they_norm_whatever_the_parameters():
    for dtype in (np.float16, np.float32, np.float64):
        for norm in (
            lambda x: layer_norm(x, GAMMA, BETA),
            lambda x: rms_norm(x, GAMMA),
            lambda x: batch_norm(x, [1] * 8, [0] * 8),
        ):
            assert norm(X.astype(dtype)).dtype == dtype


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("norm", [layer_norm, rms_norm, batch_norm])
def test_norms_of_numbers_whose_squares_overflow_are_those_of_smaller_ones(norm, dtype):
    largest = np.finfo(dtype).max
    rows = np.random.default_rng(0).uniform(-1, 1, (3, 4, 8)).astype(dtype)
    scales = [largest, largest**0.6, 2.0 ** (np.finfo(dtype).maxexp // 2 - 16), 1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for scale in scales:
            small = np.stack([norm(token, eps=0) for token in rows])
            large = np.stack([norm((token * dtype(scale)).astype(dtype), eps=0) for token in rows])
            np.testing.assert_allclose(large, small, rtol=1e-5, atol=1e-6)
        assert np.abs(norm(np.full((2, 8), largest))).max() <= 1


@pytest.mark.parametrize("norm", [layer_norm, rms_norm])
def test_a_huge_token_leaves_the_others_as_they_are(norm):
    token = np.float32([1e-3, 2e-3, -1e-3, 0])
    both = norm(np.stack([token, np.float32([3e37, -3e38, 1e37, 0])])[:, None])  # (2, 1, 4)
    np.testing.assert_array_equal(both[0, 0], norm(token))
    assert np.isfinite(both).all()
    assert 0.5 < np.abs(both[1]).max() < 2
    small = norm(np.float32([-1, -3]), eps=0)
    for scale in (1e15, 1e38):
        np.testing.assert_allclose(norm(np.float32([-1, -3]) * np.float32(scale)), small, rtol=1e-6)


# Activations and the feed-forward network.


def test_relu_keeps_the_positive():
    assert relu([-2, 0, 3]).tolist() == [0, 0, 3]


def test_gelu_is_x_times_the_normal_distribution():
    x = np.linspace(-5, 5, 101)
    np.testing.assert_allclose(
        gelu(x), [t * 0.5 * math.erfc(-t / math.sqrt(2)) for t in x], atol=1e-15
    )
    assert 1e-5 < np.abs(gelu(x) - gelu(x, "tanh")).max() < 1e-3


@pytest.mark.parametrize("approximate", ["none", "tanh"])
def test_gelu_of_half_precision_does_not_overflow(approximate):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert gelu(np.array([-100, 100, 60_000], dtype=np.float16), approximate).tolist() == [
            0,
            100,
            60_000,
        ]


@pytest.mark.parametrize(("dtype", "error"), [(np.float32, 5e-7), (np.float64, 2e-15)])
def test_gelu_is_exact_to_rounding_from_far_below_0_to_far_above(dtype, error):
    x = np.linspace(-12, 12, 9601).astype(dtype)
    exact = np.array([t * 0.5 * math.erfc(-t / math.sqrt(2)) for t in x.astype(float)])
    np.testing.assert_allclose(gelu(x), exact, atol=error, rtol=0)
    assert gelu(x).dtype == dtype


@pytest.mark.parametrize("activation", [gelu, silu])
def test_activations_of_huge_numbers_are_0_or_themselves_without_a_warning(activation):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for x in (np.float32([1e30, -1e30]), np.array([1e300, -1e300])):
            assert activation(x).tolist() == [x[0], 0]


def test_feed_forward_is_two_matrices_with_an_activation_for_each_token_alone():
    p = block_parameters()
    out = feed_forward(X, p["W_1"], p["b_1"], p["W_2"], p["b_2"])
    for b in range(2):
        for t in range(5):
            np.testing.assert_allclose(
                out[b, t], np.maximum(X[b, t] @ p["W_1"] + p["b_1"], 0) @ p["W_2"] + p["b_2"]
            )


# The block.


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_block_is_its_two_sublayers_written_out(norm):
    p = block_parameters()
    mask = causal_mask(5)
    attend = lambda x: multi_head_attention(  # noqa: E731
        x,
        p["W_Q"],
        p["W_K"],
        p["W_V"],
        p["W_O"],
        2,
        mask,
        None,
        p["b_Q"],
        p["b_K"],
        p["b_V"],
        p["b_O"],
    )[0]
    think = lambda x: feed_forward(x, p["W_1"], p["b_1"], p["W_2"], p["b_2"], gelu)  # noqa: E731
    norms = [lambda x, n=n: layer_norm(x, p[f"gamma_{n}"], p[f"beta_{n}"]) for n in (1, 2)]
    if norm == "pre":
        Z = X + attend(norms[0](X))
        expected = Z + think(norms[1](Z))
    else:
        Z = norms[0](X + attend(X))
        expected = norms[1](Z + think(Z))
    np.testing.assert_allclose(transformer_block(X, p, 2, mask, norm, gelu), expected)


@given(seeds)
def test_a_block_of_zero_matrices_passes_the_residual_through_untouched(seed):
    zero = {name: np.zeros_like(p) for name, p in block_parameters().items()}
    x = np.random.default_rng(seed).normal(size=(4, 8))
    np.testing.assert_array_equal(transformer_block(x, zero, 2), x)


def test_a_causal_block_does_not_leak():
    p, changed = block_parameters(), X.copy()
    changed[:, -1] += 1
    moved = transformer_block(changed, p, 2, causal_mask(5)) - transformer_block(
        X, p, 2, causal_mask(5)
    )
    assert (moved[:, :-1] == 0).all()
    assert (moved[:, -1] != 0).all()


# What they are given and what they give.

EVERY = [layer_norm, rms_norm, batch_norm, relu, gelu, lambda x: gelu(x, "tanh")]


@pytest.mark.parametrize("function", EVERY)
def test_float32_stays_float32_and_whole_numbers_are_taken(function):
    assert function(X.astype(np.float32)).dtype == np.float32
    assert function(np.arange(6).reshape(2, 3)).dtype == np.float64


@pytest.mark.parametrize("function", [relu, gelu, silu, layer_norm, rms_norm])
def test_no_token_is_a_text_too(function):
    assert function(np.empty((0, 8), dtype=np.float32)).shape == (0, 8)


@pytest.mark.parametrize("function", EVERY)
def test_nan_stays_nan_and_the_input_stays_as_it_was(function):
    x = X[0].copy()
    x[2, 3] = np.nan
    before = x.copy()
    assert np.isnan(function(x)[2, 3])
    np.testing.assert_array_equal(x, before)


P = block_parameters()


@pytest.mark.parametrize(
    ("call", "argument", "wanted"),
    [
        (lambda: layer_norm(X, gamma=np.ones(5)), "gamma", "(8,)"),
        (lambda: layer_norm(X, beta=np.ones((2, 8))), "beta", "(8,)"),
        (lambda: rms_norm(3.0), "x", "row of features"),
        (lambda: layer_norm(["a"]), "x", "real numbers"),
        (lambda: layer_norm(X, eps="small"), "eps", "number"),
        (lambda: layer_norm(X, eps=-1e-5), "eps", "at least 0"),
        (lambda: rms_norm(X, eps=np.nan), "eps", "at least 0"),
        *[
            (lambda function=function: function(["a"]), "x", "real numbers")
            for function in (relu, gelu, silu)
        ],
        (lambda: gelu(X, None), "approximate", '"none" or "tanh"'),
        (
            lambda: feed_forward(X, P["W_1"], P["b_1"], P["W_1"], P["b_2"]),
            "W_2",
            "each feature of the hidden layer (2, 5, 16)",
        ),
        (lambda: transformer_block(X, list(P), 2), "params", "a dict"),
        (lambda: batch_norm(np.ones(3)), "X", "tokens are rows"),
        (lambda: gelu(X, "fast"), "approximate", '"none" or "tanh"'),
        (lambda: feed_forward(X, P["W_2"], P["b_1"], P["W_2"], P["b_2"]), "W_1", "(8, ...)"),
        (lambda: feed_forward(X, P["W_1"], P["b_2"], P["W_2"], P["b_2"]), "b_1", "(16,)"),
        (lambda: transformer_block(X, P, 3), "n_heads", "divisor of the 8 columns"),
        (lambda: transformer_block(X, P, 2, norm="middle"), "norm", '"pre" or "post"'),
        (lambda: transformer_block(X, {"W_Q": P["W_Q"]}, 2), "params", "W_K"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(call, argument, wanted):
    with pytest.raises(ValueError, match="wanted") as caught:
        call()
    assert str(caught.value).startswith(f"{argument}: got ")
    assert wanted in str(caught.value)


# The gated network.


@given(seeds)
def test_swiglu_multiplies_two_projections_one_of_them_through_silu(seed):
    rng = np.random.default_rng(seed)
    x, W_gate, W_up, W_down = (
        rng.normal(size=shape) for shape in [(2, 4, 3), (3, 5), (3, 5), (5, 3)]
    )
    hidden = [
        [
            float(g / (1 + math.exp(-g)) * u)
            for g, u in zip(token @ W_gate, token @ W_up, strict=True)
        ]
        for token in x.reshape(-1, 3)
    ]
    np.testing.assert_allclose(
        swiglu(x, W_gate, W_up, W_down), (np.array(hidden) @ W_down).reshape(2, 4, 3)
    )


def test_silu_is_near_relu_far_from_0_and_dips_below_it_near_0():
    x = np.linspace(-30, 30, 601)
    np.testing.assert_allclose(silu(x)[np.abs(x) > 25], relu(x)[np.abs(x) > 25], atol=1e-9)
    assert -0.2785 < silu(x).min() < -0.2784
    assert (silu(np.float32([1, -1])).dtype, silu(np.float16([1, -1])).dtype) == (
        np.float32,
        np.float16,
    )


@pytest.mark.parametrize(
    ("shapes", "name"),
    [
        ([(4, 5), (3, 5), (5, 3)], "W_gate"),
        ([(3, 5), (3, 6), (5, 3)], "W_up"),
        ([(3, 5), (3, 5), (3, 5)], "W_down"),
    ],
)
def test_matrices_that_do_not_fit_are_refused_by_name(shapes, name):
    with pytest.raises(ValueError, match=f"^{name}: got "):
        swiglu(np.ones((2, 3)), *map(np.ones, shapes))
