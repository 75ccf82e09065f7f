import numpy as np


def nearest_words(i, vectors, k):
    cosine = vectors @ vectors[i] / np.linalg.norm(vectors, axis=1)         # row i's own length orders nothing
    order = np.argsort(-cosine)
    return order[order != i][:k]
