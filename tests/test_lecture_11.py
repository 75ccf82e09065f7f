"""Laws of the notebook-11 widget, and of the shipped states and head."""

import itertools

import numpy as np
import pytest

from course_utils.attention import scaled_dot_product_attention
from course_utils.data import bears
from course_utils.style import MEANINGS
from course_utils.widgets.layer_walk import LayerWalk, N

SETTINGS = list(itertools.product(*(control.values for control in LayerWalk.controls)))
SHIPPED = bears.load()


def nearest_by_a_loop(own, others):
    """The number of the row of largest cosine, the first of those that are equal in six digits."""
    cosines = [round(float(own @ other / np.linalg.norm(own) / np.linalg.norm(other)), 6) for other in others]
    return cosines.index(max(cosines))


def test_a_third_then_most_then_all_lie_nearest_to_their_own_meaning():
    shares = []
    for layer in range(7):
        table = SHIPPED["states"][:, layer].astype(float)
        nearest = [nearest_by_a_loop(table[i], [*table[:i], -table[i], *table[i + 1:]]) for i in range(N)]
        shares.append(sum(bears.SENSES[a] == bears.SENSES[i] for i, a in enumerate(nearest)))
        assert LayerWalk.compute(layer, "bears pain")["right"] == shares[-1]
    assert shares == [6, 15, 18, 18, 18, 18, 18]


@pytest.mark.parametrize("name", ["short", "fuller"])
def test_the_widget_judges_the_other_sentences_by_their_nearest(name):
    sentences = {"short": bears.SHORT, "fuller": bears.FULLER}[name]
    for (meaning, sentence), own in zip(sentences.items(), SHIPPED[name], strict=True):
        for layer in range(7):
            numbers = LayerWalk.compute(layer, sentence)
            nearest = nearest_by_a_loop(own[layer].astype(float), SHIPPED["states"][:, layer].astype(float))
            assert numbers["nearest"] == nearest
            lengths = np.linalg.norm(SHIPPED["states"][:, layer], axis=1) * np.linalg.norm(own[layer])
            np.testing.assert_allclose(numbers["similarity"], SHIPPED["states"][:, layer] @ own[layer] / lengths, rtol=1e-5)
            assert (": right." if bears.SENSES[nearest] == meaning else ": wrong.") in LayerWalk.describe(numbers)


def test_the_short_sentences_fail_and_the_fuller_ones_do_not():
    found = {s: LayerWalk.compute(6, s)["found"] for s in [*bears.SHORT.values(), *bears.FULLER.values()]}
    assert [found[s] == meaning for meaning, s in bears.SHORT.items()] == [False, False, True]
    assert [found[s] == meaning for meaning, s in bears.FULLER.items()] == [True, True, True]


def test_before_the_first_block_bears_differs_by_its_place_alone():
    places = [sentence.lower().rstrip(".").split().index("bears") for sentence in bears.EIGHTEEN]
    first = SHIPPED["states"][:, 0]
    for a, b in itertools.combinations(range(N), 2):
        assert np.array_equal(first[a], first[b]) == (places[a] == places[b])


def test_the_picture_is_a_linear_view_of_directions_and_all_of_it_is_in_sight():
    from matplotlib.figure import Figure
    axes, _ = LayerWalk.prepare(Figure(figsize=LayerWalk.size))
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    places = np.concatenate([LayerWalk.compute(*setting)["places"] for setting in SETTINGS])
    assert left < places[:, 0].min() < places[:, 0].max() < right
    assert low < places[:, 1].min() < places[:, 1].max() < high
    spread = [LayerWalk.compute(layer, "bears pain")["places"][:N].std() for layer in range(7)]
    assert spread[0] < spread[1] < spread[6]
    for layer in range(7):                       # the eighteen stay where they are, whichever sentence is shown
        np.testing.assert_allclose(*(LayerWalk.compute(layer, s)["places"][:N] for s in ("bears pain", "I love bears")))


def test_every_meaning_has_six_points_in_both_pictures():
    from matplotlib.figure import Figure
    numbers = LayerWalk.compute(6, "I love bears")
    axes = LayerWalk.prepare(Figure(figsize=LayerWalk.size))
    LayerWalk.draw(axes, numbers)
    for a in axes:
        groups = {line.get_color(): len(line.get_xdata()) for line in a.lines if line.get_color() in MEANINGS.values()}
        assert groups == dict.fromkeys(MEANINGS.values(), 6)
    ring = axes[1].lines[-1]
    assert ring.get_ydata()[0] == numbers["similarity"].max()


def test_the_shipped_head_looks_one_token_back():
    with_one = np.append(SHIPPED["X"], np.ones((len(SHIPPED["X"]), 1)), axis=1)
    weights = scaled_dot_product_attention(*(with_one @ SHIPPED[f"W_{letter}"] for letter in "QKV"))[1]
    assert np.diag(weights, k=-1).min() > 0.99
