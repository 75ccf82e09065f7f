"""Known misconceptions of `responsibilities`: (name, code, question), and options where there are
some."""

import numpy as np

from course_utils.attention import softmax


def _densities(x, means, sds):
    return np.exp(-0.5 * ((x[:, None] - means) / sds) ** 2) / (sds * np.sqrt(2 * np.pi))


def _share(parts, axis=1):
    return parts / parts.sum(axis=axis, keepdims=True)


def joint(x, weights, means, sds):
    return weights * _densities(x, means, sds)


TABLE = [
    (
        "mixing weights forgotten",
        "_share(_densities(x, means, sds))",
        "Every Gaussian counts the same here. It also matters how common each Gaussian is.",
        {"unused_arguments": "weights"},
    ),
    (
        "normalised over points",
        "_share(weights * _densities(x, means, sds), axis=0)",
        "Each point is shared among the Gaussians: its row sums to 1, not its column.",
    ),
    (
        "not normalised",
        joint,
        (
            "This is how probable point and Gaussian are together. What is each Gaussian's share"
            " of it?"
        ),
    ),
    (
        "normalised over everything",
        "joint(x, weights, means, sds) / joint(x, weights, means, sds).sum()",
        "You divided by one sum of the whole table. Each point has its own sum.",
    ),
    (
        "standard deviation used as variance",
        "_share(joint(x, weights, means, np.sqrt(sds)))",
        "sds are standard deviations. The denominator inside exp needs their squares.",
    ),
    (
        "square forgotten in the exp",
        "_share(weights * np.exp(-0.5 * (x[:, None] - means) ** 2 / sds) / sds)",
        "The height is right. Inside exp, the squared distance needs a squared divisor.",
    ),
    (
        "height of the bell forgotten",
        "_share(weights * sds * _densities(x, means, sds))",
        "A wide Gaussian is low, because its area is 1. Which factor stands before exp?",
    ),
    (
        "log-density instead of density",
        "_share(np.log(joint(x, weights, means, sds)))",
        "These are logarithms. They must go through exp before they become shares.",
    ),
    (
        "the mixing weights themselves",
        "np.tile(weights, (len(x), 1))",
        "These are the same for every point. Responsibilities depend on where the point lies.",
    ),
    (
        "winner takes all",
        "np.eye(len(weights))[joint(x, weights, means, sds).argmax(axis=1)]",
        "Each point belongs to only one Gaussian here. A responsibility is a share.",
    ),
    (
        "table transposed",
        "_share(joint(x, weights, means, sds)).T",
        "Rows are points, columns are Gaussians.",
    ),
    (
        "keepdims forgotten",
        "joint(x, weights, means, sds) / joint(x, weights, means, sds).sum(axis=1)",
        (
            "The sums have shape (N,), so NumPy places them along the Gaussians. They should be a"
            " column, with one sum for each point."
        ),
    ),
    (
        "the minus forgotten in the exp",
        "_share(weights * np.exp(0.5 * ((x[:, None] - means) / sds) ** 2) / sds)",
        (
            "Your bells grow towards the sides, but a point far away should be improbable. Which"
            " sign does the exponent have?"
        ),
    ),
    (
        "the half forgotten in the exp",
        "_share(weights * np.exp(-(((x[:, None] - means) / sds) ** 2)) / sds)",
        (
            "Your bells are too narrow by a factor of √2. Which factor stands before the squared"
            " distance?"
        ),
    ),
    (
        "distance not squared",
        "_share(weights * np.exp(-0.5 * (x[:, None] - means) / sds) / sds)",
        (
            "To the left of the mean, your exponent is positive. Which step removes the sign of a"
            " distance?"
        ),
    ),
    (
        "absolute distance",
        "_share(weights * np.exp(-0.5 * np.abs(x[:, None] - means) / sds) / sds)",
        "Your bells have a sharp corner at the mean. In a Gaussian, the distance is squared.",
    ),
    (
        "height divided by the variance",
        "_share(joint(x, weights, means, sds) / sds)",
        (
            "The area under a bell should be 1, so a bell that is twice as wide is half as high,"
            " not a quarter as high."
        ),
    ),
    (
        "divided by the unweighted sum",
        """
densities = _densities(x, means, sds)
return weights * densities / densities.sum(axis=1, keepdims=True)
""",
        (
            "The mixing weights are in the numerator but not in the denominator, as if finished"
            " shares were weighted. So a row no longer sums to 1."
        ),
    ),
    (
        "weighted below the line only",
        """
densities = _densities(x, means, sds)
return densities / (weights * densities).sum(axis=1, keepdims=True)
""",
        (
            "The mixing weights are in the denominator but not in the numerator. Shares need the"
            " same factors in both."
        ),
    ),
    (
        "mixing weights added",
        "_share(weights + _densities(x, means, sds))",
        (
            "First a Gaussian is chosen, and then it makes the point. So the probability of both"
            " is a product."
        ),
    ),
    (
        "softmax of the probabilities",
        "softmax(joint(x, weights, means, sds))",
        (
            "These are probabilities already, so they become shares when you divide by their sum."
            " Softmax needs logarithms."
        ),
    ),
    (
        "brackets forgotten below the line",
        "_share(weights * np.exp(-((x[:, None] - means) ** 2) / 2 * sds**2) / sds)",
        (
            "Python goes from left to right: it divides by 2 and then *multiplies* by σ². All of"
            " 2σ² belongs in the denominator."
        ),
    ),
    (
        "mixing weights and height forgotten",
        "_share(sds * _densities(x, means, sds))",
        (
            "Only the distance counts here. It also matters how common each Gaussian is, and a"
            " wide bell is low."
        ),
    ),
    (
        "minus and height forgotten",
        "_share(weights * np.exp(0.5 * ((x[:, None] - means) / sds) ** 2))",
        (
            "Your bells grow towards the sides. And a wide Gaussian is low: which factor stands"
            " before exp?"
        ),
    ),
    (
        "divided by the largest",
        "joint(x, weights, means, sds) / joint(x, weights, means, sds).max(axis=1, keepdims=True)",
        (
            "The largest number of each row is 1 now. Numbers sum to 1 if you divide them by their"
            " sum."
        ),
    ),
    (
        "the sum over the Gaussians",
        "joint(x, weights, means, sds).sum(axis=1)",
        (
            "This is how probable each point is under the whole mixture. What is each Gaussian's"
            " share of it?"
        ),
    ),
    (
        "each point with one Gaussian",
        """
parts = weights * np.exp(-0.5 * ((x - means) / sds) ** 2) / sds
return parts / parts.sum()
""",
        (
            "Point 0 met only Gaussian 0, and point 1 only Gaussian 1. Every point should meet"
            " every Gaussian, so one of the two needs another axis."
        ),
    ),
    (
        "table transposed, shared over points",
        "_share(joint(x, weights, means, sds), axis=0).T",
        "Rows are points, columns are Gaussians. And the shares of each point sum to 1.",
    ),
    (
        "a weight added to a logarithm",
        "softmax(weights + np.log(_densities(x, means, sds)))",
        (
            "The logarithm of a product is a sum of logarithms. The density went through log, but"
            " the mixing weight did not."
        ),
    ),
    (
        "exp closed too early",
        "_share(weights * np.exp(-((x[:, None] - means) ** 2)) / (2 * sds**2) / sds)",
        (
            "Only the squared distance stands in the exponent, and 2σ² divides outside. The bracket"
            " of exp closes too early."
        ),
    ),
    (
        "all of 2σ squared",
        "_share(weights * np.exp(-((x[:, None] - means) ** 2) / (2 * sds) ** 2) / sds)",
        "You squared the 2 as well. In the denominator, only σ is squared.",
    ),
    (
        "height multiplied by the width",
        "_share(weights * sds**2 * _densities(x, means, sds))",
        "A wide Gaussian is low, because its area is 1. Here a wider Gaussian is higher.",
    ),
    (
        "height divided by the root of σ",
        "_share(weights * np.sqrt(sds) * _densities(x, means, sds))",
        "The area under a bell should be 1, so a bell that is twice as wide is half as high.",
    ),
    (
        "σ forgotten in the exp",
        "_share(weights * np.exp(-0.5 * (x[:, None] - means) ** 2) / sds)",
        (
            "In your exponent, all bells are equally wide. There the denominator says how wide"
            " each bell is."
        ),
    ),
    (
        "σ forgotten",
        "_share(weights * np.exp(-0.5 * (x[:, None] - means) ** 2))",
        (
            "All your bells are equally wide and equally high. The formula uses the width of each"
            " bell two times."
        ),
        {"unused_arguments": "sds"},
    ),
    (
        "the densities themselves",
        "_densities(x, means, sds)",
        (
            "This is how probable each point is under each Gaussian. It also matters how common"
            " each Gaussian is. Then what is its share?"
        ),
    ),
    (
        "weights counted twice",
        "_share(weights**2 * _densities(x, means, sds))",
        "You used the mixing weights two times. Once is enough.",
    ),
]
