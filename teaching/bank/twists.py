"""Functions with a twist: the idea of an exercise under a rule that the exercise did not have. Its kept function, pasted, is wrong.

`source` is what the key shows, and what judges: it is run on the inputs beside the student's function.
"""

import numpy as np

from course_utils.attention import softmax
from course_utils.positions import rotary_angles

from .questions import Code


def normal(rng, *shapes):
    return tuple(rng.normal(size=shape) for shape in shapes)


def drawn(rng, least, most):
    """A number of three decimals, the last of them not 0: so many that two seeds hardly share one."""
    return round(int(rng.uniform(least, most) * 100) / 100 + int(rng.integers(1, 10)) / 1000, 3)


def row_sums(rng):
    least = drawn(rng, 0.2, 4)
    return Code(f"`A` (n, m), positive numbers. Give the sum of each row, but count only the numbers above {least}; a row without any has 0. "
                "Returns (n,).",
                f"def answer(A):\n    return np.where(A > {least}, A, 0).sum(axis=1)",
                tuple((rng.uniform(0, 6, size=s),) for s in [(3, 3), (4, 6), (5, 2)]))


def softmax_of_columns(rng):
    base = drawn(rng, 1.5, 9)
    large = rng.normal(size=(4, 3)) + 2000
    return Code(f"`scores` (n, m). Give softmax down each *column*, with powers of {base} in the place of powers of e. Scores may be several "
                "thousand. Returns (n, m).",
                f"def answer(scores):\n    powers = {base} ** (scores - scores.max(axis=0))\n    return powers / powers.sum(axis=0)",
                (*((x,) for x in normal(rng, (4, 3), (3, 3))), (large,)))


def attention_to_others(rng):
    share = drawn(rng, 0.1, 0.9)
    return Code("Self-attention without a scale in which a token never attends to itself, and its own vector is then mixed in: the new row is "
                f"{share} times the old one plus {1 - share:.3f} times the average of the *others*. `X` (T, D), T ≥ 2. Returns (T, D).",
                "def answer(X):\n    S = X @ X.T\n    np.fill_diagonal(S, -np.inf)\n"
                f"    return {share} * X + {1 - share:.3f} * attention.softmax(S) @ X", tuple((x,) for x in normal(rng, (5, 3), (4, 4), (2, 3))))


def tied_projections(rng):
    factor = drawn(rng, 1.5, 6)
    return Code(f"`X` (T, D), `W` (D, d), `b` (d,). Queries and keys share the matrix W; keys are {factor} times as long and have no bias, queries "
                "have the bias b. Returns queries, keys, each (T, d).", f"def answer(X, W, b):\n    return X @ W + b, {factor} * X @ W",
                (normal(rng, (5, 4), (4, 2), (2,)), normal(rng, (3, 3), (3, 3), (3,))))


def distance_penalty(rng):
    slope = drawn(rng, 0.1, 3)
    return Code(f"Attention without a scale that prefers what is near: from the score of query i and key j, {slope} times |i − j| is subtracted. "
                "`Q`, `K` (T, d), `V` (T, d_v). Returns (T, d_v).",
                "def answer(Q, K, V):\n    i = np.arange(len(Q))\n"
                f"    return attention.softmax(Q @ K.T - {slope} * abs(i[:, None] - i)) @ V",
                (normal(rng, (5, 3), (5, 3), (5, 2)), normal(rng, (3, 3), (3, 3), (3, 3))))


def two_contexts(rng):
    share = drawn(rng, 0.1, 0.9)
    return Code("`X` (T, D) asks two contexts, `near` (n, D) and `far` (m, D), in two separate attentions without a scale, with the same matrices. "
                f"The output is {share} times the answer of `near` plus {1 - share:.3f} times that of `far`. `W_Q`, `W_K` (D, d), `W_V` (D, d_v). "
                "Returns (T, d_v).",
                "def answer(X, near, far, W_Q, W_K, W_V):\n"
                "    said = [attention.softmax(X @ W_Q @ (context @ W_K).T) @ context @ W_V for context in (near, far)]\n"
                f"    return {share} * said[0] + {1 - share:.3f} * said[1]",
                (normal(rng, (2, 4), (3, 4), (5, 4), (4, 3), (4, 3), (4, 2)), normal(rng, *[(3, 3)] * 6)))


def slopes_past_a_skip(rng):
    c = drawn(rng, 0.3, 4)
    return Code(f"Y = X + {c} · X W, with `X` (T, D) and `W` (D, D). `dY` (T, D) are the loss's slopes at Y. Returns the slopes dX, dW.",
                f"def answer(X, W, dY):\n    return dY + {c} * dY @ W.T, {c} * X.T @ dY",
                (normal(rng, (5, 4), (4, 4), (5, 4)), normal(rng, *[(3, 3)] * 3)))


def jacobian_of_warm(rng):
    tau = drawn(rng, 0.3, 4)
    return Code(f"A row of `scores` (n,) goes through softmax with temperature {tau}. Give the table of the slopes of weight i by score j, (n, n). "
                "Given are the *scores*.",
                f"def answer(scores):\n    a = attention.softmax(scores / {tau})\n    return (np.diag(a) - np.outer(a, a)) / {tau}",
                tuple((x,) for x in normal(rng, (3,), (5,))))


def slopes_through_rows(rng):
    tau = drawn(rng, 0.3, 4)
    return Code(f"`scores` (n, m): each row goes through softmax with temperature {tau}. `slopes` (n, m) are the loss's slopes at the weights. "
                "Returns those at the scores, (n, m).",
                f"def answer(scores, slopes):\n    A = attention.softmax(scores / {tau})\n    return A * (slopes - (A * slopes).sum(axis=1, "
                f"keepdims=True)) / {tau}",
                (normal(rng, (4, 3), (4, 3)), normal(rng, (3, 3), (3, 3))))


def sum_of_two_scores(rng):
    c = drawn(rng, 1.5, 9)
    return Code(f"Each key has two vectors: a score is q·k + {c} q·l. All are of independent numbers with mean 0 and variance 1. Divide the scores "
                "by the number that gives them variance 1 for every width, then attend. `Q` (T, d), `K`, `L` (n, d), `V` (n, d_v). Returns (T, d_v).",
                f"def answer(Q, K, L, V):\n    S = Q @ (K + {c} * L).T / np.sqrt(Q.shape[1] * {1 + c * c:.4f})\n    return attention.softmax(S) @ V",
                (normal(rng, (2, 5), (4, 5), (4, 5), (4, 3)), normal(rng, *[(3, 3)] * 4)))


def warm_without_dividing(rng):
    tau = drawn(rng, 1.5, 9)
    return Code(f"A layer divides its scores by √d_k and by a temperature of {tau}. Give matrices `W_Q` and `W_K` (D, d_k), both divided by the "
                "same positive number, so that the plain product of queries and keys is the same score. Returns W_Q, W_K.",
                f"def answer(W_Q, W_K):\n    smaller = (W_Q.shape[1] ** 0.5 * {tau}) ** 0.5\n    return W_Q / smaller, W_K / smaller",
                (normal(rng, (5, 9), (5, 9)), normal(rng, (4, 4), (4, 4))))


def temperature_of_each_row(rng):
    least = drawn(rng, 0.1, 1.5)
    return Code(f"`scores` (n, m), `temperatures` (n,): row i has its own temperature, but none below {least}: a lower one counts as {least}. "
                "Scores may be several thousand. Returns weights (n, m).",
                f"def answer(scores, temperatures):\n    warm = np.maximum(temperatures, {least})[:, None]\n    return attention.softmax(scores / "
                "warm)",
                tuple((rng.normal(size=(n, m)) * size, np.linspace(0.5, 2, n) * least) for n, m, size in [(3, 4, 1), (3, 3, 1), (4, 2, 5000)]))


def prefix_and_window(rng):
    prefix, window, every = (int(n) for n in rng.integers([2, 2, 4], [9, 9, 16]))
    return Code(f"A mask for T tokens, True = may attend. A token sees itself and the {window - 1} right before it. The first {prefix} tokens are a "
                f"title, which every token sees whole, those of the title, too. Tokens 0, {every}, {2 * every}, … are seen by all that come later. "
                "Returns bool (T, T).",
                "def answer(T):\n    j = np.arange(T)\n"
                f"    return attention.sliding_window_mask(T, {window}) | (j < {prefix}) | (attention.causal_mask(T) & (j % {every} == 0))",
                ((40,), (33,), (prefix + 1,)))


def masked_by_lengths(rng):
    window, tau = int(rng.integers(2, 7)), drawn(rng, 0.3, 3)
    return Code(f"Attention with scores divided by {tau} √d, in which query i sees keys i − {window - 1} … i, and only the first `n` keys are real. "
                "A query that may see nothing gets zeros. `Q`, `K` (T, d), `V` (T, d_v). Returns (output, weights).",
                "def answer(Q, K, V, n):\n"
                f"    mask = attention.sliding_window_mask(len(Q), {window}) & (np.arange(len(K)) < n)\n"
                f"    return attention.scaled_dot_product_attention(Q / {tau}, K, V, mask)",
                ((*normal(rng, (9, 3), (9, 3), (9, 2)), 8), (*normal(rng, *[(4, 4)] * 3), 4), (*normal(rng, (10, 3), (10, 3), (10, 2)), 2)))


def comb_heads(rng):
    drop, c = int(rng.integers(1, 5)), drawn(rng, 0.2, 3)
    return Code(f"The first {drop} features of every token belong to no head. Of the rest, head h of `n_heads` takes every n_heads-th feature, from "
                f"the h-th on, times {c}. `X` (T, D). Returns (n_heads, T, d).",
                f"def answer(X, n_heads):\n    return np.stack([{c} * X[:, {drop} + h::n_heads] for h in range(n_heads)])",
                ((rng.normal(size=(5, 6 + drop)), 2), (rng.normal(size=(4, 12 + drop)), 3), (rng.normal(size=(3, 9 + drop)), 3)))


def merge_in_turn(rng):
    scale = drawn(rng, 0.2, 3)
    return Code("`X` (H, T, d), an even number of heads. Put the heads of every token side by side, the last head first, and the heads with odd "
                f"numbers (1, 3, …) multiplied by {scale}. Returns (T, H·d).",
                f"def answer(X):\n    size = np.where(np.arange(len(X)) % 2, {scale}, 1)[:, None, None]\n    return attention.merge_heads((size * "
                "X)[::-1])",
                tuple((x,) for x in normal(rng, (2, 5, 3), (4, 4, 4), (4, 3, 2))))


def weighted_heads(rng):
    keep = drawn(rng, 0.05, 0.95)
    return Code(f"Multi-head attention (scaled, no mask, no biases) in which what head 0 brings is multiplied by {keep} before `W_O`. `X` (T, D), "
                "all matrices (D, D). Returns (T, D).",
                "def answer(X, W_Q, W_K, W_V, W_O, n_heads):\n"
                "    Q, K, V = (attention.split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))\n"
                "    heads, _ = attention.scaled_dot_product_attention(Q, K, V)\n"
                f"    heads[0] = {keep} * heads[0]\n"
                "    return attention.merge_heads(heads) @ W_O",
                ((*normal(rng, (5, 6), *[(6, 6)] * 4), 2), (*normal(rng, *[(4, 4)] * 5), 2), (*normal(rng, (3, 6), *[(6, 6)] * 4), 3)))


def group_norm(rng):
    groups, eps = int(rng.integers(2, 4)), drawn(rng, 0.05, 0.9)
    return Code(f"A norm in {groups} groups: the features of a token are cut into {groups} equal parts that lie side by side, and each part gets "
                f"mean 0 and variance 1 of its own, with ε = {eps}. Then γ and β. `x` (T, D), `gamma`, `beta` (D,). Returns (T, D).",
                f"def answer(x, gamma, beta):\n    parts = x.reshape(len(x), {groups}, -1)\n"
                f"    return layers.layer_norm(parts, eps={eps}).reshape(x.shape) * gamma + beta",
                tuple(normal(rng, (n, groups * d), (groups * d,), (groups * d,)) for n, d in [(3, 3), (5, 2), (2 * groups, 2)]))


def norm_by_size(rng):
    eps = drawn(rng, 0.05, 0.9)
    return Code(f"A norm that divides each token by the mean of the *absolute values* of its features plus {eps}, then multiplies by γ; no mean is "
                "subtracted. `x` (..., D), `gamma` (D,). Returns x's shape.",
                f"def answer(x, gamma):\n    return x / (abs(x).mean(axis=-1, keepdims=True) + {eps}) * gamma",
                (normal(rng, (3, 5), (5,)), normal(rng, (4, 4), (4,)), normal(rng, (2, 3, 4), (4,))))


def leaky_network(rng):
    leak = drawn(rng, 0.02, 0.6)
    return Code(f"A feed-forward network whose activation leaves positive numbers as they are and multiplies negative ones by {leak}. `X` (T, D), "
                "`W_1` (D, d_ff), `b_1` (d_ff,), `W_2` (d_ff, D), `b_2` (D,). Returns (T, D).",
                f"def answer(X, W_1, b_1, W_2, b_2):\n    hidden = X @ W_1 + b_1\n    return np.where(hidden > 0, hidden, {leak} * hidden) @ W_2 + "
                "b_2",
                (normal(rng, (3, 2), (2, 6), (6,), (6, 2), (2,)), normal(rng, (4, 4), (4, 4), (4,), (4, 4), (4,))))


def leaky_slopes(rng):
    leak = drawn(rng, 0.02, 0.6)
    return Code(f"F = act(X W_1) W_2, where act multiplies negative numbers by {leak} and leaves the others. `dF` (T, D) are the loss's slopes at "
                "F. Returns the slopes dX, dW_1, dW_2.",
                "def answer(X, W_1, W_2, dF):\n"
                "    hidden = X @ W_1\n"
                f"    slope = np.where(hidden > 0, 1, {leak})\n"
                "    dH = dF @ W_2.T * slope\n"
                "    return dH @ W_1.T, X.T @ dH, (hidden * slope).T @ dF",
                (normal(rng, (5, 3), (3, 7), (7, 3), (5, 3)), normal(rng, *[(4, 4)] * 4)))


def parallel_block(rng):
    c = drawn(rng, 0.05, 0.95)
    return Code("A block of another kind: attention and the network read the *same* norm of X, and both are added, the network's answer multiplied "
                f"by {c}. Here attention is `softmax(I I^T) I` of what it reads, the network `relu(I W) W^T`, the norm layer norm with ε = 1e-5. "
                "`X` (T, D), `W` (D, d). Returns (T, D).",
                "def answer(X, W):\n    I = layers.layer_norm(X, eps=1e-5)\n"
                f"    return X + attention.softmax(I @ I.T) @ I + {c} * layers.relu(I @ W) @ W.T",
                (normal(rng, (3, 5), (5, 7)), normal(rng, (4, 4), (4, 4))))


def beam_with_a_fine(rng):
    fine = drawn(rng, 0.5, 3)
    return Code(f"One step of beam search that fines repetition: a text loses {fine} where its next token is its own last one. `totals` (n,), "
                "`log_probs` (n, n_vocab), `last` (n,), whole numbers, and `beam_width`. Returns parents, tokens, new totals, the best first.",
                "def answer(totals, log_probs, last, beam_width):\n"
                f"    longer = totals[:, None] + log_probs - {fine} * (np.arange(log_probs.shape[1]) == last[:, None])\n"
                "    best = np.argsort(-longer, axis=None)[:beam_width]\n"
                "    parents, tokens = np.divmod(best, longer.shape[1])\n"
                "    return parents, tokens, longer.ravel()[best]",
                tuple((np.log(rng.uniform(0.2, 0.6, size=n)), log_probs := np.log(softmax(2 * rng.normal(size=(n, m)))), log_probs.argmax(axis=1),
                       width)
                      for n, m, width in [(3, 5, 4), (4, 4, 2), (2, 6, 12)]))


def sinusoids_from(rng):
    start, base = int(rng.integers(2, 50)), int(rng.integers(2, 90)) * 100
    return Code(f"The sinusoidal table for positions {start}, {start + 1}, …, T of them, with {base} in the place of 10000, and in each pair the "
                "cosine *before* the sine. Returns (T, D).",
                f"def answer(T, D):\n    cos, sin = positions.rotary_angles({start} + np.arange(T), D, {base})\n"
                "    return np.stack([cos, sin], axis=-1).reshape(T, D)", ((5, 6), (8, 8), (3, 2)))


def turn_back(rng):
    left, c = int(rng.integers(1, 5)), drawn(rng, 0.2, 3)
    turns = [(n, d, *rotary_angles(rng.uniform(0, 9, size=n), d)) for n, d in ((5, 6), (4, 4), (3, 2))]
    return Code(f"Turn each pair *back* by its angle. The first {left} features of a token never turn; of those behind them, feature j pairs with "
                f"feature j + half. What has turned is multiplied by {c}. `X` (T, {left} + d), `cos`, `sin` (T, d/2). Returns X's shape.",
                "def answer(X, cos, sin):\n"
                f"    still, a, b = X[:, :{left}], *np.split(X[:, {left}:], 2, axis=1)\n"
                f"    return np.hstack([still, {c} * (a * cos + b * sin), {c} * (b * cos - a * sin)])",
                tuple((rng.normal(size=(n, left + d)), cos, sin) for n, d, cos, sin in turns))


def pointed_bells(rng):
    floor = drawn(rng, 0.02, 0.4)
    return Code("Responsibilities with another bell, exp(−|x − μ| / s) / (2 s), and a background that everybody may come from: one component more, "
                f"the last column, whose weight times density is {floor} everywhere. `x` (N,), `weights`, `means`, `s` (C,). Returns (N, C + 1), "
                "rows summing to 1.",
                "def answer(x, weights, means, s):\n"
                "    joint = weights * np.exp(-abs(x[:, None] - means) / s) / (2 * s)\n"
                f"    joint = np.hstack([joint, np.full((len(x), 1), {floor})])\n"
                "    return joint / joint.sum(axis=1, keepdims=True)",
                tuple((rng.normal(size=n), rng.dirichlet(np.ones(c)), rng.normal(size=c), rng.uniform(0.5, 2, size=c)) for n,
                      c in [(5, 3), (3, 3), (4, 2)]))


def quiet_experts(rng):
    least = drawn(rng, 0.05, 0.22)
    return Code(f"A mixture that leaves out experts with a gate below {least}; the gates that remain sum to 1 again. `gates` (N, E), `said` (N, E, "
                "D). Returns (N, D).",
                "def answer(gates, said):\n"
                f"    kept = np.where(gates < {least}, 0, gates)\n"
                "    kept = kept / kept.sum(axis=1, keepdims=True)\n"
                "    return (kept[:, :, None] * said).sum(axis=1)",
                tuple((softmax(2 * rng.normal(size=(n, e))), rng.normal(size=(n, e, d))) for n, e, d in [(5, 4, 3), (3, 3, 3), (6, 4, 2)]))


def experts_choose(rng):
    fixed = drawn(rng, 0.1, 0.9)
    return Code("Experts choose: *each expert* keeps the `k` tokens with its highest logits, and its gates, a softmax over those tokens at "
                f"temperature {fixed}, sum to 1. The others are 0. `logits` (N, E). Returns (N, E).",
                "def answer(logits, k):\n"
                "    kept = np.argsort(np.argsort(-logits, axis=0), axis=0) < k\n"
                f"    return attention.softmax(np.where(kept, logits, -np.inf) / {fixed}, axis=0)",
                tuple((rng.normal(size=s), k) for s, k in [((5, 3), 2), ((4, 4), 3), ((6, 2), 1)]))


def shared_expert(rng):
    c = drawn(rng, 0.1, 0.95)
    return Code(f"A layer of linear experts with one more that all tokens share: the k best experts of each token, gates renormalised, plus {c} "
                "times the answer of the shared one. `X` (N, D), `W_g` (D, E), `W` (E, D, D): expert e says X W[e]; `W_s` (D, D). Returns (N, D).",
                "def answer(X, W_g, W, W_s, k):\n"
                "    gates = experts.top_k_gate(X, W_g, k)\n"
                f"    return np.einsum('ne,nd,edo->no', gates, X, W) + {c} * X @ W_s",
                ((*normal(rng, (5, 3), (3, 4), (4, 3, 3), (3, 3)), 2), (*normal(rng, (3, 3), (3, 3), (3, 3, 3), (3, 3)), 1)))


def smoothed_step(rng):
    share = drawn(rng, 0.04, 0.4)
    return Code(f"The targets are smoothed: the right word has probability {1 - share:.3f}, and {share} is spread evenly over all words, the right "
                "one included. The loss is the mean "
                "cross-entropy. `Y` (n, D), `words` (n,) the numbers of the right words, `W` (D, n_vocab). Returns loss, dW.",
                "def answer(Y, words, W):\n"
                "    P = attention.softmax(Y @ W)\n"
                f"    target = {1 - share:.3f} * np.eye(W.shape[1])[words] + {share} / W.shape[1]\n"
                "    return -(target * np.log(P)).sum(axis=1).mean(), Y.T @ (P - target) / len(Y)",
                tuple((rng.normal(size=(n, d)), rng.integers(v, size=n), rng.normal(size=(d, v))) for n, d, v in [(6, 3, 5), (4, 4, 4), (1, 2, 7)]))


def rolling_cache(rng):
    window, tau = int(rng.integers(2, 7)), drawn(rng, 0.3, 3)
    return Code(f"A cache with a window: the new token's key and value enter, and of the cache only the newest {window} rows stay, the new one "
                f"among them; only these are attended to, with scores divided by {tau} √d. `q`, `k` (d,), `v` (d_v,), `K` (t, d), `V` (t, d_v). "
                "Returns output, K, V.",
                f"def answer(q, k, v, K, V):\n    K, V = np.vstack([K, k])[-{window}:], np.vstack([V, v])[-{window}:]\n"
                f"    return attention.softmax(K @ q / np.sqrt(len(q)) / {tau}) @ V, K, V",
                (normal(rng, (3,), (3,), (2,), (9, 3), (9, 2)), normal(rng, (4,), (4,), (4,), (7, 4), (7, 4)),
                 normal(rng, (3,), (3,), (2,), (1, 3), (1, 2))))


def between_two(rng):
    c = drawn(rng, 0.3, 1.6)
    return Code(f"An analogy: `a`, `b`, `c` are numbers of rows. Give the `k` rows with the largest cosine to x_b − {c} x_a + x_c, the best first, "
                "without the three themselves. `vectors` (n, D). Returns k row numbers.",
                "def answer(a, b, c, vectors, k):\n"
                f"    aim = vectors[b] - {c} * vectors[a] + vectors[c]\n"
                "    order = np.argsort(-(vectors @ aim) / np.linalg.norm(vectors, axis=1))\n"
                "    return order[~np.isin(order, [a, b, c])][:k]",
                ((2, 0, 4, rng.normal(size=(9, 4)), 3), (7, 3, 1, rng.normal(size=(40, 3)), 37),
                 (1, 5, 0, rng.normal(size=(6, 6)) * rng.uniform(0.2, 3, size=(6, 1)), 2)))


def pooled_by_place(rng):
    power = drawn(rng, 0.2, 1.8)
    return Code("One vector a sentence: an average over its real tokens in which the i-th token of the row (from 0) weighs (i + 1) to the power of "
                f"{power}. `states` (B, T, D), `mask` bool (B, T), True = real. Returns (B, D).",
                "def answer(states, mask):\n"
                f"    w = mask * (np.arange(mask.shape[1]) + 1) ** {power}\n"
                "    return (w[:, :, None] * states).sum(axis=1) / w.sum(axis=1, keepdims=True)",
                tuple((rng.normal(size=(b, t, d)), np.arange(t) < rng.integers(1, t + 1, size=(b, 1))) for b, t,
                      d in [(3, 5, 2), (4, 4, 4), (2, 6, 3)]))


def merge_three(rng):
    a, b = (int(n) for n in rng.choice(np.arange(1, 200), 2, replace=False))
    return Code(f"Join three: wherever {a}, {b}, {a} stand in a row, they become one token `new`, from left to right; a token that is used up does "
                "not count again. `ids`, a list of numbers. Returns a list.",
                "def answer(ids, new):\n"
                "    merged, i = [], 0\n"
                "    while i < len(ids):\n"
                f"        found = ids[i:i + 3] == [{a}, {b}, {a}]\n"
                "        merged.append(new if found else ids[i])\n"
                "        i += 3 if found else 1\n"
                "    return merged",
                (([a, b, a, b, a, 7], 256), ([a, a, b, a, a, b], 300), ([b, a, b, a], 256), ([a, b], 256), ([5, a, b, a, a, b, a], 999)))


def decode_tokens(rng):
    offset = int(rng.integers(257, 900))
    text = "bäre"
    pairs = [(98, 195), (offset, 164), (114, 101)]
    return Code(f"The way back: from tokens to bytes. Token {offset} + i stands for the two tokens of `pairs[i]`, which may stand for others in "
                "turn; a token below 256 is a byte. `ids`, a list of numbers; `pairs`, a list of pairs. Returns the list of bytes.",
                "def answer(ids, pairs):\n"
                f"    for i, pair in reversed(list(enumerate(pairs))):\n"
                f"        ids = [part for token in ids for part in (pair if token == {offset} + i else (token,))]\n"
                "    return list(ids)",
                (([offset + 1, offset + 2], pairs), (list(text.encode()), pairs), ([offset + 2, 120, offset, offset + 1], pairs)))


def keys_in_turn(rng):
    c = drawn(rng, 0.5, 8)
    return Code(f"Grouped queries, dealt out in turn: head h of the queries uses head h % H_kv of keys and values, and scores are divided by {c} "
                "instead of √d. No mask. `Q` (H, T, d), `K`, `V` (H_kv, n, d). Returns the output (H, T, d).",
                "def answer(Q, K, V):\n"
                "    which = np.arange(len(Q)) % len(K)\n"
                f"    return attention.scaled_dot_product_attention(Q, K[which], V[which], scale=1 / {c})[0]",
                (normal(rng, (4, 3, 5), (2, 4, 5), (2, 4, 5)), normal(rng, (6, 2, 2), (3, 2, 2), (3, 2, 2))))


def steeper_gate(rng):
    c = drawn(rng, 1.2, 5)
    return Code(f"A gated network whose gate is x·σ({c} x) instead of silu, σ(x) = 1 / (1 + e^−x), and which adds its input at the end. `X` (T, D), "
                "`W_gate`, `W_up` (D, d_ff), `W_down` (d_ff, D). Returns (T, D).",
                "def answer(X, W_gate, W_up, W_down):\n"
                "    x = X @ W_gate\n"
                f"    return X + x / (1 + np.exp(-{c} * x)) * (X @ W_up) @ W_down",
                (normal(rng, (3, 5), (5, 7), (5, 7), (7, 5)), normal(rng, *[(4, 4)] * 4)))


def min_p(rng):
    share, least = drawn(rng, 0.05, 0.45), int(rng.integers(1, 4))
    return Code(f"Another way to cut the tail: pieces stay whose probability is at least {share} times that of the likeliest, and the {least + 1} "
                "likeliest stay in any case. What stays sums to 1 again, each at its place. `probabilities` (n,). Returns (n,).",
                "def answer(probabilities):\n"
                f"    rank = np.argsort(np.argsort(-probabilities))\n"
                f"    kept = np.where((probabilities >= {share} * probabilities.max()) | (rank <= {least}), probabilities, 0)\n"
                "    return kept / kept.sum()", tuple((softmax(size * rng.normal(size=n)),) for n, size in [(6, 1), (8, 2), (60, 1), (5, 6)]))


def two_bits(rng):
    shift = drawn(rng, 0.1, 2.9)
    return Code("A byte holds four codes of two bits: the *highest* two bits are its first code, the lowest its last; byte follows byte. A number "
                f"is step · (code − {shift}). `step` a number, `packed` uint8 (n,). Returns (4n,).",
                "def answer(step, packed):\n"
                "    codes = packed[:, None] >> np.array([6, 4, 2, 0], np.uint8) & 3\n"
                f"    return step * (codes.ravel() - {shift})",
                tuple((float(s), rng.integers(256, size=n).astype(np.uint8)) for s, n in [(0.5, 4), (2, 6), (0.03, 3)]))


def lens_margin(rng):
    c = drawn(rng, 0.4, 5)
    return Code(f"How sure is a state of a word? After the norm x / √(mean(x²)) · γ and the head, divide the scores by {c}; give log P of `token` "
                "minus that of the likeliest *other* word, for each state. `states` (n, D), `gamma` (D,), `W_out` (D, n_vocab), `token` a number. "
                "Returns (n,).",
                "def answer(states, gamma, W_out, token):\n"
                f"    scores = layers.rms_norm(states, gamma, eps=0) @ W_out / {c}\n"
                "    return scores[:, token] - np.delete(scores, token, axis=1).max(axis=1)",
                ((*normal(rng, (5, 7), (7,), (7, 11)), 3), (*normal(rng, (6, 6), (6,), (6, 6)), 1)))


def short_of_memory(rng):
    room = int(rng.integers(8, 2000))
    return Code(f"A conversation that must fit into {room} tokens. `turns` is a list of lists of tokens, the oldest first. Give one list: `start` "
                "(a list that always stays), then as many whole turns as fit behind it, the newest ones, in their order. A turn that does not fit "
                "whole is left out, and all before it.",
                "def answer(start, turns):\n"
                "    kept = []\n"
                "    for turn in reversed(turns):\n"
                f"        if len(start) + len(turn) + len(kept) > {room}:\n"
                "            break\n"
                "        kept = [*turn, *kept]\n"
                "    return [*start, *kept]",
                (([1], [[2] * (room // 2), [4], [5] * (room - room // 2 - 2)]), ([1], [[2, 3], [4], [5, 6]]),
                 ([1, 2], [list(range(10, 10 + room)), [3], [4]]), ([9], [[7] * (room - 3), [8], [6]]), ([2, 2], [[5], [6], [7] * (room - 2)])))


def skipping_model(rng):
    c = drawn(rng, 0.1, 0.95)
    return Code("A small model with tied matrices: rows of `W_E` (n_vocab, D) for the `tokens` (T,), plus `R` (m, D) for their places; then each "
                f"block, given by its matrix (D, D) in the list `blocks`, adds {c} times relu(layer norm(X) W); then the scores of all words are "
                "the products of layer norm(X) with the rows of W_E. ε = 1e-5, no γ, no β. Returns (T, n_vocab).",
                "def answer(tokens, W_E, R, blocks):\n"
                "    X = W_E[tokens] + R[:len(tokens)]\n"
                "    for W in blocks:\n"
                f"        X = X + {c} * layers.relu(layers.layer_norm(X, eps=1e-5) @ W)\n"
                "    return layers.layer_norm(X, eps=1e-5) @ W_E.T",
                tuple((rng.integers(v, size=t), *normal(rng, (v, d), (9, d)), list(normal(rng, *[(d, d)] * n))) for t, v, d,
                      n in [(4, 6, 3, 2), (3, 4, 4, 3)]))


TWISTS = {
    "row_sums": row_sums, "softmax": softmax_of_columns, "self_attention": attention_to_others, "project": tied_projections,
    "attention": distance_penalty,
    "cross_attention": two_contexts, "matrix_slopes": slopes_past_a_skip, "softmax_jacobian": jacobian_of_warm, "softmax_slopes": slopes_through_rows,
    "scaled_attention": sum_of_two_scores, "without_dividing": warm_without_dividing, "softmax_with_temperature": temperature_of_each_row,
    "causal_mask": prefix_and_window,
    "masked_attention": masked_by_lengths, "split_heads": comb_heads, "merge_heads": merge_in_turn, "multi_head_attention": weighted_heads,
    "layer_norm": group_norm,
    "rms_norm": norm_by_size, "feed_forward": leaky_network, "feed_forward_slopes": leaky_slopes, "transformer_block": parallel_block,
    "beam_step": beam_with_a_fine,
    "sinusoidal_positional_encoding": sinusoids_from, "rotate": turn_back, "responsibilities": pointed_bells, "mixture_of_experts": quiet_experts,
    "top_k_gate": experts_choose,
    "expert_layer": shared_expert, "train_step": smoothed_step, "forward": skipping_model, "kv_cache_step": rolling_cache,
    "nearest_words": between_two,
    "mean_pooling": pooled_by_place, "merge_pair": merge_three, "encode_word": decode_tokens, "grouped_query_attention": keys_in_turn,
    "swiglu": steeper_gate, "top_p": min_p,
    "dequantise_block": two_bits, "logit_lens": lens_margin, "reply": short_of_memory,
}
