"""Laws of the widget of notebook 10, and of the heads that it silences."""

import re

import numpy as np
import pytest
from helpers import cells, script, shown

from course_utils.arguments import ArgumentError
from course_utils.data import grammar
from course_utils.data.starts import starts
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


# Heads, one at a time and together

HEADS = script("make_starts.py").load("subject_heads")


def test_a_silenced_head_adds_nothing_and_the_parameters_stay_as_they_were():
    tokens = grammar.encode("the dogs that see the cat")
    rest = HEADS.without(PARAMS, [(2, 3)], CONFIG)
    changed = [name for name in PARAMS if not np.array_equal(rest[name], PARAMS[name])]
    assert changed == ["2.W_O"]
    mixed = forward(PARAMS, tokens, CONFIG)[1][1]["M"].copy()
    mixed[:, 16:24] = 0                                                     # what head 3 brings, set to 0 instead of its rows
    np.testing.assert_allclose(mixed @ PARAMS["2.W_O"], forward(PARAMS, tokens, CONFIG)[1][1]["M"] @ rest["2.W_O"], atol=1e-6)
    both = HEADS.without(PARAMS, [(2, 3), (2, 1)], CONFIG)
    assert (both["2.W_O"] == 0).all(axis=1).sum() == 16


def test_the_counts_of_silenced_heads_are_those_that_are_stored():
    told = starts("subject_heads")
    rng = np.random.default_rng(0)
    texts = grammar.sentences(rng, 3000)
    prompts, numbers = grammar.agreement_prompts(np.random.default_rng(3), HEADS.PROMPTS, unseen=texts)
    weights, (everyone, best, second, both) = HEADS.measure(20, texts, prompts, numbers, CONFIG)        # not among the ten
    np.testing.assert_array_less(weights.sum(axis=(1, 2)), CONFIG.L * CONFIG.H)
    assert everyone >= HEADS.NEARLY_ALL
    assert both <= min(best, second)
    assert told["both missed"] > max(told["best missed"], told["second missed"])
    assert told["median right without both"] < told["median right without best"] < told["median right without second"]


def test_the_notebook_shows_a_backup_and_says_what_ten_starts_say():
    text = "\n".join(shown(cell) for cell in cells("10_language_model", "code"))
    right = {name: int(n) for name, n in re.findall(r"^without (.+): (\d+) of 200 right", text, flags=re.MULTILINE)}
    assert len(right) == 9
    assert right["block 2, head 3"] == 200
    assert right["block 2, heads 2 and 3"] < right["block 2, head 2"] - 20
    told = starts("subject_heads")
    assert f"the second, both: {told['best missed']} {told['second missed']} {told['both missed']}" in text
