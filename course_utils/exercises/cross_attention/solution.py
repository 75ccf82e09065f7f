def cross_attention(X, context, W_Q, W_K, W_V):
    Q = X @ W_Q  # X asks
    K = context @ W_K  # the context answers
    V = context @ W_V  # and sends
    return attention(Q, K, V)
