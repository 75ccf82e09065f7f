import numpy as np


def masked_attention(Q, K, V, mask):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    scores = np.where(mask, scores, -np.inf)
    with np.errstate(invalid="ignore"):
        weights = softmax(scores)  # NaN if all keys are hidden
    weights = np.where(mask, weights, 0)  # zeros in place of NaN
    return weights @ V, weights
