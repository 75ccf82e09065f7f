"""Laws of the exercises and the widget of notebook 10."""

import numpy as np
import pytest

from course_utils.data import grammar
from course_utils.errors import ArgumentError
from course_utils.exercises.checking import check
from course_utils.exercises.language_model import CACHE_STEP, EXERCISES, TRAIN_STEP
from course_utils.language_model import Config, forward, new_model, next_log_probs
from course_utils.widgets.next_word import NextWord

CONFIG = Config(len(grammar.WORDS))
PARAMS = new_model(np.random.default_rng(0), CONFIG)


@pytest.mark.parametrize(("exercise", "mistake"), [(e, m) for e in EXERCISES for m in e.mistakes], ids=lambda x: x.name)
def test_every_mistake_is_called_by_its_name(exercise, mistake):
    assert check(exercise, mistake.function).mistake == mistake.name


def train_step_by_loops(Y, answer, W, learning_rate):
    W, loss = W.copy(), 0.0
    slope = np.zeros_like(W)
    for y, a in zip(Y, answer, strict=True):
        s = y @ W
        p = np.exp(s) / sum(np.exp(s))
        loss -= np.log(p[a]) / len(Y)
        p[a] -= 1
        slope += np.outer(y, p) / len(Y)
    return [loss, W - learning_rate * slope]


def cache_step_by_concatenate(q, k, v, K, V):
    K, V = np.concatenate((K, k.reshape(1, -1))), np.append(V, v[None, :], axis=0)
    e = np.exp(K @ q / q.size**0.5)
    return np.einsum("t,td->d", e / e.sum(), V), K, V


def test_right_answers_written_otherwise():
    assert check(TRAIN_STEP, train_step_by_loops).status == "correct"
    assert check(CACHE_STEP, cache_step_by_concatenate).status == "correct"


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
    assert "After" in widget.answer.value
    assert len(repr(widget)) < 110
    with pytest.raises(ArgumentError, match="zebra"):
        NextWord.compute("the zebra", PARAMS, CONFIG, 2, 1)


def test_a_still_says_what_it_shows():
    assert "After \"the dog\"" in NextWord.still(PARAMS, CONFIG, 2, 1, "the dog", "the dogs").description
