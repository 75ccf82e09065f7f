def logit_lens(states, gamma, eps, W_out, token):
    scores = rms_norm(states, gamma, eps) @ W_out  # (n, n_vocab)
    higher = scores > scores[:, [token]]  # beats the word, in the same state
    return higher.sum(axis=1) + 1
