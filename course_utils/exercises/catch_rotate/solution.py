import numpy as np


def catch_rotate(rotate):
    X = np.array([[1.0, 2.0, -3.0, 0.5], [4.0, 1.0, 2.0, -1.0]])
    angles = np.array([[0.3, 2.0], [1.0, -0.7]])
    Y = rotate(X, np.cos(angles), np.sin(angles))
    lengths = np.allclose(np.linalg.norm(Y, axis=1), np.linalg.norm(X, axis=1))
    still = np.allclose(rotate(X, np.ones((2, 2)), np.zeros((2, 2))), X)
    quarter = rotate(
        np.array([[1.0, 0.0, 0.0, 0.0]]), np.array([[0.0, 1.0]]), np.array([[1.0, 0.0]])
    )
    direction = np.allclose(quarter, [[0, 0, 1, 0]])  # feature 0 moves to its partner, feature 2
    return lengths and still and direction
