"""`note_06` with other numbers: the answer follows from the same idea."""

import numpy as np

from course_utils.diagnosis.questions import Numbers, block
from course_utils.layers import layer_norm


def variant(rng):
    X = np.stack([rng.choice(40, 3, replace=False) for _ in range(3)]).astype(float)
    return Numbers(f"{block(X=X)}\n\nEach row is a token. Layer norm with γ = 1, β = 0 and ε = 0. Which mean has each *column* afterwards?",
                   layer_norm(X, eps=0).mean(axis=0), 2)
