"""What notebook 06 says in words is computed there; laws of Adam and of the small stack's
gradients."""

import numpy as np
import pytest
from helpers import cells, names_of, shown

from course_utils.instruments import NormExplorer
from course_utils.layers import batch_norm, layer_norm
from course_utils.models.training import (
    Adam,
    new_stack,
    norm_backward,
    norm_forward,
    stack_forward,
    stack_loss,
)

NAME = "06_layer_norm"


@pytest.fixture
def room():
    return names_of(NAME)


def test_the_notebook_s_batch_norm_is_the_course_s(room):
    np.testing.assert_allclose(room["batch_norm"](room["X"]), batch_norm(room["X"]))


def test_the_find_of_the_instrument_is_what_its_folded_answer_says():
    start = NormExplorer.start()

    def moved(**changes):
        before, after = (
            NormExplorer.compute(state)["normed"] for state in (start, start | changes)
        )
        return [
            np.abs(a - b).max() > 1e-3 for a, b in zip(before, after, strict=True)
        ]  # batch, layer, RMS

    assert moved(shift=1.0) == [True, False, True]
    assert moved(stretch=2.0) == [True, False, False]
    assert moved(batch=[True] * len(start["batch"])) == [True, False, False]


def test_one_start_that_is_trained_in_the_notebook_is_told_as_its_picture_shows():
    words = "\n".join(shown(cell) for cell in cells(NAME, "code"))
    assert "post-norm, 0.01 from 3.4 to 3.1" in words
    assert "post-norm, 0.001 from 2.4 to 0." in words


def test_the_small_stacks_norm_is_layer_norm():
    X = np.random.default_rng(0).normal(size=(5, 8))
    np.testing.assert_allclose(norm_forward(X)[0], layer_norm(X))


def test_norm_backward_is_the_slope_of_norm_forward():
    X, dY, step = np.random.default_rng(0).normal(size=(3, 5, 8))
    up, down = (norm_forward(X + s * 1e-5 * step)[0] for s in (1, -1))
    measured = ((up - down) * dY).sum() / 2e-5
    assert (norm_backward(dY, *norm_forward(X)) * step).sum() == pytest.approx(measured, rel=1e-6)


@pytest.mark.parametrize("place", ["pre", "post"])
def test_every_gradient_of_the_stack_agrees_with_a_small_step(place):
    rng = np.random.default_rng(0)
    X, answer, W = rng.normal(size=(6, 8)), rng.integers(5, size=6), new_stack(rng, 4, 8, 5)
    gradients = stack_loss(X, answer, W, place)[1]
    assert [g.shape for g in gradients] == [w.shape for w in W]
    for i, gradient in enumerate(gradients):
        step = 1e-6 * rng.normal(size=W[i].shape)
        up, down = (
            stack_loss(X, answer, [w + s * step if j == i else w for j, w in enumerate(W)], place)[
                0
            ]
            for s in (1, -1)
        )
        assert (gradient * step).sum() == pytest.approx((up - down) / 2, rel=1e-4)


def test_pre_and_post_norm_are_the_formulas():
    rng = np.random.default_rng(0)
    X, W = rng.normal(size=(6, 8)), new_stack(rng, 1, 8, 5)

    def f(Z):
        return np.maximum(Z @ W[0], 0) @ W[1]

    np.testing.assert_allclose(stack_forward(X, W, "pre")[0], layer_norm(X + f(layer_norm(X))))
    np.testing.assert_allclose(stack_forward(X, W, "post")[0], layer_norm(layer_norm(X + f(X))))


def test_adams_first_step_is_the_learning_rate_against_the_gradients_sign():
    w = np.array([1.0, 2.0, 3.0])
    Adam([w]).step([np.array([1e-3, -5.0, 100.0])], 0.1)
    np.testing.assert_allclose(w, [0.9, 2.1, 2.9], rtol=1e-4)


def test_adam_finds_the_bottom_of_a_bowl_and_refuses_other_shapes():
    w = np.array([3.0, -2.0])
    adam = Adam([w])
    for _ in range(500):
        adam.step([2 * w * [1, 100]], 0.05)
    np.testing.assert_allclose(w, 0, atol=1e-2)
    with pytest.raises(ValueError, match="gradients"):
        adam.step([np.zeros(3)], 0.1)
