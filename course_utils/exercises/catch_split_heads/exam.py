"""`catch_split_heads` for an exam: laws that every right function keeps, in words, each tried on
arguments drawn anew.

CONDITIONS is printed above the laws. A law is a sentence and a function that draws what the
sentence leaves open.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.questions import close

CONDITIONS = (
    "`X` (T, D), a row a token, numbers drawn at random. There are 2 or 3 heads, unless a law says "
    "how many; T is 6 or 12, "
    "D is 2, 3 or 4 times the number of heads."
)


def draw(rng: Generator, n_heads: int | None = None) -> tuple[Any, ...]:
    """X, n_heads."""
    n_heads = n_heads or int(rng.integers(2, 4))
    return rng.normal(size=(6 * rng.integers(1, 3), n_heads * rng.integers(2, 5))), n_heads


def first_number(f: Callable[..., Any], rng: Generator) -> bool:
    X, n_heads = draw(rng)
    return close(f(X, n_heads)[0, 0, 0], X[0, 0])


def one_head(f: Callable[..., Any], rng: Generator) -> bool:
    X, _ = draw(rng)
    return same(f(X, 1), X[None])


def last_features(f: Callable[..., Any], rng: Generator) -> bool:
    X, n_heads = draw(rng)
    return same(f(X, n_heads)[-1, 0], X[0, -X.shape[1] // n_heads :])


def tokens_reordered(f: Callable[..., Any], rng: Generator) -> bool:
    X, n_heads = draw(rng)
    return same(f(np.roll(X, 1, axis=0), n_heads), np.roll(f(X, n_heads), 1, axis=1))


def no_number_lost(f: Callable[..., Any], rng: Generator) -> bool:
    X, n_heads = draw(rng)
    return same(np.sort(f(X, n_heads), axis=None), np.sort(X, axis=None))


def first_half(f: Callable[..., Any], rng: Generator) -> bool:
    X, _ = draw(rng, 2)
    return same(f(X, 2)[0], X[:, : X.shape[1] // 2])


def shape(f: Callable[..., Any], rng: Generator) -> bool:
    X, n_heads = draw(rng)
    return f(X, n_heads).shape == (n_heads, len(X), X.shape[1] // n_heads)


def side_by_side(f: Callable[..., Any], rng: Generator) -> bool:
    X, n_heads = draw(rng)
    heads = f(X, n_heads)
    n = heads.shape[-1]
    parts = {tuple(row[i : i + n]) for row in X for i in range(len(row) - n + 1)}
    return {tuple(row) for row in heads.reshape(-1, n)} <= parts


def same(a, b):
    return a.shape == b.shape and close(a, b)


LAWS = {
    "In the first head, the first token begins with the first number of `X`.": first_number,
    "With one head the result is `X` with an axis in front.": one_head,
    "In the last head, the first token's row is the end of the first row of `X`.": last_features,
    "Tokens in another order: in each head they are in that order.": tokens_reordered,
    "No number is lost: sorted, they are those of `X`.": no_number_lost,
    "With two heads, the first holds the first half of every token's features.": first_half,
    "The shape is (heads, T, D / heads).": shape,
    "The numbers of every row of a head stood side by side in a row of `X`.": side_by_side,
}

# What some mistakes do, said so that only one function is meant.
DOES = {
    "reshaped without a transpose": (
        "`X.reshape(n_heads, T, -1)`: reshape fills row after row, so heads and tokens get mixed."
    ),
    "reshaped, then turned": (
        "X is reshaped to (H, T, d), which mixes tokens and features; then the first two axes "
        "are exchanged: (T, H, d)."
    ),
    "heads split over tokens": "Each head gets a block of tokens, with all features.",
    "rows taken for features": "Head h gets tokens h, h + H, … with all features.",
}
