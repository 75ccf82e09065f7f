"""What notebook 02 says in words is computed there, its Find is true, it runs with any softmax that
is accepted; what tied matrices can do."""

from unittest import mock

import numpy as np
import pytest
from helpers import cells, names_of, notebook, prose, run

from course_utils.data import W_K, W_Q, WORDS, embed
from course_utils.data.starts import starts
from course_utils.models import agreement

NAME = "02_queries_keys_values"


@pytest.fixture
def room():
    return names_of(NAME)


def whom(scores):
    """For each token of each sentence, whom it scores highest."""
    return scores.argmax(axis=-1)


def learn_tied(seed, rate, steps):
    """The notebook's training of one matrix for queries and keys, with another rate."""
    rng = np.random.default_rng(seed)
    W, _, W_V = agreement.new_matrices(rng)
    for _ in range(steps):
        dW_Q, dW_K, dW_V = agreement.gradients(*agreement.jumbles(rng, 32)[:3], W, W, W_V)
        W, W_V = W - rate * (dW_Q + dW_K), W_V - rate * dW_V
    return W, W_V


# {a sentence of the notebook that no number's tie holds: what it says, computed from the notebook's
# own names}
SAID = {
    '"bears" and "love" now give each other most weight': lambda n: (
        n["weights"].argmax(axis=1)[1:].tolist() == [2, 1]
    ),
    "From each of ten random starts, each noun gave most weight to its verb": lambda n: (
        starts("B1")["largest weight on its verb: starts"] == starts("B1")["starts"] == 10
    ),
    (
        'closest in direction to the query. But the longer key of "bears" had a longer shadow'
    ): lambda n: nearer_and_longer(n["Q"][1], n["K"][0], n["K"][2]),
    "the gradient of the doubled matrix is half as large": lambda n: all(
        np.allclose(two, part * one)
        for one, two, part in zip(n["usual"], n["other"], (0.5, 2, 1), strict=True)
    ),
    "the tokens of fifty other jumbles": lambda n: len(n["seen"]) == len(n["new"]) == 50,
    '"love" and "bears" did': lambda n: (
        n["scores"][1, 2] > n["scores"][1, 1] and n["scores"][2, 1] > n["scores"][2, 2]
    ),
}


def nearer_and_longer(q, near, long):
    """Does `near` point more nearly the way of q, and `long` cast the longer shadow on it?"""
    shadows = [q @ k / np.linalg.norm(q) for k in (near, long)]
    cosines = [shadow / np.linalg.norm(k) for shadow, k in zip(shadows, (near, long), strict=True)]
    return (
        cosines[0] > cosines[1]
        and shadows[0] < shadows[1]
        and np.linalg.norm(near) < np.linalg.norm(long)
    )


@pytest.mark.parametrize("sentence", SAID)
def test_what_the_notebook_says_is_computed(room, sentence):
    assert sentence in prose(NAME)
    assert SAID[sentence](room)


def test_the_notebook_learns_as_the_package_does(room):
    for ours, theirs in zip(
        room["learn"](room["W_start"], np.random.default_rng(7), steps=3),
        room["W_start"],
        strict=True,
    ):
        assert not np.allclose(ours, theirs)
    assert agreement.named(*room["W_learned"]) > 0.99
    X, _, is_noun, own, _ = agreement.jumbles(np.random.default_rng(1000), 300)
    W_Q, W_K, _ = room["W_learned"]
    assert (whom(X @ W_Q @ (X @ W_K).swapaxes(1, 2)) == own)[is_noun].mean() > 0.99


@pytest.mark.parametrize(
    "softmax",
    [
        lambda scores: (
            np.exp(scores - scores.max(axis=1, keepdims=True))
            / np.exp(scores - scores.max(axis=1, keepdims=True)).sum(axis=1, keepdims=True)
        ),
        lambda scores: np.array(
            [np.exp(row - row.max()) / np.exp(row - row.max()).sum() for row in scores]
        ),
    ],
    ids=["axis=1", "row by row"],
)
def test_the_notebook_runs_with_a_softmax_that_takes_tables_only(softmax):
    """Both pass the check of notebook 01."""
    code = [cell.source for cell in cells(NAME, "code")]
    names = {}
    with np.printoptions(), mock.patch("course_utils.figures.show"):
        run(code[0], names)
        names["mine"] = Mine(softmax, names["mine"])
        for source in code[1:]:
            run(source, names)
    assert np.allclose(names["weights"].sum(axis=1), 1)


class Mine:
    """`mine` with a student's softmax; all else is the course's."""

    def __init__(self, softmax, others):
        self.softmax, self._others = softmax, others

    def __getattr__(self, name):
        return getattr(self._others, name)


@pytest.mark.parametrize(
    ("seed", "rate", "steps"), [(0, 0.5, 400), (100, 0.5, 400), (101, 0.1, 2000)]
)
def test_tied_a_noun_scores_its_verb_highest_and_a_verb_itself(seed, rate, steps):
    W, W_V = learn_tied(seed, rate, steps)
    X, _, is_noun, own, _ = agreement.jumbles(np.random.default_rng(1000), 300)
    scores = X @ W @ (X @ W).swapaxes(1, 2)
    assert agreement.named(W, W, W_V) > 0.99
    assert (whom(scores) == own)[is_noun].mean() > 0.99
    assert (whom(scores) == np.arange(6))[~is_noun].mean() > 0.99
    lengths = np.linalg.norm(X @ W, axis=-1)
    assert (np.take_along_axis(lengths, own, axis=1) > lengths)[is_noun].mean() > 0.99


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_tied_of_two_tokens_at_most_one_scores_the_other_above_itself(dtype):
    Q = np.random.default_rng(0).normal(size=(400, 3)).astype(dtype)
    scores = Q @ Q.T
    above = scores > np.diag(scores)[:, None] * (1 + 1e-5)  # more than rounding
    assert above.any()
    assert not (above & above.T).any()


def test_a_column_tells_nouns_from_verbs_that_it_has_not_seen(room):
    nouns = room["nouns"][50:]
    assert room["along"][nouns].min() > room["along"][~nouns].max()


def test_the_gradient_for_the_curious_is_the_one_that_is_used(room):
    (fold,) = [
        cell.source.partition("```python\n")[2].partition("```")[0]
        for cell in notebook(NAME).cells
        if cell.id == "02-ma-the-gradient"
    ]
    X, W, softmax = room["X_one"], room["W_start"], room["mine"].softmax
    Q, K, V = (X @ matrix for matrix in W)
    A = softmax(Q @ K.T)
    right = np.eye(8)[room["verb"]]
    names = {
        "X": X,
        "Q": Q,
        "K": K,
        "V": V,
        "A": A,
        "P": softmax(A @ V),
        "right": right,
        "asks": room["is_noun"].astype(int),
    }
    exec(fold, names)
    for ours, theirs in zip(
        (names["dW_Q"], names["dW_K"], names["dW_V"]), room["computed"], strict=True
    ):
        np.testing.assert_allclose(ours, theirs, atol=1e-12)


def test_what_the_instrument_asks_to_find_is_so():
    """A query of the length of "bears" turned round: "love" gets most near −4°, far from its own
    key."""
    K = embed(["I", "love", "bears"]) @ W_K
    angles = np.radians(np.arange(360))
    scores = (
        np.linalg.norm(WORDS["bears"] @ W_Q)
        * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        @ K.T
    )
    weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    best = weights[:, 1].argmax()
    assert best == 356
    assert np.degrees(np.arctan2(K[1, 1], K[1, 0])) > 40
