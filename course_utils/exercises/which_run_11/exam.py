"""`which_run_11` with other numbers: the answer follows from the same idea."""

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.questions import Numbers


def variant(rng: Generator) -> Numbers:
    entropy = int(rng.integers(90, 180)) / 100
    new = entropy + rng.permutation([0.05, 0.25, 0.5]) + rng.integers(0, 8, size=3) / 100
    train = np.maximum(
        new - rng.permutation([0.02, 0.15, 0.6]) - rng.integers(0, 5, size=3) / 100, 0.1
    )
    table = "\n".join(
        f"| {i} | {a:.2f} | {b:.2f} |" for i, (a, b) in enumerate(zip(train, new, strict=True))
    )
    return Numbers(
        f"A language has an entropy of {entropy:.2f} nats a word. Three models, their mean"
        " surprise:\n\n| model | sentences of training | new sentences"
        f" |\n|---|---|---|\n{table}\n\nWhich model is best, which has learned the most by heart,"
        " and how far is the best one above what nobody can beat?",
        [int(new.argmin()), int((new - train).argmax()), new.min() - entropy],
        2,
        minutes=4,
        points=3,
    )
