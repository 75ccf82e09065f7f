"""`which_reshape_05` with other numbers: the answer follows from the same idea."""

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.questions import Numbers, block


def variant(rng: Generator) -> Numbers:
    T, H, d = 3, 2, int(rng.integers(2, 4))
    X = rng.permutation(np.arange(10, 10 + T * H * d)).reshape(T, H * d)
    t, h = int(rng.integers(1, T)), int(rng.integers(H))
    return Numbers(
        f"{block(X=X)}\n\nWhat is `X.reshape({H}, {T}, {d})[{h}, {t}]`, and what is row {t}"
        f" (from 0) of head {h} (from 0) of {H}? Two rows.",
        np.array([X.reshape(H, T, d)[h, t], X[t, h * d : (h + 1) * d]]),
        minutes=4,
        points=2,
    )
