"""What a model that speaks says when a part of one run is put into another: stored, so that
notebook 16 needs no weights.

thoughts.npz and thoughts.json were made by scripts/make_thoughts.py from the model
SmolLM2-135M-Instruct by Hugging Face (HuggingFaceTB), licence Apache-2.0 (its text: APACHE-2.0.txt
beside this file). Changed: the states of two short texts and three matrices of one head are kept,
as the file packs them or rounded to float16, with what was counted on the whole model.
"""

import functools
import json
from pathlib import Path
from typing import Any

import numpy as np

from course_utils.arguments import Array
from course_utils.models.gguf import dequantise

NUMBERS, FACTS = (Path(__file__).with_suffix(end) for end in (".npz", ".json"))
SENTENCE = "The capital of {} is"
LANGUAGE = "In {}, the official language is"
LISTED = [  # some are drawn by lot: does a head that was chosen by SENTENCE do its work in others?
    "The capital city of {} is called",
    "{}'s capital is",
    "The largest city of {} is",
    LANGUAGE,
    "The people of {} speak",
    "The currency of {} is the",
    "The flag of {} is",
    "{} shares a border with",
    "The national dish of {} is",
    "The president of {} is",
    "{} is famous for its",
    "The longest river in {} is the",
    "The highest mountain in {} is",
    "The people of {} are called",
    "The most popular sport in {} is",
    "The main religion in {} is",
    "The largest airport in {} is in",
    "The national animal of {} is the",
    "The first king of {} was",
    "Most of the land in {} is",
]
SHOWN = ["France", "Germany", "Italy", "Japan"]  # chosen; each into each, every part, is stored
BLOCKS, HEADS = 30, 9
STEPS = 250  # a probability of a scene is stored as a whole number of steps


@functools.cache
def facts() -> dict[str, Any]:
    """What was counted and said, as scripts/make_thoughts.py wrote it."""
    return json.loads(FACTS.read_text(encoding="utf-8"))


def moved(source: str, target: str, block: int, head: int = 0) -> str | None:
    """The stored word after SENTENCE of `target`, with what `source`'s run has at its last token
    after `block`: the state, or a head's own.

    None where it was not stored: of other countries than SHOWN.
    """
    row = facts()["moved"].get(f"{source} into {target}")
    return row and facts()["words"][row[(HEADS + 1) * block + head]]


def turned() -> Array:
    """In which share of the stored pairs the source's word is said when one head's output is moved:
    (BLOCKS, HEADS)."""
    pairs = [pair.split(" into ") for pair in facts()["moved"]]
    hits = [
        [
            moved(source, target, block, head) == moved(source, target, BLOCKS)
            for source, target in pairs
        ]
        for block in range(1, BLOCKS + 1)
        for head in range(1, HEADS + 1)
    ]
    return np.mean(hits, axis=1).reshape(BLOCKS, HEADS)


@functools.cache
def load() -> dict[str, Array]:
    """The shipped arrays, as float32: a dict of

    states (2, 5, 576), of SENTENCE with France and with Germany before the block of one head; gamma
    (576,), of the norm there;
    W_Q, W_K, W_V (576, 64), that head's matrices; weights (2, 5, 5) and outputs (2, 5, 64), what
    the model's own head makes of them;
    scene_steps (n_scenes, 2, 31, 10, n_words), of facts()["scenes"], for each run into which a part
    of the other is put, each block and part (0: the state after the block, 1 to 9: what a head
    gives out; there is no head before the first block, and nothing is moved): the probabilities of
    the scene's words in steps of 1 / STEPS;
    scene_ranks (n_scenes, 2, 31, 10): of the word that is said, in the state after that block, by
    the lens.
    """
    with np.load(NUMBERS, allow_pickle=False) as file:
        arrays = {
            name: array.astype(np.float32) if array.dtype == np.float16 else array
            for name, array in file.items()
        }
    return arrays | {name: dequantise("Q4_1", arrays[name]).T for name in ("W_Q", "W_K", "W_V")}
