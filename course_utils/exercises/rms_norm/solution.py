import numpy as np


def rms_norm(x, gamma, eps):
    mean_square = (x**2).mean(axis=-1, keepdims=True)  # (..., T, 1)
    return gamma * x / np.sqrt(mean_square + eps)
