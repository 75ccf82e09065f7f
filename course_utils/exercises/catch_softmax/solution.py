import numpy as np

catch_softmax = np.array(
    [
        [1000.0, 0.0],  # exp overflows; what is subtracted must be the largest ...
        [0.0, 2000.0],  # ... wherever it stands, and that of this row
        [1.0, 1.0],  # columns do not sum to 1
    ]
)
