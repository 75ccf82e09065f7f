def split_heads(X, n_heads):
    T, D = X.shape
    pieces = X.reshape(T, n_heads, D // n_heads)  # (T, H, d)
    return pieces.transpose(1, 0, 2)  # (H, T, d)
