import numpy as np

catch_top_p = (
    np.array([0.04, 0.3, 0.05, 0.25, 0.2, 0.16]),
    0.6,
)
