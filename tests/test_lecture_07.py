"""Laws of the notebook-07 widget, its chain, its picture of the stream, and unusual right answers."""

import itertools

import numpy as np
import pytest
from matplotlib.figure import Figure

from course_utils.data.chain import CHAIN, PROMPT, STEPS, VOCABULARY, next_log_probs
from course_utils.decoding import beam_search, greedy, sample
from course_utils.figures import residual_stream
from course_utils.widgets.decoding_tree import PATHS, PLACES, DecodingTree

SETTINGS = list(itertools.product(*(control.values for control in DecodingTree.controls)))


def test_the_chain_is_one_of_probabilities_and_every_word_stands_once():
    assert all(sum(following.values()) == pytest.approx(1) for following in CHAIN.values())
    assert len(VOCABULARY) == len(set(VOCABULARY)) == 1 + 3 + 8
    for word in CHAIN:
        assert np.exp(next_log_probs([VOCABULARY.index(word)])).sum() == pytest.approx(1)


def test_every_word_has_a_place_of_its_own_in_the_tree():
    assert set(PLACES) == set(VOCABULARY)
    assert len(set(PLACES.values())) == len(PLACES)


@pytest.mark.parametrize("setting", SETTINGS)
def test_decoding_tree_shows_what_the_beam_keeps_and_what_sampling_passes(setting):
    beam_width, temperature = setting
    numbers = DecodingTree.compute(*setting)
    passes = numbers["passes"]
    for word, following in CHAIN.items():
        assert sum(passes[after] for after in following) == pytest.approx(passes[word])
    if temperature == 1:
        for first, second in PATHS:
            assert passes[second] == pytest.approx(CHAIN["bears"][first] * CHAIN[first][second])
    assert [len(words) for words in numbers["kept"]] == [beam_width] * STEPS
    tokens, total = beam_search(next_log_probs, PROMPT, STEPS, beam_width)[0]
    assert numbers["best"].split() == [VOCABULARY[t] for t in tokens]
    assert numbers["p"] == pytest.approx(np.exp(total))


def test_decoding_tree_chances_are_what_sample_draws():
    rng = np.random.default_rng(0)
    for temperature in (0.5, 2.0):
        passes = DecodingTree.compute(1, temperature)["passes"]
        drawn = [VOCABULARY[sample(next_log_probs, PROMPT, STEPS, temperature, rng=rng)[-1]] for _ in range(2000)]
        for _, second in PATHS:
            assert drawn.count(second) / 2000 == pytest.approx(passes[second], abs=0.04)


def test_decoding_tree_a_beam_of_one_is_greedy():
    assert DecodingTree.compute(1, 1.0)["best"].split() == [VOCABULARY[t] for t in greedy(next_log_probs, PROMPT, STEPS)]


def test_decoding_tree_bars_are_as_long_as_the_chances():
    for setting in SETTINGS[::5]:
        numbers = DecodingTree.compute(*setting)
        axes = DecodingTree.prepare(Figure(figsize=DecodingTree.size))
        DecodingTree.draw(axes, numbers)
        ends = [segment[1, 0] for segment in axes[1].collections[-1].get_segments()]
        np.testing.assert_allclose(ends, [numbers["passes"][second] for _, second in PATHS])


def test_residual_stream_says_every_table_and_uses_one_colour_scale():
    X, added = np.arange(6.0).reshape(2, 3), np.ones((2, 3))
    figure = residual_stream({"X": X, "output": X + added}, {"adds": added}, ["a", "b"], ["f", "g", "h"])
    assert all(f"{title} (token by feature)" in figure.description for title in ("X", "output", "adds"))
    limits = {axes.images[0].get_clim() for axes in figure.axes}
    assert limits == {(-6.0, 6.0)}
    figure.canvas.draw()
