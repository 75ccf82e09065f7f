import numpy as np


def responsibilities(x, weights, means, sds):
    distance = (x[:, None] - means) / sds  # (N, K), in standard deviations
    density = np.exp(-0.5 * distance**2) / (sds * np.sqrt(2 * np.pi))
    joint = weights * density  # (N, K)
    return joint / joint.sum(axis=1, keepdims=True)
