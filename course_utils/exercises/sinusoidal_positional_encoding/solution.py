import numpy as np


def sinusoidal_positional_encoding(T, D):
    j = np.arange(D // 2)  # (D/2,)  the pairs
    angles = np.arange(T)[:, None] / 10000 ** (2 * j / D)  # (T, D/2)
    R = np.zeros((T, D))
    R[:, 0::2] = np.sin(angles)
    R[:, 1::2] = np.cos(angles)
    return R
