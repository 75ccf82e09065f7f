"""What notebook 05 says in words is computed there, its drawings and hand-made heads do what they
say."""

import numpy as np
import pytest
from helpers import cells, names_of, prose, shown

from course_utils.attention import (
    merge_heads,
    multi_head_attention,
    scaled_dot_product_attention,
    split_heads,
)
from course_utils.data.refuted import refuted
from course_utils.data.two_heads import HEADS, TOKENS, W_V, X
from course_utils.figures import attention_diagram, split_and_merge

NAME = "05_multi_head_attention"


@pytest.fixture
def room():
    return names_of(NAME)


# {a sentence of the notebook that no number's tie holds: what it says, computed from the notebook's
# own names}
SAID = {
    "Four features say which word a token is, five say its position": lambda n: (
        (n["X"][:, :4].sum(), n["X"][:, 4:].shape) == (5, (5, 5))
    ),
    "Fours, not ones, make sharp weights": lambda n: all(
        (n["X"] @ W).max() == 4 for pair in n["pair"].values() for W in pair
    ),
    "the first query is all zeros, so its scores are equal": lambda n: (
        not (n["X"][0] @ HEADS["previous word"][0]).any()
    ),
    "four words, each twice": lambda n: (
        sorted(map(list(n["nouns"]).count, set(n["nouns"]))) == [2] * 4
    ),
    "come mostly from one case in seven: there one token answers both": lambda n: (
        small_weights_are_of_the_same_token(n)
    ),
    "Two heads have as many as one wide head": lambda n: (
        [w.size for w in n["one"]] == [w.size for w in n["two"]] == [w.size for w in n["start"]]
    ),
    "With three sentences NumPy would refuse": lambda n: refused(
        np.ones((3, 1, 4)), np.ones((3, 2, 4, 4))
    ),
    "OpenBLAS rounded the twins alike": lambda n: (
        np.array_equal(n["first"], n["second"]) or "openblas" not in n["blas"]["name"]
    ),
    "all ten pairs became different": lambda n: (
        refuted("twins")["changes"]["the last bit of a slope rounded otherwise"] == [0, 10]
    ),
    "with one, a single head answers both from all ten starts": lambda n: (
        refuted("E5")["changes"]["64 ReLU units read the heads out"][1] == [10, 10]
    ),
    "A head twice as wide does not help": lambda n: (
        refuted("E5")["changes"]["one head of width 32"][1] == [0, 10]
    ),
}


def small_weights_are_of_the_same_token(n):
    """Of the weight that each of two heads gives to the other one's token, more than eight tenths
    fall where both questions ask for one token."""
    X, whom, _ = n["task"].sentences(np.random.default_rng(7), 300)
    one_token = whom[:, 1:, 0] == whom[:, 1:, 1]
    weights = n["task"].forward(n["two"], 2, X)[3][0]  # (n, H, T, T)
    shares = []
    for head, (question, told) in enumerate([(0, 0.13), (1, 0.16)]):
        there = np.take_along_axis(weights[:, head], whom[..., question, None], axis=-1)[:, 1:, 0]
        assert abs(there.mean() - told) < 0.0055
        shares.append((there * one_token).mean() / there.mean())
    return min(shares) > 0.8 and abs(one_token.mean() - 1 / 7) < 0.02


def refused(*tables):
    with pytest.raises(ValueError, match="broadcast"):
        np.broadcast_shapes(*(table.shape for table in tables))
    return True


@pytest.mark.parametrize("sentence", SAID)
def test_what_the_text_says_is_so(room, sentence):
    assert sentence in prose(NAME)
    assert SAID[sentence](room)


def test_the_mask_changes_the_first_row_only_as_the_prediction_says(room):
    seen, all_seen = np.nan_to_num([*room["seen"].values()]), np.stack([*room["tables"].values()])
    moved = np.abs(seen - all_seen).max(axis=-1) > 0.005
    assert moved.tolist() == [[True, False, False, False, False]] * 2


def test_all_heads_in_one_go_are_the_course_s_multi_head_attention(room):
    output, weights = multi_head_attention(
        X, room["W_Q"], room["W_K"], np.hstack([W_V, W_V]), np.eye(8), 2
    )
    np.testing.assert_allclose([*room["tables"].values()], weights)
    np.testing.assert_allclose(room["output"], output @ room["W_O"])


def test_a_linear_readout_cannot_put_the_smaller_part_first():
    """Of four margins that must all be above 0, two add up to a positive multiple of minus the
    other two, whatever the matrix."""
    larger, smaller = 0.55, 0.34
    x, y, z = 0, 1, 2
    for W in np.random.default_rng(0).normal(size=(100, 4, 4)):  # scores = W @ mixture

        def margin(wins, loses, others, W=W):
            """How far the smaller part's colour is ahead of another colour, beside a larger
            part."""
            mixture = larger * np.eye(4)[others] + smaller * np.eye(4)[wins]
            return W[wins] @ mixture - W[loses] @ mixture

        beside_y = margin(x, z, y) + margin(z, x, y)
        between = margin(x, z, z) + margin(z, x, x)
        np.testing.assert_allclose(beside_y / smaller, -between / (larger - smaller), atol=1e-9)


def test_one_start_that_is_trained_in_the_notebook_is_one_of_the_ten():
    said = "\n".join(shown(cell) for cell in cells(NAME, "code"))
    assert "right answers: token before, other mention [0.38 0.98]" in said
    assert "one head answers both: 0" in said
    assert "two heads answer both: 10" in said


def written(figure):
    return [text.get_text() for text in figure.axes[0].texts]


@pytest.mark.parametrize("n_heads", [2, 3])
def test_the_drawing_of_a_split_holds_the_table_the_heads_and_the_table_again(n_heads):
    table = np.arange(12).reshape(2, 6)
    figure = split_and_merge(table, n_heads)
    heads = split_heads(table, n_heads).astype(int)
    numbers = [text for text in written(figure) if text.isdigit()]
    drawn = np.concatenate([table.ravel(), merge_heads(heads).ravel().astype(int), heads.ravel()])
    assert list(map(int, numbers)) == drawn.tolist()
    for h in range(n_heads):
        assert f"head {h} {heads[h].tolist()}" in figure.description
        assert written(figure).count(f"head {h}") == 3  # before, apart, and again


@pytest.mark.parametrize(
    ("n_heads", "steps"),
    [
        (1, ["$QK^\\top$", "÷ $\\sqrt{d_k}$", "mask", "softmax", "$A\\,V$"]),
        (8, ["8 heads", "split", "attention", "merge", "$W_O$"]),
    ],
)
def test_the_drawing_of_attention_names_its_steps_and_their_shapes(n_heads, steps):
    figure = attention_diagram(n_heads)
    assert {"$X$", "(T, D)", "$W_Q$", "$W_K$", "$W_V$", *steps} <= set(written(figure))
    assert ("(T, H·$d_v$)" in written(figure)) == (n_heads > 1)
    assert "1 head," in figure.description if n_heads == 1 else "8 heads" in figure.description


def test_one_word_has_two_questions_and_each_hand_made_head_answers_one():
    the = TOKENS.index("the", 1)
    for name, keys in [
        ("previous word", [the - 1]),
        ("same word", [0, the]),
        ("itself", [the]),
        ("everyone", range(5)),
    ]:
        W_Q, W_K = HEADS[name]
        _, weights = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
        wanted = np.zeros(5)
        wanted[list(keys)] = 1 / len(keys)
        np.testing.assert_allclose(weights[the], wanted, atol=0.005)
