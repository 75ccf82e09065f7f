"""Laws of the widget of notebook 10."""

import numpy as np
import pytest

from course_utils.arguments import ArgumentError
from course_utils.data import grammar
from course_utils.models.language_model import Config, forward, new_model, next_log_probs
from course_utils.widgets.next_word import NextWord

CONFIG = Config(len(grammar.WORDS))
PARAMS = new_model(np.random.default_rng(0), CONFIG)


def test_the_widget_shows_the_models_own_numbers():
    words = "the dogs that see the cat"
    tokens, numbers = grammar.encode(words), NextWord.compute(words, PARAMS, CONFIG, 2, 1)
    p = np.exp(next_log_probs(PARAMS, tokens, CONFIG))
    assert numbers["next"][0] == (grammar.WORDS[p.argmax()], p.max())
    assert [word for word, _ in numbers["weights"]] == [".", *words.split()]
    np.testing.assert_allclose([a for _, a in numbers["weights"]], forward(PARAMS, tokens, CONFIG)[1][1]["A"][0, -1])


def test_the_widget_follows_its_field_and_names_an_unknown_word():
    widget = NextWord(PARAMS, CONFIG, 2, 1)
    before = widget.answer.value
    widget.field.value = "the dog"
    assert widget.answer.value != before
    widget.field.value = "the zebra"
    assert "zebra" in widget.answer.value
    widget.field.value = " ".join(["the dog"] * 20)
    assert "at most" in widget.answer.value
    widget.field.value = ""
    assert "At the start: " in widget.answer.value
    widget.field.value = "The dogs"
    assert "After &quot;the dogs&quot;" in widget.answer.value
    widget.field.value = "the dogs run."
    assert "got a full stop" in widget.answer.value
    assert len(repr(widget)) < 110
    with pytest.raises(ArgumentError, match="zebra"):
        NextWord.compute("the zebra", PARAMS, CONFIG, 2, 1)


def test_a_still_says_what_it_shows():
    assert "After \"the dog\"" in NextWord.still(PARAMS, CONFIG, 2, 1, "the dog", "the dogs").description
