"""`catch_leak` for an exam: laws that every right function keeps, in words, each tried on arguments
drawn anew.

CONDITIONS is printed above the laws. A law is a sentence and a function that draws what the
sentence leaves open.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.arguments import Array
from course_utils.attention import causal_mask
from course_utils.diagnosis.questions import close

CONDITIONS = (
    "It returns the output and the weights. `Q`, `K` and `V` have one shape, (T, d), with T from 4 "
    "to 6 and d "
    "from 2 to 5, and are drawn at random. The mask is causal, True = may attend, unless a law "
    "names another."
)


def draw(rng: Generator) -> tuple[Any, ...]:
    """Q, K, V, mask."""
    T, d = rng.integers([4, 2], [7, 6])
    return *rng.normal(size=(3, T, d)), causal_mask(int(T))


def another_last_row(table: Array, rng: Generator) -> Array:
    changed = table.copy()
    changed[-1] = rng.normal(size=table.shape[1])
    return changed


def last_value(f: Callable[..., Any], rng: Generator) -> bool:
    Q, K, V, mask = draw(rng)
    before, after = f(Q, K, V, mask)[0], f(Q, K, another_last_row(V, rng), mask)[0]
    return close(before[:-1], after[:-1]) and not close(before[-1], after[-1])


def last_key(f: Callable[..., Any], rng: Generator) -> bool:
    Q, K, V, mask = draw(rng)
    return close(f(Q, K, V, mask)[0][:-1], f(Q, another_last_row(K, rng), V, mask)[0][:-1])


def rows_sum_to_1(f: Callable[..., Any], rng: Generator) -> bool:
    return close(f(*draw(rng))[1].sum(axis=1), 1)


def first_row(f: Callable[..., Any], rng: Generator) -> bool:
    Q, K, V, mask = draw(rng)
    return close(f(Q, K, V, mask)[0][0], V[0])


def hidden_weighs_nothing(f: Callable[..., Any], rng: Generator) -> bool:
    Q, K, V, mask = draw(rng)
    return close(f(Q, K, V, mask)[1][~mask], 0)


def seen_weighs_something(f: Callable[..., Any], rng: Generator) -> bool:
    Q, K, V, mask = draw(rng)
    return bool((f(Q, K, V, mask)[1][mask] > 0).all())


def last_row(f: Callable[..., Any], rng: Generator) -> bool:
    Q, K, V, mask = draw(rng)
    return close(f(Q, K, V, mask)[0][-1], f(Q, K, V, np.ones_like(mask))[0][-1])


def weights_times_values(f: Callable[..., Any], rng: Generator) -> bool:
    Q, K, V, mask = draw(rng)
    output, weights = f(Q, K, V, mask)
    return close(weights @ V, output)


LAWS = {
    "Another last row of `V`: the last row of the output changes, and no other.": last_value,
    "Another last row of `K`: all rows of the output but the last stay.": last_key,
    "The weights of every row sum to 1.": rows_sum_to_1,
    "The first row of the output is the first row of `V`.": first_row,
    "Where the mask is False the weight is 0.": hidden_weighs_nothing,
    "Where the mask is True the weight is above 0.": seen_weighs_something,
    "The last row of the output is the same with a mask that is True everywhere.": last_row,
    "The output is the matrix product of the weights and `V`.": weights_times_values,
}

# What some mistakes do, said so that only one function is meant.
DOES = {
    "-10 in place of -inf": "Every hidden score is replaced by -10. exp(-10) is small, but not 0.",
    "+1e9 in place of -1e9": (
        "Every hidden score is replaced by +1e9, so the hidden keys share all the weight."
    ),
    "a small number in place of -inf": "Every hidden score is replaced by -1, and exp(-1) is 0.37.",
    "scores set to zero": "Every hidden score is replaced by 0, and exp(0) = 1.",
    "strict mask": (
        "A token no longer sees itself. The first row sees nothing: its weights and its output "
        "are zeros."
    ),
    "softmax missing": (
        "The scores, with 0 where the mask is False, are used as weights: `scores * mask`."
    ),
    "softmax before the mask, and after": (
        "Softmax of all scores, -inf where the mask is False, then softmax again."
    ),
    "weights transposed": "The output is `weights.T @ V`. The returned weights are right.",
    "values hidden instead of scores": (
        "Hidden values count as 0 in each output, but the softmax and the returned weights "
        "ignore the mask."
    ),
    "shifted, but not divided by the sum": (
        "Each row's largest visible score is subtracted before exp. But no row is divided by its "
        "sum."
    ),
    "the mask on the scores as a product, -1e9 for all": (
        "Allowed scores become 0; hidden scores are multiplied by -1e9 (so a negative one "
        "becomes huge)."
    ),
    "inverted mask, -1e9": (
        "True means: may attend. Here the scores of the allowed keys are replaced by -1e9."
    ),
    "scaled after softmax": "The weights are divided by √d after the softmax, and are returned so.",
    "one softmax for the whole table": (
        "After masking, all weights together sum to 1. Each query's should: divide row by row."
    ),
}
