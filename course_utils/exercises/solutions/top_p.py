import numpy as np


def top_p(probabilities, p):
    order = np.argsort(-probabilities)                  # the likeliest first
    sorted_p = probabilities[order]
    before = np.cumsum(sorted_p) - sorted_p             # what the likelier ones have together
    kept = np.zeros(len(probabilities))
    kept[order] = np.where(before < p, sorted_p, 0)     # each at its old place
    return kept / kept.sum()
