import numpy as np


def dequantise_block(step, least, packed):
    low = packed & 15  # the first half
    high = packed >> 4  # the second half
    codes = np.concatenate([low, high])
    return least + step * codes
