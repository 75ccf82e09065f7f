"""The claims on self-attention, queries, keys and values, scaling, measured here once more, apart from the notebooks.

The id in a test's name is the claim's id in the notebooks: **Claim C1** there is test_C1_... here.
"""

import tracemalloc

import numpy as np
import pytest
from helpers import normal

from course_utils.attention import (
    attention_scores,
    blockwise_attention,
    causal_mask,
    multi_head_attention,
    scaled_dot_product_attention,
    softmax,
)
from course_utils.data import SENTENCES, W_K, W_Q, W_V, embed

# What the cases decide; the notebooks must say the same.
VERDICTS = {
    "A1": "depends", "A2": "holds", "A3": "holds", "A4": "depends", "A5": "depends", "A6": "depends",
    "B1": "holds", "B2": "fails", "B3": "depends", "B4": "fails", "B5": "fails", "B6": "depends", "B7": "fails", "B8": "holds",
    "C1": "depends", "C2": "fails", "C3": "depends", "C4": "fails", "C5": "holds",
}


def self_attention(X):
    """softmax(X Xᵀ) X, the lecture's attention without parameters."""
    return softmax(X @ X.T) @ X


# Self-attention from X Xᵀ

def test_A1_random_vectors_stay_where_they_are():
    X = normal(300, 5, 64)
    scores = X @ X.swapaxes(-1, -2)
    own = {scale: softmax(scores * scale).diagonal(axis1=1, axis2=2).mean() for scale in (1, 1 / 8)}
    assert own[1] > 0.9995
    assert 0.99 < own[1 / 8] < 0.999


def test_A1_related_vectors_move_and_long_ones_win():
    bears = {meaning: softmax(embed(tokens) @ embed(tokens).T)[tokens.index("bears"), tokens.index("bears")] for meaning, tokens in SENTENCES.items()}
    assert max(bears.values()) < 0.6
    X = embed(SENTENCES["animal"])
    longer = X * [[1], [2], [1]]
    assert softmax(longer @ longer.T)[2, 1] > softmax(X @ X.T)[2, 1] + 0.2
    the = softmax(embed(SENTENCES["sport"]) @ embed(SENTENCES["sport"]).T)[2]
    assert the.argmax() != 2


def test_A2_rows_sum_to_one_so_outputs_lie_in_the_hull():
    for X in [*map(embed, SENTENCES.values()), normal(9, 4)]:
        weights = softmax(X @ X.T)
        np.testing.assert_allclose(weights.sum(axis=1), 1)
        assert weights.min() >= 0
        assert weights.max() <= 1
        assert (self_attention(X) <= X.max(axis=0) + 1e-12).all()
        assert (self_attention(X) >= X.min(axis=0) - 1e-12).all()


def test_A3_the_vectors_alone_decide_and_scores_have_no_direction():
    X = embed(SENTENCES["sport"])
    scores = attention_scores(X, X, scale=1)
    np.testing.assert_array_equal(scores, scores.T)
    order = [2, 0, 3, 1]
    np.testing.assert_allclose(self_attention(X[order]), self_attention(X)[order])
    assert not np.allclose(softmax(scores), softmax(scores).T)


def test_A4_softmax_as_written_overflows_and_a_shift_mends_it():
    scores = np.array([1000.0, 999.0])
    with np.errstate(over="ignore", invalid="ignore"):
        as_written = np.exp(scores) / np.exp(scores).sum()
    assert np.isnan(as_written).all()
    np.testing.assert_allclose(softmax(scores), [np.e / (np.e + 1), 1 / (np.e + 1)])
    small = np.array([1.0, 0.5, -2.0])
    np.testing.assert_allclose(softmax(small), np.exp(small) / np.exp(small).sum())
    np.testing.assert_allclose(softmax(small + 100), softmax(small))


def test_A5_a_first_word_that_sees_no_future_means_the_same_in_every_sentence():
    def bears(tokens, mask):
        X = embed(tokens)
        return scaled_dot_product_attention(X, X, X, mask, scale=1)[0][0]
    pain, game = SENTENCES["hardship"], SENTENCES["sport"]
    assert np.linalg.norm(bears(pain, causal_mask(2)) - bears(game, causal_mask(4))) == 0
    assert np.linalg.norm(bears(pain, None) - bears(game, None)) > 0.5


def products(*shapes):
    """How many multiplications the matrix products (n, m) @ (m, p) take."""
    return sum(n * m * p for n, m, p in shapes)


def test_A6_four_projections_cost_more_until_the_text_is_longer_than_2d():
    d = 512
    def share(n):
        return products((n, d, n), (n, n, d)) / products(*[(n, d, d)] * 4)
    assert share(64) < 0.1
    assert share(2 * d) == 1
    assert share(8192) > 7


def test_A6_stored_weights_need_quadratic_memory_and_blocks_do_not():
    def peak(function, n):
        Q = normal(n, 8)
        tracemalloc.start()
        function(Q, Q, Q)
        bytes_needed = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return bytes_needed
    def in_blocks(Q, K, V):
        return blockwise_attention(Q, K, V, block_size=32)
    assert 3.5 < peak(scaled_dot_product_attention, 1024) / peak(scaled_dot_product_attention, 512) < 4.5
    assert peak(in_blocks, 1024) / peak(in_blocks, 512) < 2.5
    assert peak(in_blocks, 1024) < peak(scaled_dot_product_attention, 1024) / 5


# Queries, keys, values

def test_B1_aligned_query_and_key_give_the_largest_weight_by_hand():
    X = embed(SENTENCES["animal"])
    weights = softmax(X @ W_Q @ (X @ W_K).T)
    assert weights[2].argmax() == SENTENCES["animal"].index("love")
    assert weights[1].argmax() == SENTENCES["animal"].index("bears")


def test_B1_aligned_query_and_key_give_the_largest_weight_learned():
    rng = np.random.default_rng(0)
    noun, verb = rng.normal(size=(2, 8))
    W_Q, W_K = rng.normal(size=(2, 8, 2)) / 3
    for _ in range(300):                       # gradient descent on -log(weight of the verb), the last token in a row of nouns
        X = np.vstack([noun + 0.3 * rng.normal(size=(5, 8)), verb + 0.3 * rng.normal(size=8)])
        Q, K = X[:1] @ W_Q, X @ W_K
        d_scores = softmax(Q @ K.T) - np.eye(6)[-1:]
        W_Q, W_K = W_Q - 0.05 * X[:1].T @ d_scores @ K, W_K - 0.05 * X.T @ d_scores.T @ Q
    test = np.concatenate([noun + 0.3 * rng.normal(size=(100, 5, 8)), verb + 0.3 * rng.normal(size=(100, 1, 8))], axis=1)
    weights = softmax(test[:, :1] @ W_Q @ (test @ W_K).swapaxes(1, 2))[:, 0]
    assert (weights.argmax(axis=1) == 5).mean() > 0.95


def test_B2_the_value_is_what_a_token_sends_not_where_it_starts():
    X = embed(SENTENCES["sport"])
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    others = ~np.eye(4, dtype=bool)
    sent = V + [[0, 0, 0], [1, 2, 3], [0, 0, 0], [0, 0, 0]]
    before, weights = scaled_dot_product_attention(Q, K, V, others)
    after, _ = scaled_dot_product_attention(Q, K, sent, others)
    np.testing.assert_array_equal(after[1], before[1])                         # its own output does not know its value
    np.testing.assert_allclose(after - before, np.outer(weights[:, 1], [1, 2, 3]), atol=1e-12)


def test_B3_widths_are_free_and_only_one_full_head_keeps_D():
    X = normal(5, 8)
    def shapes(d_k, d_v):
        return [(X @ normal(8, d)).shape for d in (d_k, d_k, d_v)]
    assert shapes(3, 2) == [(5, 3), (5, 3), (5, 2)]
    assert shapes(8, 8) == [X.shape] * 3
    output, weights = scaled_dot_product_attention(X @ normal(8, 3), X @ normal(8, 3), X @ normal(8, 2))
    assert (output.shape, weights.shape) == ((5, 2), (5, 5))


def test_B4_a_matrix_on_the_left_does_not_fit_or_mixes_tokens():
    with pytest.raises(ValueError, match="matmul"):
        normal(4, 4) @ normal(3, 4)
    X, W = normal(4, 4), normal(4, 4, seed=1)
    changed = X + [[0], [0], [0], [1]]
    assert (W @ changed != W @ X).any(axis=1).tolist() == [True] * 4
    assert (changed @ W != X @ W).any(axis=1).tolist() == [False, False, False, True]


def test_B5_projections_act_on_the_tokens_and_do_not_fit_their_queries():
    X, W = normal(5, 8), normal(8, 2, seed=1)
    Q = X @ W
    with pytest.raises(ValueError, match="matmul"):
        Q @ W
    assert Q.shape == (5, 2)


def test_B6_scores_weights_and_matrices_are_three_things():
    X = embed(SENTENCES["sport"])
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    scores = attention_scores(Q, K)
    output, weights = scaled_dot_product_attention(Q, K, V)
    np.testing.assert_array_equal(weights, softmax(scores))
    np.testing.assert_allclose(weights.sum(axis=1), 1)
    assert not np.allclose(scores.sum(axis=1), 1)
    assert len({scores.shape, output.shape, W_Q.shape}) == 3


def test_B7_the_scores_are_a_matrix_product_of_dot_products():
    Q, K = normal(4, 3), normal(6, 3, seed=1)
    np.testing.assert_allclose(attention_scores(Q, K, scale=1), Q @ K.T)
    np.testing.assert_allclose(Q @ K.T, [[np.dot(q, k) for k in K] for q in Q])


def test_B8_keys_and_values_may_come_from_another_sequence():
    X, context, W = normal(3, 4), normal(7, 4, seed=1), normal(4, 4, 4, seed=2)
    output, weights = multi_head_attention(X, *W, n_heads=1, context=context)
    assert (output.shape, weights.shape) == ((3, 4), (1, 3, 7))
    expected, _ = scaled_dot_product_attention(X @ W[0], context @ W[1], context @ W[2])
    np.testing.assert_allclose(output, expected @ W[3])
    np.testing.assert_array_equal(multi_head_attention(X, *W, n_heads=1, context=X)[0], multi_head_attention(X, *W, n_heads=1)[0])


# Scaling by √d

SAMPLES = 20_000


@pytest.mark.parametrize("D", [4, 64, 256])
def test_C1_variance_grows_with_the_width_and_the_root_restores_it(D):
    products = (normal(SAMPLES, D) * normal(SAMPLES, D, seed=1)).sum(axis=1)
    assert products.var() == pytest.approx(D, rel=0.05)
    assert (products / np.sqrt(D)).var() == pytest.approx(1, rel=0.05)


def test_C1_holds_only_for_independent_vectors_of_mean_zero():
    D = 64
    q, k = normal(SAMPLES, D), normal(SAMPLES, D, seed=1)
    assert ((3 * q) * (0.5 * k)).sum(axis=1).var() == pytest.approx(D * 9 * 0.25, rel=0.05)
    same = (q * q).sum(axis=1)
    assert (same.mean(), same.var()) == (pytest.approx(D, rel=0.05), pytest.approx(2 * D, rel=0.05))
    shifted = ((q + 1) * (k + 1)).sum(axis=1)
    assert (shifted.mean(), shifted.var()) == (pytest.approx(D, rel=0.05), pytest.approx(3 * D, rel=0.05))


def test_C2_with_several_heads_the_root_of_the_model_width_is_too_large():
    D, H = 512, 8
    d_k = D // H
    products = (normal(SAMPLES, d_k) * normal(SAMPLES, d_k, seed=1)).sum(axis=1)
    assert (products / np.sqrt(D)).std() == pytest.approx(1 / np.sqrt(H), rel=0.03)
    assert round((products / np.sqrt(D)).std(), 2) == 0.35
    assert (products / np.sqrt(d_k)).std() == pytest.approx(1, rel=0.03)


def jacobian(a):
    """The derivative of each weight with respect to each score, for rows of weights (..., T)."""
    return a[..., None] * np.eye(a.shape[-1]) - a[..., None] * a[..., None, :]


def largest_slope(d, temperature=1.0):
    """The largest entry of the Jacobian, its median over many rows of 16 unscaled scores of width d."""
    scores = (normal(500, 1, d) * normal(500, 16, d, seed=1)).sum(axis=-1)
    return np.median(np.abs(jacobian(softmax(scores / temperature))).max(axis=(1, 2)))


def test_C3_without_scaling_weights_are_peaked_but_never_zero():
    scores = (normal(500, 1, 64) * normal(500, 16, 64, seed=1)).sum(axis=-1)
    unscaled, scaled = softmax(scores), softmax(scores / 8)
    assert np.median(unscaled.max(axis=1)) > 0.9 > 0.4 > np.median(scaled.max(axis=1))
    assert unscaled.min() > 0
    assert np.abs(jacobian(unscaled)).max(axis=(1, 2)).mean() < np.abs(jacobian(scaled)).max(axis=(1, 2)).mean() / 1.5


def test_C4_no_scaling_is_a_factor_of_8_and_inputs_times_100_are_a_factor_of_ten_thousand():
    Q, K = normal(3, 64), normal(5, 64, seed=1)
    np.testing.assert_allclose(attention_scores(Q, K, scale=1), 8 * attention_scores(Q, K))
    np.testing.assert_allclose(attention_scores(100 * Q, 100 * K), 1e4 * attention_scores(Q, K))


def test_C5_large_scores_make_the_gradient_vanish():
    by_width = [largest_slope(d) for d in (16, 64, 256, 1024)]
    by_temperature = [largest_slope(64, t) for t in (2, 1, 0.5, 0.25)]
    for slopes in (by_width, by_temperature):
        assert all(earlier > later for earlier, later in zip(slopes, slopes[1:], strict=False))
        assert slopes[-1] < slopes[0] / 1000
