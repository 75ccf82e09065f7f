"""Attempts at the exercises of notebook 03: softmax_jacobian, scaled_attention and softmax_with_temperature."""

from attempts import Attempt

ATTEMPTS = [
    Attempt("softmax_jacobian", "", """
def my_softmax_jacobian(weights):
    T = len(weights)
    J = np.zeros((T, T))
    for i in range(T):
        for j in range(T):
            if i == j:
                J[i, j] = weights[i] - weights[i] ** 2
            else:
                J[i, j] = -weights[i] * weights[j]
    return J
"""),
    Attempt("softmax_jacobian", "", """
def my_softmax_jacobian(weights):
    a = weights[:, None]
    return a * (np.eye(weights.size) - a.T)
"""),
    Attempt("softmax_jacobian", "", """
def my_softmax_jacobian(weights):
    J = -np.outer(weights, weights)
    np.fill_diagonal(J, weights * (1 - weights))
    return J
"""),
    Attempt("softmax_jacobian", "", """
def my_softmax_jacobian(weights):
    col = weights.reshape(-1, 1)
    row = weights.reshape(1, -1)
    D = np.identity(len(weights)) * weights
    return D - np.matmul(col, row)
"""),
    Attempt("softmax_jacobian", "sign turned: outer minus diag", """
def my_softmax_jacobian(weights):
    J = np.outer(weights, weights) - np.diag(weights)
    return J
"""),
    Attempt("softmax_jacobian", "plus instead of minus", """
def my_softmax_jacobian(weights):
    return np.diag(weights) + np.outer(weights, weights)
"""),
    Attempt("softmax_jacobian", "a dot product instead of the outer product", """
def my_softmax_jacobian(weights):
    J = np.diag(weights) - weights @ weights.T
    return J
"""),
    Attempt("softmax_jacobian", "a dot product instead of the outer product", """
def my_softmax_jacobian(weights):
    a = weights
    return np.diag(a) - np.dot(a, a)
"""),
    Attempt("softmax_jacobian", "entry by entry instead of the outer product", """
def my_softmax_jacobian(weights):
    return np.diag(weights) - weights * weights
"""),
    Attempt("softmax_jacobian", "diag forgotten: the weights are subtracted from row by row", """
def my_softmax_jacobian(weights):
    J = weights - np.outer(weights, weights)
    return J
"""),
    Attempt("softmax_jacobian", "only the diagonal: the other entries stay 0", """
def my_softmax_jacobian(weights):
    return np.diag(weights - weights ** 2)
"""),
    Attempt("softmax_jacobian", "only the diagonal: the other entries stay 0", """
def my_softmax_jacobian(weights):
    n = len(weights)
    J = np.zeros((n, n))
    for i in range(n):
        J[i][i] = weights[i] * (1 - weights[i])
    return J
"""),
    Attempt("softmax_jacobian", "a vector instead of a table: a * (1 - a)", """
def my_softmax_jacobian(weights):
    J = weights * (1 - weights)
    return J
"""),
    Attempt("softmax_jacobian", "diag forgotten: only the outer product", """
def my_softmax_jacobian(weights):
    return -np.outer(weights, weights)
"""),
    Attempt("softmax_jacobian", "the identity instead of diag(a)", """
def my_softmax_jacobian(weights):
    return np.eye(len(weights)) - np.outer(weights, weights)
"""),
    Attempt("softmax_jacobian", "off the diagonal the sign is missing", """
def my_softmax_jacobian(weights):
    T = len(weights)
    J = np.empty((T, T))
    for i in range(T):
        for j in range(T):
            if i == j:
                J[i, j] = weights[i] * (1 - weights[i])
            else:
                J[i, j] = weights[i] * weights[j]
    return J
"""),
    Attempt("softmax_jacobian", "off the diagonal a_i a_i instead of a_i a_j", """
def my_softmax_jacobian(weights):
    T = weights.shape[0]
    J = np.zeros((T, T))
    for i in range(T):
        for j in range(T):
            J[i, j] = -weights[i] * weights[i]
        J[i, i] += weights[i]
    return J
"""),
    Attempt("softmax_jacobian", "the diagonal is 0: - a_i a_i is overwritten, a_i not added", """
def my_softmax_jacobian(weights):
    J = -np.outer(weights, weights)
    for i in range(len(weights)):
        J[i, i] = weights[i] - weights[i]
    return J
"""),
    Attempt("softmax_jacobian", "1 - a_j everywhere: a_i (1 - a_j)", """
def my_softmax_jacobian(weights):
    return np.outer(weights, 1 - weights)
"""),
    Attempt("softmax_jacobian", "softmax of the weights, which are weights already", """
def my_softmax_jacobian(weights):
    a = softmax(weights)
    J = np.diag(a) - np.outer(a, a)
    return J
"""),
    Attempt("softmax_jacobian", "the weights are squared twice: outer of the squares", """
def my_softmax_jacobian(weights):
    return np.diag(weights) - np.outer(weights ** 2, weights ** 2)
"""),
    Attempt("softmax_jacobian", "a table of whole numbers: everything is cut to 0", """
def my_softmax_jacobian(weights):
    n = len(weights)
    J = np.zeros((n, n), dtype=int)
    for i in range(n):
        for j in range(n):
            J[i, j] = weights[i] * ((i == j) - weights[j])
    return J
"""),
    Attempt("softmax_jacobian", "np.fill_diagonal returns None", """
def my_softmax_jacobian(weights):
    outer = -np.outer(weights, weights)
    J = np.fill_diagonal(outer, weights * (1 - weights))
    return J
"""),
    Attempt("softmax_jacobian", "np.diagonal for np.diag: raises", """
def my_softmax_jacobian(weights):
    J = np.diagonal(weights) - np.outer(weights, weights)
    return J
"""),
    Attempt("softmax_jacobian", "np.outer with one argument: raises", """
def my_softmax_jacobian(weights):
    return np.diag(weights) - np.outer(weights)
"""),

    Attempt("scaled_attention", "", """
def my_scaled_attention(Q, K, V):
    d_k = K.shape[-1]
    q = Q / d_k ** 0.5
    return softmax(q @ K.T) @ V
"""),
    Attempt("scaled_attention", "", """
def my_scaled_attention(Q, K, V):
    root4 = np.sqrt(np.sqrt(Q.shape[1]))
    S = np.matmul(Q / root4, (K / root4).T)
    return np.matmul(softmax(S), V)
"""),
    Attempt("scaled_attention", "", """
def my_scaled_attention(Q, K, V):
    out = np.zeros((len(Q), V.shape[1]))
    for i, q in enumerate(Q):
        scores = np.array([np.dot(q, k) / np.sqrt(len(k)) for k in K])
        exps = np.exp(scores - max(scores))
        for j in range(len(V)):
            out[i] += exps[j] / sum(exps) * V[j]
    return out
"""),
    Attempt("scaled_attention", "", """
def my_scaled_attention(Q, K, V):
    T_q, d_k = Q.shape
    scores = np.einsum("id,jd->ij", Q, K)
    scores *= d_k ** -0.5
    weights = softmax(scores)
    return np.einsum("ij,jv->iv", weights, V)
"""),
    Attempt("scaled_attention", "not scaled", """
def my_scaled_attention(Q, K, V):
    scores = Q @ K.T
    weights = softmax(scores)
    return weights @ V
"""),
    Attempt("scaled_attention", "divides by d_k without the root", """
def my_scaled_attention(Q, K, V):
    d_k = Q.shape[1]
    return softmax(Q @ K.T / d_k) @ V
"""),
    Attempt("scaled_attention", "** 1/2 is half of d_k, not its root", """
def my_scaled_attention(Q, K, V):
    d_k = Q.shape[-1]
    scores = Q @ K.T / (d_k ** 1/2)
    return softmax(scores) @ V
"""),
    Attempt("scaled_attention", "divides by sqrt(T_q) instead of sqrt(d_k)", """
def my_scaled_attention(Q, K, V):
    scale = np.sqrt(Q.shape[0])
    weights = softmax(Q @ K.T / scale)
    return weights @ V
"""),
    Attempt("scaled_attention", "divides by sqrt(T_kv) instead of sqrt(d_k): len(K)", """
def my_scaled_attention(Q, K, V):
    return softmax(Q @ K.T / np.sqrt(len(K))) @ V
"""),
    Attempt("scaled_attention", "divides by sqrt(T_kv) instead of sqrt(d_k): the width of the scores", """
def my_scaled_attention(Q, K, V):
    scores = Q @ K.T
    scores = scores / np.sqrt(scores.shape[-1])
    output = softmax(scores) @ V
    return output
"""),
    Attempt("scaled_attention", "divides by sqrt(d_v) instead of sqrt(d_k)", """
def my_scaled_attention(Q, K, V):
    d = V.shape[-1]
    return softmax((Q @ K.T) / np.sqrt(d)) @ V
"""),
    Attempt("scaled_attention", "the root of the number of all entries: Q.size", """
def my_scaled_attention(Q, K, V):
    weights = softmax(Q @ K.T / np.sqrt(Q.size))
    output = weights @ V
    return output
"""),
    Attempt("scaled_attention", "the root of the whole shape", """
def my_scaled_attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(K.shape)
    return softmax(scores) @ V
"""),
    Attempt("scaled_attention", "multiplies by the root instead of dividing", """
def my_scaled_attention(Q, K, V):
    scale = np.sqrt(Q.shape[1])
    return softmax(Q @ K.T * scale) @ V
"""),
    Attempt("scaled_attention", "divides after the softmax", """
def my_scaled_attention(Q, K, V):
    weights = softmax(Q @ K.T) / np.sqrt(Q.shape[1])
    return weights @ V
"""),
    Attempt("scaled_attention", "divides the output", """
def my_scaled_attention(Q, K, V):
    scores = Q @ K.T
    weights = softmax(scores)
    output = weights @ V
    output = output / np.sqrt(K.shape[1])
    return output
"""),
    Attempt("scaled_attention", "scales twice: Q and K both divided by the root", """
def my_scaled_attention(Q, K, V):
    r = np.sqrt(Q.shape[-1])
    Q = Q / r
    K = K / r
    return softmax(Q @ K.T) @ V
"""),
    Attempt("scaled_attention", "the 2 of the example under the root", """
def my_scaled_attention(Q, K, V):
    output = softmax(Q @ K.T / np.sqrt(2)) @ V
    return output
"""),
    Attempt("scaled_attention", "the root of the scores instead of d_k: NaN where a score is negative", """
def my_scaled_attention(Q, K, V):
    d_k = Q.shape[1]
    return softmax(np.sqrt(Q @ K.T / d_k)) @ V
"""),
    Attempt("scaled_attention", "divides by the scores' own standard deviation", """
def my_scaled_attention(Q, K, V):
    S = Q @ K.T
    S = S / S.std()
    return softmax(S) @ V
"""),
    Attempt("scaled_attention", "softmax over the queries: axis 0", """
def my_scaled_attention(Q, K, V):
    S = (Q @ K.T) / np.sqrt(Q.shape[1])
    return softmax(S, axis=0) @ V
"""),
    Attempt("scaled_attention", "no softmax", """
def my_scaled_attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    output = scores @ V
    return output
"""),
    Attempt("scaled_attention", "K and V swapped", """
def my_scaled_attention(Q, K, V):
    d_k = Q.shape[1]
    weights = softmax(Q @ V.T / np.sqrt(d_k))
    return weights @ K
"""),
    Attempt("scaled_attention", "the divided scores are not kept", """
def my_scaled_attention(Q, K, V):
    scores = Q @ K.T
    scores / np.sqrt(Q.shape[1])
    weights = softmax(scores)
    return weights @ V
"""),
    Attempt("scaled_attention", "a name that is not there: d_k", """
def my_scaled_attention(Q, K, V):
    output = softmax(Q @ K.T / np.sqrt(d_k)) @ V
    return output
"""),

    Attempt("softmax_with_temperature", "", """
def my_softmax_with_temperature(scores, temperature):
    beta = 1 / temperature
    return softmax(beta * scores, axis=-1)
"""),
    Attempt("softmax_with_temperature", "", """
def my_softmax_with_temperature(scores, temperature):
    z = scores - scores.max(axis=-1, keepdims=True)
    e = np.exp(z / temperature)
    return e / e.sum(axis=-1, keepdims=True)
"""),
    Attempt("softmax_with_temperature", "", """
def my_softmax_with_temperature(scores, temperature):
    T = scores.shape[-1]
    weights = []
    for row in scores.reshape(-1, T):
        weights.append(softmax(np.array([s / temperature for s in row])))
    return np.array(weights).reshape(scores.shape)
"""),
    Attempt("softmax_with_temperature", "", """
def my_softmax_with_temperature(scores, temperature):
    flattened = np.divide(scores, temperature)
    top = np.max(flattened, axis=-1)
    shifted = flattened - np.expand_dims(top, -1)
    exps = np.exp(shifted)
    return exps / np.expand_dims(np.sum(exps, axis=-1), -1)
"""),
    Attempt("softmax_with_temperature", "multiplies by the temperature instead of dividing", """
def my_softmax_with_temperature(scores, temperature):
    weights = softmax(scores * temperature)
    return weights
"""),
    Attempt("softmax_with_temperature", "divides after the softmax", """
def my_softmax_with_temperature(scores, temperature):
    weights = softmax(scores) / temperature
    return weights
"""),
    Attempt("softmax_with_temperature", "divides after the softmax and normalises again: the temperature cancels", """
def my_softmax_with_temperature(scores, temperature):
    w = softmax(scores)
    w = w / temperature
    return w / w.sum(axis=-1, keepdims=True)
"""),
    Attempt("softmax_with_temperature", "the temperature is not used", """
def my_softmax_with_temperature(scores, temperature):
    weights = softmax(scores)
    return weights
"""),
    Attempt("softmax_with_temperature", "exps divided by the temperature instead of the scores: it cancels", """
def my_softmax_with_temperature(scores, temperature):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True)) / temperature
    return e / e.sum(axis=-1, keepdims=True)
"""),
    Attempt("softmax_with_temperature", "divides by the root of the temperature", """
def my_softmax_with_temperature(scores, temperature):
    return softmax(scores / np.sqrt(temperature))
"""),
    Attempt("softmax_with_temperature", "divides by the root of the scores' width as well", """
def my_softmax_with_temperature(scores, temperature):
    d = scores.shape[-1]
    return softmax(scores / np.sqrt(d) / temperature)
"""),
    Attempt("softmax_with_temperature", "subtracts the temperature: softmax does not see it", """
def my_softmax_with_temperature(scores, temperature):
    return softmax(scores - temperature)
"""),
    Attempt("softmax_with_temperature", "divides only the maximum: brackets missing", """
def my_softmax_with_temperature(scores, temperature):
    m = np.max(scores, axis=-1, keepdims=True)
    e = np.exp(scores - m / temperature)
    return e / np.sum(e, axis=-1, keepdims=True)
"""),
    Attempt("softmax_with_temperature", "turned over: the temperature divided by the scores", """
def my_softmax_with_temperature(scores, temperature):
    weights = softmax(temperature / scores)
    return weights
"""),
    Attempt("softmax_with_temperature", "floor division cuts the scores", """
def my_softmax_with_temperature(scores, temperature):
    return softmax(scores // temperature)
"""),
    Attempt("softmax_with_temperature", "the weights to the power of the temperature instead of its inverse", """
def my_softmax_with_temperature(scores, temperature):
    p = softmax(scores) ** temperature
    return p / p.sum(axis=-1, keepdims=True)
"""),
    Attempt("softmax_with_temperature", "softmax over columns: axis 0", """
def my_softmax_with_temperature(scores, temperature):
    weights = softmax(scores / temperature, axis=0)
    return weights
"""),
    Attempt("softmax_with_temperature", "keepdims forgotten in a softmax by hand", """
def my_softmax_with_temperature(scores, temperature):
    s = scores / temperature
    e = np.exp(s - s.max(axis=-1))
    return e / e.sum(axis=-1)
"""),
    Attempt("softmax_with_temperature", "divides by the sum of the whole table", """
def my_softmax_with_temperature(scores, temperature):
    e = np.exp(scores / temperature)
    weights = e / np.sum(e)
    return weights
"""),
    Attempt("softmax_with_temperature", "no maximum subtracted: a low temperature overflows", """
def my_softmax_with_temperature(scores, temperature):
    scaled = scores / temperature
    weights = np.exp(scaled) / np.exp(scaled).sum(axis=-1, keepdims=True)
    return weights
"""),
    Attempt("softmax_with_temperature", "no softmax: only divides the scores", """
def my_softmax_with_temperature(scores, temperature):
    weights = scores / temperature
    return weights
"""),
    Attempt("softmax_with_temperature", "passes the temperature as softmax's axis", """
def my_softmax_with_temperature(scores, temperature):
    return softmax(scores, temperature)
"""),
    Attempt("softmax_with_temperature", "passes a keyword that softmax does not have", """
def my_softmax_with_temperature(scores, temperature):
    return softmax(scores, temperature=temperature)
"""),
    Attempt("softmax_with_temperature", "changes the scores that were given, in place", """
def my_softmax_with_temperature(scores, temperature):
    scores /= temperature
    return softmax(scores)
"""),
    Attempt("softmax_with_temperature", "a fixed temperature overwrites the argument", """
def my_softmax_with_temperature(scores, temperature):
    temperature = 8
    weights = softmax(scores / temperature)
    return weights
"""),
]
