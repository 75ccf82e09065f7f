import numpy as np


def top_k_gate(logits, k):
    order = np.argsort(-logits, axis=1)  # (N, E)  experts, the most wanted first
    place = np.argsort(order, axis=1)  # (N, E)  where each expert stands in that order
    masked = np.where(place < k, logits, -np.inf)
    return softmax(masked)
