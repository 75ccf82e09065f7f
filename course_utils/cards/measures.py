"""How the claims of the appendix are measured: a function for each, which gives its evidence."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_utils.arguments import Array
from course_utils.attention import softmax
from course_utils.cards.evidence import Conventions, Search, Witness, search
from course_utils.experts import top_k_gate
from course_utils.positions import sinusoidal_positional_encoding

FLOATS = ("float16", "float32", "float64")


def normal(*shape: int, seed: int = 0) -> Array:
    """Independent numbers of mean 0 and variance 1."""
    return np.random.default_rng(seed).normal(size=shape)


def A4() -> Search:
    """The formula of softmax, computed as it is written."""

    def adds_up(s: Array) -> bool:
        return abs((np.exp(s) / np.exp(s).sum()).sum() - 1) < 1e-3

    def shifted(s: Array) -> bool:
        return adds_up(s - s.max())

    two: dict[str, Any] = {
        "domain": "two scores of up to 1,000",
        "measure": "a score of {}",
        "sizes": range(1, 1001),
        "draw": lambda rng, top: rng.uniform(-top, top, 2),
        "tries": 1,
        "corners": lambda top: [np.array([top, top - 1]), np.array([top, top])],
    }
    return search(adds_up, **two).holds_if(
        "the largest score is subtracted first", search(shifted, **two)
    )


def multiplications(X: Array) -> tuple[int, int]:
    """Of a layer with X (n, d): between tokens; by W_Q, W_K, W_V and W_O."""
    n, d = X.shape
    return n * d * n + n * n * d, 4 * n * d * d


def A6() -> Search:
    """The products between tokens against the projections, at 128 tokens."""

    def between_leads(X: Array) -> bool:
        between, projections = multiplications(X)
        return between > projections

    def widths(last: int) -> dict[str, Any]:
        return {
            "domain": f"a text of 128 tokens with up to {last} features",
            "measure": "{} features",
            "sizes": range(1, last + 1),
            "draw": lambda rng, d: np.empty((128, d)),
            "corners": lambda d: [np.empty((128, d))],
        }

    return search(between_leads, **widths(256)).holds_if(
        "the text has more tokens than two times the features", search(between_leads, **widths(63))
    )


def B6() -> Conventions:
    """What is called a score."""
    return Conventions(
        {
            "note 003": "attention weights (scores): what comes out of the softmax",
            "note 001, and here": "scores go into the softmax, weights come out",
        }
    )


def C1() -> Search:
    """The variance of a dot product, divided by D; once k = q, once with mean 1."""
    q, k = normal(2, 4000, 32)

    def restored(pair: Array) -> bool:
        q, k = pair
        return abs((q * k).sum(axis=1).var() / q.shape[1] - 1) < 0.1

    signs: dict[str, Any] = {
        "measure": "{} features",
        "sizes": [2, 8, 32],
        "draw": lambda rng, d: rng.choice([-1, 1], (2, 4000, d)),
    }
    return search(
        restored,
        "pairs of vectors whose features have variance 1",
        corners=lambda d: [np.stack([q, q])[..., :d], np.stack([q + 1, k + 1])[..., :d]],
        **signs,
    ).holds_if(
        "both vectors are independent and have mean 0",
        search(
            restored,
            "the same, independent, with mean 0",
            corners=lambda d: [np.stack([q, k])[..., :d]],
            **signs,
        ),
    )


def C5a() -> Witness:
    """The largest slope of each row of weights: one query, 16 keys, 1,024 features, 200 times."""
    A = softmax((normal(200, 1, 1024) * normal(200, 16, 1024, seed=1)).sum(axis=-1))
    largest = (A * (1 - A)).max(axis=1)
    return Witness(
        "the typical row at d = 1024",
        np.median(largest) < 0.001,
        np.median(largest),
        often=(int((largest < 0.001).sum()), 200),
    )


def D3() -> Search:
    """One more score, −10⁹: is its weight exactly 0?"""

    def hidden(seen: Array) -> bool:
        with np.errstate(over="ignore"):  # in float16 it is −∞
            scores = np.append(seen, seen.dtype.type(-1e9))
        shares = np.exp(scores - scores.max())
        return (shares / shares.sum())[-1] == 0

    def keys(least: int) -> dict[str, Any]:
        return {
            "domain": f"{least} to 16 keys to see, scores within ±1,000",
            "sizes": range(least, 17),
            "measure": "{} keys to see",
            "dtypes": FLOATS,
            "draw": lambda rng, n: rng.uniform(-1000, 1000, n),
            "corners": lambda n: [np.zeros(n), np.full(n, -1000)],
        }

    return search(hidden, **keys(0)).holds_if(
        "at least one key can be seen", search(hidden, **keys(1))
    )


def off(batches: Array) -> float:
    """How far the means of many batches (batches, n) are off: tokens have mean 0, deviation 1."""
    return np.sqrt((batches.mean(axis=1) ** 2).mean())


def F1() -> Search:
    """The means of batches of one to eight tokens: of normal ones, of signs, of uniform ones."""
    return search(
        lambda batches: off(batches) > 0.1,
        "2,000 batches a time, of one to eight tokens",
        "{} tokens",
        range(1, 9),
        draw=lambda rng, n: rng.normal(size=(2000, n)),
        corners=lambda n: [
            np.sign(normal(2000, n)),
            np.sqrt(12) * (np.random.default_rng(1).uniform(size=(2000, n)) - 0.5),
        ],
    )


def G3() -> Search:
    """Is each bit of the position, or its opposite, the sign of a wave?"""

    def as_bits(waves: Array) -> np.bool:
        n = len(waves)
        bits = np.arange(n)[:, None] // 2 ** np.arange(round(np.log2(n))) % 2 == 1
        agree = ((waves > 0)[:, :, None] == bits[:, None]).mean(axis=0)
        return np.isin(agree, [0, 1]).any(axis=0).all()

    def sinusoids(n: int) -> Array:
        return sinusoidal_positional_encoding(n, 64)

    def others(n: int) -> Array:
        return np.sin(np.pi * (np.arange(n)[:, None] + 0.5) / 2 ** np.arange(8))

    def positions(waves: Callable[[int], Array], name: str) -> Search:
        return search(
            as_bits,
            f"{name} of up to 256 positions",
            "{} positions",
            2 ** np.arange(1, 9),
            lambda rng, n: waves(n),
            lambda n: [waves(n)],
        )

    return positions(sinusoids, "64 sinusoids").holds_if(
        "the waves are sin(π(i + ½)/2^k)", positions(others, "other waves")
    )


def G7() -> Search:
    """W(X + R) against WX + WR, to 1 % of what R brings."""
    W = normal(64, 64) / 8

    def kept(pair: Array) -> bool:
        x, R = pair
        M = W.astype(x.dtype)
        return np.abs((x + R) @ M - (x @ M + R @ M)).max() < 0.01 * np.abs(R @ M).max()

    def times(size: float, rows: Array) -> Array:
        return np.stack([size * rows[0], rows[1]])

    def longer(sizes: list[int]) -> dict[str, Any]:
        return {
            "domain": f"x up to {sizes[-1]:,} times as long as R, 64 features",
            "dtypes": FLOATS,
            "measure": "x {} times as long as R",
            "sizes": sizes,
            "draw": lambda rng, size: times(size, rng.normal(size=(2, 8, 64))),
            "corners": lambda size: [times(size, np.ones((2, 8, 64)))],
        }

    return search(kept, **longer([10**k for k in range(7)])).holds_if(
        "x is about as long as R", search(kept, **longer([1, 2]))
    )


def asked(tokens: int, seed: int = 0) -> NDArray[np.bool]:
    """Which of eight experts each of so many random tokens asks, two each: (tokens, 8)."""
    return top_k_gate(normal(tokens, 8, seed=seed), np.eye(8), 2) > 0


def H6() -> Search:
    """Is an expert left that no token asks? The corner: tokens that ask two each in turn."""

    def one_rests(scores: Array) -> bool:
        return not (top_k_gate(scores, np.eye(8), 2) > 0).any(axis=0).all()

    in_turn = np.eye(8)[np.arange(200).reshape(100, 2) % 8].sum(axis=1)

    def tokens(sizes: Sequence[int]) -> dict[str, Any]:
        return {
            "domain": f"scores of eight experts, up to {sizes[-1]} tokens",
            "sizes": sizes,
            "measure": "{} tokens",
            "draw": lambda rng, n: rng.normal(size=(n, 8)),
            "corners": lambda n: [in_turn[:n]],
        }

    return search(one_rests, **tokens(range(1, 101))).holds_if(
        "at most three tokens are read at a time", search(one_rests, **tokens([1, 2, 3]))
    )


MEASURES = {claim.__name__: claim for claim in (A4, A6, B6, C1, C5a, D3, F1, G3, G7, H6)}
