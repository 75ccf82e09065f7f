"""Claim G8: four ways to tell positions, each trained on 16 words and read at 64, from ten starts.

The task, the head and its training are those of notebook 08: name the previous word. Told is the share of right words in four
stretches of positions, after 101 and after 301 steps. Takes half a minute.
"""

import numpy as np

from course_utils.models.position_task import D, accuracy, train
from course_utils.positions import rotary_angles, sinusoidal_positional_encoding

STARTS, T = 10, 64
STRETCHES = {"1-15": slice(0, 15), "16-19": slice(15, 19), "16-31": slice(15, 31), "32-63": slice(31, 63)}     # position i in row i - 1


def kinds(seed):
    """The arguments of `train` for each way; a learned table has random rows of its own for each start."""
    nothing, still = np.zeros((T, D)), (np.ones((T, D // 2)), np.zeros((T, D // 2)))
    return {"none": (nothing, *still), "learned": (0.1 * np.random.default_rng(1000 + seed).normal(size=(T, D)), *still, True),
            "sinusoidal": (sinusoidal_positional_encoding(T, D), *still), "RoPE": (nothing, *rotary_angles(np.arange(T), D))}


def shares(way, steps):
    """The share of right words of each start (STARTS,) in each stretch."""
    rows = np.array([accuracy(train(*kinds(seed)[way], steps=steps, seed=seed)[1]) for seed in range(STARTS)])       # (STARTS, T - 1)
    return {stretch: rows[:, part].mean(axis=1) for stretch, part in STRETCHES.items()}


def run():
    """{"starts": n, "way, steps, positions": the mean share, "..., most right": how many of n name more than half, and

    "sinusoidal before learned, positions", "sinusoidal before none, positions": how many of n name more, after 301 steps}.
    """
    found = {(way, steps): shares(way, steps) for way in kinds(0) for steps in (101, 301)}
    results = {"starts": STARTS}
    for (way, steps), of in found.items():
        for stretch, share in of.items():
            name = f"{way}, {steps}, {stretch}"
            results |= {name: round(float(share.mean()), 3), f"{name}, most right": int((share > 0.5).sum())}
    for other in ("learned", "none"):
        for stretch in ("16-19", "32-63"):
            more = found["sinusoidal", 301][stretch] > found[other, 301][stretch]
            results[f"sinusoidal before {other}, {stretch}"] = int(more.sum())
    return results
