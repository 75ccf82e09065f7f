import numpy as np


def causal_mask(T):
    i = np.arange(T)[:, None]  # the query
    j = np.arange(T)  # the key
    return j <= i
