"""Variants of the exercises that are read: numbers are drawn, and the answer follows from the idea that the lecture's question was about."""

import math

import numpy as np

from course_utils.attention import causal_mask, sliding_window_mask, softmax
from course_utils.experts import load_balancing_loss
from course_utils.layers import layer_norm, rms_norm
from course_utils.positions import sinusoidal_positional_encoding
from course_utils.tokens import merge_pair

from .questions import Numbers, block, shown, shuffled

WORDS = ["river", "stone", "bank", "green", "runs", "cold", "under", "old", "light", "sings"]


def which_sum(rng):
    A, axis = rng.integers(1, 20, size=(3, 4)).astype(float), int(rng.integers(2))
    return Numbers(f"{block(A=A)}\n\nWhat is `A.mean(axis={axis})`?", A.mean(axis=axis), 2)


def short_and_long(rng):
    short, long = rng.integers(20, 60, size=2) / 100, rng.integers(120, 250, size=2) / 100
    X = np.array([short, long])
    return Numbers(f"Two words have the vectors\n\n{block(X=X)}\n\nPlain self-attention, without a scale. Which score has word 0 with itself, which "
                   "with word 1, and which weight does it give to itself?", [short @ short, short @ long, softmax(X @ X.T)[0, 0]], 2)


def rows_of_weights(rng):
    while True:
        A = np.round(softmax(1.5 * rng.normal(size=(4, 4))), 2)
        asked = int(rng.integers(4))
        if all(np.diff(np.sort(row))[-1] > 0.03 for row in A) and (np.diff(np.sort(np.diag(A))) > 0.03).all() and np.allclose(A.sum(1), 1):
            break
    words = rng.choice(WORDS, 4, replace=False)
    return Numbers(f"Weights of the sentence “{' '.join(words)}”; a row asks, a column answers.\n\n{block(A=A)}\n\nWhich word keeps the most of "
                   f"itself, which the least, and from which word, itself among them, does “{words[asked]}” take the most? And how much is that? "
                   "Count words from 0.",
                   [int(np.diag(A).argmax()), int(np.diag(A).argmin()), int(A[asked].argmax()), A[asked].max()], 2)


def shapes_of_cross(rng):
    T_q, T_kv, D, D_c, d_k, d_v = map(int, rng.choice(np.arange(2, 14), 6, replace=False))
    return Numbers(f"`X` ({T_q}, {D}) asks and `context` ({T_kv}, {D_c}) answers. `W_Q` is ({D}, {d_k}), `W_K` ({D_c}, {d_k}), `W_V` ({D_c}, "
                   f"{d_v}). Which shapes have `W_Q`'s product with its input, the weights and the output? Six numbers in this order.",
                   [T_q, d_k, T_q, T_kv, T_q, d_v])


def values_of_others(rng):
    Q, K, V = (rng.integers(-9, 10, size=(3, 2)) / 5 for _ in range(3))
    i = int(rng.integers(3))
    return Numbers(f"{block(Q=Q, K=K, V=V)}\n\nAttention of queries, keys and values without a scale. What is the output of token {i}, and which "
                   "weight has its own value in it? Three numbers.", [*(softmax(Q @ K.T) @ V)[i], softmax(Q @ K.T)[i, i]], 2)


def stretch_to_be_sharp(rng):
    d_k, share, gap = int(rng.choice([16, 25, 49, 64, 100, 144])), float(rng.choice([0.9, 0.95, 0.98, 0.99])), int(rng.integers(5, 60)) / 10
    return Numbers(f"A query of width {d_k} has two keys. Before the division its dot product with the first is larger by {gap}. The scores are "
                   f"divided by √d_k. By which factor must the query be stretched so that the first key gets a weight of {share}?",
                   math.log(share / (1 - share)) * math.sqrt(d_k) / gap, 2)


def precedence(rng):
    d_k = int(rng.integers(10, 400))
    line = str(rng.choice(["scores / d_k ** 1/4", "scores / 2 * d_k ** 0.5", "scores * d_k ** -1/2", "scores / d_k * d_k ** 0.5",
                           "scores / (d_k ** 1/2)", "scores / d_k ** 1/3"]))
    return Numbers(f"`d_k` is {d_k}. By which number does the line `{line}` divide the scores?", 1 / eval(line, {"scores": 1.0, "d_k": d_k}), 2)


def change_and_mask(rng):
    T = int(rng.integers(20, 90))
    j = int(rng.integers(2, T - 1))
    return Numbers(f"A decoder with a causal mask reads {T} tokens. Token {j} (from 0) is replaced by another. How many rows of the decoder's "
                   "output stay as they were? How many rows may change? And for how many next words did one pass over these tokens give a "
                   "prediction?", [j, T - j, T])


def whose_mask(rng):
    T, n, window, pad = 6, int(rng.integers(2, 4)), int(rng.integers(2, 4)), int(rng.integers(1, 3))
    seen = np.arange(T) >= pad
    masks = {"Causal.": causal_mask(T), f"Causal, and a window of {window}.": sliding_window_mask(T, window),
             f"Causal, and the first {n} tokens are seen by all.": causal_mask(T) | (np.arange(T) < n),
             f"Causal, and the first {pad} padded.": causal_mask(T) & seen, f"Padding alone, for the first {pad}.": np.tile(seen, (T, 1)),
             "Causal, with rows and columns swapped.": causal_mask(T).T}
    names = [str(name) for name in rng.choice(list(masks), 4, replace=False)]
    scores = np.where(masks[names[0]], 0.5 * rng.normal(size=(T, T)), -np.inf)
    return shuffled(rng, f"Weights; a row asks, a column answers.\n\n{block(A=softmax(scores))}\n\nWhich mask made them?", names[0], names[1:])


def cost_of_heads(rng):
    H, d, T = int(rng.choice([2, 4, 6, 8, 12])), int(rng.choice([8, 16, 24, 32, 64])), int(rng.integers(50, 400))
    return Numbers(f"A layer of attention has {H * d} features, {H} heads and no biases, and reads {T} tokens. How many parameters has it? How many "
                   "weights of attention does it make? And how many of both with a single head over all features? Four numbers.",
                   [4 * (H * d) ** 2, H * T * T, 4 * (H * d) ** 2, T * T])


def cut_or_reshape(rng):
    T, H, d = 3, 2, int(rng.integers(2, 4))
    X = rng.permutation(np.arange(10, 10 + T * H * d)).reshape(T, H * d)
    t, h = int(rng.integers(1, T)), int(rng.integers(H))
    return Numbers(f"{block(X=X)}\n\nWhat is `X.reshape({H}, {T}, {d})[{h}, {t}]`, and what is row {t} of head {h} of {H}? Two rows.",
                   np.array([X.reshape(H, T, d)[h, t], X[t, h * d:(h + 1) * d]]))


def columns_after_norm(rng):
    X = np.stack([rng.choice(40, 3, replace=False) for _ in range(3)]).astype(float)
    return Numbers(f"{block(X=X)}\n\nEach row is a token. Layer norm with γ = 1, β = 0 and ε = 0. Which mean has each *column* afterwards?",
                   layer_norm(X, eps=0).mean(axis=0), 2)


def which_norm(rng):
    x = rng.permutation(np.cumsum(rng.integers(1, 6, size=4))).astype(float)
    rows = {"layer": layer_norm(x, eps=0), "RMS": rms_norm(x, eps=0), "length": x / np.linalg.norm(x), "largest": x / x.max(), "mean": x / x.mean()}
    names = [str(name) for name in rng.permutation(["layer", "RMS", *rng.choice(["length", "largest", "mean"], 2, replace=False)])]
    table = np.array([rows[name] for name in names])
    return Numbers(f"One token, {shown(x, 0)}, went through four rules; γ = 1, β = 0, ε = 0.\n\n{block(rows=table)}\n\nIn which row stands its "
                   "layer norm, in which its RMS norm (from 0)? And which mean has each of the two rows?",
                   [names.index("layer"), names.index("RMS"), 0, rms_norm(x, eps=0).mean()], 2)


def who_may_change(rng):
    T, D = int(rng.integers(6, 30)), int(rng.integers(4, 20))
    t = int(rng.integers(1, T - 1))
    return Numbers(f"{T} tokens with {D} features. One number of row {t} (from 0) changes. How many numbers of the output may change: of a "
                   "feed-forward network, of self-attention, and of self-attention with a causal mask?", [D, T * D, (T - t) * D])


def silent_units(rng):
    hidden = rng.integers(1, 9, size=(4, 3)) * np.array([[1, 0, 0], [0, 0, 0], [0, 1, 1], [1, 0, 1]])[rng.permutation(4)]
    W_2, b_2 = rng.integers(-5, 6, size=(3, 2)), rng.integers(-5, 6, size=2)
    one = int(np.flatnonzero((hidden > 0).sum(1) == 1)[0])
    return Numbers(f"{block(hidden=hidden, W_2=W_2, b_2=b_2)}\n\n`hidden` is what ReLU has left; a row for each token, a column for each unit. "
                   "Which token's output is `b_2` alone? And which output (two numbers) has the token in which one unit fires?",
                   [int(np.flatnonzero((hidden == 0).all(1))[0]), *(hidden @ W_2 + b_2)[one]])


def offset_alone(rng):
    i, j, s = (int(n) for n in rng.integers(1, 9, size=3))
    W_Q, W_K = rng.integers(-2, 4, size=(2, 2)), rng.integers(-2, 4, size=(2, 2))
    row = lambda n: np.array([np.sin(n), np.cos(n)])                                                      # noqa: E731
    score = lambda a, b: row(a) @ W_Q @ (row(b) @ W_K)                                                    # noqa: E731
    return Numbers(f"A table of positions with one pair of features: `R_i` = (sin i, cos i).\n\n{block(W_Q=W_Q, W_K=W_K)}\n\nWhat are `R_{i} · "
                   f"R_{i + j}` and `R_{i + s} · R_{i + j + s}`, and by how much does the score (row W_Q)·(row W_K) of positions ({i + s}, "
                   f"{i + j + s}) exceed that of ({i}, {i + j})?", [math.cos(j), math.cos(j), score(i + s, i + j + s) - score(i, i + j)], 2)


def which_position(rng):
    n, slower = int(rng.integers(3, 90)), int(rng.integers(40, 140))
    row = sinusoidal_positional_encoding(90, 4, base=slower**2)[n]
    return Numbers(f"One row of the sinusoidal table with D = 4, of a position from 0 to 89: {shown(row)}. Which position is it? (The second pair "
                   f"turns {slower} times slower than the first, with base {slower**2}.)", n)


def one_expert_left(rng):
    logits = rng.permutation(rng.choice(np.arange(-10, 20), 3, replace=False)) / 10
    p = softmax(logits).max()
    return Numbers(f"The logits of three experts for one token: {shown(logits, 1)}. Only the best is kept. Which gate has it if gates are "
                   "renormalised, which if the gate is left as the softmax of all three gave it, and which slope has that second gate by its own "
                   "logit?", [1, p, p * (1 - p)], 2)


def whose_load(rng):
    N = 6
    while True:
        gates = np.round(softmax(2 * rng.normal(size=(N, 3)) + rng.normal(size=3)), 2)
        if np.allclose(gates.sum(1), 1) and (np.diff(np.sort(gates))[:, -1] > 0.02).all():
            break
    share = np.bincount(gates.argmax(1), minlength=3) / N
    return Numbers(f"Gates of {N} tokens for three experts, before any are dropped.\n\n{block(G=gates)}\n\nWhich share of the tokens goes first to "
                   "each expert, and what is E Σ f_e Ḡ_e, the measure of balance? Four numbers.", [*share, load_balancing_loss(gates)], 2)


def cost_with_cache(rng):
    d_k, d_v, t = int(rng.integers(8, 65)), int(rng.integers(8, 65)), int(rng.integers(20, 500))
    return Numbers(f"One head with a KV cache, d_k = {d_k}, d_v = {d_v}. Count the multiplications of queries with keys and of weights with values, "
                   f"for one new token that sees itself and all before it. How many for the token with {t} before it, and how many with {10 * t}?",
                   [(t + 1) * (d_k + d_v), (10 * t + 1) * (d_k + d_v)])


def what_a_table_says(rng):
    words = [str(w) for w in rng.choice(WORDS, 5, replace=False)]
    S = np.where(causal_mask(5), 0.5 * rng.normal(size=(5, 5)), -np.inf)
    target = int(rng.integers(3))
    S[4, target] = 3
    other = words[(target + 1) % 3]
    return shuffled(rng, f"Weights of one head over “{' '.join(words)}”; a row asks, a column answers.\n\n{block(A=softmax(S))}\n\nWhat can be said?",
                    f"From “{words[4]}” this head looks at “{words[target]}”; whether anything depends on it must be measured.",
                    [f"This head makes the next word depend on “{words[target]}”: without it another word would be written.",
                     f"From “{words[target]}” this head looks at “{words[4]}”; whether anything depends on it must be measured.",
                     f"From “{words[4]}” this head looks at “{other}”, since its column holds the larger numbers."])


def which_run(rng):
    entropy = int(rng.integers(90, 180)) / 100
    new = entropy + rng.permutation([0.05, 0.25, 0.5]) + rng.integers(0, 8, size=3) / 100
    train = np.maximum(new - rng.permutation([0.02, 0.15, 0.6]) - rng.integers(0, 5, size=3) / 100, 0.1)
    table = "\n".join(f"| {i} | {a:.2f} | {b:.2f} |" for i, (a, b) in enumerate(zip(train, new, strict=True)))
    return Numbers(f"A language has an entropy of {entropy:.2f} nats a word. Three models, their mean surprise:\n\n| model | sentences of training "
                   "| new sentences |\n"
                   f"|---|---|---|\n{table}\n\nWhich model is best, which has learned the most by heart, and how far is the best one above what "
                   "nobody can beat?",
                   [int(new.argmin()), int((new - train).argmax()), new.min() - entropy], 2)


def _cosines(rng, senses):
    centres = rng.normal(size=(max(senses) + 1, 12))
    U = centres[list(senses)] + 0.5 * rng.normal(size=(len(senses), 12))
    U /= np.linalg.norm(U, axis=1, keepdims=True)
    return np.round(U @ U.T, 2)


def same_and_other(rng):
    senses = rng.permutation([0, 0, 1, 1, 1])
    C = _cosines(rng, senses)
    same = (senses[:, None] == senses) & ~np.eye(5, dtype=bool)
    return Numbers("Cosines of five vectors of one word after the last block, in sentences of the senses "
                   f"{', '.join('ab'[s] for s in senses)}.\n\n{block(C=C)}\n\n"
                   "Does the model part the senses? Give the mean cosine of two different vectors of one sense (over all such pairs), and of two of "
                   "different senses.",
                   [C[same].mean(), C[senses[:, None] != senses].mean()], 2)


def who_belongs(rng):
    while True:
        senses = rng.permutation([0, 0, 1, 1, 2, 2])
        C = _cosines(rng, senses)
        partner = (C - 2 * np.eye(6)).argmax(1)
        if (senses[partner] == senses).all() and (np.diff(np.sort(C - 2 * np.eye(6)))[:, -1] > 0.1).all():
            break
    return Numbers("Cosines of six vectors of one word after the last block. Each of its three senses stands in two of the "
                   f"sentences.\n\n{block(C=C)}\n\nWhich vector (from 0) is of the same sense as vector 0, as vector 1, …, as vector 5? Six "
                   "numbers.", partner)


def pieces_of_a_word(rng):
    starts = rng.choice(["Bär", "café", "naïv", "çat", "über", "smör", "ñan"], 2, replace=False)
    word = "".join([*starts, rng.choice(["ing", "ist", "lich"])])
    ids, pairs = list(word.encode()), []
    for k in range(int(rng.integers(3, 6))):
        i = int(rng.integers(len(ids) - 1))
        pairs.append((ids[i], ids[i + 1]))
        ids = merge_pair(ids, pairs[-1], 256 + k)
    return Numbers(f"The bytes of “{word}” are {list(word.encode())}. A vocabulary has joined these pairs, in this order, as 256, 257, …: {pairs}. "
                   "How many letters has the word, how many bytes, and of how many tokens is it made? And which is its first token?",
                   [len(word), len(word.encode()), len(ids), ids[0]])


def shared_keys(rng):
    H_kv, group = int(rng.choice([2, 3, 4, 8])), int(rng.choice([2, 3, 4]))
    T, d = int(rng.integers(100, 2000)), int(rng.choice([32, 64, 80, 128]))
    return Numbers(f"A layer has {H_kv * group} heads of queries and {H_kv} of keys and values, {d} features each. How many scores does it compute "
                   f"for one new token that sees {T} tokens? How many numbers does its cache hold for {T} tokens? And how many of both if every "
                   "head had its own keys and values? Four numbers.",
                   [H_kv * group * T, 2 * H_kv * T * d, H_kv * group * T, 2 * H_kv * group * T * d])


def needed_or_enough(rng):
    before = int(rng.integers(120, 190))
    needed, enough = (bool(b) for b in rng.integers(2, size=2))
    silenced = int(before * rng.uniform(0.05, 0.2) if needed else before * rng.uniform(0.93, 0.99))
    alone = int(before * rng.uniform(0.85, 0.97) if enough else before * rng.uniform(0.02, 0.12))
    other = int(before * rng.uniform(0.95, 0.99))
    said = {(a, b): f"For these words the head is {'needed' if a else 'not needed'}, and {'enough' if b else 'not enough'}."
            for a in (True, False) for b in (True, False)}
    return shuffled(rng, f"Of the words of a second copy a model foresees {before}. With one head silenced, {silenced}; with another head of that "
                    "layer silenced, on "
                    f"average {other}. With all other heads of all layers silenced, {alone}. Which sentence do the counts bear out?",
                    said.pop((needed, enough)), said.values())


def who_copies(rng):
    names = [f"({rng.integers(1, 20)}, {h})" for h in rng.choice(12, 4, replace=False)]
    base = np.array([int(rng.integers(350, 420)), int(rng.integers(30, 80)), int(rng.integers(320, 400))]) / 100
    rise = np.array([[0.02, 1.4, 0.01], [1.3, 1.5, 1.4], [0.01, -0.02, 0.0], [0.9, 0.03, 0.8]]) + rng.integers(0, 9, size=(4, 3)) / 100
    order = rng.permutation(4)
    table = "\n".join(f"| {names[i]} | " + " | ".join(f"{x:.2f}" for x in base + rise[i]) + " |" for i in order)
    return shuffled(rng, "What a word costs on average, in nats, with one head silenced:\n\n| silenced | first copy | second copy | plain text "
                    "|\n|---|---|---|---|\n| none | "
                    + " | ".join(f"{x:.2f}" for x in base) + f" |\n{table}\n\nOf which head do the numbers say that it helps to copy, and only "
                    "that?", names[0], names[1:])


READINGS = {
    "which_sum_00": which_sum, "note_01": short_and_long, "whose_weights_01": rows_of_weights, "which_shape_02": shapes_of_cross,
    "note_02": values_of_others,
    "note_03": stretch_to_be_sharp, "which_root_03": precedence, "note_04": change_and_mask, "whose_mask_04": whose_mask, "note_05": cost_of_heads,
    "which_reshape_05": cut_or_reshape, "note_06": columns_after_norm, "which_norm_06": which_norm, "note_07": who_may_change,
    "which_unit_07": silent_units,
    "note_08": offset_alone, "which_position_08": which_position, "note_09": one_expert_left, "which_load_09": whose_load, "note_10": cost_with_cache,
    "which_head_10": what_a_table_says, "which_run_10": which_run, "note_11": same_and_other, "which_pair_11": who_belongs,
    "note_12": pieces_of_a_word,
    "note_13": shared_keys, "note_14": needed_or_enough, "which_head_14": who_copies,
}
