import numpy as np

catch_softmax = np.array(
    [
        [1000.0, 0.0],  # exp overflows: subtract the largest score,
        [0.0, 2000.0],  # in any place, but always the largest of this row
        [1.0, 1.0],  # columns do not sum to 1
    ]
)
