"""Exercises name the idea that slipped, however it is written, and nothing that a student's
function does hurts the check."""

import dataclasses
import functools
import inspect
import linecache
import math
import sys
import time

import answers
import numpy as np
import pytest
from attempts import read_attempts
from helpers import run_directly

from course_utils.attention import softmax
from course_utils.diagnosis import running
from course_utils.diagnosis.error_messages import explain
from course_utils.diagnosis.evaluation import Evaluation
from course_utils.diagnosis.exercise import Mistake
from course_utils.diagnosis.properties import place, properties_of
from course_utils.diagnosis.verdicts import solution
from course_utils.exercises import EXERCISES, diagnose, mine

REQUIRED_MISTAKES = {
    "softmax": [
        "wrong axis",
        "no max-subtraction",
        "dividing by the max",
        "log missing",
        "log added",
    ],
    "softmax_with_temperature": ["temperature forgotten"],
    "attention": [
        "keys and queries swapped",
        "softmax over queries",
        "weights @ K",
        "divided by √d_k, which comes later",
    ],
    "scaled_attention": [
        "no scale",
        "divided by d_k",
        "divided by √T of the keys",
        "multiplied instead of divided",
        "scaled after softmax",
    ],
    "masked_attention": [
        "mask after softmax",
        "inverted mask",
        "strict mask",
        "transposed mask",
        "−1e9 in float16",
        "row of nothing gives NaN",
    ],
    "split_heads": ["heads split over tokens"],
    "merge_heads": ["merged without the transpose", "heads averaged"],
    "multi_head_attention": [
        "one scale √D",
        "heads merged without the transpose",
        "heads averaged",
    ],
    **answers.REQUIRED,
}
FUNCTIONS = {
    name: exercise for name, exercise in EXERCISES.items() if exercise.shape in ("gap", "build")
}  # a function is asked for
each_function = pytest.mark.parametrize("name", FUNCTIONS)


def of_exercise(rows, name):
    """What stands behind the name in the rows of one exercise: (function, ...)."""
    return [row for exercise, *row in rows if exercise == name]


@pytest.fixture(autouse=True)
def _without_searches(monkeypatch):
    """Names and properties alone, which need no clock. What the searches add is tried in
    tests/diagnosis and test_attempts."""
    monkeypatch.setattr(Evaluation, "slips", lambda self, is_named=False: [])


@pytest.fixture
def names_alone(monkeypatch):
    """Nor lines, which are found by reading this whole file, nor the smallest input that goes
    wrong: tests/test_failing_example.py."""
    monkeypatch.setattr(Evaluation, "program", None)
    monkeypatch.setattr(Evaluation, "with_example", lambda self, i, said, *_: (said, None))


@pytest.fixture
def impatient(monkeypatch):
    """Stop a student's function after a fifth of a second."""
    monkeypatch.setattr(running, "SECONDS", 0.2)
    monkeypatch.setattr(running, "WALL", 1.0)


# The known mistakes.


@each_function
def test_the_reference_is_right(name):
    assert diagnose(name, EXERCISES[name].reference).status == "correct"


@each_function
def test_every_known_mistake_is_called_by_its_own_name(name):
    for mistake in EXERCISES[name].mistakes:
        diagnosis = EXERCISES[name].check(mistake.function, run_directly)
        assert (diagnosis.status, diagnosis.mistake) == ("wrong", mistake.name)
        assert mistake.name in diagnosis.message
        assert mistake.hint in diagnosis.message


# With these no product of the exercise's arrays fits, whatever the input: the mistake is known by
# how it stops.
NEVER_FIT = {
    "multi_head_attention: heads not side by side before W_O",
    "multi_head_attention: X split before it is projected",
    "multi_head_attention: rows of the matrices instead of columns",
    "kv_cache_step: new keys, old values",
    "kv_cache_step: old keys, new values",
}


def stops(exercise, mistake):
    """On how many of the ordinary inputs the code of a mistake stops, and whether arrays that do
    not fit are the reason each time."""
    failures = [
        outcome.failure
        for outcome in exercise.own_outcomes(mistake.function)[: len(exercise.inputs)]
        if outcome.failure
    ]
    return len(failures), all(
        failure.type in ("ValueError", "IndexError", "ArgumentError") for failure in failures
    )


@each_function
def test_the_code_of_a_known_mistake_runs_and_gives_what_is_wrong(name):
    """One that is broken itself would stop as its own code does, and so be called by its name all
    the same."""
    exercise = EXERCISES[name]
    for mistake in exercise.mistakes:
        times, unfit = stops(exercise, mistake)
        assert unfit, f"{mistake.name}: its code stops by itself. Is `np` imported in its file?"
        assert (times == len(exercise.inputs)) == (f"{name}: {mistake.name}" in NEVER_FIT)


def test_the_code_of_a_mistake_that_is_broken_is_seen():
    def broken(scores):
        return scores.reshape(7, 13)

    exercise = dataclasses.replace(EXERCISES["softmax"], misconceptions="")
    exercise.mistakes.append(Mistake("broken", broken, "a hint"))
    assert exercise.check(broken).mistake == "broken"
    assert stops(exercise, exercise.mistakes[0]) == (len(exercise.inputs), True)


@each_function
def test_an_exercise_knows_four_mistakes_or_more_the_common_ones_each_with_its_own_name(name):
    names = [m.name for m in EXERCISES[name].mistakes]
    assert len(names) >= 4
    assert len(set(names)) == len(names)
    assert set(REQUIRED_MISTAKES.get(name, ())) <= set(names)
    assert all(len(m.hint) > 25 for m in EXERCISES[name].mistakes)


def test_an_unknown_exercise_is_refused_with_a_suggestion():
    with pytest.raises(ValueError, match=r"name: got 'sofmax', wanted .* softmax"):
        diagnose("sofmax", softmax)
    with pytest.raises(ValueError, match="softmax_jacobian"):
        diagnose(None, softmax)


# Right answers are right however they are written.


class Callable:
    """An object that is called like a function, as a layer of a neural network is."""

    def __init__(self, function):
        self.function = function

    def __call__(self, *arguments):
        return self.function(*arguments)


def as_nested_lists(function):
    def wrapped(*arguments):
        value = function(*arguments)
        return (
            [np.asarray(part).tolist() for part in value]
            if isinstance(value, tuple)
            else np.asarray(value).tolist()
        )

    return wrapped


def with_a_default_argument(function):
    return lambda *arguments, power=1: function(*arguments)


def with_named_arguments_bound(function):
    return functools.partial(lambda unused, *arguments: function(*arguments), None)


def that_prints(function):
    def wrapped(*arguments):
        print("shapes:", [np.shape(a) for a in arguments])
        return function(*arguments)

    return wrapped


WRAPPINGS = [
    Callable,
    as_nested_lists,
    with_a_default_argument,
    with_named_arguments_bound,
    that_prints,
]


@each_function
def test_a_right_answer_is_right_in_any_wrapping(name):
    exercise = EXERCISES[name]
    for wrap in WRAPPINGS:
        assert exercise.check(wrap(exercise.reference), run_directly).status == "correct", wrap


@pytest.mark.parametrize("wrap", WRAPPINGS)
def test_a_wrapping_goes_into_a_process_and_back(wrap):
    assert diagnose("softmax", wrap(EXERCISES["softmax"].reference)).status == "correct"


def list_softmax(row):
    """The weights of one row, in plain Python."""
    top = max(row)
    if top == -math.inf:
        return [0.0] * len(row)
    e = [math.exp(s - top) for s in row]
    return [x / sum(e) for x in e]


def list_attention(Q, K, V, scale=1.0, mask=None):
    """Attention by loops over plain numbers: nested lists of the output and the weights."""
    output, table = [], []
    for i, q in enumerate(Q):
        row = [scale * sum(float(a) * float(b) for a, b in zip(q, k, strict=True)) for k in K]
        if mask is not None:
            row = [score if mask[i][j] else -math.inf for j, score in enumerate(row)]
        weights = list_softmax(row)
        table.append(weights)
        output.append(
            [
                sum(w * float(v[f]) for w, v in zip(weights, V, strict=True))
                for f in range(len(V[0]))
            ]
        )
    return output, table


def softmax_by_rows(scores):
    weights = np.zeros(scores.shape)
    for i, row in enumerate(scores):
        e = np.exp(row - max(row))
        weights[i] = e / sum(e)
    return weights


def softmax_by_recursion(scores):
    return (
        list_softmax(scores)
        if np.ndim(scores[0]) == 0
        else [softmax_by_recursion(part) for part in scores]
    )


def softmax_by_logsumexp(scores):
    top = np.max(scores, -1, keepdims=True)
    return np.exp(
        scores - (top + np.log(np.add.reduce(np.exp(scores - top), axis=-1, keepdims=True)))
    )


def masked_in_place(Q, K, V, mask):
    scores = np.einsum("id,jd->ij", Q, K) / math.sqrt(Q.shape[-1])
    scores[~mask] = -np.inf
    weights = np.zeros_like(scores)
    for i in range(len(scores)):
        if mask[i].any():
            e = np.exp(scores[i] - scores[i].max())
            weights[i] = e / e.sum()
    return weights @ V, weights


def causal_by_loops(T):
    mask = np.zeros((T, T), dtype=bool)
    for i in range(T):
        for j in range(i + 1):
            mask[i, j] = True
    return mask


def jacobian_by_loops(weights):
    n = len(weights)
    return [[weights[i] * ((i == j) - weights[j]) for j in range(n)] for i in range(n)]


def heads_of(X, W_Q, W_K, W_V, W_O, n_heads):
    """Each head's output, one after the other."""
    pieces = (np.split(X @ W, n_heads, axis=1) for W in (W_Q, W_K, W_V))
    return [
        np.array(list_attention(Q, K, V, Q.shape[1] ** -0.5)[0])
        for Q, K, V in zip(*pieces, strict=True)
    ]


def heads_by_loops(X, W_Q, W_K, W_V, W_O, n_heads):
    """Head by head, each through its own rows of W_O, added up."""
    output = 0
    for Q, K, V, W in zip(
        *(np.split(X @ W, n_heads, axis=1) for W in (W_Q, W_K, W_V)),
        np.split(W_O, n_heads),
        strict=True,
    ):
        output = output + np.array(list_attention(Q, K, V, Q.shape[1] ** -0.5)[0]) @ W
    return output


RIGHT = [
    ("row_sums", lambda A: np.add.reduce(A, axis=1)),
    ("row_sums", lambda A: [sum(row) for row in A]),
    ("row_sums", lambda A: A @ np.ones(A.shape[1])),
    ("row_sums", lambda A: np.einsum("ij->i", A)),
    ("softmax", softmax_by_recursion),
    ("softmax", softmax_by_rows),
    (
        "softmax",
        lambda scores: (
            (np.exp(scores.T - scores.max(1)) / np.exp(scores.T - scores.max(1)).sum(0)).T
        ),
    ),
    ("softmax", softmax_by_logsumexp),
    ("softmax", lambda scores: np.apply_along_axis(list_softmax, -1, scores)),
    ("self_attention", lambda X: list_attention(X, X, X)[0]),
    (
        "self_attention",
        lambda X: np.einsum("ij,jd->id", softmax_by_logsumexp(np.einsum("id,jd->ij", X, X)), X),
    ),
    ("project", lambda X, W_Q, W_K, W_V: [np.einsum("td,de->te", X, W) for W in (W_Q, W_K, W_V)]),
    ("project", lambda X, *matrices: tuple((W.T @ X.T).T for W in matrices)),
    ("attention", lambda Q, K, V: list_attention(Q, K, V)[0]),
    ("attention", lambda Q, K, V: np.stack([softmax(K @ q) @ V for q in Q])),
    ("cross_attention", lambda X, C, W_Q, W_K, W_V: list_attention(X @ W_Q, C @ W_K, C @ W_V)[0]),
    (
        "matrix_slopes",
        lambda X, W, dY: [np.einsum("nk,dk->nd", dY, W), np.einsum("nd,nk->dk", X, dY)],
    ),
    (
        "matrix_slopes",
        lambda X, W, dY: (
            np.stack([W @ d for d in dY]),
            sum(np.outer(x, d) for x, d in zip(X, dY, strict=True)),
        ),
    ),
    ("softmax_with_temperature", lambda scores, t: [list_softmax(row / t) for row in scores]),
    (
        "softmax_with_temperature",
        lambda scores, temperature=1.0: softmax_by_logsumexp(scores * (1 / temperature)),
    ),
    ("scaled_attention", lambda Q, K, V: list_attention(Q, K, V, Q.shape[1] ** -0.5)[0]),
    (
        "scaled_attention",
        lambda Q, K, V: (
            softmax_by_logsumexp(Q / K.shape[-1] ** 0.25 @ (K / K.shape[-1] ** 0.25).T) @ V
        ),
    ),
    (
        "without_dividing",
        lambda W_Q, W_K, rate: (
            [W * len(W[0]) ** -0.25 for W in (W_Q, W_K)] + [rate * len(W_K[0]) ** -0.5]
        ),
    ),
    (
        "without_dividing",
        lambda Q, K, rate: (
            Q / np.sqrt(np.sqrt(Q.shape[1])),
            K / np.sqrt(np.sqrt(K.shape[1])),
            rate / np.sqrt(Q.shape[1]),
        ),
    ),
    (
        "without_dividing",
        lambda Q, K, rate: (
            -Q / Q.shape[1] ** 0.25,
            -K / Q.shape[1] ** 0.25,
            rate / Q.shape[1] ** 0.5,
        ),
    ),
    (
        "without_dividing",
        lambda Q, K, rate: (
            Q[:, ::-1] / Q.shape[1] ** 0.25,
            K[:, ::-1] / Q.shape[1] ** 0.25,
            rate / Q.shape[1] ** 0.5,
        ),
    ),
    ("softmax_jacobian", jacobian_by_loops),
    ("softmax_jacobian", lambda a: np.eye(len(a)) * a - a[:, None] * a[None, :]),
    ("softmax_slopes", lambda a, g: (np.diag(a) - np.outer(a, a)) @ g),
    (
        "softmax_slopes",
        lambda a, g: [
            sum(a[i] * ((i == j) - a[j]) * g[i] for i in range(len(a))) for j in range(len(a))
        ],
    ),
    ("causal_mask", causal_by_loops),
    ("causal_mask", lambda T: [[j <= i for j in range(T)] for i in range(T)]),
    ("causal_mask", lambda T: ~np.triu(np.ones((T, T), dtype=bool), 1)),
    ("masked_attention", lambda Q, K, V, mask: list_attention(Q, K, V, Q.shape[1] ** -0.5, mask)),
    ("masked_attention", masked_in_place),
    ("split_heads", lambda X, H: np.split(X, H, axis=1)),
    (
        "split_heads",
        lambda X, H: [
            [list(row[h * len(row) // H : (h + 1) * len(row) // H]) for row in X] for h in range(H)
        ],
    ),
    ("merge_heads", lambda X: np.concatenate(list(X), axis=1)),
    ("merge_heads", lambda X: [sum((list(head[t]) for head in X), []) for t in range(X.shape[1])]),
    ("multi_head_attention", heads_by_loops),
    *answers.RIGHT,
]


@each_function
def test_a_right_answer_is_right_however_it_is_written(name):
    own = [function for (function,) in of_exercise(RIGHT, name)]
    held_out = any(one.exercise == name and not one.idea for one in read_attempts())
    assert own or held_out, "no right answer is written in an unusual way"
    for function in own:
        diagnosis = EXERCISES[name].check(function, run_directly)
        assert diagnosis.status == "correct", diagnosis.message


# Mistakes are recognised however they are written.


def columns_by_lists(scores):
    if scores.ndim == 3:
        return [columns_by_lists(table) for table in scores]
    return np.array([list_softmax(column) for column in scores.T]).T


def without_the_maximum(scores):
    if np.ndim(scores) > 1:
        return np.array([without_the_maximum(part) for part in scores])
    e = np.array([np.float64(2.718281828459045) ** s for s in scores])
    return e / sum(e)


def list_shares(scores, shift):
    """Each row by itself, shifted by shift(row)."""
    e = [np.exp(row - shift(row)) for row in scores]
    return np.array([row / row.sum() for row in e])


def weights_hidden_afterwards(Q, K, V, mask):
    weights = np.array(list_attention(Q, K, V, Q.shape[1] ** -0.5)[1])
    weights[~mask] = 0
    return weights @ V, weights


def hides_itself_too(Q, K, V, mask):
    stricter = mask.copy()
    np.fill_diagonal(stricter, False)
    return list_attention(Q, K, V, Q.shape[1] ** -0.5, stricter)


def adds_minus_a_billion(Q, K, V, mask):
    scores = Q @ K.T / np.sqrt(Q.shape[-1]).astype(Q.dtype)
    scores += np.where(mask, 0, 1).astype(Q.dtype) * np.asarray(-1e9, dtype=Q.dtype)
    e = np.exp(scores - np.max(scores, axis=1)[:, None])
    weights = (e.T / e.sum(1)).T
    return weights @ V, weights


def infinity_multiplied(Q, K, V, mask):
    scores = Q @ K.T / np.sqrt(Q.shape[1]) + (~mask) * -np.inf
    e = np.exp(scores - np.max(scores, 1)[:, None])
    weights = e / np.sum(e, 1)[:, None]
    return weights @ V, weights


def nothing_is_nan(Q, K, V, mask):
    scores = np.where(mask, np.einsum("id,jd->ij", Q, K) * Q.shape[1] ** -0.5, -np.inf)
    weights = np.stack([np.exp(row - row.max()) / np.exp(row - row.max()).sum() for row in scores])
    return weights.dot(V), weights


IN_OTHER_WORDS = [
    ("row_sums", lambda A: [sum(column) for column in A.T], "columns instead of rows"),
    ("row_sums", lambda A: sum(sum(row) for row in A), "one sum of everything"),
    ("row_sums", lambda A: [sum(row) for row in A][0], "the first row only"),
    ("softmax", columns_by_lists, "wrong axis"),
    ("softmax", without_the_maximum, "no max-subtraction"),
    (
        "softmax",
        lambda s: (
            np.exp(s) / np.exp(s.max(-1))[..., None]
            if s.max() < 100
            else np.exp(s - s.max(-1, keepdims=True))
        ),
        "dividing by the max",
    ),
    ("softmax", lambda s: np.log(softmax(s)), "log added"),
    ("self_attention", lambda X: [sum((x @ y) * y for y in X) for x in X], "softmax missing"),
    (
        "softmax",
        lambda s: np.stack([np.exp(row) / sum(np.exp(r).sum() for r in s) for row in s]),
        "one sum for the whole table",
    ),
    (
        "softmax",
        lambda s: (lambda e: e / np.array([sum(row) for row in e]))(
            np.exp(s - np.array([max(row) for row in s]))
        ),
        "keepdims forgotten in both places",
    ),
    ("softmax", lambda s: list_shares(s, min), "minimum subtracted"),
    ("softmax", lambda s: list_shares(s, np.mean), "mean subtracted"),
    ("softmax", lambda s: list_shares(s, lambda row: row[0]), "first entry subtracted"),
    (
        "softmax",
        lambda s: [np.exp(row) / sum(row) for row in s],
        "dividing by the sum of the scores",
    ),
    ("softmax", lambda s: np.eye(s.shape[1])[np.argmax(s, axis=1)], "the largest takes all"),
    ("self_attention", lambda X: list_attention(X, X, X, len(X[0]) ** -0.5)[0], "scaled too early"),
    ("self_attention", lambda X: np.array(list_attention(X, X, X)[1]) * X, "A * X"),
    (
        "self_attention",
        lambda X: [np.add(x, y) for x, y in zip(X, list_attention(X, X, X)[0], strict=True)],
        "X + A @ X",
    ),
    (
        "self_attention",
        lambda X: list_attention(X, X.T, X)[0] if len(X) == len(X[0]) else softmax(X @ X) @ X,
        "no transpose",
    ),
    (
        "project",
        lambda X, W_Q, W_K, W_V: [np.einsum("st,td->sd", W, X) for W in (W_Q, W_K, W_V)],
        "W times X",
    ),
    (
        "attention",
        lambda Q, K, V: list_attention(K, Q, V)[0] if len(Q) == len(K) else None,
        "keys and queries swapped",
    ),
    (
        "attention",
        lambda Q, K, V: np.array([list_softmax(c) for c in (Q @ K.T).T]).T @ V,
        "softmax over queries",
    ),
    ("attention", lambda Q, K, V: list_attention(Q, K, K)[0], "weights @ K"),
    (
        "attention",
        lambda Q, K, V: list_attention(Q, K, V, 1 / math.sqrt(len(Q[0])))[0],
        "divided by √d_k, which comes later",
    ),
    ("attention", lambda Q, K, V: list_attention(Q, V, K)[0], "keys and values swapped"),
    (
        "attention",
        lambda Q, K, V: [np.add(v, o) for v, o in zip(V, list_attention(Q, K, V)[0], strict=True)],
        "V + A @ V",
    ),
    (
        "attention",
        lambda Q, K, V: np.stack([np.exp(K @ q) / np.exp(K @ q).sum() @ V for q in Q]),
        "no max-subtraction",
    ),
    ("attention", lambda Q, K, V: list_attention(Q, K, V), "weights returned as well"),
    (
        "cross_attention",
        lambda X, C, W_Q, W_K, W_V: list_attention(C @ W_Q, X @ W_K, X @ W_V)[0],
        "roles reversed",
    ),
    (
        "cross_attention",
        lambda X, C, W_Q, W_K, W_V: list_attention(X @ W_Q, C @ W_K, C)[0],
        "values not projected",
    ),
    (
        "cross_attention",
        lambda X, C, W_Q, W_K, W_V: list_attention(X @ W_Q, C @ W_V, C @ W_K)[0],
        "keys and values swapped",
    ),
    ("cross_attention", lambda X, C, *W: list_attention(*(C @ w for w in W))[0], "X ignored"),
    (
        "project",
        lambda X, W_Q, W_K, W_V: [np.dot(X, W) for W in (W_Q, W_V, W_K)],
        "keys and values swapped",
    ),
    (
        "project",
        lambda X, W_Q, W_K, W_V: [X.copy(), X.dot(W_K), X.dot(W_V)],
        "queries not projected",
    ),
    (
        "matrix_slopes",
        lambda X, W, dY: (np.stack([W @ d for d in dY]), np.outer(X[0], dY[0])),
        "the first row only",
    ),
    (
        "matrix_slopes",
        lambda X, W, dY: [sum(np.outer(x, d) for x, d in zip(X, dY, strict=True)), dY @ W.T],
        "the two in the wrong order",
    ),
    (
        "matrix_slopes",
        lambda X, W, dY: (np.einsum("nk,kd->nd", dY, W), X.T @ dY),
        "W not transposed",
    ),
    (
        "matrix_slopes",
        lambda X, W, dY: (dY.dot(W.T), np.einsum("nd,nk->dk", X, dY) / X.shape[0]),
        "averaged over the rows",
    ),
    (
        "softmax_with_temperature",
        lambda s, t: [list_softmax(row) for row in s],
        "temperature forgotten",
    ),
    ("scaled_attention", lambda Q, K, V: list_attention(Q, K, V)[0], "no scale"),
    (
        "scaled_attention",
        lambda Q, K, V: list_attention(Q, K, V, 1 / len(Q[0]))[0],
        "divided by d_k",
    ),
    (
        "scaled_attention",
        lambda Q, K, V: list_attention(Q, K, V, len(K) ** -0.5)[0],
        "divided by √T of the keys",
    ),
    (
        "scaled_attention",
        lambda Q, K, V: list_attention(Q, K, V, len(K[0]) ** 0.5)[0],
        "multiplied instead of divided",
    ),
    (
        "scaled_attention",
        lambda Q, K, V: np.array(list_attention(Q, K, V)[0]) / len(Q[0]) ** 0.5,
        "scaled after softmax",
    ),
    (
        "scaled_attention",
        lambda Q, K, V: list_attention(Q, K, V, Q.size**-0.5)[0],
        "the root of how many numbers Q holds",
    ),
    (
        "scaled_attention",
        lambda Q, K, V: list_attention(Q, K, V, 2 / len(Q[0]))[0],
        "half the width in place of its root",
    ),
    (
        "scaled_attention",
        lambda Q, K, V: softmax(Q @ K.T / Q.shape[1] ** 1 / 2) @ V,
        "twice the width in place of its root",
    ),
    (
        "scaled_attention",
        lambda Q, K, V: list_attention(Q, K, V, len(Q) ** -0.5)[0],
        "divided by √T of the queries",
    ),
    (
        "scaled_attention",
        lambda Q, K, V: list_attention(Q, V, K, len(Q[0]) ** -0.5)[0],
        "keys and values swapped",
    ),
    (
        "softmax_with_temperature",
        lambda s, t: [np.array(list_softmax(row)) * t for row in s],
        "weights times the temperature",
    ),
    (
        "softmax_with_temperature",
        lambda s, t: np.stack([np.exp(row / t) / np.exp(row / t).sum() for row in s]),
        "no max-subtraction",
    ),
    (
        "without_dividing",
        lambda W_Q, W_K, rate: (W_Q / np.sqrt(len(W_Q[0])), W_K, rate),
        "only the queries made smaller, and the rate as before",
    ),
    (
        "without_dividing",
        lambda W_Q, W_K, rate: [W / np.sqrt(np.sqrt(W.shape[1])) for W in (W_Q, W_K)] + [rate],
        "the rate as before",
    ),
    (
        "without_dividing",
        lambda W_Q, W_K, rate: (W_Q / np.sqrt(len(W_Q[0])), W_K / np.sqrt(len(W_K[0])), rate),
        "both divided by √d_k, and the rate as before",
    ),
    (
        "without_dividing",
        lambda Q, K, rate: (-Q / Q.shape[1] ** 0.25, -K / Q.shape[1] ** 0.25, rate),
        "the rate as before",
    ),
    (
        "without_dividing",
        lambda Q, K, rate: (-Q / Q.shape[1] ** 0.5, -K, rate / Q.shape[1] ** 0.5),
        "only the queries made smaller",
    ),
    (
        "softmax_jacobian",
        lambda a: [[a[i] * (1 - a[j]) for j in range(len(a))] for i in range(len(a))],
        "a in every column",
    ),
    (
        "softmax_slopes",
        lambda a, g: np.array([a[i] * g[i] * (1 - a[i]) for i in range(len(a))]),
        "only the diagonal",
    ),
    ("softmax_slopes", lambda a, g: (np.diag(a) - np.outer(a, a)) * g, "a table instead of a row"),
    (
        "softmax_jacobian",
        lambda a: [[a[i] * (i == j) for j in range(len(a))] for i in range(len(a))],
        "outer product missing",
    ),
    ("causal_mask", lambda T: [[j < i for j in range(T)] for i in range(T)], "strict mask"),
    ("causal_mask", lambda T: [[i <= j for j in range(T)] for i in range(T)], "transposed mask"),
    ("causal_mask", lambda T: np.triu(np.ones((T, T)), 1).astype(bool), "inverted mask"),
    ("causal_mask", lambda T: np.triu(np.ones((T, T)), k=1), "numbers, inverted"),
    ("causal_mask", lambda T: np.tril(np.full((T, T), True), k=1), "one step ahead"),
    ("causal_mask", lambda T: [[True] * T] * T, "everything allowed"),
    ("causal_mask", lambda T: np.triu(np.full((T, T), -np.inf), 1), "an additive mask"),
    (
        "masked_attention",
        lambda Q, K, V, m: list_attention(Q, K, V, Q.shape[1] ** -0.5, m)[::-1],
        "output and weights in the wrong order",
    ),
    ("masked_attention", infinity_multiplied, "0 · ∞"),
    (
        "masked_attention",
        lambda Q, K, V, m: list_attention(Q, K, V, Q.shape[1] ** -0.5, np.tri(len(Q))),
        "a causal mask of its own",
    ),
    (
        "masked_attention",
        lambda Q, K, V, m: list_attention(Q, K, V, Q.shape[1] ** -0.5, m)[0],
        "output alone",
    ),
    ("masked_attention", weights_hidden_afterwards, "mask after softmax"),
    (
        "masked_attention",
        lambda Q, K, V, m: list_attention(Q, K, V, Q.shape[1] ** -0.5, np.logical_not(m)),
        "inverted mask",
    ),
    ("masked_attention", hides_itself_too, "strict mask"),
    (
        "masked_attention",
        lambda Q, K, V, m: list_attention(Q, K, V, Q.shape[1] ** -0.5, list(zip(*m, strict=True))),
        "transposed mask",
    ),
    ("masked_attention", adds_minus_a_billion, "−1e9 in float16"),
    ("masked_attention", nothing_is_nan, "row of nothing gives NaN"),
    ("split_heads", lambda X, H: [X[:, h::H] for h in range(H)], "every second feature"),
    ("merge_heads", lambda X: sum(X), "heads added"),
    ("split_heads", lambda X, H: np.split(X, H, axis=0), "heads split over tokens"),
    (
        "split_heads",
        lambda X, H: np.transpose(X.reshape(len(X), H, -1)),
        "all three axes turned round",
    ),
    ("merge_heads", lambda X: np.concatenate(X), "heads below each other"),
    ("merge_heads", lambda X: np.transpose(X, (1, 0, 2)), "not merged yet"),
    ("multi_head_attention", lambda *a: np.array(heads_by_loops(*a)) / a[-1], "heads averaged"),
    (
        "multi_head_attention",
        lambda X, W_Q, *rest: heads_by_loops(
            X, W_Q * (W_Q.shape[1] / rest[-1] / len(X)) ** 0.5, *rest
        ),
        "divided by √T",
    ),
    (
        "multi_head_attention",
        lambda X, W_Q, *rest: heads_by_loops(X, W_Q / (W_Q.shape[1] / rest[-1]) ** 0.5, *rest),
        "scaled twice",
    ),
    ("multi_head_attention", lambda *a: sum(heads_of(*a)), "heads summed before W_O"),
    (
        "multi_head_attention",
        lambda X, W_Q, W_K, W_V, W_O, H: np.concatenate(
            heads_of(X, W_Q, W_K, W_V, None, H), axis=1
        ),
        "W_O forgotten",
    ),
    ("multi_head_attention", lambda X, *rest: np.add(X, heads_by_loops(X, *rest)), "X + heads"),
    (
        "multi_head_attention",
        lambda X, W_Q, W_K, W_V, W_O, H: heads_by_loops(X, W_Q / H**0.5, W_K, W_V, W_O, H),
        "one scale for all heads together",
    ),
    *answers.IN_OTHER_WORDS,
]


@pytest.mark.usefixtures("names_alone")
@each_function
def test_a_mistake_is_recognised_however_it_is_written(name):
    for function, mistake in of_exercise(IN_OTHER_WORDS, name):
        diagnosis = EXERCISES[name].check(function, run_directly)
        assert diagnosis.mistake == mistake, diagnosis.message


# Whatever a student's function does, the answer is a word and never an exception of ours.


class NotAnArray:
    """An object that refuses to become an array, as tensors on another device do."""

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("copy me first")


class Unspeakable(Exception):  # noqa: N818
    """An error whose text cannot be made."""

    def __str__(self):
        raise RuntimeError


def raises(scores):
    return scores[99, 99]


def raises_unspeakable(scores):
    raise Unspeakable


def without_return(scores):
    softmax(scores)


def changes_its_argument(scores):
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores


def leaves_python(scores):
    sys.exit("bye")


def without_end(scores):
    return without_end(scores)


def chatters(scores):
    for i in range(100):
        print("line", i)
    return scores


def endless_list(scores):
    table = []
    table.append(table)
    return table


WRONG = [  # a function, and what the message must say
    (raises, "at `return scores[99, 99]`", "no entry 99"),
    (raises_unspeakable, "Unspeakable"),
    (without_return, "None", "return"),
    (lambda scores: None, "None"),
    (lambda scores: [1, 2, 3], "shape (3,)", "(3, 5) fits"),
    (lambda scores: scores[:2], "shape (2, 5)", "(3, 5) fits"),
    (lambda scores: "softmax", "(3, 5)", "str"),
    (lambda scores: [[1.0], [1.0, 2.0]], "different lengths"),
    (lambda scores: (row for row in scores), "generator"),
    (lambda scores: softmax(scores) + 0j, "complex"),
    (lambda scores: np.array([[None] * 3] * 3), "object"),
    (lambda scores: {"weights": scores}, "dict"),
    (lambda scores: scores > 0, "truth values", "numbers"),
    (lambda scores: np.full(scores.shape, np.nan), "Every number of it is NaN"),
    (
        lambda scores: softmax(scores) + [[1, -2, 1, 0.5, 0.5]] * len(scores),
        "rows sum to 2",
        "yours:",
        "wanted:",
    ),
    (lambda scores: NotAnArray(), "NotAnArray"),
    (endless_list, "list"),
    (changes_its_argument, "argument changed", "scores"),
    (leaves_python, "`exit`"),
    (without_end, "calls itself without end"),
    (chatters, "line 0", "line 7\n..."),
    (lambda: 1, "The check calls it as `softmax(scores)`"),
    (lambda scores, axis: 1, "The check calls it as `softmax(scores)`"),
    (lambda scores: np.exp(scores - max(scores)), "`max`", "`np.max(a, axis=...)`"),
    (np.eye(3), "function itself", "array of shape (3, 3)"),
    (None, "function itself", "None"),
    ("softmax", "function itself", "str"),
    (int, "one number is wanted"),
]


@pytest.mark.parametrize(("function", "words"), [(f, words) for f, *words in WRONG])
def test_whatever_a_function_does_the_check_says_what_is_wrong(function, words):
    diagnosis = diagnose("softmax", function)
    assert diagnosis.status == "wrong"
    assert [w for w in words if w not in diagnosis.message] == [], diagnosis.message


ANY_VALUES = [
    None,
    [],
    "text",
    [[1], [2, 3]],
    np.nan,
    (1, 2, 3, 4),
    {},
    np.zeros((2, 2, 2, 2)),
    b"",
    1j,
]


def gives(value):
    return lambda *arguments: value


@pytest.mark.usefixtures("names_alone")
@each_function
def test_every_exercise_takes_any_value(name):
    for value in ANY_VALUES:
        diagnosis = EXERCISES[name].check(gives(value), run_directly)
        assert diagnosis.status == "wrong"
        assert diagnosis.message.startswith("Not yet")


def test_any_value_comes_back_from_a_process():
    for value in ANY_VALUES:
        assert diagnose("softmax", gives(value)).message.startswith("Not yet")


def test_what_a_function_prints_stands_in_the_message_not_on_the_page(capsys):
    assert "shapes: [(3, 5)]" in diagnose("softmax", that_prints(softmax)).message
    assert capsys.readouterr().out == ""


def test_without_dividing_tells_apart_what_the_scores_do():
    reference = EXERCISES["without_dividing"].reference
    one_turned = diagnose(
        "without_dividing",
        lambda Q, K, rate: (-reference(Q, K, rate)[0], *reference(Q, K, rate)[1:]),
    )
    assert one_turned.status == "wrong"
    third = diagnose(
        "without_dividing",
        lambda Q, K, rate: (-Q / Q.shape[1] ** 0.25, -K / Q.shape[1] ** 0.25, rate / 7),
    )
    assert "number 3" in third.message
    assert "sign" not in third.message


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, exercise in EXERCISES.items()
        if exercise.shape == "catch" and exercise.kind == "input"
    ],
)
def test_a_list_of_arguments_is_as_good_as_a_tuple(name):
    names = {"np": np}
    exec(solution(name), names)
    given = names[name]
    if isinstance(given, tuple):
        assert diagnose(name, list(given)).status == "correct"
    assert "Given: 2." in diagnose("catch_scale", [np.eye(3), np.eye(3)]).message


def test_the_inputs_of_an_exercise_stay_as_they_are():
    before = [np.array(x) for (x,) in EXERCISES["softmax"].inputs]
    diagnose("softmax", changes_its_argument)
    assert all(
        np.array_equal(x, y) for x, (y,) in zip(before, EXERCISES["softmax"].inputs, strict=True)
    )


def test_a_function_that_never_ends_is_stopped(impatient):
    def loops(scores):
        while True:
            pass

    diagnosis = diagnose("softmax", loops)
    assert diagnosis.status == "wrong"
    assert "too long" in diagnosis.message


def test_a_loop_that_swallows_every_error_does_not_hold_up_the_check(impatient):
    def swallows(scores):
        while True:
            try:  # noqa: SIM105
                scores = scores + 1
            except:  # noqa: E722
                pass

    diagnosis = diagnose("softmax", swallows)
    assert diagnosis.status == "wrong"
    assert "too long" in diagnosis.message


def test_a_function_that_sleeps_does_not_hold_up_the_check(impatient):
    diagnosis = diagnose("softmax", lambda scores: time.sleep(60))
    assert diagnosis.status == "wrong"
    assert "too long" in diagnosis.message


# Untouched stubs.


def open_stub(*arguments):
    raise NotImplementedError


def unfinished_sum(*arguments):
    e = ...
    return e / e.sum()


def unfinished_product(*arguments):
    scores = ...
    return scores @ np.eye(3)


def unfinished_scores(*arguments):
    scores = ...
    weights = softmax(scores)
    return weights


STUBS = [
    open_stub,
    lambda *a: ...,
    lambda *a: (..., ...),
    unfinished_sum,
    unfinished_product,
    unfinished_scores,
]


@each_function
def test_an_untouched_stub_is_not_attempted(name):
    for stub in STUBS:
        diagnosis = EXERCISES[name].check(stub, run_directly)
        assert (diagnosis.status, diagnosis.mistake) == ("not attempted", None)
        assert diagnosis.message.startswith("Not attempted yet")


# What has no known mistake behind it is named, too, where an error or a measured property is itself
# the idea that slipped.


def prints_only(A):
    print(A.sum(axis=1))


def returns_nothing(A):
    sums = A.sum(axis=1)  # noqa: F841
    return


def returns_in_one_case(A):
    if A.size > 10**6:
        return A.sum(axis=1)


def returns_what_sort_gives(A):
    sums = A.sum(axis=1).sort()
    return sums


def fills_diagonal(weights):
    J = np.fill_diagonal(-np.outer(weights, weights), weights)
    return J


def overwrites_the_temperature(scores, temperature):
    temperature = 8
    return softmax(scores / temperature)


def copies_one_row(T):
    mask = [[False] * T] * T
    for i in range(T):
        for j in range(i + 1):
            mask[i][j] = True
    return mask


def whole_numbers(weights):
    J = np.zeros((len(weights), len(weights)), dtype=int)
    J[:] = np.diag(weights) - np.outer(weights, weights)
    return J


def first_row_filled(X):
    output = np.zeros(X.shape)
    for i in range(len(X)):
        output[i] = softmax(X @ X[i]) @ X
        return output


def does_not_keep_the_cut(i, vectors, k):
    U = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    order = np.argsort(-(U @ U[i])) + 1
    order.astype(float)
    return order[:k]


def does_not_use_the_weights(Q, K, V):
    weights = softmax(Q @ K.T)  # noqa: F841
    scores = (Q @ K.T) ** 3
    return scores @ V


SLIPS = [  # an exercise, a function, the name, what is said
    ("row_sums", prints_only, "nothing returned", "has no `return`. `print` only shows"),
    ("row_sums", returns_nothing, "nothing returned", "stands alone"),
    ("row_sums", returns_in_one_case, "nothing returned", "not every way"),
    ("row_sums", returns_what_sort_gives, "in-place function gives nothing back", "`.sort`"),
    (
        "softmax_jacobian",
        fills_diagonal,
        "in-place function gives nothing back",
        "`np.fill_diagonal`",
    ),
    (
        "softmax_with_temperature",
        overwrites_the_temperature,
        "argument overwritten",
        "`temperature`",
    ),
    ("causal_mask", copies_one_row, "one row copied many times", "one and the same row"),
    ("softmax_jacobian", whole_numbers, "cut to whole numbers", "cuts off"),
    ("self_attention", first_row_filled, "only the first row filled", "inside the loop"),
    ("nearest_words", does_not_keep_the_cut, "a result not kept", "`order.astype(float)`"),
    ("attention", does_not_use_the_weights, "computed, but not used", "`weights`"),
    (
        "project",
        lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_K),
        "not all things returned",
        "What came is right",
    ),
    (
        "masked_attention",
        lambda Q, K, V, m: (*list_attention(Q, K, V, len(Q[0]) ** -0.5, m), m),
        "more returned than asked",
        "3 things",
    ),
    ("masked_attention", lambda Q, K, V, m: (Q, None), "None among the things returned", "None"),
    (
        "beam_step",
        lambda t, p, b: EXERCISES["beam_step"].reference(t, p, b)[::-1],
        "wrong order of the things returned",
        "wrong order",
    ),
    ("softmax", lambda scores: scores, "argument returned unchanged", "`scores` comes back"),
    ("softmax", lambda scores: -softmax(scores), "wrong sign", "wrong sign"),
    ("softmax", lambda scores: np.sqrt(softmax(scores)), "a square root too many", "square roots"),
    ("softmax", lambda scores: softmax(scores)[:, ::-1], "columns in reverse order", "reverse"),
    ("softmax", lambda scores: np.round(softmax(scores), 2), "rounded", "rounded"),
    ("softmax", lambda scores: softmax(scores)[..., None], "an axis too many", "axis of length 1"),
    ("softmax", lambda scores: softmax(scores)[-1], "the last row only", "last row"),
    ("softmax", lambda scores: softmax(scores).ravel(), "cut into other rows", "other rows"),
    ("softmax", lambda scores: softmax(scores)[:, 1:], "a part is missing", "missing"),
    ("softmax", lambda scores: scores.prod(), "one number for everything", "(3, 5) fits"),
    ("softmax", lambda scores: 0 * scores, "all zeros", "0"),
    ("attention", lambda Q, K, V: (softmax(Q @ K.T) @ V).T, "transposed", "transposed"),
    (
        "split_heads",
        lambda X, H: X.reshape(len(X), H, -1).transpose(0, 2, 1),
        "axes in the wrong order",
        "another order",
    ),
    (
        "self_attention",
        lambda X: softmax(X @ X.T) @ X / len(X),
        "divided by the number of rows of X",
        "3 is the number of rows",
    ),
    (
        "scaled_attention",
        lambda Q, K, V: softmax(np.sqrt(Q @ K.T)) @ V,
        "the root of a negative number",
        "the root of a negative number",
    ),
    (
        "top_k_gate",
        lambda logits, k: softmax(logits + (logits < np.sort(logits)[:, [-k]]) * -np.inf),
        "0 · ∞",
        "0 · ∞",
    ),
]


@pytest.mark.parametrize(
    ("name", "function", "mistake", "words"), SLIPS, ids=[slip[2] for slip in SLIPS]
)
def test_a_slip_without_a_known_mistake_is_named(name, function, mistake, words):
    diagnosis = diagnose(name, function)
    assert (diagnosis.status, diagnosis.mistake) == ("wrong", mistake), diagnosis.message
    assert words in diagnosis.message


MISMATCH = (
    "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature"
    " (n?,k),(k,m?)->(n?,m?) (size 5 is different from 3)"
)
BROADCAST = "operands could not be broadcast together with shapes {} {} "
AMBIGUOUS = "The truth value of an array with more than one element is ambiguous"
ERRORS = [  # type, text, line, variables, where they were made; the name, what is said
    ("ValueError", MISMATCH, "S = Q @ K", {}, {}, "sizes that do not meet", "here 3 and 5"),
    ("ValueError", MISMATCH, "S = Q @ K.T", {"K": (2, 5, 3)}, {}, ".T of three axes", "swapaxes"),
    (
        "ValueError",
        MISMATCH,
        "S = Q @ K.T",
        {"K": (5, 3), "V": (2, 5, 3)},
        {},
        "sizes that do not meet",
        "here 3 and 5",
    ),
    (
        "ValueError",
        MISMATCH,
        "S = q @ K_new",
        {"K_new": (18,)},
        {"K_new": "K_new = np.append(K, k)"},
        "np.append without an axis",
        "one long row",
    ),
    (
        "ValueError",
        "matmul: Input operand 0 does not have enough dimensions",
        "Z = X + attend @ norm(X)",
        {"attend": "function"},
        {},
        "function not called",
        "`attend`",
    ),
    (
        "ValueError",
        "matmul: Input operand 0 does not have enough dimensions",
        "vectors @ i",
        {"i": "int"},
        {},
        "a number in a matrix product",
        "`*`",
    ),
    (
        "ValueError",
        BROADCAST.format("(5,3)", "(5,)"),
        "e / e.sum(axis=1)",
        {"e": (5, 3)},
        {},
        "keepdims forgotten",
        "keepdims=True",
    ),
    (
        "ValueError",
        BROADCAST.format("(5,3)", "(5,)"),
        "x - m",
        {"m": (5,)},
        {"m": "m = x.max(axis=1)"},
        "keepdims forgotten",
        "keepdims=True",
    ),
    (
        "ValueError",
        BROADCAST.format("(5,)", "(5,3)"),
        "out += gates[:, e] * said[:, e]",
        {},
        {},
        "new axis forgotten",
        "as a column",
    ),
    ("ValueError", BROADCAST.format("(3,5)", "(5,3)"), "W - dW", {}, {}, "transposed", "is turned"),
    (
        "ValueError",
        BROADCAST.format("(5,1)", "(3,1)"),
        "x[:, None] - m[:, None]",
        {},
        {},
        "two columns",
        "lies as a row",
    ),
    (
        "ValueError",
        BROADCAST.format("(5,1)", "(3,5)"),
        "gamma[:, None] * x",
        {},
        {},
        "a column where a row belongs",
        "(5,1)",
    ),
    (
        "ValueError",
        BROADCAST.format("(2,7)", "(3,5)"),
        "a * b.sum()",
        {},
        {},
        "shapes that do not fit together",
        "from the right",
    ),
    ("ValueError", AMBIGUOUS, "h = max(0, x)", {}, {}, "Python's max of a whole array", "np.max"),
    ("ValueError", AMBIGUOUS, "if h < 0:", {}, {}, "if of a whole array", "np.where"),
    ("ValueError", AMBIGUOUS, "a and b", {}, {}, "and, or, not of a whole array", "`&`"),
    (
        "TypeError",
        "only integer scalar arrays can be converted",
        "h = np.max(0, x)",
        {},
        {},
        "np.max for np.maximum",
        "np.maximum(0, x)",
    ),
    (
        "TypeError",
        "only integer scalar arrays can be converted",
        "np.concatenate(K, k)",
        {},
        {},
        "brackets missing",
        "np.concatenate",
    ),
    (
        "TypeError",
        "Cannot interpret '4' as a data type",
        "np.zeros(T, T)",
        {},
        {},
        "brackets missing",
        "the sizes",
    ),
    (
        "TypeError",
        "tri() missing 1 required positional argument: 'N'",
        "np.tril(T)",
        {},
        {},
        "a number where an array is needed",
        "`tril`",
    ),
    (
        "TypeError",
        "_norm() missing 1 required positional argument: 'x'",
        "np.linalg.norm()",
        {},
        {},
        "too few arguments",
        "`norm`",
    ),
    (
        "TypeError",
        "unsupported operand type(s) for *: 'NoneType' and 'float'",
        "e * 2.0",
        {"e": "None"},
        {"e": "e = x.sort()"},
        "in-place function gives nothing back",
        "`.sort`",
    ),
    (
        "TypeError",
        "list indices must be integers or slices, not tuple",
        "A[0, 1]",
        {"A": "list"},
        {},
        "a list where an array is needed",
        "no comma",
    ),
    (
        "TypeError",
        "slice indices must be integers or None or have an __index__ method",
        "X[:, :d / 2]",
        {},
        {},
        "not a whole number",
        "`//`",
    ),
    (
        "TypeError",
        "ufunc 'bitwise_xor' not supported for the input types",
        "x^2",
        {},
        {},
        "^ for a power",
        "`**`",
    ),
    (
        "AttributeError",
        "module 'numpy.linalg' has no attribute 'nrom'",
        "np.linalg.nrom(x)",
        {},
        {},
        "unknown name",
        "`np.linalg.norm`?",
    ),
    (
        "AttributeError",
        "'numpy.ndarray' object has no attribute 'append'",
        "K.append(k)",
        {},
        {},
        "an array used like a list",
        "keeps its size",
    ),
    (
        "AttributeError",
        "'NoneType' object has no attribute 'sum'",
        "e.sum()",
        {"e": "None"},
        {},
        "None in a calculation",
        "gave nothing back",
    ),
    (
        "NameError",
        "name 'scroes' is not defined",
        "softmax(scroes)",
        {"scores": (3, 5)},
        {},
        "unknown name",
        "Did you mean `scores`?",
    ),
    (
        "ArgumentError",
        "axis: got 2.0, wanted a whole number",
        "softmax(scores, t)",
        {},
        {},
        "an argument that does not fit",
        "axis: got 2.0",
    ),
    ("OutOfTime", "", "", {}, {}, "runs too long", "come to an end"),
    ("KeyError", "'W'", "params['W']", {}, {}, None, "KeyError"),
]


@pytest.mark.parametrize(
    ("kind", "text", "line", "variables", "made", "name", "words"),
    ERRORS,
    ids=[f"{e[0]} {e[5]}" for e in ERRORS],
)
def test_an_error_is_named_by_what_slipped(kind, text, line, variables, made, name, words):
    said = explain(running.Failure(kind, text, line, 3, variables, made))
    assert said[0] == name, said
    assert words in said[1]


# A name that speaks of the code is given to such code only.


def cancels(scores, temperature):
    e = np.exp(scores) / temperature
    return e / e.sum(axis=-1, keepdims=True)


def helper_that_cancels(scores, temperature):
    def inner():
        return softmax(scores - temperature)

    return inner()


SPOKEN = [
    ("softmax_with_temperature", lambda scores, t: softmax(scores), "temperature forgotten"),
    (
        "softmax_with_temperature",
        functools.partial(lambda scores, t: softmax(scores)),
        "temperature forgotten",
    ),
    ("softmax_with_temperature", cancels, "the temperature has no effect"),
    ("softmax_with_temperature", helper_that_cancels, "the temperature has no effect"),
    (
        "masked_attention",
        lambda Q, K, V, m: list_attention(Q + 0 * len(m), K, V, len(Q[0]) ** -0.5),
        "the mask has no effect",
    ),
    (
        "feed_forward",
        lambda X, W_1, b_1, W_2, b_2: np.maximum(0, X @ W_1 + 0 * b_1) @ W_2 + b_2,
        "b_1 has no effect",
    ),
    (
        "softmax",
        lambda s: np.exp(s - s.max(axis=-1, keepdims=True)),
        "shifted, but not divided by the sum",
    ),
    ("softmax", lambda s: np.exp(s) / np.exp(s.max(axis=-1, keepdims=True)), "dividing by the max"),
    (
        "scaled_attention",
        lambda Q, K, V: softmax(Q / np.sqrt(Q.shape[1]) @ K.T / np.sqrt(K.shape[1])) @ V,
        "scaled twice",
    ),
    ("scaled_attention", lambda Q, K, V: softmax(Q @ K.T / K.shape[1]) @ V, "divided by d_k"),
    (
        "nearest_words",
        lambda i, X, k: [j for j in np.argsort(-X @ X[i] / np.linalg.norm(X)) if j != i][:k],
        "one length for all rows",
    ),
    (
        "nearest_words",
        lambda i, X, k: [j for j in np.argsort(-X @ X[i]) if j != i][:k],
        "not divided by the lengths",
    ),
    (
        "softmax_with_temperature",
        lambda s, t: softmax(s) ** t / (softmax(s) ** t).sum(axis=-1, keepdims=True),
        "the temperature as the power, not one over it",
    ),
    ("softmax_with_temperature", lambda s, t: softmax(t * s), "multiplied by the temperature"),
]


@pytest.mark.parametrize(("name", "function", "mistake"), SPOKEN)
def test_a_name_that_speaks_of_the_code_is_given_to_such_code(name, function, mistake):
    diagnosis = diagnose(name, function)
    assert diagnosis.mistake == mistake, diagnosis.message


def uses(function):
    """A function in whose code all arguments stand."""
    return lambda *arguments: function(*arguments)


@each_function
def test_a_mistake_that_leaves_an_argument_out_has_a_twin_that_uses_it(name):
    exercise = EXERCISES[name]
    for mistake in exercise.mistakes:
        if mistake.unused_arguments:
            parameters = inspect.signature(exercise.reference).parameters
            assert set(mistake.unused_arguments.split()) <= set(parameters)
            diagnosis = exercise.check(uses(mistake.function), run_directly)
            assert diagnosis.mistake.endswith("no effect")


# A name does not rest on NaN alone: the NaN has to begin in the same kind of step.


def changes_the_probabilities_first(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    slope = P
    slope[range(len(Y)), answer] -= 1
    return -np.log(P[range(len(Y)), answer]).mean(), W - learning_rate * Y.T @ slope / len(Y)


def test_a_name_does_not_rest_on_nan_alone():
    assert (
        diagnose("train_step", changes_the_probabilities_first).mistake
        == "the probabilities changed before the loss"
    )
    assert (
        diagnose("masked_attention", lambda Q, K, V, m: (V * np.nan, Q @ K.T * np.nan)).mistake
        is None
    )
    assert (
        diagnose("softmax", lambda s: softmax(s) if s.max() < 600 else s * np.nan).mistake
        is not None
    )  # right on ordinary inputs: a trap's


# A function that stops has slipped as a mistake that stops alike.


def old_values(q, k, v, K, V):
    K_new, V_new = np.vstack([K, k]), np.vstack([V, v])
    a = softmax(K_new @ q)
    b = a @ V
    return b, K_new, V_new


def loses_a_row(q, k, v, K, V):
    a = softmax(np.vstack([K, k, k]) @ q)
    return a @ V, K, V


def test_a_function_that_stops_is_named_by_a_mistake_that_stops_alike():
    assert diagnose("kv_cache_step", old_values).mistake == "new keys, old values"
    assert diagnose("kv_cache_step", loses_a_row).mistake == "sizes that do not meet"


# Numbers in words.


def first_property(*given):
    return next(properties_of(*given), None)


def test_numbers_are_described_in_whole_words():
    close = lambda a, b: np.shape(a) == np.shape(b) and np.allclose(a, b)  # noqa: E731
    wanted = np.arange(1.0, 25).reshape(2, 3, 4)
    rows = wanted.copy()
    rows[1, 0] += 1 / wanted[1, 0]
    rows[0, 2] *= -3
    one = np.where(np.arange(24).reshape(2, 3, 4) // 4 == 3, rows, wanted)
    assert first_property(one, wanted, close, {}) == (None, "Only the last table is wrong.")
    assert (
        first_property(np.concatenate([one, one]), np.concatenate([wanted, wanted]), close, {})
        is None
    )
    assert first_property(np.zeros((2, 2)), np.ones((2, 2)), close, {})[0] == "all zeros"
    assert (
        "factor of its own"
        not in (
            first_property(np.diag([1.0, 0]) @ wanted[0, :2], wanted[0, :2], close, {}) or ("", "")
        )[1]
    )
    assert (
        "about 0.5 times"
        in first_property(wanted[0] * [[0.5], [0.501], [0.499]], wanted[0], close, {})[1]
    )
    assert (
        first_property(wanted / 5, wanted, close, {"`n`": 5, "`m`": 7})[1]
        == "Every number is 1/5 of what it should be: 5 is `n`."
    )
    assert (
        first_property(wanted / 5, wanted, close, {"`n`": 5, "`m`": 25})[1]
        == "Every number is 1/5 of what it should be."
    )
    assert place(4, (2, 3, 4)) == "table 1, row 1"
    assert place(4, (6, 4)) == "row 4"


def test_the_first_input_that_goes_wrong_is_told_in_grammar():
    said = diagnose(
        "merge_heads", lambda X: np.hstack(list(X)) if len(X) == 2 else np.cos(np.hstack(list(X)))
    ).message
    assert "Right on the first input the check tries. On the one below: " in said


def half_done(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    loss = -np.log(P[range(len(Y)), answer]).mean()
    W_new = ...
    return loss, W_new


def test_a_stub_whose_other_lines_are_written_says_what_is_left():
    said = diagnose("train_step", half_done).message
    assert (
        said
        == "Not attempted yet. `W_new` is still `...`. Fill in what is missing. Then run this cell"
        " again."
    )
    assert (
        diagnose("softmax", unfinished_sum).message
        == "Not attempted yet. Fill in `softmax(scores)`. Then run this cell again."
    )


# How a diagnosis looks.


@pytest.mark.parametrize(
    "function", [softmax, lambda scores: "<b>", open_stub], ids=["right", "wrong", "open"]
)
def test_a_diagnosis_reads_the_same_in_colour_and_as_text(function):
    diagnosis = diagnose("softmax", function)
    assert repr(diagnosis) == diagnosis.message
    assert (
        diagnosis.message.split(".")[0].split(":")[0].lower() in diagnosis._repr_html_()
    )  # as its heading, in small letters


def test_text_of_a_student_is_not_html():
    def prints(scores):
        print("<script>alert")
        return scores

    html = diagnose("softmax", prints)._repr_html_()
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert" in html


@pytest.mark.parametrize(
    "name", [name for name, exercise in EXERCISES.items() if exercise.shape != "reading"]
)
def test_the_solution_that_the_ladder_shows_passes_when_it_is_pasted(name):
    (shown,) = [text for title, text, _ in diagnose(name, ...).ladder if title == "A solution"]
    names = {"np": np, "mine": mine, "softmax": softmax}
    exec(shown, names)
    exercise = EXERCISES[name]
    passed = f"my_{exercise.kind if exercise.shape == 'catch' else name}"
    assert diagnose(name, names[passed]).status == "correct"


# What Python itself would say in other words. `cell` gives a function of a notebook in which these
# names stand.


def cell(source):
    file = f"<cell {abs(hash(source))}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    names = {
        "np": np,
        "softmax": EXERCISES["softmax"].reference,
        "mine": mine,
        "X": np.eye(3),
        "scores": np.eye(4),
        "layer_norm": EXERCISES["layer_norm"].reference,
        "HALF": 0.5,
        "seen": [],
        "__name__": "__main__",
    }
    exec(compile(source, file, "exec"), names)
    return names["f"]


MEANT = {
    "nump.exp(scores)": "Did you mean `np`?",
    "sofmax(scores)": "Did you mean `softmax`?",
    "np.sofmax(scores)": "Did you mean `softmax`, without `np.`?",
    "np.exq(scores)": "Did you mean `np.exp`?",
    "softmax(score)": "Did you mean `scores`?",
    "softmax(Scores)": "Did you mean `scores`?",
    "summ(scores)": "Did you mean `sum`?",
}


@pytest.mark.parametrize("line", MEANT)
def test_the_name_that_was_meant_is_asked_for(line):
    diagnosis = diagnose("softmax", cell(f"def f(scores):\n    return {line}\n"))
    assert diagnosis.mistake == "unknown name"
    assert MEANT[line] in diagnosis.message


INSTEAD = [
    ("self_attention", "def f(x):\n    return softmax(X @ X.T) @ X", "X", "x"),
    ("self_attention", "def f(x):\n    return softmax(x @ X.T) @ x", "X", "x"),
    (
        "softmax",
        "def f(s):\n    return np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)",
        "scores",
        "s",
    ),
    ("row_sums", "def f(A):\n    return X.sum(axis=-1)", "X", "A"),
]


@pytest.mark.parametrize(("name", "source", "read", "meant"), INSTEAD)
def test_a_name_of_the_notebook_in_place_of_an_argument_is_named(name, source, read, meant):
    diagnosis = diagnose(name, cell(source))
    assert diagnosis.mistake == "a name of the notebook"
    assert f"`{read}` is a value of your notebook" in diagnosis.message
    assert f"Did you mean `{meant}`?" in diagnosis.message


def test_a_constant_of_the_notebook_is_no_slip():
    assert (
        diagnose("softmax", cell("def f(scores):\n    return softmax(scores * HALF)")).mistake
        != "a name of the notebook"
    )


MERGE = """
def f(ids, pair, new):
    merged = []
    while ids:
        if len(ids) > 1 and (ids[0], ids[1]) == tuple(pair):
            merged = merged + NEW
            ids = ids[2:]
        else:
            merged = merged + [ids[0]]
            ids = ids[1:]
    return merged
"""
REPLY = """
def f(history, said, before, between, end, next_scores, choose, most):
    history += [*before, *said, *between]
    answer = []
    while len(answer) < most:
        token = choose(next_scores(history + answer))
        if token == end:
            break
        answer.append(token)
    return answer, [*history, *answer, end]
"""


def test_lists_are_not_told_to_become_arrays():
    assert diagnose("merge_pair", cell(MERGE.replace("NEW", "[new]"))).status == "correct"
    message = diagnose("merge_pair", cell(MERGE.replace("NEW", "new"))).message
    assert "np.array" not in message
    assert "`[x]`" in message


@pytest.mark.parametrize(
    ("name", "source", "argument"),
    [
        ("reply", REPLY, "history"),
        (
            "merge_pair",
            MERGE.replace("NEW", "[new]")
            .replace("ids = ids[2:]", "ids.pop(0), ids.pop(0)")
            .replace("ids = ids[1:]", "ids.pop(0)"),
            "ids",
        ),
    ],
)
def test_a_list_that_came_and_is_changed_is_named(name, source, argument):
    diagnosis = diagnose(name, cell(source))
    assert diagnosis.mistake == "argument changed"
    assert f"`{argument}` is different after the call" in diagnosis.message


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        (
            (
                "def f(scores, count=[0]):\n    count[0] += 1\n    return softmax(scores) *"
                " (count[0] < 3)"
            ),
            "count",
        ),
        ("def f(scores):\n    seen.append(1)\n    return softmax(scores) * len(seen)", "seen"),
        (
            "def f(scores):\n    global HALF\n    HALF += 1\n    return softmax(scores) * HALF",
            "HALF",
        ),
    ],
)
def test_what_is_kept_between_calls_is_named(source, kept):
    diagnosis = diagnose("softmax", cell(source))
    assert diagnosis.mistake == "state kept between calls"
    assert f"`{kept}` keeps something from the first call" in diagnosis.message


def test_numbers_drawn_anew_in_each_call_are_told():
    assert (
        "two different answers"
        in diagnose(
            "softmax", cell("def f(scores):\n    return np.random.rand(*scores.shape)")
        ).message
    )


@pytest.mark.parametrize(
    "source",
    [
        (
            "def f(A):\n    for _ in range(1):\n        sums = [...][0]\n        out = list(sums)\n"
            "    return np.array(out)"
        ),
        "def f(A):\n    sums = [...][0]\n    return np.exp(sums)",
    ],
)
def test_a_gap_left_open_is_named_wherever_it_stops(source):
    assert "`sums` is still `...`" in diagnose("row_sums", cell(source)).message


LAW = (
    "def f(norm):\n    means = norm(np.eye(2), np.ones(2), np.zeros(2), 1e-5).mean(axis=0)\n   "
    " return "
)


def test_a_law_that_the_right_function_breaks_is_told_what_that_one_gave():
    close = diagnose("catch_layer_norm", cell(LAW + "np.allclose(means, 1)")).message
    assert "gave back [[ 1. -1.] [-1. 1.]]" in close
    assert "`means` = [0. 0.]" in close
    assert "rarely equal" not in close
    assert (
        "np.allclose" in diagnose("catch_layer_norm", cell(LAW + "(means == 1e-9).all()")).message
    )


@pytest.mark.parametrize("own", ["mine.layer_norm", "layer_norm"])
def test_a_law_may_not_compare_with_the_function_itself(own):
    given = "(np.eye(2), np.ones(2), np.zeros(2), 1e-5)"
    diagnosis = diagnose(
        "catch_layer_norm", cell(f"def f(norm):\n    return np.allclose(norm{given}, {own}{given})")
    )
    assert diagnosis.mistake == "compared with the function itself"


@pytest.mark.parametrize(
    "reached",
    [
        'getattr(mine, "layer_" + "norm")',
        'vars(mine)["exercises"]["layer_norm"].reference',
        'mine._give("layer_norm")[0]',
        "mine.rms_norm",
        'getattr(__import__("course_utils.exercises").exercises, "mine").softmax',
    ],
)
def test_inside_a_law_mine_gives_nothing_however_it_is_reached(reached):
    given = "(np.eye(2), np.ones(2), np.zeros(2), 1e-5)"
    diagnosis = diagnose(
        "catch_layer_norm",
        cell(
            f"def f(norm):\n    right = {reached}\n    return np.allclose(norm{given},"
            f" right{given})"
        ),
    )
    assert (diagnosis.status, diagnosis.mistake) == ("wrong", "`mine` inside a law")
    assert f"at `right = {reached[:40]}" in diagnosis.message
    assert "`mine` gives no function inside a law." in diagnosis.message


def test_a_law_that_asks_mine_about_wrong_functions_alone_is_refused_too():
    source = """
def f(norm):
    out = norm(np.eye(2), np.ones(2), np.zeros(2), 0.0)
    return np.allclose(np.abs(out), 1) or mine.rms_norm(np.eye(2), np.ones(2), 0.0) is None"""
    assert diagnose("catch_layer_norm", cell(source.strip())).mistake == "`mine` inside a law"


def test_after_a_law_mine_gives_again_where_there_is_one_process():
    diagnosis = EXERCISES["catch_layer_norm"].check(
        cell("def f(norm):\n    return mine.softmax"), running.run_here
    )
    assert diagnosis.mistake == "`mine` inside a law"
    assert mine.softmax(np.zeros((1, 2))).tolist() == [[0.5, 0.5]]
