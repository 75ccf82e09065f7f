"""Where a token stands: sinusoids that are added, rotations that are applied."""

import numpy as np
from numpy.typing import ArrayLike

from course_utils.arguments import Array
from course_utils.checks import check_angles, check_rotation, check_sinusoids


def sinusoidal_positional_encoding(T: int, D: int, base: float = 10000.0) -> Array:
    r"""The position table R, to be added to X: pairs of a sine and a cosine of one frequency.

    .. math::
        R_{i,2j} = \sin(i / \text{base}^{2j/D}) \qquad
        R_{i,2j+1} = \cos(i / \text{base}^{2j/D})

    Positions i and features count from 0. The wavelengths grow from 2*pi towards 2*pi*base.
    Source: Vaswani et al. 2017, section 3.5.

    Parameters:
        T: the number of positions.
        D: an even number of features.
        base: a number above 0.
    Returns:
        (T, D).
    Raises:
        ArgumentError: for an odd number of features, or no positions.
    Example:
        >>> sinusoidal_positional_encoding(2, 4).round(2)
        array([[0.  , 1.  , 0.  , 1.  ],
               [0.84, 0.54, 0.01, 1.  ]])
    """
    T, D, base = check_sinusoids(T, D, base)
    cos, sin = rotary_angles(np.arange(T), D, base)
    R = np.empty((T, D))
    R[:, 0::2], R[:, 1::2] = sin, cos
    return R


def rotary_angles(positions: ArrayLike, d: int, base: float = 10000.0) -> tuple[Array, Array]:
    r"""The cosines and sines of the angles by which pair j turns at position i.

    .. math:: i / \text{base}^{2j/d}

    Source: Su et al. 2021 (RoFormer), section 3.2.

    Parameters:
        positions: (T,), whole numbers or not.
        d: an even number of features that turn.
        base: a number above 0.
    Returns:
        cos and sin, (T, d/2) each.
    Raises:
        ArgumentError: for an odd number of features, or positions that are no row of numbers.
    Example:
        >>> cos, sin = rotary_angles([0, 1], 4)
        >>> sin.round(2)
        array([[0.  , 0.  ],
               [0.84, 0.01]])
    """
    positions, d, base = check_angles(positions, d, base)
    angles = positions[:, None] * base ** (-np.arange(0, d, 2) / d)
    return np.cos(angles), np.sin(angles)


def rotary_embedding(
    X: ArrayLike, cos: ArrayLike, sin: ArrayLike, interleaved: bool = False
) -> Array:
    """Turn pairs of features of queries or keys by their position's angles.

    Lengths stay, dot products see only offsets. The first 2*cos.shape[-1] features turn, the rest
    is left as it is. With interleaved=True pair j is the neighbours (2j, 2j + 1), as in the paper;
    otherwise (j, j + half), a variant that many models use: the same turns, features renumbered.
    Source: Su et al. 2021 (RoFormer), section 3.4.2.

    Parameters:
        X: (..., T, d).
        cos, sin: (T, n), or with X's leading axes, 2n <= d.
        interleaved: which features are a pair.
    Returns:
        X's shape.
    Raises:
        ArgumentError: for angles that do not fit X.
    Example:
        >>> cos, sin = np.array([[0]]), np.array([[1]])                # a quarter of a turn
        >>> rotary_embedding([[2, 0, 7]], cos, sin)
        array([[0., 2., 7.]])
    """
    X, cos, sin = check_rotation(X, cos, sin)
    half = cos.shape[-1]
    first, second = slice(0, half), slice(half, 2 * half)
    if interleaved:
        first, second = slice(0, 2 * half, 2), slice(1, 2 * half, 2)
    a, b, turned = X[..., first], X[..., second], X.copy()
    turned[..., first], turned[..., second] = a * cos - b * sin, a * sin + b * cos
    return turned
