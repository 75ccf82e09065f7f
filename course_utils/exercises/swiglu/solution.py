import numpy as np


def swiglu(X, W_gate, W_up, W_down):
    g = X @ W_gate  # (T, d_ff)
    gate = g / (1 + np.exp(-g))  # (T, d_ff)  silu
    return (gate * (X @ W_up)) @ W_down  # (T, D)
