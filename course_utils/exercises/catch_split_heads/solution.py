import numpy as np


def catch_split_heads(split_heads):
    X = np.arange(36).reshape(6, 6)  # every number says where it stands
    heads = split_heads(X, 3)
    return np.array_equal(heads[0], X[:, :2]) and np.array_equal(heads[-1], X[:, -2:])
