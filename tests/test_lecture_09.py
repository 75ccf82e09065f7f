"""What notebook 09 says is so beyond what its cells print; its Find is true, its training goes
downhill."""

import numpy as np
import pytest
from helpers import names_of, script

from course_utils.attention import softmax
from course_utils.data.starts import starts
from course_utils.experts import load_balancing_loss
from course_utils.instruments import GateExplorer
from course_utils.models.expert_training import (
    DEAD,
    E,
    X,
    balancing,
    fit,
    gradients,
    learn,
    likelihood,
    new_starts,
    slopes_agree,
    specialised,
    squared_error,
    zigzag,
)

NAME = "09_mixture_of_experts"
BLENDS = script("make_starts.py").load("blends")


@pytest.fixture(scope="module", autouse=True)
def as_arrays_are_printed():
    """The notebook's first cell sets how arrays are printed: only here."""
    with np.printoptions():
        yield


@pytest.fixture(scope="module")
def room():
    return names_of(NAME)


# The count


def test_a_layer_of_experts_stores_all_and_uses_some(room):
    parameters = room["parameters"]
    network = [np.zeros(shape) for shape in ((64, 256), 256, (256, 64), 64)]
    assert parameters(256) == sum(part.size for part in network)
    assert round(room["mixtral"](8) / 1e9) == 47
    assert round(room["mixtral"](2) / 1e9) == 13


# Who learns what


def by_nudging(loss, at):
    return [(loss(at + nudge) - loss(at)) / 1e-6 for nudge in 1e-6 * np.eye(len(at))]


def test_by_squared_error_an_expert_can_move_away_from_what_is_right_by_likelihood_none_does():
    F, G, y = np.array([2.0, -1.0]), np.array([0.5, 0.5]), np.array([[1.0]])
    _, by_blend, _ = squared_error(F[None], G[None], y)
    _, by_share, _ = likelihood(F[None], G[None], y, spread=1)
    np.testing.assert_allclose(by_blend[0], by_nudging(lambda F: (G @ F - 1) ** 2, F), atol=1e-5)
    np.testing.assert_allclose(
        by_share[0], by_nudging(lambda F: -np.log(G @ np.exp(-((1 - F) ** 2) / 2)), F), atol=1e-5
    )
    assert (by_blend < 0).all()  # both are raised, also the one above 1
    assert (np.sign(by_share[0]) == np.sign(F - 1)).all()


def test_the_gate_moves_towards_the_posterior(room):
    F, G = room["F_2"], room["G_2"]

    def loss(logits):
        return -np.log(softmax(logits) @ np.exp(-((1 - F) ** 2) / 2))

    np.testing.assert_allclose(by_nudging(loss, np.zeros(2)), G - room["r_2"], atol=1e-5)


@pytest.mark.parametrize("loss", [squared_error, likelihood])
@pytest.mark.parametrize(("k", "balance"), [(4, 0), (2, 0), (2, 0.2)])
def test_gradients_agree_with_nudging(loss, k, balance):
    assert slopes_agree(gradients(loss, k, balance), new_starts(), np.random.default_rng(5))


def test_a_wrong_gradient_does_not_agree_with_nudging():
    def halved(F, G):
        value, dF, d_logits = squared_error(F, G)
        return value, dF, d_logits / 2

    assert not slopes_agree(gradients(halved), new_starts(), np.random.default_rng(5))


def test_the_zigzag_has_four_pieces():
    steps = np.diff(zigzag[:, 0]).round(9)
    assert (np.diff(np.sign(steps[steps != 0])) != 0).sum() == E - 1


def test_squared_error_makes_experts_cooperate_first_and_with_noise_for_long():
    assert specialised(*fit(squared_error)).sum() < 3
    assert specialised(*fit(likelihood)).sum() > 17
    found = starts("H2")
    assert found["squared_error, 600"] < 10
    assert found["likelihood, 600"] > 85
    assert found["squared_error, 6000"] > 85
    assert found["squared_error with noise, 6000"] < 25


def test_specialists_share_borders_at_first():
    assert starts("H2")["likelihood, 600, owned"] < 0.8 < starts("H2")["likelihood, 6000, owned"]


# Load and room


def test_a_balanced_gate_has_the_loss_1_and_a_crowded_one_E():
    assert load_balancing_loss(np.full((4, 4), 0.2) + 0.2 * np.eye(4)) == pytest.approx(1)
    assert load_balancing_loss(np.eye(4)[[2, 2]]) == pytest.approx(4)
    logits = np.random.default_rng(0).normal(size=(50, E))
    assert balancing(logits)[0] == pytest.approx(load_balancing_loss(softmax(logits)))


def test_a_dead_expert_has_no_gradient_and_balancing_wakes_it():
    for amount, dead in ((0, 14), (0.05, 0)):
        _, G = fit(squared_error, k=2, balance=amount)
        assert (G.mean(axis=1) < DEAD).sum() == dead
    F = np.random.default_rng(1).normal(size=(100, E))
    G = softmax(np.where(np.arange(E) < 2, 1.0, -np.inf)) * np.ones((100, 1))
    _, dF, d_logits = squared_error(F, G)
    assert (dF[:, 2:] == 0).all()
    assert (d_logits[:, 2:] == 0).all()


def test_an_expert_takes_the_first_that_come_up_to_its_capacity(room):
    rng = np.random.default_rng(3)
    for factor in (0.5, 1, 1.25, 2):
        choice = rng.integers(E, size=40)
        capacity, taken, expected = factor * 40 / E, [0] * E, []
        for e in choice:
            taken[e] += 1
            expected.append(taken[e] > capacity)
        assert room["dropped"](choice, factor).tolist() == expected


def test_a_larger_factor_and_a_balanced_gate_drop_fewer(room):
    rng = np.random.default_rng(4)
    even, crowded = (rng.choice(E, size=2000, p=p) for p in ([0.25] * 4, room["P"]))
    shares = [
        [room["dropped"](choice, factor).mean() for factor in (1, 1.25, 2)]
        for choice in (even, crowded)
    ]
    assert all(row == sorted(row, reverse=True) for row in shares)
    assert (np.array(shares[0]) < shares[1]).all()


def test_a_bias_of_the_choice_balances_without_a_gradient(room):
    assert np.abs(room["load"] - 0.25).max() < 0.05
    assert room["bias"].argmin() == 0


# Deeper


def test_shared_mistakes_stay_and_mistakes_that_cancel_beat_uncorrelated_ones(room):
    mistakes = room["mistakes"]
    assert abs(np.prod(mistakes(2, 0.5), axis=1).mean() - 0.5) < 0.01
    assert abs(mistakes(16, 0.0).mean(axis=1).var() - 1 / 16) < 0.002
    for M, rho in ((4, 0.5), (16, 0.9)):
        assert abs(mistakes(M, rho).mean(axis=1).var() - (rho + (1 - rho) / M)) < 0.02
    assert room["cancel"].mean(axis=1).var() < 0.01


def test_halfway_between_two_gaussians_the_shares_are_still_pi(room):
    joint = room["pi"] * room["normal"](room["mu"].mean(), room["mu"], room["sd"])
    np.testing.assert_allclose(joint / joint.sum(), room["pi"])


def test_what_the_instrument_asks_to_find_is_so():
    def error(temperature, k):
        return GateExplorer.compute(GateExplorer.start() | {"temperature": temperature, "k": k})[
            "error"
        ]

    assert len({error(temperature, 1) for temperature in (1, 4, 16, 64)}) == 1
    assert all(abs(error(1, k) - error(16, k)) > 0.1 for k in (2, 3, 4))
    at_16 = [error(16, k) for k in (1, 2, 3, 4)]
    assert at_16.index(max(at_16)) == 1
    second = np.sort(
        GateExplorer.compute(GateExplorer.start() | {"temperature": 16, "k": 2})["gates"], axis=1
    )[:, -2]
    assert 0.3 < second.mean() < 0.5


def test_a_wrong_line_does_no_harm_where_its_gate_is_closed():
    state = GateExplorer.start() | {"temperature": 1, "borders": [1, 1, 3]}
    wrong = [
        [[x, y + 9] for x, y in line] if e == 1 else line for e, line in enumerate(state["lines"])
    ]
    error = [
        GateExplorer.compute(state | {"lines": lines})["error"] for lines in (state["lines"], wrong)
    ]
    assert error[1] - error[0] < 0.5 < 9**2 / 4


def test_the_script_and_the_notebook_count_the_same_teams(room):
    """They learn by the same gradients: what the notebook has learnt is what the script counts."""
    W = [w + 0.1 for w in new_starts(3)]
    of_notebook = gradients(room["cross_entropy"], 2, BLENDS.BALANCING, room["seen"], room["X_4"])
    (ours, slopes), (theirs, other) = of_notebook(W), BLENDS.naming(BLENDS.blended_scores)(W)
    np.testing.assert_allclose(ours, theirs)
    for a, b in zip(slopes, other, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-12)
    assert (room["blend"] - room["alone"] >= BLENDS.WORSE).sum() == starts("blends")[
        "blended scores, 600"
    ]
    blend, alone = BLENDS.named(BLENDS.blended_probabilities, 600)
    assert (blend - alone >= BLENDS.WORSE).sum() == starts("blends")["blended probabilities, 600"]
    assert blend.min() > 0.9


def test_the_scripts_probabilities_have_right_gradients():
    def of(W):
        value, dF, d_logits, _ = BLENDS.blended_probabilities(
            BLENDS.SEEN @ W[0], softmax(BLENDS.X_4 @ W[1])
        )
        return value, [BLENDS.SEEN.T @ dF, BLENDS.X_4.T @ d_logits]

    rng = np.random.default_rng(3)
    assert slopes_agree(of, [rng.normal(size=(3, 3, 4)), rng.normal(size=(3, 2, 4))], rng)


def test_the_best_single_line_misses_by_a_third():
    assert np.linalg.lstsq(X, zigzag, rcond=None)[1][0] / len(X) == pytest.approx(0.33, abs=0.005)


def test_learning_goes_downhill_and_leaves_the_start_alone(capsys):
    target = np.array([[1.0, -2.0], [0.5, 3.0]])
    start = [np.zeros((2, 2))]
    W, history = learn(
        lambda W: (((W[0] - target) ** 2).sum(axis=1), [2 * (W[0] - target)]),
        start,
        steps=400,
        report=200,
    )
    np.testing.assert_allclose(W[0], target, atol=1e-3)
    assert (start[0] == 0).all()
    assert history.shape == (401, 2)
    assert (history[-1] < history[0] / 1000).all()
    assert capsys.readouterr().out.splitlines()[0] == "step   0  median loss 7.125"
    assert len(capsys.readouterr().out) == 0
