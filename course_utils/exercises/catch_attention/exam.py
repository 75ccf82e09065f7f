"""`catch_attention` for an exam: laws that every right function keeps, in words, each tried on
arguments drawn anew.

CONDITIONS is printed above the laws. A law is a sentence and a function that draws what the
sentence leaves open.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.arguments import Array
from course_utils.diagnosis.questions import close

CONDITIONS = (
    "`Q`, `K` and `V` have one shape, (T, d), with T and d from 3 to 6; all numbers are "
    "drawn at random."
)


def draw(rng: Generator) -> Array:
    """Q, K, V."""
    return rng.normal(size=(3, *rng.integers(3, 7, size=2)))


def rows(f: Callable[..., Any], Q: Array, K: Array, V: Array) -> Array:
    """The output, a row for each query.

    Raises ValueError where it has no such rows. What a law says of rows is then neither kept nor
    broken, and no question asks it.
    """
    output = np.asarray(f(Q, K, V), float)
    if output.ndim != 2 or len(output) != len(Q):
        raise ValueError(f"got an output of shape {output.shape}, wanted {len(Q)} rows")
    return output


def equal_values(f: Callable[..., Any], rng: Generator) -> bool:
    Q, K, V = draw(rng)
    V[:] = V[0]
    return close(rows(f, Q, K, V), V)


def keys_and_values_reordered(f: Callable[..., Any], rng: Generator) -> bool:
    Q, K, V = draw(rng)
    return close(f(Q, np.roll(K, 1, axis=0), np.roll(V, 1, axis=0)), f(Q, K, V))


def queries_reordered(f: Callable[..., Any], rng: Generator) -> bool:
    Q, K, V = draw(rng)
    return close(rows(f, np.roll(Q, 1, axis=0), K, V), np.roll(rows(f, Q, K, V), 1, axis=0))


def values_doubled(f: Callable[..., Any], rng: Generator) -> bool:
    Q, K, V = draw(rng)
    return close(f(Q, K, 2 * V), 2 * f(Q, K, V))


def query_of_zeros(f: Callable[..., Any], rng: Generator) -> bool:
    Q, K, V = draw(rng)
    i = rng.integers(len(Q))
    Q[i] = 0
    return close(rows(f, Q, K, V)[i], V.mean(axis=0))


def keys_shifted(f: Callable[..., Any], rng: Generator) -> bool:
    Q, K, V = draw(rng)
    return close(f(Q, K + rng.normal(size=K.shape[1]), V), f(Q, K, V))


def single_key(f: Callable[..., Any], rng: Generator) -> bool:
    Q, K, V = draw(rng)
    return close(rows(f, Q, K[:1], V[:1]), np.repeat(V[:1], len(Q), axis=0))


def size_moved_to_queries(f: Callable[..., Any], rng: Generator) -> bool:
    Q, K, V = draw(rng)
    return close(f(2 * Q, K / 2, V), f(Q, K, V))


LAWS = {
    "If all rows of `V` are equal, every row of the output is that row.": equal_values,
    "The rows of `K` and `V` reordered alike: the output stays.": keys_and_values_reordered,
    "The rows of `Q` reordered: the rows of the output come in that order.": queries_reordered,
    "`V` twice as large: the output is twice as large.": values_doubled,
    "If a row of `Q` is zeros, its output is the mean of the rows of `V`.": query_of_zeros,
    "The same vector added to every row of `K`: the output stays.": keys_shifted,
    "With the first rows of `K` and `V` alone, every output is that row of `V`.": single_key,
    "`Q` twice as large and `K` half as large: the output stays.": size_moved_to_queries,
}

# What some mistakes do, said so that only one function is meant.
DOES = {
    "the softmax at the end": (
        "The scores multiply V as they are, and softmax is applied to the result: `softmax(Q @ "
        "K.T @ V)`."
    ),
    "the softmax of the queries": (
        "Softmax is applied to Q, and the scores are used as they are: `softmax(Q) @ K.T @ V`."
    ),
    "exp missing": (
        "Each row of scores is divided by its sum, without exp. Softmax makes the scores "
        "positive first."
    ),
    "the last key left out": (
        "The weights count all keys, but the sum of weight times value stops before the last key."
    ),
    "the first key left out": (
        "The weights count all keys, but the sum of weight times value begins at the second key."
    ),
    "only the last key's share": (
        "The output is only the last weight times the last value. An average adds the shares of "
        "all keys."
    ),
    "shifted, but not divided by the sum": (
        "Each row's largest score is subtracted before exp, but then no row is divided by its sum."
    ),
    "cosines in place of dot products": (
        "The rows of Q and K are divided by their lengths first (a row of zeros gives 0/0)."
    ),
    "only what came before": (
        "Query i sees keys 0 to i, itself included. That is a mask, of notebook 04."
    ),
}
