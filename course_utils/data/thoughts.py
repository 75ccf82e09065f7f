"""What a model that speaks says when a part of one run is put into another: stored, so that notebook 16 needs no weights.

thoughts.npz and thoughts.json were made by scripts/make_thoughts.py from the model SmolLM2-135M-Instruct by Hugging Face (HuggingFaceTB),
licence Apache-2.0 (its text: APACHE-2.0.txt beside this file). Changed: the states of two short texts and three matrices of one head are
kept, as the file packs them or rounded to float16, with what was counted on the whole model.
"""

import functools
import json
from pathlib import Path

import numpy as np

from course_utils.models.gguf import dequantise

NUMBERS, FACTS = (Path(__file__).with_suffix(end) for end in (".npz", ".json"))
SENTENCE = "The capital of {} is"
SENTENCES = ["The capital city of {} is called", "{}'s capital is", "The largest city of {} is", "In {}, the official language is",
             "The people of {} speak", "The currency of {} is the", "The flag of {} is"]
SHOWN = ["France", "Germany", "Italy", "Japan"]                # each into each, every block and every head, is stored
BLOCKS, HEADS = 30, 9


@functools.cache
def facts():
    """What was counted and said, as scripts/make_thoughts.py wrote it."""
    return json.loads(FACTS.read_text(encoding="utf-8"))


def moved(source, target, block, head=0):
    """The stored word after SENTENCE of `target`, with what `source`'s run has at its last token after `block`: the state, or a head's own.

    None where it was not stored: of other countries than SHOWN.
    """
    row = facts()["moved"].get(f"{source} into {target}")
    return row and facts()["words"][row[(HEADS + 1) * block + head]]


def turned():
    """In which share of the stored pairs the source's word is said when one head's output is moved: (BLOCKS, HEADS)."""
    hits = [[moved(*pair.split(" into "), block, head) == moved(*pair.split(" into "), BLOCKS) for pair in facts()["moved"]]
            for block in range(1, BLOCKS + 1) for head in range(1, HEADS + 1)]
    return np.mean(hits, axis=1).reshape(BLOCKS, HEADS)


@functools.cache
def load():
    """The shipped arrays, as float32: a dict of

    states (2, 5, 576), of SENTENCE with France and with Germany before the block of one head; gamma (576,), of the norm there;
    W_Q, W_K, W_V (576, 64), that head's matrices; weights (2, 5, 5) and outputs (2, 5, 64), what the model's own head makes of them.
    """
    with np.load(NUMBERS, allow_pickle=False) as file:
        arrays = {name: array.astype(np.float32) if array.dtype == np.float16 else array for name, array in file.items()}
    return arrays | {name: dequantise("Q4_1", arrays[name]).T for name in ("W_Q", "W_K", "W_V")}
