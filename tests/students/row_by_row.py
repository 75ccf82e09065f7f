"""A student's answers, row by row: zeros are filled in a loop, or rows gathered in a list."""

import numpy as np


def row_sums(A):
    sums = np.zeros(len(A))
    for i in range(len(A)):
        sums[i] = A[i].sum()
    return sums


def softmax(scores):
    weights = np.zeros(scores.shape)
    for i in range(len(scores)):
        exps = np.exp(scores[i] - scores[i].max())
        weights[i] = exps / exps.sum()
    return weights


def self_attention(X):
    weights = softmax(X @ X.T)
    X_hat = np.zeros(X.shape)
    for i in range(len(X)):
        X_hat[i] = weights[i] @ X
    return X_hat


def project(X, W_Q, W_K, W_V):
    Q = np.array([x @ W_Q for x in X])
    K = np.array([x @ W_K for x in X])
    V = np.array([x @ W_V for x in X])
    return Q, K, V


def attention(Q, K, V):
    output = []
    for q in Q:
        exps = np.exp(K @ q - (K @ q).max())
        output.append(exps / exps.sum() @ V)
    return np.array(output)


def cross_attention(X, context, W_Q, W_K, W_V):
    K, V = context @ W_K, context @ W_V
    rows = []
    for x in X:
        rows.append(attention(np.array([x @ W_Q]), K, V)[0])
    return np.array(rows)


def matrix_slopes(X, W, dY):
    dX, dW = np.zeros(X.shape), np.zeros(W.shape)
    for x, dy, dx in zip(X, dY, dX):  # noqa: B905
        dx[:] = W @ dy
        dW += np.outer(x, dy)
    return dX, dW


def softmax_jacobian(weights):
    J = np.zeros((len(weights), len(weights)))
    for i in range(len(weights)):
        J[i] = -weights[i] * weights
        J[i, i] += weights[i]
    return J


def softmax_slopes(weights, slopes):
    ds = np.zeros(len(weights))
    mean = 0
    for a, da in zip(weights, slopes):  # noqa: B905
        mean += a * da
    for j in range(len(weights)):
        ds[j] = weights[j] * (slopes[j] - mean)
    return ds


def scaled_attention(Q, K, V):
    output = np.zeros((len(Q), V.shape[1]))
    for i in range(len(Q)):
        scores = K @ Q[i] / np.sqrt(len(Q[i]))
        exps = np.exp(scores - scores.max())
        output[i] = exps / exps.sum() @ V
    return output


def without_dividing(W_Q, W_K, rate):
    d_k = len(W_Q[0])
    new_Q, new_K = np.zeros(W_Q.shape), np.zeros(W_K.shape)
    for i in range(len(W_Q)):
        new_Q[i] = W_Q[i] / d_k**0.25
        new_K[i] = W_K[i] / d_k**0.25
    return new_Q, new_K, rate / d_k**0.5


def softmax_with_temperature(scores, temperature):
    rows = scores.reshape(-1, scores.shape[-1])
    return softmax(rows / temperature).reshape(scores.shape)


def causal_mask(T):
    mask = np.zeros((T, T), dtype=bool)
    for i in range(T):
        mask[i, : i + 1] = True
    return mask


def masked_attention(Q, K, V, mask):
    output = np.zeros((len(Q), V.shape[1]))
    weights = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        if not mask[i].any():
            continue
        scores = K.astype(float) @ Q[i].astype(float) / np.sqrt(Q.shape[1])
        scores[~mask[i]] = -np.inf
        exps = np.exp(scores - scores.max())
        weights[i] = exps / exps.sum()
        output[i] = weights[i] @ V
    return output, weights


def split_heads(X, n_heads):
    T, D = X.shape
    d = D // n_heads
    heads = np.zeros((n_heads, T, d))
    for h in range(n_heads):
        for i in range(T):
            heads[h, i] = X[i, h * d : (h + 1) * d]
    return heads


def merge_heads(X):
    rows = []
    for i in range(X.shape[1]):
        rows.append(np.concatenate([head[i] for head in X]))
    return np.array(rows)


def multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q = split_heads(X @ W_Q, n_heads)
    K = split_heads(X @ W_K, n_heads)
    V = split_heads(X @ W_V, n_heads)
    heads = []
    for h in range(n_heads):
        heads.append(scaled_attention(Q[h], K[h], V[h]))
    return merge_heads(np.array(heads)) @ W_O


def layer_norm(x, gamma, beta, eps):
    rows = x.reshape(-1, x.shape[-1])
    y = np.zeros(rows.shape)
    for i in range(len(rows)):
        y[i] = gamma * (rows[i] - rows[i].mean()) / np.sqrt(rows[i].var() + eps) + beta
    return y.reshape(x.shape)


def rms_norm(x, gamma, eps):
    rows = x.reshape(-1, x.shape[-1])
    y = np.zeros(rows.shape)
    for i in range(len(rows)):
        y[i] = gamma * rows[i] / np.sqrt((rows[i] ** 2).mean() + eps)
    return y.reshape(x.shape)


def feed_forward(X, W_1, b_1, W_2, b_2):
    output = []
    for x in X.reshape(-1, X.shape[-1]):
        hidden = np.maximum(x @ W_1 + b_1, 0)
        output.append(hidden @ W_2 + b_2)
    return np.array(output).reshape(X.shape)


def feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY):
    dX, dW_1, db_1 = np.zeros(X.shape), np.zeros(W_1.shape), np.zeros(b_1.shape)
    dW_2, db_2 = np.zeros(W_2.shape), np.zeros(b_2.shape)
    for i in range(len(X)):
        before = X[i] @ W_1 + b_1
        d_before = W_2 @ dY[i] * (before > 0)
        dX[i] = W_1 @ d_before
        dW_1 += np.outer(X[i], d_before)
        db_1 += d_before
        dW_2 += np.outer(np.maximum(before, 0), dY[i])
        db_2 += dY[i]
    return dX, dW_1, db_1, dW_2, db_2


def transformer_block(X, attend, think, norm):
    heard = attend(norm(X))
    Z = np.zeros(X.shape)
    for i in range(len(X)):
        Z[i] = X[i] + heard[i]
    thought = think(norm(Z))
    output = np.zeros(X.shape)
    for i in range(len(X)):
        output[i] = Z[i] + thought[i]
    return output


def beam_step(totals, log_probs, beam_width):
    texts = []
    for i in range(len(totals)):
        for j in range(len(log_probs[i])):
            texts.append((totals[i] + log_probs[i, j], i, j))
    texts.sort(reverse=True)
    best = texts[:beam_width]
    parents = np.array([i for _, i, _ in best])
    tokens = np.array([j for _, _, j in best])
    return parents, tokens, np.array([total for total, _, _ in best])


def sinusoidal_positional_encoding(T, D):
    R = np.zeros((T, D))
    for i in range(T):
        for j in range(D // 2):
            R[i, 2 * j] = np.sin(i * 10000 ** (-2 * j / D))
            R[i, 2 * j + 1] = np.cos(i * 10000 ** (-2 * j / D))
    return R


def rotate(X, cos, sin):
    half = X.shape[1] // 2
    turned = np.zeros(X.shape)
    for i in range(len(X)):
        a, b = X[i, :half], X[i, half:]
        turned[i, :half] = a * cos[i] - b * sin[i]
        turned[i, half:] = a * sin[i] + b * cos[i]
    return turned


def responsibilities(x, weights, means, sds):
    r = np.zeros((len(x), len(weights)))
    for i in range(len(x)):
        density = np.exp(-((x[i] - means) ** 2) / (2 * sds**2)) / (sds * np.sqrt(2 * np.pi))
        r[i] = weights * density / (weights * density).sum()
    return r


def mixture_of_experts(gates, expert_outputs):
    output = []
    for gate, said in zip(gates, expert_outputs):  # noqa: B905
        output.append(gate @ said)
    return np.array(output)


def top_k_gate(logits, k):
    gates = np.zeros(logits.shape)
    for i in range(len(logits)):
        best = np.argsort(logits[i])[-k:]
        exps = np.exp(logits[i, best] - logits[i, best].max())
        gates[i, best] = exps / exps.sum()
    return gates


def expert_layer(X, W_g, W_1, b_1, W_2, b_2, k):
    outputs = np.zeros((len(X), len(W_1), len(b_2[0])))
    for e in range(len(W_1)):
        outputs[:, e] = feed_forward(X, W_1[e], b_1[e], W_2[e], b_2[e])
    return mixture_of_experts(top_k_gate(X @ W_g, k), outputs)


def train_step(Y, answer, W, learning_rate):
    loss, dW = 0, np.zeros(W.shape)
    for y, right in zip(Y, answer):  # noqa: B905
        p = softmax(np.array([y @ W]))[0]
        loss -= np.log(p[right]) / len(Y)
        p[right] -= 1
        dW += np.outer(y, p) / len(Y)
    return loss, W - learning_rate * dW


def forward(tokens, params, blocks, n_heads):
    X = np.zeros((len(tokens), params["W_E"].shape[1]))
    for i in range(len(tokens)):
        X[i] = params["W_E"][tokens[i]] + params["R"][i]
    for b in blocks:
        normed = layer_norm(X, b["gamma_1"], b["beta_1"], 1e-5)
        Q = split_heads(normed @ b["W_Q"] + b["b_Q"], n_heads)
        K = split_heads(normed @ b["W_K"] + b["b_K"], n_heads)
        V = split_heads(normed @ b["W_V"] + b["b_V"], n_heads)
        heads = []
        for h in range(n_heads):
            output, _ = masked_attention(Q[h], K[h], V[h], causal_mask(len(tokens)))
            heads.append(output)
        X = X + merge_heads(np.array(heads)) @ b["W_O"] + b["b_O"]
        normed = layer_norm(X, b["gamma_2"], b["beta_2"], 1e-5)
        X = X + feed_forward(normed, b["W_1"], b["b_1"], b["W_2"], b["b_2"])
    Y = layer_norm(X, params["gamma"], params["beta"], 1e-5)
    return np.array([y @ params["W_out"] + params["b_out"] for y in Y])


def kv_cache_step(q, k, v, K, V):
    K_new, V_new = np.array([*K, k]), np.array([*V, v])
    scores = np.zeros(len(K_new))
    for j in range(len(K_new)):
        scores[j] = q @ K_new[j] / np.sqrt(len(q))
    weights = softmax(np.array([scores]))[0]
    return weights @ V_new, K_new, V_new


def nearest_words(i, vectors, k):
    lengths = [np.linalg.norm(vector) for vector in vectors]
    cosines = np.zeros(len(vectors))
    for j in range(len(vectors)):
        cosines[j] = vectors[i] @ vectors[j] / (lengths[i] * lengths[j])
    order = []
    for j in np.argsort(cosines)[::-1]:
        if j != i:
            order.append(j)
    return np.array(order[:k])


def mean_pooling(states, mask):
    means = []
    for sentence, real in zip(states, mask):  # noqa: B905
        means.append(sentence[real].mean(axis=0))
    return np.array(means)


def merge_pair(ids, pair, new):
    merged = []
    i = 0
    while i < len(ids):
        if i + 1 < len(ids) and ids[i] == pair[0] and ids[i + 1] == pair[1]:
            merged.append(new)
            i = i + 2
        else:
            merged.append(ids[i])
            i = i + 1
    return merged


def encode_word(word, pairs):
    ids = []
    for byte in word.encode():
        ids.append(byte)
    for k, pair in enumerate(pairs):
        ids = merge_pair(ids, pair, 256 + k)
    return ids


def grouped_query_attention(Q, K, V, mask):
    group = len(Q) // len(K)
    outputs = np.zeros((len(Q), Q.shape[1], V.shape[2]))
    weights = np.zeros((len(Q), Q.shape[1], K.shape[1]))
    for h in range(len(Q)):
        outputs[h], weights[h] = masked_attention(Q[h], K[h // group], V[h // group], mask)
    return outputs, weights


def swiglu(X, W_gate, W_up, W_down):
    Y = np.zeros(X.shape)
    for i in range(len(X)):
        g = X[i] @ W_gate
        Y[i] = (g / (1 + np.exp(-g)) * (X[i] @ W_up)) @ W_down
    return Y


def top_p(probabilities, p):
    kept = np.zeros(len(probabilities))
    together = 0
    for i in np.argsort(probabilities)[::-1]:
        if together >= p:
            break
        kept[i] = probabilities[i]
        together += probabilities[i]
    return kept / kept.sum()


def dequantise_block(step, least, packed):
    numbers = np.zeros(32)
    for j in range(16):
        numbers[j] = least + step * (packed[j] & 15)
        numbers[16 + j] = least + step * (packed[j] >> 4)
    return numbers


def logit_lens(states, gamma, eps, W_out, token):
    ranks = []
    for x in states:
        normed = gamma * x / np.sqrt((x * x).mean() + eps)
        scores = normed @ W_out
        ranks.append(1 + (scores > scores[token]).sum())
    return np.array(ranks)


def reply(history, said, before, between, end, next_scores, choose, most):
    tokens = [*history, *before, *said, *between]
    answer = []
    for _ in range(most):
        token = choose(next_scores(tokens))
        if token == end:
            break
        tokens.append(token)
        answer.append(token)
    tokens.append(end)
    return answer, tokens


def preference_loss(good, bad, good_ref, bad_ref, beta):
    losses, d_good = [], []
    for g, b, g_ref, b_ref in zip(good, bad, good_ref, bad_ref):  # noqa: B905
        chance = 1 / (1 + np.exp(-beta * ((g - g_ref) - (b - b_ref))))
        losses.append(-np.log(chance) / len(good))
        d_good.append(-beta * (1 - chance) / len(good))
    return sum(losses), np.array(d_good), -np.array(d_good)


def advantages(rewards, log_p, log_p_ref, leash):
    worth = rewards - leash * (log_p - log_p_ref)
    return np.array([worth[i] - np.delete(worth, i).mean() for i in range(len(worth))])
