"""`which_norm_06` with other numbers: the answer follows from the same idea."""

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.questions import Numbers, block, shown
from course_utils.layers import layer_norm, rms_norm


def variant(rng: Generator) -> Numbers:
    x = rng.permutation(np.cumsum(rng.integers(1, 6, size=4))).astype(float)
    rows = {
        "layer": layer_norm(x, eps=0),
        "RMS": rms_norm(x, eps=0),
        "length": x / np.linalg.norm(x),
        "largest": x / x.max(),
        "mean": x / x.mean(),
    }
    names = [
        str(name)
        for name in rng.permutation(
            ["layer", "RMS", *rng.choice(["length", "largest", "mean"], 2, replace=False)]
        )
    ]
    table = np.array([rows[name] for name in names])
    return Numbers(
        f"One token, {shown(x, 0)}, went through four rules; γ = 1, β = 0, ε ="
        f" 0.\n\n{block(rows=table)}\n\nIn which row stands its layer norm, in which its RMS norm"
        " (from 0)? And which mean has each of the two rows?",
        [names.index("layer"), names.index("RMS"), 0, rms_norm(x, eps=0).mean()],
        2,
        minutes=5,
        points=4,
    )
