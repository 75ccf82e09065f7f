"""Known misconceptions of `sinusoidal_positional_encoding`: (name, code, question), and options
where there are some."""

import numpy as np

from course_utils import positions
from course_utils.exercises.sinusoidal_positional_encoding.exercise import (
    sinusoidal_positional_encoding,
)


def _waves(T, exponents, first=0, base=10000.0):
    """Sines in the even columns and cosines in the odd ones, from an exponent for each column."""
    angles = np.arange(first, first + T)[:, None] / base ** np.asarray(exponents, dtype=float)
    return np.where(np.arange(angles.shape[1]) % 2 == 0, np.sin(angles), np.cos(angles))


def _of_the_pair(D):
    """2j/D for each column, where column 2j and column 2j + 1 make pair j."""
    return np.arange(D) // 2 * 2 / D


def _pairs(angles):
    """Sine and cosine of each pair side by side, from angles (T, D/2)."""
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), -1)


TABLE = [
    (
        "sin and cos in halves",
        """
R = positions.sinusoidal_positional_encoding(T, D)
return np.hstack([R[:, 0::2], R[:, 1::2]])
""",
        (
            "All numbers are there, but all sines stand first. Asked is sine, cosine, sine, cosine:"
            " pair by pair."
        ),
    ),
    (
        "a speed for every column",
        "_waves(T, np.arange(D) / D)",
        "Every column has a speed of its own. The sine and the cosine of a clock share one.",
    ),
    (
        "exponent 2i/D with i the column",
        "_waves(T, 2 * np.arange(D) / D)",
        (
            "Your frequencies fall twice as fast as they should: 2j already counts columns, those"
            " at which a pair begins."
        ),
    ),
    (
        "base 100 rather than 10000",
        "_waves(T, _of_the_pair(D), base=100.0)",
        "Your frequencies fall too slowly. Of which number is the power taken?",
        {"requires": "the number 100"},
    ),
    (
        "exponent j/D rather than 2j/D",
        "_waves(T, _of_the_pair(D) / 2)",
        (
            "Your frequencies fall too slowly: half as fast, on a logarithmic scale. What stands"
            " above D?"
        ),
    ),
    (
        "positions from 1",
        "_waves(T, _of_the_pair(D), first=1)",
        (
            "Your first row is the second one. Positions count from 0, where every sine is 0 and"
            " every cosine 1."
        ),
    ),
    (
        "pairs from 1",
        "_waves(T, _of_the_pair(D) + 2 / D)",
        (
            "Your fastest pair is the second one. Pairs count from 0, so the first pair turns by"
            " one radian a position."
        ),
    ),
    (
        "base forgotten",
        "_waves(T, np.zeros(D))",
        (
            "All your pairs turn at one speed. Each pair should be slower than the one before: what"
            " makes it so, and is the exponent a fraction?"
        ),
    ),
    (
        "base e instead of 10000",
        "_waves(T, _of_the_pair(D), base=np.e)",
        (
            "Your slowest pair is hardly slower than the fastest. exp has the base e; the formula's"
            " base is 10000."
        ),
    ),
    (
        "frequencies that grow",
        "_waves(T, -_of_the_pair(D))",
        (
            "Your later pairs turn faster and faster. They should slow down: which way does the"
            " power go?"
        ),
    ),
    (
        "sin and cos swapped",
        """
R = positions.sinusoidal_positional_encoding(T, D)
return R.reshape(T, D // 2, 2)[:, :, ::-1].reshape(T, D)
""",
        "The first column should start at 0, as a sine does. Which of the pair comes first?",
    ),
    (
        "only sines",
        "np.sin(np.arange(T)[:, None] / 10000 ** _of_the_pair(D))",
        (
            "Every second column should be a cosine. A sine alone cannot tell going up from coming "
            "down."
        ),
    ),
    (
        "transposed",
        "positions.sinusoidal_positional_encoding(T, D).T",
        "Rows are tokens: a row for each position, a column for each feature.",
    ),
    (
        "positions along the columns, cut into rows",
        """
w = 10000.0 ** -(np.arange(0, D, 2) / D)
return _pairs(np.outer(w, np.arange(T)).reshape(T, D // 2))
""",
        (
            "In your angles, positions run along the columns; they belong down the rows. `reshape` "
            "does not turn a table: which of the two stands first in the product?"
        ),
    ),
    (
        "angles without sin and cos",
        "np.arange(T)[:, None] / 10000 ** _of_the_pair(D)",
        "These are the angles. Their sines and cosines are still to be taken.",
    ),
    (
        "brackets forgotten in the exponent",
        "_pairs(np.arange(T)[:, None] / (10000**2 * np.arange(D // 2) / D))",
        (
            "A power comes before a product: 10000**2*j/D is 10000² times j/D. The whole fraction"
            " is the exponent."
        ),
    ),
    (
        "brackets forgotten around the fraction",
        "_pairs(np.arange(T)[:, None] / 10000**2 * np.arange(D // 2) / D)",
        (
            "From left to right: divided by 10000², then times j, then by D. The fraction 2j/D is"
            " the exponent, and the power stands below the line."
        ),
    ),
    (
        "divided by the exponent instead of a power",
        "_pairs(np.arange(T)[:, None] / (10000 * np.arange(0, D, 2) / D))",
        (
            "The angle falls by a constant factor from pair to pair: 10000 is raised to a power,"
            " not multiplied."
        ),
    ),
    (
        "every position alike",
        "np.tile(_waves(1, _of_the_pair(D), first=1), (T, 1))",
        "All rows are equal: the position does not enter. What multiplies the frequency?",
    ),
    (
        "every second column empty",
        "sinusoidal_positional_encoding(T, D) * (np.arange(D) % 2 == 0)",
        "The sines stand in their columns. The cosines are still to be filled in.",
    ),
    (
        "sine and cosine alternate by row",
        """
angles = np.arange(T)[:, None] / 10000 ** _of_the_pair(D)
return np.where(np.arange(T)[:, None] % 2 == 0, np.sin(angles), np.cos(angles))
""",
        "Sine and cosine take turns among the columns. Here they take turns among the positions.",
    ),
    (
        "2j doubled once more",
        """
j = np.arange(0, D, 2)
return _pairs(np.arange(T)[:, None] / 10000.0 ** (2 * j / D))
""",
        (
            "The numbers 0, 2, 4, … are 2j already, and they were doubled again: the exponent runs "
            "over twice the range."
        ),
        {"requires": "steps of two"},
    ),
    (
        "divided by D/2",
        "_waves(T, np.arange(D) // 2 * 4 / D)",
        (
            "The exponent runs over twice the range: the fraction has 2j above the line and the"
            " number of pairs below it."
        ),
    ),
    (
        "base 1000",
        "_waves(T, _of_the_pair(D), base=1000.0)",
        "Your pairs slow down too little. Count the zeros of the base.",
    ),
    (
        "T for D in the exponent",
        "_waves(T, np.arange(D) // 2 * 2 / T)",
        "The frequencies depend on how wide the table is, not on how many positions it has.",
    ),
    (
        "the last pair left out",
        """
R = sinusoidal_positional_encoding(T, D)
R[:, -2:] = 0
return R
""",
        (
            "The last two columns are empty. A range ends before its last number: how many pairs"
            " are there?"
        ),
    ),
    (
        "the first pair left out",
        """
R = sinusoidal_positional_encoding(T, D)
R[:, :2] = 0
return R
""",
        "The first two columns are empty. Python counts from 0, and pairs do, too.",
    ),
    (
        "position 0 left out",
        """
R = sinusoidal_positional_encoding(T, D)
R[0] = 0
return R
""",
        "The first row is empty. Position 0 has its row, too: 0 and 1 in turn.",
    ),
    (
        "only cosines",
        "np.cos(np.arange(T)[:, None] / 10000 ** _of_the_pair(D))",
        (
            "Every first column of a pair should be a sine. A cosine alone cannot tell a step"
            " forward from a step back."
        ),
    ),
    (
        "the sines missing",
        "sinusoidal_positional_encoding(T, D) * (np.arange(D) % 2 == 1)",
        "The cosines stand in their columns. The sines are still to be filled in.",
    ),
    (
        "the frequency of the sine for its cosine",
        "_waves(T, np.arange(D) // 2 * 2 / D + (np.arange(D) % 2) * 2 / D)",
        (
            "The cosine's angle is that of the next column. Both of a pair have the angle of their "
            "pair."
        ),
    ),
]
