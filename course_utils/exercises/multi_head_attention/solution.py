import numpy as np


def multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q = split_heads(X @ W_Q, n_heads)  # (H, T, d_k)
    K = split_heads(X @ W_K, n_heads)  # (H, T, d_k)
    V = split_heads(X @ W_V, n_heads)  # (H, T, d_v)
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])  # (H, T, T)
    weights = np.stack([softmax(table) for table in scores])  # (H, T, T)
    heads = weights @ V  # (H, T, d_v)
    output = merge_heads(heads) @ W_O  # (T, D)
    return output
