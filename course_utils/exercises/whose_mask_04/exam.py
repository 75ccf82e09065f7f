"""`whose_mask_04` with other numbers: the answer follows from the same idea."""

import numpy as np
from numpy.random import Generator

from course_utils.attention import causal_mask, sliding_window_mask, softmax
from course_utils.diagnosis.questions import Choice, block, shuffled


def variant(rng: Generator) -> Choice:
    T, n, window, pad = 6, int(rng.integers(2, 4)), int(rng.integers(2, 4)), int(rng.integers(1, 3))
    seen = np.arange(T) >= pad
    masks = {
        "Causal.": causal_mask(T),
        f"Causal, and a window of {window}.": sliding_window_mask(T, window),
        f"Causal, and the first {n} tokens are seen by all.": causal_mask(T) | (np.arange(T) < n),
        f"Causal, and the first {pad} padded.": causal_mask(T) & seen,
        f"Padding alone, for the first {pad}.": np.tile(seen, (T, 1)),
        "Causal, with rows and columns swapped.": causal_mask(T).T,
    }
    names = [str(name) for name in rng.choice(list(masks), 4, replace=False)]
    scores = np.where(masks[names[0]], 0.5 * rng.normal(size=(T, T)), -np.inf)
    return shuffled(
        rng,
        f"Weights; a row asks, a column answers.\n\n{block(A=softmax(scores))}\n\nWhich mask made"
        " them?",
        names[0],
        names[1:],
        minutes=3,
        points=2,
    )
