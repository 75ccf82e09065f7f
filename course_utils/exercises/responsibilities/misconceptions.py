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
        "Every Gaussian counts alike here. How common each of them is matters, too.",
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
        "This is how probable point and Gaussian are together. What share of it has each Gaussian?",
    ),
    (
        "normalised over everything",
        "joint(x, weights, means, sds) / joint(x, weights, means, sds).sum()",
        "One sum of the whole table. Each point has a sum of its own.",
    ),
    (
        "standard deviation used as variance",
        "_share(joint(x, weights, means, np.sqrt(sds)))",
        "sds are standard deviations. What stands below the line in the exp is a square.",
    ),
    (
        "square forgotten in the exp",
        "_share(weights * np.exp(-0.5 * (x[:, None] - means) ** 2 / sds) / sds)",
        "The height is right. Inside the exp the squared distance wants a squared divisor.",
    ),
    (
        "height of the bell forgotten",
        "_share(weights * sds * _densities(x, means, sds))",
        "A wide Gaussian is a low one, as its area is 1. What stands before the exp?",
    ),
    (
        "log-density instead of density",
        "_share(np.log(joint(x, weights, means, sds)))",
        "These are logarithms. They have to go through exp before they are shared out.",
    ),
    (
        "the mixing weights themselves",
        "np.tile(weights, (len(x), 1))",
        "These are the same for every point. Responsibilities depend on where the point lies.",
    ),
    (
        "winner takes all",
        "np.eye(len(weights))[joint(x, weights, means, sds).argmax(axis=1)]",
        "Each point went to one Gaussian altogether. A responsibility is a share.",
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
            "The sums have shape (N,), so NumPy lays them along the Gaussians. They should stand as"
            " a column, one for each point."
        ),
    ),
    (
        "the minus forgotten in the exp",
        "_share(weights * np.exp(0.5 * ((x[:, None] - means) / sds) ** 2) / sds)",
        (
            "Your bells grow towards the sides: a point far away should be improbable. Which sign"
            " has the exponent?"
        ),
    ),
    (
        "the half forgotten in the exp",
        "_share(weights * np.exp(-(((x[:, None] - means) / sds) ** 2)) / sds)",
        "Your bells are too narrow, by a factor of √2: what stands before the squared distance?",
    ),
    (
        "distance not squared",
        "_share(weights * np.exp(-0.5 * (x[:, None] - means) / sds) / sds)",
        (
            "To the left of the mean your exponent is positive: a distance has no sign after one"
            " more step."
        ),
    ),
    (
        "absolute distance",
        "_share(weights * np.exp(-0.5 * np.abs(x[:, None] - means) / sds) / sds)",
        "Your bells have a kink at the mean. In a Gaussian the distance is squared.",
    ),
    (
        "height divided by the variance",
        "_share(joint(x, weights, means, sds) / sds)",
        (
            "The area under a bell should be 1: a bell that is twice as wide is half as high, not a"
            " quarter."
        ),
    ),
    (
        "divided by the unweighted sum",
        """
densities = _densities(x, means, sds)
return weights * densities / densities.sum(axis=1, keepdims=True)
""",
        (
            "Above the line the mixing weights count, below it they do not, as where finished"
            " shares are weighted: a row no longer sums to 1."
        ),
    ),
    (
        "weighted below the line only",
        """
densities = _densities(x, means, sds)
return densities / (weights * densities).sum(axis=1, keepdims=True)
""",
        (
            "Below the line the mixing weights count, above it they do not. Shares need the same "
            "things above and below."
        ),
    ),
    (
        "mixing weights added",
        "_share(weights + _densities(x, means, sds))",
        (
            "First a Gaussian is chosen, then it gives the point: the probability of both is a"
            " product."
        ),
    ),
    (
        "softmax of the probabilities",
        "softmax(joint(x, weights, means, sds))",
        (
            "These are probabilities already: dividing by their sum makes shares of them. Softmax "
            "wants logarithms."
        ),
    ),
    (
        "brackets forgotten below the line",
        "_share(weights * np.exp(-((x[:, None] - means) ** 2) / 2 * sds**2) / sds)",
        "From left to right: divided by 2, then *times* σ². All of 2σ² belongs below the line.",
    ),
    (
        "mixing weights and height forgotten",
        "_share(sds * _densities(x, means, sds))",
        (
            "Only the distance counts here. How common each Gaussian is matters, and a wide bell is"
            " a low one."
        ),
    ),
    (
        "minus and height forgotten",
        "_share(weights * np.exp(0.5 * ((x[:, None] - means) / sds) ** 2))",
        (
            "Your bells grow towards the sides. And a wide Gaussian is a low one: what stands"
            " before the exp?"
        ),
    ),
    (
        "divided by the largest",
        "joint(x, weights, means, sds) / joint(x, weights, means, sds).max(axis=1, keepdims=True)",
        "The largest of each row is 1 now. What sums to 1 was divided by the sum.",
    ),
    (
        "the sum over the Gaussians",
        "joint(x, weights, means, sds).sum(axis=1)",
        (
            "This is how probable each point is under the whole mixture. What share of it has each "
            "Gaussian?"
        ),
    ),
    (
        "each point with one Gaussian",
        """
parts = weights * np.exp(-0.5 * ((x - means) / sds) ** 2) / sds
return parts / parts.sum()
""",
        (
            "Point 0 met only Gaussian 0, point 1 only Gaussian 1. Every point should meet every "
            "Gaussian: one of the two needs another axis."
        ),
    ),
    (
        "table transposed, shared over points",
        "_share(joint(x, weights, means, sds), axis=0).T",
        "Rows are points, columns are Gaussians. And it is each point that is shared out.",
    ),
    (
        "a weight added to a logarithm",
        "softmax(weights + np.log(_densities(x, means, sds)))",
        (
            "The logarithm of a product is a sum of logarithms. The density went through log, the "
            "mixing weight did not."
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
        "The square reaches the 2 as well. Only σ is squared below the line.",
    ),
    (
        "height multiplied by the width",
        "_share(weights * sds**2 * _densities(x, means, sds))",
        "A wide Gaussian is a low one, as its area is 1. Here it is the higher, the wider it is.",
    ),
    (
        "height divided by the root of σ",
        "_share(weights * np.sqrt(sds) * _densities(x, means, sds))",
        "The area under a bell should be 1: a bell that is twice as wide is half as high.",
    ),
    (
        "σ forgotten in the exp",
        "_share(weights * np.exp(-0.5 * (x[:, None] - means) ** 2) / sds)",
        (
            "All bells are equally wide in the exponent. How wide each of them is stands below the "
            "line there."
        ),
    ),
    (
        "σ forgotten",
        "_share(weights * np.exp(-0.5 * (x[:, None] - means) ** 2))",
        "All bells are equally wide, and equally high. How wide each of them is enters two times.",
        {"unused_arguments": "sds"},
    ),
    (
        "the densities themselves",
        "_densities(x, means, sds)",
        (
            "This is how probable each point is under each Gaussian. How common each Gaussian is "
            "counts, too, and what is its share?"
        ),
    ),
    (
        "weights counted twice",
        "_share(weights**2 * _densities(x, means, sds))",
        "The mixing weights enter two times. Once is enough.",
    ),
]
