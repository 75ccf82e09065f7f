"""`note_10` with other numbers: the answer follows from the same idea."""

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.questions import Numbers, block, why


def variant(rng: Generator) -> Numbers:
    through = np.zeros(2)
    while not through.all():  # a zero shows no way through the units
        sums = rng.integers(1, 5, size=3) * rng.permutation([1, -1, -1])
        W_1, W_2 = rng.integers(-3, 4, size=(2, 3)), rng.integers(-3, 4, size=(3, 2))
        dY = rng.integers(-4, 5, size=2)
        through = (dY @ W_2.T * (sums > 0)) @ W_1.T
    return Numbers(
        "A block computes `Y = x + ReLU(x W_1) W_2` for one token. Before ReLU its three"
        f" units have the sums {', '.join(map(str, sums)).replace('-', '−')}, and `dY` is the"
        f" gradient of the loss at `Y`.\n\n{block(W_1=W_1, W_2=W_2, dY=dY)}\n\nWhat is the gradient"
        " at each of the two numbers of `x`? And what is it without the skip, for the same `dY`?",
        np.concatenate([dY + through, through]).tolist(),
        minutes=6,
        points=4,
    )


WHY = [
    why(
        "For one token every unit of a feed-forward network with ReLU is silent. Why do its two"
        " matrices learn nothing from this token?",
        [
            (
                "Before ReLU the gradient is 0 where a unit is silent, and the gradient of W_1 is"
                " the input times that."
            ),
            "The gradient of W_2 is what the units gave, 0, times the gradient at the output.",
            "So both products are 0 for this token.",
        ],
        "A silent unit passes no gradient on, so W_1 gets the input times 0. W_2 gets what the"
        " units gave, which is 0, times the gradient at the output. Both are 0 for this token.",
    ),
    why(
        "Y = x + f(x). Why is the gradient at x the gradient at Y plus what comes back through f?",
        [
            "A nudge of x reaches Y by two paths, over the skip and through f.",
            "Its two effects on the loss add up for a small nudge.",
            "Over the skip a nudge arrives as it is, so there the gradient passes whole.",
        ],
        "A nudge of x changes Y over the skip, by as much, and through f. For a small nudge both"
        " effects on the loss add up, so the gradients do: the one at Y, whole, and what f sends"
        " back.",
    ),
]
