"""Pieces of SmolLM2-135M-Instruct (Apache 2.0, see APACHE-2.0.txt) for notebook 14, made by
scripts/make_smol_pieces.py."""

import json
from pathlib import Path
from typing import Any

import numpy as np


def load() -> dict[str, Any]:
    """The shipped pieces: a dict of

    step, least (64, 18), packed (64, 18, 16): the rows that make the keys of one head of block 1,
    18 blocks of 32 numbers each, as they stand in the file; steep, flat (200,): the probabilities
    of the 200 likeliest next words of two beginnings, words {"steep": [...], "flat": [...]},
    prompts
    {"steep": ..., "flat": ...}; costs {how the matrices were rounded: mean surprise}, over n_tokens
    tokens; block (7, 24), what
    PyTorch's block makes of the notebook's numbers, and text_of_the_block, its program.
    """
    with np.load(Path(__file__).with_suffix(".npz"), allow_pickle=False) as file:
        arrays = {name: array for name, array in file.items() if name != "facts"}
        return arrays | json.loads(str(file["facts"]))
