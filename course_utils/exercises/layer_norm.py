"""The exercises of notebook 06: layer norm and RMS norm. The first inputs have a large ε, so that it shows where it stands."""

import numpy as np

from course_utils import layers
from course_utils.cards.look import table
from course_utils.diagnosis.exercise import Catch, Exercise, Reading

RNG = np.random.default_rng(6)


def _tokens(*shape, eps):
    """Rows of unlike means and spreads, with a γ and a β."""
    x = RNG.normal(size=shape) * RNG.uniform(0.5, 3, size=(*shape[:-1], 1)) + RNG.normal(size=(*shape[:-1], 1))
    return x, RNG.uniform(0.5, 2, size=shape[-1]), RNG.normal(size=shape[-1]), eps


def layer_norm(x, gamma, beta, eps):
    return layers.layer_norm(x, gamma, beta, eps)


ROW_OF_EQUALS = np.array([[3.0, 3.0, 3.0, 3.0], [1.0, 2.0, 0.0, -1.0]])

LAYER_NORM = Exercise("layer_norm", layer_norm, inputs=[
    _tokens(3, 5, eps=0.3),
    _tokens(4, 4, eps=0.3),                                      # square: a mix-up of axes does not fail, it goes wrong
    _tokens(3, 3, 3, eps=1e-5),                                  # a batch
    _tokens(2, 4, 6, eps=0.1),
], traps={"a token whose features are all equal": (ROW_OF_EQUALS, np.ones(4), np.zeros(4), 1e-5)},
    minutes=10, difficulty=2,
    nudge="Each token is its own world: two numbers, a mean and a variance, belong to each row. Which shape must they have to meet their row again?",
    skeleton="""def my_layer_norm(x, gamma, beta, eps):
    mu = ...                              # (..., T, 1)  the mean of each token
    variance = ...                        # (..., T, 1)  and its variance
    standardised = ...                    # (..., T, D)  mean 0, variance nearly 1
    return ...                            # (..., T, D)  stretched and shifted, feature by feature
""")


def _mean(x, axis=-1):
    return x.mean(axis=axis, keepdims=True)


def _variance(x, axis=-1):
    return x.var(axis=axis, keepdims=True)


@LAYER_NORM.mistake("over the batch axis",
                    "axis=0 takes each feature over all tokens: that is batch norm. Which axis runs along one token's features?")
def batch_norm(x, gamma, beta, eps):
    return gamma * (x - _mean(x, 0)) / np.sqrt(_variance(x, 0) + eps) + beta


@LAYER_NORM.mistake("over the tokens",
                    "Each feature is normed down its column, over the tokens: that is batch norm. Which axis runs along one token's features?")
def down_the_columns(x, gamma, beta, eps):
    return gamma * (x - _mean(x, -2)) / np.sqrt(_variance(x, -2) + eps) + beta


@LAYER_NORM.mistake("over everything", "Without an axis, mean and variance are those of the whole array. Each token has its own.")
def one_for_all(x, gamma, beta, eps):
    return gamma * (x - x.mean()) / np.sqrt(x.var() + eps) + beta


@LAYER_NORM.mistake("deviation of everything", "The means are each token's own, but the deviation is that of the whole array.")
def one_deviation(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) / np.sqrt(x.var() + eps) + beta


@LAYER_NORM.mistake("mean of everything", "The deviations are each token's own, but the mean is that of the whole array.")
def one_mean(x, gamma, beta, eps):
    return gamma * (x - x.mean()) / np.sqrt(_variance(x) + eps) + beta


@LAYER_NORM.mistake("axis 1 rather than the last",
                    "In a table the features are axis 1, in a batch of tables they are not. Which count of axes fits both?")
def middle_axis(x, gamma, beta, eps):
    return gamma * (x - _mean(x, 1)) / np.sqrt(_variance(x, 1) + eps) + beta


@LAYER_NORM.mistake("keepdims forgotten",
                    "The means have shape (T,), so NumPy lays them along the features. They should stand as a column, one for each row.")
def laid_along_the_wrong_side(x, gamma, beta, eps):
    return gamma * (x - x.mean(axis=-1)) / np.sqrt(x.var(axis=-1) + eps) + beta


@LAYER_NORM.mistake("keepdims forgotten for the mean", "The variances stand as a column, the means do not: they are laid along the features.")
def mean_along_the_wrong_side(x, gamma, beta, eps):
    return gamma * (x - x.mean(axis=-1)) / np.sqrt(_variance(x) + eps) + beta


@LAYER_NORM.mistake("keepdims forgotten for the variance", "The means stand as a column, the variances do not: they are laid along the features.")
def variance_along_the_wrong_side(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) / np.sqrt(x.var(axis=-1) + eps) + beta


@LAYER_NORM.mistake("ddof=1", "This divides by D - 1, as one does to estimate from a sample. Here the D features are all there is: divide by D.")
def sample_deviation(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) / np.sqrt(x.var(axis=-1, ddof=1, keepdims=True) + eps) + beta


@LAYER_NORM.mistake("ε outside the root", "ε is added to the standard deviation. It belongs to the variance, before the root is taken.")
def eps_outside(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) / (np.sqrt(_variance(x)) + eps) + beta


@LAYER_NORM.mistake("ε forgotten", "ε is an argument but does not enter. A row of equal numbers becomes 0/0.", unused_arguments="eps")
def no_eps(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) / np.sqrt(_variance(x)) + beta


@LAYER_NORM.mistake("ε added to the result", "ε shifts the result here. It should guard the division: look at your brackets.")
def eps_at_the_end(x, gamma, beta, eps):
    return gamma * ((x - _mean(x)) / np.sqrt(_variance(x)) + eps) + beta


@LAYER_NORM.mistake("ε of its own", "ε is fixed inside the function. Use the one that comes as an argument.")
def fixed_eps(x, gamma, beta, eps):
    return layers.layer_norm(x, gamma, beta, 1e-5)


@LAYER_NORM.mistake("γ and β swapped", "γ stretches, β shifts. Which of them multiplies?")
def swapped(x, gamma, beta, eps):
    return layers.layer_norm(x, beta, gamma, eps)


@LAYER_NORM.mistake("γ and β forgotten", "The tokens are standardised. The stretch and the shift by feature are still missing.",
                    unused_arguments="gamma beta")
def plain(x, gamma, beta, eps):
    return layers.layer_norm(x, eps=eps)


@LAYER_NORM.mistake("γ forgotten", "The shift is there, the stretch by feature is not.", unused_arguments="gamma")
def no_gamma(x, gamma, beta, eps):
    return layers.layer_norm(x, None, beta, eps)


@LAYER_NORM.mistake("β forgotten", "The stretch is there, the shift by feature is not.", unused_arguments="beta")
def no_beta(x, gamma, beta, eps):
    return layers.layer_norm(x, gamma, None, eps)


@LAYER_NORM.mistake("β stretched, too", "γ multiplies β here. Stretch first, and add β after that.")
def stretched_shift(x, gamma, beta, eps):
    return gamma * (layers.layer_norm(x, eps=eps) + beta)


@LAYER_NORM.mistake("β subtracted", "The shift goes the wrong way: β is added in the formula.")
def shifted_back(x, gamma, beta, eps):
    return layers.layer_norm(x, gamma, -beta, eps)


@LAYER_NORM.mistake("γ and β by token", "γ and β hold a number for each feature, the columns. Here they were laid along the tokens.")
def by_token(x, gamma, beta, eps):
    return gamma[:, None] * layers.layer_norm(x, eps=eps) + beta[:, None]


@LAYER_NORM.mistake("divided by the variance",
                    "The variance is in squared units. A number that is twice as large has four times the variance: which step is missing?")
def no_root(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) / (_variance(x) + eps) + beta


@LAYER_NORM.mistake("root taken twice", "A standard deviation is the root of the variance already. Yours is rooted once more.")
def rooted_twice(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) / np.sqrt(np.sqrt(_variance(x)) + eps) + beta


@LAYER_NORM.mistake("divided by the length", "The root of the sum of squares grows with the number of features. The variance is a mean of squares.")
def by_the_length(x, gamma, beta, eps):
    centred = x - _mean(x)
    return gamma * centred / np.sqrt((centred**2).sum(axis=-1, keepdims=True) + eps) + beta


@LAYER_NORM.mistake("multiplied by the deviation",
                    "A token with a large spread should become smaller, and grows here. Is it a product that you want?")
def grown(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) * np.sqrt(_variance(x) + eps) + beta


@LAYER_NORM.mistake("not centred", "The deviation is right, but the mean is not subtracted from the token.")
def not_centred(x, gamma, beta, eps):
    return gamma * x / np.sqrt(_variance(x) + eps) + beta


@LAYER_NORM.mistake("not divided", "The tokens are centred, but each keeps its own spread.")
def only_centred(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) + beta


@LAYER_NORM.mistake("mean added", "The mean should leave the token, and comes to it a second time. Mind the sign.")
def mean_added(x, gamma, beta, eps):
    return gamma * (x + _mean(x)) / np.sqrt(_variance(x) + eps) + beta


@LAYER_NORM.mistake("only the mean divided",
                    "Products and quotients come before sums: here the division reaches the mean, not the token. Brackets say otherwise.")
def brackets_forgotten(x, gamma, beta, eps):
    return gamma * (x - _mean(x) / np.sqrt(_variance(x) + eps)) + beta


@LAYER_NORM.mistake("γ without brackets", "Products come before sums: γ and the division each reach one half of x - μ only.")
def torn_apart(x, gamma, beta, eps):
    return gamma * x - _mean(x) / np.sqrt(_variance(x) + eps) + beta


@LAYER_NORM.mistake("RMS norm", "This divides by the root of the mean square and does not centre. Layer norm subtracts the mean first.")
def root_mean_square(x, gamma, beta, eps):
    return layers.rms_norm(x, gamma, eps) + beta


@LAYER_NORM.mistake("keepdims forgotten, axis 1",
                    "The means have lost their axis, so NumPy lays them along the features. They should stand as a column. "
                    "And in a batch of tables the features are not axis 1.")
def axis_1_along_the_wrong_side(x, gamma, beta, eps):
    return gamma * (x - x.mean(axis=1)) / np.sqrt(x.var(axis=1) + eps) + beta


@LAYER_NORM.mistake("keepdims and ε forgotten", "The means have shape (T,), so NumPy lays them along the features. They should stand as a column. "
                    "And ε does not enter yet.")
def no_keepdims_no_eps(x, gamma, beta, eps):
    return gamma * (x - x.mean(axis=-1)) / x.std(axis=-1) + beta


@LAYER_NORM.mistake("over the batch axis, ε forgotten", "axis=0 takes each feature over all tokens: that is batch norm. And ε does not enter yet.")
def batch_norm_no_eps(x, gamma, beta, eps):
    return gamma * (x - _mean(x, 0)) / np.sqrt(_variance(x, 0)) + beta


@LAYER_NORM.mistake("over the batch axis, γ and β forgotten",
                    "axis=0 takes each feature over all tokens: that is batch norm. And γ and β do not enter yet.")
def plain_batch_norm(x, gamma, beta, eps):
    return (x - _mean(x, 0)) / np.sqrt(_variance(x, 0) + eps)


@LAYER_NORM.mistake("over everything, ε forgotten",
                    "Without an axis, mean and variance are those of the whole array. Each token has its own. And ε does not enter yet.")
def one_for_all_no_eps(x, gamma, beta, eps):
    return gamma * (x - x.mean()) / x.std() + beta


@LAYER_NORM.mistake("each table as a whole",
                    "Right for one table. A loop over a batch takes table after table, and each table got one mean. Each token has its own.")
def table_by_table(x, gamma, beta, eps):
    axes = tuple(range(1, x.ndim))
    return gamma * (x - _mean(x, axes)) / np.sqrt(_variance(x, axes) + eps) + beta


@LAYER_NORM.mistake("γ, β and ε forgotten", "The tokens are standardised. Three of the four arguments do not enter yet.",
                    unused_arguments="gamma beta eps")
def bare(x, gamma, beta, eps):
    return (x - _mean(x)) / np.sqrt(_variance(x))


@LAYER_NORM.mistake("root of ε added", "A root of a sum is not the sum of the roots. ε joins the variance, and then one root is taken of both.")
def two_roots(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) / (np.sqrt(_variance(x)) + np.sqrt(eps)) + beta


@LAYER_NORM.mistake("divided by the root mean square",
                    "The tokens are centred, but what they are divided by is not: it is the size of the token as it came.")
def by_root_mean_square(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps) + beta


@LAYER_NORM.mistake("β divided, too", "β is added before the division, which reaches it as well. It is the last of all that is added.")
def beta_divided(x, gamma, beta, eps):
    return (gamma * (x - _mean(x)) + beta) / np.sqrt(_variance(x) + eps)


@LAYER_NORM.mistake("γ and β before the norm",
                    "The token was stretched and shifted first, and the norm takes that away again. First the norm, then γ and β.")
def stretched_first(x, gamma, beta, eps):
    return layers.layer_norm(gamma * x + beta, None, None, eps)


@LAYER_NORM.mistake("divided by the number of tokens", "The sums over the features are divided by how many tokens there are. "
                    "A mean divides by how many numbers were added.")
def by_the_number_of_tokens(x, gamma, beta, eps):
    mu = x.sum(axis=-1, keepdims=True) / len(x)
    return gamma * (x - mu) / np.sqrt(((x - mu) ** 2).sum(axis=-1, keepdims=True) / len(x) + eps) + beta


@LAYER_NORM.mistake("sum of squares by the number of tokens", "The mean is right. The sum of squares is divided by how many tokens there are, "
                    "and should be by how many features.")
def squares_by_the_number_of_tokens(x, gamma, beta, eps):
    centred = x - _mean(x)
    return gamma * centred / np.sqrt((centred**2).sum(axis=-1, keepdims=True) / len(x) + eps) + beta


@LAYER_NORM.mistake("mean of absolute deviations", "The spread meant here is the root of the mean of squares, not the mean of absolute values.")
def absolute_deviations(x, gamma, beta, eps):
    centred = x - _mean(x)
    return gamma * centred / (np.abs(centred).mean(axis=-1, keepdims=True) + eps) + beta


@LAYER_NORM.mistake("divided by the range",
                    "The token is divided by the distance from its smallest to its largest number. Which spread looks at all of them?")
def by_the_range(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) / (np.ptp(x, axis=-1, keepdims=True) + eps) + beta


@LAYER_NORM.mistake("no square in the variance", "Deviations from the mean cancel to 0. What makes all of them positive before they are averaged?")
def deviations_cancel(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) / np.sqrt(eps) + beta


@LAYER_NORM.mistake("ε above the line", "ε was added to the centred token. It belongs below the line, to the variance.")
def eps_above(x, gamma, beta, eps):
    return gamma * (x - _mean(x) + eps) / np.sqrt(_variance(x)) + beta


@LAYER_NORM.mistake("softmax of the token", "Shares are positive and sum to 1. A normed token has mean 0 and variance nearly 1.")
def shares(x, gamma, beta, eps):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return gamma * e / e.sum(axis=-1, keepdims=True) + beta


def rms_norm(x, gamma, eps):
    return layers.rms_norm(x, gamma, eps)


def _without_beta(x, gamma, beta, eps):
    return x, gamma, eps


RMS_NORM = Exercise("rms_norm", rms_norm, inputs=[
    _without_beta(*_tokens(3, 5, eps=0.3)),
    _without_beta(*_tokens(4, 4, eps=0.3)),
    _without_beta(*_tokens(3, 3, 3, eps=1e-5)),
    _without_beta(*_tokens(2, 4, 6, eps=0.1)),
], traps={"a token of zeros": (np.array([[0.0, 0.0, 0.0], [1.0, 2.0, 3.0]]), np.ones(3), 1e-5)},
    minutes=5, difficulty=1,
    nudge="Read the name from right to left: square, mean, root. What in it stays one number for each token?",
    skeleton="""def my_rms_norm(x, gamma, eps):
    mean_square = ...                     # (..., T, 1)  one for each token
    size = ...                            # (..., T, 1)  ε stands inside
    return ...                            # (..., T, D)
""")


def _square(x, axis=-1):
    return np.mean(x * x, axis=axis, keepdims=True)


@RMS_NORM.mistake("centred", "The mean is subtracted: this is layer norm. RMS norm leaves the token where it is and only changes its size.")
def centred(x, gamma, eps):
    return layers.layer_norm(x, gamma, None, eps)


@RMS_NORM.mistake("divided by the standard deviation",
                  "The standard deviation leaves the mean out. Here the squares are those of the numbers as they are.")
def by_deviation(x, gamma, eps):
    return gamma * x / np.sqrt(_variance(x) + eps)


@RMS_NORM.mistake("divided by the standard deviation, ε forgotten",
                  "The standard deviation leaves the mean out. Here the squares are those of the numbers as they are. And ε does not enter yet.")
def by_deviation_no_eps(x, gamma, eps):
    return gamma * x / np.sqrt(_variance(x))


@RMS_NORM.mistake("no square root", "The mean square is in squared units. Which step makes a size of it?")
def no_square_root(x, gamma, eps):
    return gamma * x / (_square(x) + eps)


@RMS_NORM.mistake("no square",
                  "Positive and negative numbers cancel in this mean, and a root of a negative one is NaN. What makes all of them positive first?")
def no_square(x, gamma, eps):
    return gamma * x / np.sqrt(_mean(x) + eps)


@RMS_NORM.mistake("sum instead of mean",
                  "The root of the sum of squares is the length, which grows with the number of features. Which average does not?")
def by_length(x, gamma, eps):
    return gamma * x / np.sqrt((x * x).sum(axis=-1, keepdims=True) + eps)


@RMS_NORM.mistake("mean before the square",
                  "Squaring the mean lets positive and negative numbers cancel. Read the name from right to left: what comes first?")
def squared_mean(x, gamma, eps):
    return gamma * x / np.sqrt(_mean(x) ** 2 + eps)


@RMS_NORM.mistake("mean of absolute values", "The size meant here is the root of the mean of squares, not the mean of absolute values.")
def mean_size(x, gamma, eps):
    return gamma * x / (_mean(np.abs(x)) + eps)


@RMS_NORM.mistake("γ forgotten", "The size is right. The stretch by feature is still missing.", unused_arguments="gamma")
def not_stretched(x, gamma, eps):
    return layers.rms_norm(x, None, eps)


@RMS_NORM.mistake("γ added", "γ stretches each feature. Here it shifts them.")
def gamma_added(x, gamma, eps):
    return layers.rms_norm(x, None, eps) + gamma


@RMS_NORM.mistake("divided by γ", "γ stretches each feature, and here it shrinks them: it stands below the line.")
def gamma_below(x, gamma, eps):
    return layers.rms_norm(x, 1 / gamma, eps)


@RMS_NORM.mistake("ε outside the root", "ε is added to the root. It belongs to the mean square, before the root is taken.")
def rms_eps_outside(x, gamma, eps):
    return gamma * x / (np.sqrt(_square(x)) + eps)


@RMS_NORM.mistake("ε forgotten", "ε is an argument but does not enter. A row of zeros becomes 0/0.", unused_arguments="eps")
def rms_no_eps(x, gamma, eps):
    return gamma * x / np.sqrt(_square(x))


@RMS_NORM.mistake("ε of its own", "ε is fixed inside the function. Use the one that comes as an argument.")
def rms_fixed_eps(x, gamma, eps):
    return layers.rms_norm(x, gamma, 1e-5)


@RMS_NORM.mistake("over the batch axis", "axis=0 takes each feature over all tokens. Which axis runs along one token's features?")
def over_batch(x, gamma, eps):
    return gamma * x / np.sqrt(_square(x, 0) + eps)


@RMS_NORM.mistake("over the tokens", "Each feature is measured down its column, over the tokens. Which axis runs along one token's features?")
def down_the_columns_rms(x, gamma, eps):
    return gamma * x / np.sqrt(_square(x, -2) + eps)


@RMS_NORM.mistake("over everything", "Without an axis there is one size for the whole array. Each token has its own.")
def over_everything(x, gamma, eps):
    return gamma * x / np.sqrt(np.mean(x * x) + eps)


@RMS_NORM.mistake("axis 1 rather than the last",
                  "In a table the features are axis 1, in a batch of tables they are not. Which count of axes fits both?")
def rms_middle_axis(x, gamma, eps):
    return gamma * x / np.sqrt(_square(x, 1) + eps)


@RMS_NORM.mistake("keepdims forgotten",
                  "The sizes have shape (T,), so NumPy lays them along the features. They should stand as a column, one for each row.")
def rms_without_keepdims(x, gamma, eps):
    return gamma * x / np.sqrt(np.mean(x * x, axis=-1) + eps)


@RMS_NORM.mistake("multiplied by the size", "A large token should become smaller, and grows here. Is it a product that you want?")
def multiplied(x, gamma, eps):
    return gamma * x * np.sqrt(_square(x) + eps)


@RMS_NORM.mistake("the sizes instead of the tokens", "These are the sizes. Asked are the tokens, each divided by its own.")
def sizes(x, gamma, eps):
    return np.sqrt(_square(x) + eps)


@RMS_NORM.mistake("γ and ε forgotten", "The size is right. The stretch by feature is missing, and so is ε.", unused_arguments="gamma eps")
def bare_sizes(x, gamma, eps):
    return x / np.sqrt(_square(x))


@RMS_NORM.mistake("sum instead of mean, ε forgotten", "The root of the sum of squares is the length, which grows with the number of features. "
                  "And ε does not enter yet.")
def by_bare_length(x, gamma, eps):
    return gamma * x / np.linalg.norm(x, axis=-1, keepdims=True)


@RMS_NORM.mistake("sum instead of mean, keepdims forgotten", "The root of the sum of squares is the length, which grows with the number of features. "
                  "And the lengths are laid along the features.")
def by_length_without_keepdims(x, gamma, eps):
    return gamma * x / np.sqrt((x * x).sum(axis=-1) + eps)


@RMS_NORM.mistake("keepdims and ε forgotten", "The sizes have shape (T,), so NumPy lays them along the features. And ε does not enter yet.")
def rms_no_keepdims_no_eps(x, gamma, eps):
    return gamma * x / np.sqrt(np.mean(x * x, axis=-1))


@RMS_NORM.mistake("over everything, ε forgotten",
                  "Without an axis there is one size for the whole array. Each token has its own. And ε does not enter yet.")
def over_everything_no_eps(x, gamma, eps):
    return gamma * x / np.sqrt(np.mean(x * x))


@RMS_NORM.mistake("ε added to the result", "ε is added at the very end. It belongs to the mean square, before the root is taken: mind the brackets.")
def rms_eps_at_the_end(x, gamma, eps):
    return gamma * x / np.sqrt(_square(x)) + eps


@RMS_NORM.mistake("γ by token", "γ has a number for each feature. Here it stands as a column, so each token was stretched by one of them.")
def gamma_by_token(x, gamma, eps):
    return gamma[:, None] * x / np.sqrt(_square(x) + eps)


@RMS_NORM.mistake("doubled instead of squared",
                  "`x * 2` doubles. A square is the number times itself: without it, positive and negative numbers cancel.")
def doubled(x, gamma, eps):
    return gamma * x / np.sqrt(_mean(2 * x) + eps)


@RMS_NORM.mistake("divided by the number of tokens",
                  "The sum of squares is divided by how many tokens there are. A mean divides by how many numbers were added.")
def rms_by_the_number_of_tokens(x, gamma, eps):
    return gamma * x / np.sqrt((x * x).sum(axis=-1, keepdims=True) / len(x) + eps)


@RMS_NORM.mistake("each table as a whole",
                  "Right for one table. A loop over a batch takes table after table, and each table got one size. Each token has its own.")
def rms_table_by_table(x, gamma, eps):
    return gamma * x / np.sqrt(_square(x, tuple(range(1, x.ndim))) + eps)


@RMS_NORM.mistake("γ before the norm", "The token was stretched first, and its size was taken after that. First the norm, then γ.")
def rms_stretched_first(x, gamma, eps):
    return layers.rms_norm(gamma * x, None, eps)


@RMS_NORM.mistake("sum before the square",
                  "The numbers were added before they were squared, so they cancel. Read the name from right to left: what comes first?")
def sum_squared(x, gamma, eps):
    return gamma * x / np.sqrt(x.sum(axis=-1, keepdims=True) ** 2 / x.shape[-1] + eps)


@RMS_NORM.mistake("divided by the largest", "The token is divided by its largest number. The size meant here looks at all of them.")
def by_the_largest(x, gamma, eps):
    return gamma * x / (np.abs(x).max(axis=-1, keepdims=True) + eps)


@RMS_NORM.mistake("squares above the line", "Above the line stands the square of the token. It is the token itself that is made smaller.")
def squares_above(x, gamma, eps):
    return gamma * x**2 / np.sqrt(_square(x) + eps)


@RMS_NORM.mistake("divided by the number of features twice",
                  "The mean square was divided by the number of features once more. A mean does that already.")
def averaged_twice(x, gamma, eps):
    return gamma * x / np.sqrt(_square(x) / x.shape[-1] + eps)


@RMS_NORM.mistake("root before the mean",
                  "The root of a square is the number itself without its sign. Read the name from right to left: square, mean, root.")
def root_first(x, gamma, eps):
    return gamma * x / _mean(np.sqrt(x * x + eps))


CATCH = Catch("catch_layer_norm", LAYER_NORM, "law", enough=6, minutes=10, difficulty=2, planted=[
    "over the batch axis", "over everything", "deviation of everything", "RMS norm", "not centred", "divided by the variance", "γ and β swapped"],
    task="Write what every layer norm must do: a function that takes an implementation and says True or False.",
    nudge="Two things hold: what a token becomes does not depend on the other tokens, and before γ and β have their say its features have a known "
          "mean "
          "and variance. What should γ = 1 and β = 0 give?",
    skeleton="""def my_catch_layer_norm(layer_norm):           # any implementation: layer_norm(x, gamma, beta, eps)
    x = ...                                   # (T, D)  tokens of unlike means and spreads
    y = layer_norm(x, np.ones(...), np.zeros(...), 1e-9)
    standardised = ...                        # True or False: the mean and the variance of each row
    alone = ...                               # True or False: one token by itself gives the same row
    return standardised and alone
""")

NOTE = Reading(
    "note_06",
    "A lecture note says: \"Layer norm gives every feature mean 0 and variance 1, so after it no feature can be larger than the others.\" "
    "Which sentence mends it?",
    [("Layer norm gives every feature of the batch mean 0; only its variance is left as it was, so large features stay large.",
      "A feature is a column, and layer norm never looks down a column: neither its mean nor its variance is set."),
     ("Layer norm gives every token mean 0 and variance 1 over its features; a large feature stays the largest of its token.",
      "it works along the row. Each token is shifted and stretched as a whole, which keeps the order of its features: a feature a hundred "
      "times as large stays the largest, and makes the others of the token small."),
     ("Layer norm gives every token length 1, so a feature can be as large as another one only if both of them are below 1.",
      "Variance 1 over D features means squares that sum to D: a length of √D, not 1. And nothing keeps two features from being equal."),
     ("It is right as it stands for a trained model, because γ and β have learned by then to bring every feature to the same size.",
      "γ and β are free: training may as well make one feature large. What the formula itself sets are rows, not columns.")],
    right="B", minutes=4)


TOKEN = np.array([1.0, 2.0, 3.0, 6.0])
NORMED = [layers.batch_norm(TOKEN[None])[0], layers.rms_norm(TOKEN), layers.layer_norm(TOKEN)]
WHICH_NORM = Reading(
    "which_norm_06",
    "One token went in, (1, 2, 3, 6). Three norms gave the three rows below, with γ = 1, β = 0 and a tiny ε. Which rows are of layer norm and of "
    "RMS norm?",
    [("Layer norm: row 1. RMS norm: row 2.",
      "Row 2 is right for RMS norm. But row 1 is all zeros, which is batch norm for a batch of one: each feature minus itself."),
     ("Layer norm: row 2. RMS norm: row 3.",
      "Layer norm centres, so its row sums to 0: row 2 has no negative number. RMS norm keeps every sign."),
     ("Layer norm: row 3. RMS norm: row 2.",
      "row 3 sums to 0 and its squares have mean 1. Row 2 keeps the proportions 1 : 2 : 3 : 6, and its squares have mean 1 as well. "
      "Row 1 is batch norm, which compares a batch of one with itself."),
     ("Layer norm: row 3. RMS norm: row 1.",
      "Row 3 is right for layer norm. But RMS norm only changes the size, and a token that is not 0 never becomes 0.")],
    right="C", difficulty=2, picture=table([(f"row {i}", *(f"{number:.2f}" for number in row)) for i, row in enumerate(NORMED, start=1)]))


EXERCISES = [LAYER_NORM, RMS_NORM, CATCH, NOTE, WHICH_NORM]
