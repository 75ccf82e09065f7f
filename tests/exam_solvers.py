"""Every variant of the bank solved a second way: from the words and numbers that its question
prints, by loops and hand-written formulas, without the course's functions.

A function for each exercise, called as the exercise is: from a question to its answer, which is
numbers, the text of an option, or a function.
"""

import math
import re

import numpy as np

NUMBER = r"(\d+\.\d+|\d+)"


def find(question, pattern):
    """The numbers in the question's task that a pattern's NUMBER stands for; one alone is no
    list."""
    found = re.search(pattern.replace("NUMBER", NUMBER), question.task)
    assert found, (pattern, question.task)
    numbers = [float(text) if "." in text else int(text) for text in found.groups()]
    return numbers if len(numbers) > 1 else numbers[0]


def arrays(question, name=None):
    """The arrays in the question's block of code, by name; or the one of a name."""
    names = {"np": np}
    exec(re.search(r"```python\n(.*?)```", question.task, re.DOTALL).group(1), names)
    return names[name] if name else names


def table(question):
    """The rows of numbers below a Markdown table's head, first column apart: ([first cells],
    numbers)."""
    rows = [
        [cell.strip() for cell in line.strip("| ").split("|")]
        for line in question.task.splitlines()
        if line.startswith("|")
    ][2:]
    return [row[0] for row in rows], np.array([[float(cell) for cell in row[1:]] for row in rows])


def shares(row, base=math.e):
    """Softmax by a loop."""
    powers = [base ** (x - max(row)) for x in row]
    return np.array([p / sum(powers) for p in powers])


def attend(scores, V):
    """Weighted sums of the rows of V, row by row."""
    return np.array([sum(w * v for w, v in zip(shares(row), V, strict=True)) for row in scores])


def dots(Q, K):
    return np.array([[sum(a * b for a, b in zip(q, k, strict=True)) for k in K] for q in Q])


def normed(X, eps=1e-5):
    return np.array(
        [
            (row - sum(row) / len(row))
            / (sum((row - sum(row) / len(row)) ** 2) / len(row) + eps) ** 0.5
            for row in X
        ]
    )


def relu(X):
    return (X + abs(X)) / 2


# Readings.


def which_sum_00(q):
    A, axis = arrays(q, "A"), find(q, r"axis=NUMBER")
    return [sum(row) / len(row) for row in (A if axis else A.T)]


def whose_weights_01(q):
    A = arrays(q, "A")
    words, asked = (
        re.search("“(.*?)”;", q.task)[1].split(),
        re.search("does “(.*?)” take", q.task)[1],
    )
    kept, row = [A[i][i] for i in range(4)], list(A[words.index(asked)])
    return [kept.index(max(kept)), kept.index(min(kept)), row.index(max(row)), max(row)]


def note_01(q):
    (a, b), (c, d) = arrays(q, "X")
    return [a * a + b * b, a * c + b * d, 1 / (1 + math.e ** (a * c + b * d - a * a - b * b))]


def which_shape_02(q):
    T_q, _, T_kv, _, _, d_k, _, _, _, d_v = map(
        int, re.findall(r"\d+", re.sub(r"W_\w", "W", q.task))[:10]
    )
    return [T_q, d_k, T_q, T_kv, T_q, d_v]


def note_02(q):
    i, (Q, K, V) = find(q, "token NUMBER"), (arrays(q)[name] for name in "QKV")
    w = shares(dots(Q, K)[i])
    return [sum(w[j] * V[j][0] for j in range(3)), sum(w[j] * V[j][1] for j in range(3)), w[i]]


def note_03(q):
    d_k, gap = find(q, "width NUMBER has"), find(q, "larger by NUMBER")
    share, low, high = find(q, "a weight of NUMBER"), 0.0, 1e6
    for _ in range(200):  # by halving: the weight grows with the factor
        middle = (low + high) / 2
        reached = 1 / (1 + math.exp(-min(middle * gap / d_k**0.5, 700)))
        low, high = (middle, high) if reached < share else (low, middle)
    return low


def which_root_03(q):
    d_k = find(q, "`d_k` is NUMBER")
    return {
        "scores / d_k ** 1/4": 4 * d_k,
        "scores / 2 * d_k ** 0.5": 2 / d_k**0.5,
        "scores * d_k ** -1/2": 2 * d_k,
        "scores / d_k * d_k ** 0.5": d_k**0.5,
        "scores / (d_k ** 1/2)": d_k / 2,
        "scores / d_k ** 1/3": 3 * d_k,
    }[re.search("line `(.*?)`", q.task)[1]]


def note_04(q):
    T, j = find(q, "reads NUMBER tokens"), find(q, "Token NUMBER")
    return [sum(i < j for i in range(T)), sum(i >= j for i in range(T)), T]


def whose_mask_04(q):
    A = arrays(q, "A")

    def sees(option, i, j):
        n = int((re.findall(r"\d+", option) or [0])[0])
        if "window" in option:
            return i - n < j <= i
        if "seen by all" in option:
            return j <= i or j < n
        if "alone" in option:
            return j >= n
        if "padded" in option:
            return n <= j <= i
        return i <= j if "swapped" in option else j <= i

    fits = [
        option
        for option in q.options
        if all((A[i, j] > 0) == sees(option, i, j) for i in range(6) for j in range(6))
    ]
    assert len(fits) == 1, (q.task, fits)
    return fits[0]


def note_05(q):
    D, H, T = find(q, "has NUMBER features and NUMBER heads, and reads NUMBER tokens")
    return [D * D + D * D + D * D + D * D, H * T * T, 4 * D * D, T * T]


def which_reshape_05(q):
    X, (T, d, h, t) = arrays(q, "X"), find(q, r", NUMBER, NUMBER\)\[NUMBER, NUMBER\]")
    row, head = find(q, r"row NUMBER \(from 0\) of head NUMBER \(from 0\)")
    start = (h * T + t) * d
    return [list(X.flat)[start : start + d], [X[row][head * d + i] for i in range(d)]]


def note_06(q):
    rows = normed(arrays(q, "X"), 0)
    return [sum(row[j] for row in rows) / 3 for j in range(3)]


def which_norm_06(q):
    rows = arrays(q, "rows")
    layer = min(range(4), key=lambda i: abs(rows[i].mean()))
    rms = min(set(range(4)) - {layer}, key=lambda i: abs((rows[i] ** 2).mean() - 1))
    x = [float(n) for n in re.search(r"token, \[(.*?)\]", q.task)[1].split(",")]
    return [layer, rms, 0, sum(x) / 4 / (sum(n * n for n in x) / 4) ** 0.5]


def note_07(q):
    (T, D), t = find(q, "NUMBER tokens with NUMBER features"), find(q, "row NUMBER")
    return [D, sum(D for _ in range(T)), sum(D for i in range(T) if i >= t)]


def which_unit_07(q):
    hidden, W_2, b_2 = (arrays(q)[name] for name in ("hidden", "W_2", "b_2"))
    firing = [[u for u in range(3) if row[u]] for row in hidden]
    one = next(t for t in range(4) if len(firing[t]) == 1)
    unit = firing[one][0]
    return [firing.index([]), *(hidden[one][unit] * W_2[unit] + b_2)]


def note_08(q):
    W_Q, W_K = arrays(q, "W_Q"), arrays(q, "W_K")
    i, k = map(int, re.search(r"`R_(\d+) · R_(\d+)`", q.task).groups())
    m, n = map(int, re.search(r"and `R_(\d+) · R_(\d+)`", q.task).groups())

    def score(a, b):
        query = [math.sin(a) * W_Q[0][c] + math.cos(a) * W_Q[1][c] for c in (0, 1)]
        key = [math.sin(b) * W_K[0][c] + math.cos(b) * W_K[1][c] for c in (0, 1)]
        return query[0] * key[0] + query[1] * key[1]

    both = [math.sin(a) * math.sin(b) + math.cos(a) * math.cos(b) for a, b in ((i, k), (m, n))]
    return [*both, score(m, n) - score(i, k)]


def which_position_08(q):
    row = [float(x) for x in re.search(r"\[(.*?)\]", q.task)[1].split(",")]
    c = find(q, "turns NUMBER times")
    fits = [
        i
        for i in range(90)
        if np.allclose(
            [math.sin(i), math.cos(i), math.sin(i / c), math.cos(i / c)], row, atol=0.0051, rtol=0
        )
    ]
    assert len(fits) == 1, (q.task, fits)
    return fits[0]


def note_10(q):
    W_1, W_2, dY = arrays(q, "W_1"), arrays(q, "W_2"), arrays(q, "dY")
    said = re.search(r"have the sums ([−\d, ]+), and", q.task)[1].replace("−", "-")
    sums = [int(n) for n in said.split(",")]
    through = [
        sum(W_1[i][u] * sum(W_2[u][j] * dY[j] for j in (0, 1)) for u in range(3) if sums[u] > 0)
        for i in (0, 1)
    ]
    return [*(dY[i] + through[i] for i in (0, 1)), *through]


def note_09(q):
    logits = [float(x) for x in re.search(r"\[(.*?)\]", q.task)[1].split(",")]
    p, h = shares(logits), 1e-6
    best = int(np.argmax(p))
    moved = shares([x + h * (i == best) for i, x in enumerate(logits)])
    return [1, p[best], (moved[best] - p[best]) / h]


def which_load_09(q):
    G = arrays(q, "G")
    share = [sum(row[e] == max(row) for row in G) / 6 for e in range(3)]
    return [*share, 3 * sum(share[e] * sum(G[:, e]) / 6 for e in range(3))]


def note_11(q):
    d_k, d_v = find(q, "d_k = NUMBER"), find(q, "d_v = NUMBER")
    return [
        (seen + 1) * d_k + (seen + 1) * d_v
        for seen in find(q, "with NUMBER before it, and how many with NUMBER")
    ]


def which_head_11(q):
    A, words = arrays(q, "A"), re.search("“(.*?)”;", q.task)[1].split()
    looked = words[max(range(5), key=lambda j: A[4][j])]
    seen = f"From “{words[4]}” this head looks at “{looked}”"
    return f"{seen}; whether anything depends on it must be measured."


def which_run_11(q):
    _, numbers = table(q)
    train, new = list(numbers[:, 0]), list(numbers[:, 1])
    gaps = [b - a for a, b in zip(train, new, strict=True)]
    return [new.index(min(new)), gaps.index(max(gaps)), min(new) - find(q, "entropy of NUMBER")]


def note_12(q):
    senses, C = re.search(r"senses ([ab, ]+)\.", q.task)[1].split(", "), arrays(q, "cosines")
    pairs = [(i, j) for i in range(5) for j in range(i)]
    same, other = (
        [C[i][j] for i, j in pairs if (senses[i] == senses[j]) is kind] for kind in (True, False)
    )
    return [sum(same) / len(same), sum(other) / len(other)]


def which_pair_12(q):
    C = arrays(q, "cosines")
    return [max((j for j in range(6) if j != i), key=lambda j: C[i][j]) for i in range(6)]


def note_17(q):
    p, proxy, truth = (eval(text) for text in re.findall(r"\[.*?\]", q.task))
    leash = find(q, "under a leash of NUMBER")
    pulled = [share * math.exp(r / leash) for share, r in zip(p, proxy, strict=True)]
    means = [
        sum(w * v for w, v in zip(pulled, of, strict=True)) / sum(pulled) for of in (proxy, truth)
    ]
    return [*means, truth[proxy.index(max(proxy))]]


def note_13(q):
    word = re.search("“(.*?)”", q.task)[1]
    text = " ".join(map(str, word.encode()))
    for k, (x, y) in enumerate(eval(re.search(r"257, …: (\[.*?\])\.", q.task)[1])):
        text = re.sub(rf"(?<!\d){x} {y}(?!\d)", str(256 + k), text)
    return [len(word), len(word.encode()), len(text.split()), int(text.split()[0])]


def note_14(q):
    H, H_kv, d, T = (
        find(q, p)
        for p in (
            r"has NUMBER heads",
            r"and NUMBER of keys",
            r"NUMBER features",
            r"sees NUMBER tokens",
        )
    )
    return [H * T, H_kv * d * T * 2, H * T, H * d * T * 2]


def which_text_15(q):
    questions, answers = re.search(
        r"questions have ([\d, ]+) tokens, the first \d+ answers ([\d, ]+)\.", q.task
    ).groups()
    asked, said = ([int(n) for n in text.split(", ")] for text in (questions, answers))
    opening, signs = find(q, "takes NUMBER tokens with"), find(q, "a question take NUMBER tokens")
    read = opening
    for k, n in enumerate(asked):
        read += n + signs
        if k < len(said):
            read += said[k] + 1
    return read


def note_16(q):
    before, silenced = find(q, "predicts NUMBER. With one head silenced, NUMBER;")
    alone = find(q, "layers silenced, NUMBER.")
    needed, enough = silenced < before / 2, alone > before / 2
    needed, enough = ("" if needed else "not ", "" if enough else "not ")
    return f"For these words the head is {needed}needed, and {enough}enough."


def which_head_16(q):
    names, numbers = table(q)
    copies, texts = (
        numbers[1:, 1] - numbers[0, 1] > 0.5,
        numbers[1:, [0, 2]] - numbers[0, [0, 2]] > 0.5,
    )
    fits = [
        name
        for name, copy, text in zip(names[1:], copies, texts, strict=True)
        if copy and not text.any()
    ]
    assert len(fits) == 1, q.task
    return fits[0]


# Functions.


def row_sums(q):
    least = find(q, "numbers above NUMBER")
    return lambda A: np.array([sum(x for x in row if x > least) for row in A], float)


def softmax(q):
    base = find(q, "powers of NUMBER in")
    return lambda scores: np.array([shares(column, base) for column in scores.T]).T


def self_attention(q):
    old, others = find(q, r"is NUMBER times the old one plus NUMBER times")

    def answer(X):
        rows = []
        for i in range(len(X)):
            rest = [x for j, x in enumerate(X) if j != i]
            rows.append(old * X[i] + others * attend(dots([X[i]], rest), rest)[0])
        return np.array(rows)

    return answer


def project(q):
    factor = find(q, "keys are NUMBER times")
    return lambda X, W, b: (dots(X, W.T) + b, dots(X, W.T) * factor)


def attention(q):
    slope = find(q, r"j, NUMBER times")
    return lambda Q, K, V: attend(
        [[s - slope * abs(i - j) for j, s in enumerate(row)] for i, row in enumerate(dots(Q, K))], V
    )


def cross_attention(q):
    first, second = find(q, "is NUMBER times the answer of `near` plus NUMBER times")

    def answer(X, near, far, W_Q, W_K, W_V):
        said = [attend(dots(dots(X, W_Q.T), dots(C, W_K.T)), dots(C, W_V.T)) for C in (near, far)]
        return first * said[0] + second * said[1]

    return answer


def matrix_slopes(q):
    c = find(q, r"X \+ NUMBER · X W")

    def answer(X, W, dY):
        T, D = X.shape
        dX = [
            [dY[t, i] + c * sum(dY[t, j] * W[i, j] for j in range(D)) for i in range(D)]
            for t in range(T)
        ]
        dW = [[c * sum(X[t, i] * dY[t, j] for t in range(T)) for j in range(D)] for i in range(D)]
        return np.array(dX), np.array(dW)

    return answer


def softmax_jacobian(q):
    tau = find(q, "temperature NUMBER")

    def answer(scores):
        a = shares([s / tau for s in scores])
        return np.array(
            [[a[i] * ((i == j) - a[j]) / tau for j in range(len(a))] for i in range(len(a))]
        )

    return answer


def softmax_slopes(q):
    tau = find(q, "temperature NUMBER")

    def answer(scores, slopes):
        found = np.zeros(scores.shape)
        for r, (row, slope) in enumerate(zip(scores, slopes, strict=True)):
            a = shares(row / tau)
            for j in range(len(a)):
                found[r, j] = sum(slope[i] * a[i] * ((i == j) - a[j]) for i in range(len(a))) / tau
        return found

    return answer


def scaled_attention(q):
    c = find(q, r"q·k \+ NUMBER q·l")

    def answer(Q, K, L, V):
        return attend((dots(Q, K) + c * dots(Q, L)) / (Q.shape[1] * (1 + c * c)) ** 0.5, V)

    return answer


def without_dividing(q):
    tau = find(q, "temperature of NUMBER")
    return lambda W_Q, W_K: tuple(W / (W_Q.shape[1] ** 0.25 * tau**0.5) for W in (W_Q, W_K))


def softmax_with_temperature(q):
    least = find(q, "none below NUMBER")
    return lambda scores, temperatures: np.array(
        [
            shares(row / (least if t < least else t))
            for row, t in zip(scores, temperatures, strict=True)
        ]
    )


def causal_mask(q):
    back, title, every = (
        find(q, p) for p in ("the NUMBER right before", "first NUMBER tokens", "Tokens 0, NUMBER,")
    )
    return lambda T: np.array(
        [
            [i - back <= j <= i or j < title or (j <= i and j % every == 0) for j in range(T)]
            for i in range(T)
        ]
    )


def masked_attention(q):
    tau, back = find(q, "divided by NUMBER √d"), find(q, "keys i − NUMBER …")

    def answer(Q, K, V, n):
        weights = np.zeros((len(Q), len(K)))
        for i, row in enumerate(dots(Q, K) / tau / Q.shape[1] ** 0.5):
            seen = [j for j in range(len(K)) if i - back <= j <= i and j < n]
            if seen:
                weights[i, seen] = shares(row[seen])
        return np.array(
            [sum(w * v for w, v in zip(row, V, strict=True)) for row in weights]
        ), weights

    return answer


def split_heads(q):
    drop, c = find(q, "first NUMBER features"), find(q, "times NUMBER")
    return lambda X, n: np.array(
        [[[c * row[i] for i in range(drop + h, len(row), n)] for row in X] for h in range(n)]
    )


def merge_heads(q):
    scale = find(q, "multiplied by NUMBER")
    return lambda X: np.array(
        [
            [x * (scale if h % 2 else 1) for h in range(len(X) - 1, -1, -1) for x in X[h, t]]
            for t in range(X.shape[1])
        ]
    )


def multi_head_attention(q):
    keep = find(q, "multiplied by NUMBER before")

    def answer(X, W_Q, W_K, W_V, W_O, n_heads):
        d, heads = X.shape[1] // n_heads, []
        for h in range(n_heads):
            Q, K, V = (dots(X, W.T)[:, h * d : (h + 1) * d] for W in (W_Q, W_K, W_V))
            heads.append(attend(dots(Q, K) / d**0.5, V) * (1 if h else keep))
        return dots(np.concatenate(heads, axis=1), W_O.T)

    return answer


def layer_norm(q):
    groups, eps = find(q, "norm in NUMBER groups"), find(q, "ε = NUMBER")

    def answer(x, gamma, beta):
        d = x.shape[1] // groups
        return (
            np.concatenate([normed(x[:, g * d : (g + 1) * d], eps) for g in range(groups)], axis=1)
            * gamma
            + beta
        )

    return answer


def rms_norm(q):
    eps = find(q, "features plus NUMBER")

    def answer(x, gamma):
        rows = [
            row / (sum(abs(n) for n in row) / len(row) + eps) * gamma
            for row in x.reshape(-1, x.shape[-1])
        ]
        return np.array(rows).reshape(x.shape)

    return answer


def feed_forward(q):
    leak = find(q, "negative ones by NUMBER")

    def answer(X, W_1, b_1, W_2, b_2):
        hidden = dots(X, W_1.T) + b_1
        return dots([[h if h > 0 else leak * h for h in row] for row in hidden], W_2.T) + b_2

    return answer


def feed_forward_slopes(q):
    leak = find(q, "negative numbers by NUMBER")

    def answer(X, W_1, W_2, dF):
        hidden = dots(X, W_1.T)
        dH = np.array(
            [
                [
                    sum(dF[t, j] * W_2[u, j] for j in range(dF.shape[1]))
                    * (1 if hidden[t, u] > 0 else leak)
                    for u in range(hidden.shape[1])
                ]
                for t in range(len(X))
            ]
        )
        act = np.array([[h if h > 0 else leak * h for h in row] for row in hidden])
        return dots(dH, W_1), dots(X.T, dH.T), dots(act.T, dF.T)

    return answer


def transformer_block(q):
    c = find(q, "multiplied by NUMBER")

    def answer(X, W):
        I = normed(X)
        return X + attend(dots(I, I), I) + c * dots(relu(dots(I, W.T)), W)

    return answer


def beam_step(q):
    fine = find(q, "loses NUMBER where")

    def answer(totals, log_probs, last, beam_width):
        every = [
            (total + log_probs[i][j] - fine * (j == last[i]), i, j)
            for i, total in enumerate(totals)
            for j in range(log_probs.shape[1])
        ]
        best = sorted(every, reverse=True)[:beam_width]
        return (
            np.array([i for _, i, _ in best]),
            np.array([j for *_, j in best]),
            np.array([s for s, *_ in best]),
        )

    return answer


def sinusoidal_positional_encoding(q):
    start, base = find(q, "from NUMBER on"), find(q, "with NUMBER in the place")
    return lambda T, D: np.array(
        [
            [
                (math.sin if j % 2 else math.cos)((start + t) / base ** (j // 2 * 2 / D))
                for j in range(D)
            ]
            for t in range(T)
        ]
    )


def rotate(q):
    left, c = find(q, "first NUMBER features"), find(q, "multiplied by NUMBER")

    def answer(X, cos, sin):
        Y, half = X.copy(), (X.shape[1] - left) // 2
        for t in range(len(X)):
            for j in range(half):
                z = complex(X[t, left + j], X[t, left + half + j]) / complex(cos[t, j], sin[t, j])
                Y[t, left + j], Y[t, left + half + j] = c * z.real, c * z.imag
        return Y

    return answer


def responsibilities(q):
    floor = find(q, "density is NUMBER everywhere")

    def answer(x, weights, means, s):
        rows = [
            [
                *(
                    w * math.exp(-abs(n - m) / b) / (2 * b)
                    for w, m, b in zip(weights, means, s, strict=True)
                ),
                floor,
            ]
            for n in x
        ]
        return np.array([[p / sum(row) for p in row] for row in rows])

    return answer


def mixture_of_experts(q):
    least = find(q, "gate below NUMBER")

    def answer(gates, said):
        rows = []
        for gate, voices in zip(gates, said, strict=True):
            kept = [(g, v) for g, v in zip(gate, voices, strict=True) if g >= least]
            rows.append(sum(g * v for g, v in kept) / sum(g for g, _ in kept))
        return np.array(rows)

    return answer


def top_k_gate(q):
    tau = find(q, "temperature NUMBER")

    def answer(logits, k):
        gates = np.zeros(logits.shape)
        for e, column in enumerate(logits.T):
            best = sorted(range(len(column)), key=lambda t: -column[t])[:k]
            gates[best, e] = shares(column[best] / tau)
        return gates

    return answer


def expert_layer(q):
    c = find(q, "plus NUMBER times")

    def answer(X, W_g, W, W_s, k):
        rows = []
        for x, logits in zip(X, dots(X, W_g.T), strict=True):
            best = sorted(range(len(logits)), key=lambda e: -logits[e])[:k]
            said = sum(
                g * dots([x], W[e].T)[0] for g, e in zip(shares(logits[best]), best, strict=True)
            )
            rows.append(said + c * dots([x], W_s.T)[0])
        return np.array(rows)

    return answer


def preference_loss(q):
    share = find(q, "A share NUMBER of the comparisons")

    def answer(good, bad, good_ref, bad_ref, beta):
        losses = []
        for g, b, g_ref, b_ref in zip(good, bad, good_ref, bad_ref, strict=True):
            z = beta * (g - b - g_ref + b_ref)
            said, turned = (math.log(1 + math.exp(sign * z)) for sign in (-1, 1))
            losses.append((1 - share) * said + share * turned)
        return sum(losses) / len(losses)

    return answer


def advantages(q):
    most = find(q, "counts at most NUMBER")

    def answer(rewards):
        counted = [min(r, most) for r in rewards]
        return np.array([r - sum(counted) / len(counted) for r in counted])

    return answer


def train_step(q):
    right, share = find(q, "has probability NUMBER, and NUMBER is spread")

    def answer(Y, words, W):
        loss, slopes = 0, np.zeros(W.shape)
        for y, word in zip(Y, words, strict=True):
            P, n = shares(dots([y], W.T)[0]), W.shape[1]
            target = [right * (v == word) + share / n for v in range(n)]
            loss -= sum(t * math.log(p) for t, p in zip(target, P, strict=True)) / len(Y)
            slopes += np.array(
                [[y[i] * (P[v] - target[v]) for v in range(n)] for i in range(len(y))]
            ) / len(Y)
        return loss, slopes

    return answer


def forward(q):
    c = find(q, "adds NUMBER times relu")

    def answer(tokens, W_E, R, blocks):
        X = np.array([W_E[token] + R[t] for t, token in enumerate(tokens)])
        for W in blocks:
            X = X + c * relu(dots(normed(X), W.T))
        return dots(normed(X), W_E)

    return answer


def kv_cache_step(q):
    window, tau = find(q, "newest NUMBER rows"), find(q, "divided by NUMBER √d")

    def answer(q, k, v, K, V):
        K, V = np.array([*K, k][-window:]), np.array([*V, v][-window:])
        return attend(dots([q], K) / tau / len(q) ** 0.5, V)[0], K, V

    return answer


def nearest_words(q):
    factor = find(q, "x_b − NUMBER x_a")

    def answer(a, b, c, vectors, k):
        aim = vectors[b] - factor * vectors[a] + vectors[c]
        others = [i for i in range(len(vectors)) if i not in (a, b, c)]
        return np.array(
            sorted(others, key=lambda i: -vectors[i] @ aim / math.sqrt(vectors[i] @ vectors[i]))[:k]
        )

    return answer


def mean_pooling(q):
    power = find(q, "power of NUMBER")

    def answer(states, mask):
        rows = []
        for row, real in zip(states, mask, strict=True):
            weights = [(i + 1) ** power if seen else 0 for i, seen in enumerate(real)]
            rows.append(sum(w * x for w, x in zip(weights, row, strict=True)) / sum(weights))
        return np.array(rows)

    return answer


def merge_pair(q):
    three = find(q, "wherever NUMBER, NUMBER, NUMBER stand")

    def answer(ids, new):
        if not ids:
            return []
        return [new, *answer(ids[3:], new)] if ids[:3] == three else [ids[0], *answer(ids[1:], new)]

    return answer


def encode_word(q):
    offset = find(q, r"Token NUMBER \+ i")

    def answer(ids, pairs):
        return [
            byte
            for token in ids
            for byte in (answer(pairs[token - offset], pairs) if token >= offset else [token])
        ]

    return answer


def grouped_query_attention(q):
    c = find(q, "divided by NUMBER instead")
    return lambda Q, K, V: np.array(
        [attend(dots(Q[h], K[h % len(K)]) / c, V[h % len(V)]) for h in range(len(Q))]
    )


def swiglu(q):
    c = find(q, r"σ\(NUMBER x\)")

    def answer(X, W_gate, W_up, W_down):
        gate = np.array([[x / (1 + math.exp(-c * x)) for x in row] for row in dots(X, W_gate.T)])
        return X + dots(gate * dots(X, W_up.T), W_down.T)

    return answer


def top_p(q):
    share, least = find(q, "least NUMBER times"), find(q, "the NUMBER likeliest")

    def answer(probabilities):
        order = sorted(range(len(probabilities)), key=lambda i: -probabilities[i])
        kept = [
            i
            for rank, i in enumerate(order)
            if rank < least or probabilities[i] >= share * probabilities[order[0]]
        ]
        total = sum(probabilities[i] for i in kept)
        return np.array([p / total if i in kept else 0 for i, p in enumerate(probabilities)])

    return answer


def dequantise_block(q):
    shift = find(q, "code − NUMBER")
    return lambda step, packed: np.array(
        [step * (int(byte) // place % 4 - shift) for byte in packed for place in (64, 16, 4, 1)]
    )


def logit_lens(q):
    c = find(q, "scores by NUMBER")

    def answer(states, gamma, W_out, token):
        found = []
        for x in states:
            P = shares(dots([x / (sum(n * n for n in x) / len(x)) ** 0.5 * gamma], W_out.T)[0] / c)
            found.append(
                math.log(P[token]) - max(math.log(p) for v, p in enumerate(P) if v != token)
            )
        return np.array(found)

    return answer


def reply(q):
    room = find(q, "into NUMBER tokens")

    def answer(start, turns):
        n = max(
            n
            for n in range(len(turns) + 1)
            if len(start) + sum(map(len, turns[len(turns) - n :])) <= room
        )
        return start + [token for turn in turns[len(turns) - n :] for token in turn]

    return answer
