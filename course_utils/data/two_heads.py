"""A sentence with a repeated word, and heads built by hand for it: notebook 05."""

import numpy as np

TOKENS = ["the", "bears", "love", "the", "game"]
VOCABULARY = ["the", "bears", "love", "game"]
T, N_WORDS = len(TOKENS), len(VOCABULARY)

# Nine features a token: which word it is (4) and where it stands (5).
X = np.hstack([[[float(t == w) for w in VOCABULARY] for t in TOKENS], np.eye(T)])

_nothing = np.zeros((N_WORDS, T))
_word = np.vstack([np.eye(N_WORDS, T), np.zeros((T, T))])  # the word, in 5 columns
_place = np.vstack([_nothing, np.eye(T)])  # the place
_place_before = np.vstack([_nothing, np.eye(T, k=-1)])  # the place one earlier
SHARP = 4.0  # a longer query makes sharper weights

# name: (W_Q, W_K), each (9, 5). Every head sends the word: W_V (9, 4).
HEADS = {
    "previous word": (SHARP * _place_before, SHARP * _place),
    "same word": (SHARP * _word, SHARP * _word),
    "itself": (SHARP * _place, SHARP * _place),
    "everyone": (0 * _word, _word),
}
W_V = np.vstack([np.eye(N_WORDS), np.zeros((T, N_WORDS))])
