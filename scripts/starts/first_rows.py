"""Lecture 08: sinusoids, trained on 16 positions, then read at the 16 after them. The task, the
head and its training are the lecture's.
"""

import numpy as np

from course_utils.models.position_task import D, accuracy, train
from course_utils.positions import rotary_angles, sinusoidal_positional_encoding

SENTENCE = "A head reads the positions of its training only."
COUNTED = "starts that miss most words at the 16 positions after those of the training"
N, T = 10, 64
CHANGES = {
    "as it is": {},
    "a third of the steps": {"steps": 101},
    "four times the steps": {"steps": 1204},
    "trained on 32 positions": {"trained": 32},
    "queries and keys are turned instead": {"turned": True},
}
CHEAP = ["a third of the steps"]


def count(first, steps=301, trained=16, turned=False):
    """In how many of ten starts fewer than half of these words are right: (k, n)."""
    cos, sin = rotary_angles(np.arange(T), D)
    if turned:
        way = np.zeros((T, D)), cos, sin
    else:
        way = sinusoidal_positional_encoding(T, D), np.ones_like(cos), np.zeros_like(sin)
    missed = 0
    for seed in range(first, first + N):
        right = accuracy(train(*way, T=trained, steps=steps, seed=seed)[1])  # from position 1 on
        missed += bool(right[trained - 1 : trained + 15].mean() < 0.5)
    return missed, N
