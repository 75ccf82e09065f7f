"""Known misconceptions of `softmax_jacobian`: (name, code, question), and options where there are
some."""

import numpy as np

from course_utils.attention import softmax
from course_utils.exercises.softmax_jacobian.exercise import softmax_jacobian

TABLE = [
    (
        "only the diagonal",
        "np.diag(weights * (1 - weights))",
        "Raising one score lowers every other weight. Those entries, off the diagonal, are not 0.",
    ),
    (
        "outer product missing",
        "np.diag(weights)",
        "diag(a) is the first half. What each weight takes from the others is still missing.",
    ),
    (
        "diagonal missing",
        "-np.outer(weights, weights)",
        (
            "The products are there. What a score does to its own weight has a second part, which "
            "lives on the diagonal."
        ),
    ),
    (
        "products alone",
        "np.outer(weights, weights)",
        "These are all products a_i * a_j. They are one half of the table, and lower the weights.",
    ),
    (
        "sign of the outer product",
        "np.diag(weights) + np.outer(weights, weights)",
        "Weights compete: raising one score lowers the others. So which sign have the products?",
    ),
    (
        "everything negative",
        "np.outer(weights, weights) - np.diag(weights)",
        "The two halves are the wrong way round: raising a score raises its own weight.",
    ),
    (
        "ones on the diagonal",
        "np.eye(len(weights)) - np.outer(weights, weights)",
        "The diagonal starts from 1 here. It is the weight itself that stands there.",
    ),
    (
        "a in every row",
        "weights - np.outer(weights, weights)",
        (
            "a stands along every row, as in (1 - a_i) * a_j. It belongs on the diagonal alone: "
            "elsewhere only the product is left."
        ),
    ),
    (
        "a in every column",
        "weights[:, None] - np.outer(weights, weights)",
        (
            "a stands along every column, as in a_i * (1 - a_j). It belongs on the diagonal alone: "
            "elsewhere only the product is left."
        ),
    ),
    (
        "a row turned over stays a row",
        "np.diag(weights) - weights @ weights.T",
        (
            "A row has one axis, and `.T` turns nothing over: a @ a.T is one number. Needed is the"
            " table of all products a_i * a_j."
        ),
        {"requires": "a transpose"},
    ),
    (
        "inner instead of outer product",
        "np.diag(weights) - weights @ weights",
        (
            "a @ a is one number, subtracted everywhere. Needed is the table of all products a_i *"
            " a_j."
        ),
    ),
    (
        "squares instead of the outer product",
        "np.diag(weights) - weights * weights",
        (
            "a * a is a row of squares, laid along every row of the table. Needed are all products"
            " a_i * a_j."
        ),
    ),
    (
        "a row instead of a table",
        "weights * (1 - weights)",
        (
            "a * (1 - a) is how each weight answers to its own score. Every weight answers to every"
            " score: (T, T)."
        ),
    ),
    (
        "halves multiplied",
        "np.diag(weights) @ np.outer(weights, weights)",
        "The two halves were multiplied. One is taken from the other.",
    ),
    (
        "softmax taken twice",
        "softmax_jacobian(softmax(weights))",
        "The argument is a row of weights already. Use it as it is.",
    ),
    (
        "sign missing off the diagonal",
        "np.abs(softmax_jacobian(weights))",
        "The diagonal is right. Off it, raising one score lowers the others: which sign says so?",
    ),
    (
        "own product taken twice",
        "np.diag(weights * (1 - weights)) - np.outer(weights, weights)",
        "The diagonal holds a * (1 - a) already, and the product was taken from it once more.",
    ),
    (
        "1 - a on the diagonal",
        "np.diag(1 - weights) - np.outer(weights, weights) * (1 - np.eye(len(weights)))",
        (
            "The diagonal holds 1 - a. How a weight answers to its own score depends on how large"
            " it is, too."
        ),
    ),
    (
        "weights on the diagonal",
        "np.diag(weights) - np.outer(weights, weights) * (1 - np.eye(len(weights)))",
        (
            "Off the diagonal it is right. On it stands the whole weight: a part of it is taken"
            " back there, too."
        ),
    ),
    (
        "sums instead of products",
        "np.diag(weights) - (weights[:, None] + weights)",
        "The weights were added in pairs. What one weight takes from another is a product.",
    ),
    (
        "half of the table empty",
        "np.tril(softmax_jacobian(weights))",
        (
            "One corner of the table holds zeros. Every weight answers to every score, on both"
            " sides of the diagonal."
        ),
    ),
    (
        "the lower half empty",
        "np.triu(softmax_jacobian(weights))",
        (
            "The lower corner of the table holds zeros. Every weight answers to every score, on"
            " both sides of the diagonal."
        ),
    ),
    (
        "0 on the diagonal",
        "softmax_jacobian(weights) * (1 - np.eye(len(weights)))",
        (
            "Off the diagonal it is right. On it nothing is left: each weight answers to its own"
            " score as well."
        ),
    ),
]
