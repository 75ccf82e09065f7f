"""`catch_rotate` for an exam: laws that every right function keeps, in words, each tried."""

import numpy as np

from course_utils.diagnosis.questions import close


def try_laws(f, rng):
    X, a, b = rng.normal(size=(4, 6)), rng.uniform(0.3, 1.3, size=(4, 3)), rng.uniform(0.3, 1.3, size=(4, 3))
    turned = f(X, np.cos(a), np.sin(a))
    return {
        "The length of every row stays.": close((turned**2).sum(-1), (X**2).sum(-1)),
        "By an angle of 0 nothing changes.": close(f(X, np.ones((4, 3)), np.zeros((4, 3))), X),
        "By a, then by b, is by a + b at once.": close(f(turned, np.cos(b), np.sin(b)), f(X, np.cos(a + b), np.sin(a + b))),
        "By a, then by −a, is where it began.": close(f(turned, np.cos(a), -np.sin(a)), X),
        "By half a turn every number changes its sign.": close(f(X, -np.ones((4, 3)), np.zeros((4, 3))), -X),
        "By a quarter turn the first half of a row is minus its old second half.": close(f(X, np.zeros((4, 3)), np.ones((4, 3)))[:, :3], -X[:, 3:]),
        "A row twice as long is turned into one twice as long.": close(f(2 * X, np.cos(a), np.sin(a)), 2 * turned),
        "The length of every pair (j, j + half) stays.": close(turned[:, :3]**2 + turned[:, 3:]**2, X[:, :3]**2 + X[:, 3:]**2),
    }
