"""The exercises of notebook 08: the table of sinusoids, and the turn that rotary positions make."""

import numpy as np

from course_utils import positions
from course_utils.exercises.checking import Exercise

RNG = np.random.default_rng(8)


def sinusoidal_positional_encoding(T, D):
    return positions.sinusoidal_positional_encoding(T, D)


SINUSOIDS = Exercise("sinusoidal_positional_encoding", sinusoidal_positional_encoding, inputs=[(8, 8), (5, 6), (40, 16), (1, 2)])


def _waves(T, exponents, first=0, base=10000.0):
    """Sines in the even columns and cosines in the odd ones, from an exponent for each column."""
    angles = np.arange(first, first + T)[:, None] / base ** np.asarray(exponents, dtype=float)
    return np.where(np.arange(angles.shape[1]) % 2 == 0, np.sin(angles), np.cos(angles))


def _of_the_pair(D):
    """2j/D for each column, where column 2j and column 2j + 1 make pair j."""
    return np.arange(D) // 2 * 2 / D


@SINUSOIDS.mistake("sin and cos in halves", "All numbers are there, but all sines stand first. Asked is sine, cosine, sine, cosine: pair by pair.")
def in_halves(T, D):
    R = positions.sinusoidal_positional_encoding(T, D)
    return np.hstack([R[:, 0::2], R[:, 1::2]])


@SINUSOIDS.mistake("exponent i/D rather than 2⌊i/2⌋/D",
                   "Every column has a frequency of its own. The sine and the cosine of a pair share one.")
def own_frequency_each(T, D):
    return _waves(T, np.arange(D) / D)


@SINUSOIDS.mistake("exponent 2i/D with i the column", "The 2 counts columns by pairs already: 2j is the number of the pair's first column.")
def column_doubled(T, D):
    return _waves(T, 2 * np.arange(D) / D)


@SINUSOIDS.mistake("exponent j/D rather than 2j/D", "Your frequencies fall too slowly: half as fast, on a logarithmic scale. What stands above D?")
def pair_not_doubled(T, D):
    return _waves(T, _of_the_pair(D) / 2)


@SINUSOIDS.mistake("positions from 1", "Your first row is the second one. Positions count from 0, where every sine is 0 and every cosine 1.")
def positions_from_one(T, D):
    return _waves(T, _of_the_pair(D), first=1)


@SINUSOIDS.mistake("pairs from 1", "Your fastest pair is the second one. Pairs count from 0, so the first pair turns by one radian a position.")
def pairs_from_one(T, D):
    return _waves(T, _of_the_pair(D) + 2 / D)


@SINUSOIDS.mistake("base forgotten", "All your pairs turn at one speed. Each pair should be slower than the one before: what makes it so?")
def one_frequency(T, D):
    return _waves(T, np.zeros(D))


@SINUSOIDS.mistake("base e instead of 10000", "Your slowest pair is hardly slower than the fastest. exp has the base e; the formula's base is 10000.")
def natural_base(T, D):
    return _waves(T, _of_the_pair(D), base=np.e)


@SINUSOIDS.mistake("frequencies that grow", "Your later pairs turn faster and faster. They should slow down: which way does the power go?")
def growing(T, D):
    return _waves(T, -_of_the_pair(D))


@SINUSOIDS.mistake("divided by D/2 − 1", "Your slowest pair reaches the base exactly. Some programs do so; the formula divides by D.")
def up_to_the_base(T, D):
    return _waves(T, np.arange(D) // 2 / max(D / 2 - 1, 1))


@SINUSOIDS.mistake("sin and cos swapped", "The first column should start at 0, as a sine does. Which of the pair comes first?")
def cosine_first(T, D):
    R = positions.sinusoidal_positional_encoding(T, D)
    return R.reshape(T, D // 2, 2)[:, :, ::-1].reshape(T, D)


@SINUSOIDS.mistake("only sines", "Every second column should be a cosine. A sine alone cannot tell going up from coming down.")
def sines_only(T, D):
    return np.sin(np.arange(T)[:, None] / 10000 ** _of_the_pair(D))


@SINUSOIDS.mistake("2π inside", "The formula has no 2π: the fastest pair turns by one radian a position, not by a full turn.")
def full_turns(T, D):
    angles = 2 * np.pi * np.arange(T)[:, None] / 10000 ** _of_the_pair(D)
    return np.where(np.arange(D) % 2 == 0, np.sin(angles), np.cos(angles))


@SINUSOIDS.mistake("transposed", "Rows are tokens: a row for each position, a column for each feature.")
def positions_in_columns(T, D):
    return positions.sinusoidal_positional_encoding(T, D).T


@SINUSOIDS.mistake("angles without sin and cos", "These are the angles. Their sines and cosines are still to be taken.")
def bare_angles(T, D):
    return np.arange(T)[:, None] / 10000 ** _of_the_pair(D)


def rotate(X, cos, sin):
    return positions.rotary_embedding(X, cos, sin)


def _turns(T, d):
    """An input: vectors (T, d), and the cosines and sines of angles that are far from small."""
    return (RNG.normal(size=(T, d)), *positions.rotary_angles(np.arange(1.0, T + 1), d, base=10.0))


ROTATE = Exercise("rotate", rotate, inputs=[_turns(4, 8), _turns(5, 2), _turns(3, 6)])


def _halves(X):
    half = X.shape[1] // 2
    return X[:, :half], X[:, half:]


@ROTATE.mistake("wrong sign", "Your vectors turn clockwise. At 90° the turn takes (1, 0) to (0, 1): check which product is subtracted.")
def turned_back(X, cos, sin):
    return rotate(X, cos, -sin)


@ROTATE.mistake("pairs interleaved where halves are asked",
                "You turn each feature with its neighbour. Here feature j is paired with feature j + half.")
def neighbours(X, cos, sin):
    return positions.rotary_embedding(X, cos, sin, interleaved=True)


@ROTATE.mistake("values scaled instead of turned", "Each half is only stretched by its own number. In a turn, both halves enter each new half.")
def scaled(X, cos, sin):
    a, b = _halves(X)
    return np.hstack([a * cos, b * sin])


@ROTATE.mistake("multiplied by the cosines only", "A turn keeps lengths. Your vectors get shorter, because the sines are missing.")
def shrunk(X, cos, sin):
    a, b = _halves(X)
    return np.hstack([a * cos, b * cos])


@ROTATE.mistake("cos and sin swapped", "At angle 0 nothing should move. Which of the two is 1 there?")
def swapped(X, cos, sin):
    return rotate(X, sin, cos)


@ROTATE.mistake("no minus", "Both new halves are sums. Then lengths change: in one of the two a product is subtracted.")
def sums_only(X, cos, sin):
    a, b = _halves(X)
    return np.hstack([a * cos + b * sin, a * sin + b * cos])


@ROTATE.mistake("a minus too many", "You subtract in both halves. Only one of them has a minus.")
def differences_only(X, cos, sin):
    a, b = _halves(X)
    return np.hstack([a * cos - b * sin, a * sin - b * cos])


@ROTATE.mistake("halves the wrong way round", "Right numbers, but the second half stands first. Feature j should stay in column j.")
def second_half_first(X, cos, sin):
    return np.hstack(_halves(rotate(X, cos, sin))[::-1])


@ROTATE.mistake("the new half used too early", "The second half needs the first as it was before the turn. Keep the old one.")
def overwritten(X, cos, sin):
    a, b = _halves(X)
    a = a * cos - b * sin
    return np.hstack([a, a * sin + b * cos])


@ROTATE.mistake("results interleaved", "The pairs are right, but the results are laid out pair by pair. Feature j should stay in column j.")
def laid_out_in_pairs(X, cos, sin):
    return np.stack(_halves(rotate(X, cos, sin)), axis=-1).reshape(X.shape)


@ROTATE.mistake("angles transposed", "Row i of cos and sin belongs to token i. They need no transpose.")
def by_feature(X, cos, sin):
    return rotate(X, cos.T, sin.T) if cos.shape == cos.T.shape else rotate(X, cos, sin)


@ROTATE.mistake("not turned", "X comes back as it was: nothing has turned yet.")
def unchanged(X, cos, sin):
    return X.copy()


EXERCISES = [SINUSOIDS, ROTATE]
