"""Laws of the heads that notebook 10 silences."""

import re

import numpy as np
from helpers import cells, script, shown

from course_utils.data import grammar
from course_utils.data.starts import starts
from course_utils.models.language_model import Config, forward, new_model

CONFIG = Config(len(grammar.WORDS))
PARAMS = new_model(np.random.default_rng(0), CONFIG)


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
