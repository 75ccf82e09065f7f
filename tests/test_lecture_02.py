"""What notebook 02 says in words: every number is computed there, and its Find is true."""

import numpy as np
import pytest
from helpers import cells, names_of, notebook, prose, shown

from course_utils.data import W_K, W_Q, WORDS, embed

NAME = "02_queries_keys_values"


@pytest.fixture
def room():
    return names_of(NAME)


def most_hardship(n, size):
    """(how much, at which angle): what a query size times as long as that of "bears" takes home at most, and in which direction."""
    angles = np.radians(np.arange(360))
    queries = size * np.linalg.norm(n["q_bears"]) * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    taken = (n["mine"].softmax(queries @ n["K"].T) @ n["V"])[:, 1]
    return taken.max(), float(taken.argmax())


# {a sentence of the notebook: what it says, computed from the notebook's own names}
SAID = {
    "0.43, near 107°": lambda n: np.round(most_hardship(n, 1.0), 2).tolist() == [0.43, 107.0],
    "Longer queries come nearer to 0.70": lambda n: most_hardship(n, 1.0)[0] < most_hardship(n, 3.0)[0] < n["V"][2, 1] == n["V"][:, 1].max() == 0.7,
    'Then "bears" gives a third to each word': lambda n: np.allclose(n["mine"].softmax(n["X"] @ np.zeros((4, 2)) @ n["K"].T)[2], 1 / 3),
    "Eight numbers need at least nine runs": lambda n: np.zeros((4, 2)).size + 1 == 9,
    "the 3 below": lambda n: n["W2"][0, 1] == 3,
    "the 4, reach": lambda n: n["X2"][1, 0] == 4,
    r"$dX_{10} = 0 \cdot 2 + (-2) \cdot 3 = -6$": lambda n: n["dX"][1, 0] == n["dY"][1] @ n["W2"][0] == -6,
    "$Y_{10}$ times 2 and $Y_{11}$ times 3": lambda n: n["W2"][0].tolist() == [2, 3],
    'The slope at the query\'s first number, "looks for an action", is −1': lambda n: np.isclose(n["dq"][0, 0], -1, atol=1e-5),
    r"$0.7 \cdot (-1) = -0.7$": lambda n: np.isclose(n["X"][2, 2] * n["dq"][0, 0], -0.7, atol=1e-5),
    "Its own feature action is 0.5: that gives the −0.5": lambda n: n["X"][2, 3] == 0.5 and np.isclose(n["dW_Q"][3, 0], -0.5, atol=1e-5),
    r"$1 \cdot 0.5 - 4 \cdot 2 = -7.5$": lambda n: n["dW"][0, 1] == 1 * 0.5 - 4 * 2 == -7.5,
    "its slope is 0.5": lambda n: n["dY"][0, 1] == 0.5,
    "its slope is −2": lambda n: n["dY"][1, 1] == -2,
    "the same table as by eight nudges": lambda n: np.allclose(n["dW_Q"], n["slopes_by_nudging"](n["surprise"], np.zeros((4, 2))), atol=1e-5),
    "three nouns and three verbs": lambda n: (n["is_noun"].sum(), len(n["is_noun"])) == (3, 6),
    "three vectors of 24 random numbers": lambda n: n["X_one"].shape == (6, 24),
    "all 576 slopes": lambda n: sum(matrix.size for matrix in n["W_start"]) == 576,
    "Queries and keys are eight wide now, by choice. $W_V$ must be":
        lambda n: n["W_start"][0].shape[1] == n["W_start"][2].shape[1] == len(n["agreement"].VERBS) == 8,
    "fifty jumbles": lambda n: len(n["seen"]) == len(n["new"]) == 50,
    "on a hundred others": lambda n: len(n["test"][0]) == 100,
    "for every step": lambda n: len(n["batch"][0]) == 32,
}


@pytest.mark.parametrize("sentence", SAID)
def test_a_number_in_the_text_is_the_one_that_was_computed(room, sentence):
    assert sentence in prose(NAME)
    assert SAID[sentence](room)


def test_a_column_tells_nouns_from_verbs_that_it_has_not_seen(room):
    nouns = room["nouns"][50:]
    assert room["along"][nouns].min() > room["along"][~nouns].max()


def test_one_sentence_teaches_to_look_for_an_action_and_nothing_else():
    """The walk downhill of the notebook, by the rule instead of by nudging."""
    X = embed(["I", "love", "bears"])
    K, W = X @ W_K, np.zeros((4, 2))
    for _ in range(21):
        e = np.exp(X[2] @ W @ K.T)
        W = W - 0.5 * np.outer(X[2], (e / e.sum() - [0, 1, 0]) @ K)
    printed = next(shown(cell) for cell in cells(NAME, "code") if cell.id == "02-co-descent")
    assert str(W.round(2)[0]).strip("[]").split() == printed.splitlines()[-4].replace("[", " ").replace("]", " ").split()
    assert (W[:, 0] > 0.8).all()
    assert (np.abs(W[:, 1]) < 0.2).all()


def test_the_gradient_for_the_curious_is_the_one_that_is_used(room):
    (fold,) = [cell.source.partition("```python\n")[2].partition("```")[0] for cell in notebook(NAME).cells if cell.id == "02-ma-the-gradient"]
    X, W, softmax = room["X_one"], room["W_start"], room["mine"].softmax
    Q, K, V = (X @ matrix for matrix in W)
    A = softmax(Q @ K.T)
    right = np.eye(8)[room["verb"]]
    names = {"X": X, "Q": Q, "K": K, "V": V, "A": A, "P": softmax(A @ V), "right": right, "asks": room["is_noun"].astype(int)}
    exec(fold, names)
    for ours, theirs in zip((names["dW_Q"], names["dW_K"], names["dW_V"]), room["computed"], strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-12)


def test_what_the_instrument_asks_to_find_is_so():
    """A query of the length of "bears" turned round: "love" gets most near 0°."""
    K = embed(["I", "love", "bears"]) @ W_K
    angles = np.radians(np.arange(360))
    scores = np.linalg.norm(WORDS["bears"] @ W_Q) * np.stack([np.cos(angles), np.sin(angles)], axis=1) @ K.T
    weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    best = weights[:, 1].argmax()
    assert min(best, 360 - best) < 20
    assert np.degrees(np.arctan2(K[1, 1], K[1, 0])) > 40
