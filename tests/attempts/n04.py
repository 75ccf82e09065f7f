"""Attempts at the exercises of notebook 04: causal_mask and masked_attention."""

from attempts import Attempt

ATTEMPTS = [
    Attempt("causal_mask", "", """
def my_causal_mask(T):
    mask = np.zeros((T, T), dtype=bool)
    for i in range(T):
        for j in range(i + 1):
            mask[i, j] = True
    return mask
"""),
    Attempt("causal_mask", "", """
def my_causal_mask(T):
    future = np.triu(np.ones((T, T)), k=1)
    return future == 0
"""),
    Attempt("causal_mask", "", """
def my_causal_mask(T):
    return np.array([[key <= query for key in range(T)] for query in range(T)])
"""),
    Attempt("causal_mask", "", """
def my_causal_mask(T):
    rows, cols = np.indices((T, T))
    return ~(cols > rows)
"""),
    Attempt("causal_mask", "wrong corner: np.triu shows the future", """
def my_causal_mask(T):
    mask = np.triu(np.ones((T, T), dtype=bool))
    return mask
"""),
    Attempt("causal_mask", "wrong corner: <= for >=", """
def my_causal_mask(T):
    return np.arange(T)[:, None] <= np.arange(T)
"""),
    Attempt("causal_mask", "wrong corner: the new axis is on the other arange", """
def my_causal_mask(T):
    i = np.arange(T)
    mask = i >= i[:, np.newaxis]
    return mask
"""),
    Attempt("causal_mask", "True where hidden: only the future is True", """
def my_causal_mask(T):
    mask = np.triu(np.ones((T, T)), k=1).astype(bool)
    return mask
"""),
    Attempt("causal_mask", "True where hidden: the mask is turned round", """
def my_causal_mask(T):
    mask = np.tri(T, dtype=bool)
    return ~mask
"""),
    Attempt("causal_mask", "the diagonal is missing: > for >=", """
def my_causal_mask(T):
    positions = np.arange(T)
    return positions[:, None] > positions[None, :]
"""),
    Attempt("causal_mask", "the diagonal is missing: k=-1", """
def my_causal_mask(T):
    mask = np.tri(T, k=-1, dtype=bool)
    return mask
"""),
    Attempt("causal_mask", "the diagonal is missing: the loop stops before i", """
def my_causal_mask(T):
    mask = np.full((T, T), False)
    for i in range(T):
        for j in range(i):
            mask[i, j] = True
    return mask
"""),
    Attempt("causal_mask", "one token of the future is seen: k=1", """
def my_causal_mask(T):
    mask = np.tril(np.ones((T, T), dtype=bool), k=1)
    return mask
"""),
    Attempt("causal_mask", "numbers instead of bool: dtype forgotten", """
def my_causal_mask(T):
    mask = np.tri(T)
    return mask
"""),
    Attempt("causal_mask", "whole numbers instead of bool", """
def my_causal_mask(T):
    return np.tril(np.ones((T, T), dtype=int))
"""),
    Attempt("causal_mask", "numbers instead of bool: True is put into a table of zeros", """
def my_causal_mask(T):
    mask = np.zeros((T, T))
    for i in range(T):
        mask[i, :i + 1] = True
    return mask
"""),
    Attempt("causal_mask", "a mask of 0 and -inf instead of bool", """
def my_causal_mask(T):
    mask = np.zeros((T, T))
    mask[np.triu_indices(T, k=1)] = -np.inf
    return mask
"""),
    Attempt("causal_mask", "no new axis: compares each position with itself", """
def my_causal_mask(T):
    mask = np.arange(T) >= np.arange(T)
    return mask
"""),
    Attempt("causal_mask", "all True", """
def my_causal_mask(T):
    mask = np.ones((T, T), dtype=bool)
    return mask
"""),
    Attempt("causal_mask", "only the diagonal", """
def my_causal_mask(T):
    return np.eye(T, dtype=bool)
"""),
    Attempt("causal_mask", "copies of one list: writing a row writes them all", """
def my_causal_mask(T):
    mask = [[False] * T] * T
    for i in range(T):
        for j in range(i + 1):
            mask[i][j] = True
    return np.array(mask)
"""),
    Attempt("causal_mask", "counts from 1: a row is missing", """
def my_causal_mask(T):
    return np.arange(1, T)[:, None] >= np.arange(T)
"""),
    Attempt("causal_mask", "counts keys from 1: the diagonal is missing", """
def my_causal_mask(T):
    query = np.arange(T).reshape(T, 1)
    key = np.arange(1, T + 1).reshape(1, T)
    return query >= key
"""),
    Attempt("causal_mask", "np.tril of a number: not a table", """
def my_causal_mask(T):
    mask = np.tril(T).astype(bool)
    return mask
"""),
    Attempt("causal_mask", "shape without brackets: raises", """
def my_causal_mask(T):
    mask = np.ones(T, T)
    return np.tril(mask).astype(bool)
"""),
    Attempt("causal_mask", "prints instead of returning", """
def my_causal_mask(T):
    print(np.tri(T, dtype=bool))
"""),

    Attempt("masked_attention", "", """
def my_masked_attention(Q, K, V, mask):
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    scores[~mask] = -np.inf
    weights = softmax(scores, axis=-1)
    return weights @ V, weights
"""),
    Attempt("masked_attention", "", """
def my_masked_attention(Q, K, V, mask):
    weights = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        seen = np.flatnonzero(mask[i])
        if len(seen) == 0:
            continue
        scores = K[seen] @ Q[i] / np.sqrt(len(Q[i]))
        weights[i, seen] = softmax(scores)
    output = np.dot(weights, V)
    return output, weights
"""),
    Attempt("masked_attention", "", """
def my_masked_attention(Q, K, V, mask):
    d_k = Q.shape[1]
    hide = np.zeros(mask.shape)
    hide[mask == False] = -np.inf
    A = softmax(np.einsum("id,jd->ij", Q, K) * d_k ** -0.5 + hide)
    out = np.einsum("ij,jv->iv", A, V)
    return out, A
"""),
    Attempt("masked_attention", "", """
def my_masked_attention(Q, K, V, mask):
    S = np.matmul(Q / np.sqrt(Q.shape[1]), K.T)
    S[mask == 0] = -np.inf
    top = S.max(axis=1, keepdims=True)
    top[top == -np.inf] = 0
    e = np.exp(S - top)
    total = e.sum(axis=1, keepdims=True)
    total[total == 0] = 1
    A = e / total
    return np.matmul(A, V), A
"""),
    Attempt("masked_attention", "the mask is not used", """
def my_masked_attention(Q, K, V, mask):
    weights = softmax(Q @ K.T / np.sqrt(Q.shape[1]))
    output = weights @ V
    return output, weights
"""),
    Attempt("masked_attention", "the mask is turned round: hides what may be seen", """
def my_masked_attention(Q, K, V, mask):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    scores = np.where(mask, -np.inf, scores)
    weights = softmax(scores)
    return weights @ V, weights
"""),
    Attempt("masked_attention", "the mask is turned round: ~ forgotten", """
def my_masked_attention(Q, K, V, mask):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    scores[mask] = -np.inf
    weights = softmax(scores)
    output = weights @ V
    return output, weights
"""),
    Attempt("masked_attention", "zeroes the weights after the softmax: rows do not sum to 1", """
def my_masked_attention(Q, K, V, mask):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    weights = softmax(scores) * mask
    return weights @ V, weights
"""),
    Attempt("masked_attention", "zeroes the weights after the softmax: rows do not sum to 1", """
def my_masked_attention(Q, K, V, mask):
    d_k = Q.shape[-1]
    A = softmax(Q @ K.T / np.sqrt(d_k))
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if not mask[i, j]:
                A[i, j] = 0
    return A @ V, A
"""),
    Attempt("masked_attention", "zeroes the weights and divides by their sum: 0/0 where nothing is seen", """
def my_masked_attention(Q, K, V, mask):
    weights = softmax(Q @ K.T / np.sqrt(Q.shape[1])) * mask
    weights = weights / weights.sum(axis=1, keepdims=True)
    return weights @ V, weights
"""),
    Attempt("masked_attention", "hidden scores are 0 instead of -inf: they still get weight", """
def my_masked_attention(Q, K, V, mask):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    scores = np.where(mask, scores, 0)
    weights = softmax(scores)
    return weights @ V, weights
"""),
    Attempt("masked_attention", "multiplies the scores by the mask: hidden scores are 0, not -inf", """
def my_masked_attention(Q, K, V, mask):
    S = (Q @ K.T) / np.sqrt(K.shape[1]) * mask
    A = softmax(S)
    return A @ V, A
"""),
    Attempt("masked_attention", "adds the bool mask: visible scores grow by 1", """
def my_masked_attention(Q, K, V, mask):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    weights = softmax(scores + mask)
    return weights @ V, weights
"""),
    Attempt("masked_attention", "-1e9 instead of -inf: a query that sees nothing attends to all", """
def my_masked_attention(Q, K, V, mask):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    scores = np.where(mask, scores, -1e9)
    weights = softmax(scores)
    return weights @ V, weights
"""),
    Attempt("masked_attention", "(1 - mask) * -1e9: a query that sees nothing attends as without a mask", """
def my_masked_attention(Q, K, V, mask):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    scores = scores + (1 - mask) * -1e9
    weights = softmax(scores)
    output = weights @ V
    return output, weights
"""),
    Attempt("masked_attention", "(~mask) * -inf: 0 times inf is NaN", """
def my_masked_attention(Q, K, V, mask):
    scores = Q @ K.T / np.sqrt(Q.shape[1]) + (~mask) * -np.inf
    weights = softmax(scores)
    return weights @ V, weights
"""),
    Attempt("masked_attention", "softmax by hand: a row of nothing is NaN", """
def my_masked_attention(Q, K, V, mask):
    S = np.where(mask, Q @ K.T / np.sqrt(Q.shape[1]), -np.inf)
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    A = E / E.sum(axis=-1, keepdims=True)
    return A @ V, A
"""),
    Attempt("masked_attention", "output and weights in the wrong order", """
def my_masked_attention(Q, K, V, mask):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights, weights @ V
"""),
    Attempt("masked_attention", "only the output is returned", """
def my_masked_attention(Q, K, V, mask):
    scores = np.where(mask, Q @ K.T / np.sqrt(Q.shape[1]), -np.inf)
    output = softmax(scores) @ V
    return output
"""),
    Attempt("masked_attention", "returns the scores instead of the weights", """
def my_masked_attention(Q, K, V, mask):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    scores[~mask] = -np.inf
    output = softmax(scores) @ V
    return output, scores
"""),
    Attempt("masked_attention", "not scaled", """
def my_masked_attention(Q, K, V, mask):
    scores = np.where(mask, Q @ K.T, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights
"""),
    Attempt("masked_attention", "divides by sqrt(T) instead of sqrt(d_k)", """
def my_masked_attention(Q, K, V, mask):
    T = Q.shape[0]
    scores = Q @ K.T / np.sqrt(T)
    scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights
"""),
    Attempt("masked_attention", "divides by d_k without the root", """
def my_masked_attention(Q, K, V, mask):
    scores = Q @ K.T / Q.shape[-1]
    weights = softmax(np.where(mask, scores, -np.inf))
    output = weights @ V
    return output, weights
"""),
    Attempt("masked_attention", "its own causal mask instead of the one given", """
def my_masked_attention(Q, K, V, mask):
    T, d_k = Q.shape
    mask = np.tri(T, dtype=bool)
    scores = np.where(mask, Q @ K.T / np.sqrt(d_k), -np.inf)
    weights = softmax(scores)
    return weights @ V, weights
"""),
    Attempt("masked_attention", "the mask transposed", """
def my_masked_attention(Q, K, V, mask):
    scores = np.where(mask.T, Q @ K.T / np.sqrt(Q.shape[1]), -np.inf)
    weights = softmax(scores)
    return weights @ V, weights
"""),
    Attempt("masked_attention", "softmax over the queries: axis 0", """
def my_masked_attention(Q, K, V, mask):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    scores[np.logical_not(mask)] = -np.inf
    weights = softmax(scores, axis=0)
    return weights @ V, weights
"""),
    Attempt("masked_attention", "no softmax", """
def my_masked_attention(Q, K, V, mask):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    weights = np.where(mask, scores, 0)
    return weights @ V, weights
"""),
    Attempt("masked_attention", "the output is made from weights without the mask", """
def my_masked_attention(Q, K, V, mask):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    output = softmax(scores) @ V
    weights = softmax(np.where(mask, scores, -np.inf))
    return output, weights
"""),
    Attempt("masked_attention", "if mask: a table has no single truth value, raises", """
def my_masked_attention(Q, K, V, mask):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    if mask:
        scores = -np.inf
    weights = softmax(scores)
    return weights @ V, weights
"""),
    Attempt("masked_attention", "not mask instead of ~mask: raises", """
def my_masked_attention(Q, K, V, mask):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    scores[not mask] = -np.inf
    weights = softmax(scores)
    return weights @ V, weights
"""),
]
