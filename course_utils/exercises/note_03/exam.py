"""`note_03` with other numbers: the answer follows from the same idea."""

import math

from course_utils.diagnosis.questions import Numbers


def variant(rng):
    d_k, share, gap = int(rng.choice([16, 25, 49, 64, 100, 144])), float(rng.choice([0.9, 0.95, 0.98, 0.99])), int(rng.integers(5, 60)) / 10
    return Numbers(f"A query of width {d_k} has two keys. Before the division its dot product with the first is larger by {gap}. The scores are "
                   f"divided by √d_k. By which factor must the query be stretched so that the first key gets a weight of {share}?",
                   math.log(share / (1 - share)) * math.sqrt(d_k) / gap, 2)
