"""Known misconceptions of `top_k_gate`: (name, code, question), and options where there are
some."""

import numpy as np

from course_utils.attention import softmax
from course_utils.exercises.responsibilities.misconceptions import _share


def _kept(logits, k, axis=1):
    """Where the k largest of each row stand (axis=0: of each column)."""
    return np.argsort(np.argsort(-logits, axis=axis), axis=axis) < k


def zeroed(logits, k):
    return softmax(logits) * _kept(logits, k)


def raw(logits, k):
    return np.where(_kept(logits, k), logits, 0.0)


def all_kept(logits, k):
    return softmax(logits)


def masked_logits(logits, k):
    return np.where(_kept(logits, k), logits, -np.inf)


TABLE = [
    (
        "order taken for place",
        "softmax(np.where(np.argsort(-logits, axis=1) < k, logits, -np.inf))",
        (
            "Your table says *which* expert is first, second or third. You need to know *at which"
            " place* each expert stands."
        ),
    ),
    (
        "not renormalised",
        zeroed,
        (
            "The right experts are kept, but their gates no longer sum to 1, because the"
            " denominator still counts the other experts."
        ),
    ),
    (
        "top k over tokens",
        "softmax(np.where(_kept(logits, k, axis=0), logits, -np.inf))",
        "Every token chooses its experts, along its row. Here every expert chose its tokens.",
    ),
    (
        "raw logits as gates",
        raw,
        (
            "These are the logits of the kept experts. Gates are positive and sum to 1: the softmax"
            " is missing."
        ),
    ),
    (
        "raw logits divided by their sum",
        "_share(raw(logits, k))",
        (
            "The rows sum to 1, but a logit can be negative. What makes positive shares from any"
            " numbers?"
        ),
    ),
    (
        "dropped logits set to zero",
        "softmax(raw(logits, k))",
        "A logit of 0 is an ordinary logit: exp(0) = 1. For which logit is exp 0?",
    ),
    ("all experts kept", all_kept, "Every expert still has a gate above 0. Where do you use k?"),
    (
        "the k smallest",
        "softmax(np.where(_kept(-logits, k), logits, -np.inf))",
        "The experts with the smallest logits were kept. In which order does your sort put them?",
    ),
    (
        "equal gates",
        "_kept(logits, k) / k",
        (
            "The right experts are kept, but their gates are equal. An expert with a larger logit"
            " should count more."
        ),
    ),
    ("best expert only", "1.0 * _kept(logits, 1)", "One expert is left, whatever k is."),
    (
        "softmax over tokens",
        "softmax(np.where(_kept(logits, k), logits, -np.inf), axis=0)",
        (
            "The right experts are kept, but the shares are taken down the columns. Each token's"
            " gates should sum to 1."
        ),
    ),
    (
        "one expert too few",
        "softmax(np.where(_kept(logits, k - 1), logits, -np.inf))",
        "Count the gates above 0 in a row: one is missing. The k-th largest logit stays, too.",
    ),
    (
        "one expert too few, NaN where none is left",
        """
e = np.exp(np.where(_kept(logits, k - 1), logits, -np.inf))
return _share(e)
""",
        (
            "Count the gates above 0 in a row: one is missing. The k-th largest logit stays, even"
            " if it is the only one."
        ),
    ),
    (
        "one expert too many",
        "softmax(np.where(_kept(logits, k + 1), logits, -np.inf))",
        (
            "Count the gates above 0 in a row: there is one more than k. Counted from the end, the"
            " last number has the index -1."
        ),
    ),
    (
        "counted from the small end",
        "softmax(np.where(_kept(logits, logits.shape[1] - k + 1), logits, -np.inf))",
        (
            "The threshold is the k-th smallest logit. Sorting puts the smallest first, so from"
            " which end do you count?"
        ),
    ),
    (
        "the k smallest dropped",
        "softmax(np.where(_kept(logits, logits.shape[1] - k), logits, -np.inf))",
        "k is the number of experts that stay. Here it is the number that go.",
    ),
    (
        "every token's choice kept for all",
        "softmax(np.where(_kept(logits, k).any(axis=0), logits, -np.inf))",
        (
            "An expert that any token wants is kept for every token, because the indices were used"
            " as columns of the whole table. Each row keeps its own experts."
        ),
    ),
    (
        "threshold along the experts",
        "softmax(np.where(logits >= np.sort(logits, axis=1)[:, -k], logits, -np.inf))",
        (
            "Each token has its own threshold, but the thresholds were placed along the experts."
            " They should be a column."
        ),
    ),
    (
        "a sorted row of the table as threshold",
        "softmax(np.where(logits >= np.sort(logits, axis=1)[-k], logits, -np.inf))",
        "In a table, `[-k]` takes a row. The k-th largest logits of all rows stand in a column.",
    ),
    (
        "the k largest of the whole table",
        "softmax(np.where(logits >= np.sort(logits, axis=None)[-k], logits, -np.inf))",
        "Only k logits of all tokens together were kept. Every token has its own k experts.",
    ),
    (
        "the best of the whole table",
        (
            "softmax(np.where(logits >= np.sort(logits, axis=None)[-k * len(logits)], logits,"
            " -np.inf))"
        ),
        (
            "The largest logits of all tokens together were kept, k for each token on average."
            " Each token has its own k experts."
        ),
    ),
    (
        "keepdims forgotten",
        "zeroed(logits, k) / zeroed(logits, k).sum(axis=1)",
        (
            "The sums of the kept gates were placed along the experts. They should be a column,"
            " with one sum for each token."
        ),
    ),
    (
        "renormalised over tokens",
        "_share(zeroed(logits, k), axis=0)",
        (
            "The kept gates were divided by the sums of the columns. Each token's gates should sum"
            " to 1."
        ),
    ),
    (
        "renormalised over everything",
        "zeroed(logits, k) / zeroed(logits, k).sum()",
        "All gates together sum to 1. Instead, each token's gates should sum to 1.",
    ),
    (
        "divided by k",
        "zeroed(logits, k) / k",
        (
            "k gates are left, but they do not sum to k. What must you divide them by, so that"
            " they sum to 1?"
        ),
    ),
    (
        "left at −∞",
        masked_logits,
        (
            "The right experts are dropped. But these are still logits: they become gates in the"
            " next step."
        ),
    ),
    (
        "exp without the division",
        "np.exp(masked_logits(logits, k))",
        "The gates are positive, and 0 where they should be. They do not sum to 1 yet.",
    ),
    (
        "numbers of the experts",
        "np.argsort(-logits, axis=1)[:, :k]",
        (
            "These are the numbers of the kept experts. Return a gate for each of them, and 0 for"
            " all others."
        ),
    ),
    (
        "only k columns",
        "softmax(-np.sort(-logits, axis=1)[:, :k])",
        (
            "The gates of the kept experts stand in order of size. Each expert needs its own"
            " column, with 0 where it is not asked."
        ),
    ),
    (
        "only k columns, not renormalised",
        "-np.sort(-softmax(logits), axis=1)[:, :k]",
        (
            "These are the k largest gates, in order of size. Each should stand in its own expert's"
            " column, and together they should sum to 1."
        ),
    ),
    (
        "only k columns, not renormalised, the smallest first",
        "np.sort(softmax(logits), axis=1)[:, -k:]",
        (
            "These are the k largest gates, in order of size. Each expert needs its own column,"
            " with 0 where it is not asked. And together the gates should sum to 1."
        ),
    ),
    (
        "the dropped ones kept",
        "softmax(np.where(_kept(logits, k), -np.inf, logits))",
        (
            "The k best experts are gone, and the others stayed. Which side of the threshold"
            " should go?"
        ),
    ),
    (
        "gates with −∞ between",
        "np.where(_kept(logits, k), softmax(logits), -np.inf)",
        (
            "Softmax turns −∞ into 0. But these are gates already, so a dropped gate is 0, and the"
            " kept gates should sum to 1."
        ),
    ),
    (
        "logits compared with k",
        "softmax(np.where(logits >= k, logits, -np.inf))",
        (
            "k is the number of experts that stay, not a logit. Which is the smallest logit that"
            " stays?"
        ),
    ),
    (
        "only k columns, the smallest first",
        "softmax(np.sort(logits, axis=1)[:, -k:])",
        (
            "The gates of the kept experts stand in order of size. Each expert needs its own"
            " column, with 0 where it is not asked."
        ),
    ),
    (
        "softmax of the zeroed gates",
        "softmax(zeroed(logits, k))",
        "A gate of 0 goes through exp and becomes a share again. A dropped gate should stay 0.",
    ),
    (
        "rows picked instead of entries",
        """
best = np.argsort(-logits, axis=1)[:, :k]
kept = np.full(logits.shape, -np.inf)
kept[best] = logits[best]
return softmax(kept)
""",
        (
            "The numbers of the best experts were used as numbers of rows. Each number means a"
            " column in its own row."
        ),
    ),
    (
        "0 · ∞",
        "softmax(logits + ~_kept(logits, k) * -np.inf)",
        (
            "-inf is multiplied by a table of truth values. Where the table is False, this is 0 ·"
            " ∞, which has no value: NaN. Choose between two numbers instead of multiplying."
        ),
    ),
    (
        "divided by the largest",
        """
gates = zeroed(logits, k)
return gates / gates.max(axis=1, keepdims=True)
""",
        (
            "The largest gate of each row is 1 now. What must you divide the gates by, so that"
            " they sum to 1?"
        ),
    ),
    (
        "the k first experts",
        "softmax(np.where(np.arange(logits.shape[1]) < k, logits, -np.inf))",
        "The first k experts were kept, however large their logits are.",
    ),
]
