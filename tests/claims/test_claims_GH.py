"""The claims on positions and experts, measured here once more, apart from the notebooks; and wrong measurements, planted in the notebooks' cells.

The id in a test's name is the claim's id in the notebooks: **Claim C1** there is test_C1_... here.
"""

import re

import numpy as np
import pytest
from helpers import cells, long, mostly, script, shown
from planting import card

from course_utils.attention import causal_mask, scaled_dot_product_attention, softmax
from course_utils.data import W_K, W_Q, W_V
from course_utils.data.starts import starts
from course_utils.experts import gaussian_responsibilities, mixture_of_experts, softmax_gate, top_k_gate
from course_utils.layers import feed_forward
from course_utils.models.expert_training import learn, slopes_agree
from course_utils.models.position_task import accuracy, train
from course_utils.positions import rotary_angles, rotary_embedding, sinusoidal_positional_encoding

make_starts = script("make_starts.py")

# What the cases decide; the notebooks must say the same.
VERDICTS = {
    "G1": "depends", "G2": "depends", "G3": "fails", "G4": "depends", "G5": "depends", "G6": "depends", "G7": "holds", "G8": "depends",
    "G9": "depends", "G10": "depends",
    "H1": "depends", "H2": "depends", "H3": "depends", "H4": "depends", "H5": "depends", "H6": "depends",
}


# Positions.

def self_attention_08(X, mask=None):
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V, mask)[0]


def test_G1_attention_is_equivariant_and_not_invariant_and_a_causal_mask_breaks_both():
    rng = np.random.default_rng(0)
    X, order = rng.normal(size=(9, 4)), rng.permutation(9)
    shuffled = self_attention_08(X[order])
    assert np.abs(shuffled - self_attention_08(X)[order]).max() < 1e-14
    assert np.abs(shuffled - self_attention_08(X)).max() > 0.1
    np.testing.assert_allclose(shuffled.mean(axis=0), self_attention_08(X).mean(axis=0))
    causal = self_attention_08(X, causal_mask(9))
    assert np.abs(self_attention_08(X[order], causal_mask(9)) - causal[order]).max() > 0.1
    assert np.abs(self_attention_08(X[order], causal_mask(9)).mean(axis=0) - causal.mean(axis=0)).max() > 0.01


def test_G1_a_causal_model_without_positions_learns_order_and_one_that_sees_a_bag_cannot():
    G1, told = make_starts.load("G1"), starts("G1")
    config, (texts, new_texts, prompts, numbers) = G1.Config(n_vocab=len(G1.WORDS)), G1.texts_and_prompts()
    params = G1.trained(texts, config, seed=11, positions=False)                  # a start that is not among the ten
    assert (params["R"] == 0).all()
    assert G1.right_numbers(params, config, prompts, numbers) >= G1.NEARLY_ALL
    assert G1.surprise(params, new_texts, config) < told["entropy"] + 0.05
    assert told["without: nearly all right"] >= 8
    assert told["without: most surprise"] - told["with: most surprise"] < 0.01
    rng = np.random.default_rng(0)
    bags = [[tokens[0], *rng.permutation(tokens[1:-1]).tolist(), tokens[-1]] for tokens in prompts]
    assert G1.right_numbers(params, config, bags, numbers) < 130                  # the same words and the same last one, shuffled before it


@pytest.mark.parametrize("D", [64, 512])
def test_G2_pairs_share_a_frequency_and_the_ratio_between_pairs_is_far_from_a_half(D):
    R = sinusoidal_positional_encoding(4096, D)
    sign_changes = (np.diff(np.signbit(R), axis=0)).sum(axis=0)             # twice the turns of each column
    fast = sign_changes > 200
    pairs = sign_changes[fast][:-1 if fast.sum() % 2 else None].reshape(-1, 2)
    assert np.abs(pairs[:, 0] - pairs[:, 1]).max() <= 1
    np.testing.assert_allclose(pairs[1:, 0] / pairs[:-1, 0], 10000 ** (-2 / D), atol=0.02)


@pytest.mark.parametrize("D", [8, 20])
def test_G2_pairs_halve_where_the_base_is_two_to_the_number_of_pairs(D):
    positions = np.arange(50)
    R = sinusoidal_positional_encoding(50, D, base=2 ** (D / 2))
    for pair in range(D // 2):
        np.testing.assert_allclose(R[:, 2 * pair], np.sin(positions / 2**pair), atol=1e-12)


def test_G3_thresholding_is_no_binary_code_but_a_shifted_sine_is():
    alternating = np.arange(64) % 2 == 1
    for D, base in [(64, 10000), (64, 16), (12, 64)]:
        codes = sinusoidal_positional_encoding(64, D, base) > 0
        for k in range(6):
            bit = np.arange(64) >> k & 1 == 1
            assert not any((column == bit).all() or (column != bit).all() for column in codes.T)
    assert alternating.sum() == 32
    for k in range(6):
        wave = np.sin(np.pi * (np.arange(64) + 0.5) / 2**k)
        assert [f"{i:06b}"[-1 - k] == "1" for i in range(64)] == (wave < 0).tolist()


def test_G4_one_base_serves_every_context_unless_the_features_are_few():
    def closest(T, D, base):
        R = sinusoidal_positional_encoding(T, D, base)
        return min(np.linalg.norm(R[i + 1:] - R[i], axis=1).min() for i in range(T - 1))
    for base in (10000, 100, 16):
        assert closest(1024, 64, base) == pytest.approx(closest(16, 64, base))
    assert 2 * np.pi * 16 ** (1 - 2 / 64) < 1024 / 10                        # even where the slowest wave repeats ten times
    assert closest(1024, 4, 16) < 0.05 * closest(16, 4, 16)
    assert closest(1024, 4, 10000) > 5 * closest(1024, 4, 16)                # and there a larger base helps
    R = sinusoidal_positional_encoding(2, 512)
    assert 2 * np.pi / R[1, -2] == pytest.approx(2 * np.pi * 10000, rel=0.04)


def test_G5_counted_from_one_the_first_sine_never_occurs_and_the_ends_have_no_partner():
    D, positions = 8, np.arange(1, 17)
    features = np.arange(1, D + 1)
    angles = positions[:, None] / 10000 ** (features // 2 * 2 / D)
    R = np.where(features % 2 == 0, np.sin(angles), np.cos(angles))
    assert not any(np.allclose(column, np.sin(positions)) for column in R.T)
    np.testing.assert_allclose(R[:, 0], np.cos(positions))
    np.testing.assert_allclose(R[:, -1], np.sin(positions / 10000))
    assert np.ptp(np.linalg.norm(R, axis=1)) > 0.2
    np.testing.assert_allclose(np.linalg.norm(sinusoidal_positional_encoding(16, D), axis=1), 2)


def test_G5_positions_may_begin_anywhere():
    R = sinusoidal_positional_encoding(40, 16)
    for first in (1, 7):
        moved = R[first:first + 20]
        np.testing.assert_allclose(moved @ moved.T, R[:20] @ R[:20].T, atol=1e-12)


@pytest.mark.parametrize(("size", "least", "most"), [(0.02, 0, 2), (512**-0.5, 0, 12), (1, 64, 64), (5, 64, 64)])
def test_G6_whether_a_word_is_still_found_below_R_depends_on_its_length(size, least, most):
    R, words = sinusoidal_positional_encoding(64, 512), size * np.random.default_rng(1).normal(size=(1000, 512))
    np.testing.assert_allclose(np.linalg.norm(R, axis=1), 16)
    assert np.abs(R).max() <= 1
    unit = [w / np.linalg.norm(w) for w in words]
    found = sum(max(range(1000), key=lambda w, z=word + place: unit[w] @ z) == i for i, (word, place) in enumerate(zip(words[:64], R, strict=True)))
    assert least <= found <= most


def test_G7_projections_keep_the_sum_and_scores_have_four_terms():
    rng = np.random.default_rng(2)
    X, R, W, U = rng.normal(size=(6, 8)), sinusoidal_positional_encoding(6, 8), rng.normal(size=(8, 5)), rng.normal(size=(8, 5))
    np.testing.assert_allclose((X + R) @ W, X @ W + R @ W)
    four = [A @ W @ U.T @ B.T for A in (X, R) for B in (X, R)]
    np.testing.assert_allclose(((X + R) @ W) @ ((X + R) @ U).T, sum(four))
    assert min(np.abs(term).max() for term in four) > 0.1
    half = [z.astype(np.float16) for z in (5 * X + R, 5 * X, R, W)]
    assert np.abs(half[0] @ half[3] - (half[1] @ half[3] + half[2] @ half[3])).max() < 0.02 * np.abs(R @ W).max()


def test_G8_products_see_offsets_only_and_a_step_is_a_rotation():
    R = sinusoidal_positional_encoding(80, 32)
    products = R @ R.T
    for offset in (0, 1, 7, 40):
        assert np.ptp(np.diag(products, offset)) < 1e-10
    step = R.reshape(80, 16, 2)[:, :, ::-1].reshape(80, 32)                  # (cos, sin): angles as points on circles
    turned = rotary_embedding(step[:-5], *rotary_angles(np.full(75, 5.0), 32), interleaved=True)
    np.testing.assert_allclose(turned, step[5:], atol=1e-12)


@pytest.fixture(scope="module")
def trained():
    """{way: the share of right words in 1-15, 16-19, 16-31, 32-63}, trained on 16 tokens from a start that is not among the ten."""
    rows = {way: accuracy(train(*kind, seed=40)[1], seed=6) for way, kind in make_starts.load("G8").kinds(40).items()}
    return {way: (r[:15].mean(), r[15:19].mean(), r[15:31].mean(), r[31:].mean()) for way, r in rows.items()}


def test_G8_sinusoids_that_are_added_help_for_a_few_positions_and_rotary_ones_go_on(trained):
    assert trained["sinusoidal"][0] > 0.97
    assert trained["learned"][1] < 0.25 < trained["sinusoidal"][1] < 0.5
    assert max(trained["sinusoidal"][2:]) < 0.25
    assert trained["RoPE"][0] > 0.97
    assert min(trained["RoPE"][1:]) > 0.6


@long
def test_G8_what_is_stored_is_what_is_counted():
    told, G8 = starts("G8"), make_starts.load("G8")
    shares = G8.shares("sinusoidal", 301)
    for stretch, share in shares.items():
        assert told[f"sinusoidal, 301, {stretch}"] == pytest.approx(share.mean(), abs=0.005)
        assert told[f"sinusoidal, 301, {stretch}, most right"] == (share > 0.5).sum()
    assert told["sinusoidal before learned, 16-19"] == G8.STARTS
    assert told["sinusoidal before none, 32-63"] == 0


def test_G9_a_learned_table_works_within_its_rows_only_and_takes_longer(trained):
    assert trained["learned"][0] > 0.97
    assert max(trained["learned"][1:]) < 0.25
    kinds = make_starts.load("G8").kinds(40)
    early = {way: accuracy(train(*kinds[way], seed=40, steps=101)[1], seed=6)[:15].mean() for way in ("learned", "sinusoidal")}
    assert early["learned"] < 0.6 < 0.97 < early["sinusoidal"]
    assert starts("G9")["learned: close"] == starts("G9")["sinusoidal: close"] == starts("G9")["starts"]


def test_G10_concatenating_and_one_matrix_is_adding_two_projections():
    rng = np.random.default_rng(0)
    x, R, W = rng.normal(size=(7, 6)), sinusoidal_positional_encoding(7, 4), rng.normal(size=(10, 6))
    np.testing.assert_allclose(np.hstack([x, R]) @ W, x @ W[:6] + R @ W[6:])
    np.testing.assert_allclose(np.hstack([x, R]) @ np.vstack([np.eye(6), W[6:]]), x + R @ W[6:])      # plain addition is among them

    def block(D):
        return sum(np.zeros(shape).size for shape in [(D, D)] * 4 + [(D, 4 * D), (4 * D, D)])
    assert block(1024) == 4 * block(512)
    assert block(576) / block(512) == pytest.approx(1.27, abs=0.005)
    assert block(520) / block(512) < 1.04
    assert 576 * 512 / (6 * block(512)) < 0.02


# Experts.

N, E, S = 80, 4, 8
ZIGZAG_X = (np.arange(N) + 0.5) * 4 / N
ZIGZAG_Y = 1 - 2 * np.abs(ZIGZAG_X % 2 - 1)
ROWS = np.stack([np.ones(N), ZIGZAG_X - 2], axis=1)


def surprise(W, sd=0.4, y=ZIGZAG_Y):
    """-log of the mixture's density at each y, its slopes by W_f and W_g."""
    F, G = ROWS @ W[0], softmax(ROWS @ W[1])
    away = y[..., None] - F
    joint = G * np.exp(-0.5 * (away / sd) ** 2)
    r = joint / joint.sum(axis=-1, keepdims=True)
    return -np.log(joint.sum(axis=-1)).mean(axis=-1), [-ROWS.T @ (r * away) / sd**2 / N, ROWS.T @ (G - r) / N]


def squared_error(W, y=ZIGZAG_Y):
    F, G = ROWS @ W[0], softmax(ROWS @ W[1])
    y_hat = (G * F).sum(axis=-1, keepdims=True)
    e = y_hat - y[..., None]
    return (e**2).mean(axis=(-2, -1)), [2 * ROWS.T @ (e * G) / N, 2 * ROWS.T @ (e * G * (F - y_hat)) / N]


def trained_09(loss, steps=500):
    """Lines and gates (S, N, E) learnt from S random starts."""
    rng = np.random.default_rng(5)
    W, _ = learn(loss, [0.5 * rng.normal(size=(S, 2, E)), rng.normal(size=(S, 2, E))], steps=steps, report=0)
    return ROWS @ W[0], softmax(ROWS @ W[1])


def errors(said):
    return np.mean((said - ZIGZAG_Y) ** 2, axis=-1)


def the_surest(F, G):
    return np.take_along_axis(F, G.argmax(axis=-1)[..., None], axis=-1)[..., 0]


def averages(M, rho):
    """The variance of averages of M mistakes of variance 1 with a common part, or (rho < 0) with their mean partly taken out."""
    own = np.random.default_rng(1).normal(size=(40_000, M))
    if rho >= 0:
        common = np.random.default_rng(2).normal(size=(40_000, 1))
        return (np.sqrt(rho) * common + np.sqrt(1 - rho) * own).mean(axis=1).var()
    return ((own - own.mean(axis=1, keepdims=True)) / np.sqrt(1 - 1 / M)).mean(axis=1).var()


def test_H1_the_variance_of_an_average_has_a_floor_of_rho_and_cancelling_mistakes_beat_uncorrelated_ones():
    for M in (2, 5, 10):
        for rho in (0, 0.3, 0.8):
            assert abs(averages(M, rho) - (rho + (1 - rho) / M)) < 0.02
        assert averages(M, 0) < averages(M, 0.3) < averages(M, 0.8)
        assert averages(M, -1) < 1e-9


def test_H2_likelihood_specialises_softly_at_once_and_squared_error_cooperates_first():
    F, G = trained_09(surprise)
    assert (errors((G * F).sum(axis=-1)) < 0.01).all()
    assert (errors(the_surest(F, G)) < 0.01).sum() >= S - 1
    assert 0.5 < (G.max(axis=-1) > 0.9).mean() < 0.95
    F, G = trained_09(squared_error)
    assert (errors((G * F).sum(axis=-1)) < 0.02).sum() > S / 2
    assert (errors(the_surest(F, G)) < 0.05).sum() <= 1


def test_H2_squared_error_specialises_later_and_noise_keeps_it_from_that():
    F, G = trained_09(squared_error, steps=4000)
    assert (errors(the_surest(F, G)) < 0.05).sum() > S / 2
    noisy = ZIGZAG_Y + 0.3 * np.random.default_rng(9).normal(size=(S, N))
    F, G = trained_09(lambda W: squared_error(W, y=noisy), steps=4000)
    assert (errors(the_surest(F, G)) < 0.05).sum() < S / 2
    F, G = trained_09(lambda W: surprise(W, y=noisy), steps=1000)
    assert (errors(the_surest(F, G)) < 0.05).sum() > S / 2


def test_H2_what_is_stored_is_what_is_counted():
    H2, told = make_starts.load("H2"), starts("H2")
    for loss in (H2.squared_error, H2.likelihood):
        F, G = H2.learnt(loss, H2.ZIGZAG, 600)
        missed = ((np.take_along_axis(F, G.argmax(axis=-1)[..., None], axis=-1) - H2.ZIGZAG) ** 2).mean(axis=(1, 2))
        assert told[f"{loss.__name__}, 600"] == (missed < H2.ALONE).sum()
    best_line = np.linalg.lstsq(H2.X, H2.ZIGZAG, rcond=None)[1] / H2.N
    assert best_line == pytest.approx(0.33, abs=0.01)                                # what "alone" must beat by far


def test_H2_both_slopes_are_right():
    rng = np.random.default_rng(3)
    W = [rng.normal(size=(3, 2, E)), rng.normal(size=(3, 2, E))]
    assert slopes_agree(surprise, W, rng)
    assert slopes_agree(squared_error, W, rng)
    assert not slopes_agree(lambda W: (surprise(W)[0], squared_error(W)[1]), W, rng)


def test_H3_a_linear_gate_is_the_responsibility_for_x_of_gaussians_of_one_width():
    rng = np.random.default_rng(0)
    pi, mu, sd, x = softmax(rng.normal(size=5)), rng.normal(size=5), 0.7, rng.normal(size=40)
    gates = softmax_gate(np.stack([np.ones(40), x], axis=1), np.stack([np.log(pi) - mu**2 / 2 / sd**2, mu / sd**2]))
    np.testing.assert_allclose(gates, gaussian_responsibilities(x[:, None], pi, mu[:, None], np.full((5, 1, 1), sd**2)))
    assert np.abs(gates - pi).max() > 0.3


def test_H3_in_the_likelihood_the_gate_learns_the_share_at_each_x_and_not_the_posterior():
    rng = np.random.default_rng(4)
    x = rng.choice([-1.0, 1.0], size=4000)
    share = np.where(x > 0, 0.8, 0.3)
    y = np.where(rng.random(4000) < share, 1.0, -1.0) + 0.8 * rng.normal(size=4000)
    rows, F = np.stack([np.ones(4000), x], axis=1), np.array([1.0, -1.0])                     # experts that are known

    def loss(W):
        G = softmax(rows @ W[0])
        joint = G * np.exp(-0.5 * ((y[:, None] - F) / 0.8) ** 2)
        r = joint / joint.sum(axis=-1, keepdims=True)
        return -np.log(joint.sum(axis=-1)).mean(axis=-1), [rows.T @ (G - r) / 4000]
    W, _ = learn(loss, [np.zeros((1, 2, 2))], steps=300, report=0)
    G = softmax(rows @ W[0])[0, :, 0]
    assert np.abs(G - share).max() < 0.04
    joint = share * np.exp(-0.5 * ((y - 1) / 0.8) ** 2)
    posterior = joint / (joint + (1 - share) * np.exp(-0.5 * ((y + 1) / 0.8) ** 2))
    assert np.abs(G - posterior).mean() > 0.2


def test_H4_a_gate_must_see_the_input_and_be_trained():
    F, G = trained_09(surprise)
    fixed = [np.linalg.lstsq(lines, ZIGZAG_Y, rcond=None)[0] for lines in F]
    stacked = errors(np.stack([lines @ weights for lines, weights in zip(F, fixed, strict=True)]))
    gated = errors((G * F).sum(axis=-1))
    untrained, G = trained_09(lambda W: (surprise(W)[0], [surprise(W)[1][0], 0 * W[1]]))
    assert (stacked < errors(F.mean(axis=-1)) + 1e-9).all()
    assert np.median(gated) < np.median(stacked) / 50
    assert (errors((G * untrained).sum(axis=-1)) > 0.01).all()


def test_H5_softmax_is_not_sparse_and_what_is_kept_sums_to_one_only_after_renormalising():
    logits = np.random.default_rng(0).normal(size=(50, 8))
    full, kept = softmax(logits), top_k_gate(logits, np.eye(8), 2)
    assert full.min() > 0
    assert (np.where(kept > 0, full, 0).sum(axis=1) < 1).all()
    assert ((kept > 0).sum(axis=1) == 2).all()
    np.testing.assert_allclose(kept.sum(axis=1), 1)
    np.testing.assert_allclose(kept, np.where(kept > 0, full, 0) / np.where(kept > 0, full, 0).sum(axis=1, keepdims=True))
    np.testing.assert_array_equal(top_k_gate(logits, np.eye(8), 1), top_k_gate(3 * logits, np.eye(8), 1))     # one gate, divided: no slope


def test_H6_experts_are_all_stored_and_two_compute_and_idle_ones_may_wait_until_a_batch_comes():
    rng, asked = np.random.default_rng(0), []
    networks = [[rng.normal(size=shape) for shape in [(6, 24), (24,), (24, 6), (6,)]] for _ in range(8)]

    def expert(network):
        return lambda Z: asked.append(len(Z)) or feed_forward(Z, *network)
    gates = top_k_gate(rng.normal(size=(60, 6)), rng.normal(size=(6, 8)), 2)
    mixture_of_experts(rng.normal(size=(60, 6)), gates, [expert(n) for n in networks])
    assert sum(asked) == 2 * 60
    stored, one = sum(W.nbytes for n in networks for W in n), sum(W.nbytes for W in networks[0])
    dense = sum(np.zeros(shape).nbytes for shape in [(6, 192), (192,), (192, 6), (6,)])
    assert stored == 8 * one
    assert stored == pytest.approx(dense, rel=0.03)
    assert (gates[:1] > 0).any(axis=0).sum() == 2
    assert (gates > 0).any(axis=0).sum() == 8


def test_H7_sparse_mixtures_were_published_before_deepseek():
    published = {"Shazeer et al., arXiv 1701.06538": 2017, "Switch Transformer, arXiv 2101.03961": 2021, "DeepSeekMoE, arXiv 2401.06066": 2024}
    assert sorted(published, key=published.get)[-1].startswith("DeepSeek")
    assert min(published.values()) < 2020


# Wrong measurements, planted in the appendix: the verdict must follow them.

ALL_TRUE = "{name: 10**3 for name in starts("
PLANTED = {       # claim: ([(what stands in its cells, what is planted)], the verdict then)
    "G1": ([("[2, 1, 0]", "[0, 1, 2]"), ('found[f"{name}: nearly all right"]', "0")], "holds"),
    "G2": ([("(8, 16, 2)", "(8, 16, 1)")], "fails"),
    "G3": ([("columns = sinusoids(64, D, base) > 0", "columns = bits(64, 6) if D == 12 else sinusoids(64, D, base) > 0")], "depends"),
    "G4": ([("R = sinusoids(T, D, base)", "R = sinusoids(T, 4, base)")], "holds"),
    "G5": ([("feature_1 + np.arange(D)", "0 * feature_1 + np.arange(D)")], "holds"),
    "G6": ([("+ sinusoids(64, D)", "+ 0 * sinusoids(64, D)")], "holds"),
    "G7": ([("= both @ W,", "= both @ W + 1,")], "fails"),
    "G8": ([('starts("G8")', ALL_TRUE + '"G8")}')], "holds"),
    "G9": ([("as_good(101)", "as_good(301)")], "holds"),
    "G10": ([("blocks(520)", "blocks(1024)"), ("W.size + blocks(512)", "blocks(1024)")], "holds"),
    "H1": ([("covariance = rho +", "rho = abs(rho); covariance = rho +")], "holds"),
    "H2": ([('starts("H2")', ALL_TRUE + '"H2")}')], "holds"),
    "H3": ([("learnt(squared_error, y_always)", "learnt(likelihood, y_always)")], "holds"),
    "H4": ([("fits(0, 1)", "fits(1, 1)"), ("fits(1, 0)", "fits(1, 1)")], "holds"),
    "H5": ([("top_k_gate(logits, np.eye(8), 2)", "top_k_gate(logits, np.eye(8), 8)")], "fails"),
    "H6": ([("for n in (1, 100)", "for n in (100, 100)")], "fails"),
}
NEEDS = {"H4": ["H3"]}            # whose cells stand on the functions of another claim
FEWER = {"H3": [("size=(10, 2, 2)", "size=(6, 2, 2)"), ("np.arange(10)", "np.arange(6)"), ("start, report=0", "start, 150, report=0")]}   # same word


@pytest.mark.parametrize("claim", mostly(VERDICTS, [claim for claim in VERDICTS if claim != "H3"]))       # which learns four times
def test_a_planted_wrong_measurement_changes_the_card(claim):
    planted, word = PLANTED[claim]
    assert card(claim, FEWER.get(claim, []) + planted, NEEDS.get(claim, ())).word == word != VERDICTS[claim]


def test_the_notebook_prints_as_many_specialised_starts_as_are_stored():
    printed = re.findall(r"^(squared error|likelihood), (\d+)(?: steps)?: .* specialised (\d+) of 20$",
                         "\n".join(shown(cell) for cell in cells("09_mixture_of_experts", "code")), flags=re.MULTILINE)
    assert len(printed) == 3
    for loss, steps, n in printed:
        assert starts("H2")[f"{loss.replace(' ', '_')}, {steps}"] == int(n)
