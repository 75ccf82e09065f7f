"""Known misconceptions of `kv_cache_step`: (name, code, question), and options where there are
some."""

import numpy as np

from course_utils.attention import scaled_dot_product_attention, softmax
from course_utils.exercises.kv_cache_step.exercise import _attend, kv_cache_step


def _grown(change):
    """A mistake whose caches are right: change(q, K, V) gives the output."""

    def step(q, k, v, K, V):
        _, K, V = kv_cache_step(q, k, v, K, V)
        return change(q, K, V), K, V

    return step


TABLE = [
    (
        "the new token not seen",
        "_attend(q, K, V), *kv_cache_step(q, k, v, K, V)[1:]",
        (
            "The cache grows as it should, but the token attends to the earlier ones only. A token"
            " may see itself."
        ),
    ),
    (
        "nothing remembered",
        "kv_cache_step(q, k, v, K, V)[0], K, V",
        (
            "The output is right. But the caches come back as they were, and the next token would"
            " miss this one."
        ),
    ),
    (
        "the new token first",
        """
K, V = np.vstack([k[None], K]), np.vstack([v[None], V])
return _attend(q, K, V), K, V
""",
        (
            "The output is the same, since an average has no order. But the rows of the caches no "
            "longer follow the text."
        ),
    ),
    (
        "not scaled",
        """
_, K, V = kv_cache_step(q, k, v, K, V)
return _attend(q, K, V, scale=1), K, V
""",
        "The cache is right. In the attention the division by the square root of d_k is missing.",
    ),
    (
        "scaled by the number of keys",
        """
_, K, V = kv_cache_step(q, k, v, K, V)
return _attend(q, K, V, scale=1 / np.sqrt(len(K))), K, V
""",
        (
            "The cache is right. The scores are divided by the root of d_k, the width of a key, not"
            " of how many keys there are."
        ),
    ),
    (
        "only itself",
        "v, *kv_cache_step(q, k, v, K, V)[1:]",
        (
            "The token listens to its own value alone. What was kept of the earlier ones should be "
            "averaged in."
        ),
    ),
    (
        "the query in the cache",
        """
K, V = np.vstack([K, q[None]]), np.vstack([V, v[None]])
return _attend(q, K, V), K, V
""",
        "A query is asked once and not needed again. What later tokens look at is the key.",
    ),
    (
        "the key as the query",
        """
_, K, V = kv_cache_step(q, k, v, K, V)
return _attend(k, K, V), K, V
""",
        (
            "The caches are right. But the scores compare the kept keys with the new key instead of"
            " what the token looks for."
        ),
    ),
    (
        "keys and values swapped",
        """
output, K, V = kv_cache_step(q, k, v, K, V)
return output, V, K
""",
        "First the output, then the keys, then the values.",
    ),
    (
        "the oldest forgotten",
        """
_, K, V = kv_cache_step(q, k, v, K, V)
return _attend(q, K[1:], V[1:]), K[1:], V[1:]
""",
        (
            "The caches kept their length: the first token was dropped for the new one. Nothing"
            " should be lost."
        ),
    ),
    (
        "softmax missing",
        _grown(lambda q, K, V: K @ q / np.sqrt(len(q)) @ V),
        (
            "The caches are right. The scores average the values as they are; they should become "
            "weights first."
        ),
    ),
    (
        "not normalised",
        _grown(lambda q, K, V: np.exp(K @ q / np.sqrt(len(q))) @ V),
        "The caches are right. exp makes the scores positive; weights sum to 1 as well.",
    ),
    (
        "keys averaged",
        _grown(lambda q, K, V: _attend(q, K, K)),
        (
            "The caches are right. The keys say how much each token counts. What is averaged with "
            "these weights?"
        ),
    ),
    (
        "values asked",
        _grown(lambda q, K, V: softmax(V @ q / np.sqrt(len(q))) @ V),
        "The caches are right. The scores compare the query with the values: it looks for keys.",
    ),
    (
        "query against the columns",
        _grown(lambda q, K, V: softmax(q @ K / np.sqrt(len(q))) @ V),
        (
            "The caches are right. A score is the query with one row of K, a key; here it met the "
            "columns."
        ),
    ),
    (
        "scaled twice",
        _grown(lambda q, K, V: _attend(q / np.sqrt(len(q)), K, V)),
        (
            "The caches are right, and so is the root, but it divides two times: that is a division"
            " by d_k."
        ),
        {"requires": "a root"},
    ),
    (
        "divided by d_k",
        _grown(lambda q, K, V: _attend(q, K, V, scale=1 / len(q))),
        "The caches are right. The scores are divided by d_k itself: a square root is missing.",
    ),
    (
        "d_k**1/2 is half of d_k",
        _grown(lambda q, K, V: _attend(q, K, V, scale=2 / len(q))),
        (
            "The caches are right. A power comes before a division: d_k**1/2 is d_k, and then half"
            " of it."
        ),
    ),
    (
        "divided by d_k and by 2",
        _grown(lambda q, K, V: _attend(q, K, V, scale=1 / (2 * len(q)))),
        (
            "The caches are right. A power comes before a division: / d_k**1/2 divides by d_k, and "
            "then by 2."
        ),
    ),
    (
        "not added up",
        _grown(lambda q, K, V: softmax(K @ q / np.sqrt(len(q)))[:, None] * V),
        (
            "The caches are right. Each value is weighted, but they still stand below each other."
            " One output is wanted."
        ),
    ),
    (
        "multiplied instead of divided",
        _grown(lambda q, K, V: _attend(q, K, V, scale=np.sqrt(len(q)))),
        "The caches are right. The scores should get smaller by √d_k, and they grow by it.",
    ),
    (
        "scaled after softmax",
        _grown(lambda q, K, V: _attend(q, K, V, scale=1) / np.sqrt(len(q))),
        "The caches are right. The division belongs to the scores, before softmax.",
    ),
    (
        "scaled by the width of a value",
        _grown(lambda q, K, V: _attend(q, K, V, scale=1 / np.sqrt(V.shape[1]))),
        (
            "The caches are right. A score is a product of d_k terms: it is the width of a key that"
            " counts."
        ),
    ),
    (
        "all tokens alike",
        _grown(lambda q, K, V: V.mean(axis=0)),
        (
            "The caches are right. The output is the plain mean of all values: the scores do not"
            " enter."
        ),
    ),
    (
        "values added up",
        _grown(lambda q, K, V: V.sum(axis=0)),
        (
            "The caches are right. Every weight is 1: over which axis do the weights of one query"
            " sum to 1?"
        ),
    ),
    (
        "the weights returned",
        _grown(lambda q, K, V: softmax(K @ q / np.sqrt(len(q)))),
        "The caches are right. These are the weights; one step is left.",
    ),
    (
        "a table of one row",
        _grown(lambda q, K, V: _attend(q, K, V)[None]),
        (
            "The numbers are right. The output of one token is a vector, (d_v,), not a table with"
            " one row."
        ),
    ),
    (
        "everything attends again",
        _grown(lambda q, K, V: scaled_dot_product_attention(K, K, V)[0]),
        "The caches are right. Old tokens have had their say: only the new query is asked now.",
    ),
    (
        "the newest overwritten",
        """
K, V = K.copy(), V.copy()
K[-1], V[-1] = k, v
return _attend(q, K, V), K, V
""",
        (
            "The caches kept their length: the new row stands where the last one was. A row is"
            " added, none is lost."
        ),
    ),
    (
        "only the new row remembered",
        "kv_cache_step(q, k, v, K, V)[0], k, v",
        (
            "The output is right. But the caches come back as the new key and value alone: the"
            " earlier rows are lost."
        ),
    ),
    (
        "k and v in each other's cache",
        "kv_cache_step(q, v, k, K, V)",
        "The key went to the values and the value to the keys.",
    ),
    (
        "the new token not seen, nothing remembered",
        "_attend(q, K, V), K, V",
        (
            "The output looks at the earlier tokens only, and the caches come back as they were: k"
            " and v do not enter."
        ),
    ),
    (
        "new keys, old values",
        """
K_new, V_new = np.vstack([K, k]), np.vstack([V, v])
weights = softmax(K_new @ q / np.sqrt(len(q)))
output = weights @ V
return output, K_new, V_new
""",
        (
            "The weights come from the grown keys, and there is one for each of them. The values"
            " they meet are those of before."
        ),
    ),
    (
        "old keys, new values",
        """
K_new, V_new = np.vstack([K, k]), np.vstack([V, v])
weights = softmax(K @ q / np.sqrt(len(q)))
output = weights @ V_new
return output, K_new, V_new
""",
        (
            "The values have grown, and the weights come from the keys of before: one is missing."
            " Use both as they are after growing."
        ),
    ),
    (
        "only the values remembered",
        """
output, _, V = kv_cache_step(q, k, v, K, V)
return output, K, V
""",
        "The output and the values are right. The keys came back without the new row.",
    ),
    (
        "the key in both caches",
        "kv_cache_step(q, k, k, K, V)",
        "The new key went into the values, too. The values get v.",
    ),
    (
        "the value in both caches",
        "kv_cache_step(q, v, v, K, V)",
        "The new value went into the keys, too. The keys get k.",
    ),
    (
        "caches first",
        """
output, K, V = kv_cache_step(q, k, v, K, V)
return K, V, output
""",
        "First the output, then the keys, then the values.",
    ),
    (
        "only the best key",
        """
_, K, V = kv_cache_step(q, k, v, K, V)
return V[(K @ q).argmax()], K, V
""",
        (
            "The caches are right. One value alone is sent on. Softmax is softer: every key gets a "
            "share."
        ),
    ),
]
