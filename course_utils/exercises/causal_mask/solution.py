import numpy as np


def causal_mask(T):
    i = np.arange(T)[:, None]  # who asks
    j = np.arange(T)  # who answers
    return j <= i
