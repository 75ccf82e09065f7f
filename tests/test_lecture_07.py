"""What notebook 07 says of units, of the block and of its machine is so beyond what its cells
print; laws of its training and of its drawings."""

import json

import numpy as np
import pytest
from helpers import ROOT, cells, names_of, prose, shown

from course_utils import layers
from course_utils.cards.look import DEEPEST
from course_utils.exercises import diagnose, mine
from course_utils.figures import encoder_decoder, machine, residual_stream
from course_utils.models import two_relations
from course_utils.models.expert_training import slopes_agree

NAME = "07_transformer_block"


@pytest.fixture
def room():
    return names_of(NAME)


def scores(n, X):
    """The products before the softmax of the notebook's attention."""
    logs = np.log(n["weights"](X))
    return logs - logs[:, :1]


# {a sentence of the notebook: what it says, computed from the notebook's own names}
SAID = {
    'For "love" it **fires**; for the others it is **silent**': lambda n: (
        (n["hidden"][:, 0] > 0).tolist() == [False, True, False]
    ),
    'Only the first unit fires, for "love" alone': lambda n: (
        (n["hidden"] > 0).tolist() == [[False, False], [True, False], [False, False]]
    ),
    "It writes its row of $W_2$, 1.1 times": lambda n: np.allclose(
        n["hidden"][1] @ n["W_2"], 1.1 * n["W_2"][0]
    ),
    "a matrix with a bias gives the mean of its outputs for both words. The unit gives 0.2; its mean is 0.55": lambda n: (  # noqa: E501
        np.allclose(
            n["halfway"] @ n["W_1"] + n["b_1"], (n["X_3"][:2] @ n["W_1"] + n["b_1"]).mean(axis=0)
        )
        and np.isclose(max(0, (n["halfway"] @ n["W_1"] + n["b_1"])[0]), 0.2)
        and np.isclose(n["hidden"][:2, 0].mean(), 0.55)
    ),
    "(With biases: one matrix and one bias.)": lambda n: np.allclose(
        (n["X_3"] @ n["W_1"] + n["b_1"]) @ n["W_2"], n["X_3"] @ n["W"] + n["b_1"] @ n["W_2"]
    ),
    "A value is a fixed matrix times a token. So only the weights decide, and a weight multiplies all features of a value equally": lambda n: (  # noqa: E501
        np.allclose(
            n["attention"](n["X"] + n["Z"], n["weights"](n["X"])),
            sum(n["attention"](Y, n["weights"](n["X"])) for Y in (n["X"], n["Z"])),
        )
    ),
    '"bears" hears sport from its verb': lambda n: (
        n["heard"][0].argmax() == 2 and n["weights"](n["normed"])[0].argmax() == 1
    ),
    "Normed again, its sport plus action is above 1.5, so the second unit fires and adds a little more": lambda n: (  # noqa: E501
        0 < n["thought"][0, 2] < 0.5 and n["layers"].layer_norm(n["Z"])[0, 2:].sum() > 1.5
    ),
    '"the" gets the same': lambda n: all(
        np.allclose(n[added][0], n[added][2], atol=1e-3) for added in ("heard", "thought")
    ),
    "the two still differ by 0.5": lambda n: np.allclose(
        n["stream"]["output"][0] - n["stream"]["output"][2], 0.5, atol=1e-3
    ),
    "The stream's standard deviation grows": lambda n: (
        n["tape"]["after 12 blocks"].std() > 2 * n["tape"]["X"].std()
    ),
    "So a last norm stands before the head": lambda n: abs(n["tape"]["Y"].std() - 1) < 1e-3,
    "all of it is heard": lambda n: moved(n, original=0) == moved(n, original=4) == [5, 3],
    "What is written hears itself and its past": lambda n: (
        [moved(n, written=i)[1] for i in (0, 1, 2)] == [3, 2, 1]
    ),
    "Nothing goes back to the encoder": lambda n: (
        [moved(n, written=i)[0] for i in (0, 1, 2)] == [0, 0, 0]
    ),
    "A score is a product of two doubled vectors: four times as large": lambda n: np.allclose(
        scores(n, 2 * n["X"]), 4 * scores(n, n["X"])
    ),
    "A head can decide within a token, too": lambda n: (
        n["clear"] > 0.99 and ((n["arrives"] > 0.5) == (n["above"] > 0)).all()
    ),
    "Two units do it": lambda n: n["by_hand"][:, 0].tolist() == n["goal"].tolist(),
}


def moved(n, original=None, written=None):
    """How many rows of encoder and decoder move when one word of the two texts is changed."""
    texts = [n["original"].copy(), n["written"].copy()]
    for words, place in zip(texts, (original, written), strict=True):
        if place is not None:
            words[place] = 0
    return n["rows_moved"](*texts)


@pytest.mark.parametrize("sentence", SAID)
def test_what_the_text_says_is_so(room, sentence):
    assert sentence in prose(NAME)
    assert SAID[sentence](room)


def test_only_under_the_mask_the_words_before_the_changed_one_stay():
    [cell] = [cell for cell in cells(NAME, "code") if cell.id == "07-co-eight-blocks"]
    rows = [
        line.replace("[", " ").replace("]", " ").split()
        for line in shown(cell).splitlines()
        if " moved by " in line
    ]
    assert len(rows) == 8
    for mask, *_, first, second, third, last in rows:
        assert float(last) > 0.1
        assert ({first, second, third} == {"0."}) == (mask == "causal")


def test_what_the_predictions_say_with_numbers_is_so(room):
    told = json.loads(
        (ROOT / "course_utils/cards/predictions/07_transformer_block.json").read_text(
            encoding="utf-8"
        )
    )
    assert "in X they differ by a shift, 0.5 in each feature" in told["skip"]["options"][2]["why"]
    np.testing.assert_allclose(room["X"][0] - room["X"][2], 0.5)
    assert "with 64 units" in told["readout"]["question"]
    assert "sums of the 16 that the head sends" in told["readout"]["options"][1]["why"]
    assert room["start"][3].shape == (1, 16, 64)


# One head and its readers


def heads(n_units):
    X, _, answers = two_relations.sentences(np.random.default_rng(0), 3)
    return two_relations.new_heads([0, 1], n_units), X, answers


@pytest.mark.parametrize("n_units", [0, 8], ids=["linear readout", "units"])
@pytest.mark.parametrize("relu", [True, False])
@pytest.mark.parametrize("n_heads", [1, 2])
def test_the_gradients_of_heads_and_their_readers_are_those_of_the_loss(n_units, relu, n_heads):
    W, X, answers = heads(n_units)
    assert slopes_agree(
        lambda W: two_relations.loss_and_gradients(W, n_heads, X, answers, relu=relu),
        W,
        np.random.default_rng(1),
    )


def test_without_relu_the_units_are_a_linear_readout_and_with_it_they_are_none():
    W, X, _ = heads(8)
    one_matrix = two_relations.forward([*W[:3], W[3] @ W[4]], 1, X)[-1]
    np.testing.assert_allclose(two_relations.forward(W, 1, X, relu=False)[-1], one_matrix)
    assert np.abs(two_relations.forward(W, 1, X)[-1] - one_matrix).max() > 0.01


def test_the_same_start_serves_heads_with_units_and_without():
    for plain, read in zip(
        two_relations.new_heads([3])[:3], two_relations.new_heads([3], 64)[:3], strict=True
    ):
        np.testing.assert_array_equal(plain, read)


# Units


def test_no_matrix_with_a_bias_says_exactly_one_of_two_for_each_gives_to_both_corners_the_same(
    room,
):
    rng, I = np.random.default_rng(0), room["I"]
    for given in I @ rng.normal(size=(20, 2, 1)) + rng.normal(size=(20, 1, 1)):
        assert given[0] + given[3] == pytest.approx(given[1] + given[2])
    assert room["goal"][0] + room["goal"][3] != room["goal"][1] + room["goal"][2]


def test_norm_and_network_carry_nothing_from_token_to_token_and_attention_does(room):
    X, p = room["X"], room["p"]
    other = X.copy()
    other[3] = X[3, ::-1]
    alone = (
        layers.layer_norm,
        lambda Y: mine.feed_forward(Y, p["W_1"], p["b_1"], p["W_2"], p["b_2"]),
    )
    for step in alone:
        np.testing.assert_array_equal(step(X)[:3], step(other)[:3])
    assert not np.allclose(
        layers.transformer_block(X, p, 2)[:3], layers.transformer_block(other, p, 2)[:3]
    )


# The exercise on gradients, which lecture 10 teaches


def test_slopes_back_through_the_network_are_those_of_nudging():
    rng = np.random.default_rng(0)
    arguments, dY = (
        [rng.normal(size=shape) for shape in [(5, 3), (3, 7), (7,), (7, 3), (3,)]],
        rng.normal(size=(5, 3)),
    )

    def loss(*given):
        return (dY * mine.feed_forward(*given)).sum()

    for k, slopes in enumerate(mine.feed_forward_slopes(*arguments, dY)):
        for i in np.ndindex(slopes.shape):
            nudged = [a.copy() for a in arguments]
            nudged[k][i] += 1e-6
            assert (loss(*nudged) - loss(*arguments)) / 1e-6 == pytest.approx(slopes[i], abs=1e-4)


def test_a_slip_in_the_build_is_called_by_its_name():
    def answer(X, W_1, b_1, W_2, b_2, dY):
        hidden = np.maximum(0, X @ W_1 + b_1)
        d_hidden, dW_2 = mine.matrix_slopes(hidden, W_2, dY)
        dX, dW_1 = mine.matrix_slopes(X, W_1, d_hidden)
        return dX, dW_1, d_hidden.sum(0), dW_2, dY.sum(0)

    assert diagnose("feed_forward_slopes", answer).mistake == "ReLU forgotten on the way back"


# The drawings


def test_residual_stream_says_every_table_and_uses_one_colour_scale():
    X, added = np.arange(6.0).reshape(2, 3), np.ones((2, 3))
    figure = residual_stream(
        {"X": X, "output": X + added}, {"adds": added}, ["a", "b"], ["f", "g", "h"]
    )
    assert all(
        f"{title} (token by feature)" in figure.description for title in ("X", "output", "adds")
    )
    depths = {
        (text.get_text(), cell.get_facecolor()[3])
        for axes in figure.axes
        for text, cell in zip(axes.texts, axes.patches, strict=True)
    }
    assert {text: round(depth / DEEPEST, 3) for text, depth in depths} == {
        f"{value:.2f}": round(value / 6, 3) for value in (0.0, *range(1, 7))
    }
    assert len(depths) == 7
    figure.canvas.draw()


def written(figure):
    return [drawn.get_text() for drawn in figure.axes[0].texts if drawn.get_text()]


def test_the_machine_is_drawn_with_its_shapes_and_one_of_its_blocks():
    figure = machine()
    assert [name.replace("\n", " ") for name in written(figure)[:16:2]] == [
        "text",
        "ids",
        "vectors + positions",
        "N blocks",
        "norm",
        "head",
        "softmax",
        "word",
    ]
    assert written(figure)[1:16:2] == [
        "T words",
        "(T,)",
        "(T, D)",
        "(T, D)",
        "(T, D)",
        "(T, n_vocab)",
        "(n_vocab,)",
        "1 word",
    ]
    assert written(figure).count("norm") == 3
    assert all(shape in figure.description for shape in written(figure)[1:16:2])


def test_encoder_and_decoder_differ_in_the_mask_and_in_who_is_asked():
    names = written(encoder_decoder())
    assert (
        names.count("attention")
        == names.count("masked attention")
        == names.count("cross-attention")
        == 1
    )
    assert names.count("feed-forward") == 2
    assert names.count("add, norm") == 5
    assert {
        "weights\n($T_q$, $T_{kv}$)",
        "weights\n($T_q$, $T_q$)",
        "weights\n($T_{kv}$, $T_{kv}$)",
        "K, V",
        "Q",
        "head",
        "softmax",
    } <= set(names)


@pytest.mark.parametrize("draw", [machine, encoder_decoder])
def test_no_words_of_a_drawing_lie_on_each_other_or_outside(draw):
    figure = draw()
    figure.canvas.draw()
    boxes = [drawn.get_window_extent() for drawn in figure.axes[0].texts if drawn.get_text()]
    width, height = figure.canvas.get_width_height()
    for i, box in enumerate(boxes):
        assert box.x0 >= 0
        assert box.x1 <= width
        assert 0 <= box.y0 < box.y1 <= height
        assert not any(box.overlaps(other) for other in boxes[:i])
