"""What notebook 08 says of clocks, turns and kinks is so beyond what its cells print; laws of its
task and of its pictures."""

import numpy as np
import pytest
from helpers import names_of, script

from course_utils.attention import softmax
from course_utils.data.grammar import LONGEST, NOUNS, encode, next_probabilities, verbs
from course_utils.figures import clocks, maps
from course_utils.instruments import SinusoidFrequencies, TurningArrows
from course_utils.models.position_task import (
    N_VOCAB,
    D,
    accuracy,
    forward,
    loss_and_gradients,
    start,
    train,
)
from course_utils.positions import rotary_angles, sinusoidal_positional_encoding

NAME = "08_positional_encoding"


@pytest.fixture
def room():
    return names_of(NAME)


def numbers(instrument, **moved):
    """What an instrument computes when some of its opening state was moved."""
    return instrument.compute({**instrument.start(), **moved})


def best_offset(key, offsets):
    """The offset at which the query of TurningArrows, turned, scores this key highest."""
    there = [
        numbers(TurningArrows, k=key, m=max(offset, 0), n=max(-offset, 0))["score"]
        for offset in offsets
    ]
    return offsets[int(np.argmax(there))]


def ahead(angle):
    """A key that points `angle` radians ahead of the query, before they are turned."""
    a, b = TurningArrows.start()["q"]
    cos, sin = np.cos(angle), np.sin(angle)
    return [a * cos - b * sin, a * sin + b * cos]


def turned_score(n, i, j):
    return n["turn"](n["q"], i) @ n["turn"](n["k"], j)


def score_with_R(n, i, j):
    """The score of "bears" at i with "love" at j where R was added, and its term of two
    positions."""
    R, W_Q, W_K = n["R_4"], n["data"].W_Q, n["data"].W_K
    return (n["bears"] + R[i]) @ W_Q @ ((n["love"] + R[j]) @ W_K), R[i] @ W_Q @ (R[j] @ W_K)


def named(model, silent=()):
    """The share of words that a model names at each position, with these columns of R silent beyond
    the trained 16."""
    R = model[0].copy()
    R[16:, list(silent)] = 0
    return accuracy((R, *model[1:]))


def test_the_dot_product_of_two_rows_stands_still_where_the_instrument_says():
    began = numbers(SinusoidFrequencies)["product"]
    moved = [
        numbers(SinusoidFrequencies, i=12 + step, j=21 + step)["product"] for step in (-12, 3.5, 42)
    ]
    other = [numbers(SinusoidFrequencies, i=12 + step)["product"] for step in (-5, 3, 20)]
    assert np.abs(np.array(other) - began).min() > 0.05
    np.testing.assert_allclose([*moved, numbers(SinusoidFrequencies, i=21, j=12)["product"]], began)


def test_the_best_offsets_of_the_turning_arrows_are_those_that_the_text_gives():
    assert best_offset(TurningArrows.start()["k"], np.arange(-60, 61) / 10) == 0.6
    assert best_offset(TurningArrows.start()["k"], range(-11, 12)) == 1
    assert best_offset(ahead(3 * TurningArrows.start()["speed"]), range(-11, 12)) == 3


def test_love_scores_bears_alike_in_every_order_and_the_mean_of_the_outputs_stays(room):
    X, attend, order = room["sentence"], room["attend"], [2, 1, 0]
    np.testing.assert_allclose(attend(X[order]), attend(X)[order])
    assert not np.allclose(attend(X[order]), attend(X))


def test_rows_near_each_other_are_alike_and_far_ones_less_but_not_steadily(room):
    products = room["wide"] @ room["wide"][0]
    assert (np.diff(products[:4]) < 0).all()
    assert (np.diff(products) > 0).any()
    assert products[1] == products[1:].max()


def test_a_score_with_added_rows_depends_on_more_than_the_offset_and_a_turned_one_does_not(room):
    assert np.ptp([score_with_R(room, i, i - 1)[0] for i in (2, 12, 22)]) > 3
    assert np.ptp([score_with_R(room, i, i - 1)[1] for i in (2, 12, 22)]) > 3
    assert np.ptp([room["R_4"][i] @ room["R_4"][i - 1] for i in (2, 12, 22)]) < 1e-12
    without_matrices = [
        (room["bears"] + room["R_4"][i]) @ (room["love"] + room["R_4"][i - 1]) for i in (2, 12, 22)
    ]
    assert np.ptp(without_matrices) > 3  # the words alone spoil it, too
    assert np.ptp([turned_score(room, i, i - 1) for i in (2, 12, 22)]) < 1e-12
    assert abs(turned_score(room, 2, 1) - turned_score(room, 1, 2)) > 1


def test_44_is_the_whole_number_of_positions_after_which_clock_0_stands_almost_as_before():
    off = np.abs(np.angle(np.exp(1j * np.arange(1, 64))))
    assert off.argmin() + 1 == 44
    assert np.sort(off)[1] > 5 * off.min()


def test_three_of_four_ways_learn_the_task_and_the_table_stays_random_beyond_the_trained_rows(room):
    shares = {way: row[:15].mean() for way, row in room["right"].items()}
    assert shares.pop("no positions") < 0.5
    assert min(shares.values()) > 0.98
    np.testing.assert_array_equal(room["models"]["learned table"][0][16:], room["table"][16:])


def test_the_kink_of_the_sinusoids_needs_both_fast_clocks(room):
    model = room["models"]["sinusoidal"]
    at_59 = [named(model, silent)[58] for silent in ((), (0, 1), (2, 3), (16, 17))]
    assert min(at_59[0], at_59[3]) > 0.35
    assert max(at_59[1:3]) < 0.25


def test_the_kinks_of_the_shown_start_stand_where_seven_turns_put_them(room):
    right = room["right"]
    assert right["sinusoidal"][18:].argmax() + 19 == 59
    assert right["RoPE"][44:49].mean() < right["RoPE"][39:44].mean() - 0.05


def test_the_same_words_with_the_same_last_one_begin_sentences_whose_verbs_differ_so_a_bag_of_words_has_to_toss_a_coin():  # noqa: E501
    order_prompts, none = (
        script("make_starts.py").load("G1").order_prompts,
        np.zeros((0, LONGEST), dtype=int),
    )
    every, subjects = order_prompts(np.random.default_rng(0), 4 * len(NOUNS) ** 3, none)
    told = [
        every.index(encode(f"the {one} near the {other} near the cat"))
        for one, other in (("dogs", "fox"), ("fox", "dogs"))
    ]
    assert subjects[told].tolist() == [1, 0]  # dogs run, the fox runs
    bags = {}
    for tokens, number in zip(every, subjects.tolist(), strict=True):
        assert next_probabilities(tokens)[verbs(number)].sum() == pytest.approx(1)
        bags.setdefault((*sorted(tokens), tokens[-1]), []).append(number)
    assert all(np.mean(numbers) == 0.5 for numbers in bags.values())


def test_the_words_of_the_first_sum_are_those_of_notebook_02(room):
    values = room["sentence"] @ room["data"].W_V
    np.testing.assert_allclose([*room["value"].values()], values)


def test_the_weights_of_the_first_sum_are_those_of_love(room):
    W_Q, W_K = room["data"].W_Q, room["data"].W_K
    scores = room["sentence"][1] @ W_Q @ (room["sentence"] @ W_K).T / np.sqrt(2)
    assert softmax(scores).round(2).tolist() == [0.26, 0.3, 0.43]


def test_clocks_say_where_their_hands_stand():
    R = sinusoidal_positional_encoding(3, 4, base=4)
    figure = clocks(R)
    assert (
        figure.description
        == "At the positions 0 to 2 clock 0 stands at 0°, 57°, 115°; clock 1 stands at 0°, 29°,"
        " 57°."
    )
    hands = [line.get_xydata() for line in figure.axes[0].lines if len(line.get_xydata()) == 2]
    tips = (
        np.array([end - begin for begin, end in hands]) * [1, -1] / 0.7
    )  # up is up, though the axis counts downwards
    np.testing.assert_allclose(tips.reshape(2, 3, 2), R.reshape(3, 2, 2).swapaxes(0, 1))
    figure.canvas.draw()


# The task


def position_model(seed=0, T=12):
    rng = np.random.default_rng(seed)
    return (
        rng.integers(N_VOCAB, size=(3, T)),
        [0.3 * rng.normal(size=(T, D)), *start(rng)],
        rotary_angles(np.arange(T), D),
    )


@pytest.mark.parametrize("which", range(4), ids=["R", "W_Q", "W_K", "W_V"])
def test_the_gradients_of_the_position_task_are_those_of_its_loss(which):
    tokens, parameters, angles = position_model()
    step = 1e-5 * np.random.default_rng(1).normal(size=parameters[which].shape)

    def loss(sign):
        R, *W = [p + sign * step if i == which else p for i, p in enumerate(parameters)]
        return loss_and_gradients(tokens, R, *angles, *W)[0]

    gradient = loss_and_gradients(tokens, parameters[0], *angles, *parameters[1:])[1][which]
    assert (loss(1) - loss(-1)) / 2 == pytest.approx((gradient * step).sum(), rel=1e-6)


def test_the_head_sees_no_future_and_with_rope_only_offsets():
    tokens, (_, *W), _ = position_model(T=12)
    zero = np.zeros((12, D))
    weights = [
        forward(tokens, zero, *rotary_angles(np.arange(start, start + 12), D), *W)[4]
        for start in (0, 30)
    ]
    np.testing.assert_allclose(weights[0], weights[1], atol=1e-12)
    changed = tokens.copy()
    changed[:, -1] = (changed[:, -1] + 1) % N_VOCAB
    P = [
        forward(t, zero, *rotary_angles(np.arange(12), D), *W)[-1][:, :-1]
        for t in (tokens, changed)
    ]
    np.testing.assert_array_equal(*P)


def test_training_touches_only_the_first_rows_and_leaves_its_arguments():
    R = np.random.default_rng(0).normal(size=(20, D))
    before = R.copy()
    still = np.ones((20, D // 2)), np.zeros((20, D // 2))
    losses, (learned, *_) = train(R, *still, learn_R=True, T=8, steps=5)
    assert len(losses) == 5
    np.testing.assert_array_equal(R, before)
    assert (learned != R).any(axis=1).tolist() == [True] * 8 + [False] * 12


def test_maps_puts_size_range_and_mean_in_words():
    figure = maps({"a table": np.array([[0.0, 0.5], [1.0, -0.25]])}, "column", "row")
    assert (
        figure.description == "row by column. a table: 2 × 2 numbers from -0.25 to 1.00, mean 0.31."
    )
    figure.canvas.draw()
