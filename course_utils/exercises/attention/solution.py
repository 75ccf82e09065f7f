def attention(Q, K, V):
    scores = Q @ K.T  # (T_q, T_kv)
    weights = softmax(scores)  # (T_q, T_kv)  each row sums to 1
    return weights @ V  # (T_q, d_v)
