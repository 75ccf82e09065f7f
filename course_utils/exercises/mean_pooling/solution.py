def mean_pooling(states, mask):
    real = states * mask[:, :, None]  # (batch, T, D)  0 where there is padding
    return real.sum(axis=1) / mask.sum(axis=1)[:, None]
