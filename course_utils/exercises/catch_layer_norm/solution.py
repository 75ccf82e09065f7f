import numpy as np


def catch_layer_norm(layer_norm):
    x = np.array([[1.0, 2.0, 9.0], [4.0, 4.0, -2.0], [0.0, 30.0, 10.0]])
    ones, zeros = np.ones(3), np.zeros(3)
    y = layer_norm(x, ones, zeros, 1e-9)
    standardised = np.allclose(y.mean(axis=1), 0) and np.allclose(y.var(axis=1), 1)
    alone = np.allclose(layer_norm(x[:1], ones, zeros, 1e-9), y[:1])
    return standardised and alone
