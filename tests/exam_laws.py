"""The laws of the bank's questions a second time: from their sentences, written another way, on
other sizes and numbers.

LAWS: {exercise: function from (function, random generator) to a list: whether each law holds, in
the order of the bank's}.
"""

import numpy as np


def near(a, b):
    """Whether two results are the same numbers in the same shape."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    return a.shape == b.shape and bool(np.all(np.abs(a - b) < 1e-6))


def attention(f, rng):
    T, d = rng.integers(3, 7, size=2)
    Q, K, V = (rng.normal(size=(T, d)) for _ in range(3))
    Y, order = f(Q, K, V), list(reversed(range(T)))
    row, zeros, i = rng.normal(size=d), Q.copy(), rng.integers(T)
    zeros[i] *= 0
    return [
        near(f(Q, K, np.array([row] * T)), [row] * T),
        near(f(Q, K[order], V[order]), Y),
        lambda: near(f(Q[order], K, V), [Y[i] for i in order]),
        near(f(Q, K, V + V), Y + Y),
        lambda: near(f(zeros, K, V)[i], sum(V) / T),
        near(f(Q, np.array([k + row for k in K]), V), Y),
        lambda: near(f(Q, K[:1], V[:1]), [V[0]] * T),
        near(f(Q + Q, 0.5 * K, V), Y),
    ]


def layer_norm(f, rng):
    T, D = rng.integers(3, 7, size=2)
    X, gamma, beta = rng.uniform(-4, 4, size=(T, D)), rng.normal(size=D), rng.normal(size=D)
    eps, i = 1e-9, rng.integers(T)
    Y, plain = f(X, gamma, beta, eps), f(X, np.ones(D), np.zeros(D), eps)
    larger, shifted = X.copy(), X.copy()
    larger[i], shifted[i] = X[i] + X[i], X[i] - rng.uniform(1, 3)
    order, more = list(reversed(range(T))), rng.normal(size=D)
    return [
        near([sum(y) / D for y in plain], np.zeros(T)),
        near([sum(y * y) / D - (sum(y) / D) ** 2 for y in plain], np.ones(T)),
        near(f(X[:1], gamma, beta, eps), Y[:1]),
        near(f(X, np.zeros(D), beta, eps), [beta] * T),
        near(f(larger, gamma, beta, eps), Y),
        near(f(shifted, gamma, beta, eps), Y),
        near(f(X, gamma, beta + more, eps), [y + more for y in Y]),
        near(f(X[order], gamma, beta, eps), [Y[i] for i in order]),
    ]


def leak(f, rng):
    T, d = rng.integers(4, 7), rng.integers(2, 6)
    Q, K, V = (rng.uniform(-2, 2, size=(T, d)) for _ in range(3))
    mask = np.array([[j <= i for j in range(T)] for i in range(T)])
    output, weights = f(Q, K, V, mask)
    other = rng.uniform(-2, 2, size=(1, d))
    value = f(Q, K, np.concatenate([V[:-1], other]), mask)[0]
    key = f(Q, np.concatenate([K[:-1], other]), V, mask)[0]
    pairs = [(i, j) for i in range(T) for j in range(T)]
    return [
        near(value[: T - 1], output[: T - 1]) and not near(value[T - 1], output[T - 1]),
        near(key[: T - 1], output[: T - 1]),
        near([sum(row) for row in weights], np.ones(T)),
        near(output[0], V[0]),
        all(abs(weights[i, j]) < 1e-6 for i, j in pairs if j > i),
        all(weights[i, j] > 0 for i, j in pairs if j <= i),
        near(f(Q, K, V, mask | True)[0][T - 1], output[T - 1]),
        near([sum(w * v for w, v in zip(row, V, strict=True)) for row in weights], output),
    ]


def rotate(f, rng):
    T, half = rng.integers(2, 6), rng.integers(2, 5)
    X = rng.uniform(-3, 3, size=(T, 2 * half))
    a, b = (rng.uniform(-np.pi, np.pi, size=(T, half)) for _ in range(2))

    def turn(X, angles):
        z = np.exp(1j * angles)
        return f(X, z.real, z.imag)

    Y, flat = turn(X, a), np.zeros((T, half))
    return [
        near([y @ y for y in Y], [x @ x for x in X]),
        near(turn(X, flat), X),
        near(turn(Y, b), turn(X, b + a)),
        near(turn(Y, -a), X),
        near(turn(X, flat - np.pi), -X),
        near(turn(X, flat + np.pi / 2)[:, :half] + X[:, half:], flat),
        near(turn(X + X, a), Y + Y),
        near(
            [[y[j] ** 2 + y[j + half] ** 2 for j in range(half)] for y in Y],
            [[x[j] ** 2 + x[j + half] ** 2 for j in range(half)] for x in X],
        ),
    ]


def split_heads(f, rng):
    H = int(rng.integers(2, 4))
    T, d = 6 * int(rng.integers(1, 3)), int(rng.integers(2, 5))
    X = rng.permutation(T * H * d).reshape(T, H * d) + 0.5
    heads, order, pair = f(X, H), list(reversed(range(T))), rng.normal(size=(6, 2 * d))
    text = "|" + "|".join(" " + " ".join(map(str, row)) + " " for row in X) + "|"
    return [
        near(heads[0][0][0], X[0][0]),
        near(f(X, 1), [X]),
        near(heads[len(heads) - 1][0], X[0][len(X[0]) - d :]),
        near(f(X[order], H), [[head[i] for i in order] for head in heads])
        if len(heads[0]) == T
        else False,
        sorted(heads.ravel()) == sorted(X.ravel()),
        near(f(pair, 2)[0], [row[:d] for row in pair]),
        heads.shape == (H, T, d),
        all(" " + " ".join(map(str, row)) + " " in text for head in heads for row in head),
    ]


LAWS = {
    "catch_attention": attention,
    "catch_layer_norm": layer_norm,
    "catch_leak": leak,
    "catch_rotate": rotate,
    "catch_split_heads": split_heads,
}
