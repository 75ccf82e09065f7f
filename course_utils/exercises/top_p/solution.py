import numpy as np


def top_p(probabilities, p):
    order = np.argsort(-probabilities)  # the likeliest first
    sorted_p = probabilities[order]
    before = np.cumsum(sorted_p) - sorted_p  # what the likelier ones have together
    kept = np.zeros(len(probabilities))
    stays = before < p * (1 - 1e-12)  # .6 + .3 is .8999… in floats: it has reached .9
    kept[order] = np.where(stays, sorted_p, 0)  # each at its old place
    return kept / kept.sum()
