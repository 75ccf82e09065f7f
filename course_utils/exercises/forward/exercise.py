"""The exercise `forward`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils import layers
from course_utils.attention import causal_mask
from course_utils.diagnosis.exercise import Exercise
from course_utils.exercises.drawing import sizes

RNG = np.random.default_rng(10)


def forward(tokens, params, blocks, n_heads):
    return _model(tokens, params, blocks, n_heads)


# Who trains it may run the language model instead, which reads many texts at once. mypy knows no
# attributes of functions.
forward.is_the_courses = True  # type: ignore[attr-defined]


def _model(
    tokens,
    params,
    blocks,
    n_heads,
    mask=True,
    places=slice(None),
    norm="pre",
    activation=layers.relu,
    last_norm=True,
    head_bias=True,
):
    """The whole model, with switches for what may slip. mask: True for the causal one, or a
    function of T."""
    X, T = params["W_E"][tokens], len(tokens)
    if places is not None:
        X = X + params["R"][:T][places]
    M = causal_mask(T) if mask is True else mask(T)
    for block in blocks:
        X = layers.transformer_block(X, block, n_heads, M, norm, activation)
    Y = layers.layer_norm(X, params["gamma"], params["beta"]) if last_norm else X
    return Y @ params["W_out"] + (params["b_out"] if head_bias else 0)


def _parameters(T, n_vocab, D, d_ff, L, n_heads, rows, rng=RNG):
    """A text of T tokens and a random model: forward's arguments. rows: how many places its table R
    has."""

    def draw(*shape):
        return rng.normal(size=shape)

    blocks = [
        {
            **{name: draw(D, D) / np.sqrt(D) for name in ("W_Q", "W_K", "W_V", "W_O")},
            **{name: draw(D) for name in ("b_Q", "b_K", "b_V", "b_O")},
            "W_1": draw(D, d_ff),
            "b_1": draw(d_ff),
            "W_2": draw(d_ff, D),
            "b_2": draw(D),
            "gamma_1": draw(D),
            "beta_1": draw(D),
            "gamma_2": draw(D),
            "beta_2": draw(D),
        }
        for _ in range(L)
    ]
    params = {
        "W_E": draw(n_vocab, D),
        "R": draw(rows, D),
        "gamma": draw(D),
        "beta": draw(D),
        "W_out": draw(D, n_vocab),
        "b_out": draw(n_vocab),
    }
    return rng.permutation(n_vocab)[:T], params, blocks, n_heads


def draw(rng: Generator) -> tuple[Any, ...]:
    T, d, H, d_ff, L = sizes(rng, 5, 3)
    n_vocab = T + int(rng.integers(4))
    return _parameters(T, n_vocab, d * H, d_ff, L, H, rows=T + int(rng.integers(4)), rng=rng)


EXERCISE = Exercise(
    "forward",
    forward,
    inputs=[
        _parameters(5, 7, 6, 8, 3, 2, rows=9),
        _parameters(4, 4, 4, 4, 1, 4, rows=4),
        _parameters(3, 5, 4, 6, 2, 1, rows=8),
        (
            np.array([2, 0, 2]),
            *_parameters(3, 4, 4, 5, 2, 2, rows=5)[1:],
        ),  # a word that comes twice
    ],
    parts=(
        "causal_mask",
        "split_heads",
        "masked_attention",
        "merge_heads",
        "layer_norm",
        "feed_forward",
    ),
    traps={
        "one token alone": _parameters(1, 5, 4, 6, 2, 2, rows=4),
    },
    draw=draw,
    minutes=9,
    difficulty=2,
    nudge=(
        "Walk along the map: rows of W_E, places added, then block after block, the last norm, the"
        " head. Within a block: norm, queries, keys and values, heads, attention under the mask,"
        " heads merged, W_O, added; norm, feed-forward, added."
    ),
    skeleton="""def my_forward(tokens, params, blocks, n_heads):     # (T,), two kinds of parameters, a number -> (T, n_vocab)
    X = params["W_E"][tokens] + ...                  # (T, D)  rows of R, one for each position
    mask = mine.causal_mask(len(tokens))             # (T, T)
    for b in blocks:
        I = mine.layer_norm(X, b["gamma_1"], b["beta_1"], 1e-5)
        Q, K, V = [mine.split_heads(I @ b["W_" + n] + b["b_" + n], n_heads) for n in "QKV"]
        heads = [... for q, k, v in zip(Q, K, V)]    # (T, d) each: attention of one head, its first result
        X = X + mine.merge_heads(np.array(heads)) @ b["W_O"] + b["b_O"]
        I = mine.layer_norm(X, b["gamma_2"], b["beta_2"], 1e-5)
        X = X + mine.feed_forward(I, ...)            # (T, D)
    Y = mine.layer_norm(X, ...)                      # (T, D)  with the model's own gamma and beta
    scores = ...                                     # (T, n_vocab)  not yet probabilities
    return scores
""",  # noqa: E501
)
