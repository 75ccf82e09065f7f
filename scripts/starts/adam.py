"""Lecture 06: how far does the first step of Adam move a number? Its ε of 1e-8 stands beside the
size of the slope.
"""

import numpy as np

from course_utils.models.training import Adam

SENTENCE = "Adam moves each number by about the learning rate, however small its slope."
COUNTED = "slopes whose number moves by .9 to 1.1 of the rate"
N = 100
CHANGES = {
    "as it is": {},
    "slopes of about 1e-4": {"size": 1e-4},
    "slopes of about 1e-7": {"size": 1e-7},
    "slopes of about 1e-8": {"size": 1e-8},
    "slopes of about 1e-10": {"size": 1e-10},
    "slopes of about 1e-10, ε = 1e-16": {"size": 1e-10, "eps": 1e-16},
}
CHEAP = list(CHANGES)


def count(first, size=1.0, eps=1e-8, rate=0.01):
    """Of a hundred slopes of about this size, how many move their number by about the rate in the
    first step: (k, n).
    """
    slopes = size * np.random.default_rng(first).uniform(0.5, 2, size=N)
    numbers = np.zeros(N)
    Adam([numbers], eps=eps).step([slopes], rate)
    return int((np.abs(np.abs(numbers) / rate - 1) < 0.1).sum()), N
