"""Lecture 10 beyond its own numbers: each rule agrees with nudging on random inputs, and its
trainings do what it tells."""

import numpy as np
import pytest
from helpers import cells, names_of, script, shown

from course_utils.attention import softmax
from course_utils.data import W_K, embed
from course_utils.exercises import EXERCISES, diagnose, mine
from course_utils.instruments import GradientFlow
from course_utils.layers import layer_norm, relu
from course_utils.models import training

NAME = "10_how_it_learns"
NUDGE = 1e-6
SEEDS = range(5)
C5B = script("make_starts.py").load("C5b")


@pytest.fixture
def room():
    return names_of(NAME)


def by_nudging(loss, *arrays):
    """The gradients of a loss at arrays, by a nudge up and a nudge down of each number."""
    found = []
    for k, array in enumerate(arrays):
        gradient = np.zeros(array.shape)
        for i in np.ndindex(array.shape):
            ends = []
            for sign in (1, -1):
                moved = array.copy()
                moved[i] += sign * NUDGE
                ends.append(loss(*arrays[:k], moved, *arrays[k + 1 :]))
            gradient[i] = (ends[0] - ends[1]) / (2 * NUDGE)
        found.append(gradient)
    return found


def random(seed, *shapes):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=shape) for shape in shapes]


def cross_entropy(scores, right):
    return -np.log(softmax(scores)[..., right]).sum()


# The rules, on random inputs


@pytest.mark.parametrize("seed", SEEDS)
def test_the_gradient_at_the_scores_is_p_minus_one_hot(seed):
    (scores,) = random(seed, (7,))
    np.testing.assert_allclose(
        softmax(scores) - np.eye(7)[seed],
        by_nudging(lambda s: cross_entropy(s, seed), scores)[0],
        atol=1e-8,
    )
    assert (softmax(scores) - np.eye(7)[seed]).sum() == pytest.approx(0)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_rule_of_a_matrix(seed):
    X, W, dY = random(seed, (4, 3), (3, 5), (4, 5))
    for rule, nudged in zip(
        (dY @ W.T, X.T @ dY), by_nudging(lambda X, W: (dY * (X @ W)).sum(), X, W), strict=True
    ):
        np.testing.assert_allclose(rule, nudged, atol=1e-8)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_rules_of_relu_and_skip(seed):
    x, W, dY = random(seed, (4, 3), (3, 3), (4, 3))
    before = x @ W
    assert np.abs(before).min() > 10 * NUDGE  # at 0 itself ReLU has no gradient
    rule = dY + np.where(before > 0, dY, 0) @ W.T
    np.testing.assert_allclose(
        rule, by_nudging(lambda x: (dY * (x + relu(x @ W))).sum(), x)[0], atol=1e-8
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_over_a_skip_the_gradient_arrives_whole_where_all_units_are_silent(seed):
    x, W, dY = random(seed, (4, 3), (3, 3), (4, 3))
    np.testing.assert_allclose(
        by_nudging(lambda x: (dY * (x + relu(x @ W - 100))).sum(), x)[0], dY, atol=1e-8
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_the_rule_of_a_norm(seed):
    x, dy, gamma, beta = random(seed, (2, 6), (2, 6), (6,), (6,))
    mu, sigma = x.mean(axis=1, keepdims=True), x.std(axis=1, keepdims=True)
    x_hat, g = (x - mu) / sigma, gamma * dy
    rule = (
        g - g.mean(axis=1, keepdims=True) - x_hat * (g * x_hat).mean(axis=1, keepdims=True)
    ) / sigma
    found = by_nudging(
        lambda x, gamma, beta: (dy * layer_norm(x, gamma, beta, eps=0)).sum(), x, gamma, beta
    )
    for ours, nudged in zip((rule, (dy * x_hat).sum(axis=0), dy.sum(axis=0)), found, strict=True):
        np.testing.assert_allclose(ours, nudged, atol=1e-7)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_jacobian_of_softmax_and_the_sum_that_never_builds_it(seed):
    scores, da = random(seed, (6,), (6,))
    a = softmax(scores)
    J = np.diag(a) - np.outer(a, a)
    np.testing.assert_allclose(a * (da - (a * da).sum()), da @ J, atol=1e-12)
    np.testing.assert_allclose(
        da @ J, by_nudging(lambda s: (da * softmax(s)).sum(), scores)[0], atol=1e-8
    )


def test_a_network_of_the_exercise_is_nudged_at_every_number():
    X, W_1, b_1, W_2, b_2, dY = random(0, (5, 3), (3, 7), (7,), (7, 3), (3,), (5, 3))
    found = by_nudging(
        lambda *arguments: (dY * mine.feed_forward(*arguments)).sum(), X, W_1, b_1, W_2, b_2
    )
    for ours, nudged in zip(
        mine.feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY), found, strict=True
    ):
        np.testing.assert_allclose(ours, nudged, atol=1e-7)


def test_who_forgets_relu_on_the_way_back_is_told_so():
    def answer(X, W_1, b_1, W_2, b_2, dY):
        hidden = np.maximum(0, X @ W_1 + b_1)
        d_hidden, dW_2 = mine.matrix_slopes(hidden, W_2, dY)
        dX, dW_1 = mine.matrix_slopes(X, W_1, d_hidden)
        return dX, dW_1, d_hidden.sum(axis=0), dW_2, dY.sum(axis=0)

    assert diagnose("feed_forward_slopes", answer).mistake == "ReLU forgotten on the way back"


# The small model


def test_every_gradient_of_the_step_is_that_of_nudging(room):
    found = by_nudging(room["loss_of"], room["x"], *room["W"])
    for ours, nudged in zip(
        (room["dY"] + room["through_f"], *room["gradients"]), found, strict=True
    ):
        np.testing.assert_allclose(ours, nudged, atol=1e-8)
    for ours, again in zip(
        room["gradients"], room["gradients_of"](room["x"], room["W"]), strict=True
    ):
        np.testing.assert_allclose(ours, again)


def test_the_loss_falls_as_the_squared_gradients_say_where_steps_are_small(room):
    squares = sum((g**2).sum() for g in room["gradients"])
    losses, _ = room["descend"](room["W"], 1e-5, steps=1)
    assert (losses[0] - losses[1]) / 1e-5 == pytest.approx(squares, rel=1e-3)


def test_with_rate_1_the_units_fall_silent_and_the_loss_falls_by_twice_the_squared_length_of_x(
    room,
):
    losses = np.array(room["curves"]["rate 1"])
    _, W = room["descend"](room["W"], 1, steps=2)
    before, hidden, Y, scores = room["run"](room["x"], *W)
    assert before.max() < 0
    np.testing.assert_array_equal(Y, room["x"])
    np.testing.assert_allclose(softmax(scores) - room["r"], [[0, -1, 1]], atol=1e-6)
    assert np.diff(losses)[[2, 3]] == pytest.approx(-2 * (room["x"] ** 2).sum(), abs=0.01)
    assert losses[:3].tolist() == sorted(losses[:3])
    assert (np.diff(room["curves"]["rate 0.1"]) < 0).all()


# The instrument


def test_the_instrument_is_the_small_model_of_the_notebook_and_has_its_numbers(room):
    it = GradientFlow()
    data, numbers = it.data(), it.numbers
    assert [data["words"], data["right"]] == [room["words"], room["right"]]
    np.testing.assert_array_equal([data["x"]], room["x"])
    for name in ("W_1", "W_2", "W_out"):
        np.testing.assert_array_equal(data["weights"][name], room[name])
        np.testing.assert_allclose(numbers["gradients"][name], room[f"d{name}"])
    for name in ("before", "hidden", "Y", "scores"):
        np.testing.assert_allclose(numbers["values"][name], room[name])
    for name in ("ds", "dY", "d_hidden", "d_before", "through_f"):
        np.testing.assert_allclose(numbers["gradients"][name], room[name])
    np.testing.assert_allclose(numbers["gradients"]["dx"], room["dY"] + room["through_f"])
    assert numbers["loss"] == pytest.approx(room["loss_of"](room["x"], *room["W"]))


@pytest.mark.parametrize("weight", [["W_1", 1, 1], ["W_2", 0, 1], ["W_out", 1, 2]])
@pytest.mark.parametrize("push", [-0.7, 0.6])
def test_the_gradients_of_a_pushed_model_are_those_of_nudging(room, weight, push):
    name, *place = weight
    numbers = GradientFlow(weight=weight, push=push).numbers
    W = {name: room[name].copy() for name in ("W_1", "W_2", "W_out")}
    W[name][*place] += push
    dx, *dW = by_nudging(room["loss_of"], room["x"], *W.values())
    np.testing.assert_allclose(numbers["gradients"]["dx"], dx, atol=1e-8)
    for one, nudged in zip(W, dW, strict=True):
        np.testing.assert_allclose(numbers["gradients"][one], nudged, atol=1e-8)
    assert numbers["curve"][0] == numbers["loss"]
    assert numbers["curve"][-1] == pytest.approx(room["loss_of"](room["x"], *W.values()))


def test_the_plans_pushes_meet_the_challenge_and_the_small_one_is_the_steps_prediction(room):
    kept = [[["W_1", 1, 1], 0.6], [["W_out", 0, 1], 0.1]]
    it = GradientFlow(kept=kept)
    opened, small = it.numbers["kept"]
    assert it.met(it.numbers)
    assert opened["gradient"] == 0 < opened["change"]
    assert opened["switched"] == "unit 1 opened"
    assert small["change"] == pytest.approx(0.1 * room["dW_out"][0, 1], rel=0.02)


def test_of_the_weights_with_gradient_0_only_those_with_an_input_can_move_the_loss():
    """Those of W_2 read a silent unit: no push of them moves anything."""
    for weight in (["W_2", 1, 0], ["W_2", 1, 1]):
        numbers = GradientFlow(weight=weight, push=2.0).numbers
        assert numbers["measured"]["factor"] == numbers["measured"]["gradient"] == 0
        assert numbers["measured"]["change"] == 0
        assert not any(np.any(moved) for moved in numbers["moved"].values())


# What lies deeper


def test_nine_of_ten_starts_learn_exactly_one_of_two(room):
    assert (room["errors"] < 0.01).sum() == 9 == len(room["errors"]) - 1
    assert room["errors"].max() > 0.4


def test_one_sentence_teaches_to_look_for_an_action_and_nothing_else():
    """The walk downhill of the notebook, by the rule instead of by nudging."""
    X = embed(["I", "love", "bears"])
    K, W = X @ W_K, np.zeros((4, 2))
    for _ in range(21):
        a = softmax(X[2] @ W @ K.T)
        W = W - 0.5 * np.outer(X[2], (a - [0, 1, 0]) @ K)
    printed = next(shown(cell) for cell in cells(NAME, "code") if cell.id == "10-co-bears-gradient")
    assert (
        str(W.round(2)[0]).strip("[]").split()
        == printed.splitlines()[-4].replace("[", " ").replace("]", " ").split()
    )
    assert (W[:, 0] > 0.8).all()
    assert (np.abs(W[:, 1]) < 0.2).all()


def test_without_W_Q_each_word_gets_the_same_weight_and_two_nudges_are_enough(room):
    np.testing.assert_allclose(softmax(np.zeros((3, 2)) @ room["K_love"].T), 1 / 3)
    np.testing.assert_allclose(
        room["dW_Q"], by_nudging(room["loss_of_bears"], np.zeros((4, 2)))[0], atol=1e-5
    )


def test_momentum_and_adam_leave_about_a_tenth_of_what_descent_leaves_and_rise_at_times(room):
    curves = room["valley"]
    left = {name.partition(",")[0]: losses[-1] for name, losses in curves.items()}
    assert (np.diff(curves["descent, rate 0.03"]) < 0).all()
    for name in ("momentum", "Adam"):
        assert left[name] / left["descent"] == pytest.approx(0.1, abs=0.03)
        (losses,) = (losses for curve, losses in curves.items() if curve.startswith(name))
        assert (np.diff(losses) > 0).any()


@pytest.mark.parametrize(("rate", "grows"), [(0.039, False), (0.041, True)])
def test_above_a_rate_of_2_by_50_the_steep_number_grows(room, rate, grows):
    losses = room["walk"]("descent", rate, steps=400)
    assert (losses[-1] > losses[200]) == grows


@pytest.mark.parametrize(
    ("gradient", "moved"), [(1e-3, 1), (1.0, 1), (1e6, 1), (1e-8, 0.5), (1e-10, 0.01)]
)
def test_the_first_step_of_adam_is_the_rate_unless_the_gradient_is_as_small_as_its_epsilon(
    gradient, moved
):
    w = np.zeros(1)
    training.Adam([w]).step([np.array([gradient])], 0.01)
    assert w[0] == pytest.approx(-0.01 * moved, rel=0.02)


@pytest.mark.parametrize(
    "turn",
    [np.eye(64), -np.eye(64), np.linalg.qr(np.random.default_rng(1).normal(size=(64, 64)))[0]],
    ids=["as it is", "sign turned", "rotated"],
)
def test_the_exercise_without_dividing_is_the_same_training(turn):
    """Whatever the check takes for right has the same scores after every step."""
    seats = np.random.default_rng(0).normal(size=(2, C5B.T, 64))
    W_Q, W_K, rate = EXERCISES["without_dividing"].reference(*seats, 1.0)
    divided, undivided = list(seats), [W_Q @ turn, W_K @ turn, rate]
    came = EXERCISES["without_dividing"].canonicalise(undivided, [W_Q, W_K, rate])
    assert came[0] is W_Q
    for _ in range(50):
        for scale, W in ((1 / 8, divided), (1, undivided)):
            rate = 1.0 if W is divided else W[2]
            A = softmax(scale * W[0] @ W[1].T)
            dS = scale * A * ((C5B.LEFT * A).sum(axis=1, keepdims=True) - C5B.LEFT)
            W[0], W[1] = W[0] - rate * dS @ W[1], W[1] - rate * dS.T @ W[0]
        np.testing.assert_allclose(
            undivided[0] @ undivided[1].T, divided[0] @ divided[1].T / 8, atol=1e-10
        )
