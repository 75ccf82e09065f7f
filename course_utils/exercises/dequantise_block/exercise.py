"""The exercise `dequantise_block`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils import quantisation
from course_utils.diagnosis.exercise import Exercise

RNG = np.random.default_rng(13)


# Four bits.
def dequantise_block(step, least, packed):
    return quantisation.dequantise_block(step, least, packed)


BYTES = np.array(
    [
        0x3A,
        0xF0,
        0x07,
        0x81,
        0x5C,
        0x4E,
        0xB9,
        0x12,
        0xD5,
        0x60,
        0x2F,
        0x98,
        0xE3,
        0x7B,
        0xC4,
        0xA6,
    ],
    dtype=np.uint8,
)


def draw(rng: Generator) -> tuple[Any, ...]:
    return (
        float(rng.uniform(0.01, 3)),
        float(rng.normal()),
        rng.integers(0, 256, size=16).astype(np.uint8),
    )


EXERCISE = Exercise(
    "dequantise_block",
    dequantise_block,
    inputs=[
        (0.5, -2.0, BYTES),
        (0.03, -0.25, RNG.integers(0, 256, size=16).astype(np.uint8)),
        (2.0, 3.0, RNG.integers(0, 256, size=16).astype(np.uint8)),
        (1.0, 0.5, BYTES[::-1].copy()),
    ],
    draw=draw,
    minutes=5,
    difficulty=2,
    nudge=(
        "A byte is 16 · high + low. `byte & 15` keeps the low four bits, `byte >> 4` moves the high"
        " four down. First all low ones, then all high ones."
    ),
    skeleton="""
def my_dequantise_block(step, least, packed):     # a number, a number, (16,) whole numbers 0 to 255
    low = ...                                     # (16,)  0 to 15: the codes of the first half
    high = ...                                    # (16,)  0 to 15: those of the second half
    codes = ...                                   # (32,)
    return ...                                    # (32,)  what the codes stand for
""",
)
