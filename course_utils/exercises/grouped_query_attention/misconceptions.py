"""Known misconceptions of `grouped_query_attention`: (name, code, question), and options where
there are some."""

import numpy as np

from course_utils import attention


def _by_index(Q, K, V, mask, keys, values=None, scale=None):
    """Attention in which head h of the queries looks at the head of keys (and of values) that a
    list names."""
    values = keys if values is None else values
    return attention.scaled_dot_product_attention(Q, K[keys], V[values], mask, scale)


def _shared(Q, K):
    return np.arange(len(Q)) // (len(Q) // len(K))


TABLE = [
    (
        "dealt out in turn",
        "_by_index(Q, K, V, mask, np.arange(len(Q)) % len(K))",
        (
            "Head 0 has the first keys, head 1 the second, and so on round and round. Asked are "
            "neighbours: the first few heads share the first."
        ),
    ),
    (
        "values dealt out in turn",
        "_by_index(Q, K, V, mask, _shared(Q, K), np.arange(len(Q)) % len(V))",
        (
            "The keys are shared by neighbours, the values are dealt out in turn. A head's keys and"
            " values belong together."
        ),
    ),
    (
        "keys dealt out in turn",
        "_by_index(Q, K, V, mask, np.arange(len(Q)) % len(K), _shared(Q, K))",
        (
            "The values are shared by neighbours, the keys are dealt out in turn. A head's keys and"
            " values belong together."
        ),
    ),
    (
        "the first keys for all",
        "_by_index(Q, K, V, mask, np.zeros(len(Q), dtype=int))",
        (
            "Every head looks at the first head of keys: that is multi-query attention. Here there"
            " are as many as K has."
        ),
    ),
    (
        "the first values for all",
        "_by_index(Q, K, V, mask, _shared(Q, K), np.zeros(len(Q), dtype=int))",
        "Each group has its own keys, but all take the first head of values.",
    ),
    (
        "the last keys for the rest",
        "_by_index(Q, K, V, mask, np.minimum(np.arange(len(Q)), len(K) - 1))",
        (
            "The first heads have keys of their own, and all others share the last. Groups are of"
            " one size."
        ),
    ),
    (
        "groups in reverse",
        "_by_index(Q, K, V, mask, _shared(Q, K)[::-1])",
        "The first heads look at the last head of keys. Count both from the same end.",
    ),
    (
        "keys and values averaged",
        (
            "attention.grouped_query_attention(Q, K.mean(axis=0, keepdims=True), V.mean(axis=0,"
            " keepdims=True), mask)"
        ),
        "The heads of keys, and those of values, became one average. Each group keeps its own.",
    ),
    (
        "queries of a group averaged",
        """
groups = Q.reshape(len(K), -1, *Q.shape[1:]).mean(axis=1)
return attention.grouped_query_attention(np.repeat(groups, len(Q) // len(K), axis=0), K, V, mask)
""",
        (
            "The queries of a group became one average. They share keys, but each asks its own "
            "question."
        ),
    ),
    (
        "only the first query of each group",
        "attention.scaled_dot_product_attention(Q[::len(Q) // len(K)], K, V, mask)",
        "There is one result for each head of keys. Asked is one for each head of queries.",
    ),
    (
        "mask forgotten",
        "attention.grouped_query_attention(Q, K, V)",
        "Every token sees every other one. The mask is an argument: who may attend to whom.",
        {"unused_arguments": "mask"},
    ),
    (
        "inverted mask",
        "attention.grouped_query_attention(Q, K, V, ~mask)",
        "True means: may attend. Your True marks what is hidden.",
    ),
    (
        "no scale",
        "attention.grouped_query_attention(Q, K, V, mask, scale=1)",
        "The scores are not divided. Each head divides by the root of its own width, as before.",
    ),
    (
        "divided by √D",
        "attention.grouped_query_attention(Q, K, V, mask, scale=(len(Q) * Q.shape[-1]) ** -0.5)",
        (
            "The root is that of all heads together. A dot product adds up one head's features: how"
            " wide is that?"
        ),
    ),
    (
        "weights @ K",
        """
weights = attention.grouped_query_attention(Q, K, V, mask)[1]
return weights @ K[_shared(Q, K)], weights
""",
        "The keys say who is looked at. What is brought are the values.",
    ),
    (
        "output and weights swapped",
        "attention.grouped_query_attention(Q, K, V, mask)[::-1]",
        "Both are right, but the weights come first. Asked are the output, then the weights.",
    ),
]
