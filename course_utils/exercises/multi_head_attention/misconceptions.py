"""Known misconceptions of `multi_head_attention`: (name, code, question), and options where there
are some."""

import numpy as np

from course_utils import attention as course
from course_utils.attention import scaled_dot_product_attention, softmax
from course_utils.exercises.multi_head_attention.exercise import LARGE, WIDTHS, multi_head_attention


def interleaved(X, n_heads):
    return X.reshape(len(X), -1, n_heads).transpose(2, 0, 1)


def _project(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_K, X @ W_V


def _attend(Q, K, V, n_heads, scale=None):
    """Heads of what was projected: (H, T, d_v)."""
    return scaled_dot_product_attention(
        *(course.split_heads(P, n_heads) for P in (Q, K, V)), scale=scale
    )[0]


def _scaled(X, W_Q, W_K, W_V, W_O, n_heads, scale):
    return course.merge_heads(_attend(*_project(X, W_Q, W_K, W_V), n_heads, scale)) @ W_O


def _cut(P, d, n_heads):
    """The columns of P in pieces of d, as slices give them: the last are narrower where P is too
    narrow."""
    return [P[:, h * d : (h + 1) * d] for h in range(n_heads)]


def _by_slices(X, W_Q, W_K, W_V, W_O, n_heads, d):
    pieces = zip(*(_cut(P, d, n_heads) for P in _project(X, W_Q, W_K, W_V)), strict=True)
    return np.hstack([softmax(Q @ K.T / np.sqrt(d)) @ V for Q, K, V in pieces]) @ W_O


def unscaled(X, W_Q, W_K, W_V, W_O, n_heads):
    return _scaled(X, W_Q, W_K, W_V, W_O, n_heads, 1)


def not_mixed(X, W_Q, W_K, W_V, W_O, n_heads):
    return course.merge_heads(_attend(*_project(X, W_Q, W_K, W_V), n_heads))


TABLE = [
    (
        "one scale √D",
        "_scaled(X, W_Q, W_K, W_V, W_O, n_heads, 1 / np.sqrt(X.shape[1]))",
        (
            "Each head's dot products run over its own d_k features. Scale by their root, not by"
            " that of the whole width."
        ),
    ),
    (
        "one scale for all heads together",
        "_scaled(X, W_Q, W_K, W_V, W_O, n_heads, 1 / np.sqrt(W_Q.shape[1]))",
        (
            "The queries of all heads side by side are H * d_k wide. Each head's dot products run"
            " over its own d_k features: scale by their root."
        ),
    ),
    (
        "divided by √(D/H)",
        "_scaled(X, W_Q, W_K, W_V, W_O, n_heads, 1 / np.sqrt(X.shape[1] / n_heads))",
        (
            "D / H is the width only if the heads share D. A dot product adds up d_k numbers: the "
            "columns of one head's queries."
        ),
        {"trap": WIDTHS},
    ),
    (
        "divided by √d_v",
        "_scaled(X, W_Q, W_K, W_V, W_O, n_heads, 1 / np.sqrt(W_V.shape[1] / n_heads))",
        (
            "d_v is the width of what is sent. A dot product adds up d_k numbers: the columns of"
            " one head's queries."
        ),
        {"trap": WIDTHS},
    ),
    (
        "values cut where keys are",
        "_by_slices(X, W_Q, W_K, W_V, W_O, n_heads, W_Q.shape[1] // n_heads)",
        (
            "Values have a width of their own, d_v: the columns of W_V, shared out among the heads."
            " Here they were cut after d_k columns."
        ),
        {"trap": WIDTHS},
    ),
    (
        "heads cut D / H wide",
        "_by_slices(X, W_Q, W_K, W_V, W_O, n_heads, X.shape[1] // n_heads)",
        (
            "The heads need not share D. How wide they are the matrices say: the columns of W_Q, "
            "shared out among the heads, and those of W_V."
        ),
        {"trap": WIDTHS},
    ),
    (
        "not scaled",
        unscaled,
        "The scores are not divided by the square root of d_k, the width of a head.",
    ),
    (
        "scaled twice",
        "_scaled(X, W_Q / np.sqrt(W_Q.shape[1] / n_heads), W_K, W_V, W_O, n_heads, None)",
        (
            "The root is right, but it divides two times over: that is a division by d_k. Once is "
            "enough."
        ),
        {"requires": "a root"},
    ),
    (
        "divided by d_k",
        "_scaled(X, W_Q, W_K, W_V, W_O, n_heads, n_heads / W_Q.shape[1])",
        "The scores are divided by d_k, the width of a head. Where is the root?",
    ),
    (
        "divided by D",
        "_scaled(X, W_Q, W_K, W_V, W_O, n_heads, 1 / X.shape[1])",
        (
            "The scores are divided by the whole width. Each head's dot products run over its own"
            " d_k features, and there is a root."
        ),
    ),
    (
        "divided by √T",
        "_scaled(X, W_Q, W_K, W_V, W_O, n_heads, 1 / np.sqrt(len(X)))",
        (
            "T is how many tokens there are. A score is a sum over the d_k features of a head:"
            " scale by those."
        ),
    ),
    (
        "divided by √H",
        "_scaled(X, W_Q, W_K, W_V, W_O, n_heads, 1 / np.sqrt(n_heads))",
        (
            "H is how many heads there are. A score is a sum over the d_k features of a head: scale"
            " by those."
        ),
    ),
    (
        "half the width in place of its root",
        "_scaled(X, W_Q, W_K, W_V, W_O, n_heads, 2 * n_heads / W_Q.shape[1])",
        (
            "In Python `d ** 1/2` is half of d: the power comes before the division. Where do the "
            "brackets belong?"
        ),
    ),
    (
        "twice the width in place of its root",
        "_scaled(X, W_Q, W_K, W_V, W_O, n_heads, n_heads / W_Q.shape[1] / 2)",
        (
            "In Python `S / d ** 1/2` divides by d, then by 2: the power comes first. Where do "
            "brackets belong?"
        ),
    ),
    (
        "multiplied instead of divided",
        "_scaled(X, W_Q, W_K, W_V, W_O, n_heads, np.sqrt(W_Q.shape[1] / n_heads))",
        "The scores grow with d_k already. Multiplying makes it worse: divide.",
    ),
    (
        "scaled after softmax",
        "unscaled(X, W_Q, W_K, W_V, W_O, n_heads) / np.sqrt(W_Q.shape[1] / n_heads)",
        "Scaled weights no longer sum to 1. The scale belongs to the scores, before the softmax.",
    ),
    (
        "heads merged without the transpose",
        "_attend(*_project(X, W_Q, W_K, W_V), n_heads).reshape(len(X), -1) @ W_O",
        (
            "The heads are right, but put together so that rows mix tokens. (H, T, d) becomes (T,"
            " H, d) before it becomes (T, H*d)."
        ),
    ),
    (
        "heads split over tokens",
        """
Q, K, V = (P.reshape(n_heads, len(X), -1) for P in _project(X, W_Q, W_K, W_V))
return course.merge_heads(scaled_dot_product_attention(Q, K, V)[0]) @ W_O
""",
        (
            "A plain reshape to (H, T, d) mixes tokens and features. Split the features first, then"
            " bring the heads to the front."
        ),
    ),
    (
        "heads attend to heads",
        """
Q, K, V = (P.reshape(len(X), n_heads, -1) for P in _project(X, W_Q, W_K, W_V))
return scaled_dot_product_attention(Q, K, V)[0].reshape(len(X), -1) @ W_O
""",
        (
            "With the axes (T, H, d) each token's heads look at each other. Tokens should look at "
            "tokens: bring the heads to the front."
        ),
    ),
    (
        "every second feature",
        """
Q, K, V = (interleaved(P, n_heads) for P in _project(X, W_Q, W_K, W_V))
return course.merge_heads(scaled_dot_product_attention(Q, K, V)[0]) @ W_O
""",
        "Head 0 gets the first d features, not every H-th of them.",
    ),
    (
        "heads averaged",
        "multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads) / n_heads",
        "The blocks of W_O add the heads up. Nothing is divided by their number.",
    ),
    (
        "heads summed before W_O",
        "_attend(*_project(X, W_Q, W_K, W_V), n_heads).sum(axis=0)",
        (
            "The heads were added up, and what makes them different is gone. Side by side, each"
            " meets rows of W_O of its own."
        ),
    ),
    (
        "heads averaged before W_O",
        "_attend(*_project(X, W_Q, W_K, W_V), n_heads).mean(axis=0)",
        (
            "The heads were averaged, and what makes them different is gone. Side by side, each"
            " meets rows of W_O of its own."
        ),
    ),
    (
        "heads not added up",
        "_attend(*_project(X, W_Q, W_K, W_V), n_heads) @ W_O.reshape(n_heads, -1, W_O.shape[1])",
        (
            "Each head went through its rows of W_O, and they are still apart: (H, T, D). One sum"
            " is left."
        ),
    ),
    (
        "one head only",
        "scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)[0] @ W_O",
        "This is a single head of full width. Split queries, keys and values into n_heads first.",
    ),
    (
        "W_O forgotten",
        not_mixed,
        (
            "The heads stand side by side. One matrix is left, which mixes them back into the"
            " model's width."
        ),
        {"unused_arguments": "W_O"},
    ),
    (
        "queries not projected",
        "course.merge_heads(_attend(X, X @ W_K, X @ W_V, n_heads)) @ W_O",
        "The heads' queries are pieces of X itself. W_Q makes queries of X first.",
    ),
    (
        "values not projected",
        "course.merge_heads(_attend(X @ W_Q, X @ W_K, X, n_heads)) @ W_O",
        "The heads' values are pieces of X itself. W_V makes values of X first.",
    ),
    (
        "nothing projected",
        "course.merge_heads(_attend(X, X, X, n_heads)) @ W_O",
        "The heads are pieces of X itself. Queries, keys and values have a matrix each.",
    ),
    (
        "one matrix for all three",
        "course.merge_heads(_attend(X @ W_Q, X @ W_Q, X @ W_Q, n_heads)) @ W_O",
        "Asking, answering and sending are three jobs with a matrix each.",
    ),
    (
        "keys and values swapped",
        "course.merge_heads(_attend(X @ W_Q, X @ W_V, X @ W_K, n_heads)) @ W_O",
        "Queries meet keys; values are what is averaged. Here it is the other way round.",
    ),
    (
        "keys and queries swapped",
        "course.merge_heads(_attend(X @ W_K, X @ W_Q, X @ W_V, n_heads)) @ W_O",
        "Queries are the rows of the scores, keys the columns. Here each key asks.",
    ),
    (
        "weights @ K",
        "course.merge_heads(_attend(X @ W_Q, X @ W_K, X @ W_K, n_heads)) @ W_O",
        "Keys only decide how much; what is averaged are the values.",
    ),
    (
        "one head only, divided by √(D/H)",
        """
Q, K, V = _project(X, W_Q, W_K, W_V)
return softmax(Q @ K.T / np.sqrt(Q.shape[1] / n_heads)) @ V @ W_O
""",
        (
            "All columns make one table of weights, as wide as they are. Each head has its own "
            "columns, scores and weights."
        ),
    ),
    (
        "softmax over queries",
        """
Q, K, V = (course.split_heads(P, n_heads) for P in _project(X, W_Q, W_K, W_V))
return course.merge_heads(softmax(course.attention_scores(Q, K), axis=-2) @ V) @ W_O
""",
        (
            "For each query the weights over the keys sum to 1: along which axis do the keys run?"
            " (Your softmax of notebook 01 may sum along axis 1, which is the keys' in one table."
            " In (H, T, T) it is the queries'.)"
        ),
    ),
    (
        "softmax missing",
        """
Q, K, V = (course.split_heads(P, n_heads) for P in _project(X, W_Q, W_K, W_V))
return course.merge_heads(course.attention_scores(Q, K) @ V) @ W_O
""",
        "The scores are used as they are. They must become weights that sum to 1 in each row.",
    ),
    (
        "keepdims forgotten",
        """
Q, K, V = (course.split_heads(P, n_heads) for P in _project(X, W_Q, W_K, W_V))
S = course.attention_scores(Q, K)
e = np.exp(S - S.max(axis=-1, keepdims=True))
return course.merge_heads(e / e.sum(axis=-1) @ V) @ W_O
""",
        (
            "The sums have lost an axis, (H, T), so NumPy lays them along the wrong one. Keep the "
            "axis: then each sum divides its own row."
        ),
    ),
    (
        "X + heads",
        "X + multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads)",
        (
            "X itself is added to what the heads bring. That comes in notebook 06; here the heads "
            "stand alone."
        ),
    ),
    (
        "weights returned as well",
        "course.multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads)",
        "The output is right. Asked is the output alone, without the weights.",
    ),
    (
        "a causal mask added",
        (
            "course.multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads,"
            " course.causal_mask(len(X)))[0]"
        ),
        "Each token sees only what comes before it. No mask is asked here.",
    ),
    (
        "heads not side by side before W_O",
        """
total = _attend(*_project(X, W_Q, W_K, W_V), n_heads).sum(axis=0)
return total @ W_O
""",
        (
            "What meets W_O is as wide as one head. Were the heads added up, or is only one kept?"
            " Side by side they are H times as wide."
        ),
    ),
    (
        "X split before it is projected",
        """
heads = course.split_heads(X, n_heads)
Q, K, V = heads @ W_Q, heads @ W_K, heads @ W_V
return course.merge_heads(scaled_dot_product_attention(Q, K, V)[0]) @ W_O
""",
        (
            "X was cut into pieces, and each piece is narrower than the matrices. Project first,"
            " then split."
        ),
    ),
    (
        "rows of the matrices instead of columns",
        """
d = W_Q.shape[1] // n_heads
return X @ W_Q[:d]
""",
        (
            "A head has some of the columns of W_Q. Here it got some of the rows: those are"
            " features that go in."
        ),
    ),
    (
        "the first head only",
        """
heads = _attend(*_project(X, W_Q, W_K, W_V), n_heads)
return heads[0] @ W_O[:heads.shape[2]]
""",
        "Only the first head is heard. All of them stand side by side before they are mixed.",
    ),
    (
        "the same head again and again",
        """
heads = _attend(*_project(X, W_Q, W_K, W_V), n_heads)
return np.hstack([heads[0]] * n_heads) @ W_O
""",
        "Every head uses the columns of the first. Each has columns of its own.",
    ),
    (
        "the last head again and again",
        """
heads = _attend(*_project(X, W_Q, W_K, W_V), n_heads)
return np.hstack([heads[-1]] * n_heads) @ W_O
""",
        "Every place holds the last head. Has each head's result a place of its own?",
    ),
    (
        "heads in reverse order",
        "course.merge_heads(_attend(*_project(X, W_Q, W_K, W_V), n_heads)[::-1]) @ W_O",
        (
            "The last head stands first, and meets rows of W_O that belong to another. Head 0 has"
            " the first d columns."
        ),
    ),
    (
        "W times X",
        "course.merge_heads(_attend(W_Q @ X, W_K @ X, W_V @ X, n_heads)) @ W_O",
        (
            "Tokens are rows, so the matrices belong on the other side: where they stand now they"
            " mix tokens."
        ),
    ),
    (
        "W_O on the left",
        "W_O @ course.merge_heads(_attend(*_project(X, W_Q, W_K, W_V), n_heads))",
        (
            "Tokens are rows here, too, so W_O belongs on the other side: where it stands now it"
            " mixes tokens."
        ),
    ),
    (
        "matrices transposed",
        "multi_head_attention(X, W_Q.T, W_K.T, W_V.T, W_O, n_heads)",
        (
            "Each matrix has a row for each feature that goes in and a column for each that comes"
            " out. It needs no transpose."
        ),
    ),
    (
        "no transpose",
        """
Q, K, V = (course.split_heads(P, n_heads) for P in _project(X, W_Q, W_K, W_V))
return course.merge_heads(softmax(Q @ K / np.sqrt(Q.shape[2])) @ V) @ W_O
""",
        (
            "Each score is the dot product of a query with a key. In `@` the keys must stand as "
            "columns."
        ),
    ),
    (
        "not divided by the sum",
        """
Q, K, V = (course.split_heads(P, n_heads) for P in _project(X, W_Q, W_K, W_V))
return course.merge_heads(np.exp(course.attention_scores(Q, K)) @ V) @ W_O
""",
        (
            "exp makes the scores positive. Weights sum to 1 in each row as well: a division is "
            "missing."
        ),
    ),
    (
        "one softmax for each head's table",
        """
Q, K, V = (course.split_heads(P, n_heads) for P in _project(X, W_Q, W_K, W_V))
e = np.exp(course.attention_scores(Q, K))
return course.merge_heads(e / e.sum(axis=(1, 2), keepdims=True) @ V) @ W_O
""",
        (
            "All weights of a head together sum to 1. Each query shares out a whole 1 of its own:"
            " row by row."
        ),
    ),
    (
        "softmax taken twice",
        """
Q, K, V = (course.split_heads(P, n_heads) for P in _project(X, W_Q, W_K, W_V))
return course.merge_heads(softmax(softmax(course.attention_scores(Q, K))) @ V) @ W_O
""",
        "The weights went through softmax once more, which flattens them. Once is enough.",
    ),
    (
        "no max-subtraction",
        """
Q, K, V = (course.split_heads(P, n_heads) for P in _project(X, W_Q, W_K, W_V))
e = np.exp(course.attention_scores(Q, K))
return course.merge_heads(e / e.sum(axis=-1, keepdims=True) @ V) @ W_O
""",
        "exp of a large score overflows and gives NaN. Use a softmax that shifts each row first.",
        {"trap": LARGE},
    ),
]
