"""Attempts at the exercises of notebook 09, as students write them."""

from attempts import Attempt

ATTEMPTS = [
    Attempt("responsibilities", "", """
def my_responsibilities(x, weights, means, sds):
    N, K = len(x), len(means)
    r = np.zeros((N, K))
    for n in range(N):
        for j in range(K):
            z = (x[n] - means[j]) / sds[j]
            r[n, j] = weights[j] * np.exp(-z * z / 2) / (sds[j] * np.sqrt(2 * np.pi))
        r[n] = r[n] / r[n].sum()
    return r
"""),
    Attempt("responsibilities", "", """
def my_responsibilities(x, weights, means, sds):
    log_joint = np.log(weights) - np.log(sds) - 0.5 * ((x[:, None] - means) / sds) ** 2
    return softmax(log_joint)
"""),
    Attempt("responsibilities", "", """
def gauss(x, m, s):
    return np.exp(-0.5 * ((x - m) / s) ** 2) / s

def my_responsibilities(x, weights, means, sds):
    columns = [w * gauss(x, m, s) for w, m, s in zip(weights, means, sds)]
    total = sum(columns)
    return np.stack([c / total for c in columns], axis=1)
"""),
    Attempt("responsibilities", "", """
def my_responsibilities(x, weights, means, sds):
    diff = x - means.reshape(-1, 1)
    var = (sds ** 2).reshape(-1, 1)
    density = np.exp(-diff ** 2 / (2 * var)) / np.sqrt(2 * np.pi * var)
    joint = weights.reshape(-1, 1) * density
    joint /= joint.sum(axis=0)
    return joint.T
"""),
    Attempt("responsibilities", "the weights π are forgotten", """
def my_responsibilities(x, weights, means, sds):
    d = np.exp(-((x[:, None] - means) ** 2) / (2 * sds**2)) / (sds * np.sqrt(2 * np.pi))
    r = d / d.sum(axis=1, keepdims=True)
    return r
"""),
    Attempt("responsibilities", "the minus in the exponent is forgotten", """
def my_responsibilities(x, weights, means, sds):
    joint = weights * np.exp((x[:, None] - means) ** 2 / (2 * sds**2)) / (sds * np.sqrt(2 * np.pi))
    return joint / joint.sum(axis=1, keepdims=True)
"""),
    Attempt("responsibilities", "1/σ in front is forgotten", """
def my_responsibilities(x, weights, means, sds):
    joint = weights * np.exp(-((x[:, None] - means) ** 2) / (2 * sds**2))
    r = joint / joint.sum(axis=1, keepdims=True)
    return r
"""),
    Attempt("responsibilities", "the distance is not squared", """
def my_responsibilities(x, weights, means, sds):
    distance = np.abs(x[:, None] - means)
    density = np.exp(-distance / (2 * sds**2)) / (sds * np.sqrt(2 * np.pi))
    joint = weights * density
    return joint / joint.sum(axis=1, keepdims=True)
"""),
    Attempt("responsibilities", "the 2 in the exponent is forgotten", """
def my_responsibilities(x, weights, means, sds):
    z = (x[:, None] - means) / sds
    p = weights * np.exp(-z**2) / sds
    return p / p.sum(axis=1, keepdims=True)
"""),
    Attempt("responsibilities", "brackets: divided by 2, multiplied by σ²", """
def my_responsibilities(x, weights, means, sds):
    x = x[:, None]
    density = np.exp(-(x - means) ** 2 / 2 * sds ** 2) / (sds * np.sqrt(2 * np.pi))
    r = weights * density
    r = r / r.sum(axis=1, keepdims=True)
    return r
"""),
    Attempt("responsibilities", "σ instead of σ² in the exponent", """
def my_responsibilities(x, weights, means, sds):
    top = weights * np.exp(-((x[:, None] - means) ** 2) / (2 * sds)) / (np.sqrt(2 * np.pi) * sds)
    return top / top.sum(axis=1, keepdims=True)
"""),
    Attempt("responsibilities", "normalised over the points: axis 0", """
def my_responsibilities(x, weights, means, sds):
    joint = weights * np.exp(-((x[:, None] - means) ** 2) / (2 * sds**2)) / sds
    r = joint / joint.sum(axis=0)
    return r
"""),
    Attempt("responsibilities", "normalised over the whole table", """
def my_responsibilities(x, weights, means, sds):
    joint = weights * np.exp(-((x[:, None] - means) ** 2) / (2 * sds**2)) / (sds * np.sqrt(2 * np.pi))
    return joint / np.sum(joint)
"""),
    Attempt("responsibilities", "not normalised", """
def my_responsibilities(x, weights, means, sds):
    r = np.zeros((len(x), len(means)))
    for k in range(len(means)):
        r[:, k] = weights[k] * np.exp(-(x - means[k])**2 / (2 * sds[k]**2)) / (sds[k] * np.sqrt(2 * np.pi))
    return r
"""),
    Attempt("responsibilities", "keepdims forgotten in the sum", """
def my_responsibilities(x, weights, means, sds):
    joint = weights * np.exp(-((x[:, None] - means) ** 2) / (2 * sds**2)) / (sds * np.sqrt(2 * np.pi))
    return joint / joint.sum(axis=1)
"""),
    Attempt("responsibilities", "x without a new axis", """
def my_responsibilities(x, weights, means, sds):
    joint = weights * np.exp(-(x - means) ** 2 / (2 * sds ** 2)) / (sds * np.sqrt(2 * np.pi))
    r = joint / joint.sum()
    return r
"""),
    Attempt("responsibilities", "new axes in x and in means: raises", """
def my_responsibilities(x, weights, means, sds):
    diff = x[:, None] - means[:, None]
    joint = weights * np.exp(-diff**2 / (2 * sds**2)) / (sds * np.sqrt(2 * np.pi))
    return joint / joint.sum(axis=1, keepdims=True)
"""),
    Attempt("responsibilities", "softmax of the joint instead of its share", """
def my_responsibilities(x, weights, means, sds):
    N = np.exp(-((x[:, None] - means) ** 2) / (2 * sds**2)) / (sds * np.sqrt(2 * np.pi))
    r = softmax(weights * N)
    return r
"""),
    Attempt("responsibilities", "weights multiplied after the softmax", """
def my_responsibilities(x, weights, means, sds):
    log_n = -((x[:, None] - means) ** 2) / (2 * sds**2) - np.log(sds)
    return weights * softmax(log_n)
"""),
    Attempt("responsibilities", "the numerator has π, the denominator not", """
def my_responsibilities(x, weights, means, sds):
    dens = np.exp(-((x[:, None] - means) ** 2) / (2 * sds**2)) / (sds * np.sqrt(2 * np.pi))
    return weights * dens / dens.sum(axis=1, keepdims=True)
"""),
    Attempt("responsibilities", "shape (K, N): a row for each Gaussian", """
def my_responsibilities(x, weights, means, sds):
    rows = []
    for w, m, s in zip(weights, means, sds):
        rows.append(w * np.exp(-(x - m)**2 / (2 * s**2)) / (s * np.sqrt(2 * np.pi)))
    joint = np.array(rows)
    return joint / joint.sum(axis=0)
"""),
    Attempt("responsibilities", "adds the log of the density, not the density, to the weights", """
def my_responsibilities(x, weights, means, sds):
    log_n = -((x[:, None] - means) ** 2) / (2 * sds**2) - np.log(sds)
    joint = weights + log_n
    r = softmax(joint)
    return r
"""),
    Attempt("responsibilities", "hard: 1 for the likeliest Gaussian", """
def my_responsibilities(x, weights, means, sds):
    joint = weights * np.exp(-((x[:, None] - means) ** 2) / (2 * sds**2)) / (sds * np.sqrt(2 * np.pi))
    r = np.eye(len(means))[joint.argmax(axis=1)]
    return r
"""),
    Attempt("responsibilities", "brackets: exp of the square, then divided by 2σ²", """
def my_responsibilities(x, weights, means, sds):
    a = np.exp(-(x[:, None] - means) ** 2) / (2 * sds ** 2)
    b = a / (sds * np.sqrt(2 * np.pi))
    r = weights * b
    return r / r.sum(axis=1, keepdims=True)
"""),
    Attempt("responsibilities", "σ² in front instead of σ", """
def my_responsibilities(x, weights, means, sds):
    var = sds ** 2
    joint = weights / (var * np.sqrt(2 * np.pi)) * np.exp(-(x[:, None] - means) ** 2 / (2 * var))
    return joint / joint.sum(axis=1, keepdims=True)
"""),
    Attempt("responsibilities", "divides by the running sum before it is complete", """
def my_responsibilities(x, weights, means, sds):
    r = np.zeros((len(x), len(weights)))
    for n in range(len(x)):
        total = 0
        for k in range(len(weights)):
            p = weights[k] * np.exp(-(x[n] - means[k]) ** 2 / (2 * sds[k] ** 2)) / sds[k]
            total += p
            r[n, k] = p / total
    return r
"""),
    Attempt("responsibilities", "name misspelt: mean for means, raises", """
def my_responsibilities(x, weights, means, sds):
    joint = weights * np.exp(-((x[:, None] - mean) ** 2) / (2 * sds**2)) / (sds * np.sqrt(2 * np.pi))
    r = joint / joint.sum(axis=1, keepdims=True)
    return r
"""),
    Attempt("mixture_of_experts", "", """
def my_mixture_of_experts(gates, expert_outputs):
    return np.einsum("ne,ned->nd", gates, expert_outputs)
"""),
    Attempt("mixture_of_experts", "", """
def my_mixture_of_experts(gates, expert_outputs):
    N, E, D = expert_outputs.shape
    output = np.zeros((N, D))
    for n in range(N):
        for e in range(E):
            output[n] += gates[n, e] * expert_outputs[n, e]
    return output
"""),
    Attempt("mixture_of_experts", "", """
def my_mixture_of_experts(gates, expert_outputs):
    return np.matmul(gates[:, np.newaxis, :], expert_outputs).squeeze(1)
"""),
    Attempt("mixture_of_experts", "", """
def my_mixture_of_experts(gates, expert_outputs):
    return np.array([g @ F for g, F in zip(gates, expert_outputs)])
"""),
    Attempt("mixture_of_experts", "gates times outputs without a new axis", """
def my_mixture_of_experts(gates, expert_outputs):
    output = (gates * expert_outputs).sum(axis=1)
    return output
"""),
    Attempt("mixture_of_experts", "gates @ outputs", """
def my_mixture_of_experts(gates, expert_outputs):
    output = gates @ expert_outputs
    return output
"""),
    Attempt("mixture_of_experts", "np.dot: every token's gates with every token's outputs", """
def my_mixture_of_experts(gates, expert_outputs):
    return np.dot(gates, expert_outputs)
"""),
    Attempt("mixture_of_experts", "sums over tokens: axis 0", """
def my_mixture_of_experts(gates, expert_outputs):
    weighted = gates[:, :, None] * expert_outputs
    output = weighted.sum(axis=0)
    return output
"""),
    Attempt("mixture_of_experts", "sums over features: axis -1", """
def my_mixture_of_experts(gates, expert_outputs):
    return np.sum(gates[..., None] * expert_outputs, axis=-1)
"""),
    Attempt("mixture_of_experts", "sums over everything: no axis", """
def my_mixture_of_experts(gates, expert_outputs):
    output = np.sum(gates[:, :, None] * expert_outputs)
    return output
"""),
    Attempt("mixture_of_experts", "mean instead of sum", """
def my_mixture_of_experts(gates, expert_outputs):
    output = (gates[:, :, None] * expert_outputs).mean(axis=1)
    return output
"""),
    Attempt("mixture_of_experts", "not summed", """
def my_mixture_of_experts(gates, expert_outputs):
    output = gates[:, :, np.newaxis] * expert_outputs
    return output
"""),
    Attempt("mixture_of_experts", "the new axis at the wrong place", """
def my_mixture_of_experts(gates, expert_outputs):
    return (gates[:, None, :] * expert_outputs).sum(axis=1)
"""),
    Attempt("mixture_of_experts", "the new axis in front", """
def my_mixture_of_experts(gates, expert_outputs):
    g = gates[None, :, :]
    output = (g * expert_outputs).sum(axis=1)
    return output
"""),
    Attempt("mixture_of_experts", "only the best expert speaks", """
def my_mixture_of_experts(gates, expert_outputs):
    best = gates.argmax(axis=1)
    output = expert_outputs[np.arange(len(gates)), best]
    return output
"""),
    Attempt("mixture_of_experts", "softmax of the gates once more", """
def my_mixture_of_experts(gates, expert_outputs):
    G = softmax(gates)
    return (G[:, :, None] * expert_outputs).sum(axis=1)
"""),
    Attempt("mixture_of_experts", "the gates are not used: a plain mean", """
def my_mixture_of_experts(gates, expert_outputs):
    output = expert_outputs.mean(axis=1)
    return output
"""),
    Attempt("mixture_of_experts", "overwrites instead of adding: the last expert is left", """
def my_mixture_of_experts(gates, expert_outputs):
    for e in range(gates.shape[1]):
        output = gates[:, e, None] * expert_outputs[:, e]
    return output
"""),
    Attempt("mixture_of_experts", "the first expert is left out: off by one", """
def my_mixture_of_experts(gates, expert_outputs):
    N, E, D = expert_outputs.shape
    output = np.zeros((N, D))
    for e in range(1, E):
        output += gates[:, e:e + 1] * expert_outputs[:, e, :]
    return output
"""),
    Attempt("mixture_of_experts", "the column of gates without a new axis, in a loop", """
def my_mixture_of_experts(gates, expert_outputs):
    output = np.zeros((expert_outputs.shape[0], expert_outputs.shape[2]))
    for e in range(gates.shape[1]):
        output += gates[:, e] * expert_outputs[:, e, :]
    return output
"""),
    Attempt("mixture_of_experts", "takes the experts from the axis of the tokens", """
def my_mixture_of_experts(gates, expert_outputs):
    output = 0
    for e in range(gates.shape[1]):
        output = output + gates[:, e][:, None] * expert_outputs[e]
    return output
"""),
    Attempt("mixture_of_experts", "every token gets the gates of the first", """
def my_mixture_of_experts(gates, expert_outputs):
    g = gates[0]
    output = np.einsum("e,ned->nd", g, expert_outputs)
    return output
"""),
    Attempt("mixture_of_experts", "keeps the summed axis: (N, 1, D)", """
def my_mixture_of_experts(gates, expert_outputs):
    return np.sum(np.expand_dims(gates, 2) * expert_outputs, axis=1, keepdims=True)
"""),
    Attempt("mixture_of_experts", "calls the outputs as functions: raises", """
def my_mixture_of_experts(gates, expert_outputs):
    output = 0
    for e, expert in enumerate(expert_outputs):
        output += gates[:, e] * expert(gates)
    return output
"""),
    Attempt("mixture_of_experts", "np.average with weights of another shape: raises", """
def my_mixture_of_experts(gates, expert_outputs):
    output = np.average(expert_outputs, axis=1, weights=gates)
    return output
"""),
    Attempt("mixture_of_experts", "einsum sums over the tokens, too", """
def my_mixture_of_experts(gates, expert_outputs):
    return np.einsum("ne,ned->d", gates, expert_outputs)
"""),
    Attempt("mixture_of_experts", "changes the outputs in place: right numbers, but the caller's are overwritten", """
def my_mixture_of_experts(gates, expert_outputs):
    expert_outputs *= gates[:, :, None]
    return expert_outputs.sum(axis=1)
"""),
    Attempt("mixture_of_experts", "rows of gates times tables without @: raises or mixes features", """
def my_mixture_of_experts(gates, expert_outputs):
    rows = []
    for g, F in zip(gates, expert_outputs):
        rows.append(sum(g * F))
    return np.array(rows)
"""),
    Attempt("top_k_gate", "", """
def my_top_k_gate(logits, k):
    best = np.argsort(-logits, axis=1)[:, :k]
    kept = np.full(logits.shape, -np.inf)
    np.put_along_axis(kept, best, np.take_along_axis(logits, best, axis=1), axis=1)
    return softmax(kept)
"""),
    Attempt("top_k_gate", "", """
def my_top_k_gate(logits, k):
    gates = np.zeros(logits.shape)
    for n, row in enumerate(logits):
        chosen = np.argsort(row)[-k:]
        gates[n, chosen] = softmax(row[chosen])
    return gates
"""),
    Attempt("top_k_gate", "", """
def my_top_k_gate(logits, k):
    G = softmax(logits)
    limit = np.partition(G, -k, axis=1)[:, -k]
    G[G < limit[:, None]] = 0
    return G / G.sum(axis=1, keepdims=True)
"""),
    Attempt("top_k_gate", "", """
def my_top_k_gate(logits, k):
    rank = np.argsort(np.argsort(logits, axis=-1), axis=-1)
    keep = rank >= logits.shape[-1] - k
    e = np.exp(logits - logits.max(axis=-1, keepdims=True)) * keep
    return e / e.sum(axis=-1, keepdims=True)
"""),
    Attempt("top_k_gate", "", """
def my_top_k_gate(logits, k):
    masked = []
    for row in logits.tolist():
        limit = sorted(row, reverse=True)[k - 1]
        masked.append([v if v >= limit else float("-inf") for v in row])
    return softmax(np.array(masked))
"""),
    Attempt("top_k_gate", "the others are set to 0 after the softmax: not renormalised", """
def my_top_k_gate(logits, k):
    gates = softmax(logits)
    kth = np.sort(gates, axis=1)[:, [-k]]
    gates = np.where(gates >= kth, gates, 0)
    return gates
"""),
    Attempt("top_k_gate", "not renormalised, in a loop", """
def my_top_k_gate(logits, k):
    g = softmax(logits)
    for i in range(len(g)):
        worst = np.argsort(g[i])[:-k]
        g[i, worst] = 0
    return g
"""),
    Attempt("top_k_gate", "0 instead of -∞ for the other logits", """
def my_top_k_gate(logits, k):
    kth_largest = np.sort(logits, axis=1)[:, -k][:, None]
    kept = np.where(logits >= kth_largest, logits, 0)
    return softmax(kept)
"""),
    Attempt("top_k_gate", "0 instead of -∞: logits times a mask", """
def my_top_k_gate(logits, k):
    order = np.argsort(logits, axis=1)[:, -k:]
    mask = np.zeros_like(logits)
    np.put_along_axis(mask, order, 1, axis=1)
    gates = softmax(logits * mask)
    return gates
"""),
    Attempt("top_k_gate", "> instead of >=: one expert too few", """
def my_top_k_gate(logits, k):
    kth = np.sort(logits, axis=1)[:, [-k]]
    gates = softmax(np.where(logits > kth, logits, -np.inf))
    return gates
"""),
    Attempt("top_k_gate", "counts from the wrong end: the k-th smallest as limit", """
def my_top_k_gate(logits, k):
    s = np.sort(logits, axis=1)
    limit = s[:, [k - 1]]
    return softmax(np.where(logits >= limit, logits, -np.inf))
"""),
    Attempt("top_k_gate", "keeps the k smallest", """
def my_top_k_gate(logits, k):
    idx = np.argsort(logits, axis=1)[:, :k]
    masked = np.full_like(logits, -np.inf)
    for n in range(len(logits)):
        masked[n, idx[n]] = logits[n, idx[n]]
    return softmax(masked)
"""),
    Attempt("top_k_gate", "the limit without a second axis", """
def my_top_k_gate(logits, k):
    kth_largest = np.sort(logits, axis=1)[:, -k]
    gates = softmax(np.where(logits >= kth_largest, logits, -np.inf))
    return gates
"""),
    Attempt("top_k_gate", "sorts over tokens: axis 0", """
def my_top_k_gate(logits, k):
    kth_largest = np.sort(logits, axis=0)[-k]
    return softmax(np.where(logits >= kth_largest, logits, -np.inf))
"""),
    Attempt("top_k_gate", "one limit for the whole table", """
def my_top_k_gate(logits, k):
    limit = np.sort(logits.ravel())[-k]
    kept = np.where(logits >= limit, logits, -np.inf)
    gates = softmax(kept)
    return gates
"""),
    Attempt("top_k_gate", "one expert too many: off by one", """
def my_top_k_gate(logits, k):
    gates = np.zeros(logits.shape)
    for n in range(logits.shape[0]):
        best = np.argsort(-logits[n])[:k + 1]
        gates[n, best] = softmax(logits[n, best])
    return gates
"""),
    Attempt("top_k_gate", "returns only the k gates, sorted", """
def my_top_k_gate(logits, k):
    best = np.sort(logits, axis=1)[:, -k:]
    gates = softmax(best)
    return gates
"""),
    Attempt("top_k_gate", "returns the numbers of the experts", """
def my_top_k_gate(logits, k):
    gates = np.argsort(-logits, axis=1)[:, :k]
    return gates
"""),
    Attempt("top_k_gate", "softmax over the tokens: axis 0", """
def my_top_k_gate(logits, k):
    kth = np.sort(logits, axis=1)[:, [-k]]
    return softmax(np.where(logits >= kth, logits, -np.inf), axis=0)
"""),
    Attempt("top_k_gate", "no softmax: the kept logits themselves", """
def my_top_k_gate(logits, k):
    kth = np.sort(logits, axis=1)[:, [-k]]
    gates = np.where(logits >= kth, logits, 0)
    return gates
"""),
    Attempt("top_k_gate", "no softmax: logits divided by their sum", """
def my_top_k_gate(logits, k):
    kth = np.sort(logits, axis=1)[:, [-k]]
    kept = np.where(logits >= kth, logits, 0)
    return kept / kept.sum(axis=1, keepdims=True)
"""),
    Attempt("top_k_gate", "the best k share equally", """
def my_top_k_gate(logits, k):
    threshold = np.sort(logits, axis=1)[:, [-k]]
    gates = (logits >= threshold) / k
    return gates
"""),
    Attempt("top_k_gate", "only the best, whatever k", """
def my_top_k_gate(logits, k):
    best = logits.argmax(axis=1)
    gates = np.eye(logits.shape[1])[best]
    return gates
"""),
    Attempt("top_k_gate", "kept[best] takes rows, not entries", """
def my_top_k_gate(logits, k):
    best = np.argsort(-logits, axis=1)[:, :k]
    kept = np.full(logits.shape, -np.inf)
    kept[best] = logits[best]
    return softmax(kept)
"""),
    Attempt("top_k_gate", "kept[:, best] keeps every token's best for all tokens", """
def my_top_k_gate(logits, k):
    best = np.argsort(logits)[:, -k:]
    kept = np.full_like(logits, -np.inf)
    kept[:, best] = logits[:, best]
    gates = softmax(kept)
    return gates
"""),
    Attempt("top_k_gate", "takes argsort for ranks", """
def my_top_k_gate(logits, k):
    rank = np.argsort(-logits, axis=1)
    kept = np.where(rank < k, logits, -np.inf)
    return softmax(kept)
"""),
    Attempt("top_k_gate", "0 times -∞ gives NaN", """
def my_top_k_gate(logits, k):
    kth = np.sort(logits, axis=1)[:, [-k]]
    mask = logits < kth
    gates = softmax(logits + mask * -np.inf)
    return gates
"""),
    Attempt("top_k_gate", "np.Inf is gone from NumPy: raises", """
def my_top_k_gate(logits, k):
    kth = np.sort(logits, axis=1)[:, [-k]]
    logits = np.where(logits >= kth, logits, -np.Inf)
    return softmax(logits)
"""),
    Attempt("top_k_gate", "an empty return", """
def my_top_k_gate(logits, k):
    kth = np.sort(logits, axis=1)[:, [-k]]
    gates = softmax(np.where(logits >= kth, logits, -np.inf))
    return
"""),
]
