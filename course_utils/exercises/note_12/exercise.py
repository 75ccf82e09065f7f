"""The exercise `note_12`."""

import numpy as np

from course_utils.data.bears import SENSES, load
from course_utils.diagnosis.exercise import Reading
from course_utils.exercises.nearest_words.misconceptions import _unit

STATES = load()["states"][:, [0, -1]].astype(
    float
)  # (18, 2, 384): before block 1, and after the last


def _cosines(layer):
    U = _unit(STATES[:, layer])
    return U @ U.T


def _mean_cosine(layer, same):
    """The mean cosine of all pairs of the same meaning, or of different ones."""
    alike = np.equal.outer(SENSES, SENSES)
    return _cosines(layer)[(alike if same else ~alike) & ~np.eye(len(SENSES), dtype=bool)].mean()


EXERCISE = Reading(
    "note_12",
    "A lecture note says: “Before the first block any two of the eighteen ‘bears’ have a cosine of"
    " nearly 1, after the last block much less. So the model gradually forgets that they are the"
    " same word, and loses knowledge.” Which sentence mends it?",
    [
        (
            (
                "The vectors move apart because every block adds noise to the stream, but what the"
                " word was can be read off to the end."
            ),
            (
                "Noise would separate pairs of the same meaning as far as pairs of different ones."
                " They separate unequally."
            ),
        ),
        (
            (
                "The vectors move apart only because they grow longer from block to block; their"
                " directions stay where they were."
            ),
            (
                "A cosine knows nothing of lengths. That it falls means that directions change, and"
                " every block ends in a layer norm."
            ),
        ),
        (
            (
                "At the start only word and place are known; then the sentence separates the"
                " vectors, so those of one meaning stay closer."
            ),
            (
                "after the last block pairs of the same meaning have a mean cosine of"
                f" {_mean_cosine(1, True):.2f}, pairs of different ones"
                f" {_mean_cosine(1, False):.2f}; before the first {_mean_cosine(0, True):.2f} and"
                f" {_mean_cosine(0, False):.2f}. That is knowledge gained from the sentence."
            ),
        ),
        (
            (
                'The vectors move apart since "bears" stands at another place in each sentence, and'
                " every block makes that difference larger."
            ),
            (
                "The place is added before the first block, and there all pairs are alike:"
                f" {_mean_cosine(0, True):.2f} and {_mean_cosine(0, False):.2f}. A place would"
                " separate pairs of one meaning as far as pairs of two."
            ),
        ),
    ],
    right="C",
    minutes=5,
    difficulty=2,
)
