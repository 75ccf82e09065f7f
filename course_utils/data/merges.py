"""How SmolLM2 reads a text: its 48,900 merges, shipped so that every text can be cut without its
weights; and a text to learn merges from.

merges.npz was made by scripts/make_tokens.py from the tokeniser of the model SmolLM2-135M-Instruct
by Hugging Face (HuggingFaceTB), licence
Apache-2.0 (its text: APACHE-2.0.txt beside this file). Changed: each merge is written as two
numbers of pieces. prose.txt is the course's own.
"""

import functools
from pathlib import Path

import numpy as np

from course_utils.tokens import Tokenizer

FOLDER = Path(__file__).parent
SPECIAL = [
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<repo_name>",
    "<reponame>",
    "<file_sep>",
    "<filename>",
    "<gh_stars>",
    "<issue_start>",
    "<issue_comment>",
    "<issue_closed>",
    "<jupyter_start>",
    "<jupyter_text>",
    "<jupyter_code>",
    "<jupyter_output>",
    "<jupyter_script>",
    "<empty_output>",
]


@functools.cache
def load() -> Tokenizer:
    """SmolLM2's Tokenizer: 17 special tokens, 235 bytes, 48,900 pairs. 21 of the 256 bytes have no
    token and are left out."""
    with np.load(FOLDER / "merges.npz", allow_pickle=False) as file:
        return Tokenizer(file["pairs"].astype(int), file["first"].tolist(), SPECIAL)


def prose() -> str:
    """A text of the course, from which notebook 12 learns merges. It stays as it is: what is
    learned from it is told in the notebook."""
    return (FOLDER / "prose.txt").read_text(encoding="utf-8")
