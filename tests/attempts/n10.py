"""Attempts at the exercises of notebook 10, as students write them."""

from attempts import Attempt

ATTEMPTS = [
    Attempt("train_step", "", """
def my_train_step(Y, answer, W, learning_rate):
    n = len(Y)
    P = softmax(Y @ W)
    loss = -np.log(P[np.arange(n), answer]).mean()
    slope = P.copy()
    slope[np.arange(n), answer] -= 1
    W_new = W - learning_rate * (Y.T @ slope) / n
    return loss, W_new
"""),
    Attempt("train_step", "", """
def my_train_step(Y, answer, W, learning_rate):
    loss = 0
    gradient = np.zeros(W.shape)
    for y, a in zip(Y, answer):
        p = softmax(y @ W)
        loss += -np.log(p[a]) / len(answer)
        p[a] = p[a] - 1
        gradient += np.outer(y, p) / len(answer)
    return loss, W - learning_rate * gradient
"""),
    Attempt("train_step", "", """
def my_train_step(Y, answer, W, learning_rate):
    scores = np.matmul(Y, W)
    shifted = scores - scores.max(axis=1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    loss = -np.mean(np.take_along_axis(log_p, answer[:, None], axis=1))
    one_hot = (np.arange(W.shape[1]) == answer[:, None]).astype(float)
    step = np.einsum("nd,nv->dv", Y, one_hot - np.exp(log_p)) / Y.shape[0]
    return loss, W + learning_rate * step
"""),
    Attempt("train_step", "", """
def my_train_step(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    right = np.zeros_like(P)
    for row, word in enumerate(answer):
        right[row, word] = 1
    loss = -np.sum(right * np.log(P)) / len(P)
    d_scores = (P - right) / len(P)
    return loss, W - learning_rate * np.dot(Y.T, d_scores)
"""),
    Attempt("train_step", "P[:, answer] takes whole columns", """
def my_train_step(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    loss = -np.log(P[:, answer]).mean()
    right = np.eye(W.shape[1])[answer]
    W_new = W - learning_rate * Y.T @ (P - right) / len(Y)
    return loss, W_new
"""),
    Attempt("train_step", "P[:, answer] in the slope, too", """
def my_train_step(Y, answer, W, learning_rate):
    n = Y.shape[0]
    P = softmax(Y @ W)
    loss = np.mean(-np.log(P[:, answer]))
    G = P.copy()
    G[:, answer] -= 1
    W_new = W - learning_rate * (Y.T @ G) / n
    return loss, W_new
"""),
    Attempt("train_step", "P[answer] takes rows", """
def my_train_step(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    loss = -np.mean(np.log(P[answer]))
    r = np.eye(W.shape[1])[answer]
    return loss, W - learning_rate * Y.T @ (P - r) / len(Y)
"""),
    Attempt("train_step", "scores without softmax", """
def my_train_step(Y, answer, W, learning_rate):
    P = Y @ W
    right = np.eye(W.shape[1])[answer]
    loss = -np.log((P * right).sum(axis=1)).mean()
    W_new = W - learning_rate * Y.T @ (P - right) / len(Y)
    return loss, W_new
"""),
    Attempt("train_step", "scores instead of probabilities in the slope", """
def my_train_step(Y, answer, W, learning_rate):
    scores = Y @ W
    P = softmax(scores)
    loss = -np.log(P[range(len(Y)), answer]).mean()
    one_hot = np.eye(W.shape[1])[answer]
    gradient = Y.T @ (scores - one_hot) / len(Y)
    return loss, W - learning_rate * gradient
"""),
    Attempt("train_step", "the loss is a sum, not a mean", """
def my_train_step(Y, answer, W, learning_rate):
    P, right = softmax(Y @ W), np.eye(W.shape[1])[answer]
    loss = -np.log((P * right).sum(axis=1)).sum()
    W_new = W - learning_rate * Y.T @ (P - right) / len(Y)
    return loss, W_new
"""),
    Attempt("train_step", "the slope is not divided by n", """
def my_train_step(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    right = np.eye(W.shape[1])[answer]
    loss = -np.log((P * right).sum(axis=1)).mean()
    slope = Y.T @ (P - right)
    W_new = W - learning_rate * slope
    return loss, W_new
"""),
    Attempt("train_step", "the slope is a mean over all its entries: divided by n and by the words", """
def my_train_step(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    r = np.zeros(P.shape)
    r[np.arange(len(r)), answer] = 1
    loss = -np.log(P[r == 1]).mean()
    slope = (P - r) / P.size
    return loss, W - learning_rate * Y.T @ slope
"""),
    Attempt("train_step", "divided by the number of features", """
def my_train_step(Y, answer, W, learning_rate):
    n = len(W)
    P = softmax(Y @ W)
    right = np.eye(W.shape[1])[answer]
    loss = -np.log((P * right).sum(axis=1)).mean()
    return loss, W - learning_rate * Y.T @ (P - right) / n
"""),
    Attempt("train_step", "steps up the slope: plus", """
def my_train_step(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    right = np.eye(W.shape[1])[answer]
    loss = -np.log((P * right).sum(axis=1)).mean()
    W_new = W + learning_rate * Y.T @ (P - right) / len(Y)
    return loss, W_new
"""),
    Attempt("train_step", "r - p instead of p - r", """
def my_train_step(Y, answer, W, learning_rate):
    p = softmax(Y @ W)
    r = np.eye(W.shape[1])[answer]
    loss = np.mean(-np.log(np.sum(p * r, axis=1)))
    gradient = Y.T @ (r - p) / len(Y)
    return loss, W - learning_rate * gradient
"""),
    Attempt("train_step", "the minus of the loss is forgotten", """
def my_train_step(Y, answer, W, learning_rate):
    P, right = softmax(Y @ W), np.eye(W.shape[1])[answer]
    loss = np.log((P * right).sum(axis=1)).mean()
    W_new = W - learning_rate * Y.T @ (P - right) / len(Y)
    return loss, W_new
"""),
    Attempt("train_step", "the log of the mean instead of the mean of the logs", """
def my_train_step(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    picked = P[np.arange(len(answer)), answer]
    loss = -np.log(picked.mean())
    P[np.arange(len(answer)), answer] -= 1
    return loss, W - learning_rate * Y.T @ P / len(answer)
"""),
    Attempt("train_step", "log to the base 2", """
def my_train_step(Y, answer, W, learning_rate):
    P, right = softmax(Y @ W), np.eye(W.shape[1])[answer]
    loss = -np.log2((P * right).sum(axis=1)).mean()
    return loss, W - learning_rate * Y.T @ (P - right) / len(Y)
"""),
    Attempt("train_step", "Y without its transpose", """
def my_train_step(Y, answer, W, learning_rate):
    P, right = softmax(Y @ W), np.eye(W.shape[1])[answer]
    loss = -np.log((P * right).sum(axis=1)).mean()
    W_new = W - learning_rate * Y @ (P - right) / len(Y)
    return loss, W_new
"""),
    Attempt("train_step", "the slope is transposed: a row for each word", """
def my_train_step(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    right = np.eye(W.shape[1])[answer]
    loss = -np.log((P * right).sum(axis=1)).mean()
    dW = (P - right).T @ Y / len(Y)
    W_new = W - learning_rate * dW
    return loss, W_new
"""),
    Attempt("train_step", "returns the slope, not the new W", """
def my_train_step(Y, answer, W, learning_rate):
    P, right = softmax(Y @ W), np.eye(W.shape[1])[answer]
    loss = -np.log((P * right).sum(axis=1)).mean()
    W_new = Y.T @ (P - right) / len(Y)
    return loss, W_new
"""),
    Attempt("train_step", "the learning rate is forgotten", """
def my_train_step(Y, answer, W, learning_rate):
    P, right = softmax(Y @ W), np.eye(W.shape[1])[answer]
    loss = -np.log((P * right).sum(axis=1)).mean()
    W_new = W - Y.T @ (P - right) / len(Y)
    return loss, W_new
"""),
    Attempt("train_step", "the loss after the step", """
def my_train_step(Y, answer, W, learning_rate):
    right = np.eye(W.shape[1])[answer]
    W_new = W - learning_rate * Y.T @ (softmax(Y @ W) - right) / len(Y)
    P = softmax(Y @ W_new)
    loss = -np.log((P * right).sum(axis=1)).mean()
    return loss, W_new
"""),
    Attempt("train_step", "returned in the wrong order", """
def my_train_step(Y, answer, W, learning_rate):
    P, right = softmax(Y @ W), np.eye(W.shape[1])[answer]
    loss = -np.log((P * right).sum(axis=1)).mean()
    W = W - learning_rate * Y.T @ (P - right) / len(Y)
    return W, loss
"""),
    Attempt("train_step", "one-hot rows as long as the text, not as the vocabulary", """
def my_train_step(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    right = np.eye(len(answer))[answer]
    loss = -np.log((P * right).sum(axis=1)).mean()
    W_new = W - learning_rate * Y.T @ (P - right) / len(Y)
    return loss, W_new
"""),
    Attempt("train_step", "subtracts the number of the word, not its one-hot row", """
def my_train_step(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    loss = -np.log(P[np.arange(len(Y)), answer]).mean()
    W_new = W - learning_rate * Y.T @ (P - answer[:, None]) / len(Y)
    return loss, W_new
"""),
    Attempt("train_step", "softmax over the places: axis 0", """
def my_train_step(Y, answer, W, learning_rate):
    P = softmax(Y @ W, axis=0)
    right = np.eye(W.shape[1])[answer]
    loss = -np.log((P * right).sum(axis=1)).mean()
    W_new = W - learning_rate * Y.T @ (P - right) / len(Y)
    return loss, W_new
"""),
    Attempt("train_step", "the surprise of the likeliest word, not of the right one", """
def my_train_step(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    loss = -np.log(P.max(axis=1)).mean()
    right = np.eye(W.shape[1])[answer]
    return loss, W - learning_rate * Y.T @ (P - right) / len(Y)
"""),
    Attempt("train_step", "P is changed before the loss is taken", """
def my_train_step(Y, answer, W, learning_rate):
    n = np.arange(len(Y))
    P = softmax(Y @ W)
    slope = P
    slope[n, answer] -= 1
    loss = -np.log(P[n, answer]).mean()
    W_new = W - learning_rate * Y.T @ slope / len(Y)
    return loss, W_new
"""),
    Attempt("train_step", "changes W in place: right numbers, but the caller's W is overwritten", """
def my_train_step(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    right = np.eye(W.shape[1])[answer]
    loss = -np.log((P * right).sum(axis=1)).mean()
    W -= learning_rate * Y.T @ (P - right) / len(Y)
    return loss, W
"""),
    Attempt("train_step", "half done: W_new is still to be written", """
def my_train_step(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    loss = -np.log(P[np.arange(len(Y)), answer]).mean()
    W_new = ...
    return loss, W_new
"""),
    Attempt("kv_cache_step", "", """
def my_kv_cache_step(q, k, v, K, V):
    K_new = np.concatenate([K, k[None, :]], axis=0)
    V_new = np.concatenate([V, v[None, :]], axis=0)
    scores = q @ K_new.T / np.sqrt(q.shape[0])
    weights = softmax(scores)
    output = weights @ V_new
    return output, K_new, V_new
"""),
    Attempt("kv_cache_step", "", """
def my_kv_cache_step(q, k, v, K, V):
    K_new = np.array([*K, k])
    V_new = np.array([*V, v])
    scores = np.array([sum(q * row) for row in K_new]) / len(k) ** 0.5
    output = np.zeros(len(v))
    for weight, value in zip(softmax(scores), V_new):
        output += weight * value
    return output, K_new, V_new
"""),
    Attempt("kv_cache_step", "", """
def my_kv_cache_step(q, k, v, K, V):
    t = K.shape[0]
    K_new = np.empty((t + 1, len(k)))
    V_new = np.empty((t + 1, len(v)))
    K_new[:t], K_new[t] = K, k
    V_new[:t], V_new[t] = V, v
    e = np.exp(np.einsum("d,td->t", q, K_new) * len(q) ** -0.5)
    return np.einsum("t,tv->v", e, V_new) / e.sum(), K_new, V_new
"""),
    Attempt("kv_cache_step", "", """
def my_kv_cache_step(q, k, v, K, V):
    K = np.append(K, k.reshape(1, -1), axis=0)
    V = np.append(V, v.reshape(1, -1), axis=0)
    Q = q.reshape(1, -1)
    A = softmax(Q @ K.T / np.sqrt(K.shape[1]))
    return (A @ V)[0], K, V
"""),
    Attempt("kv_cache_step", "np.concatenate of a table and a vector: raises", """
def my_kv_cache_step(q, k, v, K, V):
    K_new = np.concatenate([K, k])
    V_new = np.concatenate([V, v])
    output = softmax(K_new @ q / np.sqrt(len(q))) @ V_new
    return output, K_new, V_new
"""),
    Attempt("kv_cache_step", "np.append without axis: the cache becomes flat", """
def my_kv_cache_step(q, k, v, K, V):
    K_new = np.append(K, k)
    V_new = np.append(V, v)
    output = softmax(q @ K_new.T / np.sqrt(len(q))) @ V_new
    return output, K_new, V_new
"""),
    Attempt("kv_cache_step", "np.hstack: raises", """
def my_kv_cache_step(q, k, v, K, V):
    K_new, V_new = np.hstack([K, k]), np.hstack([V, v])
    weights = softmax(K_new @ q / np.sqrt(len(q)))
    return weights @ V_new, K_new, V_new
"""),
    Attempt("kv_cache_step", "np.vstack with two arguments: raises", """
def my_kv_cache_step(q, k, v, K, V):
    K_new = np.vstack(K, k)
    V_new = np.vstack(V, v)
    output = softmax(K_new @ q / np.sqrt(len(q))) @ V_new
    return output, K_new, V_new
"""),
    Attempt("kv_cache_step", "an array has no append: raises", """
def my_kv_cache_step(q, k, v, K, V):
    K.append(k)
    V.append(v)
    output = softmax(q @ K.T / np.sqrt(len(q))) @ V
    return output, K, V
"""),
    Attempt("kv_cache_step", "the scores are not scaled", """
def my_kv_cache_step(q, k, v, K, V):
    K_new = np.vstack([K, k])
    V_new = np.vstack([V, v])
    output = softmax(K_new @ q) @ V_new
    return output, K_new, V_new
"""),
    Attempt("kv_cache_step", "scaled by d_k without a root", """
def my_kv_cache_step(q, k, v, K, V):
    K_new, V_new = np.vstack([K, k]), np.vstack([V, v])
    w = softmax(K_new @ q / len(q))
    return w @ V_new, K_new, V_new
"""),
    Attempt("kv_cache_step", "scaled by the root of the number of tokens", """
def my_kv_cache_step(q, k, v, K, V):
    K_new = np.vstack((K, k))
    V_new = np.vstack((V, v))
    scores = K_new @ q / np.sqrt(len(K_new))
    output = softmax(scores) @ V_new
    return output, K_new, V_new
"""),
    Attempt("kv_cache_step", "scaled by the root of d_v", """
def my_kv_cache_step(q, k, v, K, V):
    K_new = np.vstack([K, k])
    V_new = np.vstack([V, v])
    scores = q @ K_new.T / np.sqrt(V.shape[1])
    return softmax(scores) @ V_new, K_new, V_new
"""),
    Attempt("kv_cache_step", "attends to the old rows only, then grows", """
def my_kv_cache_step(q, k, v, K, V):
    output = softmax(K @ q / np.sqrt(len(q))) @ V
    K_new = np.vstack([K, k])
    V_new = np.vstack([V, v])
    return output, K_new, V_new
"""),
    Attempt("kv_cache_step", "new keys, old values: raises", """
def my_kv_cache_step(q, k, v, K, V):
    K_new = np.vstack([K, k])
    V_new = np.vstack([V, v])
    weights = softmax(K_new @ q / np.sqrt(len(q)))
    output = weights @ V
    return output, K_new, V_new
"""),
    Attempt("kv_cache_step", "returns the caches as they came", """
def my_kv_cache_step(q, k, v, K, V):
    keys = np.vstack([K, k])
    values = np.vstack([V, v])
    output = softmax(keys @ q / np.sqrt(len(q))) @ values
    return output, K, V
"""),
    Attempt("kv_cache_step", "the new row in front", """
def my_kv_cache_step(q, k, v, K, V):
    K_new = np.vstack([k, K])
    V_new = np.vstack([v, V])
    output = softmax(K_new @ q / np.sqrt(len(q))) @ V_new
    return output, K_new, V_new
"""),
    Attempt("kv_cache_step", "overwrites the last row in place", """
def my_kv_cache_step(q, k, v, K, V):
    K[-1] = k
    V[-1] = v
    output = softmax(K @ q / np.sqrt(len(q))) @ V
    return output, K, V
"""),
    Attempt("kv_cache_step", "key and value swapped", """
def my_kv_cache_step(q, k, v, K, V):
    K_new = np.vstack([K, v])
    V_new = np.vstack([V, k])
    output = softmax(K_new @ q / np.sqrt(len(q))) @ V_new
    return output, K_new, V_new
"""),
    Attempt("kv_cache_step", "the query is kept instead of the key", """
def my_kv_cache_step(q, k, v, K, V):
    K_new = np.vstack([K, q])
    V_new = np.vstack([V, v])
    output = softmax(K_new @ k / np.sqrt(len(k))) @ V_new
    return output, K_new, V_new
"""),
    Attempt("kv_cache_step", "the caches returned in the wrong order", """
def my_kv_cache_step(q, k, v, K, V):
    K, V = np.vstack([K, k]), np.vstack([V, v])
    return softmax(K @ q / np.sqrt(len(q))) @ V, V, K
"""),
    Attempt("kv_cache_step", "the output is returned last", """
def my_kv_cache_step(q, k, v, K, V):
    K_new = np.vstack([K, k])
    V_new = np.vstack([V, v])
    output = softmax(K_new @ q / np.sqrt(len(q))) @ V_new
    return K_new, V_new, output
"""),
    Attempt("kv_cache_step", "softmax is missing", """
def my_kv_cache_step(q, k, v, K, V):
    K_new = np.vstack([K, k])
    V_new = np.vstack([V, v])
    scores = K_new @ q / np.sqrt(len(q))
    output = scores @ V_new
    return output, K_new, V_new
"""),
    Attempt("kv_cache_step", "scaled after the softmax", """
def my_kv_cache_step(q, k, v, K, V):
    K_new, V_new = np.vstack([K, k]), np.vstack([V, v])
    output = softmax(K_new @ q) / np.sqrt(len(q)) @ V_new
    return output, K_new, V_new
"""),
    Attempt("kv_cache_step", "the query as a row: output of shape (1, d_v)", """
def my_kv_cache_step(q, k, v, K, V):
    K_new = np.vstack([K, k])
    V_new = np.vstack([V, v])
    Q = q[None, :]
    output = softmax(Q @ K_new.T / np.sqrt(Q.shape[-1])) @ V_new
    return output, K_new, V_new
"""),
    Attempt("kv_cache_step", "softmax over axis 0 of a single row: all weights 1", """
def my_kv_cache_step(q, k, v, K, V):
    K_new = np.vstack([K, k])
    V_new = np.vstack([V, v])
    scores = q[None] @ K_new.T / np.sqrt(len(q))
    output = (softmax(scores, axis=0) @ V_new)[0]
    return output, K_new, V_new
"""),
    Attempt("kv_cache_step", "keys not transposed", """
def my_kv_cache_step(q, k, v, K, V):
    K_new = np.vstack([K, k])
    V_new = np.vstack([V, v])
    output = softmax(q @ K_new / np.sqrt(len(q))) @ V_new
    return output, K_new, V_new
"""),
    Attempt("kv_cache_step", "every row of the cache attends: a table as output", """
def my_kv_cache_step(q, k, v, K, V):
    K_new = np.vstack([K, k])
    V_new = np.vstack([V, v])
    scores = K_new @ K_new.T / np.sqrt(len(q))
    output = softmax(scores) @ V_new
    return output, K_new, V_new
"""),
    Attempt("kv_cache_step", "prints instead of returning", """
def my_kv_cache_step(q, k, v, K, V):
    K_new = np.vstack([K, k])
    V_new = np.vstack([V, v])
    output = softmax(K_new @ q / np.sqrt(len(q))) @ V_new
    print(output, K_new, V_new)
"""),
]
