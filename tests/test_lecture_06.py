"""What notebook 06 says in words is computed there; laws of Adam and of the small stack's gradients."""

import numpy as np
import pytest
from helpers import cells, names_of, prose, script, shown

from course_utils.exercises import EXERCISES
from course_utils.instruments import NormExplorer
from course_utils.layers import batch_norm, layer_norm, rms_norm
from course_utils.models.training import Adam, new_stack, norm_backward, norm_forward, stack_forward, stack_loss

NAME = "06_layer_norm"
CATCH = EXERCISES["catch_layer_norm"]


@pytest.fixture
def room():
    return names_of(NAME)


# {a sentence of the notebook: what it says, computed from the notebook's own names}
SAID = {
    "1 and 1 make 2. The standard deviation, its root, is 1.41": lambda n: np.allclose(np.square(n["spreads"][:3]), [1, 2, 4], rtol=0.05),
    "a factor of $\\sqrt 2$, 32 times, is $2^{16} = 65{,}536$":
        lambda n: 2**16 == 65536 == pytest.approx(n["spreads"][32], rel=0.05),
    "with inputs of size 1, of size .01, or one of each": lambda n: list(n["sizes"].values()) == [[1, 1], [0.01, 0.01], [1, 0.01]],
    "For *unequal* ones no rate is right": lambda n: all(steps(n, [1, 0.01], 10.0**e) == "never" for e in np.arange(-2, 3.1, 0.5)),
    "Small inputs need another rate, that is all": lambda n: steps(n, [0.01, 0.01], 1000) == steps(n, [1, 1], 0.1),
    "its slope at the answer is the error, $0 - 1$": lambda n: n["slope"] == 0.01 * (0 - 1) and n["goal"] == 100,
    "from the norm over all 6,400": lambda n: n["tokens"].shape == (6400, 8),
    "\"bears\" and \"the\" had three equal features and one lower: now they are the same":
        lambda n: np.allclose(n["normed"][0], n["normed"][2], atol=1e-3),
    "Centred first, the token becomes what layer norm makes of it": lambda n: np.allclose(rms_norm(n["won"] - n["won"].mean()), layer_norm(n["won"])),
    "and at least six of them break": lambda n: (CATCH.enough, len(CATCH.planted)) == (6, 7),
    "Its largest number is 65,504": lambda n: np.finfo(np.float16).max == 65504,
    "From 256 on, squares are infinite in float16": lambda n: overflows(256) and not overflows(255.9),
    "Our growing stream was there after 16 layers": lambda n: n["spreads"][15] < 256 < n["spreads"][16],
    "20 words of 64 numbers": lambda n: n["vectors"].shape == (20, 64),
    "Twelve layers, a norm and a last matrix": lambda n: len(n["W"]) == 2 * 12 + 1,
    "guessing gives $\\log 20 \\approx 3.0$": lambda n: round(np.log(20), 1) == 3.0,
    "At rate .01 post-norm ends up guessing. With small steps it learns.":
        lambda n: n["curves"]["post-norm, 0.01"][-1] > 2.9 and n["curves"]["post-norm, 0.001"][-1] < 0.2,
    "ends below a loss of .2": lambda n: script("starts/F5.py").LEARNT == 0.2,
    "A warm-up helped; a longer one not always more":
        lambda n: 0 == post(n, "0 of 400") < post(n, "60 of 400") < post(n, "200 of 400") > post(n, "800 of 1000"),
    "Up to $c \\cdot \\text{rate} = .003$ nine starts or all learn, from .009 on none": lambda n: the_product_decides(n["k"]),
    "Pre-norm bears the rate .03": lambda n: n["k"]["rate 0.03, layers times 1.0: pre"] == n["k"]["starts"],
    "In its growing stream each layer is an ever smaller part": lambda n: layers_shrink(n),
    "Layers that only *start* smaller do not help": lambda n: n["k"][n["small"]] == 0,
}


def steps(n, size, rate):
    with np.errstate(all="ignore"):
        return n["steps_to_learn"](n["unit"] * size, rate)


def overflows(number):
    with np.errstate(over="ignore"):
        return np.isinf(np.float16(number) * np.float16(number))


def post(n, schedule):
    return n["k"][f"post, 0.01, {schedule}"]


def the_product_decides(k):
    """Of the stored pairs of part and rate, all up to a product of .003 learn from nine starts or more, all above from none."""
    pairs = [(part, rate) for part in (1.0, 0.3, 0.1) for rate in (0.003, 0.01, 0.03)]
    assert min(part * rate for part, rate in pairs if part * rate > 0.0031) == pytest.approx(0.009)
    return all((9 if part * rate < 0.0031 else 0) <= k[f"rate {rate}, layers times {part}: post"] <= (10 if part * rate < 0.0031 else 0)
               for part, rate in pairs)


def layers_shrink(n):
    """In an untrained pre-norm stack: what a layer adds, beside the stream that it is added to, becomes less from the first layer to the last."""
    tape = stack_forward(n["x"], n["W"], "pre")[2]
    shares = [np.linalg.norm(hidden @ W_2) / np.linalg.norm(X) for (_, hidden, X, _), W_2 in zip(tape, n["W"][1:24:2], strict=True)]
    return shares[-1] < 0.6 * shares[0] and np.polyfit(range(12), shares, 1)[0] < 0


@pytest.mark.parametrize("sentence", SAID)
def test_what_the_text_says_is_so(room, sentence):
    assert sentence in prose(NAME)
    assert SAID[sentence](room)


def test_the_notebook_s_batch_norm_is_the_course_s(room):
    np.testing.assert_allclose(room["batch_norm"](room["X"]), batch_norm(room["X"]))


def test_the_find_of_the_instrument_is_what_its_folded_answer_says():
    start = NormExplorer.start()
    def moved(**changes):
        before, after = (NormExplorer.compute(state)["normed"] for state in (start, start | changes))
        return [np.abs(a - b).max() > 1e-3 for a, b in zip(before, after, strict=True)]       # batch, layer, RMS
    assert moved(shift=1.0) == [True, False, True]
    assert moved(stretch=2.0) == [True, False, False]
    assert moved(batch=[True] * len(start["batch"])) == [True, False, False]


def test_what_the_hand_left_is_normed_by_the_next_cell(room):
    cell = next(cell for cell in cells(NAME, "code") if "explorer.state" in cell.source)
    names = room | {"explorer": NormExplorer(shift=1.0, stretch=2.0)}
    exec(cell.source, names)
    np.testing.assert_allclose(names["left"][0], 2 * room["won"] + 1)


def test_one_start_that_is_trained_in_the_notebook_is_told_as_its_picture_shows():
    words = "\n".join(shown(cell) for cell in cells(NAME, "code"))
    assert "post-norm, 0.01 from 3.4 to 3.1" in words
    assert "post-norm, 0.001 from 2.2 to 0." in words


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
        up, down = (stack_loss(X, answer, [w + s * step if j == i else w for j, w in enumerate(W)], place)[0] for s in (1, -1))
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
