"""What notebook 01 says in words with numbers of its own."""

import numpy as np
import pytest
from helpers import names_of, prose

from course_utils.attention import softmax
from course_utils.instruments.token_mover import TokenMover

NAME = "01_self_attention"
SAID = {          # {a sentence of the notebook: what it says, computed from the notebook's own names}
    "a lead of 1 is worth $e \\approx 2.7$ times the weight, a lead of 3 twenty times":
        lambda n: np.exp([1, 3]).round(1).tolist() == [2.7, 20.1],
    "exp(1000) is more than a computer's number can hold": lambda n: np.log(np.finfo(float).max) < 1000,
    "64 numbers of variance 1 give about 64, here 54. The others score around 0, typically 8 away from it":
        lambda n: round(n["strangers"][0] @ n["strangers"][0]) == 54 and abs((n["strangers"] @ n["strangers"][0])[1:].std() - 8) < 2,
    'Towards animal, from a third of the way to "love" until nearly there, "love" gets more than half, .53 at most':
        lambda n: min(love_gets([0, y]) for y in (0.55, 1.25)) >= 0.5 and max(love_gets([0, 0.4]), love_gets([0, 1.45])) < 0.5
        and love_gets([0, 0.9]) == 0.53
        and love_gets([0, 0.9]) >= max(love_gets([x, y]) for x in np.linspace(-3, 3, 31) for y in np.linspace(-3, 3, 31)),
    "Above, all bars are equally long: each row sums to 1. Below they are not: \"love\" gets most":
        lambda n: np.allclose(n["A"].sum(axis=1), 1) and n["A"].sum(axis=0).argmax() == 1 and np.ptp(n["A"].sum(axis=0)) > 0.5,
    "all words have become one vector": lambda n: np.ptp(n["Z"], axis=0).max() < 0.001 and n["Z"][0].argmax() == 2,
    'Drag "bears" out towards animal, well past "love", and run the cell again: now it takes the others along':
        lambda n: np.ptp(attended_again([0, 2.5]), axis=0).max() < 0.01 and attended_again([0, 2.5])[:, 0].min() > 1.4,
}


def love_gets(place):
    """What "bears" gives to "love" where the hand has put it."""
    return TokenMover.compute({"sentence": 0, "word": 2, "moved": [None, None, place], "drags": 1})["weights"][2, 1].round(2)


def attended_again(place):
    """The words of "bears won the game", "bears" where the hand has put it, after twenty steps of attention."""
    Z = TokenMover(moved=[place, None, None, None]).numbers["X"]
    for _ in range(20):
        Z = softmax(Z @ Z.T) @ Z
    return Z


@pytest.mark.parametrize("sentence", SAID)
def test_what_the_text_says_is_so(sentence):
    assert sentence in prose(NAME)
    assert SAID[sentence](names_of(NAME))
