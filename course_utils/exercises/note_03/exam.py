"""`note_03` with other numbers: the answer follows from the same idea."""

import math

from numpy.random import Generator

from course_utils.diagnosis.questions import Numbers, why


def variant(rng: Generator) -> Numbers:
    d_k, share, gap = (
        int(rng.choice([16, 25, 49, 64, 100, 144])),
        float(rng.choice([0.9, 0.95, 0.98, 0.99])),
        int(rng.integers(5, 60)) / 10,
    )
    return Numbers(
        f"A query of width {d_k} has two keys. Before the division its dot product with the first"
        f" is larger by {gap}. The scores are divided by √d_k. By which factor must the query be"
        f" stretched so that the first key gets a weight of {share}?",
        math.log(share / (1 - share)) * math.sqrt(d_k) / gap,
        2,
        minutes=5,
        points=2,
    )


WHY = [
    why(
        "Why are scores divided by √d_k, and neither left as they are nor divided by d_k?",
        [
            (
                "A score is a sum of d_k products; with independent numbers of variance 1 its"
                " variance is d_k."
            ),
            "Divided by √d_k, scores have variance 1 for every width.",
            (
                "Left as they are they grow with the width and softmax saturates; divided by d_k"
                " they shrink and the weights become nearly equal."
            ),
        ],
        "With independent numbers of variance 1 a dot product has variance d_k, so its typical "
        "size is √d_k. Divided by √d_k it has variance 1 for every width. Without it softmax "
        "saturates in wide heads; divided by d_k the scores go to 0 and the weights become nearly "
        "equal.",
    ),
    why(
        "A head's scores are very large from the start, and it learns hardly anything. Why?",
        [
            "Softmax of large scores puts nearly all weight on one key.",
            "The slope of a weight by its own score, a(1 − a), is then nearly 0.",
            "So hardly any gradient reaches the scores, and with them W_Q and W_K.",
        ],
        "Large scores make softmax put nearly all weight on one key. The slopes a(1 − a) and −ab "
        "are then nearly 0, so hardly any gradient reaches the scores, nor W_Q and W_K behind "
        "them.",
    ),
]
