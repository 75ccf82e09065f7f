import numpy as np


def masked_attention(Q, K, V, mask):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    scores = np.where(mask, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    exps = np.exp(scores - np.where(top == -np.inf, 0, top))       # a row of nothing: exp(-inf) = 0 everywhere
    total = exps.sum(axis=-1, keepdims=True)
    weights = exps / np.where(total == 0, 1, total)                # zeros instead of 0/0
    return weights @ V, weights
