import numpy as np


def kv_cache_step(q, k, v, K, V):
    K = np.vstack([K, k])  # (t + 1, d_k)
    V = np.vstack([V, v])  # (t + 1, d_v)
    scores = K @ q / np.sqrt(len(q))  # (t + 1,)
    weights = softmax(scores[None])[0]  # (t + 1,)  of a table of one row
    return weights @ V, K, V
