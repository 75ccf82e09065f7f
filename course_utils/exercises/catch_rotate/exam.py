"""`catch_rotate` for an exam: laws that every right function keeps, in words, each tried on
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
    "`X` (T, D) with T from 2 to 5 and D = 4, 6 or 8; `cos` and `sin` (T, D/2) are those of a "
    "table of angles. "
    "Numbers and angles are drawn at random unless a law says what they are. Feature j pairs with "
    "feature j + D/2."
)


def draw(rng: Generator) -> tuple[Any, ...]:
    """X and two tables of angles."""
    T, half = rng.integers([2, 2], [6, 5])
    return rng.normal(size=(T, 2 * half)), *rng.uniform(0, 2 * np.pi, size=(2, T, half))


def turn(f, X, angles):
    return f(X, np.cos(angles), np.sin(angles))


def rows_keep_their_length(f: Callable[..., Any], rng: Generator) -> bool:
    X, a, _ = draw(rng)
    return close((turn(f, X, a) ** 2).sum(axis=1), (X**2).sum(axis=1))


def no_angle(f: Callable[..., Any], rng: Generator) -> bool:
    X, a, _ = draw(rng)
    return close(turn(f, X, 0 * a), X)


def two_turns(f: Callable[..., Any], rng: Generator) -> bool:
    X, a, b = draw(rng)
    return close(turn(f, turn(f, X, a), b), turn(f, X, a + b))


def there_and_back(f: Callable[..., Any], rng: Generator) -> bool:
    X, a, _ = draw(rng)
    return close(turn(f, turn(f, X, a), -a), X)


def half_a_turn(f: Callable[..., Any], rng: Generator) -> bool:
    X, a, _ = draw(rng)
    return close(turn(f, X, 0 * a + np.pi), -X)


def quarter_turn(f: Callable[..., Any], rng: Generator) -> bool:
    X, a, _ = draw(rng)
    half = X.shape[1] // 2
    return close(turn(f, X, 0 * a + np.pi / 2)[:, :half], -X[:, half:])


def twice_as_large(f: Callable[..., Any], rng: Generator) -> bool:
    X, a, _ = draw(rng)
    return close(turn(f, 2 * X, a), 2 * turn(f, X, a))


def pairs_keep_their_length(f: Callable[..., Any], rng: Generator) -> bool:
    X, a, _ = draw(rng)
    half, turned = X.shape[1] // 2, turn(f, X, a)
    return close(turned[:, :half] ** 2 + turned[:, half:] ** 2, X[:, :half] ** 2 + X[:, half:] ** 2)


LAWS = {
    "The length of every row stays.": rows_keep_their_length,
    "By angles of 0 nothing changes.": no_angle,
    "By angles a, and what comes by angles b, is by a + b at once.": two_turns,
    "By angles a, and what comes by −a, is where it began.": there_and_back,
    "By half a turn every number changes its sign.": half_a_turn,
    "By a quarter turn the first half of each row becomes minus its old second half.": quarter_turn,
    "`X` twice as large: what comes is twice as large.": twice_as_large,
    "The length of every pair stays.": pairs_keep_their_length,
}

# What some mistakes do, said so that only one function is meant.
DOES = {
    "features reversed instead of halves exchanged": (
        "X · [cos, cos] + X[:, ::-1] · [−sin, sin]: each feature meets its mirror image, which "
        "has another angle."
    ),
    "pairs interleaved where halves are asked": (
        "Each feature is turned with its neighbour, and both stay in their columns. Here feature "
        "j is paired with feature j + half."
    ),
    "multiplied by the cosines only": (
        "Both halves are multiplied by cos, and no sine enters. A turn keeps lengths."
    ),
    "no minus": "[a·cos + b·sin, a·sin + b·cos]: both new halves are sums.",
    "angles in pairs, features in halves": (
        "Features j and j + half are turned together, but each column takes the angle of its "
        "neighbour pair, column // 2."
    ),
}
