import numpy as np

catch_mean_pooling = (
    np.array([[[100.0], [1.0], [3.0]], [[5.0], [100.0], [100.0]]]),  # (2, 3, 1)
    np.array([[False, True, True], [True, False, False]]),  # padding in front, and at the end
)
