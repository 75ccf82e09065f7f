"""Attempts at the exercises of notebook 02: project, attention and cross_attention."""

from attempts import Attempt

ATTEMPTS = [
    Attempt("project", "", """
def my_project(X, W_Q, W_K, W_V):
    results = []
    for W in [W_Q, W_K, W_V]:
        results.append(np.dot(X, W))
    Q, K, V = results
    return Q, K, V
"""),
    Attempt("project", "", """
def my_project(X, W_Q, W_K, W_V):
    Q = (W_Q.T @ X.T).T
    K = (W_K.T @ X.T).T
    V = (W_V.T @ X.T).T
    return Q, K, V
"""),
    Attempt("project", "", """
def my_project(X, W_Q, W_K, W_V):
    d = W_Q.shape[1]
    all_at_once = X @ np.hstack([W_Q, W_K, W_V])
    return all_at_once[:, :d], all_at_once[:, d:2 * d], all_at_once[:, 2 * d:]
"""),
    Attempt("project", "", """
def times(A, B):
    C = np.zeros((A.shape[0], B.shape[1]))
    for i in range(A.shape[0]):
        for j in range(B.shape[1]):
            for k in range(A.shape[1]):
                C[i, j] += A[i, k] * B[k, j]
    return C

def my_project(X, W_Q, W_K, W_V):
    return times(X, W_Q), times(X, W_K), times(X, W_V)
"""),
    Attempt("project", "matrices on the wrong side: W @ X", """
def my_project(X, W_Q, W_K, W_V):
    Q, K, V = W_Q @ X, W_K @ X, W_V @ X
    return Q, K, V
"""),
    Attempt("project", "matrices on the wrong side, transposed to fit: the results lie on their sides", """
def my_project(X, W_Q, W_K, W_V):
    Q = W_Q.T @ X.T
    K = W_K.T @ X.T
    V = W_V.T @ X.T
    return Q, K, V
"""),
    Attempt("project", "transposes the matrices: X @ W.T", """
def my_project(X, W_Q, W_K, W_V):
    return X @ W_Q.T, X @ W_K.T, X @ W_V.T
"""),
    Attempt("project", "X * W instead of X @ W", """
def my_project(X, W_Q, W_K, W_V):
    Q, K, V = X * W_Q, X * W_K, X * W_V
    return Q, K, V
"""),
    Attempt("project", "K and V returned in the wrong order", """
def my_project(X, W_Q, W_K, W_V):
    Q = X @ W_Q
    K = X @ W_K
    V = X @ W_V
    return Q, V, K
"""),
    Attempt("project", "Q and K swapped", """
def my_project(X, W_Q, W_K, W_V):
    K, Q, V = X @ W_Q, X @ W_K, X @ W_V
    return Q, K, V
"""),
    Attempt("project", "copied line: K is made with W_Q", """
def my_project(X, W_Q, W_K, W_V):
    Q = X @ W_Q
    K = X @ W_Q
    V = X @ W_V
    return Q, K, V
"""),
    Attempt("project", "copied line: V is made with W_K", """
def my_project(X, W_Q, W_K, W_V):
    Q, K, V = np.matmul(X, W_Q), np.matmul(X, W_K), np.matmul(X, W_K)
    return Q, K, V
"""),
    Attempt("project", "V is not projected", """
def my_project(X, W_Q, W_K, W_V):
    Q = X @ W_Q
    K = X @ W_K
    V = X
    return Q, K, V
"""),
    Attempt("project", "one after the other: K from Q, V from K", """
def my_project(X, W_Q, W_K, W_V):
    Q = X @ W_Q
    K = Q @ W_K
    V = K @ W_V
    return Q, K, V
"""),
    Attempt("project", "overwrites X: each result goes into the next product", """
def my_project(X, W_Q, W_K, W_V):
    out = []
    for W in (W_Q, W_K, W_V):
        X = X @ W
        out.append(X)
    return tuple(out)
"""),
    Attempt("project", "X @ only before the first: K and V are the bare matrices", """
def my_project(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, W_K, W_V
    return Q, K, V
"""),
    Attempt("project", "multiplies by a tuple of matrices: raises", """
def my_project(X, W_Q, W_K, W_V):
    Q, K, V = X @ (W_Q, W_K, W_V)
    return Q, K, V
"""),
    Attempt("project", "the results glued into one array", """
def my_project(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    return np.concatenate([Q, K, V], axis=1)
"""),
    Attempt("project", "the results stacked into one array: raises where widths differ", """
def my_project(X, W_Q, W_K, W_V):
    return np.array([X @ W_Q, X @ W_K, X @ W_V])
"""),
    Attempt("project", "only Q is returned", """
def my_project(X, W_Q, W_K, W_V):
    Q = X @ W_Q
    return Q
    K = X @ W_K
    return K
    V = X @ W_V
    return V
"""),
    Attempt("project", "V is missing from the return", """
def my_project(X, W_Q, W_K, W_V):
    Q = X @ W_Q
    K = X @ W_K
    V = X @ W_V
    return Q, K
"""),
    Attempt("project", "V gets the width of Q: loops over d_k columns", """
def my_project(X, W_Q, W_K, W_V):
    T, D = X.shape
    d = W_Q.shape[1]
    Q, K, V = np.zeros((T, d)), np.zeros((T, d)), np.zeros((T, d))
    for t in range(T):
        for j in range(d):
            Q[t, j] = X[t] @ W_Q[:, j]
            K[t, j] = X[t] @ W_K[:, j]
            V[t, j] = X[t] @ W_V[:, j]
    return Q, K, V
"""),
    Attempt("project", "prints instead of returning", """
def my_project(X, W_Q, W_K, W_V):
    print("Q", X @ W_Q)
    print("K", X @ W_K)
    print("V", X @ W_V)
"""),
    Attempt("project", "transposes X: X.T @ W", """
def my_project(X, W_Q, W_K, W_V):
    Xt = X.T
    Q, K, V = Xt @ W_Q, Xt @ W_K, Xt @ W_V
    return Q, K, V
"""),
    Attempt("project", "softmax on top of the projections", """
def my_project(X, W_Q, W_K, W_V):
    return softmax(X @ W_Q), softmax(X @ W_K), softmax(X @ W_V)
"""),

    Attempt("attention", "", """
def my_attention(Q, K, V):
    output = []
    for q in Q:
        scores = [sum(q * k) for k in K]
        a = softmax(np.array(scores))
        o = np.zeros(V.shape[1])
        for weight, v in zip(a, V):
            o = o + weight * v
        output.append(o)
    return np.array(output)
"""),
    Attempt("attention", "", """
def my_attention(Q, K, V):
    S = np.einsum("qd,kd->qk", Q, K)
    return np.einsum("qk,kv->qv", softmax(S), V)
"""),
    Attempt("attention", "", """
def my_attention(Q, K, V):
    scores = np.matmul(K, Q.T)
    weights = softmax(scores, axis=0)
    return np.matmul(weights.T, V)
"""),
    Attempt("attention", "", """
def my_attention(Q, K, V):
    s = np.inner(Q, K)
    s = s - np.max(s, axis=1)[:, None]
    e = np.exp(s)
    a = e / np.sum(e, axis=1)[:, None]
    return np.dot(a, V)
"""),
    Attempt("attention", "scales by sqrt(d_k), which was not asked for yet", """
def my_attention(Q, K, V):
    d_k = Q.shape[-1]
    weights = softmax(Q @ K.T / np.sqrt(d_k))
    return weights @ V
"""),
    Attempt("attention", "no softmax", """
def my_attention(Q, K, V):
    scores = Q @ K.T
    output = scores @ V
    return output
"""),
    Attempt("attention", "K and V swapped", """
def my_attention(Q, K, V):
    return softmax(Q @ V.T) @ K
"""),
    Attempt("attention", "averages the keys instead of the values", """
def my_attention(Q, K, V):
    A = softmax(Q @ K.T)
    return A @ K
"""),
    Attempt("attention", "softmax over the queries: axis 0", """
def my_attention(Q, K, V):
    scores = np.dot(Q, K.T)
    weights = softmax(scores, axis=0)
    return np.dot(weights, V)
"""),
    Attempt("attention", "softmax by hand over the queries: axis 0", """
def my_attention(Q, K, V):
    e = np.exp(Q @ K.T)
    A = e / e.sum(axis=0)
    return A @ V
"""),
    Attempt("attention", "forgets the transpose: Q @ K", """
def my_attention(Q, K, V):
    return softmax(Q @ K) @ V
"""),
    Attempt("attention", "keys ask queries: K @ Q.T", """
def my_attention(Q, K, V):
    scores = K @ Q.T
    weights = softmax(scores)
    return weights @ V
"""),
    Attempt("attention", "keys ask queries, turned back after the softmax", """
def my_attention(Q, K, V):
    weights = softmax(K @ Q.T).T
    output = weights @ V
    return output
"""),
    Attempt("attention", "transposes the queries: Q.T @ K", """
def my_attention(Q, K, V):
    scores = Q.T @ K
    A = softmax(scores)
    return A @ V
"""),
    Attempt("attention", "returns the weights: forgets V", """
def my_attention(Q, K, V):
    output = softmax(Q @ K.T)
    return output
"""),
    Attempt("attention", "returns output and weights", """
def my_attention(Q, K, V):
    weights = softmax(Q @ K.T)
    output = weights @ V
    return output, weights
"""),
    Attempt("attention", "A * V instead of A @ V", """
def my_attention(Q, K, V):
    A = softmax(Q @ K.T)
    output = A * V
    return output
"""),
    Attempt("attention", "softmax last: of the finished product", """
def my_attention(Q, K, V):
    scores = Q @ K.T
    output = scores @ V
    return softmax(output)
"""),
    Attempt("attention", "softmax of Q and of K before the product", """
def my_attention(Q, K, V):
    return softmax(Q) @ softmax(K).T @ V
"""),
    Attempt("attention", "adds the queries to the output", """
def my_attention(Q, K, V):
    A = softmax(Q @ K.T)
    return Q + A @ V
"""),
    Attempt("attention", "wrong side: V @ A", """
def my_attention(Q, K, V):
    A = softmax(Q @ K.T)
    return V @ A
"""),
    Attempt("attention", "= instead of += in the loop: only the last key's value is left", """
def my_attention(Q, K, V):
    A = softmax(Q @ K.T)
    output = np.zeros((len(Q), V.shape[1]))
    for i in range(len(Q)):
        for j in range(len(K)):
            output[i] = A[i, j] * V[j]
    return output
"""),
    Attempt("attention", "loops over as many keys as there are queries", """
def my_attention(Q, K, V):
    T = Q.shape[0]
    scores = np.zeros((T, T))
    for i in range(T):
        for j in range(T):
            scores[i, j] = np.dot(Q[i], K[j])
    weights = softmax(scores)
    output = np.zeros((T, V.shape[1]))
    for i in range(T):
        for j in range(T):
            output[i] += weights[i, j] * V[j]
    return output
"""),
    Attempt("attention", "the softmax's result is thrown away", """
def my_attention(Q, K, V):
    scores = Q @ K.T
    softmax(scores)
    output = scores @ V
    return output
"""),
    Attempt("attention", "output transposed", """
def my_attention(Q, K, V):
    weights = softmax(Q @ K.T)
    return V.T @ weights.T
"""),
    Attempt("attention", "calls a matrix: a product sign is missing", """
def my_attention(Q, K, V):
    output = softmax(Q @ K.T)(V)
    return output
"""),

    Attempt("cross_attention", "", """
def attend(Q, K, V):
    A = softmax(Q @ K.T)
    return A @ V

def my_cross_attention(X, context, W_Q, W_K, W_V):
    return attend(X @ W_Q, context @ W_K, context @ W_V)
"""),
    Attempt("cross_attention", "", """
def my_cross_attention(X, context, W_Q, W_K, W_V):
    A = softmax(X @ W_Q @ W_K.T @ context.T)
    return A @ context @ W_V
"""),
    Attempt("cross_attention", "", """
def my_cross_attention(X, context, W_Q, W_K, W_V):
    Q = np.einsum("td,dk->tk", X, W_Q)
    K = np.einsum("sd,dk->sk", context, W_K)
    V = np.einsum("sd,dv->sv", context, W_V)
    scores = np.einsum("tk,sk->ts", Q, K)
    return np.einsum("ts,sv->tv", softmax(scores), V)
"""),
    Attempt("cross_attention", "", """
def my_cross_attention(X, context, W_Q, W_K, W_V):
    keys = [c @ W_K for c in context]
    values = [c @ W_V for c in context]
    rows = []
    for x in X:
        q = x @ W_Q
        a = softmax(np.array([q @ k for k in keys]))
        rows.append(sum(w * v for w, v in zip(a, values)))
    return np.array(rows)
"""),
    Attempt("cross_attention", "self-attention: K and V from X, too", """
def my_cross_attention(X, context, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    return softmax(Q @ K.T) @ V
"""),
    Attempt("cross_attention", "roles swapped: the context asks and X answers", """
def my_cross_attention(X, context, W_Q, W_K, W_V):
    Q = context @ W_Q
    K = X @ W_K
    V = X @ W_V
    return softmax(Q @ K.T) @ V
"""),
    Attempt("cross_attention", "values from X", """
def my_cross_attention(X, context, W_Q, W_K, W_V):
    Q = X @ W_Q
    K = context @ W_K
    V = X @ W_V
    output = softmax(Q @ K.T) @ V
    return output
"""),
    Attempt("cross_attention", "keys from X, values from the context", """
def my_cross_attention(X, context, W_Q, W_K, W_V):
    weights = softmax((X @ W_Q) @ (X @ W_K).T)
    return weights @ (context @ W_V)
"""),
    Attempt("cross_attention", "everything from the context", """
def my_cross_attention(X, context, W_Q, W_K, W_V):
    Q = context @ W_Q
    K = context @ W_K
    V = context @ W_V
    return softmax(Q @ K.T) @ V
"""),
    Attempt("cross_attention", "queries and keys from the context, values from X", """
def my_cross_attention(X, context, W_Q, W_K, W_V):
    Q, K = context @ W_Q, context @ W_K
    V = X @ W_V
    return softmax(Q @ K.T) @ V
"""),
    Attempt("cross_attention", "the values are not projected: forgets W_V", """
def my_cross_attention(X, context, W_Q, W_K, W_V):
    Q = X @ W_Q
    K = context @ W_K
    A = softmax(Q @ K.T)
    return A @ context
"""),
    Attempt("cross_attention", "keys and queries are not projected", """
def my_cross_attention(X, context, W_Q, W_K, W_V):
    A = softmax(X @ context.T)
    return A @ (context @ W_V)
"""),
    Attempt("cross_attention", "no softmax", """
def my_cross_attention(X, context, W_Q, W_K, W_V):
    Q = X @ W_Q
    K = context @ W_K
    V = context @ W_V
    scores = Q @ K.T
    return scores @ V
"""),
    Attempt("cross_attention", "softmax over the queries: axis 0", """
def my_cross_attention(X, context, W_Q, W_K, W_V):
    scores = np.dot(np.dot(X, W_Q), np.dot(context, W_K).T)
    return np.dot(softmax(scores, axis=0), np.dot(context, W_V))
"""),
    Attempt("cross_attention", "scales by sqrt(d_k), which was not asked for yet", """
def my_cross_attention(X, context, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, context @ W_K, context @ W_V
    d_k = K.shape[1]
    return softmax(Q @ K.T / d_k ** 0.5) @ V
"""),
    Attempt("cross_attention", "W_K and W_V swapped", """
def my_cross_attention(X, context, W_Q, W_K, W_V):
    Q = X @ W_Q
    K = context @ W_V
    V = context @ W_K
    return softmax(Q @ K.T) @ V
"""),
    Attempt("cross_attention", "W_Q and W_K swapped", """
def my_cross_attention(X, context, W_Q, W_K, W_V):
    q = X @ W_K
    k = context @ W_Q
    v = context @ W_V
    return softmax(q @ k.T) @ v
"""),
    Attempt("cross_attention", "adds the input", """
def my_cross_attention(X, context, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, context @ W_K, context @ W_V
    return X + softmax(Q @ K.T) @ V
"""),
    Attempt("cross_attention", "X joins the context: keys and values from both", """
def my_cross_attention(X, context, W_Q, W_K, W_V):
    both = np.concatenate([X, context])
    Q = X @ W_Q
    K = both @ W_K
    V = both @ W_V
    return softmax(Q @ K.T) @ V
"""),
    Attempt("cross_attention", "weights the wrong way round: K @ Q.T", """
def my_cross_attention(X, context, W_Q, W_K, W_V):
    Q = X @ W_Q
    K = context @ W_K
    V = context @ W_V
    A = softmax(K @ Q.T)
    return A @ V
"""),
    Attempt("cross_attention", "matrices on the wrong side: W @ X", """
def my_cross_attention(X, context, W_Q, W_K, W_V):
    Q = W_Q @ X
    K = W_K @ context
    V = W_V @ context
    return softmax(Q @ K.T) @ V
"""),
    Attempt("cross_attention", "forgets the transpose: Q @ K", """
def my_cross_attention(X, context, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, context @ W_K, context @ W_V
    output = softmax(Q @ K) @ V
    return output
"""),
    Attempt("cross_attention", "returns the weights: forgets the values", """
def my_cross_attention(X, context, W_Q, W_K, W_V):
    Q_x = X @ W_Q
    K_c = context @ W_K
    V_c = context @ W_V
    output = softmax(Q_x @ K_c.T)
    return output
"""),
    Attempt("cross_attention", "the values are projected keys: V = K @ W_V", """
def my_cross_attention(X, context, W_Q, W_K, W_V):
    Q = X @ W_Q
    K = context @ W_K
    V = K @ W_V
    return softmax(Q @ K.T) @ V
"""),
    Attempt("cross_attention", "a name that is not there: Context", """
def my_cross_attention(X, context, W_Q, W_K, W_V):
    Q = X @ W_Q
    K = Context @ W_K
    V = Context @ W_V
    return softmax(Q @ K.T) @ V
"""),
]
