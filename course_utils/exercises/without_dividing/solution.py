def without_dividing(W_Q, W_K, rate):
    d_k = W_Q.shape[1]
    smaller = d_k**0.25  # both together: d_k ** 0.5
    return W_Q / smaller, W_K / smaller, rate / d_k**0.5
