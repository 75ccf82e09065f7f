"""The exercises of notebook 08: the table of sinusoids, and the turn that rotary positions make."""

import numpy as np

from course_utils import positions
from course_utils.cards.look import table
from course_utils.diagnosis.exercise import Catch, Exercise, Reading

RNG = np.random.default_rng(8)


def sinusoidal_positional_encoding(T, D):
    return positions.sinusoidal_positional_encoding(T, D)


SINUSOIDS = Exercise("sinusoidal_positional_encoding", sinusoidal_positional_encoding, inputs=[(5, 6), (8, 8), (40, 16), (1, 2)],
    minutes=10, difficulty=2,
    nudge="First the angles alone, a row for each position, a column for each pair: how fast does pair j turn? Then their sines and cosines, side "
          "by side.",
    skeleton="""def my_sinusoidal_positional_encoding(T, D):
    j = np.arange(...)                    # (D/2,)  the pairs
    angles = ...                          # (T, D/2)  position times speed; speeds fall from 1 towards 1/10000
    R = np.zeros((T, D))
    R[:, ...] = np.sin(angles)
    R[:, ...] = np.cos(angles)
    return R
""")



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


@SINUSOIDS.mistake("a speed for every column",
                   "Every column has a speed of its own. The sine and the cosine of a clock share one.")
def own_frequency_each(T, D):
    return _waves(T, np.arange(D) / D)


@SINUSOIDS.mistake("exponent 2i/D with i the column",
                   "Your frequencies fall twice as fast as they should: 2j already counts columns, those at which a pair begins.")
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


@SINUSOIDS.mistake("base forgotten",
                   "All your pairs turn at one speed. Each pair should be slower than the one before: what makes it so, and is the exponent a "
                   "fraction?")
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


@SINUSOIDS.mistake("positions along the columns, cut into rows",
                   "In your angles, positions run along the columns; they belong down the rows. `reshape` does not turn a table: which of the two "
                   "stands first in the product?")
def angles_cut_into_rows(T, D):
    w = 10000.0 ** -(np.arange(0, D, 2) / D)
    return _pairs(np.outer(w, np.arange(T)).reshape(T, D // 2))


@SINUSOIDS.mistake("angles without sin and cos", "These are the angles. Their sines and cosines are still to be taken.")
def bare_angles(T, D):
    return np.arange(T)[:, None] / 10000 ** _of_the_pair(D)


@SINUSOIDS.mistake("brackets forgotten in the exponent",
                   "A power comes before a product: 10000**2*j/D is 10000² times j/D. The whole fraction is the exponent.")
def power_before_product(T, D):
    return _pairs(np.arange(T)[:, None] / (10000**2 * np.arange(D // 2) / D))


@SINUSOIDS.mistake("brackets forgotten around the fraction", "From left to right: divided by 10000², then times j, then by D. "
                   "The fraction 2j/D is the exponent, and the power stands below the line.")
def left_to_right(T, D):
    return _pairs(np.arange(T)[:, None] / 10000**2 * np.arange(D // 2) / D)


@SINUSOIDS.mistake("only 2j in the exponent", "A power comes before a division: here 2j alone is the exponent. D belongs to it.")
def division_after_the_power(T, D):
    return _pairs(np.arange(T)[:, None] / (10000.0 ** np.arange(0, D, 2) / D))


@SINUSOIDS.mistake("divided by the exponent instead of a power",
                   "The angle falls by a constant factor from pair to pair: 10000 is raised to a power, not multiplied.")
def product_for_power(T, D):
    return _pairs(np.arange(T)[:, None] / (10000 * np.arange(0, D, 2) / D))


@SINUSOIDS.mistake("every position alike", "All rows are equal: the position does not enter. What multiplies the frequency?")
def without_positions(T, D):
    return np.tile(_waves(1, _of_the_pair(D), first=1), (T, 1))


@SINUSOIDS.mistake("every second column empty", "The sines stand in their columns. The cosines are still to be filled in.")
def cosines_missing(T, D):
    return sinusoidal_positional_encoding(T, D) * (np.arange(D) % 2 == 0)


@SINUSOIDS.mistake("sine and cosine alternate by row", "Sine and cosine take turns among the columns. Here they take turns among the positions.")
def alternating_rows(T, D):
    angles = np.arange(T)[:, None] / 10000 ** _of_the_pair(D)
    return np.where(np.arange(T)[:, None] % 2 == 0, np.sin(angles), np.cos(angles))


@SINUSOIDS.mistake("T and D swapped",
                   "Rows are positions, columns are features. The pairs count the features, and the exponent divides by their number.")
def sizes_swapped(T, D):
    return _waves(D, _of_the_pair(T))


@SINUSOIDS.mistake("2j doubled once more",
                   "The numbers 0, 2, 4, … are 2j already, and they were doubled again: the exponent runs over twice the range.",
                   requires="steps of two")
def doubled_twice(T, D):
    j = np.arange(0, D, 2)
    return _pairs(np.arange(T)[:, None] / 10000.0 ** (2 * j / D))


@SINUSOIDS.mistake("divided by D/2", "The exponent runs over twice the range: the fraction has 2j above the line and the number of pairs below it.")
def by_the_pairs(T, D):
    return _waves(T, np.arange(D) // 2 * 4 / D)


@SINUSOIDS.mistake("base 1000", "Your pairs slow down too little. Count the zeros of the base.")
def smaller_base(T, D):
    return _waves(T, _of_the_pair(D), base=1000.0)


@SINUSOIDS.mistake("T for D in the exponent", "The frequencies depend on how wide the table is, not on how many positions it has.")
def length_for_width(T, D):
    return _waves(T, np.arange(D) // 2 * 2 / T)


@SINUSOIDS.mistake("the last pair left out", "The last two columns are empty. A range ends before its last number: how many pairs are there?")
def without_the_last_pair(T, D):
    R = sinusoidal_positional_encoding(T, D)
    R[:, -2:] = 0
    return R


@SINUSOIDS.mistake("the first pair left out", "The first two columns are empty. Python counts from 0, and pairs do, too.")
def without_the_first_pair(T, D):
    R = sinusoidal_positional_encoding(T, D)
    R[:, :2] = 0
    return R


@SINUSOIDS.mistake("position 0 left out", "The first row is empty. Position 0 has its row, too: 0 and 1 in turn.")
def without_the_first_position(T, D):
    R = sinusoidal_positional_encoding(T, D)
    R[0] = 0
    return R


@SINUSOIDS.mistake("only cosines", "Every first column of a pair should be a sine. A cosine alone cannot tell a step forward from a step back.")
def cosines_only(T, D):
    return np.cos(np.arange(T)[:, None] / 10000 ** _of_the_pair(D))


@SINUSOIDS.mistake("the sines missing", "The cosines stand in their columns. The sines are still to be filled in.")
def sines_missing(T, D):
    return sinusoidal_positional_encoding(T, D) * (np.arange(D) % 2 == 1)


@SINUSOIDS.mistake("degrees instead of radians", "The angles were turned into radians as if they were degrees. They are radians already.")
def as_degrees(T, D):
    return _pairs(np.deg2rad(np.arange(T)[:, None] / 10000 ** (np.arange(0, D, 2) / D)))


@SINUSOIDS.mistake("positions as fractions of T", "The positions were divided by how many there are. Position 5 is 5, however long the text is.")
def fractions_of_the_text(T, D):
    return _pairs(np.arange(T)[:, None] / T / 10000 ** (np.arange(0, D, 2) / D))


@SINUSOIDS.mistake("base 100000", "Your pairs slow down too much. Count the zeros of the base.")
def base_100000(T, D):
    return _waves(T, _of_the_pair(D), base=100000.0)


@SINUSOIDS.mistake("the frequency of the sine for its cosine",
                   "The cosine's angle is that of the next column. Both of a pair have the angle of their pair.")
def cosine_of_the_next(T, D):
    return _waves(T, np.arange(D) // 2 * 2 / D + (np.arange(D) % 2) * 2 / D)


def _pairs(angles):
    """Sine and cosine of each pair side by side, from angles (T, D/2)."""
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), -1)


def rotate(X, cos, sin):
    return positions.rotary_embedding(X, cos, sin)


def _turns(T, d):
    """An input: vectors (T, d), and the cosines and sines of angles that are far from small."""
    return (RNG.normal(size=(T, d)), *positions.rotary_angles(np.arange(1.0, T + 1), d, base=10.0))


ROTATE = Exercise("rotate", rotate, inputs=[_turns(5, 6), _turns(4, 8), _turns(3, 2)],
    minutes=10, difficulty=2,
    nudge="Take one pair (a, b) and turn it by an angle, as a point in the plane. Which two products make the new a, which two the new b?",
    skeleton="""def my_rotate(X, cos, sin):
    a, b = ...                            # (T, d/2) each: the first and the second half of the features
    new_a = ...                           # (T, d/2)
    new_b = ...                           # (T, d/2)
    return np.hstack([new_a, new_b])      # (T, d)
""")



def _halves(X):
    half = X.shape[1] // 2
    return X[:, :half], X[:, half:]


@ROTATE.mistake("wrong sign", "Your vectors turn clockwise. At 90° the turn takes (1, 0) to (0, 1): does yours?")
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


@ROTATE.mistake("only the first half turned", "The first half is right, and the second stands as it was. A turn moves both.")
def half_turned(X, cos, sin):
    a, b = _halves(X)
    return np.hstack([a * cos - b * sin, b])


@ROTATE.mistake("both halves alike", "Both new halves are the same. The new b needs the other two products: each part meets the other function.")
def same_twice(X, cos, sin):
    a, b = _halves(X)
    return np.hstack([a * cos - b * sin, a * cos - b * sin])


@ROTATE.mistake("the products of the first half again, added",
                "Each part meets both functions. Your second half uses the products of the first once more, with another sign.")
def same_products(X, cos, sin):
    a, b = _halves(X)
    return np.hstack([a * cos - b * sin, a * cos + b * sin])


@ROTATE.mistake("sines on the own half", "The sine carries each half into the *other* one. Here it stays at home.")
def own_sines(X, cos, sin):
    a, b = _halves(X)
    return np.hstack([a * cos - a * sin, b * sin + b * cos])


@ROTATE.mistake("angles in pairs, features in halves",
                "The angles are laid out for neighbours, and the features are paired as halves. Both have to follow the same plan.")
def two_plans(X, cos, sin):
    a, b = _halves(X)
    return X * np.repeat(cos, 2, axis=1) + np.hstack([-b, a]) * np.repeat(sin, 2, axis=1)


@ROTATE.mistake("features reversed instead of halves exchanged",
                "Each feature meets its mirror image. It should meet the same place of the other half.")
def mirrored(X, cos, sin):
    return X * np.hstack([cos, cos]) + X[:, ::-1] * np.hstack([-sin, sin])


@ROTATE.mistake("only the first position", "Every token is turned by the angles of the first. Row i of cos and sin belongs to token i.")
def one_angle(X, cos, sin):
    return rotate(X, np.tile(cos[:1], (len(X), 1)), np.tile(sin[:1], (len(X), 1)))


@ROTATE.mistake("the sine added", "The cosines and sines are added to the features. A turn multiplies.")
def angles_added(X, cos, sin):
    return X + np.hstack([cos, sin])


@ROTATE.mistake("subtracted in both halves", "You subtract in both halves. Only the new a has a minus.")
def both_subtracted(X, cos, sin):
    a, b = _halves(X)
    return np.hstack([a * cos - b * sin, b * cos - a * sin])


@ROTATE.mistake("one half only", "This is the new first half. The second belongs beside it.")
def first_half_alone(X, cos, sin):
    return _halves(rotate(X, cos, sin))[0]


@ROTATE.mistake("halves below each other", "Both new halves are right. They belong side by side: each token keeps one row.")
def stacked(X, cos, sin):
    return np.vstack(_halves(rotate(X, cos, sin)))


@ROTATE.mistake("two tables", "You return two tables, one for each half. Put them side by side: each token keeps one row.")
def not_put_together(X, cos, sin):
    return np.stack(_halves(rotate(X, cos, sin)))


@ROTATE.mistake("pairs taken as neighbours, laid out as halves", "You turn each feature with its neighbour, and lay the results out as halves. "
                "Here feature j is paired with feature j + half, going in as well.")
def neighbours_to_halves(X, cos, sin):
    a, b = X[:, 0::2], X[:, 1::2]
    return np.hstack([a * cos - b * sin, a * sin + b * cos])


@ROTATE.mistake("cos and sin taken once more",
                "cos and sin are finished numbers. They were taken for angles, and their cosines and sines were taken.")
def angles_again(X, cos, sin):
    return rotate(X, np.cos(cos), np.sin(sin))


@ROTATE.mistake("only the second half turned", "The second half is right, and the first stands as it was. A turn moves both.")
def other_half_turned(X, cos, sin):
    a, b = _halves(X)
    return np.hstack([a, a * sin + b * cos])


@ROTATE.mistake("halves swapped on the way in", "The second half was taken for the first. Feature j of the first half is a, that of the second is b.")
def halves_exchanged(X, cos, sin):
    b, a = _halves(X)
    return np.hstack([a * cos - b * sin, a * sin + b * cos])


@ROTATE.mistake("stretched by both", "Each half is only stretched, by its own cosine and sine. In a turn each new half takes from both.")
def stretched_by_both(X, cos, sin):
    a, b = _halves(X)
    return np.hstack([a * cos - a * sin, b * cos - b * sin])


@ROTATE.mistake("turned twice", "Each vector was turned by its angle two times. Once is enough.")
def turned_twice(X, cos, sin):
    return rotate(rotate(X, cos, sin), cos, sin)


CATCH = Catch("catch_rotate", ROTATE, "law", enough=7, minutes=10, difficulty=3, planted=[
    "wrong sign", "no minus", "multiplied by the cosines only", "cos and sin swapped", "the new half used too early", "only the first half turned",
    "pairs interleaved where halves are asked", "halves the wrong way round"],
    task="Write what every turn must do: a function that takes an implementation and says True or False.",
    nudge="A turn keeps every length. An angle of 0 moves nothing. And one known turn tells the direction: where does a quarter turn take feature 0, "
          "if there are four features?",
    skeleton="""def my_catch_rotate(rotate):               # any implementation: rotate(X, cos, sin)
    X = ...                               # (T, 4)
    angles = ...                          # (T, 2)  not all equal
    Y = rotate(X, np.cos(angles), np.sin(angles))
    lengths = ...                         # True or False: each row is as long as before
    still = ...                           # True or False: angles of 0 move nothing
    direction = ...                       # True or False: a quarter turn of a vector that you know
    return lengths and still and direction
""")

NOTE = Reading(
    "note_08",
    "A lecture note says: “`R_i · R_j` depends only on i − j. So in a model that adds R, the scores between positions depend only on i − j, too.” "
    "Which sentence mends it?",
    [("`R_i · R_j` depends on i and j one by one, so no model that adds R can know how far two of its tokens are apart.",
      "The first half of the note is right: a pair gives cos ωi cos ωj + sin ωi sin ωj, which is cos ω(i − j)."),
     ("`R_i · R_j` depends on i − j, and so do the scores, but only for as many positions as the training texts were long.",
      "Already within that length scores of equal offset differ. Ask what a score multiplies, R itself or what two matrices make of it."),
     ("`R_i · R_j` depends only on i − j, but in a score `W_Q` and `W_K` stand between the two, so the offset is not enough.",
      "the term of two positions is `(R_i W_Q) · (R_j W_K)`. Moving both along turns all their hands alike, but "
      "behind two matrices that changes the product: the offset alone no longer "
      "decides. "
      "RoPE therefore turns after the matrices."),
     ("`R_i · R_j` depends only on i − j, but softmax divides each row by a sum of its own, so that in the end the weights do not.",
      "True of weights, but the note speaks of scores, which come before. They depend on more than the offset already.")],
    right="C", minutes=4, difficulty=2)

ALL_WAVES = positions.sinusoidal_positional_encoding(4, 6)
ONE_POSITION = 2
WHICH_POSITION = Reading(
    "which_position_08",
    "One row of the sinusoidal table with D = 6 is shown below, for a position from 0 to 3. Which position is it? "
    f"(sin 1 = {np.sin(1):.2f}, sin 2 = {np.sin(2):.2f}, sin 3 = {np.sin(3):.2f})",
    [("Position 0, since the last two numbers are 0.00 and 1.00.",
      "At position 0 every sine is 0. The last pair is so slow that it has hardly left 0 and 1 yet at any of the four positions."),
     ("Position 1, since the first number is nearly 1.",
      f"The first pair turns by one radian a position, so at position 1 the first number would be sin 1 = {np.sin(1):.2f}."),
     ("Position 2, since its second number is negative.",
      f"cos 2 = {np.cos(2):.2f} and sin 2 = {np.sin(2):.2f} are the first pair, which turns by one radian a position. "
      f"At position 1 the cosine is still above 0, at position 3 the sine is only {np.sin(3):.2f}."),
     ("Position 3, since three numbers are below 0.5.",
      f"Counting small numbers says nothing: each pair turns at its own speed. At position 3 the first number would be sin 3 = {np.sin(3):.2f}.")],
    right="C", difficulty=2, picture=table([[f"{number:.2f}" for number in ALL_WAVES[ONE_POSITION]]], [f"column {n}" for n in range(6)]))


EXERCISES = [SINUSOIDS, ROTATE, CATCH, NOTE, WHICH_POSITION]
