"""Lecture 01: what its sentences say that no number's tie holds, computed."""

import numpy as np
import pytest
from helpers import names_of, prose

from course_utils.attention import softmax
from course_utils.data import SENTENCES, embed
from course_utils.instruments.token_mover import TokenMover

NAME = "01_self_attention"
ANGLES = np.linspace(0, 2 * np.pi, 24, endpoint=False)
GRID = [(x, y) for x in np.linspace(-3, 3, 31) for y in np.linspace(-3, 3, 31)]
OTHERS = [np.random.default_rng(seed).normal(size=(10, 64)) for seed in range(5)]  # unrelated words


def row_of_bears(point):
    """What "bears" gives to I, love and itself where the hand has put it."""
    state = {"sentence": 0, "word": 2, "moved": [None, None, list(point)], "drags": 1}
    return TokenMover.compute(state)["weights"][2]


def twenty_steps(X):
    """[X, …]: the words before and after each of twenty steps of attention."""
    steps = [X]
    for _ in range(20):
        steps.append(softmax(steps[-1] @ steps[-1].T) @ steps[-1])
    return steps


def become_one(X):
    return np.ptp(twenty_steps(X)[-1], axis=0).max() < 0.001


def stay(X):
    return np.linalg.norm(twenty_steps(X)[-1] - X, axis=1).max() < 0.1


def narrows(X):
    """Whether the hull of each step lies within the one before, seen from many directions."""
    directions = np.random.default_rng(0).normal(size=(X.shape[1], 50))
    seen = [step @ directions for step in twenty_steps(X)]
    return all(
        (after.max(axis=0) <= before.max(axis=0) + 1e-12).all()
        for before, after in zip(seen, seen[1:], strict=False)
    )


def columns():
    return names_of(NAME)["A"].sum(axis=0)


def scores_of_the_first():
    X = names_of(NAME)["strangers"]
    return X @ X[0]


def first_row(size):
    """The weights of the first word on itself, on its kin and on all strangers."""
    return names_of(NAME)["first_row"](size)


SAID = {  # {a sentence of the notebook: what it says, computed}
    "times the weight, a score larger by 3 gets twenty times": (
        lambda: np.exp([1, 3]).round(1).tolist() == [2.7, 20.1]
    ),
    '"love" scores high with every word. It has the longest vector': lambda: (
        np.linalg.norm(embed(SENTENCES["animal"]), axis=1).argmax() == 1
    ),
    'Columns do not: "love" has the largest sum': lambda: (
        columns().argmax() == 1 and np.ptp(columns()) > 0.5
    ),
    'On the way to "love", "bears" gives it more than half (at most 0.53)': lambda: (
        row_of_bears([0, 0.75])[1] > 0.5 and max(row_of_bears(p)[1] for p in GRID) < 0.535
    ),
    'Far out in any direction, "bears" gives most to itself': lambda: (
        {row_of_bears([2.3 * np.cos(a), 2.3 * np.sin(a)]).argmax() for a in ANGLES} == {2}
    ),
    "exp(1000) is too large for a computer's number": lambda: np.log(np.finfo(float).max) < 1000,
    "The other scores lie on both sides of 0, typically 8 away from it": lambda: (
        abs(scores_of_the_first()[1:].std() - 8) < 2
    ),
    "Long vectors stay. Short ones mix with everybody": lambda: (
        first_row(1)[0] > 0.99 and abs(first_row(0.1)[2] - 0.8) < 0.1
    ),
    "In between, most of what a word gives away goes to its kin": lambda: (
        first_row(0.3)[1] > first_row(0.3)[2]
    ),
    "All words have become one vector": lambda: become_one(embed(SENTENCES["sport"])),
    "The hull of each step lies within the one before": lambda: all(
        narrows(embed(tokens)) for tokens in SENTENCES.values()
    ),
    "These hardly move": lambda: all(
        stay(X.astype(dtype)) for X in OTHERS for dtype in (float, np.float32)
    ),
    "How soon words become one depends on lengths": lambda: all(
        become_one(0.1 * X) for X in OTHERS
    ),
}


@pytest.mark.parametrize("sentence", SAID)
def test_what_the_text_says_is_so(sentence):
    assert sentence in prose(NAME)
    assert SAID[sentence]()
