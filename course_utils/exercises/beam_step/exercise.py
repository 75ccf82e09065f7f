"""The exercise `beam_step`."""

import numpy as np

from course_utils.attention import softmax
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import sizes

RNG = np.random.default_rng(7)


def beam_step(totals, log_probs, beam_width):
    longer = np.asarray(totals)[:, None] + log_probs                # (n, n_vocab)
    best = np.argsort(-longer, axis=None, kind="stable")[:beam_width]
    parents, tokens = np.divmod(best, longer.shape[1])
    return parents, tokens, longer.ravel()[best]


def _beam(n, n_vocab, beam_width, sharpness=1.0):
    """n texts with totals that differ, each with log-probabilities of its next token."""
    totals = np.sort(np.log(RNG.uniform(0.05, 0.5, size=n)))[::-1].copy()
    return totals, np.log(softmax(sharpness * RNG.normal(size=(n, n_vocab)))), beam_width


# The best three of the first: two children of the first text, then one of the third.
TELLING = (np.log([0.5, 0.1, 0.3]), np.log([[0.45, 0.35, 0.14, 0.06], [0.1, 0.85, 0.02, 0.03], [0.02, 0.03, 0.25, 0.7]]), 3)


def draw(rng):
    n, n_vocab = sizes(rng, 2)
    totals = np.log(rng.uniform(0.05, 0.5, size=n))
    return totals, np.log(softmax(rng.normal(size=(n, n_vocab)))), int(rng.integers(1, n * n_vocab + 1))


EXERCISE = Exercise("beam_step", beam_step, inputs=[_beam(3, 6, 4), TELLING, _beam(4, 4, 2, 2.0), _beam(1, 5, 2)],
    draw=draw, minutes=15, difficulty=3,
    nudge="One table holds all longer texts: a row for each text of the beam, a column for each word. What stands in a cell? "
          "And from the number of a cell in the flat table, how do you find its row and its column?",
    skeleton="""def my_beam_step(totals, log_probs, beam_width):
    longer = ...                          # (n, n_vocab)  the total of every longer text
    best = ...                            # (beam_width,)  their numbers in the flat table, the best first
    parents, tokens = ...                 # row and column of each
    return parents, tokens, ...
""")
