"""`catch_attention` for an exam: laws that every right function keeps, in words, each tried."""

import numpy as np

from course_utils.diagnosis.questions import close


def try_laws(f, rng):
    Q, K, V, shift = rng.normal(size=(4, 3)), rng.normal(size=(4, 3)), rng.normal(size=(4, 3)), rng.normal(size=3)
    order = [2, 0, 3, 1]
    return {
        "If all values are equal, the output is that value.": close(f(Q, K, np.tile(V[:1], (4, 1))), np.tile(V[:1], (4, 1))),
        "Keys and values in another order, both the same: nothing changes.": close(f(Q, K[order], V[order]), f(Q, K, V)),
        "Queries in another order: the rows of the output are in that order.": close(f(Q[order], K, V), f(Q, K, V)[order]),
        "Values twice as large: the output is twice as large.": close(f(Q, K, 2 * V), 2 * f(Q, K, V)),
        "A query of zeros gives the mean of the values.": close(f(0 * Q, K, V), np.tile(V.mean(0), (4, 1))),
        "The same vector added to every key: nothing changes.": close(f(Q, K + shift, V), f(Q, K, V)),
        "With one key alone, the output is its value.": close(f(Q, K[:1], V[:1]), np.tile(V[:1], (4, 1))),
        "Queries twice as long and keys half as long: nothing changes.": close(f(2 * Q, K / 2, V), f(Q, K, V)),
    }
