import numpy as np


def nearest_words(i, vectors, k):
    lengths = np.linalg.norm(vectors, axis=1)  # (n,)
    cosine = vectors @ vectors[i] / (lengths * lengths[i])  # (n,)
    order = np.argsort(-cosine)
    return order[order != i][:k]
