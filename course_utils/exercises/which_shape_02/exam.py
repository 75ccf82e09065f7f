"""`which_shape_02` with other numbers: the answer follows from the same idea."""

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.questions import Numbers


def variant(rng: Generator) -> Numbers:
    T_q, T_kv, D, D_c, d_k, d_v = map(int, rng.choice(np.arange(2, 14), 6, replace=False))
    return Numbers(
        f"`X` ({T_q}, {D}) asks and `context` ({T_kv}, {D_c}) answers. `W_Q` is ({D}, {d_k}), `W_K`"
        f" ({D_c}, {d_k}), `W_V` ({D_c}, {d_v}). What are the shapes of `W_Q`'s product with its"
        " input, the weights and the output? Six numbers in this order.",
        [T_q, d_k, T_q, T_kv, T_q, d_v],
        minutes=4,
        points=3,
    )
