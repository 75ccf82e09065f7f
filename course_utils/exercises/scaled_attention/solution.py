import numpy as np


def scaled_attention(Q, K, V):
    d_k = Q.shape[1]  # a score adds up d_k products
    scores = Q @ K.T / np.sqrt(d_k)  # (T_q, T_kv)
    return softmax(scores) @ V  # (T_q, d_v)
