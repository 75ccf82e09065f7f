"""Attempts at the exercises of notebook 05: split_heads, merge_heads and multi_head_attention.

The notebook's own split_heads and merge_heads stand before those attempts at multi_head_attention that use them.
"""

from attempts import Attempt

HEADS = """
def split_heads(X, n_heads):
    T, D = X.shape
    return X.reshape(T, n_heads, D // n_heads).transpose(1, 0, 2)

def merge_heads(X):
    H, T, d = X.shape
    return X.transpose(1, 0, 2).reshape(T, H * d)
"""

ATTEMPTS = [
    Attempt("split_heads", "", """
def my_split_heads(X, n_heads):
    d = X.shape[1] // n_heads
    heads = []
    for h in range(n_heads):
        heads.append(X[:, h * d:(h + 1) * d])
    return np.stack(heads)
"""),
    Attempt("split_heads", "", """
def my_split_heads(X, n_heads):
    return np.array(np.split(X, n_heads, axis=1))
"""),
    Attempt("split_heads", "", """
def my_split_heads(X, n_heads):
    T, D = X.shape
    d = D // n_heads
    return X.T.reshape(n_heads, d, T).swapaxes(1, 2)
"""),
    Attempt("split_heads", "", """
def my_split_heads(X, n_heads):
    T, D = X.shape
    d = int(D / n_heads)
    heads = np.zeros((n_heads, T, d))
    for t in range(T):
        for j in range(D):
            heads[j // d, t, j % d] = X[t, j]
    return heads
"""),
    Attempt("split_heads", "a single reshape: the right shape, the wrong numbers", """
def my_split_heads(X, n_heads):
    T, D = X.shape
    heads = X.reshape(n_heads, T, D // n_heads)
    return heads
"""),
    Attempt("split_heads", "a single reshape with -1: the right shape, the wrong numbers", """
def my_split_heads(X, n_heads):
    return np.reshape(X, (n_heads, len(X), -1))
"""),
    Attempt("split_heads", "the transpose is missing: (T, H, d)", """
def my_split_heads(X, n_heads):
    T, D = X.shape
    d = D // n_heads
    heads = X.reshape(T, n_heads, d)
    return heads
"""),
    Attempt("split_heads", "features dealt out in turn: reshape to (T, d, H)", """
def my_split_heads(X, n_heads):
    T, D = X.shape
    d = D // n_heads
    return X.reshape(T, d, n_heads).transpose(2, 0, 1)
"""),
    Attempt("split_heads", "features dealt out in turn: every n_heads-th", """
def my_split_heads(X, n_heads):
    heads = [X[:, h::n_heads] for h in range(n_heads)]
    return np.array(heads)
"""),
    Attempt("split_heads", "transposes the wrong axes: (0, 2, 1)", """
def my_split_heads(X, n_heads):
    T, D = X.shape
    heads = X.reshape(T, n_heads, D // n_heads)
    heads = heads.transpose(0, 2, 1)
    return heads
"""),
    Attempt("split_heads", "transposes the wrong axes: (1, 2, 0) gives (H, d, T)", """
def my_split_heads(X, n_heads):
    T, D = X.shape
    return X.reshape(T, n_heads, D // n_heads).transpose(1, 2, 0)
"""),
    Attempt("split_heads", ".T turns all three axes round: (d, H, T)", """
def my_split_heads(X, n_heads):
    T, D = X.shape
    d = D // n_heads
    heads = X.reshape(T, n_heads, d).T
    return heads
"""),
    Attempt("split_heads", "reshape of X.T: (H, d, T), the axes are not swapped back", """
def my_split_heads(X, n_heads):
    T, D = X.shape
    return X.T.reshape(n_heads, D // n_heads, T)
"""),
    Attempt("split_heads", "transposes first and then reshapes: wrong numbers", """
def my_split_heads(X, n_heads):
    T, D = X.shape
    return X.T.reshape(n_heads, T, D // n_heads)
"""),
    Attempt("split_heads", "splits the tokens: axis 0", """
def my_split_heads(X, n_heads):
    return np.array(np.split(X, n_heads, axis=0))
"""),
    Attempt("split_heads", "splits the tokens: T // H", """
def my_split_heads(X, n_heads):
    T, D = X.shape
    t = T // n_heads
    heads = []
    for i in range(n_heads):
        heads.append(X[i * t:(i + 1) * t])
    return np.stack(heads)
"""),
    Attempt("split_heads", "n_heads taken for the width of a head", """
def my_split_heads(X, n_heads):
    T, D = X.shape
    return X.reshape(T, D // n_heads, n_heads).transpose(1, 0, 2)
"""),
    Attempt("split_heads", "D / n_heads is not a whole number's type: reshape raises", """
def my_split_heads(X, n_heads):
    T, D = X.shape
    d = D / n_heads
    return X.reshape(T, n_heads, d).transpose(1, 0, 2)
"""),
    Attempt("split_heads", "slices overlap: i:i+d instead of i*d:(i+1)*d", """
def my_split_heads(X, n_heads):
    d = X.shape[1] // n_heads
    heads = np.stack([X[:, i:i + d] for i in range(n_heads)])
    return heads
"""),
    Attempt("split_heads", "the pieces are glued together again: concatenate instead of stack", """
def my_split_heads(X, n_heads):
    pieces = np.split(X, n_heads, axis=1)
    return np.concatenate(pieces)
"""),
    Attempt("split_heads", "stacked along axis 1: (T, H, d)", """
def my_split_heads(X, n_heads):
    d = X.shape[-1] // n_heads
    heads = []
    for h in range(n_heads):
        heads.append(X[:, h * d:h * d + d])
    heads = np.stack(heads, axis=1)
    return heads
"""),
    Attempt("split_heads", "every head gets all features", """
def my_split_heads(X, n_heads):
    heads = np.stack([X] * n_heads)
    return heads
"""),
    Attempt("split_heads", "the transposed array is not kept", """
def my_split_heads(X, n_heads):
    T, D = X.shape
    heads = X.reshape(T, n_heads, D // n_heads)
    np.transpose(heads, (1, 0, 2))
    return heads
"""),
    Attempt("split_heads", "the reshaped array is not kept: transpose raises", """
def my_split_heads(X, n_heads):
    T, D = X.shape
    X.reshape(T, n_heads, D // n_heads)
    return X.transpose(1, 0, 2)
"""),
    Attempt("split_heads", "returns in the loop: only the first head", """
def my_split_heads(X, n_heads):
    T, D = X.shape
    d = D // n_heads
    heads = np.zeros((n_heads, T, d))
    for h in range(n_heads):
        heads[h] = X[:, h * d:(h + 1) * d]
        return heads
"""),

    Attempt("merge_heads", "", """
def my_merge_heads(X):
    return np.hstack([head for head in X])
"""),
    Attempt("merge_heads", "", """
def my_merge_heads(X):
    H, T, d = X.shape
    merged = np.zeros((T, H * d))
    for h in range(H):
        merged[:, h * d:(h + 1) * d] = X[h]
    return merged
"""),
    Attempt("merge_heads", "", """
def my_merge_heads(X):
    merged = X[0]
    for i in range(1, len(X)):
        merged = np.concatenate((merged, X[i]), axis=1)
    return merged
"""),
    Attempt("merge_heads", "", """
def my_merge_heads(X):
    rows = []
    for t in range(X.shape[1]):
        rows.append(X[:, t, :].flatten())
    return np.array(rows)
"""),
    Attempt("merge_heads", "a single reshape: the right shape, the wrong numbers", """
def my_merge_heads(X):
    H, T, d = X.shape
    merged = X.reshape(T, H * d)
    return merged
"""),
    Attempt("merge_heads", "a single reshape with -1: the right shape, the wrong numbers", """
def my_merge_heads(X):
    return X.reshape(X.shape[1], -1)
"""),
    Attempt("merge_heads", "the reshape is missing: (T, H, d)", """
def my_merge_heads(X):
    merged = X.transpose(1, 0, 2)
    return merged
"""),
    Attempt("merge_heads", "heads below each other: concatenate along axis 0", """
def my_merge_heads(X):
    return np.concatenate([head for head in X], axis=0)
"""),
    Attempt("merge_heads", "heads below each other: vstack", """
def my_merge_heads(X):
    merged = np.vstack(list(X))
    return merged
"""),
    Attempt("merge_heads", "heads below each other: loop that appends rows", """
def my_merge_heads(X):
    merged = []
    for head in X:
        for row in head:
            merged.append(row)
    return np.array(merged)
"""),
    Attempt("merge_heads", "stacks instead of gluing: (T, H, d)", """
def my_merge_heads(X):
    return np.stack(list(X), axis=1)
"""),
    Attempt("merge_heads", "features interleaved: transpose(1, 2, 0)", """
def my_merge_heads(X):
    H, T, d = X.shape
    return X.transpose(1, 2, 0).reshape(T, H * d)
"""),
    Attempt("merge_heads", "features interleaved: dstack", """
def my_merge_heads(X):
    H, T, d = X.shape
    merged = np.dstack(list(X)).reshape(T, H * d)
    return merged
"""),
    Attempt("merge_heads", "swaps the last two axes instead of the first two", """
def my_merge_heads(X):
    H, T, d = X.shape
    merged = X.swapaxes(-1, -2).reshape(T, H * d)
    return merged
"""),
    Attempt("merge_heads", ".T turns all three axes round", """
def my_merge_heads(X):
    H, T, d = X.shape
    return X.T.reshape(T, H * d)
"""),
    Attempt("merge_heads", "the shape read in the wrong order: T, H, d", """
def my_merge_heads(X):
    T, H, d = X.shape
    return X.transpose(1, 0, 2).reshape(T, H * d)
"""),
    Attempt("merge_heads", "shape read as T, H, d and no transpose: the input's tokens are taken for heads", """
def my_merge_heads(X):
    T, H, d = X.shape
    merged = np.reshape(X, (T, H * d))
    return merged
"""),
    Attempt("merge_heads", "adds the heads up", """
def my_merge_heads(X):
    return X.sum(axis=0)
"""),
    Attempt("merge_heads", "averages the heads", """
def my_merge_heads(X):
    merged = np.mean(X, axis=0)
    return merged
"""),
    Attempt("merge_heads", "H + d columns instead of H * d: raises", """
def my_merge_heads(X):
    H, T, d = X.shape
    return X.transpose(1, 0, 2).reshape(T, H + d)
"""),
    Attempt("merge_heads", "the merged table transposed", """
def my_merge_heads(X):
    H, T, d = X.shape
    return X.transpose(0, 2, 1).reshape(H * d, T)
"""),
    Attempt("merge_heads", "one long row: flatten", """
def my_merge_heads(X):
    X = np.swapaxes(X, 0, 1)
    return X.flatten()
"""),
    Attempt("merge_heads", "only two heads are merged", """
def my_merge_heads(X):
    return np.hstack([X[0], X[1]])
"""),
    Attempt("merge_heads", "slices overlap: h:h+d instead of h*d:(h+1)*d", """
def my_merge_heads(X):
    H, T, d = X.shape
    merged = np.zeros((T, H * d))
    for h in range(H):
        merged[:, h:h + d] = X[h]
    return merged
"""),
    Attempt("merge_heads", "the transposed array is not kept", """
def my_merge_heads(X):
    H, T, d = X.shape
    X.transpose(1, 0, 2)
    merged = X.reshape(T, H * d)
    return merged
"""),
    Attempt("merge_heads", "concatenate without a list: raises", """
def my_merge_heads(X):
    merged = X[0]
    for h in range(1, X.shape[0]):
        merged = np.concatenate(merged, X[h], axis=1)
    return merged
"""),
    Attempt("merge_heads", "a name that is not there: n_heads", """
def my_merge_heads(X):
    T = X.shape[1]
    d = X.shape[2]
    return X.transpose(1, 0, 2).reshape(T, n_heads * d)
"""),

    Attempt("multi_head_attention", "cuts the values where the keys are cut: d_v taken for d_k", """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    d = Q.shape[1] // n_heads
    outs = []
    for h in range(n_heads):
        cols = slice(h * d, (h + 1) * d)
        a = softmax(Q[:, cols] @ K[:, cols].T / np.sqrt(d))
        outs.append(a @ V[:, cols])
    return np.hstack(outs) @ W_O
"""),
    Attempt("multi_head_attention", "", HEADS + """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q = split_heads(np.matmul(X, W_Q), n_heads)
    K = split_heads(np.matmul(X, W_K), n_heads)
    V = split_heads(np.matmul(X, W_V), n_heads)
    scores = np.einsum("hid,hjd->hij", Q, K) / Q.shape[2] ** 0.5
    weights = softmax(scores, axis=2)
    heads = np.einsum("hij,hjd->hid", weights, V)
    return np.matmul(merge_heads(heads), W_O)
"""),
    Attempt("multi_head_attention", "cuts the values where the keys are cut: d_v taken for d_k", """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    d = W_Q.shape[1] // n_heads
    output = 0
    for h in range(n_heads):
        a, b = h * d, (h + 1) * d
        q = X @ W_Q[:, a:b]
        k = X @ W_K[:, a:b]
        v = X @ W_V[:, a:b]
        head = softmax(q @ k.T / np.sqrt(d)) @ v
        output = output + head @ W_O[a:b]
    return output
"""),
    Attempt("multi_head_attention", "", HEADS + """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q = split_heads(X @ W_Q, n_heads)
    K = split_heads(X @ W_K, n_heads)
    V = split_heads(X @ W_V, n_heads)
    d_k = Q.shape[-1]
    heads = np.zeros(V.shape)
    for h in range(n_heads):
        heads[h] = softmax(Q[h] @ K[h].T / np.sqrt(d_k)) @ V[h]
    merged = merge_heads(heads)
    return merged @ W_O
"""),
    Attempt("multi_head_attention", "divides by sqrt(D) instead of sqrt(d_k)", HEADS + """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    D = X.shape[-1]
    Q = split_heads(X @ W_Q, n_heads)
    K = split_heads(X @ W_K, n_heads)
    V = split_heads(X @ W_V, n_heads)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(D))
    output = merge_heads(weights @ V) @ W_O
    return output
"""),
    Attempt("multi_head_attention", "divides by sqrt(D) instead of sqrt(d_k): the width before the split", """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    scale = np.sqrt(K.shape[1])
    parts = zip(np.split(Q, n_heads, axis=1), np.split(K, n_heads, axis=1), np.split(V, n_heads, axis=1))
    heads = [softmax(q @ k.T / scale) @ v for q, k, v in parts]
    return np.concatenate(heads, axis=1) @ W_O
"""),
    Attempt("multi_head_attention", "not scaled", HEADS + """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    weights = softmax(Q @ K.transpose(0, 2, 1))
    return merge_heads(weights @ V) @ W_O
"""),
    Attempt("multi_head_attention", "divides by sqrt(T) instead of sqrt(d_k): shape[1] of (H, T, d)", HEADS + """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q = split_heads(X @ W_Q, n_heads)
    K = split_heads(X @ W_K, n_heads)
    V = split_heads(X @ W_V, n_heads)
    weights = softmax(Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[1]))
    return merge_heads(weights @ V) @ W_O
"""),
    Attempt("multi_head_attention", "divides by sqrt(H) instead of sqrt(d_k)", HEADS + """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q = split_heads(X @ W_Q, n_heads)
    K = split_heads(X @ W_K, n_heads)
    V = split_heads(X @ W_V, n_heads)
    scores = Q @ K.swapaxes(-1, -2)
    scores = scores / np.sqrt(n_heads)
    return merge_heads(softmax(scores) @ V) @ W_O
"""),
    Attempt("multi_head_attention", "divides by d_k without the root", """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    T, D = X.shape
    d = D // n_heads
    heads = []
    for h in range(n_heads):
        s = slice(h * d, h * d + d)
        Q, K, V = X @ W_Q[:, s], X @ W_K[:, s], X @ W_V[:, s]
        heads.append(softmax(Q @ K.T / d) @ V)
    return np.concatenate(heads, axis=-1) @ W_O
"""),
    Attempt("multi_head_attention", "W_O forgotten: the heads are not mixed", HEADS + """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q = split_heads(X @ W_Q, n_heads)
    K = split_heads(X @ W_K, n_heads)
    V = split_heads(X @ W_V, n_heads)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    output = merge_heads(weights @ V)
    return output
"""),
    Attempt("multi_head_attention", "merge forgotten: the heads meet W_O as they are", HEADS + """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q = split_heads(X @ W_Q, n_heads)
    K = split_heads(X @ W_K, n_heads)
    V = split_heads(X @ W_V, n_heads)
    A = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    return A @ V @ W_O
"""),
    Attempt("multi_head_attention", "not split: one head over the full width", """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q = X @ W_Q
    K = X @ W_K
    V = X @ W_V
    d_k = Q.shape[-1] // n_heads
    weights = softmax(Q @ K.T / np.sqrt(d_k))
    return weights @ V @ W_O
"""),
    Attempt("multi_head_attention", "K.T turns all three axes round", HEADS + """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q = split_heads(X @ W_Q, n_heads)
    K = split_heads(X @ W_K, n_heads)
    V = split_heads(X @ W_V, n_heads)
    weights = softmax(Q @ K.T / np.sqrt(Q.shape[-1]))
    return merge_heads(weights @ V) @ W_O
"""),
    Attempt("multi_head_attention", "swaps the wrong axes of K: heads and tokens", HEADS + """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = [split_heads(X @ W, n_heads) for W in [W_Q, W_K, W_V]]
    d = Q.shape[-1]
    scores = Q @ K.transpose(1, 0, 2) / np.sqrt(d)
    return merge_heads(softmax(scores) @ V) @ W_O
"""),
    Attempt("multi_head_attention", "heads from a single reshape: tokens and features mixed", """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    T, D = X.shape
    d = D // n_heads
    Q = (X @ W_Q).reshape(n_heads, T, d)
    K = (X @ W_K).reshape(n_heads, T, d)
    V = (X @ W_V).reshape(n_heads, T, d)
    A = softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(d))
    return (A @ V).transpose(1, 0, 2).reshape(T, D) @ W_O
"""),
    Attempt("multi_head_attention", "merged by a single reshape: tokens and heads mixed", HEADS + """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    T, D = X.shape
    Q, K, V = (split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    A = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    merged = (A @ V).reshape(T, D)
    return merged @ W_O
"""),
    Attempt("multi_head_attention", "softmax over the queries: axis 1", HEADS + """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q = split_heads(X @ W_Q, n_heads)
    K = split_heads(X @ W_K, n_heads)
    V = split_heads(X @ W_V, n_heads)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]), axis=1)
    return merge_heads(weights @ V) @ W_O
"""),
    Attempt("multi_head_attention", "no softmax", HEADS + """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q = split_heads(X @ W_Q, n_heads)
    K = split_heads(X @ W_K, n_heads)
    V = split_heads(X @ W_V, n_heads)
    weights = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    return merge_heads(weights @ V) @ W_O
"""),
    Attempt("multi_head_attention", "X is split instead of projected: the matrices do not fit", HEADS + """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    heads = split_heads(X, n_heads)
    Q, K, V = heads @ W_Q, heads @ W_K, heads @ W_V
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    return merge_heads(weights @ V) @ W_O
"""),
    Attempt("multi_head_attention", "the values are not projected: forgets W_V", HEADS + """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q = split_heads(X @ W_Q, n_heads)
    K = split_heads(X @ W_K, n_heads)
    V = split_heads(X, n_heads)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    return merge_heads(weights @ V) @ W_O
"""),
    Attempt("multi_head_attention", "the heads are added up before W_O", """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    D = W_Q.shape[1]
    d = D // n_heads
    total = 0
    for h in range(n_heads):
        Q = X @ W_Q[:, h * d:(h + 1) * d]
        K = X @ W_K[:, h * d:(h + 1) * d]
        V = X @ W_V[:, h * d:(h + 1) * d]
        total = total + softmax(Q @ K.T / np.sqrt(d)) @ V
    return total @ W_O
"""),
    Attempt("multi_head_attention", "returns output and weights", HEADS + """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q = split_heads(X @ W_Q, n_heads)
    K = split_heads(X @ W_K, n_heads)
    V = split_heads(X @ W_V, n_heads)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    output = merge_heads(weights @ V) @ W_O
    return output, weights
"""),
    Attempt("multi_head_attention", "adds the input", HEADS + """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q = split_heads(X @ W_Q, n_heads)
    K = split_heads(X @ W_K, n_heads)
    V = split_heads(X @ W_V, n_heads)
    A = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    return X + merge_heads(A @ V) @ W_O
"""),
    Attempt("multi_head_attention", "copied lines: keys and values with W_Q", HEADS + """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q = split_heads(X @ W_Q, n_heads)
    K = split_heads(X @ W_Q, n_heads)
    V = split_heads(X @ W_Q, n_heads)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    return merge_heads(weights @ V) @ W_O
"""),
    Attempt("multi_head_attention", "the heads' features dealt out in turn, glued as blocks", """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    heads = []
    for h in range(n_heads):
        q, k, v = Q[:, h::n_heads], K[:, h::n_heads], V[:, h::n_heads]
        heads.append(softmax(q @ k.T / np.sqrt(q.shape[1])) @ v)
    return np.hstack(heads) @ W_O
"""),
    Attempt("multi_head_attention", "the loop keeps only the last head", """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    d = Q.shape[1] // n_heads
    for h in range(n_heads):
        q = Q[:, h * d:(h + 1) * d]
        k = K[:, h * d:(h + 1) * d]
        v = V[:, h * d:(h + 1) * d]
        heads = softmax(q @ k.T / np.sqrt(d)) @ v
    return heads @ W_O
"""),
    Attempt("multi_head_attention", "n_heads forgotten in split_heads: raises", HEADS + """
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q = split_heads(X @ W_Q)
    K = split_heads(X @ W_K)
    V = split_heads(X @ W_V)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    return merge_heads(weights @ V) @ W_O
"""),
]
