"""Claim E5: heads trained from ten starts, on a task of two relations and on one of a single
relation.

And one thing at a time is changed: is it the second head that lets both questions be answered? As
it is, the readout is linear, as in lecture 05. Among the changes is a readout with 64 ReLU units,
what a feed-forward network is.
"""

import numpy as np

from course_utils.models.two_relations import D, examine, new_heads, train, twins

STARTS = 10
RIGHT, LOOKS = 0.95, 0.5  # both questions answered; a head has taken on a relation

SIDES = ("two heads", "one head")
COUNTED = "starts that answer both questions"
UNITS = 64
CHANGES = {
    "as it is": {},
    "float32": {"dtype": np.float32},
    "half the rate": {"rate": 0.01},
    "twice the steps": {"steps": 1200},
    "one head of width 32": {"wider": True},
    "64 ReLU units read the heads out": {"units": UNITS},
    "the two heads start alike": {"alike": True},
    "only one of the questions is asked": {"asked": (False, True)},
}
CHEAP = ["as it is"]


def solved(right):
    """How many starts answer both questions."""
    return int((right > RIGHT).all(axis=-1).sum())


def a_relation_each(looks):
    """How many starts have one head for each of the two relations."""
    first, second = looks[:, 0] > LOOKS, looks[:, 1] > LOOKS
    apart = (first != second).all(axis=-1) & (first.sum(axis=-1) == 1)
    return int(apart.sum())


def run(first=0):
    """{"starts": n, "what happened": in how many of n}."""
    starts = range(first, first + STARTS)
    start = new_heads(starts)
    alone, _ = examine(train(start, 1), 1)
    right, looks = examine(train(start, 2), 2)
    alike, alike_looks = examine(train(twins(start), 2), 2)
    with_units = {
        relu: examine(train(new_heads(starts, UNITS), 1, relu=relu), 1, relu=relu)[0]
        for relu in (True, False)
    }
    once = {
        name: examine(train(start, 2, asked), 2)[1]
        for name, asked in [("before", (True, False)), ("same", (False, True))]
    }
    return {
        "starts": STARTS,
        "one head: both answered": solved(alone),
        "one head: one answered": int(((alone > RIGHT).sum(axis=-1) == 1).sum()),
        "one head: the same word answered": int((alone[:, 1] > RIGHT).sum()),
        "one head, 64 ReLU units: both answered": solved(with_units[True]),
        "one head, 64 units without ReLU: both answered": solved(with_units[False]),
        "two heads: both answered": solved(right),
        "two heads: a relation each": a_relation_each(looks),
        "two heads: the first looks at the token before": int((looks[:, 0, 0] > LOOKS).sum()),
        "two heads alike: both answered": solved(alike),
        "two heads alike: a relation each": a_relation_each(alike_looks),
        "asked for the token before only: a relation each": a_relation_each(once["before"]),
        "asked for the same word only: a relation each": a_relation_each(once["same"]),
        "asked for the token before only: both look there": int(
            (once["before"][:, :, 0] > LOOKS).all(axis=-1).sum()
        ),
        "asked for the same word only: both look there": int(
            (once["same"][:, :, 1] > LOOKS).all(axis=-1).sum()
        ),
    }


def count(
    first,
    cause,
    rate=0.02,
    steps=600,
    asked=(True, True),
    wider=False,
    alike=False,
    units=0,
    dtype=float,
):
    """How many of ten starts answer all that they are asked: (k, n)."""
    heads = 2 if cause else 1
    W = new_heads(range(first, first + STARTS), units, 2 * D if wider and not cause else D)
    if alike and heads == 2:
        W = twins(W)
    right, _ = examine(train([w.astype(dtype) for w in W], heads, asked, steps, rate), heads)
    return int((right[:, list(asked)] > RIGHT).all(axis=1).sum()), STARTS
