"""`catch_layer_norm` for an exam: laws that every right function keeps, in words, each tried."""

import numpy as np

from course_utils.diagnosis.questions import close


def try_laws(f, rng):
    X, one, none, eps = 3 * rng.normal(size=(4, 4)) + 2, np.ones(4), np.zeros(4), 1e-9
    Y = f(X, one, none, eps)
    return {
        "With γ = 1 and β = 0 every token has mean 0.": close(Y.mean(-1), 0),
        "With γ = 1 and β = 0 every token has variance 1.": bool(np.allclose(Y.var(-1), 1, atol=1e-3)),
        "A token alone gives what it gives among others.": close(f(X[:1], one, none, eps), Y[:1]),
        "With γ = 0 every token is β.": close(f(X, none, one * 3, eps), 3),
        "Tokens twice as large: nothing changes.": bool(np.allclose(f(2 * X, one, none, eps), Y, atol=1e-4)),
        "The same number added to a token's features: nothing changes.": close(f(X + 5, one, none, eps), Y),
        "β added: every token moves by β.": close(f(X, one, one * 2, eps), Y + 2),
        "Tokens in another order: the rows are in that order.": close(f(X[::-1], one, none, eps), Y[::-1]),
    }
