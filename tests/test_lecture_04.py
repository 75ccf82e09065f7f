"""Lecture 04: what its sentences say, measured again; the picture of a shifted text; a law that finds leaks."""

import numpy as np
import pytest
from helpers import prose

from course_utils.attention import causal_mask, scaled_dot_product_attention, softmax
from course_utils.data import embed
from course_utils.exercises import diagnose
from course_utils.figures import shift

NAME = "04_masking"
TEXT = ["bears", "won", "the", "game", "."]
X, X_PAIN = embed(TEXT[:4]), embed(["bears", "won", "the", "pain"])
MASK = causal_mask(4)


def attended(X, mask):
    return scaled_dot_product_attention(X, X, X, mask)[0]


def changes(mask):
    """How far each output moves when "game" becomes "pain"."""
    return np.abs(attended(X, mask) - attended(X_PAIN, mask)).max(axis=1)


def row_of_won(X):
    """What is left of the row of "won" where the future is zeroed after the softmax."""
    return (softmax(X[1] @ X.T / 2) * MASK[1]).sum()


def row_of_won_far():
    """The same where the scores of the future stand 1000 higher."""
    return (softmax(X[1] @ X.T / 2 + 1000 * ~MASK[1]) * MASK[1]).sum()


def on_padding():
    Z = np.vstack([embed(["bears", "pain"]), np.zeros((2, 4))])
    return scaled_dot_product_attention(Z, Z, Z)[1][0, 2:].sum()


SAID = {          # {a sentence of the notebook: what it says, computed}
    "In numbers of 4 bytes, −10⁹ swallows the scores: a quarter each":
        lambda: (softmax((X @ X.T / 2 - 1e9).astype(np.float32)) == 0.25).all(),
    "It hears \"bears\" with score 0.84 and itself with 1.79": lambda: [f"{s:.2f}" for s in X[1] @ X[:2].T / 2] == ["0.84", "1.79"],
    "Without a mask three of the four guesses hear their answer; under the mask none does":
     lambda: [sum(mask[i, i + 1] for i in range(3)) for mask in (np.ones((4, 4)), MASK)] == [3, 0],
    "All outputs move but the last: it sees nothing, and stays at zero":
     lambda: (changes(~MASK) > 0).tolist() == [True, True, True, False] and not attended(X, ~MASK)[3].any(),
    "\"bears\" hears only itself": lambda: (attended(X, MASK)[0] == X[0]).all(),
    "Exactly 0, but for the word that was changed": lambda: (changes(MASK) == 0).tolist() == [True, True, True, False],
    "keeps a number in two bytes and ends at 65504":
     lambda: (np.float16().nbytes, np.finfo(np.float16).max) == (2, 65504),
    "In float16, −10⁹ becomes −∞": lambda: np.isneginf(np.array(-1e9).astype(np.float16)),
    "exp of so low a score *is* 0": lambda: np.exp(-1e9) == 0 and np.exp(np.float16(-6e4)) == 0,
    "With a future 1000 higher, exp keeps nothing of the past": lambda: row_of_won_far() == 0,
    "the first two queries see nothing at all": lambda: (MASK & [False, False, True, True]).any(axis=1).tolist() == [False, False, True, True],
    "Padding behind the words is hidden from them by the causal mask alone": lambda: not MASK[:2, 2:].any(),
}


@pytest.mark.parametrize("sentence", SAID)
def test_what_the_text_says_is_so(sentence):
    assert sentence in prose(NAME).replace("**", "")
    with np.errstate(over="ignore"):
        assert SAID[sentence]()


def test_the_plan_s_numbers_are_so():
    assert [f"{row_of_won(Z):.2f}" for Z in (X, X_PAIN)] == ["0.61", "0.78"]
    assert f"{on_padding():.2f}" == "0.31"


def test_the_picture_of_a_shifted_text_counts_its_leaks():
    words = shift(TEXT, {"no mask": np.ones((4, 4), dtype=bool), "strict": np.tri(4, k=-1, dtype=bool)}).description
    assert "won from bears won the game" in words
    assert "3 of 4 guesses hear their own target" in words
    assert "strict: guesses won from nothing" in words
    assert "0 of 4" in words


def test_one_more_open_cell_is_one_more_leak():
    open_cell = MASK.copy()
    open_cell[1, 2] = True
    figure = shift(TEXT, {"": open_cell})
    assert "1 of 4 guesses hear" in figure.description
    assert len(figure.axes[0].lines) == open_cell.sum()


def law(change):
    """A law that changes the last key, the last value or both, and watches all rows but the last."""
    def my_law(masked_attention):
        Q, K, V = np.random.default_rng(0).normal(size=(3, 5, 2))
        before, _ = masked_attention(Q, K, V, causal_mask(5))
        for table in {"key": [K], "value": [V], "both": [K, V]}[change]:
            table[-1] += 1
        after, _ = masked_attention(Q, K, V, causal_mask(5))
        return bool(np.allclose(before[:-1], after[:-1]))
    return my_law


def test_a_law_that_changes_the_value_alone_misses_a_mask_after_the_softmax():
    assert "mask after softmax" in diagnose("catch_leak", law("value")).message
    assert diagnose("catch_leak", law("both")).status == "correct"
