import numpy as np


def multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q = split_heads(X @ W_Q, n_heads)                   # (H, T, d_k)
    K = split_heads(X @ W_K, n_heads)                   # (H, T, d_k)
    V = split_heads(X @ W_V, n_heads)                   # (H, T, d_v)
    S = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])   # (H, T, T)
    heads = []
    for h in range(n_heads):                            # each head shares out its own weights
        heads.append(softmax(S[h]) @ V[h])              # (T, d_v)
    return merge_heads(np.stack(heads)) @ W_O           # (T, D)
