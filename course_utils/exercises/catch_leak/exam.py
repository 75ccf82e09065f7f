"""`catch_leak` for an exam: laws that every right function keeps, in words, each tried."""

import numpy as np

from course_utils.attention import causal_mask
from course_utils.diagnosis.questions import close


def try_laws(f, rng):
    Q, K, V = rng.normal(size=(3, 5, 4))
    mask = causal_mask(5)
    output, weights = f(Q, K, V, mask)
    late_k, late_v = K.copy(), V.copy()
    late_k[4], late_v[4] = 9.0, -7.0
    return {
        "Another last value: only the last row of the output changes.": close(f(Q, K, late_v, mask)[0][:4], output[:4]),
        "Another last key: the other rows of the output stay.": close(f(Q, late_k, V, mask)[0][:4], output[:4]),
        "The weights of every row sum to 1.": close(weights.sum(1), 1),
        "The first row of the output is the first value.": close(output[0], V[0]),
        "Where the mask is False the weight is 0.": close(weights[~mask], 0),
        "Where the mask is True the weight is above 0.": bool((weights[mask] > 0).all()),
        "The last row is what it is without a mask.": close(output[4], f(Q, K, V, np.ones((5, 5), bool))[0][4]),
        "The output is the weights times the values.": close(weights @ V, output),
    }
