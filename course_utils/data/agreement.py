"""A small task that needs attention: in a jumble of nouns and verbs, which verb belongs to each
noun?

Every noun wears a colour, and exactly one verb of its sentence wears the same. The order is random,
so only the match of colours, and of noun with verb, says who belongs to whom.
"""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from course_utils.arguments import Array, Integers

NOUNS = ["bears", "dogs", "cats", "birds", "foxes", "wolves", "horses", "fish"]
VERBS = ["love", "fear", "see", "hear", "chase", "feed", "follow", "win"]
COLOURS = ["red", "green", "blue"]
D = 24

_rng = np.random.default_rng(0)
_draw = {
    words: 2 * _rng.normal(size=(n, D)) / np.sqrt(D)
    for words, n in [("role", 2), ("colour", 3), ("noun", 8), ("verb", 8)]
}


def jumbles(
    rng: Generator, n: int
) -> tuple[Array, Integers, NDArray[np.bool], Integers, list[list[str]]]:
    """`n` sentences of three nouns and three verbs in random order.

    Returns X (n, 6, 24), each token the sum of a vector for its part of speech, one for its colour
    and one for its word; verb (n, 6), the number in VERBS of the verb of each token's colour;
    is_noun (n, 6); own (n, 6), the place of that verb; words, n lists of six strings such as "bears
    (red)".
    """
    noun, verb = rng.integers(len(NOUNS), size=(n, 3)), rng.integers(len(VERBS), size=(n, 3))
    X = np.concatenate(
        [
            _draw["role"][0] + _draw["colour"] + _draw["noun"][noun],
            _draw["role"][1] + _draw["colour"] + _draw["verb"][verb],
        ],
        axis=1,
    )
    order = rng.permuted(
        np.tile(np.arange(6), (n, 1)), axis=1
    )  # which of the six stands at each place
    place = np.argsort(order, axis=1)  # and where each of the six stands
    own = np.take_along_axis(place, (order % 3) + 3, axis=1)
    words = [
        [
            f"{(NOUNS[noun[s, k]] if k < 3 else VERBS[verb[s, k - 3]])} ({COLOURS[k % 3]})"
            for k in order[s]
        ]
        for s in range(n)
    ]
    return (
        np.take_along_axis(X, order[..., None], axis=1),
        np.take_along_axis(verb, order % 3, axis=1),
        order < 3,
        own,
        words,
    )
