"""Laws of notebook 07's chain, and its picture of the stream."""

import numpy as np
import pytest

from course_utils.data.chain import CHAIN, VOCABULARY, next_log_probs
from course_utils.figures import residual_stream


def test_the_chain_is_one_of_probabilities_and_every_word_stands_once():
    assert all(sum(following.values()) == pytest.approx(1) for following in CHAIN.values())
    assert len(VOCABULARY) == len(set(VOCABULARY)) == 1 + 3 + 8
    for word in CHAIN:
        assert np.exp(next_log_probs([VOCABULARY.index(word)])).sum() == pytest.approx(1)


def test_residual_stream_says_every_table_and_uses_one_colour_scale():
    X, added = np.arange(6.0).reshape(2, 3), np.ones((2, 3))
    figure = residual_stream({"X": X, "output": X + added}, {"adds": added}, ["a", "b"], ["f", "g", "h"])
    assert all(f"{title} (token by feature)" in figure.description for title in ("X", "output", "adds"))
    limits = {axes.images[0].get_clim() for axes in figure.axes}
    assert limits == {(-6.0, 6.0)}
    figure.canvas.draw()
