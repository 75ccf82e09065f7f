"""A GGUF file as plain data: its facts and its arrays. Nothing in it is executed, and nothing is
read beyond its end.

Version 3 of the format: four letters, the version, how many arrays and how many facts; the facts;
for each array its name, shape, kind and place; and, from the next multiple of 32 bytes on, the
numbers. Source: the GGUF specification of the ggml project.
"""

import math
import os
import struct
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from course_utils.arguments import ArgumentError, Array, Shape
from course_utils.quantisation import dequantise_block

SCALARS = {
    0: "B",
    1: "b",
    2: "H",
    3: "h",
    4: "I",
    5: "i",
    6: "f",
    7: "?",
    10: "Q",
    11: "q",
    12: "d",
}  # kinds of facts, as struct names them
TEXT, LIST = 8, 9
KINDS = {0: "F32", 3: "Q4_1", 8: "Q8_0"}  # kinds of arrays, as many as the course needs
BLOCKS = {"F32": (1, 4), "Q4_1": (32, 20), "Q8_0": (32, 34)}  # numbers of a block, and its bytes

Facts = dict[str, Any]  # a number, a text or a list, by name


@dataclass(frozen=True)
class Entry:
    """Where an array lies in the file: its kind, its shape (rows, columns), its first byte and how
    many."""

    kind: str
    shape: Shape
    start: int
    size: int


def read_gguf(file: BinaryIO) -> tuple[Facts, dict[str, Entry]]:
    """(facts, entries) of an open file: {name: number, text or list} and {name of an array: Entry}.

    Raises ArgumentError, one sentence, where the file is something else or does not fit itself.
    """
    end = file.seek(0, os.SEEK_END)
    file.seek(0)
    try:
        return _Reader(file, end).whole()
    except (ValueError, KeyError, struct.error, OverflowError, MemoryError):
        raise ArgumentError(
            "weights",
            "a file whose header does not fit its contents",
            "a whole GGUF file, version 3: get it anew",
        ) from None


class _Reader:
    def __init__(self, file, end):
        self.file, self.end = file, end

    def take(self, n):
        if n > self.end - self.file.tell():
            raise ValueError
        return self.file.read(n)

    def number(self, code):
        return struct.unpack("<" + code, self.take(struct.calcsize("<" + code)))[0]

    def text(self):
        return self.take(self.number("Q")).decode()

    def fact(self, kind):
        if kind == TEXT:
            return self.text()
        if kind == LIST:
            of, n = self.number("I"), self.number("Q")
            return (
                [self.text() for _ in range(n)]
                if of == TEXT
                else np.frombuffer(self.take(n * struct.calcsize(SCALARS[of])), "<" + SCALARS[of])
            )
        return self.number(SCALARS[kind])

    def entry(self):
        name, shape = self.text(), tuple(self.number("Q") for _ in range(self.number("I")))[::-1]
        kind, offset = KINDS[self.number("I")], self.number("Q")
        numbers, size = BLOCKS[kind]
        if len(shape) not in (1, 2) or shape[-1] % numbers:
            raise ValueError
        return name, Entry(kind, shape, offset, math.prod(shape) // numbers * size)

    def whole(self):
        if self.take(4) != b"GGUF" or self.number("I") != 3:
            raise ValueError
        n_arrays, n_facts = self.number("Q"), self.number("Q")
        facts = {self.text(): self.fact(self.number("I")) for _ in range(n_facts)}
        found = dict(self.entry() for _ in range(n_arrays))
        start = self.file.tell() + -self.file.tell() % facts.get("general.alignment", 32)
        entries = {
            name: Entry(e.kind, e.shape, start + e.start, e.size) for name, e in found.items()
        }
        if any(e.start + e.size > self.end for e in entries.values()):
            raise ValueError
        return facts, entries


def read_array(file: BinaryIO, entry: Entry) -> NDArray[np.uint8]:
    """The bytes of an array, a row of them for each of its rows: (rows, bytes a row)."""
    file.seek(entry.start)
    rows = entry.shape[0] if len(entry.shape) == 2 else 1
    return np.frombuffer(file.read(entry.size), np.uint8).reshape(rows, -1)


def dequantise(kind: str, raw: NDArray[np.uint8]) -> Array:
    """The numbers (rows, columns), float32, in the bytes of rows.

    F32: the numbers themselves. Q8_0: blocks of 32, a step (float16) and 32 whole numbers from -127
    to 127. Q4_1: blocks of 32, a step and a least value (float16), and 16 bytes of two whole
    numbers from 0 to 15: the first sixteen in the low halves.
    """
    if kind == "F32":
        return raw.view("<f4").astype(np.float32, copy=False)
    blocks = raw.reshape(-1, BLOCKS[kind][1])
    if kind == "Q8_0":
        step, codes = np.ascontiguousarray(blocks[:, :2]).view("<f2"), blocks[:, 2:].view(np.int8)
        return np.multiply(codes, step, dtype=np.float32).reshape(len(raw), -1)
    step, least = np.ascontiguousarray(blocks[:, :4]).view("<f2").T
    return dequantise_block(step, least, blocks[:, 4:]).reshape(len(raw), -1)
