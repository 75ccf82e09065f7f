import numpy as np


def rotate(X, cos, sin):
    a, b = np.split(X, 2, axis=1)  # (T, d/2) each
    return np.hstack([a * cos - b * sin, a * sin + b * cos])
