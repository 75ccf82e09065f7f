"""A student's answers, each for the shape that its task states: `axis=1`, `.T`, no more axes."""

import numpy as np


def row_sums(A):
    return A.sum(axis=1)


def softmax(scores):
    exps = np.exp(scores - scores.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True)


def self_attention(X):
    return softmax(X @ X.T) @ X


def project(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_K, X @ W_V


def attention(Q, K, V):
    return softmax(Q @ K.T) @ V


def cross_attention(X, context, W_Q, W_K, W_V):
    return attention(X @ W_Q, context @ W_K, context @ W_V)


def matrix_slopes(X, W, dY):
    return dY @ W.T, X.T @ dY


def softmax_jacobian(weights):
    return np.diag(weights) - np.outer(weights, weights)


def softmax_slopes(weights, slopes):
    return weights * (slopes - weights @ slopes)


def scaled_attention(Q, K, V):
    return softmax(Q @ K.T / np.sqrt(Q.shape[1])) @ V


def without_dividing(W_Q, W_K, rate):
    root = np.sqrt(W_Q.shape[1])
    return W_Q / np.sqrt(root), W_K / np.sqrt(root), rate / root


def softmax_with_temperature(scores, temperature):
    return softmax(scores / temperature)


def causal_mask(T):
    return np.tril(np.ones((T, T), dtype=bool))


def masked_attention(Q, K, V, mask):
    d_k = Q.shape[1]
    scores = Q.astype(float) @ K.astype(float).T / np.sqrt(d_k)
    scores = np.where(mask, scores, -np.inf)
    sees = mask.any(axis=1)
    weights = np.zeros((len(Q), len(K)))
    weights[sees] = softmax(scores[sees])
    return weights @ V, weights


def split_heads(X, n_heads):
    T, D = X.shape
    return X.reshape(T, n_heads, D // n_heads).transpose(1, 0, 2)


def merge_heads(X):
    H, T, d = X.shape
    return X.transpose(1, 0, 2).reshape(T, H * d)


def multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    d_k = Q.shape[2]
    heads = [softmax(Q[h] @ K[h].T / np.sqrt(d_k)) @ V[h] for h in range(n_heads)]
    return merge_heads(np.array(heads)) @ W_O


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta


def rms_norm(x, gamma, eps):
    return gamma * x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + eps)


def feed_forward(X, W_1, b_1, W_2, b_2):
    return np.maximum(X @ W_1 + b_1, 0) @ W_2 + b_2


def feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY):
    before = X @ W_1 + b_1
    d_hidden, dW_2 = matrix_slopes(np.maximum(before, 0), W_2, dY)
    d_before = np.where(before > 0, d_hidden, 0)
    dX, dW_1 = matrix_slopes(X, W_1, d_before)
    return dX, dW_1, d_before.sum(axis=0), dW_2, dY.sum(axis=0)


def transformer_block(X, attend, think, norm):
    Z = X + attend(norm(X))
    return Z + think(norm(Z))


def beam_step(totals, log_probs, beam_width):
    new = totals[:, None] + log_probs
    best = np.argsort(-new, axis=None)[:beam_width]
    parents, tokens = np.divmod(best, log_probs.shape[1])
    return parents, tokens, new[parents, tokens]


def sinusoidal_positional_encoding(T, D):
    omega = 10000.0 ** (-np.arange(0, D, 2) / D)
    angles = np.outer(np.arange(T), omega)
    R = np.zeros((T, D))
    R[:, 0::2] = np.sin(angles)
    R[:, 1::2] = np.cos(angles)
    return R


def rotate(X, cos, sin):
    half = X.shape[1] // 2
    a, b = X[:, :half], X[:, half:]
    return np.hstack([a * cos - b * sin, a * sin + b * cos])


def responsibilities(x, weights, means, sds):
    off = (x[:, None] - means) / sds
    joint = weights * np.exp(-(off**2) / 2) / (sds * np.sqrt(2 * np.pi))
    return joint / joint.sum(axis=1, keepdims=True)


def mixture_of_experts(gates, expert_outputs):
    return (gates[:, :, None] * expert_outputs).sum(axis=1)


def top_k_gate(logits, k):
    threshold = np.sort(logits, axis=1)[:, [-k]]
    return softmax(np.where(logits >= threshold, logits, -np.inf))


def expert_layer(X, W_g, W_1, b_1, W_2, b_2, k):
    gates = top_k_gate(X @ W_g, k)
    experts = range(W_g.shape[1])
    outputs = np.stack([feed_forward(X, W_1[e], b_1[e], W_2[e], b_2[e]) for e in experts], axis=1)
    return mixture_of_experts(gates, outputs)


def train_step(Y, answer, W, learning_rate):
    n = Y.shape[0]
    P = softmax(Y @ W)
    loss = -np.log(P[np.arange(n), answer]).mean()
    right = np.eye(W.shape[1])[answer]
    return loss, W - learning_rate * Y.T @ (P - right) / n


def forward(tokens, params, blocks, n_heads):
    T = tokens.shape[0]
    X = params["W_E"][tokens] + params["R"][:T]
    mask = causal_mask(T)
    for b in blocks:
        N = layer_norm(X, b["gamma_1"], b["beta_1"], 1e-5)
        Q = split_heads(N @ b["W_Q"] + b["b_Q"], n_heads)
        K = split_heads(N @ b["W_K"] + b["b_K"], n_heads)
        V = split_heads(N @ b["W_V"] + b["b_V"], n_heads)
        heads = [masked_attention(Q[h], K[h], V[h], mask)[0] for h in range(n_heads)]
        X = X + merge_heads(np.array(heads)) @ b["W_O"] + b["b_O"]
        N = layer_norm(X, b["gamma_2"], b["beta_2"], 1e-5)
        X = X + feed_forward(N, b["W_1"], b["b_1"], b["W_2"], b["b_2"])
    return layer_norm(X, params["gamma"], params["beta"], 1e-5) @ params["W_out"] + params["b_out"]


def kv_cache_step(q, k, v, K, V):
    K_new = np.vstack([K, k])
    V_new = np.vstack([V, v])
    weights = softmax(q[None, :] @ K_new.T / np.sqrt(q.shape[0]))
    return (weights @ V_new)[0], K_new, V_new


def nearest_words(i, vectors, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    order = np.argsort(-(unit @ unit[i]))
    return order[order != i][:k]


def mean_pooling(states, mask):
    real = np.where(mask[:, :, None], states, 0)
    return real.sum(axis=1) / mask.sum(axis=1)[:, None]


def merge_pair(ids, pair, new):
    merged, i = [], 0
    while i < len(ids):
        if ids[i : i + 2] == list(pair):
            merged.append(new)
            i += 2
        else:
            merged.append(ids[i])
            i += 1
    return merged


def encode_word(word, pairs):
    ids = list(word.encode())
    for k in range(len(pairs)):
        ids = merge_pair(ids, pairs[k], 256 + k)
    return ids


def grouped_query_attention(Q, K, V, mask):
    group = Q.shape[0] // K.shape[0]
    both = [masked_attention(Q[h], K[h // group], V[h // group], mask) for h in range(Q.shape[0])]
    return np.array([output for output, _ in both]), np.array([weights for _, weights in both])


def swiglu(X, W_gate, W_up, W_down):
    g = X @ W_gate
    return (g / (1 + np.exp(-g)) * (X @ W_up)) @ W_down


def top_p(probabilities, p):
    order = np.argsort(-probabilities)
    likelier = np.cumsum(probabilities[order]) - probabilities[order]
    stays = order[likelier < p]
    kept = np.zeros(probabilities.shape)
    kept[stays] = probabilities[stays]
    return kept / kept.sum()


def dequantise_block(step, least, packed):
    return least + step * np.hstack([packed & 15, packed >> 4])


def logit_lens(states, gamma, eps, W_out, token):
    scores = rms_norm(states, gamma, eps) @ W_out
    return 1 + (scores > scores[:, [token]]).sum(axis=1)


def reply(history, said, before, between, end, next_scores, choose, most):
    read = history + before + said + between
    answer = []
    while len(answer) < most:
        token = choose(next_scores(read + answer))
        if token == end:
            break
        answer.append(token)
    return answer, read + answer + [end]


def preference_loss(good, bad, good_ref, bad_ref, beta):
    margin = good - good_ref - bad + bad_ref
    chance = 1 / (1 + np.exp(-beta * margin))
    pull = beta * (1 - chance) / len(margin)
    return -np.mean(np.log(chance)), -pull, pull


def advantages(rewards, log_p, log_p_ref, leash):
    worth = rewards - leash * (log_p - log_p_ref)
    n = len(worth)
    return (worth - worth.mean()) * n / (n - 1)
