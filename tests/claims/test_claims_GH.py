"""The claims on positions and experts, measured here once more, apart from the notebooks.

The id in a test's name is the claim's id in the notebooks: **Claim C1** there is test_C1_... here.
"""


import numpy as np
import pytest

from course_utils.attention import (
    causal_mask,
    scaled_dot_product_attention,
    softmax,
)
from course_utils.data import W_K, W_Q, W_V
from course_utils.experts import gaussian_responsibilities, mixture_of_experts, softmax_gate, top_k_gate
from course_utils.layers import feed_forward
from course_utils.models.expert_training import learn, slopes_agree
from course_utils.models.position_task import D as D_TASK
from course_utils.models.position_task import accuracy, train
from course_utils.positions import rotary_angles, rotary_embedding, sinusoidal_positional_encoding

# What the cases decide; the notebooks must say the same.
VERDICTS = {
    "G1": "fails", "G2": "fails", "G3": "fails", "G4": "depends", "G5": "fails", "G6": "depends", "G7": "holds", "G8": "depends", "G9": "holds",
    "H1": "depends", "H2": "depends", "H3": "fails", "H4": "depends", "H5": "depends", "H6": "fails", "H7": "depends",
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


@pytest.mark.parametrize("D", [64, 512])
def test_G2_pairs_share_a_frequency_and_the_ratio_between_pairs_is_far_from_a_half(D):
    R = sinusoidal_positional_encoding(4096, D)
    sign_changes = (np.diff(np.signbit(R), axis=0)).sum(axis=0)             # twice the turns of each column
    fast = sign_changes > 200
    pairs = sign_changes[fast][:-1 if fast.sum() % 2 else None].reshape(-1, 2)
    assert np.abs(pairs[:, 0] - pairs[:, 1]).max() <= 1
    np.testing.assert_allclose(pairs[1:, 0] / pairs[:-1, 0], 10000 ** (-2 / D), atol=0.02)
    assert pytest.approx(0.965, abs=1e-3) == 10000 ** (-2 / 512)
    assert 10000 ** (-1 / np.log2(10000)) == pytest.approx(0.5)


def test_G3_thresholding_is_no_binary_code_but_a_shifted_sine_is():
    codes = sinusoidal_positional_encoding(64, 64) > 0
    assert len({row.tobytes() for row in codes}) == 62
    alternating = np.arange(64) % 2 == 1
    assert not any((column == alternating).all() or (column != alternating).all() for column in codes.T)
    for k in range(6):
        wave = np.sin(np.pi * (np.arange(64) + 0.5) / 2**k)
        assert [f"{i:06b}"[-1 - k] == "1" for i in range(64)] == (wave < 0).tolist()


def test_G4_one_base_serves_every_context_unless_the_features_are_few():
    def closest(T, D, base):
        R = sinusoidal_positional_encoding(T, D, base)
        return min(np.linalg.norm(R[i + 1:] - R[i], axis=1).min() for i in range(T - 1))
    assert closest(1024, 64, 10000) == pytest.approx(closest(16, 64, 10000))
    assert closest(1024, 64, 100) == pytest.approx(closest(16, 64, 100))
    assert closest(1024, 4, 100) < 0.05 * closest(16, 4, 100)
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


def test_G6_how_much_R_disturbs_x_depends_on_the_length_of_x():
    R = sinusoidal_positional_encoding(32, 512)
    np.testing.assert_allclose(np.linalg.norm(R, axis=1), 16)
    assert np.abs(R).max() <= 1
    x = np.random.default_rng(1).normal(size=(32, 512))

    def cosine(x):
        return np.mean([a @ b / np.linalg.norm(a) / np.linalg.norm(b) for a, b in zip(x, x + R, strict=True)])
    assert cosine(0.02 * x) < 0.1 < 0.75 < cosine(x) < 0.87 < 0.98 < cosine(5 * x)


def test_G7_projections_keep_the_sum_and_scores_have_four_terms():
    rng = np.random.default_rng(2)
    X, R, W, U = rng.normal(size=(6, 8)), sinusoidal_positional_encoding(6, 8), rng.normal(size=(8, 5)), rng.normal(size=(8, 5))
    np.testing.assert_allclose((X + R) @ W, X @ W + R @ W)
    four = [A @ W @ U.T @ B.T for A in (X, R) for B in (X, R)]
    np.testing.assert_allclose(((X + R) @ W) @ ((X + R) @ U).T, sum(four))
    assert min(np.abs(term).max() for term in four) > 0.1


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
    """Accuracy at positions 1-15, 16-31, 32-63 of models trained on 16 tokens, from a start that the notebook does not use."""
    zero, still = np.zeros((64, D_TASK)), (np.ones((64, D_TASK // 2)), np.zeros((64, D_TASK // 2)))
    kinds = {"learned": (0.1 * np.random.default_rng(5).normal(size=(64, D_TASK)), *still, True),
             "sinusoidal": (sinusoidal_positional_encoding(64, D_TASK), *still), "RoPE": (zero, *rotary_angles(np.arange(64), D_TASK))}
    rows = {name: accuracy(train(*kind, seed=4)[1], seed=6) for name, kind in kinds.items()}
    return {name: (r[:15].mean(), r[15:31].mean(), r[31:].mean()) for name, r in rows.items()}


def test_G8_sinusoids_that_are_added_do_not_go_on_and_rotary_ones_do(trained):
    assert trained["sinusoidal"][0] > 0.97
    assert max(trained["sinusoidal"][1:]) < 0.4
    assert trained["RoPE"][0] > 0.97
    assert min(trained["RoPE"][1:]) > 0.6


def test_G9_a_learned_table_works_within_its_rows_only(trained):
    assert trained["learned"][0] > 0.97
    assert max(trained["learned"][1:]) < 0.25


# Experts.


N, E, S = 80, 4, 8
ZIGZAG_X = (np.arange(N) + 0.5) * 4 / N
ZIGZAG_Y = 1 - 2 * np.abs(ZIGZAG_X % 2 - 1)
ROWS = np.stack([np.ones(N), ZIGZAG_X - 2], axis=1)


def surprise(W, sd=0.4):
    """-log of the mixture's density at each y, its slopes by W_f and W_g."""
    F, G = ROWS @ W[0], softmax(ROWS @ W[1])
    away = ZIGZAG_Y[:, None] - F
    joint = G * np.exp(-0.5 * (away / sd) ** 2)
    r = joint / joint.sum(axis=-1, keepdims=True)
    return -np.log(joint.sum(axis=-1)).mean(axis=-1), [-ROWS.T @ (r * away) / sd**2 / N, ROWS.T @ (G - r) / N]


def squared_error(W):
    F, G = ROWS @ W[0], softmax(ROWS @ W[1])
    y_hat = (G * F).sum(axis=-1, keepdims=True)
    e = y_hat - ZIGZAG_Y[:, None]
    return (e**2).mean(axis=(-2, -1)), [2 * ROWS.T @ (e * G) / N, 2 * ROWS.T @ (e * G * (F - y_hat)) / N]


def trained_09(loss):
    """Lines and gates (S, N, E) learnt from S random starts."""
    rng = np.random.default_rng(5)
    W, _ = learn(loss, [0.5 * rng.normal(size=(S, 2, E)), rng.normal(size=(S, 2, E))], steps=500, report=0)
    return ROWS @ W[0], softmax(ROWS @ W[1])


def error(said):
    return np.median(np.mean((said - ZIGZAG_Y) ** 2, axis=-1))


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


def test_H2_parts_are_soft_and_only_likelihood_makes_experts_that_stand_alone():
    F, G = trained_09(surprise)
    assert error((G * F).sum(axis=-1)) < 0.003
    assert error(the_surest(F, G)) < 0.005
    assert 0.5 < (G.max(axis=-1) > 0.9).mean() < 0.95
    assert (G.max(axis=-1) > 0.99).mean() < 0.7
    F, G = trained_09(squared_error)
    assert error((G * F).sum(axis=-1)) < 0.01
    assert error(the_surest(F, G)) > 0.2


def test_H2_both_slopes_are_right():
    rng = np.random.default_rng(3)
    W = [rng.normal(size=(3, 2, E)), rng.normal(size=(3, 2, E))]
    assert slopes_agree(surprise, W, rng)
    assert slopes_agree(squared_error, W, rng)
    assert not slopes_agree(lambda W: (surprise(W)[0], squared_error(W)[1]), W, rng)


def test_H3_a_linear_gate_is_the_responsibility_of_gaussians_of_one_width_and_not_their_pi():
    rng = np.random.default_rng(0)
    pi, mu, sd, x = softmax(rng.normal(size=5)), rng.normal(size=5), 0.7, rng.normal(size=40)
    gates = softmax_gate(np.stack([np.ones(40), x], axis=1), np.stack([np.log(pi) - mu**2 / 2 / sd**2, mu / sd**2]))
    np.testing.assert_allclose(gates, gaussian_responsibilities(x[:, None], pi, mu[:, None], np.full((5, 1, 1), sd**2)))
    assert np.abs(gates - pi).max() > 0.3


def test_H4_fixed_weights_can_be_trained_but_a_gate_that_sees_the_input_does_better():
    F, G = (array[0] for array in trained_09(surprise))
    fixed = np.linalg.lstsq(F, ZIGZAG_Y, rcond=None)[0]
    plain, stacked, gated = (np.mean((said - ZIGZAG_Y) ** 2) for said in (F.mean(axis=1), F @ fixed, (G * F).sum(axis=1)))
    assert stacked < plain / 2
    assert gated < stacked / 50


def test_H5_softmax_is_not_sparse_and_what_is_kept_sums_to_one_only_after_renormalising():
    logits = np.random.default_rng(0).normal(size=(50, 8))
    full, kept = softmax(logits), top_k_gate(logits, np.eye(8), 2)
    assert full.min() > 0
    assert (np.where(kept > 0, full, 0).sum(axis=1) < 1).all()
    assert ((kept > 0).sum(axis=1) == 2).all()
    np.testing.assert_allclose(kept.sum(axis=1), 1)
    np.testing.assert_allclose(kept, np.where(kept > 0, full, 0) / np.where(kept > 0, full, 0).sum(axis=1, keepdims=True))


def test_H6_eight_experts_two_asked_is_eight_times_the_memory_and_twice_the_compute():
    rng, asked = np.random.default_rng(0), []
    networks = [[rng.normal(size=shape) for shape in [(6, 24), (24,), (24, 6), (6,)]] for _ in range(8)]

    def expert(network):
        return lambda Z: asked.append(len(Z)) or feed_forward(Z, *network)
    mixture_of_experts(rng.normal(size=(30, 6)), top_k_gate(rng.normal(size=(30, 6)), rng.normal(size=(6, 8)), 2), [expert(n) for n in networks])
    assert sum(asked) == 2 * 30
    assert sum(W.nbytes for n in networks for W in n) == 8 * sum(W.nbytes for W in networks[0])


def test_H7_sparse_mixtures_were_published_before_deepseek():
    published = {"Shazeer et al., arXiv 1701.06538": 2017, "Switch Transformer, arXiv 2101.03961": 2021, "DeepSeekMoE, arXiv 2401.06066": 2024}
    assert sorted(published, key=published.get)[-1].startswith("DeepSeek")
    assert min(published.values()) < 2020
