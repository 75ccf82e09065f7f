import numpy as np


def feed_forward(X, W_1, b_1, W_2, b_2):
    hidden = np.maximum(0, X @ W_1 + b_1)  # (..., T, d_ff)
    return hidden @ W_2 + b_2  # (..., T, D)
