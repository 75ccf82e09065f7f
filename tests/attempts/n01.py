"""Attempts at the exercises of notebook 01: softmax and self_attention."""

from attempts import Attempt

ATTEMPTS = [
    Attempt("softmax", "", """
def my_softmax(scores):
    weights = np.zeros(scores.shape)
    for i in range(scores.shape[0]):
        row = scores[i] - max(scores[i])
        e = np.exp(row)
        weights[i] = e / sum(e)
    return weights
"""),
    Attempt("softmax", "", """
def my_softmax(scores):
    m = np.max(scores, axis=-1)[..., None]
    e = np.exp(scores - m)
    return e / np.sum(e, axis=-1)[..., np.newaxis]
"""),
    Attempt("softmax", "", """
def one_row(s):
    e = np.exp(s - s.max())
    return e / e.sum()

def my_softmax(scores):
    return np.apply_along_axis(one_row, -1, scores)
"""),
    Attempt("softmax", "", """
def my_softmax(scores):
    shifted = scores - scores.max(-1, keepdims=True)
    log_total = np.log(np.exp(shifted).sum(-1, keepdims=True))
    return np.exp(shifted - log_total)
"""),
    Attempt("softmax", "does not subtract the maximum: large scores overflow", """
def my_softmax(scores):
    weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    return weights
"""),
    Attempt("softmax", "does not subtract the maximum: large scores overflow", """
def my_softmax(scores):
    out = []
    for row in scores:
        e = [np.exp(s) for s in row]
        total = sum(e)
        out.append([v / total for v in e])
    return np.array(out)
"""),
    Attempt("softmax", "keepdims forgotten in both places", """
def my_softmax(scores):
    e = np.exp(scores - scores.max(axis=-1))
    weights = e / e.sum(axis=-1)
    return weights
"""),
    Attempt("softmax", "keepdims forgotten in the sum", """
def my_softmax(scores):
    biggest = np.max(scores, axis=-1, keepdims=True)
    exps = np.exp(scores - biggest)
    sums = np.sum(exps, axis=-1)
    return exps / sums
"""),
    Attempt("softmax", "normalises columns: axis 0", """
def my_softmax(scores):
    exps = np.exp(scores - scores.max(axis=0, keepdims=True))
    return exps / exps.sum(axis=0, keepdims=True)
"""),
    Attempt("softmax", "normalises columns: axis 0, without keepdims", """
def my_softmax(scores):
    weights = scores - np.max(scores, axis=0)
    weights = np.exp(weights)
    weights = weights / np.sum(weights, axis=0)
    return weights
"""),
    Attempt("softmax", "divides by the sum of the whole table", """
def my_softmax(scores):
    e = np.exp(scores - scores.max())
    return e / e.sum()
"""),
    Attempt("softmax", "subtracts the maximum of the whole table: a row far below it becomes 0/0", """
def my_softmax(scores):
    exps = np.exp(scores - np.max(scores))
    return exps / exps.sum(axis=-1, keepdims=True)
"""),
    Attempt("softmax", "forgets to divide by the sum", """
def my_softmax(scores):
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights
"""),
    Attempt("softmax", "forgets exp", """
def my_softmax(scores):
    weights = scores - scores.max(axis=-1, keepdims=True)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights
"""),
    Attempt("softmax", "divides by the sum of the scores, not of their exps", """
def my_softmax(scores):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(shifted) / shifted.sum(axis=-1, keepdims=True)
    return weights
"""),
    Attempt("softmax", "sign turned: the maximum minus the scores", """
def my_softmax(scores):
    e = np.exp(np.max(scores, axis=-1, keepdims=True) - scores)
    return e / np.sum(e, axis=-1, keepdims=True)
"""),
    Attempt("softmax", "bracket closes too late: divides inside exp", """
def my_softmax(scores):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return np.exp(shifted / np.exp(shifted).sum(axis=-1, keepdims=True))
"""),
    Attempt("softmax", "subtracts the maximum after exp", """
def my_softmax(scores):
    e = np.exp(scores)
    e = e - e.max(axis=-1, keepdims=True)
    return e / e.sum(axis=-1, keepdims=True)
"""),
    Attempt("softmax", "subtracts the mean: large scores still overflow", """
def my_softmax(scores):
    centred = scores - np.mean(scores, axis=-1, keepdims=True)
    e = np.exp(centred)
    return e / e.sum(axis=-1, keepdims=True)
"""),
    Attempt("softmax", "subtracts the position of the maximum (argmax): large scores still overflow", """
def my_softmax(scores):
    top = np.argmax(scores, axis=-1, keepdims=True)
    weights = np.exp(scores - top)
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights
"""),
    Attempt("softmax", "Python's max of a table: raises", """
def my_softmax(scores):
    e = np.exp(scores - max(scores))
    return e / sum(e)
"""),
    Attempt("softmax", "divides by the maximum instead of subtracting it", """
def my_softmax(scores):
    e = np.exp(scores / scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
"""),
    Attempt("softmax", "changes the scores that were given, in place", """
def my_softmax(scores):
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores
"""),
    Attempt("softmax", "math.exp of an array: raises", """
import math

def my_softmax(scores):
    m = scores.max(axis=-1, keepdims=True)
    e = math.exp(scores - m)
    return e / e.sum(axis=-1, keepdims=True)
"""),
    Attempt("softmax", "returns the gap: computes but does not fill weights", """
def my_softmax(scores):
    weights = ...
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    e = e / e.sum(axis=-1, keepdims=True)
    return weights
"""),

    Attempt("self_attention", "", """
def my_self_attention(X):
    T, D = X.shape
    X_hat = np.zeros((T, D))
    for i in range(T):
        scores = np.array([np.dot(X[i], X[j]) for j in range(T)])
        a = softmax(scores)
        for j in range(T):
            X_hat[i] += a[j] * X[j]
    return X_hat
"""),
    Attempt("self_attention", "", """
def my_self_attention(X):
    S = np.einsum("id,jd->ij", X, X)
    A = softmax(S, axis=-1)
    return np.einsum("ij,jd->id", A, X)
"""),
    Attempt("self_attention", "", """
def my_self_attention(X):
    scores = np.matmul(X, np.transpose(X))
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.matmul(e, X) / e.sum(axis=1, keepdims=True)
"""),
    Attempt("self_attention", "", """
def my_self_attention(X):
    A = softmax(X.dot(X.T))
    return (X.T @ A.T).T
"""),
    Attempt("self_attention", "no softmax: averages with the raw scores", """
def my_self_attention(X):
    X_hat = X @ X.T @ X
    return X_hat
"""),
    Attempt("self_attention", "returns the weights: forgets the product with X", """
def my_self_attention(X):
    scores = X @ X.T
    X_hat = softmax(scores)
    return X_hat
"""),
    Attempt("self_attention", "compares features instead of tokens: X.T @ X", """
def my_self_attention(X):
    A = softmax(X.T @ X)
    return X @ A
"""),
    Attempt("self_attention", "compares features instead of tokens: X.T @ X does not fit", """
def my_self_attention(X):
    scores = np.dot(X.T, X)
    weights = softmax(scores)
    X_hat = np.dot(weights, X)
    return X_hat
"""),
    Attempt("self_attention", "A * X instead of A @ X", """
def my_self_attention(X):
    A = softmax(X @ X.T)
    X_hat = A * X
    return X_hat
"""),
    Attempt("self_attention", "forgets the transpose: X @ X", """
def my_self_attention(X):
    return softmax(X @ X) @ X
"""),
    Attempt("self_attention", "softmax over columns: axis 0", """
def my_self_attention(X):
    scores = X @ X.T
    A = softmax(scores, axis=0)
    return A @ X
"""),
    Attempt("self_attention", "weights transposed: A.T @ X", """
def my_self_attention(X):
    A = softmax(X @ X.T)
    return A.T @ X
"""),
    Attempt("self_attention", "adds the input: X + A @ X", """
def my_self_attention(X):
    weights = softmax(X @ X.T)
    change = weights @ X
    return X + change
"""),
    Attempt("self_attention", "scales by sqrt(D), which was not asked for", """
def my_self_attention(X):
    d = X.shape[-1]
    return softmax(X @ X.T / np.sqrt(d)) @ X
"""),
    Attempt("self_attention", "wrong side: X @ A", """
def my_self_attention(X):
    A = softmax(X @ X.T)
    X_hat = X @ A
    return X_hat
"""),
    Attempt("self_attention", "softmax of the finished product", """
def my_self_attention(X):
    return softmax(X @ X.T @ X)
"""),
    Attempt("self_attention", "softmax of X before the scores", """
def my_self_attention(X):
    P = softmax(X)
    scores = P @ P.T
    return scores @ X
"""),
    Attempt("self_attention", "returns output and weights", """
def my_self_attention(X):
    A = softmax(X @ X.T)
    X_hat = A @ X
    return X_hat, A
"""),
    Attempt("self_attention", "overwrites X in the loop: later rows see moved tokens", """
def my_self_attention(X):
    for i in range(len(X)):
        a = softmax(X[i] @ X.T)
        X[i] = a @ X
    return X
"""),
    Attempt("self_attention", "overwrites its copy in the loop: later rows see moved tokens", """
def my_self_attention(X):
    X_hat = X.copy()
    for t in range(X.shape[0]):
        row = softmax(X_hat @ X_hat[t])
        X_hat[t] = row @ X_hat
    return X_hat
"""),
    Attempt("self_attention", "normalises the scores by their sum instead of softmax", """
def my_self_attention(X):
    S = X @ X.T
    A = S / S.sum(axis=1, keepdims=True)
    return A @ X
"""),
    Attempt("self_attention", "exp without dividing by the row's sum", """
def my_self_attention(X):
    S = X @ X.T
    A = np.exp(S - S.max(axis=1, keepdims=True))
    return A @ X
"""),
    Attempt("self_attention", "exp divided by the sum of the whole table", """
def my_self_attention(X):
    scores = X @ X.T
    exps = np.exp(scores - scores.max())
    A = exps / exps.sum()
    return A @ X
"""),
    Attempt("self_attention", "divides by the number of tokens on top of the weights", """
def my_self_attention(X):
    T = X.shape[0]
    A = softmax(X @ X.T)
    total = A @ X
    return total / T
"""),
    Attempt("self_attention", "only the last token is returned", """
def my_self_attention(X):
    for x in X:
        weights = softmax(X @ x)
        X_hat = weights @ X
    return X_hat
"""),
    Attempt("self_attention", "cosines instead of dot products: divides by the lengths", """
def my_self_attention(X):
    N = X / np.linalg.norm(X, axis=1, keepdims=True)
    return softmax(N @ N.T) @ X
"""),
    Attempt("self_attention", "a name that is not there: A is never computed", """
def my_self_attention(X):
    scores = X @ X.T
    weights = softmax(scores)
    return A @ X
"""),
    Attempt("self_attention", "returns nothing", """
def my_self_attention(X):
    A = softmax(X @ X.T)
    X_hat = A @ X
"""),
]
