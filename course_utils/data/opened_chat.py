"""One turn of a chat, opened: stored, so that notebook 15 needs no weights.

opened_chat.json was made by scripts/make_opened_chat.py from the model SmolLM2-135M-Instruct by
Hugging Face (HuggingFaceTB), licence Apache-2.0 (its text: APACHE-2.0.txt beside this file).
Changed: what was computed from the whole model is kept, rounded; none of its arrays.
"""

import functools
import json
from pathlib import Path
from typing import Any

import numpy as np

FACTS = Path(__file__).with_suffix(".json")
QUESTION, RIGHT = "What is 17 + 25?", "17 + 25 = 42."  # the course's question, and what is right
BLOCKS, HEADS = 30, 9
# Base64's alphabet: a letter is a whole number from 0 to 63, here and in map.json.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
SMALL, LOW = 31, 1024  # see pack_changes


@functools.cache
def load() -> dict[str, Any]:
    """What scripts/make_opened_chat.py wrote, a dict of

    question; tokens (T,), as their boxes show them, from the question's first to the reply's last;
    answer, the number of the reply's first token; wrong, the numbers of those that are false;
    losses (T,), the cross-entropy of each token after all before it, in hundredths of a nat;
    likely (T, 5, 2), the likeliest five before it was written, with probabilities in thousandths;
    ranks (T, 31), of the written one by the logit lens, in the word vector before it and after each
    block; changes, packed: see unpack_changes.
    """
    return json.loads(FACTS.read_text(encoding="utf-8"))


def pack_changes(changes: np.ndarray) -> str:
    """Whole numbers from -1024 to 3071 as text; what lies beyond is cut off.

    One from -31 to 31 is one letter of LETTERS, any other is the last letter and two more.
    """
    text = ""
    for change in np.clip(np.ravel(changes), -LOW, 4095 - LOW):
        code = change + LOW
        text += (
            LETTERS[change + SMALL]
            if abs(change) <= SMALL
            else LETTERS[63] + LETTERS[code >> 6] + LETTERS[code & 63]
        )
    return text


def unpack_changes(opened: dict[str, Any]) -> np.ndarray:
    """By how much each token's cross-entropy changes where something is silenced, in hundredths of
    a nat: (30, 10, T), for each block the whole block, then its heads."""
    codes, changes = map(LETTERS.index, opened["changes"]), []
    for code in codes:
        changes.append(code - SMALL if code < 63 else 64 * next(codes) + next(codes) - LOW)
    return np.array(changes).reshape(BLOCKS, 1 + HEADS, len(opened["tokens"]))
