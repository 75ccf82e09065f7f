"""Known misconceptions of `top_p`: (name, code, question), and options where there are some."""

import numpy as np

from course_utils import attention
from course_utils.exercises.top_p.exercise import EXACT, top_p


def _kept(probabilities, stays):
    """What stays, of a table of yes and no in the pieces' own order, made to sum to 1."""
    kept = np.where(stays, probabilities, 0)
    return kept / kept.sum()


def _ranked(probabilities, count):
    """True for the `count` likeliest, in the pieces' own order."""
    stays = np.zeros(len(probabilities), dtype=bool)
    stays[np.argsort(-probabilities, kind="stable")[:count]] = True
    return stays


def _size(probabilities, p):
    """How many pieces the nucleus has."""
    return int((top_p(probabilities, p) > 0).sum())


TABLE = [
    (
        "the piece that reaches p left out",
        "_kept(probabilities, _ranked(probabilities, _size(probabilities, p) - 1))",
        "Your pieces have less than p together: the one that reaches it belongs to them.",
    ),
    (
        "one piece too many",
        "_kept(probabilities, _ranked(probabilities, _size(probabilities, p) + 1))",
        "p was reached, and you took one more.",
    ),
    (
        "at most p instead of less than p",
        """
order = np.argsort(-probabilities, kind="stable")
stays = np.zeros(len(probabilities), dtype=bool)
stays[order] = np.cumsum(probabilities[order]) - probabilities[order] <= p
return _kept(probabilities, stays)
""",
        "The likelier pieces have p together already, and one more was taken.",
        {"trap": EXACT},
    ),
    (
        "does not sum to 1",
        "np.where(top_p(probabilities, p) > 0, probabilities, 0)",
        "The right pieces stay, with the shares that they had. Drawing needs shares that sum to 1.",
    ),
    (
        "each compared with p",
        "_kept(probabilities, probabilities >= p)",
        (
            "A piece stays here if its own share is p or more. What is compared with p is the sum"
            " of the likeliest."
        ),
    ),
    (
        "each compared with p, and left so",
        "np.where(probabilities >= p, probabilities, 0)",
        (
            "A piece stays here if its own share is p or more. What is compared with p is the sum"
            " of the likeliest. And what stays sums to 1."
        ),
    ),
    (
        "compared with the likeliest",
        "_kept(probabilities, probabilities >= p * probabilities.max())",
        (
            "A piece stays here if it has at least p times the largest share. That is another cut, "
            "min-p."
        ),
    ),
    (
        "a share of the pieces",
        "_kept(probabilities, _ranked(probabilities, int(np.ceil(p * len(probabilities)))))",
        (
            "You keep a share p of all *pieces*. Asked are the pieces that have a share p of the "
            "*probability*."
        ),
    ),
    (
        "not sorted",
        "_kept(probabilities, np.cumsum(probabilities) - probabilities < p)",
        (
            "You add up in the order of the vocabulary. The likeliest pieces come first: which"
            " order is that?"
        ),
    ),
    (
        "the unlikeliest first",
        """
order = np.argsort(probabilities, kind="stable")
stays = np.zeros(len(probabilities), dtype=bool)
stays[order] = np.cumsum(probabilities[order]) - probabilities[order] < p
return _kept(probabilities, stays)
""",
        "You add up from the smallest. np.argsort sorts upwards.",
    ),
    (
        "the tail kept",
        "_kept(probabilities, top_p(probabilities, p) == 0)",
        "What you keep is what should go: the unlikely rest.",
    ),
    (
        "left in sorted order",
        "-np.sort(-top_p(probabilities, p))",
        (
            "The shares are right, but they stand sorted. Each piece needs its own place: share"
            " number i belongs to piece i."
        ),
    ),
    (
        "put back by the wrong order",
        """
order = np.argsort(-probabilities, kind="stable")
return (-np.sort(-top_p(probabilities, p)))[order]
""",
        (
            "`order` says which piece stands at a rank. To put back is to write *into* these"
            " places, not to read from them."
        ),
    ),
    (
        "the mask left in sorted order",
        "_kept(probabilities, np.arange(len(probabilities)) < _size(probabilities, p))",
        (
            "You know which *ranks* stay, and keep the pieces of these numbers. Rank number i is "
            "another piece than number i: `order` says which."
        ),
    ),
    (
        "the mask put back by the wrong order",
        """
order = np.argsort(-probabilities, kind="stable")
return _kept(probabilities, (np.arange(len(probabilities)) < _size(probabilities, p))[order])
""",
        (
            "You know which *ranks* stay. `mask[order]` reads at these places; to give each piece"
            " its answer is to write *into* them."
        ),
    ),
    (
        "sorted sums beside unsorted probabilities",
        """
order = np.argsort(-probabilities, kind="stable")
stays = np.zeros(len(probabilities), dtype=bool)
stays[order] = np.cumsum(probabilities[order]) - probabilities < p
return _kept(probabilities, stays)
""",
        (
            "The sums follow the order of size, and what is taken from them stands in the pieces'"
            " own order. Both need the same order."
        ),
    ),
    (
        "1 − p instead of p",
        "top_p(probabilities, 1 - p)",
        "You keep the pieces that have 1 − p together.",
    ),
    (
        "softmax of the shares",
        "attention.softmax(np.where(top_p(probabilities, p) > 0, probabilities, -np.inf))",
        (
            "The kept shares went through softmax. They are shares already: what makes them sum to"
            " 1 again, and keeps their ratios?"
        ),
    ),
    (
        "softmax with zeros",
        "attention.softmax(np.where(top_p(probabilities, p) > 0, probabilities, 0.0))",
        "The rest got the score 0, which is not the share 0: softmax gives it weight again.",
    ),
    (
        "the rest thrown out",
        """
kept = top_p(probabilities, p)
return kept[kept > 0]
""",
        (
            "The pieces that go were cut off, so the others have new numbers. Give them the share"
            " 0, and let them stand."
        ),
    ),
    (
        "only the likeliest",
        "_kept(probabilities, _ranked(probabilities, 1))",
        "You keep one piece: that is greedy. p says how much the kept ones have together.",
    ),
    (
        "all alike",
        """
stays = top_p(probabilities, p) > 0
return stays / stays.sum()
""",
        "The right pieces stay, but each with the same share. They keep their ratios.",
    ),
    (
        "nothing cut",
        "probabilities / probabilities.sum()",
        "All pieces are still there. Those beyond the nucleus get the share 0.",
        {"unused_arguments": "p"},
    ),
]
