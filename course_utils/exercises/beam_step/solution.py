import numpy as np


def beam_step(totals, log_probs, beam_width):
    longer = totals[:, None] + log_probs  # (n, n_vocab)
    best = np.argsort(-longer, axis=None)[:beam_width]  # numbers in the flat table
    parents, tokens = np.divmod(best, longer.shape[1])  # row and column
    return parents, tokens, longer[parents, tokens]
