"""Known misconceptions of `layer_norm`: (name, code, question), and options where there are
some."""

import numpy as np

from course_utils import layers


def _mean(x, axis=-1):
    return x.mean(axis=axis, keepdims=True)


def _variance(x, axis=-1):
    return x.var(axis=axis, keepdims=True)


def centred(x, gamma, eps):
    return layers.layer_norm(x, gamma, None, eps)


TABLE = [
    (
        "over the first axis",
        "gamma * (x - _mean(x, 0)) / np.sqrt(_variance(x, 0) + eps) + beta",
        (
            "axis=0 takes each feature over all tokens: that is batch norm. Which axis runs along"
            " one token's features?"
        ),
    ),
    (
        "over the tokens",
        "gamma * (x - _mean(x, -2)) / np.sqrt(_variance(x, -2) + eps) + beta",
        (
            "Each feature is normed down its column, over the tokens: that is batch norm. Which"
            " axis runs along one token's features?"
        ),
    ),
    (
        "over everything",
        "gamma * (x - x.mean()) / np.sqrt(x.var() + eps) + beta",
        "Without an axis, mean and variance are those of the whole array. Each token has its own.",
    ),
    (
        "deviation of everything",
        "gamma * (x - _mean(x)) / np.sqrt(x.var() + eps) + beta",
        "The means are each token's own, but the deviation is that of the whole array.",
    ),
    (
        "axis 1 rather than the last",
        "gamma * (x - _mean(x, 1)) / np.sqrt(_variance(x, 1) + eps) + beta",
        (
            "In a table the features are axis 1, in a batch of tables they are not. Which count of "
            "axes fits both?"
        ),
    ),
    (
        "keepdims forgotten",
        "gamma * (x - x.mean(axis=-1)) / np.sqrt(x.var(axis=-1) + eps) + beta",
        (
            "The means have shape (T,), so NumPy lays them along the features. They should stand as"
            " a column, one for each row."
        ),
    ),
    (
        "keepdims forgotten for the variance",
        "gamma * (x - _mean(x)) / np.sqrt(x.var(axis=-1) + eps) + beta",
        "The means stand as a column, the variances do not: they are laid along the features.",
    ),
    (
        "ddof=1",
        "gamma * (x - _mean(x)) / np.sqrt(x.var(axis=-1, ddof=1, keepdims=True) + eps) + beta",
        (
            "This divides by D - 1, as one does to estimate from a sample. Here the D features are"
            " all there is: divide by D."
        ),
    ),
    (
        "ε outside the root",
        "gamma * (x - _mean(x)) / (np.sqrt(_variance(x)) + eps) + beta",
        (
            "ε is added to the standard deviation. It belongs to the variance, before the root is "
            "taken."
        ),
    ),
    (
        "ε forgotten",
        "gamma * (x - _mean(x)) / np.sqrt(_variance(x)) + beta",
        "ε is an argument but does not enter. A row of equal numbers becomes 0/0.",
        {"unused_arguments": "eps"},
    ),
    (
        "ε added to the result",
        "gamma * ((x - _mean(x)) / np.sqrt(_variance(x)) + eps) + beta",
        "ε shifts the result here. It should guard the division: look at your brackets.",
    ),
    (
        "ε of its own",
        "layers.layer_norm(x, gamma, beta, 1e-5)",
        "ε is fixed inside the function. Use the one that comes as an argument.",
    ),
    (
        "γ and β swapped",
        "layers.layer_norm(x, beta, gamma, eps)",
        "γ stretches, β shifts. Which of them multiplies?",
    ),
    (
        "γ and β forgotten",
        "layers.layer_norm(x, eps=eps)",
        "The tokens are standardised. The stretch and the shift by feature are still missing.",
        {"unused_arguments": "gamma beta"},
    ),
    (
        "γ forgotten",
        "layers.layer_norm(x, None, beta, eps)",
        "The shift is there, the stretch by feature is not.",
        {"unused_arguments": "gamma"},
    ),
    (
        "β forgotten",
        "layers.layer_norm(x, gamma, None, eps)",
        "The stretch is there, the shift by feature is not.",
        {"unused_arguments": "beta"},
    ),
    (
        "β stretched, too",
        "gamma * (layers.layer_norm(x, eps=eps) + beta)",
        "γ multiplies β here. Stretch first, and add β after that.",
    ),
    (
        "γ and β by token",
        "gamma[:, None] * layers.layer_norm(x, eps=eps) + beta[:, None]",
        (
            "γ and β hold a number for each feature, the columns. Here they were laid along the"
            " tokens."
        ),
    ),
    (
        "divided by the variance",
        "gamma * (x - _mean(x)) / (_variance(x) + eps) + beta",
        (
            "The variance is in squared units. A number that is twice as large has four times the "
            "variance: which step is missing?"
        ),
    ),
    (
        "divided by the length",
        """
centred = x - _mean(x)
return gamma * centred / np.sqrt((centred**2).sum(axis=-1, keepdims=True) + eps) + beta
""",
        (
            "The root of the sum of squares grows with the number of features. The variance is a"
            " mean of squares."
        ),
    ),
    (
        "multiplied by the deviation",
        "gamma * (x - _mean(x)) * np.sqrt(_variance(x) + eps) + beta",
        (
            "A token with a large spread should become smaller, and grows here. Is it a product"
            " that you want?"
        ),
    ),
    (
        "not centred",
        "gamma * x / np.sqrt(_variance(x) + eps) + beta",
        "The deviation is right, but the mean is not subtracted from the token.",
    ),
    (
        "not divided",
        "gamma * (x - _mean(x)) + beta",
        "The tokens are centred, but each keeps its own spread.",
    ),
    (
        "only the mean divided",
        "gamma * (x - _mean(x) / np.sqrt(_variance(x) + eps)) + beta",
        (
            "Products and quotients come before sums: here the division reaches the mean, not the "
            "token. Brackets say otherwise."
        ),
    ),
    (
        "γ without brackets",
        "gamma * x - _mean(x) / np.sqrt(_variance(x) + eps) + beta",
        "Products come before sums: γ and the division each reach one half of x - μ only.",
    ),
    (
        "RMS norm",
        "layers.rms_norm(x, gamma, eps) + beta",
        (
            "This divides by the root of the mean square and does not centre. Layer norm subtracts"
            " the mean first."
        ),
    ),
    (
        "over the first axis, ε forgotten",
        "gamma * (x - _mean(x, 0)) / np.sqrt(_variance(x, 0)) + beta",
        "axis=0 takes each feature over all tokens: that is batch norm. And ε does not enter yet.",
    ),
    (
        "over the first axis, γ and β forgotten",
        "(x - _mean(x, 0)) / np.sqrt(_variance(x, 0) + eps)",
        (
            "axis=0 takes each feature over all tokens: that is batch norm. And γ and β do not"
            " enter yet."
        ),
    ),
    (
        "over everything, ε forgotten",
        "gamma * (x - x.mean()) / x.std() + beta",
        (
            "Without an axis, mean and variance are those of the whole array. Each token has its"
            " own. And ε does not enter yet."
        ),
    ),
    (
        "each table as a whole",
        """
axes = tuple(range(1, x.ndim))
return gamma * (x - _mean(x, axes)) / np.sqrt(_variance(x, axes) + eps) + beta
""",
        (
            "Right for one table. A loop over a batch takes table after table, and each table got"
            " one mean. Each token has its own."
        ),
    ),
    (
        "γ, β and ε forgotten",
        "(x - _mean(x)) / np.sqrt(_variance(x))",
        "The tokens are standardised. Three of the four arguments do not enter yet.",
        {"unused_arguments": "gamma beta eps"},
    ),
    (
        "root of ε added",
        "gamma * (x - _mean(x)) / (np.sqrt(_variance(x)) + np.sqrt(eps)) + beta",
        (
            "A root of a sum is not the sum of the roots. ε joins the variance, and then one root"
            " is taken of both."
        ),
    ),
    (
        "γ and β before the norm",
        "layers.layer_norm(gamma * x + beta, None, None, eps)",
        (
            "The token was stretched and shifted first, and the norm takes that away again. First"
            " the norm, then γ and β."
        ),
    ),
    (
        "divided by the number of tokens",
        """
mu = x.sum(axis=-1, keepdims=True) / len(x)
return gamma * (x - mu) / np.sqrt(((x - mu) ** 2).sum(axis=-1, keepdims=True) / len(x) + eps) + beta
""",
        (
            "The sums over the features are divided by how many tokens there are. A mean divides by"
            " how many numbers were added."
        ),
    ),
    (
        "sum of squares by the number of tokens",
        """
centred = x - _mean(x)
return gamma * centred / np.sqrt((centred**2).sum(axis=-1, keepdims=True) / len(x) + eps) + beta
""",
        (
            "The mean is right. The sum of squares is divided by how many tokens there are, and"
            " should be by how many features."
        ),
    ),
    (
        "mean of absolute deviations",
        """
centred = x - _mean(x)
return gamma * centred / (np.abs(centred).mean(axis=-1, keepdims=True) + eps) + beta
""",
        (
            "The spread meant here is the root of the mean of squares, not the mean of absolute"
            " values."
        ),
    ),
    (
        "divided by the range",
        "gamma * (x - _mean(x)) / (np.ptp(x, axis=-1, keepdims=True) + eps) + beta",
        (
            "The token is divided by the distance from its smallest to its largest number. Which "
            "spread looks at all of them?"
        ),
    ),
    (
        "no square in the variance",
        "gamma * (x - _mean(x)) / np.sqrt(eps) + beta",
        (
            "Deviations from the mean cancel to 0. What makes all of them positive before they are "
            "averaged?"
        ),
    ),
    (
        "ε above the line",
        "gamma * (x - _mean(x) + eps) / np.sqrt(_variance(x)) + beta",
        "ε was added to the centred token. It belongs below the line, to the variance.",
    ),
    (
        "softmax of the token",
        """
e = np.exp(x - x.max(axis=-1, keepdims=True))
return gamma * e / e.sum(axis=-1, keepdims=True) + beta
""",
        "Shares are positive and sum to 1. A normed token has mean 0 and variance nearly 1.",
    ),
]
