"""Laws of notebook 08's task and its pictures."""

import numpy as np
import pytest

from course_utils.figures import maps
from course_utils.models.position_task import N_VOCAB, D, forward, loss_and_gradients, start, train
from course_utils.positions import rotary_angles

# The task

def position_model(seed=0, T=12):
    rng = np.random.default_rng(seed)
    return rng.integers(N_VOCAB, size=(3, T)), [0.3 * rng.normal(size=(T, D)), *start(rng)], rotary_angles(np.arange(T), D)


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
    weights = [forward(tokens, zero, *rotary_angles(np.arange(start, start + 12), D), *W)[4] for start in (0, 30)]
    np.testing.assert_allclose(weights[0], weights[1], atol=1e-12)
    changed = tokens.copy()
    changed[:, -1] = (changed[:, -1] + 1) % N_VOCAB
    P = [forward(t, zero, *rotary_angles(np.arange(12), D), *W)[-1][:, :-1] for t in (tokens, changed)]
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
    assert figure.description == "row by column. a table: 2 × 2 numbers from -0.25 to 1.00, mean 0.31."
    figure.canvas.draw()
