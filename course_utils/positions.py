"""Ways to tell a transformer where a token stands: sinusoids that are added, rotations that are applied."""

import numpy as np

from course_utils.checks import check_angles, check_rotation, check_sinusoids


def sinusoidal_positional_encoding(T, D, base=10000.0):
    r"""The position table R, to be added to X: pairs of a sine and a cosine, each pair of one frequency.

    .. math:: R_{i,2j} = \sin(i / \text{base}^{2j/D}) \qquad R_{i,2j+1} = \cos(i / \text{base}^{2j/D})

    Positions i and features count from 0. The wavelengths grow from 2*pi towards 2*pi*base. Parameters: T positions; D, an
    even number of features. Returns (T, D). Source: Vaswani et al. 2017, section 3.5.
    """
    T, D, base = check_sinusoids(T, D, base)
    cos, sin = rotary_angles(np.arange(T), D, base)
    R = np.empty((T, D))
    R[:, 0::2], R[:, 1::2] = sin, cos
    return R


def rotary_angles(positions, d, base=10000.0):
    r"""The cosines and sines of the angles :math:`i / \text{base}^{2j/d}` by which pair j turns at position i.

    Parameters: positions (T,), whole numbers or not; d, an even number of features that turn. Returns cos, sin, each (T, d/2).
    Source: Su et al. 2021 (RoFormer), section 3.2.
    """
    positions, d, base = check_angles(positions, d, base)
    angles = positions[:, None] * base ** (-np.arange(0, d, 2) / d)
    return np.cos(angles), np.sin(angles)


def rotary_embedding(X, cos, sin, interleaved=False):
    """Turn pairs of features of queries or keys by their position's angles; lengths stay, dot products see only offsets.

    The first 2*cos.shape[-1] features turn, the rest is left as it is. With interleaved=True pair j is the neighbours
    (2j, 2j + 1), as in the paper; otherwise (j, j + half), a variant that many models use: the same turns, features renumbered.
    Parameters: X (..., T, d); cos, sin (T, n) or with X's leading axes, 2n <= d. Returns X's shape.
    Source: Su et al. 2021 (RoFormer), section 3.4.2.
    """
    X, cos, sin = check_rotation(X, cos, sin)
    half = cos.shape[-1]
    first, second = (slice(0, 2 * half, 2), slice(1, 2 * half, 2)) if interleaved else (slice(0, half), slice(half, 2 * half))
    a, b, turned = X[..., first], X[..., second], X.copy()
    turned[..., first], turned[..., second] = a * cos - b * sin, a * sin + b * cos
    return turned
