"""Known misconceptions of `nearest_words`: (name, code, question), and options where there are
some."""

import numpy as np

from course_utils.exercises.nearest_words.exercise import EQUAL_AFTER, EQUAL_BEFORE, nearest_words


def _unit(vectors, axis=-1):
    return vectors / np.linalg.norm(vectors, axis=axis, keepdims=True)


def _best(similarity, i, k):
    """The k largest numbers but number i, the largest first."""
    order = np.argsort(-similarity, kind="stable")
    return order[order != i][:k]


def itself_first(i, vectors, k):
    return np.argsort(-(_unit(vectors) @ _unit(vectors)[i]), kind="stable")[:k]


def sorted_values(i, vectors, k):
    return np.sort(_unit(vectors) @ _unit(vectors)[i])[::-1][:k]


TABLE = [
    (
        "one length for all rows",
        "_best(vectors @ vectors[i] / np.linalg.norm(vectors), i, k)",
        (
            "All rows are divided by the same number, so the order is that of the plain dot"
            " products. Each row has a length of its own."
        ),
        {"requires": "a division"},
    ),
    (
        "not divided by the lengths",
        "_best(vectors @ vectors[i], i, k)",
        "A plain dot product likes long vectors. Nearness of meaning is a matter of direction.",
    ),
    ("the word itself counted", itself_first, "Every word is nearest to itself. Leave row i out."),
    (
        "the farthest words",
        "_best(-(_unit(vectors) @ _unit(vectors)[i]), i, k)",
        "argsort goes upwards, so it begins with the smallest similarity.",
    ),
    (
        "the nearest last",
        "nearest_words(i, vectors, k)[::-1]",
        "These are the right words. The nearest should come first.",
    ),
    (
        "Euclidean distance",
        "_best(-np.linalg.norm(vectors - vectors[i], axis=1), i, k)",
        (
            "The distance between the ends of two arrows depends on their lengths, too. Compare "
            "directions."
        ),
    ),
    (
        "features divided, not rows",
        """
U = _unit(vectors, axis=0)
return _best(U @ U[i], i, k)
""",
        "Each word's vector, a row, should get length 1. Here it was each feature, a column.",
    ),
    (
        "similarities instead of numbers",
        "(_unit(vectors) @ _unit(vectors)[i])[nearest_words(i, vectors, k)]",
        "These are cosines. Asked are the numbers of the rows they belong to.",
    ),
    (
        "similarities, the word itself among them",
        sorted_values,
        (
            "These are cosines. Asked are the numbers of the rows they belong to. np.sort gives"
            " back the sorted numbers themselves, np.argsort where they stand."
        ),
    ),
    (
        "similarities, the nearest last",
        "np.sort(_unit(vectors) @ _unit(vectors)[i])[-k - 1:-1]",
        (
            "These are cosines. Asked are the numbers of the rows they belong to, the nearest"
            " first. np.sort gives back the sorted numbers themselves, np.argsort where they stand."
        ),
    ),
    (
        "similarities turned round",
        "-sorted_values(i, vectors, k)",
        (
            "These are cosines, times -1. Asked are the numbers of the rows they belong to. np.sort"
            " gives back the sorted numbers themselves, np.argsort where they stand."
        ),
    ),
    (
        "opposites counted as near",
        "_best(np.abs(_unit(vectors) @ _unit(vectors)[i]), i, k)",
        "A similarity of -1 is as far away as can be. The sign matters.",
    ),
    (
        "counted without row i",
        """
others = np.delete(_unit(vectors), i, axis=0)
return np.argsort(-(others @ _unit(vectors)[i]), kind="stable")[:k]
""",
        (
            "Taking row i out moves all later rows up by one, and their numbers no longer fit the "
            "table."
        ),
    ),
    (
        "keepdims forgotten",
        """
U = vectors / np.linalg.norm(vectors, axis=1)
return _best(U @ U[i], i, k)
""",
        (
            "Each row has its own length, and the lengths were laid along the features. They should"
            " stand as a column."
        ),
    ),
    (
        "own similarity set to 0",
        """
cosine = _unit(vectors) @ _unit(vectors)[i]
cosine[i] = 0
return np.argsort(-cosine, kind="stable")[:k]
""",
        (
            "0 is not the smallest cosine: rows that point the other way come after it, so row i is"
            " still in the order."
        ),
    ),
    (
        "the first of the order left out",
        "np.argsort(-(_unit(vectors) @ _unit(vectors)[i]), kind='stable')[1:k + 1]",
        (
            "A row that equals row i has the same cosine and may stand before it. Row i is known by"
            " its number, not by its place."
        ),
        {"trap": EQUAL_BEFORE},
    ),
    (
        "the last of the order left out",
        "np.argsort(_unit(vectors) @ _unit(vectors)[i], kind='stable')[::-1][1:k + 1]",
        (
            "A row that equals row i has the same cosine and may stand after it. Row i is known by"
            " its number, not by its place."
        ),
        {"trap": EQUAL_AFTER},
    ),
    (
        "equal rows left out, too",
        """
cosine = _unit(vectors) @ _unit(vectors)[i]
order = np.argsort(-cosine, kind="stable")
return order[cosine[order] < 1 - 1e-9][:k]
""",
        (
            "A row that equals row i is another word, and the nearest of all. Only row i itself is "
            "left out."
        ),
        {"trap": EQUAL_BEFORE},
    ),
    (
        "not divided by the lengths, the first left out",
        "np.argsort(-(vectors @ vectors[i]), kind='stable')[1:k + 1]",
        (
            "A plain dot product likes long vectors: the largest need not even be that with row i "
            "itself. Nearness of meaning is a matter of direction."
        ),
    ),
    (
        "not divided by the lengths, the word itself counted",
        "np.argsort(-(vectors @ vectors[i]), kind='stable')[:k]",
        (
            "A plain dot product likes long vectors. Nearness of meaning is a matter of direction."
            " And row i is to be left out."
        ),
    ),
    (
        "the farthest words, the first left out",
        "np.argsort(_unit(vectors) @ _unit(vectors)[i], kind='stable')[1:k + 1]",
        (
            "argsort goes upwards, so it begins with the smallest similarity; row i stands at the "
            "other end."
        ),
    ),
    (
        "all rows",
        "nearest_words(i, vectors, len(vectors))",
        "The order is right, row i is left out. Only the first k are asked for.",
    ),
    (
        "all rows, the word itself among them",
        "itself_first(i, vectors, len(vectors))",
        "The order is right. Row i itself is to be left out, and only k rows are asked for.",
    ),
    (
        "vectors instead of numbers",
        "vectors[nearest_words(i, vectors, k)]",
        "These are the vectors of the right rows. Asked are the numbers of the rows.",
    ),
    (
        "places in the order",
        """
order = np.argsort(-(_unit(vectors) @ _unit(vectors)[i]), kind="stable")
return np.argsort(order, kind="stable")[:k]
""",
        (
            "argsort was taken twice, or its result read the wrong way: these are places in the"
            " order, not rows."
        ),
    ),
    (
        "in the order of the table",
        "np.sort(nearest_words(i, vectors, k))",
        "These are the right rows, in the order of their numbers. The nearest should come first.",
    ),
    (
        "centred first",
        """
U = _unit(vectors - vectors.mean(axis=1, keepdims=True))
return _best(U @ U[i], i, k)
""",
        (
            "The mean was subtracted, which turns a cosine into a correlation. Directions are taken"
            " from 0."
        ),
    ),
    (
        "the mean word taken away",
        """
U = _unit(vectors - vectors.mean(axis=0))
return _best(U @ U[i], i, k)
""",
        "The mean of all rows was subtracted first. Directions are taken from 0.",
    ),
    (
        "sums of absolute differences",
        "_best(-np.abs(vectors - vectors[i]).sum(axis=1), i, k)",
        "The distance between two arrows depends on their lengths, too. Compare directions.",
    ),
    (
        "nearest to the first row",
        """
U = _unit(vectors)
return _best(U @ U[0], i, k)
""",
        "The similarities are those with row 0. It is row i that asks.",
    ),
    (
        "divided by the sum of the cosines",
        """
cosines = _unit(vectors) @ _unit(vectors)[i]
return _best(cosines / cosines.sum(), i, k)
""",
        (
            "The cosines were divided by their sum. Cosines are no shares, and their sum may be"
            " below 0: what becomes of their order then?"
        ),
    ),
]
