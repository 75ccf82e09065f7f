"""The claims on masking, several heads, norms and the block, measured here once more, apart from the notebooks.

The id in a test's name is the claim's id in the notebooks: **Claim C1** there is test_C1_... here.
"""


import itertools

import numpy as np
import pytest
from helpers import normal

from course_utils.attention import (
    causal_mask,
    multi_head_attention,
    scaled_dot_product_attention,
    softmax,
    split_heads,
)
from course_utils.data import embed
from course_utils.data.chain import CHAIN, PROMPT, STEPS, VOCABULARY, next_log_probs, text
from course_utils.decoding import beam_search, greedy, sample
from course_utils.layers import batch_norm, feed_forward, gelu, layer_norm, relu, rms_norm, transformer_block
from course_utils.models.training import Adam, new_stack, stack_loss

# What the cases decide; the notebooks must say the same.
VERDICTS = {
    "D1": "fails", "D2": "fails", "D3": "depends",
    "E1": "depends", "E2": "depends", "E3": "depends", "E4": "depends", "E5": "depends",
    "F1": "holds", "F2": "holds", "F3": "depends", "F4": "depends", "F5": "depends",
    "F6": "fails", "F7": "fails", "F8": "depends", "F9": "depends", "F10": "depends", "F11": "holds",
}


# Masking

def test_D1_position_8_receives_from_1_to_8():
    weights = scaled_dot_product_attention(normal(10, 4), normal(10, 4, seed=1), normal(10, 4), causal_mask(10))[1]
    assert np.nonzero(weights[7])[0].tolist() == list(range(8))
    strict = causal_mask(4) & ~np.eye(4, dtype=bool)
    assert strict.sum(axis=1).tolist() == [0, 1, 2, 3]
    hidden = np.where(strict, 1.0, -np.inf)
    with np.errstate(invalid="ignore", divide="ignore"):
        e = np.exp(hidden)
        naive = e / e.sum(axis=1, keepdims=True)
    assert np.isnan(naive).any(axis=1).tolist() == [True, False, False, False]


def test_D2_zeroed_weights_leak_and_do_not_sum_to_one():
    mask = causal_mask(4)
    def both(tokens):
        X = embed(tokens)
        return softmax(X @ X.T) * mask, scaled_dot_product_attention(X, X, X, mask, scale=1)[1]
    zeroed, hidden = both(["bears", "won", "the", "game"])
    zeroed_changed, hidden_changed = both(["bears", "won", "the", "pain"])
    assert zeroed[0].sum() < 0.5
    assert np.abs(zeroed - zeroed_changed)[:3].max() > 0.1
    assert np.abs(hidden - hidden_changed)[:3].max() == 0
    np.testing.assert_allclose(zeroed / zeroed.sum(axis=1, keepdims=True), hidden)


def test_D3_a_large_negative_number_depends_on_dtype_size_and_row():
    scores, mask = normal(4, 4), causal_mask(4)
    np.testing.assert_array_equal(softmax(np.where(mask, scores, -1e9)), softmax(np.where(mask, scores, -np.inf)))
    with np.errstate(over="ignore", invalid="ignore"):
        half = np.float16(-1e9)
        assert np.isneginf(half)
        assert np.isnan(np.float16(0) * half)
    large = softmax(np.array([-2e9, -1e9]))                     # the visible score is smaller than "minus infinity"
    assert large.tolist() == [0, 1]
    nothing = np.full(4, -1e9)
    assert softmax(nothing).tolist() == [0.25] * 4              # all that must not be seen, in equal shares
    assert softmax(np.full(4, -np.inf)).tolist() == [0] * 4


# Several heads.

def heads(H, D, d_k, d_v, seed=0, T=5):
    rng = np.random.default_rng(seed)
    return tuple(rng.normal(size=shape) for shape in [(T, D), (D, H * d_k), (D, H * d_k), (D, H * d_v), (H * d_v, D)])


def test_E1_the_mixing_matrix_has_a_row_for_each_feature_of_the_heads():
    X, *W = heads(H=2, D=8, d_k=3, d_v=5)
    assert W[-1].shape == (10, 8) != (8, 8)
    assert multi_head_attention(X, *W, 2)[0].shape == X.shape
    with pytest.raises(ValueError, match="W_O"):
        multi_head_attention(X, *W[:-1], np.zeros((8, 8)), 2)
    X, *W = heads(H=2, D=8, d_k=4, d_v=4)
    assert W[-1].shape == (8, 8)


def test_E2_the_rows_of_W_O_follow_d_v_not_d_k():
    X, *W = heads(H=2, D=8, d_k=3, d_v=5)
    with pytest.raises(ValueError, match="W_O"):
        multi_head_attention(X, *W[:-1], np.zeros((2 * 3, 8)), 2)
    assert multi_head_attention(X, *W[:-1], np.zeros((2 * 5, 8)), 2)[0].shape == (5, 8)


def test_E3_each_head_is_combined_by_a_matrix_not_by_a_number():
    X, W_Q, W_K, W_V, W_O = heads(H=2, D=8, d_k=4, d_v=8)
    Q, K, V = (split_heads(X @ W, 2) for W in (W_Q, W_K, W_V))
    each = scaled_dot_product_attention(Q, K, V)[0]
    output = multi_head_attention(X, W_Q, W_K, W_V, W_O, 2)[0]
    np.testing.assert_allclose(output, each[0] @ W_O[:8] + each[1] @ W_O[8:])
    numbers = np.linalg.lstsq(each.reshape(2, -1).T, output.ravel())[0]
    assert np.linalg.norm(output - np.tensordot(numbers, each, 1)) > 0.5 * np.linalg.norm(output)


def test_E4_heads_must_divide_the_width():
    assert split_heads(np.zeros((2, 12)), 3).shape == (3, 2, 4)
    with pytest.raises(ValueError, match="n_heads"):
        split_heads(np.zeros((2, 10)), 3)


def test_E5_nothing_makes_heads_differ():
    X, *W = heads(H=2, D=8, d_k=4, d_v=4)
    twins = [np.hstack([w[:, :4]] * 2) for w in W[:3]]
    weights = multi_head_attention(X, *twins, W[-1], 2)[1]
    np.testing.assert_array_equal(weights[0], weights[1])
    different = multi_head_attention(X, *W, 2)[1]
    assert np.abs(different[0] - different[1]).max() > 0.1
    single = scaled_dot_product_attention(X @ W[0], X @ W[1], X @ W[2])[0] @ W[3]
    np.testing.assert_allclose(multi_head_attention(X, *W, 1)[0], single)
    for H in (1, 2, 4):
        assert sum(w.size for w in heads(H, 8, 8 // H, 8 // H)[1:]) == 4 * 8 * 8


# Norms.

def of_each_kind(n, D=8):
    """Tokens whose features have means and spreads of their own."""
    return normal(n, D) * np.linspace(0.5, 3, D) + np.linspace(-2, 2, D)


@pytest.mark.parametrize("gamma_beta", [(None, None), (normal(8), normal(8, seed=1))])
def test_F1_a_batch_of_one_gives_beta_whatever_comes_in(gamma_beta):
    gamma, beta = gamma_beta
    for row in of_each_kind(20):
        np.testing.assert_array_equal(batch_norm(row[None], gamma, beta)[0], np.zeros(8) if beta is None else beta)


def test_F1_batches_of_two_leave_signs_and_running_statistics_or_large_batches_mend_it():
    data = of_each_kind(20_000)
    truth = (data - data.mean(axis=0)) / data.std(axis=0)
    def off(B):
        return np.sqrt(np.mean((np.concatenate([batch_norm(b) for b in data[:1024].reshape(-1, B, 8)]) - truth[:1024]) ** 2))
    two = batch_norm(data[:2])
    np.testing.assert_allclose(np.abs(two), 1, atol=0.02)
    errors = [off(B) for B in (1, 2, 4, 16, 64, 256)]
    assert errors == sorted(errors, reverse=True)
    assert errors[1] > 0.8
    assert errors[-1] < 0.1
    mean, variance = np.zeros(8), np.ones(8)
    for b in data[:12800].reshape(200, 64, 8):
        mean, variance = 0.9 * mean + 0.1 * b.mean(axis=0), 0.9 * variance + 0.1 * b.var(axis=0)
    assert np.sqrt(np.mean(((data[:1] - mean) / np.sqrt(variance) - truth[:1]) ** 2)) < 0.1


def test_F1_padding_harms_a_batch_of_any_size():
    data = of_each_kind(512)
    clean, padded = batch_norm(data), batch_norm(np.vstack([data, np.zeros((1536, 8))]))[:512]
    assert np.sqrt(np.mean((clean - padded) ** 2)) > 0.5


def test_F2_each_token_alone_whatever_else_is_in_the_batch():
    token, crowd = normal(8), 100 * normal(1000, 8, seed=1)
    alone = layer_norm(token[None])
    np.testing.assert_array_equal(layer_norm(np.vstack([token, crowd]))[:1], alone)
    assert alone.std() == pytest.approx(1, abs=1e-4)
    assert (batch_norm(np.vstack([token, crowd]))[:1] != batch_norm(token[None])).all()


def test_F3_rms_norm_of_the_centred_token_is_layer_norm_and_of_others_it_is_not():
    X = normal(50, 16) + normal(50, 1, seed=1)
    gamma = normal(16, seed=2)
    centred = X - X.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(rms_norm(centred, gamma), layer_norm(X, gamma))
    difference = np.abs(rms_norm(X) - layer_norm(X)).max(axis=1)
    assert difference.min() > 0
    assert np.corrcoef(difference, np.abs(X.mean(axis=1)))[0, 1] > 0.8             # the further the mean from 0, the more
    np.testing.assert_allclose(layer_norm(X + 5), layer_norm(X), atol=1e-4)
    assert np.abs(rms_norm(X + 5) - rms_norm(X)).max(axis=1).min() > 0.1


def test_F4_as_written_a_constant_row_is_nan_and_eps_under_the_root_mends_it():
    row = np.full(4, 3.0)
    with np.errstate(invalid="ignore"):
        assert np.isnan((row - row.mean()) / row.std()).all()
    np.testing.assert_array_equal(layer_norm(row, normal(4), normal(4, seed=1)), normal(4, seed=1))
    almost = 3 + 1e-4 * np.array([1.0, -1.0, 1.0, -1.0])
    assert np.abs(layer_norm(almost)).max() < 0.05
    assert np.abs((almost - almost.mean()) / (almost.std() + 1e-5)).max() > 0.9


def test_F4_statistics_are_each_rows_own_and_the_variance_is_the_biased_one():
    X = of_each_kind(40)
    y = layer_norm(X, eps=0)
    np.testing.assert_allclose(y.mean(axis=1), 0, atol=1e-12)
    np.testing.assert_allclose((y**2).mean(axis=1), 1)
    assert not np.allclose(y, (X - X.mean()) / X.std(), atol=0.1)
    assert not np.allclose(y, (X - X.mean(axis=1, keepdims=True)) / X.std(axis=1, ddof=1, keepdims=True), atol=0.01)


WORDS, ANSWERS = normal(20, 64, seed=1), np.random.default_rng(1).permutation(20)


def batch(rng, n):
    i = rng.integers(20, size=n)
    return WORDS[i] + 0.5 * rng.normal(size=(n, 64)), ANSWERS[i]


def final_loss(place, learning_rate, seed):
    rng, losses = np.random.default_rng(seed), []
    W = new_stack(rng, 12, 64, 20)
    adam = Adam(W)
    for _ in range(80):
        loss, gradients = stack_loss(*batch(rng, 32), W, place)
        adam.step(gradients, learning_rate)
        losses.append(loss)
    return np.mean(losses[-10:])


def test_F5_gradients_vanish_in_neither_at_the_start():
    for seed in range(3):
        rng = np.random.default_rng(seed)
        (X, answer), W = batch(rng, 128), new_stack(rng, 32, 64, 20)
        for place in ("pre", "post"):
            sizes = [np.linalg.norm(g) for g in stack_loss(X, answer, W, place)[1][:-1:2]]
            assert max(sizes) / min(sizes) < 6


def test_F5_post_norm_learns_with_small_steps_only_and_pre_norm_with_both():
    for seed in range(2):
        assert final_loss("pre", 0.01, seed) < 0.05
        assert final_loss("post", 0.01, seed) > 2.5
        assert final_loss("post", 0.001, seed) < 0.1


# The block.

def params(D=8, seed=0):
    rng = np.random.default_rng(seed)
    shapes = {"W_Q": (D, D), "W_K": (D, D), "W_V": (D, D), "W_O": (D, D), "W_1": (D, 4 * D), "W_2": (4 * D, D)}
    matrices = {name: rng.normal(size=s) / np.sqrt(s[0]) for name, s in shapes.items()}
    return matrices | {"b_1": rng.normal(size=4 * D), "b_2": rng.normal(size=D)}


def attend(X, p):
    return multi_head_attention(X, p["W_Q"], p["W_K"], p["W_V"], p["W_O"], 2)[0]


def think(X, p, activation=relu):
    return feed_forward(X, p["W_1"], p["b_1"], p["W_2"], p["b_2"], activation)


def test_F6_the_skip_carries_x_itself_and_from_the_norm_on_tokens_get_lost():
    p, X = params(), normal(5, 8)
    X[3] = 2 * X[1] + 7                                              # another token, the same after a norm
    np.testing.assert_allclose(layer_norm(X)[3], layer_norm(X)[1], atol=1e-4)
    diagram = layer_norm(X) + attend(layer_norm(X), p)
    Z = X + attend(layer_norm(X), p)
    np.testing.assert_allclose(diagram[3], diagram[1], atol=1e-4)
    np.testing.assert_allclose(Z[3] - Z[1], X[3] - X[1], atol=1e-4)
    np.testing.assert_allclose(transformer_block(X, p, 2), Z + think(layer_norm(Z), p))
    silent = {**p, "W_O": 0 * p["W_O"], "W_2": 0 * p["W_2"], "b_2": 0 * p["b_2"]}
    np.testing.assert_array_equal(transformer_block(X, silent, 2), X)


def test_F6_a_pre_norm_stream_grows_and_only_a_last_norm_brings_it_back():
    streams = {"pre": [normal(6, 32)], "post": [normal(6, 32)]}
    for layer in range(12):
        for norm, stream in streams.items():
            stream.append(transformer_block(stream[-1], params(32, layer), 2, norm=norm))
    assert streams["pre"][-1].std() > 2 * streams["pre"][0].std()
    assert streams["post"][-1].std() == pytest.approx(1, abs=1e-3)
    assert layer_norm(streams["pre"][-1]).std() == pytest.approx(1, abs=1e-3)


def test_F7_attention_and_layer_norm_are_not_linear_and_attention_is_in_its_values():
    X, p = normal(5, 8), params()
    for f in (lambda X: attend(X, p), layer_norm):
        assert np.linalg.norm(f(2 * X) - 2 * f(X)) > 0.1 * np.linalg.norm(2 * f(X))
    A, V, other = multi_head_attention(X, p["W_Q"], p["W_K"], p["W_V"], p["W_O"], 1)[1][0], normal(5, 3, seed=1), normal(5, 3, seed=2)
    np.testing.assert_allclose(A @ (2 * V + other), 2 * (A @ V) + A @ other)


@pytest.mark.parametrize(("activation", "slope"), [(relu, lambda a: (a > 0) * 1.0), (np.tanh, lambda a: 1 - np.tanh(a) ** 2)])
def test_F8_a_gradient_is_input_times_slope_times_error_signal(activation, slope):
    x, W, target = normal(6), normal(6, 4, seed=1), normal(4, seed=2)
    def loss(W):
        return ((activation(x @ W) - target) ** 2).sum() / 2
    steps = 1e-6 * np.eye(24).reshape(24, 6, 4)
    gradient = np.array([(loss(W + s) - loss(W - s)) / 2e-6 for s in steps]).reshape(6, 4)
    factors = (activation(x @ W) - target) * slope(x @ W)
    np.testing.assert_allclose(gradient, np.outer(x, factors), atol=1e-6)
    assert np.ptp(factors) > 0.5                                     # so no common factor: not proportional to x alone


def test_F9_relu_is_not_linear_and_its_input_in_the_block_is_the_norms_output():
    p, X, Y = params(), normal(5, 8), normal(5, 8, seed=1)
    def bend(f):
        return np.abs(f(X + Y) - f(X) - f(Y) + f(0 * X)).max()
    assert bend(lambda X: X @ p["W_1"] + p["b_1"]) < 1e-12
    assert bend(lambda X: relu(X @ p["W_1"] + p["b_1"])) > 0.5
    Z = layer_norm(X + attend(X, p))
    block = transformer_block(X, p, 2, norm="post")
    np.testing.assert_allclose(block, layer_norm(Z + think(Z, p)))
    assert not np.allclose(block, layer_norm(Z + think(X, p)), atol=0.1)


def test_F9_encoder_and_decoder_are_made_of_the_same_parts():
    p, X, changed = params(), normal(5, 8), normal(5, 8)
    changed[-1] += 1
    def encoder(X):
        return transformer_block(X, p, 2, norm="post", activation=relu)
    def decoder(X):
        return transformer_block(X, p, 2, mask=causal_mask(5), norm="pre", activation=gelu)
    assert (encoder(X) != encoder(changed)).any(axis=1).all()
    assert (decoder(X) != decoder(changed)).any(axis=1).tolist() == [False] * 4 + [True]


def test_F10_published_models_are_far_from_32_layers():
    # Vaswani et al. 2017, Radford et al. 2019, Touvron et al. 2023, DeepSeek-AI 2024
    layers = {"original": 6, "GPT-2 small": 12, "LLaMA 7B": 32, "DeepSeek-V3": 61}
    assert sum(24 <= n <= 40 for n in layers.values()) == 1


TEXTS = {(VOCABULARY.index(a), VOCABULARY.index(b)): np.log(p * q) for a, p in CHAIN["bears"].items() for b, q in CHAIN[a].items()}


def test_F11_greedy_loses_to_a_beam_wide_enough_and_no_text_beats_that():
    assert sum(np.exp(list(TEXTS.values()))) == pytest.approx(1)
    def found(B):
        tokens, total = beam_search(next_log_probs, PROMPT, STEPS, B)[0]
        assert total == pytest.approx(TEXTS[tuple(tokens[1:])])
        return total
    taken = greedy(next_log_probs, PROMPT, STEPS)
    assert found(1) == pytest.approx(TEXTS[tuple(taken[1:])])
    assert found(1) < found(2) < found(3) == pytest.approx(max(TEXTS.values()))
    assert text(taken) == "bears won games"


def test_F11_sampling_is_the_third_way():
    rng = np.random.default_rng(0)
    drawn = [tuple(sample(next_log_probs, PROMPT, STEPS, rng=rng)[1:]) for _ in range(2000)]
    for words, log_p in TEXTS.items():
        assert drawn.count(words) / 2000 == pytest.approx(np.exp(log_p), abs=0.04)
    cold = [text(sample(next_log_probs, PROMPT, STEPS, 0.02, rng=rng)) for _ in range(200)]
    assert cold.count("bears won games") > 180


def test_F11_greedy_can_lose_on_random_chains_and_a_full_beam_never_does():
    lost = 0
    for seed in range(50):
        table = np.log(np.random.default_rng(seed).dirichlet(np.ones(4), size=5))
        def model(tokens, table=table):
            return table[tokens[-1]]
        best = max(sum(table[before, after] for before, after in itertools.pairwise((4, *words))) for words in itertools.product(range(4), repeat=3))
        totals = {B: beam_search(model, [4], 3, B)[0][1] for B in (1, 16)}
        assert totals[16] == pytest.approx(best)
        lost += totals[1] < best - 1e-9
    assert lost > 10
