import numpy as np


def layer_norm(x, gamma, beta, eps):
    mu = x.mean(axis=-1, keepdims=True)  # (..., T, 1)
    variance = x.var(axis=-1, keepdims=True)  # (..., T, 1)
    return gamma * (x - mu) / np.sqrt(variance + eps) + beta
