def matrix_slopes(X, W, dY):
    dX = dY @ W.T  # (n, k) @ (k, D): each gradient of Y goes back through W
    dW = X.T @ dY  # (D, n) @ (n, k): every row of X adds its part
    return dX, dW
