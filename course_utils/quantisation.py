"""Numbers in few bits: a block of neighbours shares a step and a least value.

Each number keeps a small whole number, its code, and is worth ``least + step * code``. With 4 bits
a code is 0 … 15 and two of them share a byte, as in the files that today's models come in (GGUF's
kind Q4_1: blocks of 32, step and least in half precision, 20 bytes instead of 128).
"""

import numpy as np
from numpy.typing import ArrayLike

from course_utils.arguments import Array, at_least_float32
from course_utils.checks import Codes, check_blocks, check_pack, check_packed, check_quantise


def quantise(x: ArrayLike, n_bits: int = 4, block_size: int = 32) -> tuple[Array, Array, Codes]:
    r"""Round each block of a row to the nearest of :math:`2^{n\_bits}` values.

    They are evenly spread from the block's least to its largest number. A block of equal numbers
    has step 0. No number moves by more than half a step and what its dtype rounds: that counts
    where a step is hardly more than the distance of neighbouring floats. Source: Jacob et al. 2018,
    section 2.1.

    Parameters:
        x: (..., D), D a multiple of block_size.
        n_bits: from 1 to 8.
        block_size: neighbours that share a step and a least value.
    Returns:
        step and least (..., D/block_size), codes uint8 (..., D).
    Raises:
        ArgumentError: for NaN or infinity, a block whose range is beyond its dtype, or a block
            size that does not divide a row.
    Example:
        >>> step, least, codes = quantise([[0, 1, 2, 15], [7, 7, 7, 7]], block_size=4)
        >>> step.ravel(), least.ravel()
        (array([1., 0.]), array([0., 7.]))
        >>> codes
        array([[ 0,  1,  2, 15],
               [ 0,  0,  0,  0]], dtype=uint8)
    """
    x, n_bits, block_size = check_quantise(x, n_bits, block_size)
    blocks = at_least_float32(x).reshape(*x.shape[:-1], -1, block_size)
    least, largest = blocks.min(axis=-1), blocks.max(axis=-1)
    step = (largest - least) / (2**n_bits - 1)
    width = np.where(step > 0, step, 1)[..., None]
    codes = np.clip(np.floor((blocks - least[..., None]) / width + 0.5), 0, 2**n_bits - 1)
    return step, least, codes.astype(np.uint8).reshape(x.shape)


def dequantise(step: ArrayLike, least: ArrayLike, codes: ArrayLike) -> Array:
    """The numbers that codes stand for: least + step * code.

    Source: Jacob et al. 2018, section 2.1.

    Parameters:
        step, least: (..., D/block_size).
        codes: (..., D), whole numbers from 0 to 255.
    Returns:
        (..., D).
    Raises:
        ArgumentError: for codes that do not come in as many blocks as there are steps.
    Example:
        >>> dequantise([[0.5, 2]], [[10, 0]], [[0, 1, 2, 3]])
        array([[10. , 10.5,  4. ,  6. ]])
    """
    step, least, blocks = check_blocks(step, least, codes)
    return _numbers(step, least, blocks).reshape(*step.shape[:-1], -1)


def pack(codes: ArrayLike) -> Codes:
    """Two codes of four bits in a byte.

    The first half of a row takes the low bits, the second the high ones, as in GGUF's Q4_1.

    Parameters:
        codes: (..., n), whole numbers from 0 to 15, n even.
    Returns:
        uint8 (..., n/2).
    Raises:
        ArgumentError: for codes of more than four bits, or an odd number of them.
    Example:
        >>> pack([1, 2, 3, 15])
        array([ 49, 242], dtype=uint8)
    """
    first, second = np.split(check_pack(codes), 2, axis=-1)
    return first | second << np.uint8(4)


def dequantise_block(step: ArrayLike, least: ArrayLike, packed: ArrayLike) -> Array:
    """The numbers in packed blocks.

    With n = 32 these are the blocks of GGUF's kind Q4_1. Half precision of step and least becomes
    float32.

    Parameters:
        step, least: (...,), a number each a block.
        packed: uint8 (..., n/2).
    Returns:
        (..., n).
    Raises:
        ArgumentError: for a number of blocks that is not the number of steps.
    Example:
        >>> dequantise_block([10.0], [0.5], [[49, 242]])
        array([[ 10.5,  20.5,  30.5, 150.5]])
    """
    step, least, packed = check_packed(step, least, packed)
    return _numbers(step, least, np.concatenate([packed & 15, packed >> 4], axis=-1))


def _numbers(step: Array, least: Array, codes: Codes) -> Array:
    step, least = at_least_float32(step), at_least_float32(least)
    x = codes * step[..., None]
    x += least[..., None]
    return x
