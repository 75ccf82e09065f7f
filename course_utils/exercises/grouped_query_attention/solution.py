import numpy as np


def grouped_query_attention(Q, K, V, mask):
    n = len(Q) // len(K)  # heads of queries that share one of keys
    outputs, weights = [], []
    for h in range(len(Q)):
        output, A = masked_attention(Q[h], K[h // n], V[h // n], mask)
        outputs.append(output)  # (T_q, d_v)
        weights.append(A)  # (T_q, T_kv)
    return np.stack(outputs), np.stack(weights)
