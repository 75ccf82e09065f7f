"""Laws of the position table and of rotation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils.positions import rotary_angles, rotary_embedding, sinusoidal_positional_encoding

seeds = st.integers(0, 10**6)


def test_the_table_is_the_formula_of_the_paper():
    R = sinusoidal_positional_encoding(7, 6, base=100.0)
    for i in range(7):
        for j in range(3):
            assert R[i, 2 * j] == pytest.approx(np.sin(i / 100 ** (2 * j / 6)))
            assert R[i, 2 * j + 1] == pytest.approx(np.cos(i / 100 ** (2 * j / 6)))


def test_the_base_is_ten_thousand_unless_given():
    np.testing.assert_allclose(rotary_angles([3], 4), [np.cos([[3, 0.03]]), np.sin([[3, 0.03]])])
    np.testing.assert_allclose(
        sinusoidal_positional_encoding(4, 4)[3], [np.sin(3), np.cos(3), np.sin(0.03), np.cos(0.03)]
    )


def test_every_row_of_the_table_has_the_length_root_of_half_the_width():
    np.testing.assert_allclose(
        np.linalg.norm(sinusoidal_positional_encoding(50, 64), axis=1), np.sqrt(32)
    )


@given(st.integers(0, 40), st.integers(0, 20))
def test_the_product_of_two_positions_depends_on_their_offset_only(i, k):
    R = sinusoidal_positional_encoding(64, 16)
    assert R[i] @ R[i + k] == pytest.approx(R[0] @ R[k])


@given(seeds, st.integers(0, 500), st.integers(-20, 20), st.booleans())
def test_rotated_queries_and_keys_see_their_offset_only(seed, i, k, interleaved):
    q, key = np.random.default_rng(seed).normal(size=(2, 1, 8))

    def score(at_query, at_key):
        turned_q, turned_k = (
            rotary_embedding(x, *rotary_angles([p], 8), interleaved)
            for x, p in ((q, at_query), (key, at_key))
        )
        return (turned_q @ turned_k.T).item()

    assert score(i + 20, i + 20 + k) == pytest.approx(score(20, 20 + k), abs=1e-9)


@given(seeds, st.booleans())
def test_rotation_keeps_lengths_and_position_0_turns_nothing(seed, interleaved):
    X = np.random.default_rng(seed).normal(size=(2, 5, 8))
    turned = rotary_embedding(X, *rotary_angles(np.arange(5), 8), interleaved)
    np.testing.assert_allclose(np.linalg.norm(turned, axis=-1), np.linalg.norm(X, axis=-1))
    np.testing.assert_array_equal(turned[:, 0], X[:, 0])


@pytest.mark.parametrize("interleaved", [False, True])
def test_only_the_first_features_turn(interleaved):
    X = np.random.default_rng(0).normal(size=(5, 8))
    turned = rotary_embedding(X, *rotary_angles(np.arange(5), 4), interleaved)
    np.testing.assert_array_equal(turned[:, 4:], X[:, 4:])
    np.testing.assert_array_equal(
        turned[:, :4], rotary_embedding(X[:, :4], *rotary_angles(np.arange(5), 4), interleaved)
    )


def test_pairs_are_halves_or_neighbours():
    X, (cos, sin) = np.array([[1.0, 0, 0, 0]]), rotary_angles([1], 4)
    np.testing.assert_allclose(rotary_embedding(X, cos, sin), [[np.cos(1), 0, np.sin(1), 0]])
    np.testing.assert_allclose(
        rotary_embedding(X, cos, sin, interleaved=True), [[np.cos(1), np.sin(1), 0, 0]]
    )


def test_angles_of_their_own_for_each_sentence():
    X = np.random.default_rng(0).normal(size=(2, 3, 5, 4))
    cos, sin = (
        np.stack([a, b])[:, None]
        for a, b in zip(
            rotary_angles(np.arange(5), 4), rotary_angles(np.arange(5) + 7, 4), strict=True
        )
    )
    turned = rotary_embedding(X, cos, sin)
    for b in range(2):
        np.testing.assert_array_equal(turned[b], rotary_embedding(X[b], cos[b, 0], sin[b, 0]))


def test_float32_stays_float32_and_the_input_stays_as_it_was():
    X = np.ones((3, 4), dtype=np.float32)
    assert rotary_embedding(X, *rotary_angles(np.arange(3), 4)).dtype == np.float32
    assert (X == 1).all()


@pytest.mark.parametrize(
    ("call", "argument", "wanted"),
    [
        (lambda: sinusoidal_positional_encoding(4, 5), "D", "even"),
        (lambda: sinusoidal_positional_encoding(0, 4), "T", "at least 1"),
        (lambda: sinusoidal_positional_encoding(4, 4, base=0), "base", "above 0"),
        (lambda: rotary_angles([[1, 2]], 4), "positions", "(T,)"),
        (lambda: rotary_angles([1, 2], 3), "d", "even"),
        (lambda: rotary_embedding(np.ones((3, 4)), *rotary_angles([0, 1], 4)), "cos", "(3, n)"),
        (lambda: rotary_embedding(np.ones((3, 4)), *rotary_angles([0, 1, 2], 6)), "cos", "2n <= 4"),
        (
            lambda: rotary_embedding(np.ones((3, 4)), np.ones((3, 2)), np.ones((3, 1))),
            "sin",
            "(3, 2)",
        ),
        (
            lambda: rotary_embedding(np.ones((3, 4)), np.ones((2, 3, 2)), np.ones((2, 3, 2))),
            "cos",
            "leading axes of X (3, 4)",
        ),
        (
            lambda: rotary_embedding(np.ones((2, 3, 4)), np.ones((5, 3, 2)), np.ones((5, 3, 2))),
            "cos",
            "leading axes of X (2, 3, 4)",
        ),
    ],
)
def test_what_does_not_fit_is_refused_by_name(call, argument, wanted):
    with pytest.raises(ValueError, match="wanted") as caught:
        call()
    assert str(caught.value).startswith(f"{argument}: got ")
    assert wanted in str(caught.value)
