"""Lecture 04: what its sentences say, measured again; the picture of a shifted text; a law that
finds leaks."""

import numpy as np
import pytest
from helpers import ROOT, prose

from course_utils.attention import causal_mask, scaled_dot_product_attention, softmax
from course_utils.data import embed
from course_utils.exercises import diagnose
from course_utils.figures import shift
from course_utils.instruments import MaskExplorer, mask_explorer

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


def rows_far():
    """The same of each row that hides a word, where the scores of the future stand 1000 higher."""
    left = softmax(X @ X.T / 2 + 1000 * ~MASK) * MASK
    return left[~MASK.all(axis=1)].sum(axis=1)


def zeroed_is_off_by(lower):
    """The largest difference between weights zeroed after the softmax and masked weights, where the
    scores of the future are lower."""
    scores = X @ X.T / 2 - lower * ~MASK
    return np.abs(softmax(scores) * MASK - softmax(np.where(MASK, scores, -np.inf))).max()


def less_with_padding():
    """Does each output before "game" move less in the instrument than in the sentence alone?"""
    padded = MaskExplorer.compute(MaskExplorer.start())["moved"][: mask_explorer.PLACE]
    return (padded < changes(np.ones((4, 4), bool))[: mask_explorer.PLACE]).all()


def on_padding():
    """What "bears" gives to one row of padding where no mask hides it."""
    Z = np.vstack([embed(["bears", "pain"]), np.zeros((2, 4))])
    return scaled_dot_product_attention(Z, Z, Z)[1][0, 2]


def silent_masks():
    """The instrument's masks under which no word before "game" moves."""
    found = []
    for name, mask in mask_explorer.PRESETS.items():
        now = MaskExplorer.compute({**MaskExplorer.start(), "mask": mask})
        found += [name] if (now["moved"][: mask_explorer.PLACE] == 0).all() else []
    return found


# {a sentence of the notebook or of its predictions that no number's tie holds: what it says,
# computed}
SAID = {
    "Even the first output changes": lambda: (changes(np.ones((4, 4), bool)) > 0.1).all(),
    (
        "Without a mask, three of four guesses see their target. Under the mask, no guess does"
    ): lambda: (
        [sum(mask[i, i + 1] for i in range(3)) for mask in (np.ones((4, 4)), MASK)] == [3, 0]
    ),
    "(Without a mask, padding takes weight, so outputs move less.)": lambda: less_with_padding(),
    "the difference without division is smaller where the future has little weight": lambda: (
        zeroed_is_off_by(0) > zeroed_is_off_by(3) > 0
    ),
    "only −∞ gives no weight": lambda: np.exp([0, -1, -10]).all() and np.exp(-np.inf) == 0,
    "Causal, strict and window": lambda: silent_masks() == ["causal", "strict", "window"],
    '"bears" cannot see "won the game"': lambda: (attended(X, MASK)[0] == X[0]).all(),
    "exp(−1) is 0.37": lambda: f"{np.exp(-1):.2f}" == "0.37",
    "this key gets nearly 0.1 of the weight here": lambda: (
        0.09 < softmax(np.array([0.84, 1.79, 0, 0]))[2] < 0.1
    ),
    "only the output of the changed word moves": lambda: (
        (changes(MASK) == 0).tolist() == [True, True, True, False]
    ),
    (
        "All outputs move, except the last one."
        " The last word sees nothing, and its output stays zero"
    ): lambda: (
        (changes(~MASK) > 0).tolist() == [True, True, True, False]
        and not attended(X, ~MASK)[3].any()
    ),
    "all four new scores are rounded to `-1e9`, and each key gets a quarter of the weight": (
        lambda: (softmax((X @ X.T / 2).astype(np.float32) - np.float32(1e9)) == 0.25).all()
    ),
    "a number takes two bytes, and the largest is 65504": lambda: (
        (np.float16().nbytes, np.finfo(np.float16).max) == (2, 65504)
    ),
    "In float16, `-1e9` becomes −∞": lambda: np.isneginf(np.array(-1e9).astype(np.float16)),
    "its exp is too small for a float and becomes exactly 0": lambda: (
        np.exp(-1e9) == 0 and np.exp(np.float16(-6e4)) == 0
    ),
    "Then, in rows with hidden words, softmax already gives visible words weight zero": lambda: (
        rows_far().tolist() == [0, 0, 0]
    ),
    "the first two queries see nothing at all": lambda: (
        (MASK & [False, False, True, True]).any(axis=1).tolist() == [False, False, True, True]
    ),
    (
        "If the padding comes after the words, the causal mask alone hides it from every word"
    ): lambda: not MASK[:2, 2:].any(),
}


@pytest.mark.parametrize("sentence", SAID)
def test_what_the_text_says_is_so(sentence):
    asked = (ROOT / "course_utils" / "cards" / "predictions" / f"{NAME}.json").read_text(
        encoding="utf-8"
    )
    assert sentence in prose(NAME).replace("**", "") + asked
    with np.errstate(over="ignore"):
        assert SAID[sentence]()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_each_output_depends_on_the_past_and_itself_alone(dtype):
    assert "Each output depends only on its own input and the past" in prose(NAME)
    rng = np.random.default_rng(0)
    for changed in range(6):
        before, other = rng.normal(size=(2, 6, 4)).astype(dtype)
        after = before.copy()
        after[changed] = other[changed]
        moved = np.abs(attended(after, causal_mask(6)) - attended(before, causal_mask(6))).max(
            axis=1
        )
        assert ((moved > 0) == (np.arange(6) >= changed)).all()


def test_the_plan_s_numbers_are_so():
    assert [f"{row_of_won(Z):.2f}" for Z in (X, X_PAIN)] == ["0.61", "0.78"]
    assert f"{on_padding():.2f}" == "0.16"
    least = MaskExplorer.compute({**MaskExplorer.start(), "mask": mask_explorer.PRESETS["causal"]})[
        "single"
    ]
    assert (mask_explorer.TOKENS[int(np.argmin(least))], f"{min(least):.2f}") == ("won", "0.31")


def test_the_picture_of_a_shifted_text_counts_its_leaks():
    words = shift(
        TEXT, {"no mask": np.ones((4, 4), dtype=bool), "strict": np.tri(4, k=-1, dtype=bool)}
    ).description
    assert "position 1 guesses “won” from “bears won the game”" in words
    assert "3 of 4 positions see their own target" in words
    assert "strict: position 1 guesses “won” from nothing" in words
    assert "0 of 4" in words


def test_one_more_open_cell_is_one_more_leak():
    open_cell = MASK.copy()
    open_cell[1, 2] = True
    figure = shift(TEXT, {"": open_cell})
    assert "1 of 4 positions see" in figure.description
    assert len(figure.axes[0].lines) == open_cell.sum()


def law(change):
    """A law that changes the last key, the last value or both, and watches all rows but the
    last."""

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


def test_a_law_that_looks_at_the_weights_alone_misses_an_output_of_before_the_mask():
    """No word is changed: it tests no leak."""

    def my_law(masked_attention):
        Q, K, V = np.random.default_rng(0).normal(size=(3, 5, 2))
        _, weights = masked_attention(Q, K, V, causal_mask(5))
        return bool(
            np.allclose(weights.sum(axis=1), 1) and np.allclose(weights, weights * causal_mask(5))
        )

    assert "output of before the mask" in diagnose("catch_leak", my_law).message
