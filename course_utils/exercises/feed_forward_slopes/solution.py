import numpy as np


def feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY):
    before = X @ W_1 + b_1
    hidden = np.maximum(0, before)
    d_hidden, dW_2 = matrix_slopes(hidden, W_2, dY)
    d_before = d_hidden * (before > 0)  # only who fired passes its slope
    dX, dW_1 = matrix_slopes(X, W_1, d_before)
    return dX, dW_1, d_before.sum(axis=0), dW_2, dY.sum(axis=0)
