import numpy as np


def preference_loss(good, bad, good_ref, bad_ref, beta):
    margin = (good - good_ref) - (bad - bad_ref)  # (n,)
    chance = 1 / (1 + np.exp(-beta * margin))  # (n,)
    loss = -np.log(chance).mean()
    d_good = -beta * (1 - chance) / len(good)  # (n,)
    return loss, d_good, -d_good
