"""Laws of gates, experts and responsibilities."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils.attention import softmax
from course_utils.experts import (
    gaussian_responsibilities,
    load_balancing_loss,
    mixture_of_experts,
    softmax_gate,
    top_k_gate,
)

seeds = st.integers(0, 10**6)
RNG = np.random.default_rng(0)
X, W_G = RNG.normal(size=(20, 3)), RNG.normal(size=(3, 4))


@given(seeds, st.integers(1, 4))
def test_a_gate_keeps_the_k_best_and_sums_to_one(seed, k):
    rng = np.random.default_rng(seed)
    X, W_g = rng.normal(size=(6, 3)), rng.normal(size=(3, 4))
    gates, logits = top_k_gate(X, W_g, k), X @ W_g
    np.testing.assert_allclose(gates.sum(axis=1), 1)
    assert ((gates > 0).sum(axis=1) == k).all()
    for gate, logit in zip(gates, logits, strict=True):
        best = np.sort(np.argsort(-logit)[:k])
        assert np.flatnonzero(gate).tolist() == best.tolist()
        np.testing.assert_allclose(gate[best], softmax(logit[best]))


def test_all_experts_kept_is_the_plain_gate():
    np.testing.assert_allclose(top_k_gate(X, W_G, 4), softmax_gate(X, W_G))


def test_of_equal_experts_the_first_wins():
    assert top_k_gate(np.zeros((1, 3)), W_G, 1).tolist() == [[1, 0, 0, 0]]
    preferred = np.arange(1000)[None] % 7  # long and mixed: a quick sort would swap equals
    assert np.flatnonzero(top_k_gate([[1.0]], preferred, 20)).tolist() == list(range(6, 140, 7))


@pytest.mark.parametrize(
    ("dtype", "least"), [(np.float16, 17), (np.float32, 103), (np.float64, 745)]
)
def test_a_chosen_gate_is_0_only_where_its_dtype_cannot_hold_it(dtype, least):
    logits = np.array([[0, 1 - least, -least - 1, -9999]], dtype=dtype)
    gates = top_k_gate(np.ones((1, 1), dtype=dtype), logits, 3)
    assert gates.dtype == dtype
    assert (gates > 0).tolist() == [[True, True, False, False]]
    assert gates.sum() == 1


def test_a_gate_takes_any_leading_axes():
    gates = top_k_gate(X.reshape(2, 2, 5, 3), W_G, 2)
    np.testing.assert_allclose(gates.reshape(20, 4), top_k_gate(X, W_G, 2))
    np.testing.assert_allclose(top_k_gate(X[0], W_G, 2), gates[0, 0, 0])


def test_a_high_temperature_flattens_a_low_one_sharpens():
    flat, sharp = softmax_gate(X, W_G, 100.0), softmax_gate(X, W_G, 0.001)
    assert flat.max() < 0.3
    np.testing.assert_allclose(sharp.max(axis=1), 1, atol=1e-3)


def test_the_mixture_is_the_weighted_sum_and_asks_only_the_chosen():
    gates, asked = top_k_gate(X, W_G, 2), []

    def expert(e):
        def say(x):
            asked.append(len(x))
            return x @ np.full((3, 2), e + 1.0)

        return say

    output = mixture_of_experts(X, gates, [expert(e) for e in range(4)])
    expected = sum(gates[:, [e]] * (X @ np.full((3, 2), e + 1.0)) for e in range(4))
    np.testing.assert_allclose(output, expected)
    assert asked == (gates > 0).sum(axis=0).tolist()


def test_the_only_expert_is_the_answer():
    np.testing.assert_array_equal(mixture_of_experts(X, np.ones((20, 1)), [np.tanh]), np.tanh(X))


def test_nan_in_a_gate_is_seen_in_its_row_only():
    gates = softmax_gate(X, W_G)
    gates[3, 2] = np.nan
    output = mixture_of_experts(X, gates, [lambda x: x] * 4)
    assert (
        np.isnan(output).all(axis=1).tolist()
        == np.isnan(output).any(axis=1).tolist()
        == [i == 3 for i in range(20)]
    )
    broken = W_G.copy()
    broken[0, 2] = np.nan
    assert np.isnan(top_k_gate(X, broken, 2)).all()


@given(seeds)
def test_the_mixture_is_the_einsum_of_all_answers_whatever_the_signs_of_the_gates(seed):
    rng = np.random.default_rng(seed)
    gates, F = rng.normal(size=(6, 3)) * (rng.random((6, 3)) < 0.7), rng.normal(size=(3, 4, 2))
    X = rng.normal(size=(6, 4))
    np.testing.assert_allclose(
        mixture_of_experts(X, gates, [lambda x, f=f: x @ f for f in F]),
        np.einsum("ne,nd,edo->no", gates, X, F),
        atol=1e-12,
    )


def test_the_widest_answer_decides_the_dtype_whoever_speaks_first():
    def say(dtype):
        return lambda x: np.ones((len(x), 2), dtype=dtype)

    gates = np.full((20, 2), 0.5, dtype=np.float32)
    narrow = np.float32
    for one, other, wanted in [
        (narrow, narrow, "float32"),
        (narrow, float, "float64"),
        (float, narrow, "float64"),
        (int, int, "float64"),
    ]:
        output = mixture_of_experts(X, gates, [say(one), say(other)])
        assert output.dtype == wanted
        assert (output == 1).all()
    assert mixture_of_experts(X, gates.astype(float), [say(narrow), say(narrow)]).dtype == "float64"


@given(seeds)
def test_the_balancing_loss_is_1_for_even_gates_and_never_above_E(seed):
    rng = np.random.default_rng(seed)
    E, gates = 4, rng.dirichlet(np.full(4, 0.5), size=6)
    even = np.concatenate([np.roll(gates, shift, axis=1) for shift in range(E)])
    assert load_balancing_loss(even) == pytest.approx(1)
    assert 0 < load_balancing_loss(gates) <= E


def test_the_balancing_loss_is_no_distance_from_balance():
    assert load_balancing_loss([[0.51, 0.49]] * 3 + [[0, 1]]) == pytest.approx(0.8825)


def test_the_load_is_1_when_balanced_and_E_when_one_expert_gets_all():
    assert load_balancing_loss(np.eye(4)) == pytest.approx(1)
    assert load_balancing_loss(np.eye(4)[[2] * 8]) == pytest.approx(4)


@given(seeds)
def test_responsibilities_are_bayes_by_hand(seed):
    rng = np.random.default_rng(seed)
    points, means, sds, weights = (
        rng.normal(size=(5, 1)),
        rng.normal(size=(3, 1)),
        rng.uniform(0.5, 2, size=3),
        rng.dirichlet(np.ones(3)),
    )
    joint = weights * np.exp(-0.5 * ((points - means[:, 0]) / sds) ** 2) / sds
    got = gaussian_responsibilities(points, weights, means, (sds**2)[:, None, None])
    np.testing.assert_allclose(got, joint / joint.sum(axis=1, keepdims=True))


def test_far_away_points_still_have_an_owner_and_a_weight_of_zero_owns_nothing():
    got = gaussian_responsibilities(
        [[1000.0]], [0.5, 0.5, 0.0], [[0.0], [1.0], [2.0]], np.ones((3, 1, 1))
    )
    np.testing.assert_allclose(got, [[0, 1, 0]], atol=1e-12)
    assert gaussian_responsibilities(
        [[1e200]], [0.0, 1.0], [[1e200], [0.0]], np.ones((2, 1, 1))
    ).tolist() == [[0, 1]]


@given(seeds, st.floats(0, 300), st.sampled_from([float, np.float32, np.float16]))
def test_every_point_has_an_owner_however_far_it_lies(seed, power, dtype):
    rng = np.random.default_rng(seed)
    far = min(10.0**power, float(np.finfo(dtype).max) / 100)
    points, means = (
        (far * rng.normal(size=(5, 2))).astype(dtype),
        rng.normal(size=(3, 2)).astype(dtype),
    )
    spread = rng.normal(size=(3, 2, 2))
    covariances = (spread @ spread.swapaxes(1, 2) + np.eye(2)).astype(dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        got = gaussian_responsibilities(
            points, np.array([0.5, 0.25, 0.25], dtype=dtype), means, covariances
        )
    assert got.dtype == dtype
    np.testing.assert_allclose(got.sum(axis=1), 1, rtol=2e-3)


def test_far_away_the_wide_gaussian_owns_the_point_and_equal_ones_share_it():
    for far in (1e3, 1e160, 1e300):
        got = gaussian_responsibilities([[far]], [0.9, 0.1], [[0.0], [0.0]], [[[1.0]], [[1.1]]])
        assert got.tolist() == [[0, 1]]
        np.testing.assert_allclose(
            gaussian_responsibilities([[far]], [0.9, 0.1], [[0.0], [0.0]], [[[1.0]], [[1.0]]]),
            [[0.9, 0.1]],
        )


@pytest.mark.parametrize(
    ("call", "argument", "wanted"),
    [
        (lambda: softmax_gate(X, W_G.T), "W_g", "(3, ...)"),
        (lambda: softmax_gate(X, W_G, 0), "temperature", "above 0"),
        (lambda: top_k_gate(X, W_G, 5), "k", "at most 4"),
        (lambda: top_k_gate(X, W_G, 0), "k", "at least 1"),
        (lambda: mixture_of_experts(X, np.ones((20, 3)), [lambda x: x] * 4), "gates", "(20, 4)"),
        (lambda: mixture_of_experts(X[0], np.ones((1, 4)), [lambda x: x] * 4), "X", "(N, D)"),
        (lambda: load_balancing_loss(np.ones(4)), "gates", "(N, E)"),
        (
            lambda: gaussian_responsibilities(X, [1.0], np.ones((1, 2)), np.ones((1, 3, 3))),
            "means",
            "(1, 3)",
        ),
        (
            lambda: gaussian_responsibilities(X, [1.0], np.ones((1, 3)), np.ones((1, 3, 3))),
            "covariances",
            "variance above 0",
        ),
        (
            lambda: gaussian_responsibilities([[0.0]], [1.0], [[0.0]], [[[-1.0]]]),
            "covariances",
            "variance above 0",
        ),
        (
            lambda: gaussian_responsibilities([[0.0]], [1.0], [[0.0]], [[[np.nan]]]),
            "covariances",
            "variance above 0",
        ),
        (
            lambda: gaussian_responsibilities(
                X[:, :2], [1.0], [[0.0, 0.0]], [[[2.0, 1.0], [0.0, 2.0]]]
            ),
            "covariances",
            "symmetric",
        ),
        (
            lambda: gaussian_responsibilities([[0.0]], [-1.0], [[0.0]], [[[1.0]]]),
            "weights",
            "at least 0",
        ),
        (
            lambda: gaussian_responsibilities([[0.0]], [0.0], [[0.0]], [[[1.0]]]),
            "weights",
            "not all of them 0",
        ),
        (lambda: mixture_of_experts(X, np.ones((20, 0)), []), "experts", "at least one function"),
        (lambda: mixture_of_experts(X, np.ones((20, 1)), lambda x: x), "experts", "a list"),
        (
            lambda: mixture_of_experts(X, np.ones((20, 2)), [lambda x: x, lambda x: x[:, 0]]),
            "experts[1](X)",
            "(20, 3)",
        ),
        (
            lambda: mixture_of_experts(X, np.ones((20, 1)), [lambda x: x[:3]]),
            "experts[0](X)",
            "(20, D_out)",
        ),
        (
            lambda: mixture_of_experts(X, np.ones((20, 1)), [lambda x: None]),
            "experts[0](X)",
            "real numbers",
        ),
        (lambda: softmax_gate(3.0, W_G), "X", "row of features"),
        (
            lambda: gaussian_responsibilities(X[0], [1.0], np.ones((1, 3)), np.ones((1, 3, 3))),
            "X",
            "(N, D)",
        ),
    ],
)
def test_what_does_not_fit_is_refused_by_name(call, argument, wanted):
    with pytest.raises(ValueError, match="wanted") as caught:
        call()
    assert str(caught.value).startswith(f"{argument}: got ")
    assert wanted in str(caught.value)
