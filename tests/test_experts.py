"""Laws of gates, experts and responsibilities."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils.attention import softmax
from course_utils.experts import gaussian_responsibilities, load_balancing_loss, mixture_of_experts, softmax_gate, top_k_gate

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


def test_the_load_is_1_when_balanced_and_E_when_one_expert_gets_all():
    assert load_balancing_loss(np.eye(4)) == pytest.approx(1)
    assert load_balancing_loss(np.eye(4)[[2] * 8]) == pytest.approx(4)


@given(seeds)
def test_responsibilities_are_bayes_by_hand(seed):
    rng = np.random.default_rng(seed)
    points, means, sds, weights = rng.normal(size=(5, 1)), rng.normal(size=(3, 1)), rng.uniform(0.5, 2, size=3), rng.dirichlet(np.ones(3))
    joint = weights * np.exp(-0.5 * ((points - means[:, 0]) / sds) ** 2) / sds
    got = gaussian_responsibilities(points, weights, means, (sds**2)[:, None, None])
    np.testing.assert_allclose(got, joint / joint.sum(axis=1, keepdims=True))


def test_far_away_points_still_have_an_owner_and_a_weight_of_zero_owns_nothing():
    got = gaussian_responsibilities([[1000.0]], [0.5, 0.5, 0.0], [[0.0], [1.0], [2.0]], np.ones((3, 1, 1)))
    np.testing.assert_allclose(got, [[0, 1, 0]], atol=1e-12)


@pytest.mark.parametrize(("call", "argument", "wanted"), [
    (lambda: softmax_gate(X, W_G.T), "W_g", "(3, ...)"),
    (lambda: softmax_gate(X, W_G, 0), "temperature", "above 0"),
    (lambda: top_k_gate(X, W_G, 5), "k", "at most 4"),
    (lambda: top_k_gate(X, W_G, 0), "k", "at least 1"),
    (lambda: mixture_of_experts(X, np.ones((20, 3)), [lambda x: x] * 4), "gates", "(20, 4)"),
    (lambda: mixture_of_experts(X[0], np.ones((1, 4)), [lambda x: x] * 4), "X", "(N, D)"),
    (lambda: load_balancing_loss(np.ones(4)), "gates", "(N, E)"),
    (lambda: gaussian_responsibilities(X, [1.0], np.ones((1, 2)), np.ones((1, 3, 3))), "means", "(1, 3)"),
    (lambda: gaussian_responsibilities(X[0], [1.0], np.ones((1, 3)), np.ones((1, 3, 3))), "X", "(N, D)"),
])
def test_what_does_not_fit_is_refused_by_name(call, argument, wanted):
    with pytest.raises(ValueError, match="wanted") as caught:
        call()
    assert str(caught.value).startswith(f"{argument}: got ")
    assert wanted in str(caught.value)
