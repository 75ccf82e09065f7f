"""Attempts at the exercises of notebook 08, as students write them."""

from attempts import Attempt

ATTEMPTS = [
    Attempt("sinusoidal_positional_encoding", "", """
def my_sinusoidal_positional_encoding(T, D):
    R = np.zeros((T, D))
    for i in range(T):
        for j in range(D // 2):
            angle = i / 10000 ** (2 * j / D)
            R[i, 2 * j] = np.sin(angle)
            R[i, 2 * j + 1] = np.cos(angle)
    return R
"""),
    Attempt("sinusoidal_positional_encoding", "", """
def my_sinusoidal_positional_encoding(T, D):
    frequencies = np.exp(-np.log(10000) * np.arange(0, D, 2) / D)
    angles = np.outer(np.arange(T), frequencies)
    R = np.empty((T, D))
    R[:, ::2] = np.sin(angles)
    R[:, 1::2] = np.cos(angles)
    return R
"""),
    Attempt("sinusoidal_positional_encoding", "", """
def my_sinusoidal_positional_encoding(T, D):
    feature = np.arange(D)
    pair = feature // 2
    angles = np.arange(T).reshape(T, 1) / np.power(10000.0, 2 * pair / D)
    return np.where(feature % 2 == 0, np.sin(angles), np.cos(angles))
"""),
    Attempt("sinusoidal_positional_encoding", "", """
def my_sinusoidal_positional_encoding(T, D):
    columns = []
    for j in range(D // 2):
        omega = 10000 ** (-2 * j / D)
        columns.append(np.sin(np.arange(T) * omega))
        columns.append(np.cos(np.arange(T) * omega))
    return np.stack(columns, axis=1)
"""),
    Attempt("sinusoidal_positional_encoding", "10000**2*j/D without brackets: pair 0 divides by 0, raises", """
def my_sinusoidal_positional_encoding(T, D):
    R = np.zeros((T, D))
    for i in range(T):
        for j in range(D // 2):
            R[i, 2 * j] = np.sin(i / (10000**2*j/D))
            R[i, 2 * j + 1] = np.cos(i / (10000**2*j/D))
    return R
"""),
    Attempt("sinusoidal_positional_encoding", "10000**2*j/D: the exponent without brackets", """
def my_sinusoidal_positional_encoding(T, D):
    i = np.arange(T)[:, None]
    j = np.arange(D // 2)
    angles = i / 10000**2*j/D
    R = np.zeros((T, D))
    R[:, 0::2] = np.sin(angles)
    R[:, 1::2] = np.cos(angles)
    return R
"""),
    Attempt("sinusoidal_positional_encoding", "doubles twice: 2 * j where j already counts 0, 2, 4", """
def my_sinusoidal_positional_encoding(T, D):
    j = np.arange(0, D, 2)
    angles = np.arange(T)[:, None] / 10000 ** (2 * j / D)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(T, D)
"""),
    Attempt("sinusoidal_positional_encoding", "j/D instead of 2j/D", """
def my_sinusoidal_positional_encoding(T, D):
    R = np.zeros((T, D))
    position = np.arange(T)
    for j in range(D // 2):
        R[:, 2*j] = np.sin(position / 10000 ** (j / D))
        R[:, 2*j + 1] = np.cos(position / 10000 ** (j / D))
    return R
"""),
    Attempt("sinusoidal_positional_encoding", "a frequency for each feature: the cosine is not that of its sine", """
def my_sinusoidal_positional_encoding(T, D):
    angles = np.arange(T)[:, None] / 10000 ** (np.arange(D) / D)
    R = np.zeros((T, D))
    R[:, 0::2] = np.sin(angles[:, 0::2])
    R[:, 1::2] = np.cos(angles[:, 1::2])
    return R
"""),
    Attempt("sinusoidal_positional_encoding", "a frequency for each feature", """
def my_sinusoidal_positional_encoding(T, D):
    R = np.zeros((T, D))
    for i in range(T):
        for j in range(D):
            if j % 2 == 0:
                R[i, j] = np.sin(i / 10000 ** (2 * j / D))
            else:
                R[i, j] = np.cos(i / 10000 ** (2 * j / D))
    return R
"""),
    Attempt("sinusoidal_positional_encoding", "first all sines, then all cosines", """
def my_sinusoidal_positional_encoding(T, D):
    angles = np.arange(T)[:, None] / 10000 ** (np.arange(0, D, 2) / D)
    R = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    return R
"""),
    Attempt("sinusoidal_positional_encoding", "sine and cosine swapped", """
def my_sinusoidal_positional_encoding(T, D):
    pos = np.arange(T)[:, np.newaxis]
    div = 10000 ** (np.arange(0, D, 2) / D)
    R = np.zeros((T, D))
    R[:, 0::2] = np.cos(pos / div)
    R[:, 1::2] = np.sin(pos / div)
    return R
"""),
    Attempt("sinusoidal_positional_encoding", "sines only", """
def my_sinusoidal_positional_encoding(T, D):
    j = np.arange(D) // 2
    R = np.sin(np.arange(T)[:, None] / 10000 ** (2 * j / D))
    return R
"""),
    Attempt("sinusoidal_positional_encoding", "positions from 1", """
def my_sinusoidal_positional_encoding(T, D):
    i = np.arange(1, T + 1)[:, None]
    angles = i / 10000 ** (np.arange(0, D, 2) / D)
    R = np.zeros((T, D))
    R[:, 0::2] = np.sin(angles)
    R[:, 1::2] = np.cos(angles)
    return R
"""),
    Attempt("sinusoidal_positional_encoding", "pairs from 1", """
def my_sinusoidal_positional_encoding(T, D):
    R = np.zeros((T, D))
    for i in range(T):
        for j in range(1, D // 2 + 1):
            R[i, 2 * j - 2] = np.sin(i / 10000 ** (2 * j / D))
            R[i, 2 * j - 1] = np.cos(i / 10000 ** (2 * j / D))
    return R
"""),
    Attempt("sinusoidal_positional_encoding", "multiplies by the power instead of dividing", """
def my_sinusoidal_positional_encoding(T, D):
    omega = 10000 ** (np.arange(0, D, 2) / D)
    angles = np.arange(T)[:, None] * omega
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(T, D)
"""),
    Attempt("sinusoidal_positional_encoding", "divides the sine instead of the angle", """
def my_sinusoidal_positional_encoding(T, D):
    R = np.zeros((T, D))
    for i in range(T):
        for j in range(0, D, 2):
            R[i, j] = np.sin(i) / 10000 ** (j / D)
            R[i, j + 1] = np.cos(i) / 10000 ** (j / D)
    return R
"""),
    Attempt("sinusoidal_positional_encoding", "base 1000", """
def my_sinusoidal_positional_encoding(T, D):
    angles = np.arange(T)[:, None] / 1000 ** (np.arange(0, D, 2) / D)
    R = np.zeros((T, D))
    R[:, 0::2], R[:, 1::2] = np.sin(angles), np.cos(angles)
    return R
"""),
    Attempt("sinusoidal_positional_encoding", "divides by T in the exponent", """
def my_sinusoidal_positional_encoding(T, D):
    R = np.zeros((T, D))
    for i in range(T):
        for j in range(0, D, 2):
            angle = i / 10000 ** (j / T)
            R[i, j], R[i, j + 1] = np.sin(angle), np.cos(angle)
    return R
"""),
    Attempt("sinusoidal_positional_encoding", "alternates with the position, not with the feature", """
def my_sinusoidal_positional_encoding(T, D):
    R = np.zeros((T, D))
    for i in range(T):
        for j in range(D):
            angle = i / 10000 ** (2 * (j // 2) / D)
            R[i, j] = np.sin(angle) if i % 2 == 0 else np.cos(angle)
    return R
"""),
    Attempt("sinusoidal_positional_encoding", "np.zeros(T, D): raises", """
def my_sinusoidal_positional_encoding(T, D):
    R = np.zeros(T, D)
    for i in range(T):
        for j in range(D // 2):
            R[i, 2*j] = np.sin(i / 10000**(2*j/D))
            R[i, 2*j+1] = np.cos(i / 10000**(2*j/D))
    return R
"""),
    Attempt("sinusoidal_positional_encoding", "range(D / 2): raises", """
def my_sinusoidal_positional_encoding(T, D):
    R = np.zeros((T, D))
    for i in range(T):
        for j in range(D / 2):
            R[i, 2*j] = np.sin(i / 10000**(2*j/D))
            R[i, 2*j+1] = np.cos(i / 10000**(2*j/D))
    return R
"""),
    Attempt("sinusoidal_positional_encoding", "positions without a new axis", """
def my_sinusoidal_positional_encoding(T, D):
    angles = np.arange(T) / 10000 ** (np.arange(0, D, 2) / D)
    R = np.zeros((T, D))
    R[:, 0::2] = np.sin(angles)
    R[:, 1::2] = np.cos(angles)
    return R
"""),
    Attempt("sinusoidal_positional_encoding", "stacked in front, so that reshape mixes rows", """
def my_sinusoidal_positional_encoding(T, D):
    angles = np.arange(T)[:, None] / 10000 ** (np.arange(0, D, 2) / D)
    R = np.array([np.sin(angles), np.cos(angles)]).reshape(T, D)
    return R
"""),
    Attempt("sinusoidal_positional_encoding", "transposed: a row for each feature", """
def my_sinusoidal_positional_encoding(T, D):
    R = np.zeros((D, T))
    i = np.arange(T)
    for j in range(D // 2):
        R[2 * j] = np.sin(i / 10000 ** (2 * j / D))
        R[2 * j + 1] = np.cos(i / 10000 ** (2 * j / D))
    return R
"""),
    Attempt("sinusoidal_positional_encoding", "the last pair stays 0: off by one", """
def my_sinusoidal_positional_encoding(T, D):
    R = np.zeros((T, D))
    for j in range(D // 2 - 1):
        omega = 1 / 10000 ** (2 * j / D)
        R[:, 2 * j] = np.sin(np.arange(T) * omega)
        R[:, 2 * j + 1] = np.cos(np.arange(T) * omega)
    return R
"""),
    Attempt("sinusoidal_positional_encoding", "returns inside the loop, after the first row", """
def my_sinusoidal_positional_encoding(T, D):
    R = np.zeros((T, D))
    for i in range(T):
        for j in range(0, D, 2):
            R[i, j] = np.sin(i / 10000 ** (j / D))
            R[i, j + 1] = np.cos(i / 10000 ** (j / D))
        return R
"""),
    Attempt("sinusoidal_positional_encoding", "a table of whole numbers", """
def my_sinusoidal_positional_encoding(T, D):
    R = np.arange(T * D).reshape(T, D)
    angles = np.arange(T)[:, None] / 10000 ** (np.arange(0, D, 2) / D)
    R[:, 0::2] = np.sin(angles)
    R[:, 1::2] = np.cos(angles)
    return R
"""),
    Attempt("rotate", "", """
def my_rotate(X, cos, sin):
    T, d = X.shape
    turned = np.zeros((T, d))
    for i in range(T):
        for j in range(d // 2):
            a, b = X[i, j], X[i, j + d // 2]
            turned[i, j] = a * cos[i, j] - b * sin[i, j]
            turned[i, j + d // 2] = a * sin[i, j] + b * cos[i, j]
    return turned
"""),
    Attempt("rotate", "", """
def my_rotate(X, cos, sin):
    half = X.shape[1] // 2
    z = (X[:, :half] + 1j * X[:, half:]) * (cos + 1j * sin)
    return np.concatenate([z.real, z.imag], axis=1)
"""),
    Attempt("rotate", "", """
def my_rotate(X, cos, sin):
    half = X.shape[-1] // 2
    other = np.concatenate((-X[:, half:], X[:, :half]), axis=-1)
    return X * np.tile(cos, 2) + other * np.tile(sin, 2)
"""),
    Attempt("rotate", "", """
def my_rotate(X, cos, sin):
    h = cos.shape[1]
    turned = X.copy()
    turned[:, :h] = X[:, :h] * cos - X[:, h:] * sin
    turned[:, h:] = X[:, :h] * sin + X[:, h:] * cos
    return turned
"""),
    Attempt("rotate", "", """
def my_rotate(X, cos, sin):
    T, d = X.shape
    pairs = X.reshape(T, 2, d // 2)
    M = np.array([[cos, -sin], [sin, cos]])
    return np.einsum("xytj,tyj->txj", M, pairs).reshape(T, d)
"""),
    Attempt("rotate", "turns the other way", """
def my_rotate(X, cos, sin):
    a, b = np.split(X, 2, axis=1)
    turned = np.hstack([a * cos + b * sin, b * cos - a * sin])
    return turned
"""),
    Attempt("rotate", "minus in both halves", """
def my_rotate(X, cos, sin):
    d = X.shape[1]
    a = X[:, :d // 2]
    b = X[:, d // 2:]
    first = a * cos - b * sin
    second = a * sin - b * cos
    return np.concatenate([first, second], axis=1)
"""),
    Attempt("rotate", "plus in both halves", """
def my_rotate(X, cos, sin):
    half = X.shape[1] // 2
    x1, x2 = X[:, :half], X[:, half:]
    turned = np.concatenate([x1 * cos + x2 * sin, x1 * sin + x2 * cos], axis=1)
    return turned
"""),
    Attempt("rotate", "pairs neighbours instead of halves", """
def my_rotate(X, cos, sin):
    turned = np.zeros(X.shape)
    a, b = X[:, 0::2], X[:, 1::2]
    turned[:, 0::2] = a * cos - b * sin
    turned[:, 1::2] = a * sin + b * cos
    return turned
"""),
    Attempt("rotate", "pairs neighbours, in a loop", """
def my_rotate(X, cos, sin):
    turned = X.copy()
    for i in range(X.shape[0]):
        for j in range(X.shape[1] // 2):
            a = X[i, 2 * j]
            b = X[i, 2 * j + 1]
            turned[i, 2 * j] = a * cos[i, j] - b * sin[i, j]
            turned[i, 2 * j + 1] = a * sin[i, j] + b * cos[i, j]
    return turned
"""),
    Attempt("rotate", "reads halves, writes neighbours", """
def my_rotate(X, cos, sin):
    a, b = np.split(X, 2, axis=1)
    turned = np.stack([a * cos - b * sin, a * sin + b * cos], axis=-1).reshape(X.shape)
    return turned
"""),
    Attempt("rotate", "reads neighbours, writes halves", """
def my_rotate(X, cos, sin):
    a, b = X[:, ::2], X[:, 1::2]
    return np.hstack([a * cos - b * sin, a * sin + b * cos])
"""),
    Attempt("rotate", "no copy: the second half is computed from the turned first", """
def my_rotate(X, cos, sin):
    half = X.shape[1] // 2
    turned = X
    a, b = turned[:, :half], turned[:, half:]
    turned[:, :half] = a * cos - b * sin
    turned[:, half:] = a * sin + b * cos
    return turned
"""),
    Attempt("rotate", "overwrites a before it is used again", """
def my_rotate(X, cos, sin):
    a, b = np.split(X, 2, axis=1)
    a = a * cos - b * sin
    b = a * sin + b * cos
    return np.hstack([a, b])
"""),
    Attempt("rotate", "joined below each other: np.concatenate along axis 0", """
def my_rotate(X, cos, sin):
    half = X.shape[1] // 2
    a, b = X[:, :half], X[:, half:]
    turned = np.concatenate([a * cos - b * sin, a * sin + b * cos])
    return turned
"""),
    Attempt("rotate", "a table for each half: not joined", """
def my_rotate(X, cos, sin):
    a, b = np.split(X, 2, axis=1)
    turned = np.array([a * cos - b * sin, a * sin + b * cos])
    return turned
"""),
    Attempt("rotate", "returns two tables", """
def my_rotate(X, cos, sin):
    a, b = np.split(X, 2, axis=-1)
    return a * cos - b * sin, a * sin + b * cos
"""),
    Attempt("rotate", "sine and cosine swapped", """
def my_rotate(X, cos, sin):
    n = X.shape[1] // 2
    a, b = X[:, :n], X[:, n:]
    turned = np.hstack((a * sin - b * cos, a * cos + b * sin))
    return turned
"""),
    Attempt("rotate", "splits the tokens, not the features", """
def my_rotate(X, cos, sin):
    a, b = np.split(X, 2)
    return np.hstack([a * cos - b * sin, a * sin + b * cos])
"""),
    Attempt("rotate", "half of the tokens, not of the features", """
def my_rotate(X, cos, sin):
    half = len(X) // 2
    a, b = X[:, :half], X[:, half:]
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=1)
"""),
    Attempt("rotate", "multiplies all features by cos: shapes differ", """
def my_rotate(X, cos, sin):
    turned = X * cos - X * sin
    return turned
"""),
    Attempt("rotate", "every feature with itself instead of its partner", """
def my_rotate(X, cos, sin):
    cos2 = np.concatenate([cos, cos], axis=1)
    sin2 = np.concatenate([sin, sin], axis=1)
    turned = X * cos2 + X * sin2
    return turned
"""),
    Attempt("rotate", "the partner without its minus", """
def my_rotate(X, cos, sin):
    half = X.shape[1] // 2
    swapped = np.hstack([X[:, half:], X[:, :half]])
    return X * np.hstack([cos, cos]) + swapped * np.hstack([sin, sin])
"""),
    Attempt("rotate", "the minus at the wrong half: turns back", """
def my_rotate(X, cos, sin):
    half = X.shape[1] // 2
    rotated = np.concatenate([X[:, half:], -X[:, :half]], axis=1)
    cos_full, sin_full = np.tile(cos, (1, 2)), np.tile(sin, (1, 2))
    return X * cos_full + rotated * sin_full
"""),
    Attempt("rotate", "cosine of the cosine", """
def my_rotate(X, cos, sin):
    a, b = np.split(X, 2, axis=1)
    turned = np.hstack([a * np.cos(cos) - b * np.sin(sin), a * np.sin(sin) + b * np.cos(cos)])
    return turned
"""),
    Attempt("rotate", "calls the array cos as a function: raises", """
def my_rotate(X, cos, sin):
    T, d = X.shape
    turned = np.zeros((T, d))
    for i in range(T):
        for j in range(d // 2):
            a, b = X[i, j], X[i, j + d // 2]
            turned[i, j] = a * cos(i) - b * sin(i)
            turned[i, j + d // 2] = a * sin(i) + b * cos(i)
    return turned
"""),
    Attempt("rotate", "a slice up to d / 2: raises", """
def my_rotate(X, cos, sin):
    d = X.shape[1]
    a, b = X[:, :d / 2], X[:, d / 2:]
    return np.hstack([a * cos - b * sin, a * sin + b * cos])
"""),
    Attempt("rotate", "np.hstack with two arguments: raises", """
def my_rotate(X, cos, sin):
    a, b = np.split(X, 2, axis=1)
    new_a = a * cos - b * sin
    new_b = a * sin + b * cos
    return np.hstack(new_a, new_b)
"""),
    Attempt("rotate", "the second half is not turned", """
def my_rotate(X, cos, sin):
    half = X.shape[1] // 2
    turned = X.copy()
    turned[:, :half] = X[:, :half] * cos - X[:, half:] * sin
    return turned
"""),
    Attempt("rotate", "adds cosines and sines instead of turning", """
def my_rotate(X, cos, sin):
    R = np.concatenate([cos, sin], axis=1)
    turned = X + R
    return turned
"""),
]
