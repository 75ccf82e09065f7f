"""Numbers in few bits: a block of neighbours shares a step and a least value, each number keeps a small whole number, its code.

A number is worth ``least + step * code``. With 4 bits a code is 0 … 15 and two of them share a byte, as in the files that
today's models come in (GGUF's kind Q4_1: blocks of 32, step and least in half precision, 20 bytes instead of 128).
"""

import numpy as np

from course_utils.arguments import at_least_float32
from course_utils.checks import check_blocks, check_pack, check_packed, check_quantise


def quantise(x, n_bits=4, block_size=32):
    r"""Round each block of a row to the nearest of :math:`2^{n\_bits}` values, evenly spread from its least to its largest number.

    Parameters: x (..., D), D a multiple of block_size; n_bits from 1 to 8. Returns (step (..., D/block_size), least (..., D/block_size),
    codes uint8 (..., D)). A block of equal numbers has step 0. No number moves by more than half a step.
    """
    x, n_bits, block_size = check_quantise(x, n_bits, block_size)
    blocks = at_least_float32(x).reshape(*x.shape[:-1], -1, block_size)
    least, largest = blocks.min(axis=-1), blocks.max(axis=-1)
    step = (largest - least) / (2**n_bits - 1)
    width = np.where(step > 0, step, 1)[..., None]
    codes = np.clip(np.floor((blocks - least[..., None]) / width + 0.5), 0, 2**n_bits - 1)
    return step, least, codes.astype(np.uint8).reshape(x.shape)


def dequantise(step, least, codes):
    """The numbers that codes stand for: least + step * code. step, least (..., D/block_size); codes (..., D). Returns (..., D)."""
    step, least, blocks = check_blocks(step, least, codes)
    return _numbers(step, least, blocks).reshape(*step.shape[:-1], -1)


def pack(codes):
    """Two codes of four bits in a byte: (..., n) -> uint8 (..., n/2). The first half of a row takes the low bits, the second the high ones."""
    first, second = np.split(check_pack(codes), 2, axis=-1)
    return first | second << 4


def dequantise_block(step, least, packed):
    """The numbers in packed blocks: step, least (...,), a number each a block; packed uint8 (..., n/2). Returns (..., n).

    With n = 32 these are the blocks of GGUF's kind Q4_1. Half precision of step and least becomes float32.
    """
    step, least, packed = check_packed(step, least, packed)
    return _numbers(step, least, np.concatenate([packed & 15, packed >> 4], axis=-1))


def _numbers(step, least, codes):
    step, least = at_least_float32(step), at_least_float32(least)
    x = codes * step[..., None]
    x += least[..., None]
    return x
