"""Answers to the exercises of notebooks 06 to 13, right and wrong, written otherwise than in the
package."""

import math

import numpy as np


def layer_norm_by_moments(x, gamma, beta, eps):
    m, m2 = np.mean(x, -1)[..., None], np.mean(x**2, -1)[..., None]
    return gamma * (x - m) * (m2 - m * m + eps) ** -0.5 + beta


def layer_norm_by_rows(x, gamma, beta, eps):
    if np.ndim(x) > 1:
        return [layer_norm_by_rows(row, gamma, beta, eps) for row in x]
    m = sum(x) / len(x)
    v = sum((a - m) ** 2 for a in x) / len(x)
    return [g * (a - m) / (v + eps) ** 0.5 + b for a, g, b in zip(x, gamma, beta, strict=True)]


def rms_by_einsum(x, gamma, eps):
    return x * gamma / np.sqrt(np.einsum("...d,...d->...", x, x)[..., None] / x.shape[-1] + eps)


def ffn_by_loops(X, W_1, b_1, W_2, b_2):
    if np.ndim(X) > 2:
        return [ffn_by_loops(Z, W_1, b_1, W_2, b_2) for Z in X]
    output = []
    for x in X:
        hidden = [
            max(0.0, b + sum(x[i] * W_1[i][j] for i in range(len(x)))) for j, b in enumerate(b_1)
        ]
        output.append(
            [b + sum(h * W_2[i][j] for i, h in enumerate(hidden)) for j, b in enumerate(b_2)]
        )
    return output


def ffn_by_mask(X, W_1, b_1, W_2, b_2):
    hidden = np.einsum("...td,df->...tf", X, W_1) + b_1
    hidden *= hidden > 0
    return b_2 + np.matmul(hidden, W_2)


def ffn_slopes_by_tokens(X, W_1, b_1, W_2, b_2, dY):
    dX, dW_1, db_1, dW_2, db_2 = (np.zeros_like(a) for a in (X, W_1, b_1, W_2, b_2))
    for t, (x, dy) in enumerate(zip(X, dY, strict=True)):
        hidden = [max(0.0, b + x @ w) for b, w in zip(b_1, W_1.T, strict=True)]
        for j, h in enumerate(hidden):
            dW_2[j] += h * dy
            if h > 0:
                back = float(W_2[j] @ dy)
                dX[t] += back * W_1[:, j]
                dW_1[:, j] += back * x
                db_1[j] += back
        db_2 += dy
    return [dX, dW_1, db_1, dW_2, db_2]


def ffn_slopes_by_einsum(X, W_1, b_1, W_2, b_2, dY):
    a = np.einsum("td,df->tf", X, W_1) + b_1
    g = np.where(a > 0, np.einsum("td,fd->tf", dY, W_2), 0.0)
    return (
        np.einsum("tf,df->td", g, W_1),
        np.einsum("td,tf->df", X, g),
        np.add.reduce(g),
        np.einsum("tf,td->fd", np.clip(a, 0, None), dY),
        np.ones(len(X)) @ dY,
    )


def block_in_two_steps(X, attend, think, norm):
    for part in (attend, think):
        X = np.add(part(norm(X)), X)
    return X


def beam_by_sorting(totals, log_probs, beam_width):
    everything = [
        (float(total + lp), b, t)
        for b, (total, row) in enumerate(zip(totals, log_probs, strict=True))
        for t, lp in enumerate(row)
    ]
    best = sorted(everything, reverse=True)[:beam_width]
    return [b for _, b, _ in best], [t for _, _, t in best], [s for s, _, _ in best]


def beam_by_unravel(totals, log_probs, beam_width):
    longer = (log_probs.T + totals).T
    best = longer.ravel().argsort()[::-1][:beam_width]
    parents, tokens = np.unravel_index(best, longer.shape)
    return parents, tokens, longer.flat[best]


def table_by_loops(T, D):
    return [
        [
            np.sin(i / 10000 ** (n / D)) if n % 2 == 0 else np.cos(i / 10000 ** ((n - 1) / D))
            for n in range(D)
        ]
        for i in range(T)
    ]


def table_by_complex_numbers(T, D):
    z = np.exp(1j * np.outer(np.arange(T), np.exp(-np.log(10000) * np.arange(0, D, 2) / D)))
    return np.stack([z.imag, z.real], -1).reshape(T, D)


def turn_by_complex_numbers(X, cos, sin):
    half = X.shape[1] // 2
    z = (X[:, :half] + 1j * X[:, half:]) * (cos + 1j * sin)
    return np.hstack([z.real, z.imag])


def turn_by_rotated_half(X, cos, sin):
    a, b = np.split(X, 2, axis=1)
    return X * np.hstack([cos, cos]) + np.hstack([-b, a]) * np.hstack([sin, sin])


def responsibilities_by_loops(x, weights, means, sds):
    rows = []
    for point in x:
        joint = [
            w * math.exp(-((point - m) ** 2) / (2 * s * s)) / s
            for w, m, s in zip(weights, means, sds, strict=True)
        ]
        rows.append([j / sum(joint) for j in joint])
    return rows


def top_k_by_sorting(logits, k):
    gates = np.zeros_like(logits)
    for gate, row in zip(gates, logits, strict=True):
        kept = sorted(range(len(row)), key=lambda e: -row[e])[:k]
        total = sum(math.exp(row[e] - max(row)) for e in kept)
        for e in kept:
            gate[e] = math.exp(row[e] - max(row)) / total
    return gates


def train_step_by_loops(Y, answer, W, learning_rate):
    W, loss, slope = W.copy(), 0.0, np.zeros_like(W)
    for y, a in zip(Y, answer, strict=True):
        s = y @ W
        p = np.exp(s) / sum(np.exp(s))
        loss -= np.log(p[a]) / len(Y)
        p[a] -= 1
        slope += np.outer(y, p) / len(Y)
    return [loss, W - learning_rate * slope]


def cache_step_by_concatenate(q, k, v, K, V):
    K, V = np.concatenate((K, k.reshape(1, -1))), np.append(V, v[None, :], axis=0)
    e = np.exp(K @ q / q.size**0.5)
    return np.einsum("t,td->d", e / e.sum(), V), K, V


def nearest_by_sorting(i, vectors, k):
    def cosine(j):
        return sum(a * b for a, b in zip(vectors[i], vectors[j], strict=True)) / math.sqrt(
            sum(b * b for b in vectors[j])
        )

    return sorted((j for j in range(len(vectors)) if j != i), key=cosine, reverse=True)[:k]


def nearest_by_distance(i, vectors, k):
    U = vectors / np.sqrt(np.einsum("nd,nd->n", vectors, vectors))[:, None]
    distance = np.linalg.norm(
        U - U[i], axis=1
    )  # between rows of length 1 the distance orders as the cosine does
    distance[i] = np.inf
    return distance.argsort()[:k]


def pooling_by_loops(states, mask):
    return [
        np.mean([x for x, real in zip(sentence, row, strict=True) if real], axis=0)
        for sentence, row in zip(states, mask, strict=True)
    ]


def layer_of_experts_by_tokens(X, W_g, W_1, b_1, W_2, b_2, k):
    """Token by token, asking only the k best."""
    rows = []
    for x in X:
        logits = x @ W_g
        best = sorted(range(len(logits)), key=lambda e: logits[e])[-k:]
        shares = np.exp(logits[best]) / np.exp(logits[best]).sum()
        rows.append(
            sum(
                g * (np.clip(x @ W_1[e] + b_1[e], 0, None) @ W_2[e] + b_2[e])
                for g, e in zip(shares, best, strict=True)
            )
        )
    return np.array(rows)


def model_by_tokens(tokens, params, blocks, n_heads):
    """The scores of place i from the first i + 1 tokens alone: no mask is needed."""
    return [_last_scores(tokens[: i + 1], params, blocks, n_heads) for i in range(len(tokens))]


def _last_scores(tokens, params, blocks, n_heads):
    def norm(X, gamma, beta):
        return np.array(layer_norm_by_moments(X, gamma, beta, 1e-5))

    X = np.array([params["W_E"][t] + r for t, r in zip(tokens, params["R"], strict=False)])
    T, D = X.shape
    for b in blocks:
        I, d, heads = norm(X, b["gamma_1"], b["beta_1"]), D // n_heads, []
        for h in range(n_heads):
            part = slice(h * d, (h + 1) * d)
            q, k, v = (I @ b["W_" + x][:, part] + b["b_" + x][part] for x in "QKV")
            e = np.exp(q @ k.T / math.sqrt(d)) * np.tril(np.ones((T, T)))
            heads.append((e / e.sum(1)[:, None]) @ v)
        X = X + np.hstack(heads) @ b["W_O"] + b["b_O"]
        X = X + ffn_by_mask(
            norm(X, b["gamma_2"], b["beta_2"]), b["W_1"], b["b_1"], b["W_2"], b["b_2"]
        )
    return norm(X, params["gamma"], params["beta"])[-1] @ params["W_out"] + params["b_out"]


# Wrong ones.


def k_best_columns(logits, k):
    """m[:, i] = l[:, i] with a table of numbers for i sets the columns for every token."""
    i = np.argsort(logits)[:, -k:]
    m = np.full(logits.shape, -np.inf)
    m[:, i] = logits[:, i]
    return top_k_by_sorting(m, logits.shape[1])


def strictly_above(logits, k):
    """> for >= loses the k-th; a row of nothing gives zeros, as in the course's softmax."""
    kth = np.sort(logits, axis=-1)[:, [-k]]
    e = np.where(logits > kth, np.exp(logits - logits.max(axis=1, keepdims=True)), 0)
    return e / np.maximum(e.sum(axis=1, keepdims=True), 1e-300)


def strictly_above_by_hand(logits, k):
    kth = np.sort(logits, axis=-1)[:, [-k]]
    e = np.exp(np.where(logits > kth, logits, -np.inf))
    return e / e.sum(axis=1)[:, None]


def bells(x, weights, means, sds):
    return (
        weights
        * np.exp(-((x[:, None] - means[None, :]) ** 2) / (2 * sds**2))
        / np.sqrt(2 * np.pi * sds**2)
    )


def one_for_all_answers(Y, answer, W, learning_rate):
    P = np.exp(Y @ W)
    P /= P.sum(axis=1, keepdims=True)
    loss = np.mean(-np.log(P[:, answer]))
    P[:, answer] -= 1
    return loss, W - learning_rate * (Y.T @ P) / Y.shape[0]


def scores_as_they_are(Y, answer, W, learning_rate):
    P = Y @ W
    loss = -np.mean([np.log(row[a]) for row, a in zip(P, answer, strict=True)])
    P[np.arange(len(answer)), answer] -= 1
    return loss, W - learning_rate * np.einsum("nd,nv->dv", Y, P) / len(P)


def flat_tokens(totals, log_probs, beam_width):
    longer = np.add.outer(totals, np.zeros(log_probs.shape[1])) + log_probs
    flat = longer.flatten().argsort()[::-1][:beam_width]
    return [f // longer.shape[1] for f in flat], list(flat), [longer.flatten()[f] for f in flat]


def cosines(i, vectors):
    U = vectors / np.sqrt((vectors * vectors).sum(1))[:, None]
    return U @ U[i]


def own_cosine_zero(i, vectors, k):
    c = cosines(i, vectors)
    c[i] = 0
    return c.argsort()[::-1][:k]


def heads_by_copying(Q, K, V, mask):
    K, V = (np.repeat(x, len(Q) // len(x), axis=0) for x in (K, V))
    scores = np.einsum("hqd,hkd->hqk", Q, K) / Q.shape[-1] ** 0.5 + np.where(mask, 0, -np.inf)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    weights = powers / powers.sum(-1, keepdims=True)
    return np.einsum("hqk,hkd->hqd", weights, V), weights


def heads_by_groups(Q, K, V, mask):
    groups = [
        heads_by_copying(q, k[None], v[None], mask)
        for q, k, v in zip(np.split(Q, len(K)), K, V, strict=True)
    ]
    return np.concatenate([output for output, _ in groups]), np.concatenate(
        [weights for _, weights in groups]
    )


def gated_by_tokens(X, W_gate, W_up, W_down):
    rows = []
    for x in X:
        hidden = [
            g * (1 - 1 / (1 + math.exp(g)) if g < 0 else 1 / (1 + math.exp(-g))) * u
            for g, u in zip(x @ W_gate, x @ W_up, strict=True)
        ]
        rows.append(
            [sum(h * w for h, w in zip(hidden, column, strict=True)) for column in W_down.T]
        )
    return rows


def nucleus_one_by_one(probabilities, p):
    kept, left = [0.0] * len(probabilities), dict(enumerate(probabilities.tolist()))
    while sum(kept) < p:
        i = max(left, key=left.get)
        kept[i] = left.pop(i)
    return [x / sum(kept) for x in kept]


def nucleus_by_threshold(probabilities, p):
    down = np.sort(probabilities)[::-1]
    least = down[np.searchsorted(np.cumsum(down), p)]
    kept = probabilities * (probabilities >= least)
    return kept / kept.sum()


def nucleus_by_unplaced_mask(probabilities, p):
    down = np.sort(probabilities)[::-1]
    kept = np.where(np.r_[0, np.cumsum(down)[:-1]] < p, probabilities, 0)
    return kept / kept.sum()


def nucleus_by_misplaced_mask(probabilities, p):
    order = np.argsort(probabilities)[::-1]
    stays = (np.r_[0, np.cumsum(probabilities[order])[:-1]] < p)[order]
    return probabilities * stays / probabilities[stays].sum()


def block_by_strings(step, least, packed):
    digits = [f"{byte:02x}" for byte in packed.tolist()]
    return [least + step * int(d[1], 16) for d in digits] + [
        least + step * int(d[0], 16) for d in digits
    ]


def block_by_division(step, least, packed):
    high, low = np.divmod(packed.astype(int), 16)
    return np.r_[low, high] * step + least


def waves(divisor, T):
    a = np.arange(T).reshape(-1, 1) / divisor
    R = np.empty((T, 2 * a.shape[1]))
    R[:, ::2], R[:, 1::2] = np.sin(a), np.cos(a)
    return R


def merge_in_place(ids, pair, new):
    ids, i = list(ids), 0
    while i < len(ids) - 1:
        if (ids[i], ids[i + 1]) == pair:
            ids[i : i + 2] = [new]
        i += 1
    return ids


def merge_by_sets(ids, pair, new):
    ids, i = list(ids), 0
    while i < len(ids):
        if set(pair) == {*ids[i : i + 2]}:
            ids[i : i + 2] = [new]
        i += 1
    return ids


def merge_of_two_in_the_pair(ids, pair, new):
    ids, i = list(ids), 0
    while i < len(ids) - 1:
        if all(token in pair for token in ids[i : i + 2]):
            ids[i : i + 2] = [new]
        i += 1
    return ids


def merge_by_stack(ids, pair, new):
    done = []
    for token in ids:
        if done and done[-1] == pair[0] and token == pair[1]:
            done[-1] = new
        else:
            done.append(token)
    return np.array(done)


def merge_step_forgotten(ids, pair, new):
    merged = []
    for i in range(len(ids)):
        if ids[i : i + 2] == list(pair):
            merged.append(new)
        else:
            merged.append(ids[i])
    return merged


def merge_only_pairs_of_neighbours(ids, pair, new):
    merged, skip = [], False
    for a, b in zip(ids, ids[1:], strict=False):
        if skip:
            skip = False
        elif (a, b) == pair:
            merged.append(new)
            skip = True
        else:
            merged.append(a)
    return merged


def merge_list_against_tuple(ids, pair, new):
    merged, i = [], 0
    while i < len(ids):
        found = ids[i : i + 2] == pair
        merged.append(new if found else ids[i])
        i += 2 if found else 1
    return merged


def merge_from_the_end(ids, pair, new):
    ids = list(ids)
    for i in range(len(ids) - 2, -1, -1):
        if ids[i : i + 2] == list(pair):
            ids[i : i + 2] = [new]
    return ids


def cut_by_ranks(word, pairs):
    ids = list(bytes(word, "utf-8"))
    while any(pair in pairs for pair in zip(ids, ids[1:], strict=False)):
        k = min(pairs.index(pair) for pair in zip(ids, ids[1:], strict=False) if pair in pairs)
        ids = merge_in_place(ids, pairs[k], 256 + k)
    return ids


def cut_newest_first(word, pairs):
    ids = list(word.encode())
    for k in range(len(pairs) - 1, -1, -1):
        ids = merge_by_stack(ids, pairs[k], 256 + k).tolist()
    return ids


def cut_from_scratch(word, pairs):
    for k, pair in enumerate(pairs):
        ids = merge_in_place(list(word.encode()), pair, k + 256)
    return ids if pairs else list(word.encode())


def cut_with_return_inside(word, pairs):
    ids = list(word.encode())
    for k, pair in enumerate(pairs):
        ids = merge_in_place(ids, pair, 256 + k)
        return ids
    return ids


def cut_and_not_kept(word, pairs):
    ids = list(word.encode())
    for k, pair in enumerate(pairs):
        merge_in_place(ids, pair, 256 + k)
    return ids


def best_of_the_whole_table(logits, k):
    threshold = sorted(logits.ravel())[::-1][k * len(logits) - 1]
    e = np.where(logits >= threshold, np.exp(logits), 0)
    return e / np.maximum(e.sum(axis=1, keepdims=True), 1e-300)


def gates_of_the_best(logits, k):
    e = np.exp(logits) * [[l in sorted(row)[-k:] for l in row] for row in logits]
    return e / e.sum(axis=1, keepdims=True)


def first_k_experts(X, W_g, W_1, b_1, W_2, b_2, k):
    gates = gates_of_the_best(X @ W_g, k)
    said = np.stack([ffn_by_mask(X, W_1[e], b_1[e], W_2[e], b_2[e]) for e in range(k)], axis=1)
    return np.einsum("ne,ned->nd", gates, said)


def experts_unweighted(X, W_g, W_1, b_1, W_2, b_2, k):
    return sum(ffn_by_mask(X, *expert) for expert in zip(W_1, b_1, W_2, b_2, strict=True))


def lens_by_sorting(states, gamma, eps, W_out, token):
    ranks = []
    for x in states:
        normed = gamma * x / math.sqrt(sum(n * n for n in x) / len(x) + eps)
        ranks.append(
            1 + sorted((normed @ W_out).tolist(), reverse=True).index((normed @ W_out)[token])
        )
    return np.array(ranks)


def reply_by_a_for_loop(history, said, before, between, end, next_scores, choose, most):
    text = list(history) + list(before) + list(said) + list(between)
    asked = len(text)
    for _ in range(most):
        word = choose(next_scores(list(text)))
        if word == end:
            break
        text += [word]
    return text[asked:], text + [end]


RIGHT = [
    ("logit_lens", lens_by_sorting),
    ("reply", reply_by_a_for_loop),
    ("grouped_query_attention", heads_by_copying),
    ("grouped_query_attention", heads_by_groups),
    ("swiglu", gated_by_tokens),
    ("top_p", nucleus_one_by_one),
    ("top_p", nucleus_by_threshold),
    ("dequantise_block", block_by_strings),
    ("dequantise_block", block_by_division),
    ("merge_pair", merge_in_place),
    ("merge_pair", merge_by_stack),
    ("encode_word", cut_by_ranks),
    ("expert_layer", layer_of_experts_by_tokens),
    ("forward", model_by_tokens),
    (
        "responsibilities",
        lambda x, weights, means, sds: (
            (bells(x, weights, means, sds).T / bells(x, weights, means, sds).sum(1)).T
        ),
    ),
    (
        "nearest_words",
        lambda i, vectors, k: [j for j in np.argsort(-cosines(i, vectors)) if j != i][:k],
    ),
    (
        "mean_pooling",
        lambda states, mask: np.stack([s[m].mean(0) for s, m in zip(states, mask, strict=True)]),
    ),
    ("nearest_words", nearest_by_sorting),
    ("nearest_words", nearest_by_distance),
    ("mean_pooling", pooling_by_loops),
    (
        "mean_pooling",
        lambda states, mask: np.einsum(
            "btd,bt->bd", states, mask / mask.sum(axis=1, keepdims=True)
        ),
    ),
    ("train_step", train_step_by_loops),
    ("kv_cache_step", cache_step_by_concatenate),
    ("layer_norm", layer_norm_by_moments),
    ("layer_norm", layer_norm_by_rows),
    ("rms_norm", rms_by_einsum),
    ("feed_forward", ffn_by_loops),
    ("feed_forward", ffn_by_mask),
    ("feed_forward_slopes", ffn_slopes_by_tokens),
    ("feed_forward_slopes", ffn_slopes_by_einsum),
    ("transformer_block", block_in_two_steps),
    ("beam_step", beam_by_sorting),
    ("beam_step", beam_by_unravel),
    ("sinusoidal_positional_encoding", table_by_loops),
    ("sinusoidal_positional_encoding", table_by_complex_numbers),
    ("rotate", turn_by_complex_numbers),
    ("rotate", turn_by_rotated_half),
    ("responsibilities", responsibilities_by_loops),
    ("top_k_gate", top_k_by_sorting),
    ("mixture_of_experts", lambda gates, said: np.einsum("ne,ned->nd", gates, said)),
    (
        "mixture_of_experts",
        lambda gates, said: [
            sum(g * y for g, y in zip(*pair, strict=True)) for pair in zip(gates, said, strict=True)
        ],
    ),
]

IN_OTHER_WORDS = [
    (
        "grouped_query_attention",
        lambda Q, K, V, mask: heads_by_copying(
            Q, *(np.tile(x, (len(Q) // len(x), 1, 1)) for x in (K, V)), mask
        ),
        "dealt out in turn",
    ),
    (
        "grouped_query_attention",
        lambda Q, K, V, mask: heads_by_copying(Q, K[:1], V[:1], mask),
        "the first keys for all",
    ),
    (
        "grouped_query_attention",
        lambda Q, K, V, mask: heads_by_groups(Q, K, V, True),
        "mask forgotten",
    ),
    (
        "swiglu",
        lambda X, W_gate, W_up, W_down: X @ W_up / (1 + np.exp(-(X @ W_gate))) @ W_down,
        "sigmoid instead of silu",
    ),
    (
        "swiglu",
        lambda X, W_gate, W_up, W_down: gated_by_tokens(X, W_up, W_gate, W_down),
        "gate and up swapped",
    ),
    (
        "swiglu",
        lambda X, W_gate, W_up, W_down: np.clip(X @ W_gate, 0, None) * (X @ W_up) @ W_down,
        "relu instead of silu",
    ),
    (
        "top_p",
        lambda probabilities, p: sorted(nucleus_one_by_one(probabilities, p), reverse=True),
        "left in sorted order",
    ),
    (
        "top_p",
        lambda probabilities, p: np.where(
            np.array(nucleus_one_by_one(probabilities, p)) > 0, probabilities, 0
        ),
        "does not sum to 1",
    ),
    (
        "top_p",
        lambda probabilities, p: nucleus_by_threshold(probabilities, 1 - p),
        "1 − p instead of p",
    ),
    (
        "top_p",
        lambda probabilities, p: probabilities * (probabilities > p),
        "each compared with p, and left so",
    ),
    ("top_p", lambda probabilities, p: np.zeros_like(probabilities), "all zeros"),
    ("top_p", nucleus_by_unplaced_mask, "the mask left in sorted order"),
    ("top_p", nucleus_by_misplaced_mask, "the mask put back by the wrong order"),
    (
        "dequantise_block",
        lambda step, least, packed: [step * (x + 8) for x in block_by_strings(1, -16, packed)],
        "codes from −8, around 0",
    ),
    (
        "dequantise_block",
        lambda step, least, packed: [
            least + step * int(d, 16) for d in "".join(f"{b:02x}" for b in packed.tolist())
        ],
        "high and low in turn",
    ),
    (
        "dequantise_block",
        lambda step, least, packed: block_by_strings(step, 0, packed),
        "least forgotten",
    ),
    (
        "dequantise_block",
        lambda step, least, packed: np.r_[packed // 16, packed % 16] * step + least,
        "high bits first",
    ),
    ("merge_pair", merge_step_forgotten, "the right token kept"),
    ("merge_pair", merge_only_pairs_of_neighbours, "the last token lost"),
    ("merge_pair", merge_list_against_tuple, "nothing joined"),
    ("merge_pair", merge_from_the_end, "joined from the right"),
    (
        "merge_pair",
        lambda ids, pair, new: [new if i in pair else i for i in np.array(ids)],
        "both tokens replaced one by one",
    ),
    ("merge_pair", merge_by_sets, "compared as sets"),
    ("merge_pair", merge_of_two_in_the_pair, "any two of the pair joined"),
    ("encode_word", lambda word, pairs: list(word), "letters, not bytes"),
    ("encode_word", cut_newest_first, "the last pair first"),
    ("encode_word", cut_from_scratch, "each pair on the bare bytes"),
    ("encode_word", cut_with_return_inside, "only the first pair"),
    ("encode_word", cut_and_not_kept, "the bytes as they are"),
    (
        "layer_norm",
        lambda x, gamma, beta, eps: (
            (x - np.mean(x, 0)) / np.sqrt(np.var(x, 0) + eps) * gamma + beta
        ),
        "over the first axis",
    ),
    (
        "layer_norm",
        lambda x, gamma, beta, eps: gamma * (x - x.mean(-1)) * (x.var(-1) + eps) ** -0.5 + beta,
        "keepdims forgotten",
    ),
    (
        "layer_norm",
        lambda x, gamma, beta, eps: (
            x * gamma - x.mean(-1)[..., None] * (x.var(-1)[..., None] + eps) ** -0.5 + beta
        ),
        "γ without brackets",
    ),
    (
        "rms_norm",
        lambda x, gamma, eps: (
            x
            * gamma
            / np.linalg.norm(
                np.concatenate([x, np.full((*x.shape[:-1], 1), eps**0.5)], -1), axis=-1
            )[..., None]
        ),
        "sum instead of mean",
    ),
    (
        "feed_forward",
        lambda X, W_1, b_1, W_2, b_2: np.where(X @ W_1 + b_1 > 0, 1, 0) @ W_2 + b_2,
        "a step instead of ReLU",
    ),
    (
        "feed_forward",
        lambda X, W_1, b_1, W_2, b_2: np.max(X @ W_1 + b_1, 0) @ W_2 + b_2,
        "a maximum over tokens",
    ),
    (
        "feed_forward",
        lambda X, W_1, b_1, W_2, b_2: ffn_by_mask(np.clip(X, 0, None), W_1, b_1, W_2, b_2),
        "activation on the input, too",
    ),
    (
        "feed_forward_slopes",
        lambda X, W_1, b_1, W_2, b_2, dY: [
            a / len(X) if i else a
            for i, a in enumerate(ffn_slopes_by_einsum(X, W_1, b_1, W_2, b_2, dY))
        ],
        "averaged over the tokens",
    ),
    (
        "feed_forward_slopes",
        lambda X, W_1, b_1, W_2, b_2, dY: (
            ffn_slopes_by_tokens(X, W_1, b_1 + 1e6, W_2, b_2, dY)[:3]
            + ffn_slopes_by_tokens(X, W_1, b_1, W_2, b_2, dY)[3:]
        ),
        "ReLU forgotten on the way back",
    ),
    (
        "feed_forward_slopes",
        lambda X, W_1, b_1, W_2, b_2, dY: (
            ffn_slopes_by_einsum(X, W_1, b_1, W_2, b_2, dY)[0] + dY,
            *ffn_slopes_by_tokens(X, W_1, b_1, W_2, b_2, dY)[1:],
        ),
        "the skip's slope added",
    ),
    (
        "transformer_block",
        lambda X, attend, think, norm: norm(X + attend(X)) + think(norm(norm(X + attend(X)))),
        "first half in post-norm",
    ),
    (
        "transformer_block",
        lambda X, attend, think, norm: X + think(norm(attend(norm(X)))) + attend(norm(X)),
        "think reads only what attend gave",
    ),
    ("beam_step", flat_tokens, "flat number as token"),
    (
        "beam_step",
        lambda totals, log_probs, width: beam_by_sorting(0 * totals, log_probs, width),
        "parents' score forgotten",
    ),
    (
        "sinusoidal_positional_encoding",
        lambda T, D: waves(10000.0**2 * np.arange(D / 2) / D, T),
        "brackets forgotten in the exponent",
    ),
    (
        "sinusoidal_positional_encoding",
        lambda T, D: waves(100.0 ** (4 * np.arange(D // 2) / (D / 2)), T),
        "divided by D/2",
    ),
    (
        "rotate",
        lambda X, cos, sin: turn_by_rotated_half(
            X, np.broadcast_to(cos[0], cos.shape), np.broadcast_to(sin[0], sin.shape)
        ),
        "only the first position",
    ),
    (
        "rotate",
        lambda X, cos, sin: np.concatenate(
            [turn_by_complex_numbers(X, cos, sin)[:, : len(cos[0])], X[:, len(cos[0]) :]], 1
        ),
        "only the first half turned",
    ),
    ("responsibilities", lambda *a: bells(*a) / np.add.reduce(bells(*a), 1), "keepdims forgotten"),
    (
        "responsibilities",
        lambda x, w, m, s: (lambda b: b / b.sum(1)[:, None])(
            w / s * np.e ** ((x[:, None] - m) ** 2 / (2 * s * s))
        ),
        "the minus forgotten in the exp",
    ),
    (
        "responsibilities",
        lambda x, w, m, s: [row / sum(row) for row in bells(x, np.ones(len(m)), m, s)],
        "mixing weights forgotten",
    ),
    ("top_k_gate", strictly_above, "one expert too few"),
    ("top_k_gate", strictly_above_by_hand, "one expert too few, NaN where none is left"),
    ("top_k_gate", k_best_columns, "every token's choice kept for all"),
    ("top_k_gate", lambda logits, k: top_k_by_sorting(logits, 1), "best expert only"),
    ("top_k_gate", lambda logits, k: top_k_by_sorting(logits, logits.shape[1]), "all experts kept"),
    (
        "top_k_gate",
        lambda logits, k: (
            top_k_by_sorting(logits, logits.shape[1]) * (top_k_by_sorting(logits, k) > 0)
        ),
        "not renormalised",
    ),
    (
        "mixture_of_experts",
        lambda gates, said: np.sum(gates * said, axis=1),
        "no new axis for the gates",
    ),
    (
        "mixture_of_experts",
        lambda gates, said: np.einsum("me,ned->nmd", gates, said),
        "every token's gates for every token",
    ),
    (
        "mixture_of_experts",
        lambda gates, said: np.einsum("ne,ned->nd", gates / gates.sum(1, keepdims=True), said),
        "divided by the gates' sum",
    ),
    (
        "expert_layer",
        lambda X, W_g, W_1, b_1, W_2, b_2, k: layer_of_experts_by_tokens(
            X, W_g, W_1, b_1, W_2, b_2, len(b_1)
        ),
        "all experts kept",
    ),
    (
        "expert_layer",
        lambda X, W_g, W_1, b_1, W_2, b_2, k: ffn_by_loops(X, W_1[0], b_1[0], W_2[0], b_2[0]),
        "one expert's matrices for all",
    ),
    ("train_step", one_for_all_answers, "everybody's answers in both"),
    ("train_step", scores_as_they_are, "softmax missing"),
    (
        "train_step",
        lambda Y, answer, W, rate: (
            train_step_by_loops(Y, answer, W, rate)[0],
            train_step_by_loops(Y, answer, W, -rate)[1],
        ),
        "uphill",
    ),
    (
        "forward",
        lambda tokens, params, *rest: model_by_tokens(
            tokens, {**params, "R": 0 * params["R"]}, *rest
        ),
        "places forgotten",
    ),
    ("forward", _last_scores, "the last row only"),
    (
        "kv_cache_step",
        lambda q, k, v, K, V: (
            np.vstack([V, v]).T @ (np.vstack([K, k]) @ q) / q.size**0.5,
            np.vstack([K, k]),
            np.vstack([V, v]),
        ),
        "softmax missing",
    ),
    (
        "kv_cache_step",
        lambda q, k, v, K, V: (cache_step_by_concatenate(q, k, v, K, V)[0], K, V),
        "nothing remembered",
    ),
    (
        "nearest_words",
        lambda i, vectors, k: np.argsort(-cosines(i, vectors), kind="stable")[1 : k + 1],
        "the first of the order left out",
    ),
    (
        "nearest_words",
        lambda i, vectors, k: list(cosines(i, vectors).argsort(kind="stable"))[::-1][1 : k + 1],
        "the last of the order left out",
    ),
    ("nearest_words", own_cosine_zero, "own similarity set to 0"),
    (
        "mean_pooling",
        lambda states, mask: [s[:n].mean(0) for s, n in zip(states, mask.sum(1), strict=True)],
        "the first n tokens",
    ),
    (
        "mean_pooling",
        lambda states, mask: (states * mask).sum(1) / mask.sum(1)[:, None],
        "no new axis for the mask",
    ),
    (
        "nearest_words",
        lambda i, vectors, k: [j for j in (vectors @ vectors[i]).argsort()[::-1] if j != i][:k],
        "not divided by the lengths",
    ),
    (
        "nearest_words",
        lambda i, vectors, k: nearest_by_sorting(i, vectors, len(vectors))[::-1][:k],
        "the farthest words",
    ),
    (
        "nearest_words",
        lambda i, vectors, k: [i, *nearest_by_sorting(i, vectors, k - 1)],
        "the word itself counted",
    ),
    ("mean_pooling", lambda states, mask: np.mean(states, 1), "padding counted"),
    (
        "sinusoidal_positional_encoding",
        lambda T, D: np.array(table_by_loops(T + 1, D))[1:],
        "positions from 1",
    ),
    (
        "sinusoidal_positional_encoding",
        lambda T, D: np.hstack([np.array(table_by_loops(T, D))[:, s::2] for s in (0, 1)]),
        "sin and cos in halves",
    ),
    (
        "sinusoidal_positional_encoding",
        lambda T, D: [
            [(np.cos if n % 2 else np.sin)(i / 10000 ** (n / D)) for n in range(D)]
            for i in range(T)
        ],
        "a speed for every column",
    ),
    (
        "sinusoidal_positional_encoding",
        lambda T, D: [[(np.cos if n % 2 else np.sin)(i) for n in range(D)] for i in range(T)],
        "base forgotten",
    ),
    (
        "sinusoidal_positional_encoding",
        lambda T, D: np.transpose(table_by_loops(T, D)),
        "transposed",
    ),
    ("rotate", lambda X, cos, sin: turn_by_complex_numbers(X, cos, -sin), "wrong sign"),
    ("rotate", lambda X, cos, sin: X * np.hstack([cos, sin]), "values scaled instead of turned"),
    ("rotate", lambda X, cos, sin: turn_by_complex_numbers(X, sin, cos), "cos and sin swapped"),
    ("mixture_of_experts", lambda gates, said: [sum(y) / len(y) for y in said], "gates ignored"),
    (
        "rotate",
        lambda X, cos, sin: tuple(np.split(turn_by_complex_numbers(X, cos, sin), 2, axis=1)),
        "two tables",
    ),
    ("top_k_gate", best_of_the_whole_table, "the best of the whole table"),
    ("expert_layer", first_k_experts, "only the first k experts, with the gates of all"),
    ("expert_layer", experts_unweighted, "sum without gates"),
]

REQUIRED = {
    "logit_lens": [
        "counted from 0",
        "from the lowest",
        "γ left out",
        "ranked among the states",
        "the norm after the head",
    ],
    "reply": [
        "the history forgotten",
        "the answer not fed back",
        "the end in the answer",
        "the turn not closed",
        "one token too many",
    ],
    "grouped_query_attention": [
        "dealt out in turn",
        "the first keys for all",
        "keys and values averaged",
        "mask forgotten",
        "no scale",
    ],
    "swiglu": [
        "gate and up swapped",
        "no silu",
        "sigmoid instead of silu",
        "relu instead of silu",
        "added instead of multiplied",
    ],
    "top_p": [
        "the piece that reaches p left out",
        "one piece too many",
        "does not sum to 1",
        "not sorted",
        "left in sorted order",
    ],
    "dequantise_block": [
        "high bits first",
        "low and high in turn",
        "high bits not moved down",
        "least forgotten",
        "step forgotten",
    ],
    "merge_pair": [
        "the right token kept",
        "the last token lost",
        "a token used twice",
        "nothing joined",
        "the pair the other way round",
    ],
    "encode_word": [
        "the last pair first",
        "pairs counted from 0",
        "letters instead of bytes",
        "each pair on the bare bytes",
    ],
    "nearest_words": [
        "not divided by the lengths",
        "the word itself counted",
        "the farthest words",
        "Euclidean distance",
    ],
    "mean_pooling": [
        "padding counted",
        "divided by T",
        "summed, not averaged",
        "the first token only",
    ],
    "layer_norm": [
        "over the first axis",
        "over everything",
        "ddof=1",
        "ε outside the root",
        "γ and β swapped",
        "ε forgotten",
    ],
    "rms_norm": ["centred", "no square root", "sum instead of mean", "γ forgotten"],
    "feed_forward": [
        "activation forgotten",
        "activation after the second matrix",
        "first bias forgotten",
        "second bias forgotten",
        "tokens mixed",
    ],
    "feed_forward_slopes": [
        "ReLU forgotten on the way back",
        "ReLU of the slopes",
        "bias slopes not summed",
        "dW_2 from what stands before ReLU",
        "the pairs unpacked in the wrong order",
        "W_2 not transposed",
    ],
    "transformer_block": ["post-norm where pre-norm is asked", "skip starts after the norm"],
    "beam_step": [
        "log-probabilities multiplied",
        "probabilities multiplied",
        "one child per parent only",
        "keeps the worst",
        "parents' score forgotten",
    ],
    "responsibilities": ["mixing weights forgotten", "normalised over points"],
    "top_k_gate": ["not renormalised", "top k over tokens", "raw logits as gates"],
    "sinusoidal_positional_encoding": [
        "sin and cos in halves",
        "a speed for every column",
        "positions from 1",
        "base forgotten",
    ],
}
