"""Attempts at the exercises of notebook 11, as students write them."""

from attempts import Attempt

ATTEMPTS = [
    Attempt("nearest_words", "", """
def my_nearest_words(i, vectors, k):
    U = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = U @ U[i]
    cosines[i] = -np.inf
    rows = np.argsort(-cosines)[:k]
    return rows
"""),
    Attempt("nearest_words", "", """
def cosine(a, b):
    return np.dot(a, b) / np.sqrt(np.dot(a, a) * np.dot(b, b))

def my_nearest_words(i, vectors, k):
    found = []
    for j in range(len(vectors)):
        if j == i:
            continue
        found.append((cosine(vectors[i], vectors[j]), j))
    found.sort(key=lambda pair: pair[0], reverse=True)
    return np.array([j for _, j in found[:k]])
"""),
    Attempt("nearest_words", "", """
def my_nearest_words(i, vectors, k):
    lengths = np.sqrt((vectors ** 2).sum(axis=1))
    unit = vectors / lengths[:, None]
    distance = ((unit - unit[i]) ** 2).sum(axis=1)
    others = np.delete(np.arange(len(vectors)), i)
    return others[np.argsort(distance[others])][:k]
"""),
    Attempt("nearest_words", "", """
def my_nearest_words(i, vectors, k):
    sims = np.einsum("nd,d->n", vectors, vectors[i])
    sims = sims / np.linalg.norm(vectors, axis=-1) / np.linalg.norm(vectors[i])
    order = np.argsort(sims)[::-1]
    order = order[order != i]
    return order[:k]
"""),
    Attempt("nearest_words", "", """
def my_nearest_words(i, vectors, k):
    c = vectors @ vectors[i] / np.linalg.norm(vectors, axis=1)
    candidates = sorted(set(range(len(c))) - {i}, key=lambda j: -c[j])
    return np.array(candidates[:k])
"""),
    Attempt("nearest_words", "drops the first instead of row i: wrong with equal vectors", """
def my_nearest_words(i, vectors, k):
    U = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    similarity = U @ U[i]
    rows = np.argsort(-similarity)[1:k + 1]
    return rows
"""),
    Attempt("nearest_words", "drops the last of the sorted instead of row i: wrong with equal vectors", """
def my_nearest_words(i, vectors, k):
    norms = np.linalg.norm(vectors, axis=1)
    cos = vectors @ vectors[i] / (norms * norms[i])
    rows = np.argsort(cos)[:-1][::-1][:k]
    return rows
"""),
    Attempt("nearest_words", "the own cosine is set to 0: wrong where others are negative", """
def my_nearest_words(i, vectors, k):
    U = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    c = U @ U[i]
    c[i] = 0
    return np.argsort(-c)[:k]
"""),
    Attempt("nearest_words", "the dot product without lengths", """
def my_nearest_words(i, vectors, k):
    similarity = vectors @ vectors[i]
    order = np.argsort(-similarity)
    rows = order[order != i][:k]
    return rows
"""),
    Attempt("nearest_words", "divides by the own length only", """
def my_nearest_words(i, vectors, k):
    v = vectors[i] / np.linalg.norm(vectors[i])
    sims = vectors @ v
    sims[i] = -np.inf
    return np.argsort(-sims)[:k]
"""),
    Attempt("nearest_words", "one length for the whole table: no axis", """
def my_nearest_words(i, vectors, k):
    U = vectors / np.linalg.norm(vectors)
    cos = U @ U[i]
    cos[i] = -np.inf
    rows = np.argsort(-cos)[:k]
    return rows
"""),
    Attempt("nearest_words", "lengths of the columns: axis 0", """
def my_nearest_words(i, vectors, k):
    unit = vectors / np.linalg.norm(vectors, axis=0)
    sim = unit @ unit[i]
    sim[i] = -np.inf
    return np.argsort(-sim)[:k]
"""),
    Attempt("nearest_words", "keepdims forgotten", """
def my_nearest_words(i, vectors, k):
    unit = vectors / np.linalg.norm(vectors, axis=1)
    sim = unit @ unit[i]
    order = [j for j in np.argsort(-sim) if j != i]
    return np.array(order[:k])
"""),
    Attempt("nearest_words", "Euclidean distance", """
def my_nearest_words(i, vectors, k):
    distance = np.linalg.norm(vectors - vectors[i], axis=1)
    distance[i] = np.inf
    rows = np.argsort(distance)[:k]
    return rows
"""),
    Attempt("nearest_words", "the farthest: sorted upwards", """
def my_nearest_words(i, vectors, k):
    similarity = vectors @ vectors[i] / np.linalg.norm(vectors, axis=1)
    rows = np.array([j for j in np.argsort(similarity) if j != i][:k])
    return rows
"""),
    Attempt("nearest_words", "row i itself is not left out", """
def my_nearest_words(i, vectors, k):
    U = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    rows = np.argsort(-(U @ U[i]))[:k]
    return rows
"""),
    Attempt("nearest_words", "row i itself is not left out", """
def my_nearest_words(i, vectors, k):
    sims = []
    for row in vectors:
        sims.append(row @ vectors[i] / (np.linalg.norm(row) * np.linalg.norm(vectors[i])))
    rows = np.argsort(sims)[::-1][:k]
    return rows
"""),
    Attempt("nearest_words", "the nearest comes last", """
def my_nearest_words(i, vectors, k):
    c = vectors @ vectors[i] / np.linalg.norm(vectors, axis=1)
    c[i] = -np.inf
    rows = np.argsort(c)[-k:]
    return rows
"""),
    Attempt("nearest_words", "returns the cosines, not the numbers of the rows", """
def my_nearest_words(i, vectors, k):
    U = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    c = np.delete(U @ U[i], i)
    return np.sort(c)[::-1][:k]
"""),
    Attempt("nearest_words", "row i deleted before sorting: the numbers behind it are one too small", """
def my_nearest_words(i, vectors, k):
    others = np.delete(vectors, i, axis=0)
    sims = others @ vectors[i] / np.linalg.norm(others, axis=1)
    rows = np.argsort(-sims)[:k]
    return rows
"""),
    Attempt("nearest_words", "cut to k before row i is left out: one too few", """
def my_nearest_words(i, vectors, k):
    similarity = vectors @ vectors[i] / np.linalg.norm(vectors, axis=1)
    best = np.argsort(-similarity)[:k]
    rows = best[best != i]
    return rows
"""),
    Attempt("nearest_words", "the own cosine is set to +∞, so it comes first", """
def my_nearest_words(i, vectors, k):
    U = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cos = U @ U[i]
    cos[i] = np.inf
    return np.argsort(-cos)[:k]
"""),
    Attempt("nearest_words", "absolute cosines: opposite vectors count as near", """
def my_nearest_words(i, vectors, k):
    U = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cos = abs(U @ U[i])
    cos[i] = -1
    rows = np.argsort(-cos)[:k]
    return rows
"""),
    Attempt("nearest_words", "reverse=True is not known to np.argsort: raises", """
def my_nearest_words(i, vectors, k):
    cos = vectors @ vectors[i] / np.linalg.norm(vectors, axis=1)
    rows = np.argsort(cos, reverse=True)
    return rows[rows != i][:k]
"""),
    Attempt("nearest_words", "an array has no remove: raises", """
def my_nearest_words(i, vectors, k):
    cos = vectors @ vectors[i] / np.linalg.norm(vectors, axis=1)
    rows = np.argsort(-cos)
    rows.remove(i)
    return rows[:k]
"""),
    Attempt("nearest_words", "only the nearest, whatever k", """
def my_nearest_words(i, vectors, k):
    best, best_cos = None, -2
    for j, v in enumerate(vectors):
        cos = v @ vectors[i] / (np.linalg.norm(v) * np.linalg.norm(vectors[i]))
        if j != i and cos > best_cos:
            best, best_cos = j, cos
    return best
"""),
    Attempt("nearest_words", "compares with the number i, not with row i: raises", """
def my_nearest_words(i, vectors, k):
    similarity = vectors @ i / np.linalg.norm(vectors, axis=1)
    rows = np.array([j for j in np.argsort(-similarity) if j != i][:k])
    return rows
"""),
    Attempt("nearest_words", "name misspelt: np.linalg.nrom, raises", """
def my_nearest_words(i, vectors, k):
    similarity = vectors @ vectors[i] / np.linalg.nrom(vectors, axis=1)
    similarity[i] = -np.inf
    return np.argsort(-similarity)[:k]
"""),
    Attempt("mean_pooling", "", """
def my_mean_pooling(states, mask):
    means = []
    for sentence, real in zip(states, mask):
        means.append(sentence[real].mean(axis=0))
    return np.array(means)
"""),
    Attempt("mean_pooling", "", """
def my_mean_pooling(states, mask):
    return np.mean(states, axis=1, where=mask[:, :, None])
"""),
    Attempt("mean_pooling", "", """
def my_mean_pooling(states, mask):
    weights = mask / mask.sum(axis=1, keepdims=True)
    return np.einsum("bt,btd->bd", weights, states)
"""),
    Attempt("mean_pooling", "", """
def my_mean_pooling(states, mask):
    B, T, D = states.shape
    means = np.zeros((B, D))
    for b in range(B):
        count = 0
        for t in range(T):
            if mask[b, t]:
                means[b] += states[b, t]
                count += 1
        means[b] /= count
    return means
"""),
    Attempt("mean_pooling", "", """
def my_mean_pooling(states, mask):
    only_real = np.where(mask[..., np.newaxis], states, np.nan)
    return np.nanmean(only_real, axis=1)
"""),
    Attempt("mean_pooling", "the mask is not used", """
def my_mean_pooling(states, mask):
    means = states.mean(axis=1)
    return means
"""),
    Attempt("mean_pooling", "padding set to 0, but divided by T", """
def my_mean_pooling(states, mask):
    means = (states * mask[:, :, None]).mean(axis=1)
    return means
"""),
    Attempt("mean_pooling", "padding set to 0, but divided by T", """
def my_mean_pooling(states, mask):
    x = states.copy()
    x[~mask] = 0
    return x.sum(axis=1) / x.shape[1]
"""),
    Attempt("mean_pooling", "summed, not divided", """
def my_mean_pooling(states, mask):
    means = np.einsum("btd,bt->bd", states, mask)
    return means
"""),
    Attempt("mean_pooling", "the mask without a new axis", """
def my_mean_pooling(states, mask):
    means = (states * mask).sum(axis=1) / mask.sum(axis=1)
    return means
"""),
    Attempt("mean_pooling", "the counts without a new axis", """
def my_mean_pooling(states, mask):
    total = (states * mask[:, :, None]).sum(axis=1)
    n = mask.sum(axis=1)
    return total / n
"""),
    Attempt("mean_pooling", "divides by the real tokens of the whole batch", """
def my_mean_pooling(states, mask):
    masked = states * mask[..., None]
    means = masked.sum(axis=1) / mask.sum()
    return means
"""),
    Attempt("mean_pooling", "counts over the batch: axis 0", """
def my_mean_pooling(states, mask):
    total = (states * mask[:, :, None]).sum(axis=1)
    return total / mask.sum(axis=0)[:, None]
"""),
    Attempt("mean_pooling", "sums over the batch: axis 0", """
def my_mean_pooling(states, mask):
    m = mask[:, :, None]
    means = (states * m).sum(axis=0) / m.sum(axis=0)
    return means
"""),
    Attempt("mean_pooling", "sums over the features: axis 2", """
def my_mean_pooling(states, mask):
    s = (states * mask[:, :, None]).sum(axis=2)
    return s / mask.sum(axis=1)[:, None]
"""),
    Attempt("mean_pooling", "one mean for the whole batch", """
def my_mean_pooling(states, mask):
    means = states[mask].mean(axis=0)
    return means
"""),
    Attempt("mean_pooling", "states[mask] has lost the batch: axis 1 is the features", """
def my_mean_pooling(states, mask):
    return states[mask].mean(axis=1)
"""),
    Attempt("mean_pooling", "takes the first n tokens: wrong with padding in front", """
def my_mean_pooling(states, mask):
    lengths = mask.sum(axis=1)
    means = np.array([s[:n].mean(axis=0) for s, n in zip(states, lengths)])
    return means
"""),
    Attempt("mean_pooling", "stops at the first padding: wrong with padding in front", """
def my_mean_pooling(states, mask):
    means = np.zeros((states.shape[0], states.shape[2]))
    for b in range(len(states)):
        n = 0
        while n < mask.shape[1] and mask[b, n]:
            means[b] += states[b, n]
            n += 1
        means[b] = means[b] / n
    return means
"""),
    Attempt("mean_pooling", "the mask the wrong way round: the mean of the padding", """
def my_mean_pooling(states, mask):
    keep = ~mask[:, :, None]
    means = (states * keep).sum(axis=1) / keep.sum(axis=1)
    return means
"""),
    Attempt("mean_pooling", "np.where without a new axis", """
def my_mean_pooling(states, mask):
    real = np.where(mask, states, 0)
    means = real.sum(axis=1) / mask.sum(axis=1, keepdims=True)
    return means
"""),
    Attempt("mean_pooling", "scaled to length 1", """
def my_mean_pooling(states, mask):
    m = (states * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1)[:, None]
    means = m / np.linalg.norm(m, axis=1, keepdims=True)
    return means
"""),
    Attempt("mean_pooling", "the largest instead of the mean", """
def my_mean_pooling(states, mask):
    hidden = np.where(mask[:, :, None], states, -np.inf)
    return hidden.max(axis=1)
"""),
    Attempt("mean_pooling", "only the first token", """
def my_mean_pooling(states, mask):
    means = states[:, 0, :]
    return means
"""),
    Attempt("mean_pooling", "softmax of the mask as weights: padding still counts", """
def my_mean_pooling(states, mask):
    weights = softmax(mask.astype(float))
    means = (weights[:, :, None] * states).sum(axis=1)
    return means
"""),
    Attempt("mean_pooling", "the summed axis is kept: (batch, 1, D)", """
def my_mean_pooling(states, mask):
    m = mask[:, :, None]
    means = (states * m).sum(axis=1, keepdims=True) / m.sum(axis=1, keepdims=True)
    return means
"""),
    Attempt("mean_pooling", "the mask transposed: raises", """
def my_mean_pooling(states, mask):
    return (mask.T @ states) / mask.sum(axis=1)[:, None]
"""),
    Attempt("mean_pooling", "returns inside the loop: the first sentence only", """
def my_mean_pooling(states, mask):
    means = []
    for i in range(len(states)):
        real = states[i][mask[i]]
        means.append(real.mean(axis=0))
        return np.array(means)
"""),
    Attempt("mean_pooling", "the mean of a sentence over tokens and features: no axis", """
def my_mean_pooling(states, mask):
    means = []
    for s, m in zip(states, mask):
        means.append(s[m].mean())
    return np.array(means)
"""),
    Attempt("mean_pooling", "counts from 1: one token too many", """
def my_mean_pooling(states, mask):
    means = np.zeros((states.shape[0], states.shape[-1]))
    for b, sentence in enumerate(states):
        n = 1
        for t, token in enumerate(sentence):
            if mask[b, t] == True:
                means[b] = means[b] + token
                n = n + 1
        means[b] = means[b] / n
    return means
"""),
    Attempt("mean_pooling", "an empty return", """
def my_mean_pooling(states, mask):
    total = (states * mask[:, :, None]).sum(axis=1)
    means = total / mask.sum(axis=1)[:, None]
    return
"""),
]
