"""A chain of words small enough to draw, in which the likeliest first word does not begin the
likeliest text."""

from collections.abc import Iterable, Sequence

import numpy as np

from course_utils.arguments import Array

# After each word, the words that may follow and their probabilities. After a second word nothing
# follows: the text is complete.
CHAIN = {
    "bears": {"won": 0.45, "love": 0.33, "hear": 0.22},
    "won": {"games": 0.28, "again": 0.26, "twice": 0.24, "medals": 0.22},
    "love": {"honey": 0.55, "berries": 0.45},
    "hear": {"bees": 0.95, "dogs": 0.05},
}
VOCABULARY = [*CHAIN, *(word for first in list(CHAIN)[1:] for word in CHAIN[first])]
PROMPT = [VOCABULARY.index("bears")]
STEPS = 2


def next_log_probs(tokens: Sequence[int]) -> Array:
    """The model: token numbers in, the log-probabilities (n_vocab,) of the next token out. It looks
    at the last token only."""
    log_probs = np.full(len(VOCABULARY), -np.inf)
    for word, p in CHAIN[VOCABULARY[tokens[-1]]].items():
        log_probs[VOCABULARY.index(word)] = np.log(p)
    return log_probs


def text(tokens: Iterable[int]) -> str:
    """Token numbers as words."""
    return " ".join(VOCABULARY[t] for t in tokens)
