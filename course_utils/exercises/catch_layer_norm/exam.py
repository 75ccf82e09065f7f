"""`catch_layer_norm` for an exam: laws that every right function keeps, in words, each tried on
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
    "`X` (T, D) with T and D from 3 to 6, a row a token; γ and β (D,). All numbers are drawn at "
    "random "
    "unless a law says what they are; ε is 1e-9."
)
EPS = 1e-9


def draw(rng: Generator) -> tuple[Any, ...]:
    """X, γ, β."""
    T, D = rng.integers(3, 7, size=2)
    return 3 * rng.normal(size=(T, D)) + 2, rng.normal(size=D), rng.normal(size=D)


def plain(f: Callable[..., Any], rng: Generator) -> Array:
    """What comes with γ = 1 and β = 0."""
    X, gamma, beta = draw(rng)
    return f(X, np.ones_like(gamma), np.zeros_like(beta), EPS)


def mean_is_0(f: Callable[..., Any], rng: Generator) -> bool:
    return close(plain(f, rng).mean(axis=1), 0)


def variance_is_1(f: Callable[..., Any], rng: Generator) -> bool:
    return close(plain(f, rng).var(axis=1), 1)


def token_alone(f: Callable[..., Any], rng: Generator) -> bool:
    X, gamma, beta = draw(rng)
    return close(f(X[:1], gamma, beta, EPS), f(X, gamma, beta, EPS)[:1])


def gamma_of_zeros(f: Callable[..., Any], rng: Generator) -> bool:
    X, gamma, beta = draw(rng)
    return close(f(X, 0 * gamma, beta, EPS), np.repeat(beta[None], len(X), axis=0))


def one_token_doubled(f: Callable[..., Any], rng: Generator) -> bool:
    X, gamma, beta = draw(rng)
    doubled = X.copy()
    doubled[rng.integers(len(X))] *= 2
    return close(f(doubled, gamma, beta, EPS), f(X, gamma, beta, EPS))


def one_token_shifted(f: Callable[..., Any], rng: Generator) -> bool:
    X, gamma, beta = draw(rng)
    shifted = X.copy()
    shifted[rng.integers(len(X))] += rng.uniform(1, 5)
    return close(f(shifted, gamma, beta, EPS), f(X, gamma, beta, EPS))


def beta_moved(f: Callable[..., Any], rng: Generator) -> bool:
    X, gamma, beta = draw(rng)
    step = rng.normal(size=beta.shape)
    return close(f(X, gamma, beta + step, EPS), f(X, gamma, beta, EPS) + step)


def tokens_reordered(f: Callable[..., Any], rng: Generator) -> bool:
    X, gamma, beta = draw(rng)
    return close(
        f(np.roll(X, 1, axis=0), gamma, beta, EPS), np.roll(f(X, gamma, beta, EPS), 1, axis=0)
    )


LAWS = {
    "With γ = 1 and β = 0 the features of every token have mean 0.": mean_is_0,
    "With γ = 1 and β = 0 the features of every token have variance 1.": variance_is_1,
    "The first token alone, without the others, gives what it gives among them.": token_alone,
    "With γ = 0 every token becomes β.": gamma_of_zeros,
    "All features of one token twice as large: the output stays.": one_token_doubled,
    "One number added to all features of one token: the output stays.": one_token_shifted,
    "A vector added to β: every token moves by that vector.": beta_moved,
    "Tokens in another order: the rows of the output are in that order.": tokens_reordered,
}

# What some mistakes do, said so that only one function is meant.
DOES = {
    "divided by the length": (
        "The centred token is divided by its length, the root of the sum of its squares. The "
        "variance is a mean of squares."
    ),
    "RMS norm": "γ · x / rms(x) + β: divided by the root of the mean square, not centred.",
    "softmax of the token": "γ · softmax(x) + β. Shares are positive and sum to 1.",
    "only the mean divided": "γ · (x − μ/σ) + β: the division reaches the mean, not the token.",
    "γ without brackets": "γ · x − μ/σ + β: γ and the division each reach one half of x − μ.",
    "root of ε added": "√ε is added to the deviation: with ε = 1e-9 that is 0.00003, and counts.",
    "not centred": "γ · x / σ + β: the deviation is right, but the mean is not subtracted.",
    "γ and β before the norm": (
        "norm(γ · x + β): the norm takes stretch and shift away again, in part."
    ),
}
