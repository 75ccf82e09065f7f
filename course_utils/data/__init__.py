"""The sentences and the hand-made vectors that run through the whole course."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from course_utils.arguments import ArgumentError, Array

# One word, three meanings: an animal, to endure, a sports team.
SENTENCES = {
    "animal": ["I", "love", "bears"],
    "hardship": ["bears", "pain"],
    "sport": ["bears", "won", "the", "game"],
}
BY_TEXT = {" ".join(tokens): tokens for tokens in SENTENCES.values()}

# What each number of a word's vector says.
FEATURES = ["animal", "hardship", "sport", "action"]

# Written by hand so that every number can be read. "bears" is torn evenly between its three
# meanings.
WORDS = {  # animal hardship sport action
    "I": np.array([0.8, 0.2, 0.2, 0.0]),
    "love": np.array([1.6, 0.1, 0.1, 1.0]),
    "bears": np.array([0.7, 0.7, 0.7, 0.5]),
    "pain": np.array([0.0, 2.0, 0.0, 0.0]),
    "won": np.array([0.0, 0.1, 1.6, 1.0]),
    "the": np.array([0.2, 0.2, 0.2, 0.0]),
    "game": np.array([0.1, 0.0, 1.8, 0.0]),
}


def embed(tokens: Iterable[str]) -> Array:
    """The word vectors of `tokens`, one below the other: X (T, 4). Words: those of WORDS."""
    unknown = [t for t in tokens if t not in WORDS]
    if isinstance(tokens, str) or unknown:
        raise ArgumentError("tokens", repr(tokens), f"a list of words out of {', '.join(WORDS)}")
    return np.stack([WORDS[t] for t in tokens])


# Three matrices by hand (notebook 02): things look for an action, actions look for a thing,
# everybody sends its meaning.
W_Q = np.array(
    [  # looks for: an action, a thing
        [1.0, 0.0],  # animal
        [1.0, 0.0],  # hardship
        [1.0, 0.0],  # sport
        [-2.0, 1.0],  # action
    ]
)
W_K = np.array(
    [  # is: an action, a thing
        [0.0, 1.0],  # animal
        [0.0, 1.0],  # hardship
        [0.0, 1.0],  # sport
        [2.0, 0.0],  # action
    ]
)
W_V = np.eye(4, 3)  # sends: animal, hardship, sport


# The plane of meanings: the three meanings stand at the corners of a triangle, all equal in its
# middle.
CORNERS = np.array(
    [[0.0, 1.0], [-np.sqrt(3) / 2, -0.5], [np.sqrt(3) / 2, -0.5]]
)  # animal, hardship, sport


def to_plane(X: ArrayLike) -> Array:
    """Where vectors (..., 4) or (..., 3) lie in the plane of meanings: (..., 2). Linear, so
    averages stay averages."""
    return np.asarray(X)[..., :3] @ CORNERS
