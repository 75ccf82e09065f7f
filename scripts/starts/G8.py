"""Claim G8: four ways to tell positions, trained on 16 words and read at 64, from twenty starts.

The task, the head and its training are those of notebook 08: name the previous word. Told is the
share of right words in four stretches of positions, after 101 and after 301 steps. Told besides,
after 301 steps, is how many starts have the kinks that a full turn of clock 0 predicts: it takes 2π
positions, so seven turns take nearly 44. Takes a minute.
"""

import numpy as np

from course_utils.models.position_task import D, accuracy, train
from course_utils.positions import rotary_angles, sinusoidal_positional_encoding

STARTS, T, TRAINED, TURNS = 20, 64, 16, 44
STRETCHES = {
    "1-15": slice(0, 15),
    "16-19": slice(15, 19),
    "16-31": slice(15, 31),
    "32-63": slice(31, 63),
}  # position i in row i - 1


def kinds(seed):
    """The arguments of `train` for each way; a learned table has random rows of its own for each
    start."""
    nothing, still = np.zeros((T, D)), (np.ones((T, D // 2)), np.zeros((T, D // 2)))
    return {
        "none": (nothing, *still),
        "learned": (0.1 * np.random.default_rng(1000 + seed).normal(size=(T, D)), *still, True),
        "sinusoidal": (sinusoidal_positional_encoding(T, D), *still),
        "RoPE": (nothing, *rotary_angles(np.arange(T), D)),
    }


def by_position(way, steps, first):
    """The share of right words of each start at the positions 1 to T - 1, (STARTS, T - 1)."""
    return np.array(
        [
            accuracy(train(*kinds(seed)[way], steps=steps, seed=seed)[1])
            for seed in range(first, first + STARTS)
        ]
    )


def kinks(rows):
    """How many starts have the kinks: {way: (STARTS, T - 1)} after 301 steps.

    To clock 0 offset 45 looks like the trained offset 1, and position 59 like the last trained one,
    15.
    From 45 on: at the five positions 45 to 49, compared with the five before.
    """
    step, spike = TURNS + 1, TURNS + TRAINED - 1
    beyond = (
        rows["sinusoidal"][:, TRAINED + 2 :].argmax(axis=1) + TRAINED + 3
    )  # 16 to 18 are still near what was trained
    drops = (
        np.diff(rows["RoPE"], axis=1).argmin(axis=1) + 2
    )  # at position 2 the second share, less the first
    lost = rows["RoPE"][:, step - 6 : step - 1].mean(axis=1) - rows["RoPE"][
        :, step - 1 : step + 4
    ].mean(axis=1)
    return {
        f"kink: sinusoidal, best beyond 18 is {spike}": int((beyond == spike).sum()),
        f"kink: RoPE, largest drop is at {step}": int((drops == step).sum()),
        f"kink: RoPE, fewer right from {step} on": int((lost > 0).sum()),
    }


def run(first=0):
    """{"starts": n, "way, steps, positions": the mean share, "..., most right": how many of n name
    more than half, and

    "sinusoidal before learned, positions", "sinusoidal before none, positions": how many of n name
    more, after 301 steps}, and kinks.
    """
    rows = {
        (way, steps): by_position(way, steps, first) for way in kinds(0) for steps in (101, 301)
    }
    found = {
        one: {stretch: row[:, part].mean(axis=1) for stretch, part in STRETCHES.items()}
        for one, row in rows.items()
    }
    results = {"starts": STARTS} | kinks({way: rows[way, 301] for way in kinds(0)})
    for (way, steps), of in found.items():
        for stretch, share in of.items():
            name = f"{way}, {steps}, {stretch}"
            results |= {
                name: round(float(share.mean()), 3),
                f"{name}, most right": int((share > 0.5).sum()),
            }
    for other in ("learned", "none"):
        for stretch in ("16-19", "32-63"):
            more = found["sinusoidal", 301][stretch] > found[other, 301][stretch]
            results[f"sinusoidal before {other}, {stretch}"] = int(more.sum())
    return results
