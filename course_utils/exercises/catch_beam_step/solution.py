import numpy as np

catch_beam_step = (
    np.log([0.6, 0.3]),
    np.log(
        [
            [0.5, 0.4, 0.1],  # .30 and .24: two children of one text
            [0.9, 0.06, 0.04],  # .27: between them
        ]
    ),
    3,
)
