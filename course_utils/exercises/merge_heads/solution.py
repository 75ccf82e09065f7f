def merge_heads(X):
    H, T, d = X.shape
    pieces = X.transpose(1, 0, 2)  # (T, H, d)
    return pieces.reshape(T, H * d)
