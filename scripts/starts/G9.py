"""Claim G9: the language model of notebook 10 with a learned table of positions and with sinusoids, from ten starts.

Told is the surprise at 500 new sentences. Takes half a minute.
"""

import numpy as np

from course_utils.data.grammar import WORDS, expected, sentences
from course_utils.models.language_model import Config, new_model, surprise, train

STARTS, CLOSE = 10, 0.05


def surprises(positions, texts, new_texts):
    """The surprise of each start at new texts, in nats a word."""
    config, found = Config(n_vocab=len(WORDS), positions=positions), []
    for seed in range(STARTS):
        params = new_model(np.random.default_rng(seed), config, dtype=float)
        for _ in train(params, texts, config, np.random.default_rng(100 + seed)):
            pass
        found.append(surprise(params, new_texts, config))
    return found


def run():
    """{"starts": n, "entropy": nats a word, "learned: close": how many of n come within .05 of it, ..., "sinusoidal: ..."}."""
    rng = np.random.default_rng(0)
    texts, new_texts = sentences(rng, 3000), sentences(rng, 500)
    total, words = expected()
    results = {"starts": STARTS, "entropy": round(total / words, 3)}
    for positions in ("learned", "sinusoidal"):
        found = surprises(positions, texts, new_texts)
        results |= {f"{positions}: close": sum(s < total / words + CLOSE for s in found), f"{positions}: mean": round(float(np.mean(found)), 3)}
    return results
