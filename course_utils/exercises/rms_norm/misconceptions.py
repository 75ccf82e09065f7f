"""Known misconceptions of `rms_norm`: (name, code, question), and options where there are some."""

import numpy as np

from course_utils import layers
from course_utils.exercises.layer_norm.misconceptions import _mean, _variance


def _square(x, axis=-1):
    return np.mean(x * x, axis=axis, keepdims=True)


def centred(x, gamma, eps):
    return layers.layer_norm(x, gamma, None, eps)


TABLE = [
    (
        "centred",
        centred,
        "The mean is subtracted: this is layer norm. RMS norm leaves the token where it is and "
        "only changes its size.",
    ),
    (
        "divided by the standard deviation",
        "gamma * x / np.sqrt(_variance(x) + eps)",
        "The standard deviation leaves the mean out. Here the squares are those of the numbers as "
        "they are.",
    ),
    (
        "divided by the standard deviation, ε forgotten",
        "gamma * x / np.sqrt(_variance(x))",
        "The standard deviation leaves the mean out. Here the squares are those of the numbers as "
        "they are. And ε does not enter yet.",
    ),
    (
        "no square root",
        "gamma * x / (_square(x) + eps)",
        "The mean square is in squared units. Which step makes a size of it?",
    ),
    (
        "no square",
        "gamma * x / np.sqrt(_mean(x) + eps)",
        "Positive and negative numbers cancel in this mean, and a root of a negative one is NaN. "
        "What makes all of them positive first?",
    ),
    (
        "sum instead of mean",
        "gamma * x / np.sqrt((x * x).sum(axis=-1, keepdims=True) + eps)",
        "The root of the sum of squares is the length, which grows with the number of features. "
        "Which average does not?",
    ),
    (
        "mean before the square",
        "gamma * x / np.sqrt(_mean(x) ** 2 + eps)",
        "Squaring the mean lets positive and negative numbers cancel. Read the name from right to "
        "left: what comes first?",
    ),
    (
        "mean of absolute values",
        "gamma * x / (_mean(np.abs(x)) + eps)",
        "The size meant here is the root of the mean of squares, not the mean of absolute values.",
    ),
    (
        "γ forgotten",
        "layers.rms_norm(x, None, eps)",
        "The size is right. The stretch by feature is still missing.",
        {"unused_arguments": "gamma"},
    ),
    (
        "divided by γ",
        "layers.rms_norm(x, 1 / gamma, eps)",
        "γ stretches each feature, and here it shrinks them: it stands below the line.",
    ),
    (
        "ε outside the root",
        "gamma * x / (np.sqrt(_square(x)) + eps)",
        "ε is added to the root. It belongs to the mean square, before the root is taken.",
    ),
    (
        "ε forgotten",
        "gamma * x / np.sqrt(_square(x))",
        "ε is an argument but does not enter. A row of zeros becomes 0/0.",
        {"unused_arguments": "eps"},
    ),
    (
        "over the first axis",
        "gamma * x / np.sqrt(_square(x, 0) + eps)",
        "axis=0 takes each feature over all tokens. Which axis runs along one token's features?",
    ),
    (
        "over the tokens",
        "gamma * x / np.sqrt(_square(x, -2) + eps)",
        "Each feature is measured down its column, over the tokens. Which axis runs along one "
        "token's features?",
    ),
    (
        "over everything",
        "gamma * x / np.sqrt(np.mean(x * x) + eps)",
        "Without an axis there is one size for the whole array. Each token has its own.",
    ),
    (
        "axis 1 rather than the last",
        "gamma * x / np.sqrt(_square(x, 1) + eps)",
        "In a table the features are axis 1, in a batch of tables they are not. Which count of "
        "axes fits both?",
    ),
    (
        "keepdims forgotten",
        "gamma * x / np.sqrt(np.mean(x * x, axis=-1) + eps)",
        "The sizes have shape (T,), so NumPy lays them along the features. They should stand as a "
        "column, one for each row.",
    ),
    (
        "multiplied by the size",
        "gamma * x * np.sqrt(_square(x) + eps)",
        "A large token should become smaller, and grows here. Is it a product that you want?",
    ),
    (
        "the sizes instead of the tokens",
        "np.sqrt(_square(x) + eps)",
        "These are the sizes. Asked are the tokens, each divided by its own.",
    ),
    (
        "γ and ε forgotten",
        "x / np.sqrt(_square(x))",
        "The size is right. The stretch by feature is missing, and so is ε.",
        {"unused_arguments": "gamma eps"},
    ),
    (
        "sum instead of mean, ε forgotten",
        "gamma * x / np.linalg.norm(x, axis=-1, keepdims=True)",
        "The root of the sum of squares is the length, which grows with the number of features. "
        "And ε does not enter yet.",
    ),
    (
        "over everything, ε forgotten",
        "gamma * x / np.sqrt(np.mean(x * x))",
        "Without an axis there is one size for the whole array. Each token has its own. And ε does "
        "not enter yet.",
    ),
    (
        "ε added to the result",
        "gamma * x / np.sqrt(_square(x)) + eps",
        "ε is added at the very end. It belongs to the mean square, before the root is taken: mind "
        "the brackets.",
    ),
    (
        "γ by token",
        "gamma[:, None] * x / np.sqrt(_square(x) + eps)",
        "γ has a number for each feature. Here it stands as a column, so each token was stretched "
        "by one of them.",
    ),
    (
        "doubled instead of squared",
        "gamma * x / np.sqrt(_mean(2 * x) + eps)",
        "`x * 2` doubles. A square is the number times itself: without it, positive and negative "
        "numbers cancel.",
    ),
    (
        "divided by the number of tokens",
        "gamma * x / np.sqrt((x * x).sum(axis=-1, keepdims=True) / len(x) + eps)",
        "The sum of squares is divided by how many tokens there are. A mean divides by how many "
        "numbers were added.",
    ),
    (
        "each table as a whole",
        "gamma * x / np.sqrt(_square(x, tuple(range(1, x.ndim))) + eps)",
        "Right for one table. A loop over a batch takes table after table, and each table got one "
        "size. Each token has its own.",
    ),
    (
        "γ before the norm",
        "layers.rms_norm(gamma * x, None, eps)",
        "The token was stretched first, and its size was taken after that. First the norm, then γ.",
    ),
    (
        "sum before the square",
        "gamma * x / np.sqrt(x.sum(axis=-1, keepdims=True) ** 2 / x.shape[-1] + eps)",
        "The numbers were added before they were squared, so they cancel. Read the name from right "
        "to left: what comes first?",
    ),
    (
        "divided by the largest",
        "gamma * x / (np.abs(x).max(axis=-1, keepdims=True) + eps)",
        "The token is divided by its largest number. The size meant here looks at all of them.",
    ),
    (
        "squares above the line",
        "gamma * x**2 / np.sqrt(_square(x) + eps)",
        "Above the line stands the square of the token. It is the token itself that is made "
        "smaller.",
    ),
    (
        "root before the mean",
        "gamma * x / _mean(np.sqrt(x * x + eps))",
        "The root of a square is the number itself without its sign. Read the name from right to "
        "left: square, mean, root.",
    ),
]
