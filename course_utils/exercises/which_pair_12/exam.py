"""`which_pair_12` with other numbers: the answer follows from the same idea."""

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.questions import Numbers, block


def _cosines(rng, senses):
    centres = rng.normal(size=(max(senses) + 1, 12))
    U = centres[list(senses)] + 0.5 * rng.normal(size=(len(senses), 12))
    U /= np.linalg.norm(U, axis=1, keepdims=True)
    return np.round(U @ U.T, 2)


def variant(rng: Generator) -> Numbers:
    while True:
        senses = rng.permutation([0, 0, 1, 1, 2, 2])
        cosines = _cosines(rng, senses)
        partner = (cosines - 2 * np.eye(6)).argmax(1)
        if (senses[partner] == senses).all() and (
            np.diff(np.sort(cosines - 2 * np.eye(6)))[:, -1] > 0.1
        ).all():
            break
    return Numbers(
        "Cosines of six vectors of one word after the last block. Each of its three senses stands"
        f" in two of the sentences.\n\n{block(cosines=cosines)}\n\nWhich vector (from 0) is of the"
        " same sense as vector 0, as vector 1, …, as vector 5? Six numbers.",
        partner,
        minutes=4,
        points=3,
    )
