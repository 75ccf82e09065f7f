"""Laws of the shipped states and head of notebook 11."""

import itertools

import numpy as np
import pytest

from course_utils.attention import scaled_dot_product_attention
from course_utils.data import bears

SHIPPED = bears.load()
N = len(bears.EIGHTEEN)


def nearest_by_a_loop(own, others):
    """The number of the row of largest cosine, the first of those that are equal in six digits."""
    cosines = [round(float(own @ other / np.linalg.norm(own) / np.linalg.norm(other)), 6) for other in others]
    return cosines.index(max(cosines))


def test_a_third_then_most_then_all_lie_nearest_to_their_own_meaning():
    shares = []
    for layer in range(7):
        table = SHIPPED["states"][:, layer].astype(float)
        nearest = [nearest_by_a_loop(table[i], [*table[:i], -table[i], *table[i + 1:]]) for i in range(N)]
        shares.append(sum(bears.SENSES[a] == bears.SENSES[i] for i, a in enumerate(nearest)))
    assert shares == [6, 15, 18, 18, 18, 18, 18]


@pytest.mark.parametrize(("name", "right"), [("short", [False, False, True]), ("fuller", [True, True, True])])
def test_the_short_sentences_fail_and_the_fuller_ones_do_not(name, right):
    last = SHIPPED["states"][:, 6].astype(float)
    found = [bears.SENSES[nearest_by_a_loop(own[6].astype(float), last)] for own in SHIPPED[name]]
    assert [f == meaning for f, meaning in zip(found, {"short": bears.SHORT, "fuller": bears.FULLER}[name], strict=True)] == right


def test_before_the_first_block_bears_differs_by_its_place_alone():
    places = [sentence.lower().rstrip(".").split().index("bears") for sentence in bears.EIGHTEEN]
    first = SHIPPED["states"][:, 0]
    for a, b in itertools.combinations(range(N), 2):
        assert np.array_equal(first[a], first[b]) == (places[a] == places[b])


def test_the_shipped_head_looks_one_token_back():
    with_one = np.append(SHIPPED["X"], np.ones((len(SHIPPED["X"]), 1)), axis=1)
    weights = scaled_dot_product_attention(*(with_one @ SHIPPED[f"W_{letter}"] for letter in "QKV"))[1]
    assert np.diag(weights, k=-1).min() > 0.99
