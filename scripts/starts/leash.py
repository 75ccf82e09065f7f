"""The best model under each leash, over texts of ten starts: where the truth turns.

The settings are those of notebook 17; the starts are those of assistant.py, 100 to 109. Takes a
minute.
"""

import numpy as np

from course_utils.instruments import RewardLeash
from course_utils.models import assistant

STARTS = 10


def run():
    """{"starts": n, …}: in how many of n, and the least and the most over the starts."""
    texts, found = assistant.sentences(0, 3000), []
    for seed in range(100, 100 + STARTS):
        base = assistant.language_model_of(texts, seed)
        written = assistant.write(base, np.random.default_rng(seed + 5), 2000)
        leash = RewardLeash(written, assistant.fit_proxy(written, np.random.default_rng(seed + 6)))
        truths = leash.curves[:, 2]
        found.append(
            [leash.curves[truths.argmax(), 0], truths.max(), truths[-1], leash.start_means[1]]
        )
    best, most, end, start = np.array(found).T
    return {
        "starts": STARTS,
        "the truth rises first": int((most > start).sum()),
        "the truth turns": int((end < most - 0.05).sum()),
        "the truth ends below its start": int((end < start).sum()),
        "tightest leash with the most truth": best.max(),
    }
