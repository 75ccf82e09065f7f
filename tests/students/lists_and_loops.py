"""A student's answers in plain Python: lists, `math` and `zip`, and an array at the end."""

import math

import numpy as np


def multiply(A, B):
    return [[sum(a * b for a, b in zip(row, column)) for column in zip(*B)] for row in A]  # noqa: B905


def row_sums(A):
    return np.array([sum(row) for row in A])


def softmax(scores):
    weights = []
    for row in scores:
        top = max(row)
        exps = [math.exp(score - top) for score in row]
        weights.append([e / sum(exps) for e in exps])
    return np.array(weights)


def self_attention(X):
    scores = multiply(X, list(zip(*X)))  # noqa: B905
    return np.array(multiply(softmax(scores), X))


def project(X, W_Q, W_K, W_V):
    return np.array(multiply(X, W_Q)), np.array(multiply(X, W_K)), np.array(multiply(X, W_V))


def attention(Q, K, V):
    scores = [[sum(a * b for a, b in zip(q, k)) for k in K] for q in Q]  # noqa: B905
    return np.array(multiply(softmax(scores), V))


def cross_attention(X, context, W_Q, W_K, W_V):
    return attention(multiply(X, W_Q), multiply(context, W_K), multiply(context, W_V))


def matrix_slopes(X, W, dY):
    dX = multiply(dY, list(zip(*W)))  # noqa: B905
    dW = multiply(zip(*X), dY)  # noqa: B905
    return np.array(dX), np.array(dW)


def softmax_jacobian(weights):
    n = len(weights)
    J = [[-weights[i] * weights[j] for j in range(n)] for i in range(n)]
    for i in range(n):
        J[i][i] += weights[i]
    return np.array(J)


def softmax_slopes(weights, slopes):
    mean = sum(a * da for a, da in zip(weights, slopes))  # noqa: B905
    return np.array([a * (da - mean) for a, da in zip(weights, slopes)])  # noqa: B905


def scaled_attention(Q, K, V):
    root = math.sqrt(len(Q[0]))
    scores = [[sum(a * b for a, b in zip(q, k)) / root for k in K] for q in Q]  # noqa: B905
    return np.array(multiply(softmax(scores), V))


def without_dividing(W_Q, W_K, rate):
    d_k = len(W_Q[0])
    new_Q = [[w / d_k**0.25 for w in row] for row in W_Q]
    new_K = [[w / d_k**0.25 for w in row] for row in W_K]
    return np.array(new_Q), np.array(new_K), rate / math.sqrt(d_k)


def softmax_with_temperature(scores, temperature):
    if np.ndim(scores) > 1:
        return np.array([softmax_with_temperature(part, temperature) for part in scores])
    top = max(scores)
    exps = [math.exp((score - top) / temperature) for score in scores]
    return np.array([e / sum(exps) for e in exps])


def causal_mask(T):
    return np.array([[j <= i for j in range(T)] for i in range(T)])


def masked_attention(Q, K, V, mask):
    root = math.sqrt(len(Q[0]))
    outputs, weights = [], []
    for q, sees in zip(Q, mask):  # noqa: B905
        scores = [sum(float(a) * float(b) for a, b in zip(q, k)) / root for k in K]  # noqa: B905
        top = max((score for score, seen in zip(scores, sees) if seen), default=0)  # noqa: B905
        exps = [math.exp(score - top) if seen else 0.0 for score, seen in zip(scores, sees)]  # noqa: B905
        total = sum(exps)
        row = [e / total if total else 0.0 for e in exps]
        weights.append(row)
        outputs.append([sum(a * v for a, v in zip(row, column)) for column in zip(*V)])  # noqa: B905
    return np.array(outputs), np.array(weights)


def split_heads(X, n_heads):
    d = len(X[0]) // n_heads
    return np.array([[row[h * d : (h + 1) * d] for row in X] for h in range(n_heads)])


def merge_heads(X):
    return np.array([[number for row in rows for number in row] for rows in zip(*X)])  # noqa: B905


def multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = [split_heads(multiply(X, W), n_heads) for W in (W_Q, W_K, W_V)]
    heads = [scaled_attention(q, k, v) for q, k, v in zip(Q, K, V)]  # noqa: B905
    return np.array(multiply(merge_heads(heads), W_O))


def layer_norm(x, gamma, beta, eps):
    if np.ndim(x) > 1:
        return np.array([layer_norm(part, gamma, beta, eps) for part in x])
    mean = sum(x) / len(x)
    variance = sum((number - mean) ** 2 for number in x) / len(x)
    root = math.sqrt(variance + eps)
    return np.array([g * (number - mean) / root + b for number, g, b in zip(x, gamma, beta)])  # noqa: B905


def rms_norm(x, gamma, eps):
    if np.ndim(x) > 1:
        return np.array([rms_norm(part, gamma, eps) for part in x])
    root = math.sqrt(sum(number**2 for number in x) / len(x) + eps)
    return np.array([g * number / root for number, g in zip(x, gamma)])  # noqa: B905


def feed_forward(X, W_1, b_1, W_2, b_2):
    if np.ndim(X) > 2:
        return np.array([feed_forward(table, W_1, b_1, W_2, b_2) for table in X])
    hidden = [[max(0, total + b) for total, b in zip(row, b_1)] for row in multiply(X, W_1)]  # noqa: B905
    return np.array([[total + b for total, b in zip(row, b_2)] for row in multiply(hidden, W_2)])  # noqa: B905


def feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY):
    before = [[total + b for total, b in zip(row, b_1)] for row in multiply(X, W_1)]  # noqa: B905
    hidden = [[max(0, number) for number in row] for row in before]
    d_hidden, dW_2 = matrix_slopes(hidden, W_2, dY)
    d_before = [
        [d if number > 0 else 0 for d, number in zip(*rows)]  # noqa: B905
        for rows in zip(d_hidden, before)  # noqa: B905
    ]
    dX, dW_1 = matrix_slopes(X, W_1, d_before)
    db_1 = [sum(column) for column in zip(*d_before)]  # noqa: B905
    db_2 = [sum(column) for column in zip(*dY)]  # noqa: B905
    return dX, dW_1, np.array(db_1), dW_2, np.array(db_2)


def transformer_block(X, attend, think, norm):
    Z = np.array([[a + b for a, b in zip(*rows)] for rows in zip(X, attend(norm(X)))])  # noqa: B905
    return np.array([[a + b for a, b in zip(*rows)] for rows in zip(Z, think(norm(Z)))])  # noqa: B905


def beam_step(totals, log_probs, beam_width):
    texts = []
    for i, (total, row) in enumerate(zip(totals, log_probs)):  # noqa: B905
        texts += [(total + log_p, i, j) for j, log_p in enumerate(row)]
    best = sorted(texts, reverse=True)[:beam_width]
    new_totals, parents, tokens = zip(*best)  # noqa: B905
    return np.array(parents), np.array(tokens), np.array(new_totals)


def sinusoidal_positional_encoding(T, D):
    R = []
    for i in range(T):
        row = []
        for j in range(D // 2):
            angle = i / 10000 ** (2 * j / D)
            row += [math.sin(angle), math.cos(angle)]
        R.append(row)
    return np.array(R)


def rotate(X, cos, sin):
    turned = []
    for row, c, s in zip(X, cos, sin):  # noqa: B905
        half = len(row) // 2
        pairs = list(zip(row[:half], row[half:], c, s))  # noqa: B905
        first = [x * co - y * si for x, y, co, si in pairs]
        second = [x * si + y * co for x, y, co, si in pairs]
        turned.append(first + second)
    return np.array(turned)


def responsibilities(x, weights, means, sds):
    r = []
    for point in x:
        joint = [
            pi * math.exp(-((point - mu) ** 2) / (2 * sd**2)) / (sd * math.sqrt(2 * math.pi))
            for pi, mu, sd in zip(weights, means, sds)  # noqa: B905
        ]
        r.append([part / sum(joint) for part in joint])
    return np.array(r)


def mixture_of_experts(gates, expert_outputs):
    return np.array(
        [
            [sum(g * number for g, number in zip(gate, column)) for column in zip(*said)]  # noqa: B905
            for gate, said in zip(gates, expert_outputs)  # noqa: B905
        ]
    )


def top_k_gate(logits, k):
    gates = []
    for row in logits:
        best = sorted(row, reverse=True)[:k]
        exps = [math.exp(logit - best[0]) if logit in best else 0.0 for logit in row]
        gates.append([e / sum(exps) for e in exps])
    return np.array(gates)


def expert_layer(X, W_g, W_1, b_1, W_2, b_2, k):
    gates = top_k_gate(multiply(X, W_g), k)
    answers = [feed_forward(X, *expert) for expert in zip(W_1, b_1, W_2, b_2)]  # noqa: B905
    return mixture_of_experts(gates, list(zip(*answers)))  # noqa: B905


def train_step(Y, answer, W, learning_rate):
    P = softmax(multiply(Y, W))
    loss = sum(-math.log(p[right]) for p, right in zip(P, answer)) / len(Y)  # noqa: B905
    slopes = [[p - (j == right) for j, p in enumerate(row)] for row, right in zip(P, answer)]  # noqa: B905
    dW = multiply(zip(*Y), slopes)  # noqa: B905
    W_new = [[w - learning_rate * d / len(Y) for w, d in zip(*rows)] for rows in zip(W, dW)]  # noqa: B905
    return loss, np.array(W_new)


def forward(tokens, params, blocks, n_heads):
    X = np.array([params["W_E"][token] + place for token, place in zip(tokens, params["R"])])  # noqa: B905
    mask = causal_mask(len(tokens))
    for b in blocks:
        normed = layer_norm(X, b["gamma_1"], b["beta_1"], 1e-5)
        QKV = [np.array(multiply(normed, b["W_" + name])) + b["b_" + name] for name in "QKV"]
        Q, K, V = [split_heads(table, n_heads) for table in QKV]
        heads = [masked_attention(q, k, v, mask)[0] for q, k, v in zip(Q, K, V)]  # noqa: B905
        X = X + multiply(merge_heads(heads), b["W_O"]) + b["b_O"]
        normed = layer_norm(X, b["gamma_2"], b["beta_2"], 1e-5)
        X = X + feed_forward(normed, b["W_1"], b["b_1"], b["W_2"], b["b_2"])
    Y = layer_norm(X, params["gamma"], params["beta"], 1e-5)
    return np.array(multiply(Y, params["W_out"])) + params["b_out"]


def kv_cache_step(q, k, v, K, V):
    K_new, V_new = [*K, k], [*V, v]
    scores = [sum(a * b for a, b in zip(q, key)) / math.sqrt(len(q)) for key in K_new]  # noqa: B905
    exps = [math.exp(score - max(scores)) for score in scores]
    weights = [e / sum(exps) for e in exps]
    output = [sum(a * number for a, number in zip(weights, column)) for column in zip(*V_new)]  # noqa: B905
    return np.array(output), np.array(K_new), np.array(V_new)


def nearest_words(i, vectors, k):
    def cosine(j):
        dot = sum(a * b for a, b in zip(vectors[i], vectors[j]))  # noqa: B905
        return dot / math.hypot(*vectors[i]) / math.hypot(*vectors[j])

    others = [j for j in range(len(vectors)) if j != i]
    return np.array(sorted(others, key=cosine, reverse=True)[:k])


def mean_pooling(states, mask):
    means = []
    for sentence, is_real in zip(states, mask):  # noqa: B905
        real = [token for token, yes in zip(sentence, is_real) if yes]  # noqa: B905
        means.append([sum(column) / len(real) for column in zip(*real)])  # noqa: B905
    return np.array(means)


def merge_pair(ids, pair, new):
    merged = []
    rest = list(ids)
    while rest:
        if tuple(rest[:2]) == tuple(pair):
            merged.append(new)
            rest = rest[2:]
        else:
            merged.append(rest[0])
            rest = rest[1:]
    return merged


def encode_word(word, pairs):
    ids = [byte for byte in word.encode()]
    for new, pair in enumerate(pairs, start=256):
        ids = merge_pair(ids, pair, new)
    return ids


def grouped_query_attention(Q, K, V, mask):
    group = len(Q) // len(K)
    outputs, weights = [], []
    for h, q in enumerate(Q):
        output, row = masked_attention(q, K[h // group], V[h // group], mask)
        outputs.append(output)
        weights.append(row)
    return np.array(outputs), np.array(weights)


def swiglu(X, W_gate, W_up, W_down):
    gate = [[g / (1 + math.exp(-g)) for g in row] for row in multiply(X, W_gate)]
    hidden = [[a * b for a, b in zip(*rows)] for rows in zip(gate, multiply(X, W_up))]  # noqa: B905
    return np.array(multiply(hidden, W_down))


def top_p(probabilities, p):
    kept, together = [0.0] * len(probabilities), 0.0
    for i in sorted(range(len(probabilities)), key=lambda i: -probabilities[i]):
        if together < p:
            kept[i] = probabilities[i]
            together += probabilities[i]
    return np.array([number / sum(kept) for number in kept])


def dequantise_block(step, least, packed):
    codes = [byte % 16 for byte in packed] + [byte // 16 for byte in packed]
    return np.array([least + step * code for code in codes])


def logit_lens(states, gamma, eps, W_out, token):
    ranks = []
    for scores in multiply(rms_norm(states, gamma, eps), W_out):
        ranks.append(1 + sum(score > scores[token] for score in scores))
    return np.array(ranks)


def reply(history, said, before, between, end, next_scores, choose, most):
    read = list(history) + list(before) + list(said) + list(between)
    answer = []
    while len(answer) < most:
        token = choose(next_scores(read + answer))
        if token == end:
            break
        answer.append(token)
    return answer, read + answer + [end]


def preference_loss(good, bad, good_ref, bad_ref, beta):
    n, loss, d_good, d_bad = len(good), 0, [], []
    for i in range(n):
        margin = (good[i] - good_ref[i]) - (bad[i] - bad_ref[i])
        chance = 1 / (1 + math.exp(-beta * margin))
        loss -= math.log(chance) / n
        d_good.append(-beta * (1 - chance) / n)
        d_bad.append(beta * (1 - chance) / n)
    return loss, np.array(d_good), np.array(d_bad)


def advantages(rewards, log_p, log_p_ref, leash):
    worth = [r - leash * (p - p_ref) for r, p, p_ref in zip(rewards, log_p, log_p_ref)]  # noqa: B905
    found = []
    for i in range(len(worth)):
        others = [worth[j] for j in range(len(worth)) if j != i]
        found.append(worth[i] - sum(others) / len(others))
    return np.array(found)
