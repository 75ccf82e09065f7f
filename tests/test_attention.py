"""The laws of attention: what must hold for every input, whatever the numbers are."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from course_utils import attention
from course_utils.attention import (
    attention_scores,
    blockwise_attention,
    causal_mask,
    grouped_query_attention,
    merge_heads,
    multi_head_attention,
    padding_mask,
    scaled_dot_product_attention,
    sliding_window_mask,
    softmax,
    split_heads,
)

scores = arrays(
    float, array_shapes(min_dims=1, max_dims=3, max_side=5), elements=st.floats(-1e4, 1e4)
)
seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(1, 6)


def qkv(seed=0, T_q=5, T_kv=7, d_k=4, d_v=3, leading=(), dtype=float):
    """Random queries, keys and values."""
    rng = np.random.default_rng(seed)
    return tuple(
        rng.normal(size=(*leading, *shape)).astype(dtype)
        for shape in [(T_q, d_k), (T_kv, d_k), (T_kv, d_v)]
    )


def heads_parameters(seed=0, D=6, D_c=6, H=2, d_k=3, d_v=3, D_out=6):
    """Random matrices and biases of multi-head attention, by name."""
    rng = np.random.default_rng(seed)
    shapes = {
        "W_Q": (D, H * d_k),
        "W_K": (D_c, H * d_k),
        "W_V": (D_c, H * d_v),
        "W_O": (H * d_v, D_out),
        "b_Q": (H * d_k,),
        "b_K": (H * d_k,),
        "b_V": (H * d_v,),
        "b_O": (D_out,),
    }
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


# softmax


@given(scores)
def test_rows_of_softmax_are_positive_and_sum_to_one(x):
    weights = softmax(x)
    assert weights.shape == x.shape
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=-1), 1)


@given(scores, st.floats(-1e4, 1e4))
def test_adding_a_constant_to_the_scores_changes_no_weight(x, c):
    np.testing.assert_allclose(softmax(x + c), softmax(x), atol=1e-8)


@given(scores)
def test_softmax_keeps_the_order_of_the_scores(x):
    order = np.argsort(x, axis=-1)
    assert (np.diff(np.take_along_axis(softmax(x), order, axis=-1), axis=-1) >= 0).all()


@given(scores, st.data())
def test_softmax_along_an_axis_is_softmax_of_the_rows_turned_there(x, data):
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    np.testing.assert_array_equal(
        softmax(x, axis=axis), np.moveaxis(softmax(np.moveaxis(x, axis, -1)), -1, axis)
    )


@pytest.mark.parametrize("n", [3, 40])
def test_each_row_has_its_own_largest_score_however_long_it_is(n):
    row = np.linspace(-2, 2, n)
    weights = softmax(np.stack([row, row + 4096]))
    assert np.allclose(weights[0], weights[1], rtol=1e-9)


def test_many_short_rows_are_each_softmaxed_alone():
    x = np.random.default_rng(0).normal(size=(3000, 3)) * 50
    np.testing.assert_array_equal(
        softmax(x)[[0, 1, 2999]], [softmax(row) for row in x[[0, 1, 2999]]]
    )
    np.testing.assert_array_equal(softmax(x.T, axis=0), softmax(x).T)
    assert softmax(np.empty((5000, 0))).shape == (5000, 0)


def test_softmax_has_the_values_of_its_formula():
    np.testing.assert_allclose(softmax([np.log(1), np.log(2), np.log(5)]), [1 / 8, 2 / 8, 5 / 8])
    np.testing.assert_allclose(softmax([1000.0, 999.0]), softmax([1.0, 0.0]))
    assert softmax([3, 3]).tolist() == [0.5, 0.5]


def test_a_row_of_minus_infinity_gives_zeros_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        weights = softmax([[-np.inf, -np.inf], [0.0, -np.inf]])
    assert weights.tolist() == [[0, 0], [1, 0]]


def test_nan_in_a_row_gives_nan_in_that_row_only():
    weights = softmax([[np.nan, 0.0, -np.inf], [0.0, 0.0, -np.inf], [np.nan, -np.inf, -np.inf]])
    assert np.isnan(weights[[0, 2]]).all()
    assert weights[1].tolist() == [0.5, 0.5, 0]


@given(arrays(float, (3, 5), elements=st.sampled_from([-np.inf, -1.0, 0.0, 2.0, np.inf])))
def test_infinite_scores_share_all_the_weight_as_the_limit_of_large_ones(x):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        weights = softmax(x)
    np.testing.assert_array_equal(weights, softmax(np.where(x == np.inf, 1e9, x)))
    assert softmax([np.inf, 0.0]).tolist() == [1, 0]
    assert softmax([np.inf, 3.0, np.inf, -np.inf]).tolist() == [0.5, 0, 0.5, 0]
    assert np.isnan(softmax([np.inf, np.nan])).all()


def test_softmax_of_many_scores_in_half_precision_sums_to_one():
    weights = softmax(np.zeros(70_000, dtype=np.float16))
    assert weights.dtype == np.float16
    np.testing.assert_allclose(weights, 1 / 70_000, rtol=0.01)
    assert weights.sum(dtype=float) == pytest.approx(1, rel=0.01)


@pytest.mark.parametrize(
    ("given", "computed"),
    [(np.float16, np.float32), (np.float32, np.float32), (np.float64, np.float64)],
)
def test_softmax_is_computed_in_float32_at_least_and_no_wider_than_given(
    given, computed, monkeypatch
):
    dtypes, compute = [], attention._softmax_in_place
    monkeypatch.setattr(
        attention, "_softmax_in_place", lambda x, axis: dtypes.append(x.dtype) or compute(x, axis)
    )
    softmax(np.zeros(3, dtype=given))
    assert dtypes == [computed]


def test_softmax_of_no_scores_is_empty():
    assert softmax(np.zeros((3, 0))).shape == (3, 0)
    assert softmax(np.zeros((0, 3))).shape == (0, 3)


# Scores and one attention


@given(seeds, sizes, sizes, sizes)
def test_each_score_is_a_dot_product_over_root_of_the_width(seed, T_q, T_kv, d_k):
    Q, K, _ = qkv(seed, T_q, T_kv, d_k)
    by_hand = [[sum(a * b for a, b in zip(q, k, strict=True)) / d_k**0.5 for k in K] for q in Q]
    np.testing.assert_allclose(attention_scores(Q, K), by_hand, atol=1e-12)


def test_a_given_scale_replaces_the_root_of_the_width():
    Q, K, V = qkv()
    np.testing.assert_allclose(attention_scores(Q, K, scale=0.3), 0.3 * Q @ K.T)
    for function in (
        lambda scale: scaled_dot_product_attention(Q, K, V, scale=scale)[0],
        lambda scale: blockwise_attention(Q, K, V, scale=scale),
    ):
        np.testing.assert_allclose(function(0.3), softmax(0.3 * Q @ K.T) @ V)
        np.testing.assert_allclose(function(None), softmax(Q @ K.T / 2) @ V)
        np.testing.assert_allclose(function(0), np.broadcast_to(V.mean(axis=0), (5, 3)))


@given(seeds, sizes, sizes)
def test_rows_of_weights_sum_to_one(seed, T_q, T_kv):
    output, weights = scaled_dot_product_attention(*qkv(seed, T_q, T_kv))
    assert weights.shape == (T_q, T_kv)
    assert output.shape == (T_q, 3)
    np.testing.assert_allclose(weights.sum(axis=-1), 1)


@given(seeds, sizes, sizes)
def test_outputs_lie_in_the_hull_of_the_values(seed, T_q, T_kv):
    Q, K, V = qkv(seed, T_q, T_kv)
    output, _ = scaled_dot_product_attention(Q, K, V)
    directions = np.random.default_rng(seed).normal(size=(3, 50))
    assert ((output @ directions) <= (V @ directions).max(axis=0) + 1e-9).all()


@given(seeds, sizes)
def test_permuting_tokens_permutes_outputs(seed, T):
    X = np.random.default_rng(seed).normal(size=(T, 4))
    order = np.random.default_rng(seed + 1).permutation(T)
    output, weights = scaled_dot_product_attention(X, X, X)
    moved, moved_weights = scaled_dot_product_attention(X[order], X[order], X[order])
    np.testing.assert_allclose(moved, output[order])
    np.testing.assert_allclose(moved_weights, weights[np.ix_(order, order)])


@given(seeds, sizes, st.integers(0, 3), st.data())
def test_the_future_has_weight_zero_and_never_leaks(seed, T, cached, data):
    Q, K, V = qkv(seed, T, T + cached)
    mask = causal_mask(T, T + cached)
    i = data.draw(st.integers(0, T - 1))
    before, weights = scaled_dot_product_attention(Q, K, V, mask)
    K[i + cached + 1 :], V[i + cached + 1 :] = 1e3, -1e3
    after, _ = scaled_dot_product_attention(Q, K, V, mask)
    assert (weights[~mask] == 0).all()
    np.testing.assert_array_equal(before[: i + 1], after[: i + 1])


def test_leading_axes_are_computed_one_by_one():
    Q, K, V = qkv(leading=(2, 3))
    output, weights = scaled_dot_product_attention(Q, K, V)
    for index in np.ndindex(2, 3):
        one_output, one_weights = scaled_dot_product_attention(Q[index], K[index], V[index])
        np.testing.assert_allclose(output[index], one_output)
        np.testing.assert_allclose(weights[index], one_weights)


def test_leading_axes_broadcast():
    Q, K, V = qkv()
    output, weights = scaled_dot_product_attention(np.stack([Q, 2 * Q]), K, np.stack([V, -V]))
    assert (output.shape, weights.shape) == ((2, 5, 3), (2, 5, 7))
    np.testing.assert_allclose(output[1], -scaled_dot_product_attention(2 * Q, K, V)[0])


def test_without_keys_the_output_is_zero():
    Q, K, V = qkv(T_kv=0)
    output, weights = scaled_dot_product_attention(Q, K, V)
    assert weights.shape == (5, 0)
    assert output.tolist() == np.zeros((5, 3)).tolist() == blockwise_attention(Q, K, V).tolist()


def test_without_queries_the_output_is_empty():
    Q, K, V = qkv(T_q=0)
    assert (
        scaled_dot_product_attention(Q, K, V)[0].shape
        == blockwise_attention(Q, K, V).shape
        == (0, 3)
    )


# Masks


def test_causal_mask_shows_the_present_and_the_past():
    assert causal_mask(3).tolist() == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]
    assert causal_mask(3).dtype == bool


@given(sizes, st.integers(0, 4))
def test_with_more_keys_the_queries_are_the_last_tokens(T, cached):
    np.testing.assert_array_equal(causal_mask(T, T + cached), causal_mask(T + cached)[cached:])


def test_padding_mask_shows_the_first_tokens_of_each_sentence():
    mask = padding_mask([2, 0, 3], 3)
    assert mask.shape == (3, 1, 3)
    assert mask[:, 0].tolist() == [[True, True, False], [False, False, False], [True, True, True]]
    assert mask.dtype == bool


@given(seeds, sizes, sizes)
def test_a_float_mask_of_zeros_and_minus_infinity_equals_the_bool_mask(seed, T_q, T_kv):
    Q, K, V = qkv(seed, T_q, T_kv)
    mask = np.random.default_rng(seed).random((T_q, T_kv)) < 0.6
    added = np.where(mask, 0.0, -np.inf)
    for a, b in zip(
        scaled_dot_product_attention(Q, K, V, mask),
        scaled_dot_product_attention(Q, K, V, added),
        strict=True,
    ):
        np.testing.assert_array_equal(a, b)


def test_a_float_mask_is_added_to_the_scores():
    Q, K, V = qkv()
    bias = np.random.default_rng(1).normal(size=(5, 7))
    np.testing.assert_allclose(
        scaled_dot_product_attention(Q, K, V, bias)[1], softmax(Q @ K.T / 2 + bias)
    )


def test_a_hidden_key_is_as_good_as_absent():
    Q, K, V = qkv()
    kept = np.array([0, 2, 3, 6])
    mask = np.isin(np.arange(7), kept)[None, :]
    np.testing.assert_allclose(
        scaled_dot_product_attention(Q, K, V, mask)[0],
        scaled_dot_product_attention(Q, K[kept], V[kept])[0],
    )


@pytest.mark.parametrize(
    "mask", [np.zeros((5, 7), dtype=bool), np.full((5, 7), -np.inf)], ids=["bool", "float"]
)
def test_a_query_that_may_attend_to_nothing_gets_zeros_without_a_warning(mask):
    mask = mask.copy()
    mask[1:] = ~mask[1:] if mask.dtype == bool else 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        output, weights = scaled_dot_product_attention(*qkv(), mask)
        blocks = blockwise_attention(*qkv(), mask, block_size=2)
    assert (output[0] == 0).all()
    assert (weights[0] == 0).all()
    assert (blocks[0] == 0).all()
    np.testing.assert_allclose(weights[1:].sum(axis=-1), 1)


@given(
    seeds,
    sizes,
    sizes,
    st.sampled_from([np.nan, np.inf, -np.inf]),
    st.sampled_from(["bool", "float"]),
)
def test_what_stands_in_a_hidden_key_or_value_changes_nothing(seed, T_q, T_kv, strange, kind):
    rng = np.random.default_rng(seed)
    Q, K, V = qkv(seed, T_q, T_kv)
    mask = rng.random((T_q, T_kv)) < 0.6
    mask[:, rng.integers(T_kv)] = False  # at least one that nobody sees
    hidden = ~mask.any(axis=0)
    given = mask if kind == "bool" else np.where(mask, rng.normal(size=mask.shape), -np.inf)
    expected = scaled_dot_product_attention(Q, K, V, given)
    V[hidden] = strange
    K[hidden] = np.nan  # an infinite one would warn of inf - inf in the product
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for found, wanted in zip(
            scaled_dot_product_attention(Q, K, V, given), expected, strict=True
        ):
            np.testing.assert_allclose(found, wanted, atol=1e-12)
        np.testing.assert_allclose(
            blockwise_attention(Q, K, V, given, block_size=2), expected[0], atol=1e-12
        )


def test_a_strange_value_reaches_those_who_may_see_it_and_nobody_else():
    Q, K, V = qkv(T_q=7)
    V[3, 1], V[5, 0] = np.nan, np.inf
    for mask in (causal_mask(7), np.where(causal_mask(7), 0.0, -np.inf)):
        for output in (
            scaled_dot_product_attention(Q, K, V, mask)[0],
            blockwise_attention(Q, K, V, mask, block_size=2),
        ):
            assert np.isnan(output[:, 1]).tolist() == [False] * 3 + [True] * 4
            assert np.isposinf(output[:, 0]).tolist() == [False] * 5 + [True] * 2
            assert np.isfinite(output[:, 2]).all()


def test_padding_of_nan_spoils_no_sentence_in_several_heads():
    X, p = np.random.default_rng(1).normal(size=(2, 5, 6)), heads_parameters()
    clean = multi_head_attention(X, n_heads=2, mask=padding_mask([5, 2], 5), **p)[0]
    X[1, 2:] = np.nan
    spoilt = multi_head_attention(X, n_heads=2, mask=padding_mask([5, 2], 5), **p)[0]
    np.testing.assert_allclose(spoilt[0], clean[0])
    np.testing.assert_allclose(spoilt[1, :2], clean[1, :2])


def test_softcap_bends_the_scores_before_the_mask():
    Q, K, V = qkv()
    mask = causal_mask(5, 7)
    expected = softmax(np.where(mask, 2 * np.tanh(Q @ K.T / 2 / 2), -np.inf))
    np.testing.assert_allclose(scaled_dot_product_attention(Q, K, V, mask, softcap=2)[1], expected)


def test_a_very_large_softcap_changes_nothing():
    np.testing.assert_allclose(
        scaled_dot_product_attention(*qkv(), softcap=1e6)[1],
        scaled_dot_product_attention(*qkv())[1],
    )


# Several heads


@given(
    seeds,
    sizes,
    st.sampled_from([(1, 6), (2, 6), (3, 6), (6, 6)]),
    st.sampled_from([(), (2,), (2, 3)]),
)
def test_merging_undoes_splitting(seed, T, heads_and_width, leading):
    H, D = heads_and_width
    X = np.random.default_rng(seed).normal(size=(*leading, T, D))
    heads = split_heads(X, H)
    assert heads.shape == (*leading, H, T, D // H)
    np.testing.assert_array_equal(merge_heads(heads), X)
    for h in range(H):
        np.testing.assert_array_equal(heads[..., h, :, :], X[..., h * D // H : (h + 1) * D // H])


def head_by_head(X, p, n_heads, mask=None, context=None):
    """Multi-head attention of one sentence as it is taught: a loop over heads, a sum over their
    rows of W_O. mask: (H, T_q, T_kv)."""
    C = X if context is None else context
    Q, K, V = X @ p["W_Q"] + p["b_Q"], C @ p["W_K"] + p["b_K"], C @ p["W_V"] + p["b_V"]
    d_k, d_v = Q.shape[1] // n_heads, V.shape[1] // n_heads
    output, tables = p["b_O"], []
    for h in range(n_heads):
        k, v = slice(h * d_k, (h + 1) * d_k), slice(h * d_v, (h + 1) * d_v)
        scores = Q[:, k] @ K[:, k].T / np.sqrt(d_k)
        if mask is not None:
            scores = np.where(mask[h], scores, -np.inf)
        tables.append(softmax(scores))
        output = output + tables[-1] @ V[:, v] @ p["W_O"][v]
    return output, np.array(tables)


def agrees_with_the_loop(X, p, n_heads, mask=None, context=None, mask_by_sentence=None):
    """Compare the batch with the loop, sentence by sentence."""
    output, weights = multi_head_attention(X, n_heads=n_heads, mask=mask, context=context, **p)
    for b in range(len(X)):
        expected, tables = head_by_head(
            X[b],
            p,
            n_heads,
            None if mask_by_sentence is None else mask_by_sentence[b],
            None if context is None else context[b],
        )
        np.testing.assert_allclose(output[b], expected, atol=1e-10)
        np.testing.assert_allclose(weights[b], tables, atol=1e-10)


@pytest.mark.parametrize("H", [1, 2, 3])
@pytest.mark.parametrize(("d_k", "d_v"), [(2, 2), (2, 5), (4, 1)])
def test_heads_side_by_side_equal_head_by_head(H, d_k, d_v):
    X = np.random.default_rng(1).normal(size=(2, 5, 6))
    agrees_with_the_loop(X, heads_parameters(H=H, d_k=d_k, d_v=d_v, D_out=7), H)


def test_cross_attention_equals_head_by_head():
    rng = np.random.default_rng(1)
    X, context = rng.normal(size=(2, 5, 6)), rng.normal(size=(2, 3, 4))
    agrees_with_the_loop(X, heads_parameters(D_c=4, d_v=2), 2, context=context)


MASKS = {
    "a table": np.tri(5, dtype=bool),
    "a table for each sentence": np.random.default_rng(2).random((2, 5, 5)) < 0.7,
    "a table for each head": np.random.default_rng(3).random((2, 3, 5, 5)) < 0.7,
    "padding": padding_mask([5, 2], 5),
    "one row for all": np.array([True, True, False, True, False]),
}


@pytest.mark.parametrize("name", MASKS)
def test_masks_of_every_shape_equal_head_by_head(name):
    mask = MASKS[name]
    X = np.random.default_rng(1).normal(size=(2, 5, 6))
    with_heads = mask[:, None] if mask.ndim == 3 else mask
    agrees_with_the_loop(
        X,
        heads_parameters(H=3, d_k=2, d_v=2),
        3,
        mask,
        mask_by_sentence=np.broadcast_to(with_heads, (2, 3, 5, 5)),
    )


def test_one_sentence_is_a_batch_of_one():
    X, p = np.random.default_rng(1).normal(size=(5, 6)), heads_parameters()
    for one, batch in zip(
        multi_head_attention(X, n_heads=2, mask=causal_mask(5), **p),
        multi_head_attention(X[None], n_heads=2, mask=causal_mask(5), **p),
        strict=True,
    ):
        np.testing.assert_array_equal(one, batch[0])


def test_missing_biases_are_zero():
    X, p = np.random.default_rng(1).normal(size=(5, 6)), heads_parameters()
    zero = {name: 0 * value if name.startswith("b_") else value for name, value in p.items()}
    matrices = {name: value for name, value in p.items() if name.startswith("W_")}
    np.testing.assert_array_equal(
        multi_head_attention(X, n_heads=2, **zero)[0],
        multi_head_attention(X, n_heads=2, **matrices)[0],
    )


# Blocks


@pytest.mark.parametrize("block_size", [1, 2, 3, 5, 7, 128])
@pytest.mark.parametrize(
    "mask",
    [
        None,
        causal_mask(5, 7),
        np.arange(7) < 4,
        np.random.default_rng(0).normal(size=(5, 7)),
        np.random.default_rng(1).random((2, 1, 5, 7)) < 0.5,
        padding_mask([3, 7], 7)[:, None],
    ],
    ids=["none", "causal", "one row", "float", "batch", "padding"],
)
def test_blockwise_equals_dense(block_size, mask):
    Q, K, V = qkv(leading=(2, 3))
    np.testing.assert_allclose(
        blockwise_attention(Q, K, V, mask, block_size=block_size),
        scaled_dot_product_attention(Q, K, V, mask)[0],
        atol=1e-12,
    )


@pytest.mark.parametrize("which", [0, 1, 2])
def test_blockwise_broadcasts_leading_axes_like_dense(which):
    given = list(qkv())
    given[which] = np.stack([given[which], -given[which]])
    np.testing.assert_allclose(
        blockwise_attention(*given, block_size=2), scaled_dot_product_attention(*given)[0]
    )


def test_no_table_of_weights_has_more_rows_than_a_block_and_no_row_is_computed_twice(monkeypatch):
    rows, weights = [], attention._weights
    monkeypatch.setattr(
        attention, "_weights", lambda Q, *rest: rows.append(Q.shape[-2]) or weights(Q, *rest)
    )
    blockwise_attention(*qkv(T_q=5), block_size=2)
    blockwise_attention(*qkv(T_q=300))
    assert rows == [2, 2, 1, 128, 128, 44]


def test_keys_behind_the_last_that_a_block_may_see_are_left_out(monkeypatch):
    """Under a causal mask block i of the queries meets the keys of the first i blocks only."""
    sizes, weights = [], attention._weights
    spy = lambda Q, K, *rest: sizes.append((Q.shape[-2], K.shape[-2])) or weights(Q, K, *rest)  # noqa: E731
    monkeypatch.setattr(attention, "_weights", spy)
    Q, K, V = qkv(T_q=6, T_kv=6, leading=(2,))
    blockwise_attention(Q, K, V, causal_mask(6), block_size=2)
    assert sizes == [(2, 2), (2, 4), (2, 6)]
    sizes.clear()
    shown = np.array([[[0, 1, 0, 0, 0, 0]], [[0, 0, 0, 1, 0, 0]]], dtype=bool)
    blockwise_attention(Q, K, V, shown, block_size=4)
    blockwise_attention(Q, K, V, np.where(shown, 1.0, -np.inf), block_size=4)
    blockwise_attention(Q, K, V, ~shown & shown, block_size=6)
    assert sizes == [(4, 4), (2, 4)] * 2 + [(6, 0)]


# Dtypes, inputs, NaN


def every_result(dtype):
    """All that the public functions compute from arrays of one dtype."""
    Q, K, V = qkv(dtype=dtype)
    X = qkv(T_q=4, d_k=6, dtype=dtype)[0]
    p = {name: value.astype(dtype) for name, value in heads_parameters().items()}
    bias = np.zeros((5, 7))
    return {
        "softmax": softmax(Q),
        "attention_scores": attention_scores(Q, K),
        "given scale": attention_scores(Q, K, scale=np.float64(0.5)),
        "output": scaled_dot_product_attention(Q, K, V)[0],
        "weights": scaled_dot_product_attention(Q, K, V)[1],
        "bool mask": scaled_dot_product_attention(Q, K, V, causal_mask(5, 7))[0],
        "float64 mask": scaled_dot_product_attention(Q, K, V, bias)[0],
        "softcap": scaled_dot_product_attention(Q, K, V, softcap=5.0)[0],
        "softcap of NumPy": scaled_dot_product_attention(Q, K, V, softcap=np.float64(5))[0],
        "blocks": blockwise_attention(Q, K, V, bias),
        "split": split_heads(X, 2),
        "merge": merge_heads(split_heads(X, 2)),
        "heads": multi_head_attention(X, n_heads=2, **p)[0],
        "weights of heads": multi_head_attention(X, n_heads=2, **p)[1],
    }


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_dtype_that_comes_in_goes_out(dtype):
    assert {name: str(value.dtype) for name, value in every_result(dtype).items()} == {
        name: np.dtype(dtype).name for name in every_result(dtype)
    }


@pytest.mark.parametrize("wide", [0, 1, 2])
def test_of_several_dtypes_the_widest_goes_out(wide):
    given = [x.astype(np.float32 if i == wide else np.float16) for i, x in enumerate(qkv())]
    scores = np.float16 if wide == 2 else np.float32
    assert attention_scores(*given[:2]).dtype == scores
    assert [x.dtype for x in scaled_dot_product_attention(*given)] == [np.float32, scores]
    assert blockwise_attention(*given).dtype == np.float32


@pytest.mark.parametrize("dtype", [int, np.uint8, bool])
def test_whole_numbers_become_float64(dtype):
    assert {str(value.dtype) for value in every_result(dtype).values()} == {"float64"}


def test_whole_numbers_count_like_their_floats():
    table = [[3, 1, 2], [0, 0, 5]]
    x = np.array(table, dtype=float)
    np.testing.assert_array_equal(softmax(table), softmax(x))
    np.testing.assert_array_equal(
        scaled_dot_product_attention(table, table, table)[0],
        scaled_dot_product_attention(x, x, x)[0],
    )


def test_half_precision_survives_large_scores_and_masks():
    Q, K, V = qkv(dtype=np.float16)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        output, weights = scaled_dot_product_attention(30 * Q, 30 * K, V, causal_mask(5, 7))
    assert np.isfinite(output).all()
    np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=1e-2)


def test_half_precision_survives_scores_that_it_cannot_hold():
    Q, K, V = qkv(dtype=np.float16)
    Q, K = 300 * Q, 300 * K
    assert np.abs(Q.astype(float) @ K.T.astype(float) / 2).max() > np.finfo(np.float16).max
    wide = scaled_dot_product_attention(*(a.astype(float) for a in (Q, K, V)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        results = [
            *scaled_dot_product_attention(Q, K, V),
            blockwise_attention(Q, K, V, block_size=2),
        ]
    for found, wanted in zip(results, [*wide, wide[0]], strict=True):
        assert found.dtype == np.float16
        np.testing.assert_allclose(found, wanted, atol=2e-3)


def test_half_precision_averages_over_more_keys_than_it_can_count():
    V = np.ones((70_000, 1), dtype=np.float16)
    output = scaled_dot_product_attention(V[:1], V, V)[0]
    assert output.tolist() == [[1]]


def test_inputs_are_never_changed():
    Q, K, V = qkv(T_q=6, T_kv=6, d_k=6, d_v=6)
    mask, bias, p, lengths = (
        causal_mask(6),
        np.random.default_rng(0).normal(size=(6, 6)),
        heads_parameters(),
        np.array([1, 2]),
    )
    everything = [Q, K, V, mask, bias, lengths, *p.values()]
    before = [a.copy() for a in everything]
    for array in everything:
        array.flags.writeable = False
    softmax(Q)
    attention_scores(Q, K, scale=1)
    for m in (None, mask, bias):
        scaled_dot_product_attention(Q, K, V, m, softcap=2)
        blockwise_attention(Q, K, V, m, scale=1, block_size=4)
        multi_head_attention(Q, n_heads=2, mask=m, context=K, **p)
    padding_mask(lengths, 3)
    assert all(np.array_equal(a, b) for a, b in zip(everything, before, strict=True))


def test_softmax_gives_back_a_new_array():
    x = np.zeros((2, 3))
    assert not np.shares_memory(softmax(x), x)


@pytest.mark.parametrize(
    "function",
    [
        lambda *a: scaled_dot_product_attention(*a)[0],
        lambda *a: blockwise_attention(*a, block_size=2),
    ],
    ids=["dense", "blockwise"],
)
def test_nan_in_gives_nan_out(function):
    Q, K, V = qkv()
    Q[1, 0] = np.nan
    assert np.isnan(function(Q, K, V)).all(axis=1).tolist() == [False, True, False, False, False]
    Q, K, V = qkv()
    K[2, 0] = np.nan
    assert np.isnan(function(Q, K, V)).all()
    Q, K, V = qkv()
    V[2, 1] = np.nan
    assert np.isnan(function(Q, K, V)).any(axis=0).tolist() == [False, True, False]


# What does not fit is refused: which argument, what came, what fits.

Q, K, V = qkv()
X, P = np.zeros((5, 6)), heads_parameters()
RAGGED = [[1.0, 2.0], [3.0]]


def heads(**changed):
    arguments = {"X": X, "n_heads": 2, **P, **changed}
    return lambda: multi_head_attention(**arguments)


REFUSED = [  # call, the argument's name, a piece of what came, a piece of what fits
    (lambda: softmax(3.0), "x", "a single number", "row of scores"),
    (lambda: softmax(RAGGED), "x", "different lengths", "array of numbers"),
    (lambda: softmax("scores"), "x", "dtype <U6", "real numbers"),
    (lambda: softmax(None), "x", "dtype object", "real numbers"),
    (lambda: softmax([1j, 2.0]), "x", "dtype complex128", "real numbers"),
    (lambda: softmax(Q, axis=2), "axis", "2", "from -2 to 1 for x of shape (5, 4)"),
    (lambda: softmax(Q, axis=-3), "axis", "-3", "from -2 to 1"),
    (lambda: softmax(Q, axis=1.0), "axis", "1.0", "whole number"),
    (lambda: softmax(Q, axis=None), "axis", "None", "whole number"),
    (lambda: softmax(Q, axis=(0, 1)), "axis", "(0, 1)", "whole number"),
    (lambda: softmax(Q, axis=True), "axis", "True", "whole number"),
    (lambda: attention_scores(Q[0], K), "Q", "shape (4,)", "(..., T, d)"),
    (lambda: attention_scores(Q, 1.0), "K", "shape ()", "(..., T, d)"),
    (lambda: attention_scores(Q, K[:, :3]), "K", "shape (7, 3)", "(..., T_kv, 4)"),
    (lambda: attention_scores(Q, None), "K", "dtype object", "real numbers"),
    (lambda: attention_scores(RAGGED, K), "Q", "different lengths", "array of numbers"),
    (
        lambda: attention_scores(np.zeros((2, 5, 4)), np.zeros((3, 7, 4))),
        "K",
        "shape (3, 7, 4)",
        "leading axes as Q (2, 5, 4)",
    ),
    (lambda: attention_scores(Q, K, scale="half"), "scale", "'half'", "number"),
    (lambda: attention_scores(Q, K, scale="0.5"), "scale", "'0.5'", "number"),
    (lambda: attention_scores(Q, K, scale=[1.0, 2.0]), "scale", "[1.0, 2.0]", "number"),
    (lambda: attention_scores(Q, K, scale=1j), "scale", "1j", "number"),
    (lambda: attention_scores(Q, K, scale=np.ones((5, 1))), "scale", "array", "number"),
    (lambda: scaled_dot_product_attention(Q, K, V[:6]), "V", "shape (6, 3)", "(..., 7, d_v)"),
    (lambda: scaled_dot_product_attention(Q, K, V[:, 0]), "V", "shape (7,)", "(..., T, d)"),
    (lambda: scaled_dot_product_attention(Q, K, "values"), "V", "dtype <U6", "real numbers"),
    (lambda: scaled_dot_product_attention(Q + 0j, K, V), "Q", "dtype complex128", "real numbers"),
    (
        lambda: scaled_dot_product_attention(*qkv(leading=(2,))[:2], qkv(leading=(3,))[2]),
        "V",
        "shape (3, 7, 3)",
        "leading axes",
    ),
    (
        lambda: scaled_dot_product_attention(Q, K, V, np.ones((5, 7), dtype=int)),
        "mask",
        "dtype int64",
        "bool (True = may attend) or float",
    ),
    (lambda: scaled_dot_product_attention(Q, K, V, "causal"), "mask", "dtype <U6", "bool"),
    (
        lambda: scaled_dot_product_attention(Q, K, V, [[True], [True, False]]),
        "mask",
        "different lengths",
        "bool",
    ),
    (
        lambda: scaled_dot_product_attention(Q, K, V, causal_mask(7)),
        "mask",
        "shape (7, 7)",
        "(5, 7)",
    ),
    (
        lambda: scaled_dot_product_attention(Q, K, V, causal_mask(5, 7).T),
        "mask",
        "shape (7, 5)",
        "(5, 7)",
    ),
    (
        lambda: scaled_dot_product_attention(Q, K, V, np.ones((2, 5, 7), dtype=bool)),
        "mask",
        "shape (2, 5, 7)",
        "(5, 7)",
    ),
    (lambda: scaled_dot_product_attention(Q, K, V, scale="half"), "scale", "'half'", "number"),
    (lambda: scaled_dot_product_attention(Q, K, V, softcap=0), "softcap", "0", "above 0"),
    (lambda: scaled_dot_product_attention(Q, K, V, softcap=-1.0), "softcap", "-1.0", "above 0"),
    (lambda: scaled_dot_product_attention(Q, K, V, softcap=np.nan), "softcap", "nan", "above 0"),
    (lambda: scaled_dot_product_attention(Q, K, V, softcap="50"), "softcap", "'50'", "above 0"),
    (
        lambda: scaled_dot_product_attention(Q, K, V, softcap=[1.0, 2.0]),
        "softcap",
        "[1.0, 2.0]",
        "above 0",
    ),
    (lambda: blockwise_attention(Q, K[:, :3], V), "K", "shape (7, 3)", "(..., T_kv, 4)"),
    (
        lambda: blockwise_attention(Q, K, V, np.ones((5, 7), dtype=int)),
        "mask",
        "dtype int64",
        "bool",
    ),
    (lambda: blockwise_attention(Q, K, V, causal_mask(6, 7)), "mask", "shape (6, 7)", "(5, 7)"),
    (lambda: blockwise_attention(Q, K, V, scale="half"), "scale", "'half'", "number"),
    (lambda: blockwise_attention(Q, K, V, block_size=0), "block_size", "0", "at least 1"),
    (lambda: blockwise_attention(Q, K, V, block_size=2.0), "block_size", "2.0", "whole number"),
    (lambda: blockwise_attention(Q, K, V, block_size=True), "block_size", "True", "whole number"),
    (lambda: causal_mask(0), "T_q", "0", "at least 1"),
    (lambda: causal_mask(-3), "T_q", "-3", "at least 1"),
    (lambda: causal_mask(2.5), "T_q", "2.5", "whole number"),
    (lambda: causal_mask("4"), "T_q", "'4'", "whole number"),
    (lambda: causal_mask(True), "T_q", "True", "whole number"),
    (lambda: causal_mask(np.zeros((4, 4))), "T_q", "array", "whole number"),
    (lambda: causal_mask(4, 3), "T_kv", "3", "at least T_q = 4"),
    (lambda: causal_mask(4, "6"), "T_kv", "'6'", "whole number"),
    (lambda: padding_mask([2, 5], 4), "lengths", "[2, 5]", "from 0 to T = 4"),
    (lambda: padding_mask([2, -1], 4), "lengths", "[ 2, -1]", "from 0 to T = 4"),
    (lambda: padding_mask([1.5], 4), "lengths", "[1.5]", "whole numbers"),
    (lambda: padding_mask(3, 4), "lengths", "3", "a list of whole numbers"),
    (lambda: padding_mask([[1, 2]], 4), "lengths", "[[1, 2]]", "a list of whole numbers"),
    (
        lambda: padding_mask([[1], [1, 2]], 4),
        "lengths",
        "different lengths",
        "a list of whole numbers",
    ),
    (lambda: padding_mask([True, False], 4), "lengths", "True", "whole numbers"),
    (lambda: padding_mask("23", 4), "lengths", "'23'", "whole numbers"),
    (lambda: padding_mask(None, 4), "lengths", "None", "whole numbers"),
    (lambda: padding_mask([1], 0), "T", "0", "at least 1"),
    (lambda: padding_mask([1], None), "T", "None", "whole number"),
    (lambda: split_heads(X, 4), "n_heads", "4", "divisor of the 6 features of X (5, 6)"),
    (lambda: split_heads(X, 0), "n_heads", "0", "at least 1"),
    (lambda: split_heads(X, 2.0), "n_heads", "2.0", "whole number"),
    (lambda: split_heads(X, True), "n_heads", "True", "whole number"),
    (lambda: split_heads(X[0], 2), "X", "shape (6,)", "(..., T, d)"),
    (lambda: split_heads(RAGGED, 2), "X", "different lengths", "array of numbers"),
    (lambda: merge_heads(X), "X", "shape (5, 6)", "(..., H, T, d)"),
    (lambda: merge_heads("heads"), "X", "dtype <U5", "real numbers"),
    (heads(X=X[0]), "X", "shape (6,)", "(..., T, d)"),
    (heads(X=None), "X", "dtype object", "real numbers"),
    (
        heads(W_Q=P["W_Q"][:5]),
        "W_Q",
        "shape (5, 6)",
        "(6, ...): a row for each feature of X (5, 6)",
    ),
    (heads(W_K=P["W_K"][0]), "W_K", "shape (6,)", "(6, ...)"),
    (heads(W_V=np.zeros((1, 6, 6))), "W_V", "shape (1, 6, 6)", "(6, ...)"),
    (heads(W_V="values"), "W_V", "dtype <U6", "real numbers"),
    (heads(W_V=None), "W_V", "dtype object", "real numbers"),
    (heads(W_Q=RAGGED), "W_Q", "different lengths", "array of numbers"),
    (heads(W_K=P["W_K"][:, :4], b_K=None), "W_K", "shape (6, 4)", "6 columns"),
    (heads(W_O=P["W_O"][:4]), "W_O", "shape (4, 6)", "(6, ...)"),
    (heads(b_Q=np.zeros(5)), "b_Q", "shape (5,)", "(6,): a number for each column of W_Q"),
    (heads(b_O=np.zeros((1, 6))), "b_O", "shape (1, 6)", "(6,)"),
    (heads(b_V="bias"), "b_V", "dtype <U4", "real numbers"),
    (heads(n_heads=4), "n_heads", "4", "divisor of the 6 columns of W_Q (6, 6)"),
    (heads(n_heads=0), "n_heads", "0", "at least 1"),
    (heads(n_heads=False), "n_heads", "False", "whole number"),
    (
        heads(context=np.zeros((3, 4))),
        "W_K",
        "shape (6, 6)",
        "(4, ...): a row for each feature of context (3, 4)",
    ),
    (heads(context=np.zeros(6)), "context", "shape (6,)", "(..., T, d)"),
    (
        heads(X=np.zeros((2, 5, 6)), context=np.zeros((3, 5, 6))),
        "context",
        "shape (3, 5, 6)",
        "leading axes as X (2, 5, 6)",
    ),
    (heads(mask=np.ones((5, 5), dtype=int)), "mask", "dtype int64", "bool"),
    (heads(mask=causal_mask(4)), "mask", "shape (4, 4)", "(2, 5, 5)"),
    (heads(mask=[[True], [True, False]]), "mask", "different lengths", "bool"),
]


@pytest.mark.parametrize(
    ("call", "argument", "got", "wanted"),
    REFUSED,
    ids=[f"{i}-{name}" for i, (_, name, *_) in enumerate(REFUSED)],
)
def test_what_does_not_fit_is_refused_by_name(call, argument, got, wanted):
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        call()
    name, _, rest = str(caught.value).partition(": got ")
    came, _, fits = rest.partition(", wanted ")
    assert name == argument
    assert got in came
    assert wanted in fits


# Shared heads and windows.


@given(
    seeds,
    st.sampled_from([(8, 8), (8, 4), (8, 2), (8, 1), (6, 3), (1, 1)]),
    st.sampled_from(["none", "table", "of each head", "added"]),
    st.sampled_from([None, 0.5]),
)
def test_shared_heads_are_heads_whose_keys_and_values_are_copied(seed, heads, kind, softcap):
    rng = np.random.default_rng(seed)
    H, H_kv = heads
    Q, K, V = (
        rng.normal(size=(2, H, 4, 3)),
        rng.normal(size=(2, H_kv, 5, 3)),
        rng.normal(size=(2, H_kv, 5, 2)),
    )
    masks = {
        "table": rng.random((4, 5)) < 0.7,
        "of each head": rng.random((2, H, 4, 5)) < 0.7,
        "added": rng.normal(size=(H, 4, 5)),
    }
    mask = masks.get(kind)
    ours = grouped_query_attention(Q, K, V, mask, scale=0.3, softcap=softcap)
    copied = (np.repeat(x, H // H_kv, axis=1) for x in (K, V))
    for a, b in zip(
        ours,
        scaled_dot_product_attention(Q, *copied, mask, scale=0.3, softcap=softcap),
        strict=True,
    ):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


def test_shared_heads_work_without_leading_axes_and_keep_half_precision():
    Q, K = np.ones((4, 3, 2), dtype=np.float16), np.ones((2, 3, 2), dtype=np.float16)
    output, weights = grouped_query_attention(Q, K, K, causal_mask(3))
    assert (output.shape, weights.shape, output.dtype) == ((4, 3, 2), (4, 3, 3), np.float16)


@pytest.mark.parametrize(
    ("Q", "K", "V", "mask", "name"),
    [
        ((4, 3, 2), (3, 3, 2), (3, 3, 2), None, "K"),
        ((4, 3, 2), (0, 3, 2), (0, 3, 2), None, "K"),
        ((4, 3, 2), (2, 3, 2), (1, 3, 2), None, "V"),
        ((4, 3, 2), (2, 3, 2), (2, 3, 2), (2, 3, 3), "mask"),
        ((3, 2), (2, 3, 2), (2, 3, 2), None, "Q"),
        ((4, 3, 2), (2, 3, 5), (2, 3, 2), None, "K"),
    ],
)
def test_heads_that_cannot_be_shared_are_refused_by_name(Q, K, V, mask, name):
    with pytest.raises(ValueError, match=f"^{name}: got "):
        grouped_query_attention(
            np.ones(Q), np.ones(K), np.ones(V), mask if mask is None else np.ones(mask, dtype=bool)
        )


@given(sizes, sizes, st.integers(0, 4))
def test_a_window_shows_itself_and_what_stands_right_before(T_q, window, earlier):
    mask = sliding_window_mask(T_q, window, T_q + earlier)
    for i, row in enumerate(mask):
        assert np.flatnonzero(row).tolist() == list(
            range(max(0, i + earlier - window + 1), i + earlier + 1)
        )


@given(sizes, st.integers(0, 4))
def test_a_window_as_long_as_the_text_is_the_causal_mask(T_q, earlier):
    np.testing.assert_array_equal(
        sliding_window_mask(T_q, T_q + earlier, T_q + earlier), causal_mask(T_q, T_q + earlier)
    )
    np.testing.assert_array_equal(sliding_window_mask(T_q, 2), sliding_window_mask(T_q, 2, T_q))


@pytest.mark.parametrize("arguments", [(3, 0), (3, 2.0), (0, 2), (3, 2, 2)])
def test_a_window_of_nothing_is_refused(arguments):
    with pytest.raises(ValueError, match="got .*wanted"):
        sliding_window_mask(*arguments)
