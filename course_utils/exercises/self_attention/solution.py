def self_attention(X):
    scores = X @ X.T  # (T, T)
    weights = softmax(scores)  # (T, T)  each row sums to 1
    return weights @ X  # (T, D)
