"""`note_11` with other numbers: the answer follows from the same idea."""

import numpy as np

from course_utils.diagnosis.questions import Numbers, block


def _cosines(rng, senses):
    centres = rng.normal(size=(max(senses) + 1, 12))
    U = centres[list(senses)] + 0.5 * rng.normal(size=(len(senses), 12))
    U /= np.linalg.norm(U, axis=1, keepdims=True)
    return np.round(U @ U.T, 2)


def variant(rng):
    senses = rng.permutation([0, 0, 1, 1, 1])
    cosines = _cosines(rng, senses)
    same = (senses[:, None] == senses) & ~np.eye(5, dtype=bool)
    return Numbers("Cosines of five vectors of one word after the last block, in sentences of the senses "
                   f"{', '.join('ab'[s] for s in senses)}.\n\n{block(cosines=cosines)}\n\n"
                   "Does the model part the senses? Give the mean cosine of two different vectors of one sense (over all such pairs), and of two of "
                   "different senses.",
                   [cosines[same].mean(), cosines[senses[:, None] != senses].mean()], 2)
