"""The exercises of notebook 06: layer norm and RMS norm. The first inputs have a large ε, so that it shows where it stands."""

import numpy as np

from course_utils import layers
from course_utils.exercises.checking import Exercise

RNG = np.random.default_rng(6)


def _tokens(*shape, eps):
    """Rows of unlike means and spreads, with a γ and a β."""
    x = RNG.normal(size=shape) * RNG.uniform(0.5, 3, size=(*shape[:-1], 1)) + RNG.normal(size=(*shape[:-1], 1))
    return x, RNG.uniform(0.5, 2, size=shape[-1]), RNG.normal(size=shape[-1]), eps


def layer_norm(x, gamma, beta, eps):
    return layers.layer_norm(x, gamma, beta, eps)


ROW_OF_EQUALS = np.array([[3.0, 3.0, 3.0, 3.0], [1.0, 2.0, 0.0, -1.0]])

LAYER_NORM = Exercise("layer_norm", layer_norm, inputs=[
    _tokens(4, 4, eps=0.3),                                      # square: a mix-up of axes does not fail, it goes wrong
    _tokens(3, 3, 3, eps=1e-5),                                  # a batch
    _tokens(2, 5, eps=1e-3),
    (ROW_OF_EQUALS, np.ones(4), np.zeros(4), 1e-5),
])


def _mean(x, axis=-1):
    return x.mean(axis=axis, keepdims=True)


def _variance(x, axis=-1):
    return x.var(axis=axis, keepdims=True)


@LAYER_NORM.mistake("over the batch axis",
                    "axis=0 takes each feature over all tokens: that is batch norm. Which axis runs along one token's features?")
def batch_norm(x, gamma, beta, eps):
    return gamma * (x - _mean(x, 0)) / np.sqrt(_variance(x, 0) + eps) + beta


@LAYER_NORM.mistake("over everything", "Without an axis, mean and variance are those of the whole array. Each token has its own.")
def one_for_all(x, gamma, beta, eps):
    return gamma * (x - x.mean()) / np.sqrt(x.var() + eps) + beta


@LAYER_NORM.mistake("deviation of everything", "The means are each token's own, but the deviation is that of the whole array.")
def one_deviation(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) / np.sqrt(x.var() + eps) + beta


@LAYER_NORM.mistake("axis 1 rather than the last", "For a table the last axis is 1, for a batch of tables it is 2. axis=-1 is the last one always.")
def middle_axis(x, gamma, beta, eps):
    return gamma * (x - _mean(x, 1)) / np.sqrt(_variance(x, 1) + eps) + beta


@LAYER_NORM.mistake("keepdims forgotten", "The means have shape (T,), so NumPy lays them along the features. "
                    "keepdims=True makes them a column, one for each row.")
def laid_along_the_wrong_side(x, gamma, beta, eps):
    return gamma * (x - x.mean(axis=-1)) / np.sqrt(x.var(axis=-1) + eps) + beta


@LAYER_NORM.mistake("ddof=1", "This divides by D - 1, as one does to estimate from a sample. Here the D features are all there is: divide by D.")
def sample_deviation(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) / np.sqrt(x.var(axis=-1, ddof=1, keepdims=True) + eps) + beta


@LAYER_NORM.mistake("ε outside the root", "ε is added to the standard deviation. It belongs to the variance, under the root.")
def eps_outside(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) / (np.sqrt(_variance(x)) + eps) + beta


@LAYER_NORM.mistake("ε forgotten", "ε is an argument but does not enter. A row of equal numbers becomes 0/0.")
def no_eps(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) / np.sqrt(_variance(x)) + beta


@LAYER_NORM.mistake("ε of its own", "ε is fixed inside the function. Use the one that comes as an argument.")
def fixed_eps(x, gamma, beta, eps):
    return layers.layer_norm(x, gamma, beta, 1e-5)


@LAYER_NORM.mistake("γ and β swapped", "γ stretches, β shifts. Which of them multiplies?")
def swapped(x, gamma, beta, eps):
    return layers.layer_norm(x, beta, gamma, eps)


@LAYER_NORM.mistake("γ and β forgotten", "The tokens are standardised. The stretch and the shift by feature are still missing.")
def plain(x, gamma, beta, eps):
    return layers.layer_norm(x, eps=eps)


@LAYER_NORM.mistake("γ forgotten", "The shift is there, the stretch by feature is not.")
def no_gamma(x, gamma, beta, eps):
    return layers.layer_norm(x, None, beta, eps)


@LAYER_NORM.mistake("β forgotten", "The stretch is there, the shift by feature is not.")
def no_beta(x, gamma, beta, eps):
    return layers.layer_norm(x, gamma, None, eps)


@LAYER_NORM.mistake("β stretched, too", "γ multiplies β here. Stretch first, and add β after that.")
def stretched_shift(x, gamma, beta, eps):
    return gamma * (layers.layer_norm(x, eps=eps) + beta)


@LAYER_NORM.mistake("divided by the variance",
                    "The variance is in squared units. A number that is twice as large has four times the variance: take the root.")
def no_root(x, gamma, beta, eps):
    return gamma * (x - _mean(x)) / (_variance(x) + eps) + beta


@LAYER_NORM.mistake("not centred", "The deviation is right, but the mean is not subtracted from the token.")
def not_centred(x, gamma, beta, eps):
    return gamma * x / np.sqrt(_variance(x) + eps) + beta


@LAYER_NORM.mistake("RMS norm", "This divides by the root of the mean square and does not centre. Layer norm subtracts the mean first.")
def root_mean_square(x, gamma, beta, eps):
    return layers.rms_norm(x, gamma, eps) + beta


def rms_norm(x, gamma, eps):
    return layers.rms_norm(x, gamma, eps)


def _without_beta(x, gamma, beta, eps):
    return x, gamma, eps


RMS_NORM = Exercise("rms_norm", rms_norm, inputs=[
    _without_beta(*_tokens(4, 4, eps=0.3)),
    _without_beta(*_tokens(3, 3, 3, eps=1e-5)),
    _without_beta(*_tokens(2, 5, eps=1e-3)),
    (np.array([[0.0, 0.0, 0.0], [1.0, 2.0, 3.0]]), np.ones(3), 1e-5),
])


def _square(x, axis=-1):
    return np.mean(x * x, axis=axis, keepdims=True)


@RMS_NORM.mistake("centred", "The mean is subtracted: this is layer norm. RMS norm leaves the token where it is and only changes its size.")
def centred(x, gamma, eps):
    return layers.layer_norm(x, gamma, None, eps)


@RMS_NORM.mistake("divided by the standard deviation",
                  "The standard deviation leaves the mean out. Here the squares are those of the numbers as they are.")
def by_deviation(x, gamma, eps):
    return gamma * x / np.sqrt(_variance(x) + eps)


@RMS_NORM.mistake("no square root", "The mean square is in squared units. Which step makes a size of it?")
def no_square_root(x, gamma, eps):
    return gamma * x / (_square(x) + eps)


@RMS_NORM.mistake("sum instead of mean", "The root of the sum of squares is the length, which grows with the number of features. Take their mean.")
def by_length(x, gamma, eps):
    return gamma * x / np.sqrt((x * x).sum(axis=-1, keepdims=True) + eps)


@RMS_NORM.mistake("mean before the square", "Squaring the mean lets positive and negative numbers cancel. Square first, then take the mean.")
def squared_mean(x, gamma, eps):
    return gamma * x / np.sqrt(_mean(x) ** 2 + eps)


@RMS_NORM.mistake("mean of absolute values", "The size meant here is the root of the mean of squares, not the mean of absolute values.")
def mean_size(x, gamma, eps):
    return gamma * x / (_mean(np.abs(x)) + eps)


@RMS_NORM.mistake("γ forgotten", "The size is right. The stretch by feature is still missing.")
def not_stretched(x, gamma, eps):
    return layers.rms_norm(x, None, eps)


@RMS_NORM.mistake("ε outside the root", "ε is added to the root. It belongs to the mean square, under the root.")
def rms_eps_outside(x, gamma, eps):
    return gamma * x / (np.sqrt(_square(x)) + eps)


@RMS_NORM.mistake("ε forgotten", "ε is an argument but does not enter. A row of zeros becomes 0/0.")
def rms_no_eps(x, gamma, eps):
    return gamma * x / np.sqrt(_square(x))


@RMS_NORM.mistake("ε of its own", "ε is fixed inside the function. Use the one that comes as an argument.")
def rms_fixed_eps(x, gamma, eps):
    return layers.rms_norm(x, gamma, 1e-5)


@RMS_NORM.mistake("over the batch axis", "axis=0 takes each feature over all tokens. Which axis runs along one token's features?")
def over_batch(x, gamma, eps):
    return gamma * x / np.sqrt(_square(x, 0) + eps)


@RMS_NORM.mistake("over everything", "Without an axis there is one size for the whole array. Each token has its own.")
def over_everything(x, gamma, eps):
    return gamma * x / np.sqrt(np.mean(x * x) + eps)


@RMS_NORM.mistake("axis 1 rather than the last", "For a table the last axis is 1, for a batch of tables it is 2. axis=-1 is the last one always.")
def rms_middle_axis(x, gamma, eps):
    return gamma * x / np.sqrt(_square(x, 1) + eps)


@RMS_NORM.mistake("keepdims forgotten", "The sizes have shape (T,), so NumPy lays them along the features. "
                  "keepdims=True makes them a column, one for each row.")
def rms_without_keepdims(x, gamma, eps):
    return gamma * x / np.sqrt(np.mean(x * x, axis=-1) + eps)


EXERCISES = [LAYER_NORM, RMS_NORM]
