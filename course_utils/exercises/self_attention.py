"""The exercises of notebook 01: softmax, and self-attention without parameters."""

import numpy as np

from course_utils import attention as course
from course_utils.data import SENTENCES, embed
from course_utils.exercises.checking import Exercise

RNG = np.random.default_rng(1)


def softmax(scores):
    return course.softmax(scores, axis=-1)


SOFTMAX = Exercise("softmax", softmax, inputs=[
    (RNG.normal(size=(3, 3)),),                                         # square: a mix-up does not fail, it goes wrong
    (RNG.normal(size=(2, 4)),),
    (np.array([[1000.0, 999.0, 998.0], [0.0, 1.0, 2.0]]),),             # exp(1000) is more than a float can hold
    (RNG.normal(size=(2, 3, 4)),),                                      # a batch
])


@SOFTMAX.mistake("wrong axis", "The weights of one query stand in one row. Make each row sum to 1, not each column.")
def columns_sum_to_one(scores):
    return course.softmax(scores, axis=-2)


@SOFTMAX.mistake("one sum for the whole table", "Every row is a competition of its own. Sum over the last axis only.")
def table_sums_to_one(scores):
    e = np.exp(scores - scores.max())
    return e / e.sum()


@SOFTMAX.mistake("keepdims forgotten", "The sums have shape (T,), so NumPy lays them along the columns. "
                 "keepdims=True makes them a column that divides its own row.")
def sums_along_the_wrong_side(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1)


@SOFTMAX.mistake("keepdims forgotten, no max-subtraction", "The sums have shape (T,), so NumPy lays them along the columns. "
                 "keepdims=True makes them a column that divides its own row.")
def naive_sums_along_the_wrong_side(scores):
    return np.exp(scores) / np.exp(scores).sum(axis=-1)


@SOFTMAX.mistake("axis 1 rather than the last",
                 "For a single table the last axis is 1, for a batch of tables it is 2. axis=-1 is the last one always.")
def middle_axis(scores):
    return course.softmax(scores, axis=1)


@SOFTMAX.mistake("no max-subtraction", "exp(1000) overflows to inf, and inf/inf is NaN. "
                 "Subtract each row's maximum first: the weights stay the same.")
def overflowing(scores):
    e = np.exp(scores)
    return e / e.sum(axis=-1, keepdims=True)


@SOFTMAX.mistake("maximum of the whole table subtracted", "A row far below the table's maximum turns into 0/0. Each row has its own maximum.")
def one_maximum(scores):
    e = np.exp(scores - scores.max())
    return e / e.sum(axis=-1, keepdims=True)


@SOFTMAX.mistake("dividing by the max", "Now the largest entry of a row is 1. Divide by the row's sum, and the whole row sums to 1.")
def largest_is_one(scores):
    return np.exp(scores - scores.max(axis=-1, keepdims=True))


@SOFTMAX.mistake("exp missing", "Dividing the scores themselves by their sum fails for negative scores. Take exp first: it is always positive.")
def plain_shares(scores):
    return scores / scores.sum(axis=-1, keepdims=True)


@SOFTMAX.mistake("exp missing after the maximum", "Subtracting the maximum leaves numbers up to 0. Take exp of them before dividing by the sum.")
def shares_of_the_shifted(scores):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return shifted / shifted.sum(axis=-1, keepdims=True)


@SOFTMAX.mistake("not divided by the sum", "exp(scores) is positive but does not sum to 1. One division is missing.")
def only_exp(scores):
    return np.exp(scores)


@SOFTMAX.mistake("log added", "These are the logarithms of the weights. Leave the logarithm out, or take exp at the end.")
def log_softmax(scores):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


@SOFTMAX.mistake("log missing", "softmax is exp(x - log(sum(exp(x)))). The sum stands there without its logarithm.")
def sum_without_log(scores):
    return np.exp(scores - np.exp(scores).sum(axis=-1, keepdims=True))


def self_attention(X):
    return course.softmax(X @ X.T) @ X


SELF_ATTENTION = Exercise("self_attention", self_attention, inputs=[
    (RNG.normal(size=(4, 4)),),            # as many tokens as features: mixing them up does not fail, it goes wrong
    (embed(SENTENCES["animal"]),),
    (embed(SENTENCES["sport"]) * 30,),     # scores of several thousand
])


@SELF_ATTENTION.mistake("softmax missing", "The scores are used as they are. They must become weights that sum to 1 in each row.")
def weighted_by_scores(X):
    return X @ X.T @ X


@SELF_ATTENTION.mistake("softmax over queries", "Each token shares out its own attention, so the rows of the weights sum to 1. "
                 "Here the columns do (or the weights are transposed, which is the same).")
def columns_compete(X):
    return course.softmax(X @ X.T, axis=0) @ X


@SELF_ATTENTION.mistake("features compared instead of tokens", "X.T @ X compares the columns of X, its features. Tokens are rows: X @ X.T.")
def features_attend(X):
    return X @ course.softmax(X.T @ X)


@SELF_ATTENTION.mistake("X.T @ X for X @ X.T", "X.T @ X compares the columns of X, its features. Tokens are rows: X @ X.T.")
def transposed_side(X):
    return course.softmax(X.T @ X) @ X if X.shape[0] == X.shape[1] else X


@SELF_ATTENTION.mistake("weights returned", "These are the weights. One step is left: use them to average the rows of X.")
def only_weights(X):
    return course.softmax(X @ X.T)


@SELF_ATTENTION.mistake("scaled too early", "There is a division by the square root of D. "
                 "That comes in notebook 03; here the scores stay as they are.")
def already_scaled(X):
    return course.softmax(X @ X.T / np.sqrt(X.shape[1])) @ X


@SELF_ATTENTION.mistake("no max-subtraction", "exp of a large score overflows and gives NaN. Use a softmax that subtracts each row's maximum.")
def overflowing_attention(X):
    e = np.exp(X @ X.T)
    return e / e.sum(axis=-1, keepdims=True) @ X


EXERCISES = [SOFTMAX, SELF_ATTENTION]
