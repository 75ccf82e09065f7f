"""Attempts at the exercises of notebook 06, as students write them."""

from attempts import Attempt

ATTEMPTS = [
    Attempt("layer_norm", "", """
def my_layer_norm(x, gamma, beta, eps):
    D = x.shape[-1]
    mean = np.sum(x, axis=-1, keepdims=True) / D
    diff = x - mean
    var = np.sum(diff * diff, axis=-1, keepdims=True) / D
    y = diff / np.sqrt(var + eps)
    y = y * gamma
    y = y + beta
    return y
"""),
    Attempt("layer_norm", "", """
def my_layer_norm(x, gamma, beta, eps):
    rows = x.reshape(-1, x.shape[-1])
    result = []
    for row in rows:
        m = sum(row) / len(row)
        v = sum((r - m) ** 2 for r in row) / len(row)
        result.append([g * (r - m) / (v + eps) ** 0.5 + b for r, g, b in zip(row, gamma, beta)])
    return np.array(result).reshape(x.shape)
"""),
    Attempt("layer_norm", "", """
def my_layer_norm(x, gamma, beta, eps):
    centred = x - x.mean(-1)[..., None]
    variance = np.einsum("...d,...d->...", centred, centred) / x.shape[-1]
    return beta + centred * gamma * ((variance + eps) ** -0.5)[..., np.newaxis]
"""),
    Attempt("layer_norm", "", """
def my_layer_norm(x, gamma, beta, eps):
    mu = np.expand_dims(np.mean(x, axis=-1), -1)
    second_moment = np.expand_dims(np.mean(x ** 2, axis=-1), -1)
    sigma2 = second_moment - mu ** 2
    scale = gamma / np.sqrt(sigma2 + eps)
    return scale * x + (beta - scale * mu)
"""),
    Attempt("layer_norm", "", """
def standardise(row, eps):
    return (row - row.mean()) / np.sqrt(row.std() ** 2 + eps)

def my_layer_norm(x, gamma, beta, eps):
    y = np.apply_along_axis(standardise, -1, x, eps)
    return gamma * y + beta
"""),
    Attempt("layer_norm", "normalises over tokens: mean and variance over axis 0", """
def my_layer_norm(x, gamma, beta, eps):
    mu = x.mean(axis=0, keepdims=True)
    var = x.var(axis=0, keepdims=True)
    y = gamma * (x - mu) / np.sqrt(var + eps) + beta
    return y
"""),
    Attempt("layer_norm", "normalises over tokens: axis -2", """
def my_layer_norm(x, gamma, beta, eps):
    return gamma * (x - x.mean(axis=-2, keepdims=True)) / np.sqrt(x.var(axis=-2, keepdims=True) + eps) + beta
"""),
    Attempt("layer_norm", "no axis: one mean and variance for the whole table", """
def my_layer_norm(x, gamma, beta, eps):
    mu = np.mean(x)
    sigma = np.sqrt(np.var(x) + eps)
    y = gamma * ((x - mu) / sigma) + beta
    return y
"""),
    Attempt("layer_norm", "keepdims forgotten in both", """
def my_layer_norm(x, gamma, beta, eps):
    mu = x.mean(axis=-1)
    var = x.var(axis=-1)
    return gamma * (x - mu) / np.sqrt(var + eps) + beta
"""),
    Attempt("layer_norm", "keepdims forgotten for the variance only", """
def my_layer_norm(x, gamma, beta, eps):
    x_centred = x - x.mean(axis=-1, keepdims=True)
    x_var = (x_centred ** 2).mean(axis=-1)
    y = x_centred / np.sqrt(x_var + eps)
    return y * gamma + beta
"""),
    Attempt("layer_norm", "ε beside the root", """
def my_layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    std = x.std(axis=-1, keepdims=True)
    norm = (x - mean) / (std + eps)
    return gamma * norm + beta
"""),
    Attempt("layer_norm", "ε beside the root", """
def my_layer_norm(x, gamma, beta, eps):
    d = x - x.mean(axis=-1, keepdims=True)
    y = gamma * d / (np.sqrt(np.mean(d**2, axis=-1, keepdims=True)) + eps) + beta
    return y
"""),
    Attempt("layer_norm", "ε is forgotten", """
def my_layer_norm(x, gamma, beta, eps):
    y = (x - x.mean(axis=-1, keepdims=True)) / x.std(axis=-1, keepdims=True)
    y = gamma * y + beta
    return y
"""),
    Attempt("layer_norm", "divides by the variance: no root", """
def my_layer_norm(x, gamma, beta, eps):
    mu = x.mean(axis=-1, keepdims=True)
    var = ((x - mu) ** 2).mean(axis=-1, keepdims=True)
    y = gamma * (x - mu) / (var + eps) + beta
    return y
"""),
    Attempt("layer_norm", "variance divided by D - 1", """
def my_layer_norm(x, gamma, beta, eps):
    n = x.shape[-1]
    mu = x.sum(axis=-1, keepdims=True) / n
    var = ((x - mu) ** 2).sum(axis=-1, keepdims=True) / (n - 1)
    return (x - mu) / np.sqrt(var + eps) * gamma + beta
"""),
    Attempt("layer_norm", "the mean is not subtracted", """
def my_layer_norm(x, gamma, beta, eps):
    variance = x.var(axis=-1, keepdims=True)
    y = gamma * x / np.sqrt(variance + eps) + beta
    return y
"""),
    Attempt("layer_norm", "β is forgotten", """
def my_layer_norm(x, gamma, beta, eps):
    mu, var = x.mean(axis=-1, keepdims=True), x.var(axis=-1, keepdims=True)
    return gamma * (x - mu) / np.sqrt(var + eps)
"""),
    Attempt("layer_norm", "γ and β are forgotten", """
def my_layer_norm(x, gamma, beta, eps):
    mu = np.mean(x, axis=-1, keepdims=True)
    sd = np.sqrt(np.var(x, axis=-1, keepdims=True) + eps)
    y = (x - mu) / sd
    return y
"""),
    Attempt("layer_norm", "brackets missing: only μ is divided by σ", """
def my_layer_norm(x, gamma, beta, eps):
    mu = x.mean(axis=-1, keepdims=True)
    sigma = np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    y = gamma * (x - mu / sigma) + beta
    return y
"""),
    Attempt("layer_norm", "β is inside the bracket, multiplied by γ", """
def my_layer_norm(x, gamma, beta, eps):
    m = x.mean(axis=-1, keepdims=True)
    s2 = x.var(axis=-1, keepdims=True)
    return gamma * ((x - m) / np.sqrt(s2 + eps) + beta)
"""),
    Attempt("layer_norm", "γ and β swapped", """
def my_layer_norm(x, gamma, beta, eps):
    mu, v = x.mean(axis=-1, keepdims=True), x.var(axis=-1, keepdims=True)
    return beta * (x - mu) / np.sqrt(v + eps) + gamma
"""),
    Attempt("layer_norm", "axis 1: right for a table, over the tokens of a batch", """
def my_layer_norm(x, gamma, beta, eps):
    mu = x.mean(axis=1, keepdims=True)
    var = x.var(axis=1, keepdims=True)
    return gamma * (x - mu) / np.sqrt(var + eps) + beta
"""),
    Attempt("layer_norm", "loops over the first axis: in a batch each whole sentence gets one mean", """
def my_layer_norm(x, gamma, beta, eps):
    y = np.zeros(x.shape)
    for t in range(len(x)):
        mu = x[t].mean()
        var = x[t].var()
        y[t] = gamma * (x[t] - mu) / np.sqrt(var + eps) + beta
    return y
"""),
    Attempt("layer_norm", "sum of squares instead of their mean", """
def my_layer_norm(x, gamma, beta, eps):
    centred = x - x.mean(axis=-1, keepdims=True)
    length = np.sqrt((centred ** 2).sum(axis=-1, keepdims=True) + eps)
    return gamma * centred / length + beta
"""),
    Attempt("layer_norm", "keepdims given to np.sqrt: raises", """
def my_layer_norm(x, gamma, beta, eps):
    mu = x.mean(axis=-1, keepdims=True)
    sigma = np.sqrt(x.var(axis=-1) + eps, keepdims=True)
    y = gamma * (x - mu) / sigma + beta
    return y
"""),
    Attempt("layer_norm", "prints instead of returning", """
def my_layer_norm(x, gamma, beta, eps):
    mu = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    y = gamma * (x - mu) / np.sqrt(var + eps) + beta
    print(y)
"""),
    Attempt("layer_norm", "a table of whole numbers: the results are cut to integers", """
def my_layer_norm(x, gamma, beta, eps):
    y = np.zeros(x.shape, dtype=int)
    mu = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    y[:] = gamma * (x - mu) / np.sqrt(var + eps) + beta
    return y
"""),
    Attempt("layer_norm", "name misspelt: epsilon for eps, raises", """
def my_layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance + epsilon) + beta
"""),
    Attempt("rms_norm", "", """
def my_rms_norm(x, gamma, eps):
    squares = np.square(x)
    mean_square = np.mean(squares, axis=-1, keepdims=True)
    root = np.sqrt(mean_square + eps)
    y = np.divide(x, root)
    return np.multiply(y, gamma)
"""),
    Attempt("rms_norm", "", """
def my_rms_norm(x, gamma, eps):
    D = x.shape[-1]
    length = np.linalg.norm(x, axis=-1, keepdims=True)
    return x * gamma / (length ** 2 / D + eps) ** 0.5
"""),
    Attempt("rms_norm", "", """
def my_rms_norm(x, gamma, eps):
    total = np.einsum("...d,...d->...", x, x)
    return np.einsum("...d,d,...->...d", x, gamma, 1 / np.sqrt(total / x.shape[-1] + eps))
"""),
    Attempt("rms_norm", "", """
def my_rms_norm(x, gamma, eps):
    y = np.empty_like(x)
    for index in np.ndindex(x.shape[:-1]):
        token = x[index]
        rms = 0
        for value in token:
            rms += value ** 2
        rms = np.sqrt(rms / len(token) + eps)
        y[index] = token / rms * gamma
    return y
"""),
    Attempt("rms_norm", "normalises over tokens: axis 0", """
def my_rms_norm(x, gamma, eps):
    rms = np.sqrt((x ** 2).mean(axis=0, keepdims=True) + eps)
    y = gamma * x / rms
    return y
"""),
    Attempt("rms_norm", "no axis: one root for the whole table", """
def my_rms_norm(x, gamma, eps):
    y = gamma * x / np.sqrt(np.mean(x**2) + eps)
    return y
"""),
    Attempt("rms_norm", "keepdims forgotten", """
def my_rms_norm(x, gamma, eps):
    return gamma * x / np.sqrt((x**2).mean(axis=-1) + eps)
"""),
    Attempt("rms_norm", "keepdims forgotten, and axis 1", """
def my_rms_norm(x, gamma, eps):
    mean_sq = np.mean(x * x, axis=1)
    denom = np.sqrt(mean_sq + eps)
    y = x / denom
    y = y * gamma
    return y
"""),
    Attempt("rms_norm", "ε beside the root", """
def my_rms_norm(x, gamma, eps):
    rms = np.sqrt(np.mean(x ** 2, axis=-1, keepdims=True))
    return gamma * (x / (rms + eps))
"""),
    Attempt("rms_norm", "ε added to the result: brackets", """
def my_rms_norm(x, gamma, eps):
    y = gamma * x / np.sqrt((x**2).mean(axis=-1, keepdims=True)) + eps
    return y
"""),
    Attempt("rms_norm", "ε is forgotten", """
def my_rms_norm(x, gamma, eps):
    ms = (x * x).mean(axis=-1, keepdims=True)
    return gamma * x / np.sqrt(ms)
"""),
    Attempt("rms_norm", "sum of squares instead of their mean", """
def my_rms_norm(x, gamma, eps):
    size = np.sqrt(np.sum(x ** 2, axis=-1, keepdims=True) + eps)
    y = gamma * (x / size)
    return y
"""),
    Attempt("rms_norm", "the row's length: sum instead of mean, and no ε", """
def my_rms_norm(x, gamma, eps):
    return gamma * x / np.linalg.norm(x, axis=-1, keepdims=True)
"""),
    Attempt("rms_norm", "no root", """
def my_rms_norm(x, gamma, eps):
    y = gamma * x / ((x**2).mean(axis=-1, keepdims=True) + eps)
    return y
"""),
    Attempt("rms_norm", "subtracts the mean: layer norm", """
def my_rms_norm(x, gamma, eps):
    x = x - x.mean(axis=-1, keepdims=True)
    rms = np.sqrt((x ** 2).mean(axis=-1, keepdims=True) + eps)
    return gamma * x / rms
"""),
    Attempt("rms_norm", "divides by the standard deviation around the mean", """
def my_rms_norm(x, gamma, eps):
    return gamma * x / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
"""),
    Attempt("rms_norm", "square of the mean instead of mean of the squares", """
def my_rms_norm(x, gamma, eps):
    m = x.mean(axis=-1, keepdims=True)
    y = gamma * x / np.sqrt(m ** 2 + eps)
    return y
"""),
    Attempt("rms_norm", "γ is forgotten", """
def my_rms_norm(x, gamma, eps):
    y = x / np.sqrt(np.mean(x ** 2, axis=-1, keepdims=True) + eps)
    return y
"""),
    Attempt("rms_norm", "γ is below the line", """
def my_rms_norm(x, gamma, eps):
    root = np.sqrt(np.mean(x**2, axis=-1, keepdims=True) + eps)
    return x / (gamma * root)
"""),
    Attempt("rms_norm", "γ as a column: one number for each token", """
def my_rms_norm(x, gamma, eps):
    rms = np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)
    y = gamma[:, None] * x / rms
    return y
"""),
    Attempt("rms_norm", "doubles instead of squaring", """
def my_rms_norm(x, gamma, eps):
    mean_of_squares = (x * 2).mean(axis=-1, keepdims=True)
    y = gamma * x / np.sqrt(mean_of_squares + eps)
    return y
"""),
    Attempt("rms_norm", "^ for a power: raises", """
def my_rms_norm(x, gamma, eps):
    y = gamma * x / np.sqrt((x^2).mean(axis=-1, keepdims=True) + eps)
    return y
"""),
    Attempt("rms_norm", "divides by the number of tokens, not of features", """
def my_rms_norm(x, gamma, eps):
    D = len(x)
    total = (x ** 2).sum(axis=-1, keepdims=True)
    y = x / np.sqrt(total / D + eps)
    return gamma * y
"""),
    Attempt("rms_norm", "uses a β that is not there: raises", """
def my_rms_norm(x, gamma, eps):
    rms = np.sqrt(np.mean(x**2, axis=-1, keepdims=True) + eps)
    return gamma * (x / rms) + beta
"""),
    Attempt("rms_norm", "multiplies by the root instead of dividing", """
def my_rms_norm(x, gamma, eps):
    r = np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)
    y = gamma * x * r
    return y
"""),
    Attempt("rms_norm", "returns the root, not the tokens", """
def my_rms_norm(x, gamma, eps):
    y = gamma * np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)
    return y
"""),
    Attempt("rms_norm", "loops over rows of a table: one root for each sentence of a batch", """
def my_rms_norm(x, gamma, eps):
    out = []
    for row in x:
        out.append(gamma * row / np.sqrt(np.mean(row ** 2) + eps))
    return np.array(out)
"""),
]
