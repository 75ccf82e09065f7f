import numpy as np


def catch_attention(attention):
    Q = np.array([[0.0, np.log(3)], [0.0, 0.0]])  # query 0: its second score is larger by log 3
    K = np.eye(2)
    V = np.array([[4.0, 1.0], [8.0, 1.0]])
    by_hand = np.array([[7.0, 1.0], [6.0, 1.0]])  # weights 1/4, 3/4 and 1/2, 1/2
    return np.allclose(attention(Q, K, V), by_hand)
