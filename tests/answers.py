"""Answers to the exercises of notebooks 06 to 11, right and wrong, written otherwise than in the package."""

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
        hidden = [max(0.0, b + sum(x[i] * W_1[i][j] for i in range(len(x)))) for j, b in enumerate(b_1)]
        output.append([b + sum(h * W_2[i][j] for i, h in enumerate(hidden)) for j, b in enumerate(b_2)])
    return output


def ffn_by_mask(X, W_1, b_1, W_2, b_2):
    hidden = np.einsum("...td,df->...tf", X, W_1) + b_1
    hidden *= hidden > 0
    return b_2 + np.matmul(hidden, W_2)


def block_in_two_steps(X, attend, think, norm):
    for part in (attend, think):
        X = np.add(part(norm(X)), X)
    return X


def beam_by_sorting(totals, log_probs, beam_width):
    everything = [(float(total + lp), b, t) for b, (total, row) in enumerate(zip(totals, log_probs, strict=True)) for t, lp in enumerate(row)]
    best = sorted(everything, reverse=True)[:beam_width]
    return [b for _, b, _ in best], [t for _, _, t in best], [s for s, _, _ in best]


def beam_by_unravel(totals, log_probs, beam_width):
    longer = (log_probs.T + totals).T
    best = longer.ravel().argsort()[::-1][:beam_width]
    parents, tokens = np.unravel_index(best, longer.shape)
    return parents, tokens, longer.flat[best]


def table_by_loops(T, D):
    return [[np.sin(i / 10000 ** (n / D)) if n % 2 == 0 else np.cos(i / 10000 ** ((n - 1) / D)) for n in range(D)] for i in range(T)]


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
        joint = [w * math.exp(-((point - m) ** 2) / (2 * s * s)) / s for w, m, s in zip(weights, means, sds, strict=True)]
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
        return sum(a * b for a, b in zip(vectors[i], vectors[j], strict=True)) / math.sqrt(sum(b * b for b in vectors[j]))
    return sorted((j for j in range(len(vectors)) if j != i), key=cosine, reverse=True)[:k]


def nearest_by_distance(i, vectors, k):
    U = vectors / np.sqrt(np.einsum("nd,nd->n", vectors, vectors))[:, None]
    distance = np.linalg.norm(U - U[i], axis=1)              # between rows of length 1 the distance orders as the cosine does
    distance[i] = np.inf
    return distance.argsort()[:k]


def pooling_by_loops(states, mask):
    return [np.mean([x for x, real in zip(sentence, row, strict=True) if real], axis=0) for sentence, row in zip(states, mask, strict=True)]


RIGHT = [
    ("nearest_words", nearest_by_sorting), ("nearest_words", nearest_by_distance), ("mean_pooling", pooling_by_loops),
    ("mean_pooling", lambda states, mask: np.einsum("btd,bt->bd", states, mask / mask.sum(axis=1, keepdims=True))),
    ("train_step", train_step_by_loops), ("kv_cache_step", cache_step_by_concatenate),
    ("layer_norm", layer_norm_by_moments), ("layer_norm", layer_norm_by_rows), ("rms_norm", rms_by_einsum),
    ("feed_forward", ffn_by_loops), ("feed_forward", ffn_by_mask), ("transformer_block", block_in_two_steps),
    ("beam_step", beam_by_sorting), ("beam_step", beam_by_unravel),
    ("sinusoidal_positional_encoding", table_by_loops), ("sinusoidal_positional_encoding", table_by_complex_numbers),
    ("rotate", turn_by_complex_numbers), ("rotate", turn_by_rotated_half),
    ("responsibilities", responsibilities_by_loops), ("top_k_gate", top_k_by_sorting),
    ("mixture_of_experts", lambda gates, said: np.einsum("ne,ned->nd", gates, said)),
    ("mixture_of_experts", lambda gates, said: [sum(g * y for g, y in zip(*pair, strict=True)) for pair in zip(gates, said, strict=True)]),
]

IN_OTHER_WORDS = [
    ("nearest_words", lambda i, vectors, k: [j for j in (vectors @ vectors[i]).argsort()[::-1] if j != i][:k], "not divided by the lengths"),
    ("nearest_words", lambda i, vectors, k: nearest_by_sorting(i, vectors, len(vectors))[::-1][:k], "the farthest words"),
    ("nearest_words", lambda i, vectors, k: [i, *nearest_by_sorting(i, vectors, k - 1)], "the word itself counted"),
    ("mean_pooling", lambda states, mask: np.mean(states, 1), "padding counted"),
    ("sinusoidal_positional_encoding", lambda T, D: np.array(table_by_loops(T + 1, D))[1:], "positions from 1"),
    ("sinusoidal_positional_encoding", lambda T, D: np.hstack([np.array(table_by_loops(T, D))[:, s::2] for s in (0, 1)]), "sin and cos in halves"),
    ("sinusoidal_positional_encoding", lambda T, D: [[(np.cos if n % 2 else np.sin)(i / 10000 ** (n / D)) for n in range(D)] for i in range(T)],
     "exponent i/D rather than 2⌊i/2⌋/D"),
    ("sinusoidal_positional_encoding", lambda T, D: [[(np.cos if n % 2 else np.sin)(i) for n in range(D)] for i in range(T)], "base forgotten"),
    ("sinusoidal_positional_encoding", lambda T, D: np.transpose(table_by_loops(T, D)), "transposed"),
    ("rotate", lambda X, cos, sin: turn_by_complex_numbers(X, cos, -sin), "wrong sign"),
    ("rotate", lambda X, cos, sin: X * np.hstack([cos, sin]), "values scaled instead of turned"),
    ("rotate", lambda X, cos, sin: turn_by_complex_numbers(X, sin, cos), "cos and sin swapped"),
    ("mixture_of_experts", lambda gates, said: [sum(y) / len(y) for y in said], "gates ignored"),
]

REQUIRED = {
    "nearest_words": ["not divided by the lengths", "the word itself counted", "the farthest words", "Euclidean distance"],
    "mean_pooling": ["padding counted", "divided by T", "summed, not averaged", "the first token only"],
    "layer_norm": ["over the batch axis", "over everything", "ddof=1", "ε outside the root", "γ and β swapped", "ε forgotten"],
    "rms_norm": ["centred", "no square root", "sum instead of mean", "γ forgotten"],
    "feed_forward": ["activation forgotten", "activation after the second matrix", "first bias forgotten", "second bias forgotten", "tokens mixed"],
    "transformer_block": ["post-norm where pre-norm is asked", "skip starts after the norm"],
    "beam_step": ["log-probabilities multiplied", "probabilities multiplied",
                  "one child per parent only", "keeps the worst", "parents' score forgotten"],
    "responsibilities": ["mixing weights forgotten", "normalised over points"],
    "top_k_gate": ["not renormalised", "top k over tokens", "raw logits as gates"],
    "sinusoidal_positional_encoding": ["sin and cos in halves", "exponent i/D rather than 2⌊i/2⌋/D", "positions from 1", "base forgotten"],
}
