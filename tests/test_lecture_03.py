"""Lecture 03: what its sentences say, measured again; the ridge and the cliff and what removes
it."""

import numpy as np
import pytest
from helpers import ROOT, prose, script

from course_utils.attention import softmax
from course_utils.data.agreement import jumbles
from course_utils.data.starts import starts
from course_utils.figures import by_gap, ridge
from course_utils.models import agreement

NAME = "03_scaling"
C5B = script("make_starts.py").load("C5b")
RATES = (0.25, 1, 4, 16)


def reach(d, scale=1.0, rate=1.0):
    return np.log(4 * scale**2 * d * rate * C5B.STEPS)


def leads(d, scale=1.0):
    return C5B.seats(d, scale)[0]


def shares(d, scale):
    return [C5B.seats(d, scale, rate)[1].mean() for rate in RATES]


def told(what):
    return starts("C5b")[what]


def noun_lengths():
    """The lengths of queries and keys of 02's jumbles, 256 wide, at one start."""
    W_Q, W_K, _ = agreement.new_matrices(np.random.default_rng(0), 256, 1.0)
    X = jumbles(np.random.default_rng(1000), 1000)[0]
    return np.array([np.linalg.norm(X @ W, axis=-1).mean() for W in (W_Q, W_K)])


def answers(d, scale):
    """How the typical row's largest weight reacts to its own score, over 16 random keys of width
    d."""
    q, k = (
        np.random.default_rng(0).normal(size=(400, 1, d)),
        np.random.default_rng(1).normal(size=(400, 16, d)),
    )
    largest = np.median(softmax(scale * (q * k).sum(axis=-1)).max(axis=1))
    return largest * (1 - largest)


# {a sentence of the notebook or of its predictions that no number's tie holds: what it says,
# computed}
SAID = {
    "a start that is not saturated": lambda: (
        min(answers(d, d**-0.5) for d in (4, 16, 256, 4096)) > 0.1 and answers(4096, 1) < 0.001
    ),
    "Its weight $a$ moves by $a(1 - a)$ for each unit": lambda: np.isclose(
        (softmax(np.array([[1 + 1e-6, 0, 0]])) - softmax(np.array([[1.0, 0, 0]])))[0, 0] / 1e-6,
        0.576 * 0.424,
        atol=1e-3,
    ),
    "have 160 seats. Their wanted scores start 0 to 42 behind": lambda: (
        leads(64).size == 160 and leads(64).min() == 0 and int(leads(64).max()) == 42
    ),
    "A seat that starts 30 behind would take some forty billion steps": lambda: np.isclose(
        np.exp(30) / (4 * 64), 40e9, rtol=0.05
    ),
    "the reach falls from 11.5 to 7.4": lambda: (
        (f"{reach(64):.1f}", f"{reach(64, 1 / 8):.1f}") == ("11.5", "7.4")
    ),
    "The worst one starts 5.3 behind now. All lie within the reach": lambda: (
        f"{leads(64, 1 / 8).max():.1f}" == "5.3" and leads(64, 1 / 8).max() < reach(64, 1 / 8)
    ),
    "every seat at these widths. Without division, none of the four rates does so": (
        lambda: (
            max(max(shares(d, 1)) for d in (16, 64, 256)) < 0.9
            and all(C5B.seats(d, d**-0.5)[1].min() == 1 for d in (16, 64, 256))
        )
    ),
    "three nouns in ten start beyond the reach, and nearly all learn": lambda: (
        f"{(C5B.noun_leads(256) > reach(256)).mean():.1f}" == "0.3"
        and told("jumbles, d = 256: share undivided") > 0.95
    ),
    "it has six keys, and shorter vectors": lambda: (
        jumbles(np.random.default_rng(0), 1)[0].shape[1] == 6 and noun_lengths().max() < 16
    ),
    "about a fifth of the nouns is lost": lambda: (
        f"{told('one-hot words, d = 256: share undivided'):.1f}" == "0.8"
    ),
    "So sharing seems to help": lambda: (
        told("one-hot words, d = 256: less") == 10
        and told("one-hot words, d = 256: share divided") == 1
    ),
    "One start of ten lost more than a twentieth": lambda: told("jumbles, d = 256: less") == 1,
    "At the scores the gradient is smaller each time": lambda: all(
        told(f"jumbles, d = 256: slopes at the scores, {end} times as large") < 1
        for end in ("least", "most")
    ),
}


@pytest.mark.parametrize("sentence", SAID)
def test_what_the_notebook_says_is_measured(sentence):
    asked = (ROOT / "course_utils" / "cards" / "predictions" / f"{NAME}.json").read_text(
        encoding="utf-8"
    )
    assert sentence in prose(NAME) + asked
    assert SAID[sentence]()


@pytest.mark.parametrize("d", [16, 64, 256])
def test_the_cliff_stands_where_it_is_predicted(d):
    for scale in (1, d**-0.5):
        behind, found = C5B.seats(d, scale)
        predicted = (behind < reach(d, scale)).mean()
        assert found.mean() == pytest.approx(predicted, abs=0.1)


@pytest.mark.parametrize(
    ("d", "rate", "dtype"),
    [(16, 0.1, float), (64, 1.0, float), (64, 1.0, np.float32), (256, 1.0, float)],
)
def test_with_the_cross_entropy_there_is_no_cliff(d, rate, dtype):
    """Undivided, from other starts: all find all seats on -log a, none on 1 - a. At d = 16 steps of
    rate 1 are too large for -log a."""
    assert C5B.count(100, cause=False, d=d, rate=rate, dtype=dtype, loss="-log a") == (
        C5B.MANY,
        C5B.MANY,
    )
    assert C5B.count(100, cause=False, d=d, rate=rate, dtype=dtype) == (0, C5B.MANY)


def test_a_lead_shrinks_by_four_squared_lengths_a_step():
    d, a, step = 4096, 1e-3, 1e-6  # a: the right key's weight; the winner has the rest
    q, right, winner = np.random.default_rng(0).normal(size=(3, d))
    slope = a * (1 - a)  # at the winner's score; at the right one it is -slope
    gap = (winner - step * slope * q) - (right + step * slope * q)
    after = (q - step * slope * (winner - right)) @ gap
    assert (q @ (winner - right) - after) / step == pytest.approx(4 * d * a, rel=0.05)


def test_the_slopes_at_the_scores_are_those_that_the_gradient_of_W_Q_is_made_of():
    rng = np.random.default_rng(5)
    W, batch = agreement.new_matrices(rng, 8, 1.0), jumbles(rng, 4)[:3]
    X = batch[0]
    for scale in (1, 0.25):
        dS = C5B.slopes_at_scores(*batch, *W, scale)
        made = np.einsum("bti,btj,bjk->ik", X, scale * dS, X @ W[1])
        np.testing.assert_allclose(made, agreement.gradients(*batch, *W, scale)[0], atol=1e-12)


def test_one_hot_words_share_no_row_and_are_as_long_as_before():
    X, verb, is_noun, own = C5B.unshared(np.random.default_rng(3), 50)
    tokens, same_verb, same_noun, same_own, words = jumbles(np.random.default_rng(3), 50)
    np.testing.assert_allclose(np.linalg.norm(X, axis=-1), np.linalg.norm(tokens, axis=-1))
    assert ((X > 0).sum(axis=-1) == 1).all()
    assert len(C5B.WORDS) == X.shape[-1] == 48
    assert [[C5B.WORDS[i] for i in row] for row in X.argmax(axis=-1)] == words
    for ours, theirs in ((verb, same_verb), (is_noun, same_noun), (own, same_own)):
        np.testing.assert_array_equal(ours, theirs)


def test_the_ridge_says_every_spread_and_draws_one_histogram_each():
    samples = {f"d = {d}": np.random.default_rng(d).normal(size=500) * d for d in (1, 4)}
    figure = ridge({"q·k": samples, "again": samples})
    assert len(figure.axes) == 2
    assert all(len(axes.patches) == len(samples) for axes in figure.axes)
    assert figure.description.count(f"d = 4 {samples['d = 4'].std():.2f}") == 2


def test_the_cliff_counts_who_is_found_and_who_lies_on_the_wrong_side():
    behind, weight = np.array([0.0, 3.0, 8.0, 9.0]), np.array([1.0, 0.9, 0.7, 0.0])
    figure = by_gap({"not scaled": (behind, weight, 7.5)})
    assert "75% of 4 found" in figure.description
    assert (
        "of the 2 that start farther away, 50% are found; 1 do not fit the line"
        in figure.description
    )
    np.testing.assert_array_equal(
        figure.axes[0].lines[0].get_xydata(), np.column_stack([behind, weight])
    )
