"""Lecture 03: what its sentences say, measured again; the ridge and the cliff; a start without the division."""

import numpy as np
import pytest
from helpers import ROOT, cells, script

from course_utils.attention import softmax
from course_utils.data.starts import starts
from course_utils.exercises import EXERCISES
from course_utils.figures import cliff, ridge

NAME = "03_scaling"
C5B = script("make_starts.py").load("C5b")
RATES = (0.25, 1, 4, 16)


def reach(d, scale=1.0, rate=1.0):
    return np.log(4 * scale**2 * d * rate * C5B.STEPS)


def leads(d, scale=1.0):
    return C5B.seats(d, scale)[0]


def shares(d, scale):
    return [C5B.seats(d, scale, rate)[1].mean() for rate in RATES]


def found_by_surprise(d):
    """The share of seats found where the loss of a row is -log of its right weight, whose slope at the scores is A - LEFT."""
    W_Q, W_K = np.random.default_rng(0).normal(size=(2, C5B.T, d))
    for _ in range(C5B.STEPS):
        dS = softmax(W_Q @ W_K.T) - C5B.LEFT
        W_Q, W_K = W_Q - 0.1 * dS @ W_K, W_K - 0.1 * dS.T @ W_Q
    return ((C5B.LEFT * softmax(W_Q @ W_K.T)).sum(axis=1) > 0.5).mean()


def spread(d):
    q, k = np.random.default_rng(0).normal(size=(2, 4000, d))
    return (q * k).sum(axis=1).std()


SAID = [          # (a sentence of the notebook or of its predictions, what it says, computed)
    ("at $d = 1024$ a score is typically 32 away from 0", lambda: np.sqrt(1024) == 32 and abs(spread(1024) - 32) < 1),
    ("that of $W_Q$ was at least 5.1 times *larger* undivided",
     lambda: f"{starts('C5b')['jumbles, d = 256: slopes of W_Q, least times larger']:.1f}" == "5.1"),
    ("A seat $g$ behind has a weight of about $e^{-g}$",
     lambda: np.isclose(softmax(np.array([[0.0, 12.0, -3.0]]))[0, 0], np.exp(-12), rtol=0.01)),
    ("there would be no cliff", lambda: found_by_surprise(256) == 1),
    ("160 right seats start 0 to 42 behind", lambda: leads(64).size == 160 and leads(64).min() == 0 and int(leads(64).max()) == 42),
    ("1 up to about 11.5, then 0: a cliff", lambda: f"{reach(64):.1f}" == "11.5"),
    ("the cliff now stands at 7.4 instead of 11.5", lambda: f"{reach(64, 1 / 8):.1f}" == "7.4"),
    ("The worst lead is 5.3 now", lambda: f"{leads(64, 1 / 8).max():.1f}" == "5.3"),
    ("None of the four rates does undivided what one rate does, divided, at every width",
     lambda: max(max(shares(d, 1)) for d in (16, 64, 256)) < 0.9 and all(C5B.seats(d, d**-0.5)[1].min() == 1 for d in (16, 64, 256))),
    ("more than three times as large as there at the start", lambda: 1.0 / 0.3 > 3),
    ("One start of ten lags behind", lambda: starts("C5b")["jumbles, d = 256: less"] == 1),
    ("ln 16 = 2.77 if all are alike", lambda: f"{np.log(16):.2f}" == "2.77"),
]


@pytest.mark.parametrize(("sentence", "measured"), SAID, ids=[sentence for sentence, _ in SAID])
def test_what_the_notebook_says_is_measured(sentence, measured):
    prose = "\n".join(cell.source for cell in cells(NAME, "markdown"))
    asked = (ROOT / "course_utils" / "cards" / "predictions" / f"{NAME}.json").read_text(encoding="utf-8")
    assert sentence in prose + asked
    assert measured()


@pytest.mark.parametrize("d", [16, 64, 256])
def test_the_cliff_stands_where_it_is_predicted(d):
    for scale in (1, d**-0.5):
        behind, found = C5B.seats(d, scale)
        predicted = (behind < reach(d, scale)).mean()
        assert found.mean() == pytest.approx(predicted, abs=0.1)


def test_a_lead_shrinks_by_four_squared_lengths_a_step():
    d, a, step = 4096, 1e-3, 1e-6                                     # a: the right key's weight; the winner has the rest
    q, right, winner = np.random.default_rng(0).normal(size=(3, d))
    slope = a * (1 - a)                                               # at the winner's score; at the right one it is -slope
    gap = (winner - step * slope * q) - (right + step * slope * q)
    after = (q - step * slope * (winner - right)) @ gap
    assert (q @ (winner - right) - after) / step == pytest.approx(4 * d * a, rel=0.05)


def test_the_exercise_without_dividing_is_the_same_training():
    seats = np.random.default_rng(0).normal(size=(2, C5B.T, 64))
    divided, undivided = list(seats), list(EXERCISES["without_dividing"].reference(*seats, 1.0))
    for _ in range(50):
        for scale, W in ((1 / 8, divided), (1, undivided)):
            rate = 1.0 if W is divided else W[2]
            A = softmax(scale * W[0] @ W[1].T)
            dS = scale * A * ((C5B.LEFT * A).sum(axis=1, keepdims=True) - C5B.LEFT)
            W[0], W[1] = W[0] - rate * dS @ W[1], W[1] - rate * dS.T @ W[0]
        np.testing.assert_allclose(undivided[0] @ undivided[1].T, divided[0] @ divided[1].T / 8, atol=1e-10)


def test_the_ridge_says_every_spread_and_draws_one_histogram_each():
    samples = {f"d = {d}": np.random.default_rng(d).normal(size=500) * d for d in (1, 4)}
    figure = ridge({"q·k": samples, "again": samples})
    assert len(figure.axes) == 2
    assert all(len(axes.patches) == 2 * len(samples) for axes in figure.axes)
    assert figure.description.count(f"d = 4 {samples['d = 4'].std():.2f}") == 2


def test_the_cliff_counts_who_is_found_and_who_lies_on_the_wrong_side():
    behind, weight = np.array([0.0, 3.0, 8.0, 9.0]), np.array([1.0, 0.9, 0.7, 0.0])
    figure = cliff({"not scaled": (behind, weight, 7.5)})
    assert "75% of 4 found" in figure.description
    assert "predicted at 7.5, 1 lie on its wrong side" in figure.description
    np.testing.assert_array_equal(figure.axes[0].lines[0].get_xydata(), np.column_stack([behind, weight]))
