"""What notebook 07 says in words is computed there; laws of its chain; its drawings of the stream, the machine, encoder and decoder."""

import json

import numpy as np
import pytest
from helpers import ROOT, cells, names_of, prose, shown

from course_utils.cards.look import DEEPEST
from course_utils.data.chain import CHAIN, PROMPT, STEPS, VOCABULARY, next_log_probs, text
from course_utils.decoding import beam_search, greedy
from course_utils.exercises import diagnose, mine
from course_utils.figures import encoder_decoder, machine, residual_stream
from course_utils.instruments import DecodingTree

NAME = "07_transformer_block"


@pytest.fixture
def room():
    return names_of(NAME)


def scores(n, X):
    """The products before the softmax of the notebook's attention."""
    logs = np.log(n["weights"](X))
    return logs - logs[:, :1]


def bring(width):
    """What a beam of this width finds."""
    return text(beam_search(next_log_probs, PROMPT, STEPS, width)[0][0])


# {a sentence of the notebook: what it says, computed from the notebook's own names}
SAID = {
    "A score is a product of two doubled vectors: four times as large": lambda n: np.allclose(scores(n, 2 * n["X"]), 4 * scores(n, n["X"])),
    'For "love" it **fires**; for the others it is **silent**': lambda n: (n["hidden"][:, 0] > 0).tolist() == [False, True, False],
    "The unit writes its row of $W_2$, 1.1 times": lambda n: np.allclose(n["hidden"][1] @ n["W_2"], 1.1 * n["W_2"][0]),
    '"bears" hears sport from its verb': lambda n: n["heard"][0].argmax() == 2 and n["weights"](n["normed"])[0].argmax() == 1,
    "Normed, its sport is above 1.5. That alone makes the second unit fire, and add a little more":
        lambda n: 0 < n["thought"][0, 2] < 0.5 and n["layers"].layer_norm(n["Z"])[0, 2] > 1.5 and n["layers"].layer_norm(n["Z"])[0, 3] < 0,
    'Normed, "bears" and "the" are the same': lambda n: np.ptp(n["normed"][[0, 2]], axis=0).max() < 1e-3 < np.ptp(n["X"][[0, 2]]),
    'its column is 1.5 times the features of "love"': lambda n: np.allclose(n["dW_1"][:, 0], 1.5 * n["X_3"][1]),
    "The second is silent for all three words, and learns nothing": lambda n: not n["hidden"][:, 1].any() and not n["dW_1"][:, 1].any(),
    'Through the network nothing comes back to "I" and "bears"': lambda n: not n["dX"][[0, 2]].any() and n["dX"][1].any(),
    "Nine of ten starts learn it": lambda n: (n["errors"] < 0.01).sum() == 9 and len(n["errors"]) == 10,
    "every unit went silent for all four inputs": lambda n: (n["firing"] == 0).tolist() == (n["errors"] > 0.01).tolist(),
    "it stays at 0.5, the best without units": lambda n: np.allclose([n["errors"].max(), np.abs(n["best"] - n["goal"]).max()], 0.5),
    "The stream's spread (standard deviation) grows": lambda n: n["tape"]["after 12 blocks"].std() > 2 * n["tape"]["X"].std(),
    "So a last norm stands before the head": lambda n: abs(n["tape"]["Y"].std() - 1) < 1e-3,
    "all of it is heard": lambda n: moved(n, original=0) == moved(n, original=4) == [5, 3],
    "What is written hears itself and its past": lambda n: [moved(n, written=i)[1] for i in (0, 1, 2)] == [3, 2, 1],
    "Nothing goes back to the encoder": lambda n: [moved(n, written=i)[0] for i in (0, 1, 2)] == [0, 0, 0],
    "The best beginning need not begin the best text": lambda n: text(greedy(next_log_probs, PROMPT, 1)) not in bring(8),
    'Three: "hear" comes third, and only then "bees" with 0.95': lambda n: [bring(w)[-4:] == "bees" for w in (1, 2, 3)] == [False, False, True],
    "Cold sampling becomes greedy, not best": lambda n: n["names"][n["most"]] == "won games" and n["temperature"] == 0.05,
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
    rows = [line.replace("[", " ").replace("]", " ").split() for line in shown(cell).splitlines() if " moved by " in line]
    assert len(rows) == 8
    for mask, *_, first, second, third, last in rows:
        assert float(last) > 0.1
        assert ({first, second, third} == {"0."}) == (mask == "causal")


def test_what_the_predictions_say_with_numbers_is_so(room):
    told = json.loads((ROOT / "course_utils/cards/predictions/07_transformer_block.json").read_text(encoding="utf-8"))
    assert "0.33 · 0.55 = 0.18 is more than 0.45 · 0.28 = 0.13" in told["greedy"]["options"][1]["why"]
    assert [CHAIN["bears"]["love"], CHAIN["love"]["honey"], CHAIN["bears"]["won"], CHAIN["won"]["games"]] == [0.33, 0.55, 0.45, 0.28]
    assert "adds up −0.3" in told["silent"]["question"]
    assert "is −3" in told["silent"]["question"]
    np.testing.assert_allclose([room["before"][2, 0] if isinstance(room["before"], np.ndarray) else -0.3, room["d_hidden"][2, 0]], [-0.3, -3])


def test_the_slopes_of_the_notebook_are_those_of_the_exercise(room):
    slopes = mine.feed_forward_slopes(room["X_3"], room["W_1"], room["b_1"], room["W_2"], room["b_2"], room["dY"])
    for got, wanted in zip(slopes, (room["dX"], room["dW_1"], room["d_before"].sum(axis=0), room["dW_2"]), strict=False):
        np.testing.assert_allclose(got, wanted)


def test_slopes_back_through_the_network_are_those_of_nudging():
    rng = np.random.default_rng(0)
    arguments, dY = [rng.normal(size=shape) for shape in [(5, 3), (3, 7), (7,), (7, 3), (3,)]], rng.normal(size=(5, 3))
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


# The find, the chain and the drawings

def test_the_find_is_found_in_the_tree():
    found = [DecodingTree.compute(DecodingTree.start() | {"beam_width": width, "temperature": t}) for width in (1, 2, 3) for t in (0.5, 1.0)]
    assert [n["best"] == n["likeliest"] for n in found] == [False] * 4 + [True] * 2
    assert found[0]["kept"] == found[1]["kept"]


def test_the_chain_is_one_of_probabilities_and_every_word_stands_once():
    assert all(sum(following.values()) == pytest.approx(1) for following in CHAIN.values())
    assert len(VOCABULARY) == len(set(VOCABULARY)) == 1 + 3 + 8
    for word in CHAIN:
        assert np.exp(next_log_probs([VOCABULARY.index(word)])).sum() == pytest.approx(1)


def test_residual_stream_says_every_table_and_uses_one_colour_scale():
    X, added = np.arange(6.0).reshape(2, 3), np.ones((2, 3))
    figure = residual_stream({"X": X, "output": X + added}, {"adds": added}, ["a", "b"], ["f", "g", "h"])
    assert all(f"{title} (token by feature)" in figure.description for title in ("X", "output", "adds"))
    depths = {(text.get_text(), cell.get_facecolor()[3]) for axes in figure.axes for text, cell in zip(axes.texts, axes.patches, strict=True)}
    assert {text: round(depth / DEEPEST, 3) for text, depth in depths} == {f"{value:.2f}": round(value / 6, 3) for value in (0.0, *range(1, 7))}
    assert len(depths) == 7
    figure.canvas.draw()


def written(figure):
    return [drawn.get_text() for drawn in figure.axes[0].texts if drawn.get_text()]


def test_the_machine_is_drawn_with_its_shapes_and_one_of_its_blocks():
    figure = machine()
    assert [name.replace("\n", " ") for name in written(figure)[:16:2]] == [
        "text", "ids", "vectors + places", "N blocks", "norm", "head", "softmax", "word"]
    assert written(figure)[1:16:2] == ["T words", "(T,)", "(T, D)", "(T, D)", "(T, D)", "(T, n_vocab)", "(n_vocab,)", "1 word"]
    assert written(figure).count("norm") == 3
    assert all(shape in figure.description for shape in written(figure)[1:16:2])


def test_encoder_and_decoder_differ_in_the_mask_and_in_who_is_asked():
    names = written(encoder_decoder())
    assert names.count("attention") == names.count("masked attention") == names.count("cross-attention") == 1
    assert names.count("feed-forward") == 2
    assert names.count("add, norm") == 5
    assert {"weights\n($T_q$, $T_{kv}$)", "weights\n($T_q$, $T_q$)", "weights\n($T_{kv}$, $T_{kv}$)", "K, V", "Q", "head", "softmax"} <= set(names)


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
