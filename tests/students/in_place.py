"""A student's answers that work in place: on a copy, in an `np.empty_like`, or with `out=`."""

import numpy as np


def row_sums(A):
    sums = np.empty_like(A[:, 0])
    np.sum(A, axis=1, out=sums)
    return sums


def softmax(scores):
    x = scores.copy()
    x -= x.max(axis=1, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=1, keepdims=True)
    return x


def self_attention(X):
    X_hat = np.empty_like(X)
    np.matmul(softmax(X @ X.T), X, out=X_hat)
    return X_hat


def project(X, W_Q, W_K, W_V):
    QKV = [np.empty((X.shape[0], W.shape[1])) for W in (W_Q, W_K, W_V)]
    for result, W in zip(QKV, (W_Q, W_K, W_V)):  # noqa: B905
        np.matmul(X, W, out=result)
    return tuple(QKV)


def attention(Q, K, V):
    weights = Q @ K.T
    weights -= weights.max(axis=1, keepdims=True)
    np.exp(weights, out=weights)
    weights /= weights.sum(axis=1, keepdims=True)
    return weights @ V


def cross_attention(X, context, W_Q, W_K, W_V):
    Q, K, V = X.copy(), context.copy(), context.copy()
    Q = Q @ W_Q
    K = K @ W_K
    V = V @ W_V
    return attention(Q, K, V)


def matrix_slopes(X, W, dY):
    dX, dW = np.empty_like(X), np.empty_like(W)
    np.matmul(dY, W.T, out=dX)
    np.matmul(X.T, dY, out=dW)
    return dX, dW


def softmax_jacobian(weights):
    J = np.outer(weights, weights)
    np.negative(J, out=J)
    J[np.diag_indices_from(J)] += weights
    return J


def softmax_slopes(weights, slopes):
    ds = slopes.copy()
    ds -= weights @ slopes
    ds *= weights
    return ds


def scaled_attention(Q, K, V):
    weights = Q @ K.T
    weights /= np.sqrt(Q.shape[1])
    weights -= weights.max(axis=1, keepdims=True)
    np.exp(weights, out=weights)
    weights /= weights.sum(axis=1, keepdims=True)
    return weights @ V


def without_dividing(W_Q, W_K, rate):
    new_Q, new_K = W_Q.copy(), W_K.copy()
    d_k = W_Q.shape[1]
    new_Q /= d_k**0.25
    new_K /= d_k**0.25
    rate /= d_k**0.5
    return new_Q, new_K, rate


def softmax_with_temperature(scores, temperature):
    x = scores.copy()
    x /= temperature
    x -= x.max(axis=-1, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=-1, keepdims=True)
    return x


def causal_mask(T):
    mask = np.ones((T, T), dtype=bool)
    for i in range(T):
        mask[i, i + 1 :] = False
    return mask


def masked_attention(Q, K, V, mask):
    weights = Q.astype(np.float64) @ K.T.astype(np.float64)
    weights /= np.sqrt(Q.shape[1])
    weights[~mask] = -np.inf
    weights[~mask.any(axis=1)] = 0
    weights -= weights.max(axis=1, keepdims=True)
    np.exp(weights, out=weights)
    weights /= weights.sum(axis=1, keepdims=True)
    weights[~mask] = 0
    return weights @ V, weights


def split_heads(X, n_heads):
    T, D = X.shape
    heads = np.empty((n_heads, T, D // n_heads))
    for h in range(n_heads):
        heads[h] = X[:, h * D // n_heads : (h + 1) * D // n_heads]
    return heads


def merge_heads(X):
    H, T, d = X.shape
    merged = np.empty((T, H * d))
    for h in range(H):
        merged[:, h * d : (h + 1) * d] = X[h]
    return merged


def multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    Q /= np.sqrt(Q.shape[2])
    heads = np.empty_like(V)
    for h in range(n_heads):
        scores = Q[h] @ K[h].T
        np.matmul(softmax(scores), V[h], out=heads[h])
    return merge_heads(heads) @ W_O


def layer_norm(x, gamma, beta, eps):
    y = x.copy()
    y -= y.mean(axis=-1, keepdims=True)
    y /= np.sqrt((y * y).mean(axis=-1, keepdims=True) + eps)
    y *= gamma
    y += beta
    return y


def rms_norm(x, gamma, eps):
    y = x.copy()
    y /= np.sqrt((x * x).mean(axis=-1, keepdims=True) + eps)
    y *= gamma
    return y


def feed_forward(X, W_1, b_1, W_2, b_2):
    hidden = X @ W_1
    hidden += b_1
    np.maximum(hidden, 0, out=hidden)
    output = hidden @ W_2
    output += b_2
    return output


def feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY):
    hidden = X @ W_1
    hidden += b_1
    np.maximum(hidden, 0, out=hidden)
    d_hidden, dW_2 = matrix_slopes(hidden, W_2, dY)
    d_hidden[hidden == 0] = 0
    dX, dW_1 = matrix_slopes(X, W_1, d_hidden)
    db_1, db_2 = np.empty_like(b_1), np.empty_like(b_2)
    np.sum(d_hidden, axis=0, out=db_1)
    np.sum(dY, axis=0, out=db_2)
    return dX, dW_1, db_1, dW_2, db_2


def transformer_block(X, attend, think, norm):
    stream = X.copy()
    stream += attend(norm(stream))
    stream += think(norm(stream))
    return stream


def beam_step(totals, log_probs, beam_width):
    new = log_probs.copy()
    new += totals[:, None]
    order = np.argsort(new, axis=None)[::-1][:beam_width]
    parents, tokens = np.divmod(order, new.shape[1])
    return parents, tokens, new.ravel()[order]


def sinusoidal_positional_encoding(T, D):
    R = np.empty((T, D))
    angles = np.arange(T)[:, None] / 10000 ** (np.arange(0, D, 2) / D)
    np.sin(angles, out=R[:, 0::2])
    np.cos(angles, out=R[:, 1::2])
    return R


def rotate(X, cos, sin):
    half = X.shape[1] // 2
    turned = np.empty_like(X)
    turned[:, :half] = X[:, :half] * cos
    turned[:, :half] -= X[:, half:] * sin
    turned[:, half:] = X[:, :half] * sin
    turned[:, half:] += X[:, half:] * cos
    return turned


def responsibilities(x, weights, means, sds):
    r = x[:, None] - means
    r /= sds
    r *= r
    r /= -2
    np.exp(r, out=r)
    r *= weights / sds
    r /= r.sum(axis=1, keepdims=True)
    return r


def mixture_of_experts(gates, expert_outputs):
    weighted = expert_outputs.copy()
    weighted *= gates[:, :, None]
    return weighted.sum(axis=1)


def top_k_gate(logits, k):
    gates = logits.copy()
    rows = np.arange(len(gates))[:, None]
    rest = np.argsort(gates, axis=1)[:, :-k]
    gates[rows, rest] = -np.inf
    gates -= gates.max(axis=1, keepdims=True)
    np.exp(gates, out=gates)
    gates /= gates.sum(axis=1, keepdims=True)
    return gates


def expert_layer(X, W_g, W_1, b_1, W_2, b_2, k):
    gates = top_k_gate(X @ W_g, k)
    outputs = np.empty((len(X), len(W_1), X.shape[1]))
    for e in range(len(W_1)):
        outputs[:, e] = feed_forward(X, W_1[e], b_1[e], W_2[e], b_2[e])
    return mixture_of_experts(gates, outputs)


def train_step(Y, answer, W, learning_rate):
    slope = softmax(Y @ W)
    places = np.arange(len(Y))
    loss = -np.log(slope[places, answer]).mean()
    slope[places, answer] -= 1
    slope /= len(Y)
    W_new = W.copy()
    W_new -= learning_rate * (Y.T @ slope)
    return loss, W_new


def forward(tokens, params, blocks, n_heads):
    X = params["W_E"][tokens]
    X += params["R"][: len(tokens)]
    mask = causal_mask(len(tokens))
    for b in blocks:
        N = layer_norm(X, b["gamma_1"], b["beta_1"], 1e-5)
        Q, K, V = N @ b["W_Q"], N @ b["W_K"], N @ b["W_V"]
        Q += b["b_Q"]
        K += b["b_K"]
        V += b["b_V"]
        heads = split_heads(V, n_heads)
        for h, (q, k) in enumerate(zip(split_heads(Q, n_heads), split_heads(K, n_heads))):  # noqa: B905
            heads[h] = masked_attention(q, k, heads[h], mask)[0]
        X += merge_heads(heads) @ b["W_O"]
        X += b["b_O"]
        N = layer_norm(X, b["gamma_2"], b["beta_2"], 1e-5)
        X += feed_forward(N, b["W_1"], b["b_1"], b["W_2"], b["b_2"])
    scores = layer_norm(X, params["gamma"], params["beta"], 1e-5) @ params["W_out"]
    scores += params["b_out"]
    return scores


def kv_cache_step(q, k, v, K, V):
    K_new = np.empty((len(K) + 1, len(k)))
    K_new[:-1], K_new[-1] = K, k
    V_new = np.empty((len(V) + 1, len(v)))
    V_new[:-1], V_new[-1] = V, v
    weights = K_new @ q
    weights /= np.sqrt(len(q))
    weights -= weights.max()
    np.exp(weights, out=weights)
    weights /= weights.sum()
    return weights @ V_new, K_new, V_new


def nearest_words(i, vectors, k):
    cosines = vectors @ vectors[i]
    cosines /= np.linalg.norm(vectors, axis=1)
    cosines /= np.linalg.norm(vectors[i])
    cosines[i] = -np.inf
    return np.argsort(cosines)[::-1][:k]


def mean_pooling(states, mask):
    kept = states.copy()
    kept[~mask] = 0
    means = kept.sum(axis=1)
    means /= mask.sum(axis=1, keepdims=True)
    return means


def merge_pair(ids, pair, new):
    merged = ids.copy()
    i = 0
    while i < len(merged) - 1:
        if (merged[i], merged[i + 1]) == pair:
            merged[i : i + 2] = [new]
        i += 1
    return merged


def encode_word(word, pairs):
    ids = list(word.encode())
    for k, pair in enumerate(pairs):
        ids[:] = merge_pair(ids, pair, 256 + k)
    return ids


def grouped_query_attention(Q, K, V, mask):
    group = len(Q) // len(K)
    outputs = np.empty((len(Q), Q.shape[1], V.shape[2]))
    weights = np.empty((len(Q), Q.shape[1], K.shape[1]))
    for h in range(len(Q)):
        outputs[h], weights[h] = masked_attention(Q[h], K[h // group], V[h // group], mask)
    return outputs, weights


def swiglu(X, W_gate, W_up, W_down):
    g = X @ W_gate
    g /= 1 + np.exp(-g)
    g *= X @ W_up
    return g @ W_down


def top_p(probabilities, p):
    kept = probabilities.copy()
    order = np.argsort(kept)[::-1]
    likelier = np.cumsum(kept[order])
    likelier -= kept[order]
    kept[order[likelier >= p]] = 0
    kept /= kept.sum()
    return kept


def dequantise_block(step, least, packed):
    numbers = np.empty(32)
    numbers[:16] = packed & 15
    numbers[16:] = packed >> 4
    numbers *= step
    numbers += least
    return numbers


def logit_lens(states, gamma, eps, W_out, token):
    scores = rms_norm(states, gamma, eps) @ W_out
    scores -= scores[:, [token]].copy()
    ranks = (scores > 0).sum(axis=1)
    ranks += 1
    return ranks


def reply(history, said, before, between, end, next_scores, choose, most):
    history = history.copy()
    history += before
    history += said
    history += between
    answer = []
    while len(answer) < most:
        token = choose(next_scores(history))
        if token == end:
            break
        answer += [token]
        history += [token]
    history += [end]
    return answer, history


def preference_loss(good, bad, good_ref, bad_ref, beta):
    chance = good - good_ref
    chance -= bad
    chance += bad_ref
    chance *= -beta
    np.exp(chance, out=chance)
    chance += 1
    loss = np.log(chance).mean()
    chance **= -1
    chance -= 1
    chance *= beta / len(good)
    return loss, chance, -chance


def advantages(rewards, log_p, log_p_ref, leash):
    worth = log_p_ref - log_p
    worth *= leash
    worth += rewards
    others = worth.sum() - worth
    others /= len(worth) - 1
    worth -= others
    return worth
