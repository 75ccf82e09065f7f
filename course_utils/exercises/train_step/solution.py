import numpy as np


def train_step(Y, answer, W, learning_rate):
    P = softmax(Y @ W)  # (n, n_vocab)
    right = np.eye(W.shape[1])[answer]  # (n, n_vocab)  1 at the right words
    loss = -np.log((P * right).sum(axis=1)).mean()
    dW = Y.T @ (P - right) / len(Y)  # (D, n_vocab)
    return loss, W - learning_rate * dW
