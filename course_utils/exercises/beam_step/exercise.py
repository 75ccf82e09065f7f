"""The exercise `beam_step`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.attention import softmax
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import sizes

RNG = np.random.default_rng(7)


def beam_step(totals, log_probs, beam_width):
    longer = np.asarray(totals)[:, None] + log_probs  # (n, n_vocab)
    best = np.argsort(-longer, axis=None, kind="stable")[:beam_width]
    parents, tokens = np.divmod(best, longer.shape[1])
    return parents, tokens, longer.ravel()[best]


def _beam(n, n_vocab, beam_width, sharpness=1.0):
    """n texts with totals that differ, each with log-probabilities of its next token."""
    totals = np.sort(np.log(RNG.uniform(0.05, 0.5, size=n)))[::-1].copy()
    return totals, np.log(softmax(sharpness * RNG.normal(size=(n, n_vocab)))), beam_width


# The best three of the first: two children of the first text, then one of the third.
TELLING = (
    np.log([0.5, 0.1, 0.3]),
    np.log([[0.45, 0.35, 0.14, 0.06], [0.1, 0.85, 0.02, 0.03], [0.02, 0.03, 0.25, 0.7]]),
    3,
)


def _order_of_equals(came, other):
    """Neighbours with equal totals may stand in any order: what came, with those in the order of
    the others."""
    if {part.shape for part in came} != {other[0].shape} or other[0].ndim != 1:
        return came
    turned = [part.copy() for part in came]
    starts = np.flatnonzero(np.concatenate([[True], ~np.isclose(came[2][1:], came[2][:-1])]))
    for equals in np.split(np.arange(len(came[2])), starts[1:]):
        ours, theirs = ({(parts[0][i], parts[1][i]) for i in equals} for parts in (came, other))
        if ours == theirs:
            turned[0][equals], turned[1][equals] = other[0][equals], other[1][equals]
    return turned


def draw(rng: Generator) -> tuple[Any, ...]:
    n, n_vocab = sizes(rng, 2)
    totals = np.log(rng.uniform(0.05, 0.5, size=n))
    return (
        totals,
        np.log(softmax(rng.normal(size=(n, n_vocab)))),
        int(rng.integers(1, n * n_vocab + 1)),
    )


EXERCISE = Exercise(
    "beam_step",
    beam_step,
    inputs=[
        _beam(3, 6, 4),
        TELLING,
        _beam(4, 4, 2, 2.0),
        _beam(1, 5, 2),
        (
            np.log([0.5, 0.3]),
            np.log([[0.75, 0.25], [0.4, 0.6]]),
            4,
        ),  # the beam takes every candidate
    ],
    traps={
        "two candidates with equal totals": (np.array([0.0]), np.log([[0.5, 0.5]]), 2),
        "totals far below 0, as long texts have them": (
            np.array([-800.0, -801.0]),
            np.log([[0.4, 0.6], [0.9, 0.1]]),
            2,
        ),
        "one text, and a beam of one": (np.array([0.0]), np.log([[0.75, 0.25]]), 1),
    },
    draw=draw,
    canonicalise=_order_of_equals,
    minutes=15,
    difficulty=3,
    nudge=(
        "One table holds all longer texts: a row for each text of the beam, a column for each word."
        " What stands in a cell? And from the number of a cell in the flat table, how do you find"
        " its row and its column?"
    ),
    skeleton="""def my_beam_step(totals, log_probs, beam_width):
    longer = ...                          # (n, n_vocab)  the total of every longer text
    best = ...                            # (beam_width,)  their numbers in the flat table, the best first
    parents, tokens = ...                 # row and column of each
    return parents, tokens, ...
""",  # noqa: E501
)
