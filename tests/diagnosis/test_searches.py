"""The searches for the place of a slip: what they find, in which order they look, and what they
may not say.
"""

import ast
import base64
import json
import linecache
import re
import signal
import sys
import time
from unittest import mock

import cloudpickle
import numpy as np
import pytest
from exporting import student

from course_utils.attention import softmax
from course_utils.diagnosis import candidates, evaluation, explaining, verdicts
from course_utils.diagnosis.candidates import Judge, Runner, quiet_room, read_program, time_limit
from course_utils.diagnosis.edits import Known, edits_of, undo
from course_utils.diagnosis.exercise import Exercise
from course_utils.diagnosis.mending import MendSearch
from course_utils.diagnosis.running import run_search
from course_utils.diagnosis.slip_words import COURSE, KINDS, Slip
from course_utils.diagnosis.substitution import Substitution, _print
from course_utils.diagnosis.tracing import Noted, TracedProgram
from course_utils.exercises import EXERCISES, mine

FUNCTIONS = sorted(name for name, exercise in EXERCISES.items() if isinstance(exercise, Exercise))


def written(code, name=None):
    """What a cell defines last, or under a name."""
    file = f"<cell {abs(hash(code))}>"
    linecache.cache[file] = len(code), None, code.splitlines(keepends=True), file
    names = {"np": np, "softmax": softmax, "mine": mine, "__name__": "__main__"}
    exec(compile(code, file, "exec"), names)
    return names[name or list(names)[-1]]


def slips(exercise, code, name=None):
    """What the searches say of a student's code, without the written misconceptions."""
    exercise = EXERCISES[exercise] if isinstance(exercise, str) else exercise
    unhurried = dict.fromkeys(
        ["SECONDS_ONE", "SECONDS_SUBSTITUTION", "SECONDS_TWO"], 20.0
    )  # on a busy machine, too
    with mock.patch.multiple(explaining, **unhurried):
        found = explaining.find_slips(
            read_program(written(code, name)), exercise.material, exercise.name, False
        )
    return [Slip(*fields) for fields in found]


def product(reference, tries):
    """An exercise with nothing written but its reference."""
    return Exercise("product", reference, [tuple(t) for t in tries])


# What they find.


@pytest.mark.parametrize(
    ("exercise", "code", "line", "kind"),
    [
        (
            "softmax",
            "def f(s):\n    e = np.exp(s - s.max(axis=1, keepdims=True))\n"
            "    total = e.sum(axis=0, keepdims=True)\n    return e / total",
            3,
            "axis",
        ),
        (
            "beam_step",
            "def f(totals, log_probs, beam_width):\n    found = []\n"
            "    for i in range(len(totals)):\n        for w in range(len(log_probs[i])):\n"
            "            found.append((totals[i] + log_probs[i][w], i, w))\n"
            "    sorted(found, key=lambda c: c[0], reverse=True)\n    best = found[:beam_width]\n"
            "    parents, tokens, sums = [np.array([c[k] for c in best]) for k in (1, 2, 0)]\n"
            "    return parents, tokens, sums",
            6,
            "not kept",
        ),
        (
            "nearest_words",
            "def f(i, vectors, k):\n    found = []\n    for j in range(len(vectors)):\n"
            "        if j == i:\n            break\n"
            "        size = np.linalg.norm(vectors[i]) * np.linalg.norm(vectors[j])\n"
            "        found.append((vectors[i] @ vectors[j] / size, j))\n"
            "    found.sort(reverse=True)\n"
            "    return np.array([j for _, j in found[:k]], dtype=int)",
            5,
            "loop",
        ),
        (
            "nearest_words",
            "def f(i, vectors, k):\n"
            "    u = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)\n"
            "    c = u @ u[i]\n    if i:\n        c[i] = -9\n    return np.argsort(-c)[:k]",
            4,
            "condition",
        ),
        (
            "rotate",
            "def f(X, cos, sin):\n    T, d = X.shape\n    out = np.zeros((T, d))\n"
            "    for i in range(T):\n        for j in range(d // 2):\n"
            "            a, b = X[i, j], X[i, j + 1]\n"
            "            out[i, j] = a * cos[i, j] - b * sin[i, j]\n"
            "            out[i, j + d // 2] = a * sin[i, j] + b * cos[i, j]\n    return out",
            6,
            "index",
        ),
        (
            "self_attention",
            "def f(X):\n    out = np.zeros(X.shape)\n    for i in range(len(X)):\n"
            "        e = np.exp(X @ X[i] - (X @ X[i]).max())\n"
            "        for j in range(len(X)):\n            out[i] += e[j] / e.sum() * X[i]\n"
            "    return out",
            6,
            "index",
        ),
        (
            "softmax",
            "def f(s):\n    m = s.max(axis=1, keepdims=True)\n    e = np.exp(m - s)\n"
            "    return e / e.sum(axis=1, keepdims=True)",
            3,
            "sign",
        ),
        (
            "softmax",
            "def f(s):\n    e = s - s.max(axis=1, keepdims=True)\n"
            "    return e / e.sum(axis=1, keepdims=True)",
            2,
            "missing",
        ),
        (
            "self_attention",
            "def f(X):\n    A = mine.softmax(X @ X.T)\n    return A.T @ X",
            3,
            "transpose",
        ),
        (
            "causal_mask",
            "def f(T):\n    i = np.arange(T)\n    return i[:, None] > i",
            3,
            "comparison",
        ),
        (
            "train_step",
            "def f(Y, answer, W, r):\n    P = softmax(Y @ W)\n"
            "    R = np.eye(W.shape[1])[answer]\n"
            "    loss = -np.log((P * R).sum(axis=1)).mean()\n"
            "    return loss, W + r * Y.T @ (P - R) / len(Y)",
            5,
            "sign",
        ),
        (
            "scaled_attention",
            "def f(Q, K, V):\n    scores = Q @ K.T * np.sqrt(Q.shape[1])\n"
            "    A = mine.softmax(scores)\n    return A @ V",
            2,
            "operator",
        ),
        (
            "reply",
            "def f(history, said, before, between, end, next_scores, choose, most):\n"
            "    read = history + before + said + between\n    answer = []\n"
            "    while len(answer) < most:\n        token = np.argmax(next_scores(read + answer))\n"
            "        if token == end:\n            break\n        answer.append(token)\n"
            "    return answer, read + answer + [end]",
            5,
            "function",
        ),
        (
            "reply",
            "def f(history, said, before, between, end, next_scores, choose, most):\n"
            "    read = history + before + said + between\n    answer = []\n"
            "    while len(answer) < most:\n        token = next_scores(read + answer)\n"
            "        if token == end:\n            break\n        answer.append(token)\n"
            "    return answer, read + answer + [end]",
            5,
            "missing",
        ),
        (
            "dequantise_block",
            "def f(step, least, packed):\n    low = packed & 15\n    high = packed >> 3\n"
            "    return least + step * np.concatenate([low, high])",
            3,
            "number",
        ),
        (  # what of the right answer is no number alone, such as -np.inf
            "top_k_gate",
            "def f(logits, k):\n    order = np.argsort(-logits, axis=-1)\n"
            "    place = np.argsort(order, axis=-1)\n"
            "    return mine.softmax(np.where(place < k, logits, 0))",
            4,
            "number",
        ),
        (
            "advantages",
            "def f(rewards, log_p, log_p_ref, leash):\n"
            "    worth = rewards - leash * (log_p - log_p_ref)\n    n = len(worth)\n"
            "    others = (rewards.sum() - rewards) / (n - 1)\n    return worth - others",
            4,
            "name",
        ),
        (
            "preference_loss",
            "def f(good, bad, good_ref, bad_ref, beta):\n"
            "    margin = (good - good_ref) - (bad - bad_ref)\n"
            "    chance = 1 / (1 + np.exp(beta * margin))\n"
            "    d_good = -beta * (1 - chance) / len(good)\n"
            "    return -np.log(chance).mean(), d_good, -d_good",
            3,
            "sign",
        ),
        (  # what is there already is added before a value of the right run
            "transformer_block",
            "def f(X, attend, think, norm):\n    A = attend(norm(X))\n    Z = A\n"
            "    return Z + think(norm(Z))",
            3,
            "left out",
        ),
        (
            "preference_loss",
            "def f(good, bad, good_ref, bad_ref, beta):\n"
            "    margin = (good - good_ref) - (bad - bad_ref)\n"
            "    chance = 1 / (1 + np.exp(-beta * margin))\n    n = len(good)\n"
            "    loss = np.mean(-np.log(chance))\n    d_good = -(1 - chance) / n\n"
            "    d_bad = beta * (1 - chance) / n\n    return loss, d_good, d_bad",
            6,
            "left out",
        ),
    ],
    ids=[
        "axis",
        "not kept",
        "break",
        "a condition",
        "the partner",
        "the other word",
        "a difference",
        "missing",
        "transpose",
        "comparison",
        "a step of descent",
        "operator",
        "a function that came",
        "a function that came is not called",
        "a shift",
        "an infinity",
        "twice in a line",
        "a minus",
        "a skip",
        "two places, one kind",
    ],
)
def test_one_slip_is_found_with_its_line_and_its_kind(exercise, code, line, kind):
    (slip,) = slips(exercise, code)
    assert (slip.lines, slip.kind) == ((line,), kind)


def test_one_slip_made_in_several_lines_is_told_with_all_of_them():
    code = (
        "def f(history, said, before, between, end, next_scores, choose, most):\n"
        "    read = list(history)\n    for part in (1,):\n        read.append(before)\n"
        "        read.append(said)\n    read.append(between)\n    answer = []\n"
        "    for _ in range(most):\n        token = choose(next_scores(read + answer))\n"
        "        if token == end:\n            break\n        answer.append(token)\n"
        "    return answer, read + answer + [end]"
    )
    (slip,) = slips("reply", code)
    assert (slip.lines, slip.kind, slip.text) == ((4, 5, 6), "function", "read.append")


def test_a_slip_in_two_lines_and_another_one_are_told():
    code = (
        "def f(history, said, before, between, end, next_scores, choose, most):\n"
        "    read = list(history)\n    read.append(before)\n    read.append(said)\n"
        "    read += between\n    answer = []\n    while len(answer) <= most:\n"
        "        token = choose(next_scores(read + answer))\n"
        "        if token == end:\n            break\n        answer.append(token)\n"
        "    return answer, read + answer + [end]"
    )
    first, second = slips("reply", code)
    assert (first.lines, first.kind) == ((3, 4), "function")
    assert (second.lines, second.kind) == ((7,), "comparison")


def test_another_parameter_is_found_by_its_key():
    tree = ast.parse("def f(b):\n    return b['w_1'] + b['v_1']").body[0]
    found = [edit for edit in edits_of(tree, Known(keys=["v_1", "w_1", "w_2"])) if edit.line == 2]
    texts = []
    for edit in [edit for edit in found if edit.kind == "key" and not edit.also]:
        steps = edit.do()
        texts.append((ast.unparse(tree.body[0].value), edit.cost))
        undo(steps)
    # of the same block, or the same in another one, before any other
    assert ("b['w_2'] + b['v_1']", 1.5) in texts
    assert ("b['v_1'] + b['v_1']", 1.5) in texts
    assert ("b['w_1'] + b['w_2']", 3) in texts
    assert ast.unparse(tree.body[0].value) not in [text for text, _ in texts]


def test_the_answer_itself_is_not_put_in_where_more_is_done_to_it():
    code = (
        "def f(rewards, log_p, log_p_ref, leash):\n"
        "    worth = rewards - leash * (log_p - log_p_ref)\n"
        "    return worth - worth.mean()"  # of advantages it would take nothing
    )
    assert (2,) not in [slip.lines for slip in slips("advantages", code)]


@pytest.mark.parametrize(
    ("exercise", "code", "line"),
    [
        (
            "merge_pair",
            "def f(ids, pair, new):\n    out, i = [], 0\n    while i < len(ids):\n"
            "        if tuple(ids[i:i + 2]) == tuple(pair):\n"
            "            out.append(new)\n            i += 1\n        else:\n"
            "            out.append(ids[i])\n            i += 1\n    return out",
            6,
        ),
        (
            "encode_word",
            "def f(word, pairs):\n    ids = list(word.encode())\n"
            "    for k, pair in enumerate(pairs):\n"
            "        ids = mine.merge_pair(ids, pair, 257 + k)\n    return ids",
            4,
        ),
        (
            "reply",
            "def f(history, said, before, between, end, next_scores, choose, most):\n"
            "    read = [*history, *before, *said, *between]\n    answer = []\n"
            "    while len(answer) < most:\n        token = choose(next_scores(read))\n"
            "        if token == end:\n            break\n"
            "        answer.append(token)\n    return answer, [*read, *answer, end]",
            5,
        ),
    ],
    ids=["tokens", "a word", "a conversation"],
)
def test_lists_of_tokens_are_compared_and_explained(exercise, code, line):
    assert [slip.lines for slip in slips(exercise, code)] == [(line,)]


@pytest.mark.parametrize(
    ("code", "name", "lines"),
    [
        ("my_softmax = lambda s: np.exp(s) / np.exp(s).sum(axis=0, keepdims=True)", None, (1,)),
        (
            "def shifted(s):\n    return s - s.max(axis=1, keepdims=True)\n\ndef total(e):\n"
            "    return e.sum(axis=0)\n\n"
            "def f(s):\n    e = np.exp(shifted(s))\n    return e / total(e)",
            "f",
            (3,),
        ),
        (
            "def f(s):\n    def share(row):\n        e = np.exp(row - row.max())\n"
            "        return e / e.max()\n    return np.array([share(r) for r in s])",
            None,
            (4,),
        ),
        (
            "import functools\n\n@functools.lru_cache(None) if False else (lambda g: g)\n"
            "def f(s):\n    '''Softmax.'''\n\n    # the shares\n"
            "    e = np.exp(s - s.max(axis=1, keepdims=True))\n    return e / e.sum()",
            None,
            (6,),
        ),
        (
            "def make():\n    axis = 0\n    def inner(s):\n"
            "        e = np.exp(s - s.max(axis=1, keepdims=True))\n"
            "        return e / e.sum(axis=axis, keepdims=True)\n"
            "    return inner\n\nf = make()",
            None,
            (3,),
        ),
    ],
    ids=["a lambda", "a helper", "a function inside", "a decorator and comments", "a closure"],
)
def test_lines_are_those_of_the_function_however_it_is_written(code, name, lines):
    assert EXERCISES["softmax"].check(written(code, name)).lines == lines


def test_of_two_lambdas_in_one_line_the_one_that_is_checked_is_read():
    both = written("both = lambda x: x + 1, lambda x: x - 1")
    said = [ast.unparse(candidates.definition(one).body) for one in both]
    assert said == ["return x + 1", "return x - 1"]


def test_a_line_outside_of_all_functions_is_none():
    program = read_program(written("k = 2\n\ndef f(x):\n    return k * x", "f"))
    assert [program.lines_at(number) for number in (None, 1, 4)] == [(), (), (2,)]


def test_a_slip_in_a_helper_is_said_with_the_helper_s_name():
    code = (
        "def total(e):\n    return e.sum(axis=0)\n\ndef f(s):\n"
        "    e = np.exp(s - s.max(axis=1, keepdims=True))\n    return e / total(e)"
    )
    (slip,) = slips("softmax", code, "f")
    assert slip.lines == (3,)
    assert "line 2 of `total`" in slip.words()[1]


def test_a_mend_that_makes_it_run_explains_an_error_too():
    code = (
        "def f(x, gamma, eps):\n    squares = (x ** 2).mean(axis=-1)\n"
        "    rms = np.sqrt(squares + eps)\n    return gamma * x / rms"
    )
    diagnosis = EXERCISES["rms_norm"].check(written(code))
    assert diagnosis.lines[0] == 2
    assert "Look at line 2" in diagnosis.sentences


def test_after_a_right_value_all_is_right():
    """GELU for ReLU: no small edit leads back, and a right run's value says where it is wrong."""
    code = (
        "def f(X, W_1, b_1, W_2, b_2):\n    before = X @ W_1 + b_1\n"
        "    hidden = before * (1 + np.tanh(before)) / 2\n    Y = hidden @ W_2 + b_2\n"
        "    return Y"
    )
    (slip,) = slips("feed_forward", code)
    assert (slip.kind, slip.lines, slip.text) == ("last step", (3,), "hidden")
    assert slip.words() == (
        None,
        "What comes after line 3 is right. The value of `hidden` there is wrong, so the slip "
        "stands in that line or above it.",
    )


TURNED = "def f(Q, K, V):\n    A = mine.softmax(K @ Q.T / np.sqrt(Q.shape[-1]))\n    return A.T @ V"


def test_what_is_turned_is_not_blamed_where_the_value_before_was_wrong_already():
    """Keys and queries changed over, and scaled: no more than two edits are tried."""
    (slip,) = slips("attention", TURNED)
    assert (slip.lines, slip.text) == ((2,), "A")
    first, second = slips(
        "attention",
        TURNED.replace("A = mine.softmax(", "S = (").replace(
            "\n    return", "\n    A = mine.softmax(S)\n    return"
        ),
    )
    assert (first.lines, first.kind) == ((2,), "too much")
    assert (second.lines, second.kind) == ((3,), "axis")


def test_two_slips_of_which_neither_brings_the_run_further_are_tried_as_a_pair():
    code = (
        "def f(Q, K, V):\n    d_k = Q.shape[0]\n    S = (Q @ K.T) * np.sqrt(d_k)\n"
        "    A = mine.softmax(S)\n    return A @ V"
    )
    first, second = slips("scaled_attention", code)
    assert (first.lines, second.lines, second.kind) == ((2,), (3,), "operator")


def test_nothing_is_said_of_what_comes_after_the_last_line():
    code = "def f(X, W_1, b_1, W_2, b_2):\n    before = X @ W_1 + b_1\n"
    code += "    hidden = before * (1 + np.tanh(before)) / 2\n    return hidden @ W_2 + b_2"
    assert slips("feed_forward", code)[0].kind == "last step"
    for end in ("    return 2 + hidden", "    out = 2 + hidden\n    return out"):
        program = read_program(written(f"def f(x):\n    hidden = x * x\n{end}"))
        assert [program.is_last("f", line) for line in (2, 3)] == [False, True]
    assert not program.is_last("another", 3)
    title, said = Slip("last line", (3,), "A.T").words()
    assert title is None
    assert said == (
        "The value of `A.T` in line 3 is wrong, so the slip stands in that line or above it."
    )


# Two slips.

TWO = (
    "attention",
    "def f(Q, K, V):\n    scores = -Q @ K.T\n    weights = mine.softmax(scores)\n"
    "    output = weights @ K\n    return output",
)


def test_of_two_slips_the_earlier_is_told_first_and_the_other_on_next():
    diagnosis = EXERCISES[TWO[0]].check(written(TWO[1]))
    assert diagnosis.lines == (2, 4)
    assert "There are two slips. Look at line 2" in diagnosis.sentences
    assert "line 4" not in diagnosis.sentences
    title, text, is_code = diagnosis.ladder[0]
    assert title == "Next"
    assert "line 4" in text
    assert not is_code
    assert diagnosis.ladder[1:] == EXERCISES[TWO[0]].check(...).ladder


@pytest.mark.parametrize(
    ("exercise", "code", "lines", "kinds"),
    [
        (
            "rotate",
            "def f(X, cos, sin):\n    half = X.shape[1] // 2\n    a = X[:, :half]\n"
            "    b = X[:, :half]\n    first = a * cos - b * sin\n"
            "    second = a * sin - b * cos\n"
            "    return np.concatenate([first, second], axis=1)",
            [(4,), (6,)],
            ["index", "sign"],
        ),
        (
            "merge_pair",
            "def f(ids, pair, new):\n    merged, i = [], 0\n    while i < len(ids):\n"
            "        if i + 1 < len(ids) and (ids[i + 1], ids[i]) == pair:\n"
            "            merged.append(new)\n            i += 2\n        else:\n"
            "            merged.append(i)\n            i += 1\n    return merged",
            [(4,), (8,)],
            ["condition", "index"],
        ),
        (
            "beam_step",
            "def f(totals, log_probs, beam_width):\n    found = []\n"
            "    for i in range(len(totals)):\n        for j in range(log_probs.shape[1]):\n"
            "            found.append((totals[i] + log_probs[i, j], i, j))\n"
            "    found.sort()\n    best = found[:beam_width]\n"
            "    sums = np.array([total for total, i, j in best])\n"
            "    parents = np.array([j for total, i, j in best])\n"
            "    tokens = np.array([j for total, i, j in best])\n"
            "    return parents, tokens, sums",
            [(6,), (9,)],
            ["order", "name"],
        ),
        (
            "softmax",
            "def f(s):\n    top = s.min(axis=1, keepdims=True)\n    e = np.exp(s - top)\n"
            "    total = e.mean(axis=1, keepdims=True)\n    return e / total",
            [(2,), (4,)],
            ["first step", "last step"],
        ),
        (
            "scaled_attention",
            "def f(Q, K, V):\n    d_k = Q.shape[0]\n    scores = Q @ K.T\n"
            "    scores = scores / np.sqrt(d_k)\n    weights = softmax(scores.T).T\n"
            "    return weights @ V",
            [(2,), (5,)],
            ["first step", "last step"],
        ),
        (
            "swiglu",
            "def f(X, W_gate, W_up, W_down):\n    gate = np.tanh(X @ W_gate)\n"
            "    hidden = gate * (X @ W_up)\n    output = np.tanh(hidden @ W_down)\n"
            "    return output",
            [(2,), (4,)],
            ["unknown step", "next step"],
        ),
    ],
    ids=["halves", "tokens", "candidates", "no coincidence", "a size", "the next step"],
)
def test_two_slips_are_found_with_their_lines(exercise, code, lines, kinds):
    found = slips(exercise, code)
    assert [slip.lines for slip in found] == lines
    assert [slip.kind for slip in found] == kinds


def test_two_steps_that_no_right_run_has_are_not_counted_as_two_slips():
    """The second is known only as far as the first is right."""
    code = (
        "def f(X, W_gate, W_up, W_down):\n    gate = np.tanh(X @ W_gate)\n"
        "    hidden = gate * (X @ W_up)\n    output = np.tanh(hidden @ W_down)\n"
        "    return output"
    )
    diagnosis = EXERCISES["swiglu"].check(written(code))
    assert "two slips" not in diagnosis.sentences
    assert diagnosis.ladder[0][0] == "Next"
    assert "once that is right" in diagnosis.ladder[0][1].lower()


def test_a_factor_that_is_left_out_is_one_slip():
    code = (
        "def f(good, bad, good_ref, bad_ref, beta):\n"
        "    margin = (good - good_ref) - (bad - bad_ref)\n"
        "    chance = 1 / (1 + np.exp(-margin))\n    loss = -np.log(chance).mean()\n"
        "    slope = -beta * (1 - chance) / len(good)\n    return loss, slope, -slope"
    )
    (slip,) = slips("preference_loss", code)
    assert slip.lines == (3,)


HEADS = (
    "def f(X, W_Q, W_K, W_V, W_O, n_heads):\n"
    "    Q = mine.split_heads(X @ W_Q, n_heads)\n"
    "    K = mine.split_heads(X @ W_K, n_heads)\n"
    "    V = mine.split_heads(X @ W_V, n_heads)\n"
    "    S = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])\n"
    "    heads = mine.softmax(S) @ V\n"
    "    return mine.merge_heads(heads) @ W_O"
)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    Q =", "    X = X @ W_Q\n    Q ="),
        ("    Q = mine.split_heads(X @", "    X = X.T\n    Q = mine.split_heads(X.T @"),
    ],
    ids=["a value that a right run has", "a value that none has"],
)
def test_where_an_argument_got_another_value_that_line_is_told_and_not_those_that_read_it(old, new):
    code = HEADS.replace(old, new, 1).replace(
        "(X @ W_Q, n", "(X, n" if "W_Q" in new else "(X @ W_Q, n"
    )
    (slip,) = slips("multi_head_attention", code)
    assert (slip.kind, slip.lines, slip.text) == ("first line", (2,), "X")


def test_two_edits_of_one_line_are_not_told_as_two_slips():
    code = HEADS.replace("np.sqrt(Q.shape[-1])", "V.shape[1] ** 2")
    (slip,) = slips("multi_head_attention", code)
    assert (slip.kind, slip.lines) == ("", (5,))
    assert slip.text.startswith("S = Q @ K")


def test_a_call_before_a_mend_is_no_slip():
    """Scores that are shifted are another way to the same weights: no word of that call."""
    code = HEADS.replace("softmax(S) @ V", "softmax(S - S.max()) @ K")
    code = code.replace("heads = mine", "A = mine").replace(" @ K\n", "\n    heads = A @ K\n")
    diagnosis = EXERCISES["multi_head_attention"].check(written(code))
    assert diagnosis.lines == (7,)
    assert "call" not in diagnosis.sentences


def test_a_right_value_that_comes_after_the_first_wrong_call_is_not_told(monkeypatch):
    code = HEADS.replace("mine.split_heads(X @ W_K", "mine.split_heads(np.tanh(X @ W_K)")
    late = Slip("last step", (6,), "heads")
    monkeypatch.setattr(evaluation.Evaluation, "slips", lambda self, is_named=False: [late])
    diagnosis = EXERCISES["multi_head_attention"].check(written(code))
    assert diagnosis.lines == (3,)
    assert "line 6" not in diagnosis.sentences
    assert "the second of `split_heads` (line 3)" in diagnosis.sentences


def test_of_a_table_with_three_axes_t_is_a_slip_of_one_line():
    (slip,) = slips("multi_head_attention", HEADS.replace("K.swapaxes(-1, -2)", "K.T"))
    assert (slip.kind, slip.lines) == ("transpose", (5,))


def test_every_single_edit_is_tried_before_any_pair(monkeypatch):
    monkeypatch.setattr(explaining.MendSearch, "two", lambda *_: pytest.fail("a pair was tried"))
    assert (
        len(
            slips(
                "softmax",
                "def f(s):\n    e = s - s.max(axis=1, keepdims=True)\n"
                "    return e / e.sum(axis=1, keepdims=True)",
            )
        )
        == 1
    )


def test_the_second_of_two_edits_is_first_looked_for_where_a_strange_value_comes(monkeypatch):
    looked = []
    pair = MendSearch.pair

    def note(self, first, others, end):
        looked.append((first.line, {edit.line for edit in others}))
        return pair(self, first, others, end)

    monkeypatch.setattr(MendSearch, "pair", note)
    assert len(slips(*TWO)) == 2
    assert looked == [(2, {4})]


def test_a_name_that_is_read_nowhere_is_put_in_before_others():
    (function,) = ast.parse("def f(x, y, z):\n    return x * y").body
    found = [edit for edit in edits_of(function, Known()) if edit.kind == "name"]
    put_in = [(edit.changes[0][-1].id, edit.cost) for edit in found if len(edit.changes) == 1]
    assert put_in == [("z", 1.5), ("z", 1.5), ("y", 2), ("x", 2)]


def test_of_one_index_it_alone_is_shown_and_of_several_their_table():
    def shown(code):
        (function,) = ast.parse(f"def f(x, n):\n    return {code}").body
        return {(edit.kind, edit.text) for edit in edits_of(function, Known())}

    assert ("one off", "n - 1") in shown("x[n - 1]")
    assert ("one off", "x[1:, n]") in shown("x[1:, n]")


# What they may not say.


def test_what_is_dropped_comes_before_another_operation():
    """`T + 1` for `T`: `T * 1` would pass as well, and that the operation is wrong would be a
    lie.
    """
    (slip,) = slips("causal_mask", "def f(T):\n    return np.tri(T + 1 - 0, dtype=bool)[:T]")
    assert slip.kind != "operator"
    for edit in edits_of(ast.parse("def f(T):\n    return np.tri(T + 1)").body[0], Known()):
        if edit.kind == "operator":
            assert edit.cost > 1
        if edit.text == "T + 1" and edit.kind == "one off":
            assert edit.cost >= 1


def test_a_class_is_said_only_where_the_cheapest_mends_agree_on_it():
    """x + x for x * 2, where k is always 2: a sum too many, another operation, another name; only
    the line is sure.
    """
    exercise = product(lambda x, k: x * k, [(np.array([2.0, 2.0]), 2)])
    found = slips(exercise, "def f(x, k):\n    y = x - k\n    return y")
    assert all(slip.kind == "" and slip.words()[0] is None for slip in found)


def test_a_mend_that_fits_the_inputs_by_chance_is_none():
    """Where x is (1, 2, 3) alone, x + (1, 2, 3) is 2 x. Fresh inputs tell them apart."""
    exercise = product(lambda x, k: x * k, [(np.array([3.0, 3.0]), 3)])
    assert len(exercise.material.judge.calls) > len(exercise.tries)
    chance = read_program(written("def f(x, k):\n    return x + 6"))
    assert (
        explaining.MendSearch(chance, exercise.material.judge, None, None).wrong == []
    )  # it passes the check's own input
    found = slips(exercise, "def f(x, k):\n    return x + 5")
    assert "number" not in {slip.kind for slip in found}
    assert "one off" not in {slip.kind for slip in found}


def test_no_mend_is_ever_shown():
    """All code in a sentence stands in the student's function, as it was written."""

    def squeeze(text):
        return re.sub(r"[\s()\"']", "", text)

    codes = [row["code"] for row in CASES]
    for exercise, code in [TWO, *((row["exercise"], row["code"]) for row in CASES)]:
        for slip in slips(exercise, code):
            assert squeeze(slip.text) in squeeze(code), (slip, code)
            for piece in re.findall(r"`([^`]+)`", slip.words()[1]):
                assert squeeze(piece) in squeeze(code), (piece, code)
    assert len(codes) > 3


CASES = [
    {
        "exercise": "softmax",
        "code": (
            "def f(s):\n    e = np.exp(s)\n    e = e - e.max(axis=1, keepdims=True)\n"
            "    return e / e.sum(axis=1, keepdims=True)"
        ),
    },
    {
        "exercise": "masked_attention",
        "code": (
            "def f(Q, K, V, mask):\n    S = Q @ K.T / np.sqrt(len(K))\n"
            "    S = np.where(mask, S, 0)\n    A = softmax(S)\n"
            "    return A @ V, A"
        ),
    },
    {
        "exercise": "layer_norm",
        "code": (
            "def f(x, gamma, beta, eps):\n    c = x - x.mean(axis=-1, keepdims=True)\n"
            "    v = (c ** 2).sum(axis=-1, keepdims=True)\n"
            "    return gamma * c / np.sqrt(v + eps) + beta"
        ),
    },
    {
        "exercise": "rms_norm",
        "code": (
            "def f(x, gamma, eps):\n    m = (x ** 2).mean(axis=-1, keepdims=True)\n"
            "    return x / (m + eps)"
        ),
    },
    {
        "exercise": "top_k_gate",
        "code": (
            "def f(logits, k):\n    order = np.argsort(logits, axis=1)\n"
            "    kept = np.full(logits.shape, -np.inf)\n"
            "    for i in range(len(logits)):\n"
            "        kept[i, order[i, :k]] = logits[i, order[i, :k]]\n"
            "    return softmax(kept)"
        ),
    },
]


def test_every_kind_has_words_and_every_row_of_the_course_a_kind():
    assert {kind for kind, *_ in COURSE} <= set(KINDS)
    assert all("{text}" in question or not question for *_, question in COURSE)
    made = {
        edit.kind
        for code in [TWO[1], *(row["code"] for row in CASES)]
        for edit in edits_of(ast.parse(code).body[0], Known())
    }
    assert made <= set(KINDS)


def test_row_numbers_have_no_ratio_and_no_offset():
    """[3, 6] for [1, 2] is not "three times": they are rows."""
    exercise = Exercise(
        "rows", lambda x: np.argsort(-x)[:2], [(np.array([0.0, 9.0, 5.0, 1.0, 2.0, 3.0, 4.0]),)]
    )
    diagnosis = exercise.check(
        written("def f(x):\n    a = np.argsort(-x)[:2]\n    return np.array([3, 6]) + 0 * a")
    )
    assert (diagnosis.status, diagnosis.mistake) == ("wrong", "another result")
    assert not re.search(
        r"every number|factor|times|larger|offset|\d/\d", diagnosis.sentences.lower()
    )


def test_a_written_misconception_keeps_its_words_and_gets_a_line():
    code = "def f(s):\n    e = np.exp(s - s.max(axis=0))\n    return e / e.sum(axis=0)"
    diagnosis = EXERCISES["softmax"].check(written(code))
    mistake = next(m for m in EXERCISES["softmax"].mistakes if m.name == diagnosis.mistake)
    assert mistake.hint in diagnosis.sentences
    assert diagnosis.lines == (2, 3)


# Lines without a search.


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("\n\ndef f(s):\n    return unknown(s, s.sum(7))", (2,)),
        (
            "def f(s):\n    s -= s.max(axis=1, keepdims=True)\n    e = np.exp(s)\n"
            "    return e / e.sum(axis=1, keepdims=True)",
            (2,),
        ),
        ("def f(s):\n    e = np.exp(s)\n    e / e.sum(axis=1, keepdims=True)", (3,)),
    ],
    ids=["an unknown name", "an argument changed", "nothing comes back"],
)
def test_other_diagnoses_name_their_line(code, lines):
    diagnosis = EXERCISES["softmax"].check(written(code))
    assert diagnosis.status == "wrong"
    assert diagnosis.lines == lines


def test_a_right_answer_and_one_without_code_have_no_lines():
    assert EXERCISES["softmax"].check(softmax).lines == ()
    assert EXERCISES["softmax"].check(np.exp).lines == ()
    assert EXERCISES["softmax"].check(...).lines == ()


# What a candidate may do.


@pytest.mark.parametrize(
    "body",
    [
        "while len(s) > 0:\n        e = s",
        "for i in range(10 ** 9):\n        print(s)\n    e = s",
        "import sys\n    sys.exit()",
    ],
    ids=["no end", "prints", "exit"],
)
def test_a_candidate_can_do_no_harm(body, capfd):
    start = time.process_time()
    found = explaining.find_slips(
        read_program(written(f"def f(s):\n    {body}\n    return e")),
        EXERCISES["row_sums"].material,
        "row_sums",
        False,
    )
    assert isinstance(found, list)
    assert capfd.readouterr().out == ""
    assert time.process_time() - start < 60  # it ends


def test_a_candidate_that_wants_too_much_memory_does_no_harm():
    """In a process of its own: a limit of memory holds for all threads of a process."""
    program = read_program(written("def f(s):\n    e = np.ones((10 ** 6, 10 ** 6))\n    return e"))
    material = EXERCISES["row_sums"].material
    found = run_search(explaining.find_slips, program, material, "row_sums", False, seconds=60)
    assert isinstance(found, list)


def test_the_limit_holds_without_a_timer_as_well(monkeypatch):
    monkeypatch.setattr(
        explaining.Substitution.__init__.__globals__["Runner"].call.__globals__["sys"],
        "platform",
        "emscripten",
    )
    program = read_program(written("def f(s):\n    while True:\n        pass"))
    runner = Runner(EXERCISES["row_sums"].material.judge)
    assert runner.call(program.names()["f"], 0)[1][0] == "TooLong"


def test_a_limit_that_is_not_reached_changes_nothing():
    with quiet_room(), time_limit(5.0):
        assert sum(range(10)) == 45


@pytest.mark.skipif(not candidates.has_clock(), reason="no clock here")
def test_a_clock_that_rings_while_an_object_is_deleted_rings_again():
    code = (
        "def spin(seconds):\n    end = time.process_time() + seconds\n"
        "    while time.process_time() < end:\n        pass\n"
        "class Slow:\n    def __del__(self):\n        spin(0.05)\n"
        "def delete_one():\n    Slow()\n    spin(1)\n"
    )
    names = {"time": time}
    exec(compile(code, candidates.FILE, "exec"), names)
    reported = []
    with mock.patch.object(sys, "unraisablehook", reported.append):
        with time_limit(0.02), pytest.raises(candidates.TooLong):
            names["delete_one"]()
        sys.unraisablehook("what else is lost")
    assert reported == ["what else is lost"]


@pytest.mark.skipif(not candidates.has_clock(), reason="no clock here")
def test_a_clock_never_rings_in_the_lines_that_set_it_back():
    ring = mock.Mock(wraps=candidates._stop)
    with mock.patch.object(candidates, "_stop", ring), time_limit(0.01):
        end = time.process_time() + 0.2
        while time.process_time() < end:
            pass
    assert ring.called
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def test_after_one_call_that_never_ends_the_others_get_little_time():
    material = EXERCISES["top_p"].material
    program = read_program(written("def f(probabilities, p):\n    while True:\n        pass"))
    given = []

    def note(seconds):
        given.append(seconds)
        return time_limit(0.002)

    with quiet_room(), mock.patch.object(candidates, "time_limit", note):
        MendSearch(program, material.judge, None, None)
        first = len(given)
        Substitution(program, material.judge, material.right_run)
    assert first == len(given) / 2 == material.judge.fresh
    assert (given[0], given[first]) == (candidates.FIRST_LIMIT, candidates.FIRST_LIMIT / 2)
    assert {*given[1:first], *given[first + 1 :]} == {candidates.LATER_LIMIT}


def test_of_a_run_that_stops_the_line_is_the_student_s_own():
    """NumPy's lines below it are none."""
    program = read_program(written("def f(s):\n    rows = []\n    return np.stack(rows)"))
    with quiet_room():
        runner = Runner(EXERCISES["softmax"].material.judge)
        assert runner.call(program.names()["f"], 0) == (None, ("ValueError", 3))


def test_a_value_is_noted_as_it_was_before_it_is_changed_in_place():
    code = (
        "def f(n):\n    a = np.zeros(n)\n    b = [a]\n    a[0] = 5\n    b.append(1)\n    return a"
    )
    program = read_program(written(code))
    traced = TracedProgram(program.functions, program.names(), "f")
    judge = candidates.Judge([(2,)], [None], [1e-9], None, 1, 1)
    values, (came, error) = traced.values(Runner(judge), 0)
    assert error is None
    at = {(site.name, site.line): k for k, site in enumerate(traced.sites)}
    np.testing.assert_array_equal(values[at["a", 2]], [[0, 0]])
    np.testing.assert_array_equal(values[at["a", 4]], [[5, 0]])
    np.testing.assert_array_equal(came, [5, 0])
    assert len(values[at["b", 3]][0]) == 1


def test_a_search_that_has_to_be_ended_leaves_the_rest_of_the_verdict(monkeypatch):
    monkeypatch.setattr(evaluation, "SEARCH", 1e-9)
    diagnosis = EXERCISES["softmax"].check(written("def f(s):\n    return np.exp(s)"))
    assert diagnosis.status == "wrong"
    assert diagnosis.mistake


def test_what_comes_back_is_plain_data():
    found = explaining.find_slips(
        read_program(written(TWO[1])), EXERCISES[TWO[0]].material, TWO[0], False
    )
    assert json.loads(json.dumps(found))
    assert found == cloudpickle.loads(cloudpickle.dumps(found))


# The right runs.


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_written_reference_passes_on_fresh_inputs_and_leaves_values(name):
    material = EXERCISES[name].material
    assert material.right_run is not None
    assert len(material.right_run.values) == len(material.judge.calls)
    assert all(material.right_run.values)
    program = read_program(written(verdicts.shown_solution(EXERCISES[name])))
    runner = Runner(material.judge)
    runner.limit = 5.0
    assert all(
        runner.is_right(program.names()[program.name], i) for i in range(len(material.judge.calls))
    )


def test_the_solutions_of_its_parts_are_laid_beside_a_run_too():
    sources = EXERCISES["multi_head_attention"].material.sources
    assert {"softmax", "split_heads", "merge_heads"} < sources.keys()


def test_an_edition_without_solutions_explains_as_well(tmp_path, monkeypatch):
    exercise, code = EXERCISES[TWO[0]], TWO[1]
    before = exercise.check(written(code))
    packed = student.pack_references()
    assert "def " not in packed
    assert "np." not in packed
    assert "softmax(" not in packed
    (tmp_path / "references.json").write_text(packed, encoding="utf-8")
    monkeypatch.setattr(verdicts, "EXERCISES", tmp_path / "left_out")
    monkeypatch.setattr(verdicts, "REFERENCES", tmp_path / "references.json")
    monkeypatch.delitem(vars(exercise), "material", raising=False)
    try:
        assert verdicts.solution(TWO[0]) == ""
        after = exercise.check(written(code))
        assert (after.lines, after.sentences) == (before.lines, before.sentences)
        assert exercise.material.right_run is not None
    finally:
        verdicts._packed_references.cache_clear()
        vars(exercise).pop("material", None)
    assert all(base64.b64decode(text) for text in json.loads(packed).values())


def test_of_equal_mends_the_one_nearest_to_a_right_run_gives_the_line():
    """Q, K or the scores may be scaled: with these, all that comes before is as in a right run."""
    code = (
        "def f(X, W_Q, W_K, W_V, W_O, n_heads):\n    Q = mine.split_heads(X @ W_Q, n_heads)\n"
        "    K = mine.split_heads(X @ W_K, n_heads)\n    V = mine.split_heads(X @ W_V, n_heads)\n"
        "    heads = []\n    for h in range(n_heads):\n        scores = Q[h] @ K[h].T\n"
        "        heads.append(mine.softmax(scores) @ V[h])\n"
        "    return mine.merge_heads(np.array(heads)) @ W_O"
    )
    assert [slip.lines for slip in slips("multi_head_attention", code)] == [(7,)]


def test_of_mends_as_near_the_one_under_a_name_of_the_right_run_gives_the_line():
    """`T`, `scores` or `S` may be scaled."""
    (slip,) = slips(
        "scaled_attention",
        "def f(Q, K, V):\n    d_k = Q.shape[1]\n    T = Q @ K.T\n    scores = T\n    S = scores\n"
        "    return mine.softmax(S) @ V",
    )
    assert slip.lines == (4,)


def test_what_no_right_run_has_is_no_fault_where_another_way_is_gone():
    """The gates are made for the chosen experts alone: their numbers stand in no right run."""
    code = (
        "def f(X, W_g, W_1, b_1, W_2, b_2, k):\n    logits = X @ W_g\n"
        "    out = np.zeros((X.shape[0], W_2.shape[2]))\n    for n, x in enumerate(X):\n"
        "        best = np.argsort(logits[n])[::-1][:k]\n"
        "        e = np.exp(logits[n][best] - logits[n][best].max())\n"
        "        for g, i in zip(e / e.sum(), best):\n"
        "            h = np.maximum(0, x @ W_1[i] + b_1[i])\n"
        "            out[n] += g * h @ W_2[i] + b_2[i]\n    return out"
    )
    assert {line for slip in slips("expert_layer", code) for line in slip.lines} <= {9}


def test_what_reads_a_variable_once_it_is_made_anew_says_nothing_of_its_first_value():
    """`y` is made another way, and what is made of it is right; then it is made anew, and wrong."""
    tree = ast.parse(
        "def f(x):\n    y = x + 5\n    z = y - 4\n    y = x * 7\n    return z + y"
    ).body
    search, x = Substitution.__new__(Substitution), np.arange(1.0, 4.0)
    search.traced, search.entry = TracedProgram(tree, {"np": np}, "f"), "f"
    lines = {site.line: k for k, site in enumerate(search.traced.sites) if site.name or site.whole}
    run = Noted([(lines[2], x + 5), (lines[3], x + 1), (lines[4], x * 7), (lines[5], 8 * x + 1)])
    assert search.first_unknown(run, {_print(x + 1)}) == lines[4]


def test_a_value_that_only_a_later_round_makes_wrong_is_not_the_first():
    """In the first round `y` is right, and `x` becomes wrong by the second line."""
    tree = ast.parse("def f(x):\n    for _ in '12':\n        y = x + 1\n        x = y * 7").body
    search, x = Substitution.__new__(Substitution), np.arange(1.0, 4.0)
    search.traced, search.entry = TracedProgram(tree, {"np": np}, "f"), "f"
    lines = {site.line: k for k, site in enumerate(search.traced.sites) if site.name}
    rounds = [(lines[3], x + 1), (lines[4], 7 * x + 7), (lines[3], 7 * x + 8), (lines[4], x - 9)]
    assert search.first_unknown(Noted(rounds), {_print(x + 1)}) == lines[4]


def test_what_is_halfway_is_right_where_more_of_its_shape_is_made_of_it():
    """The right run squares `x + 1` at once; one that sums it up at once has left that out."""
    for code, line in (
        ("def f(x):\n    y = x + 1\n    z = y * 9\n    return z.sum()", 3),
        ("def f(x):\n    y = x + 1\n    z = y.sum()\n    return z", 2),
    ):
        search, x = Substitution.__new__(Substitution), np.array([0.31, 1.72, 2.96])
        search.traced, search.entry = TracedProgram(ast.parse(code).body, {"np": np}, "f"), "f"
        notes = search.traced.values(Runner(Judge([(x,)], [0.0], [0.0], None, 1, 1)), 0)[0]
        halfway = {_print(x + 1)}
        site = search.first_unknown(notes, halfway | {_print(x)}, halfway)
        assert search.traced.sites[site].line == line


WRITTEN_OUT = """def f(tokens, params, blocks, n_heads):
    T = len(tokens)
    X = params["W_E"][tokens] + params["R"][:T]
    D = X.shape[1]
    d = D // n_heads
    hide = np.triu(np.ones((T, T), bool), 1)
    for b in blocks:
        I = mine.layer_norm(X, b["gamma_1"], b["beta_1"], 1e-5)
        Q, K, V = [I @ b["W_" + n] + b["b_" + n] for n in "QKV"]
        outs = []
        for h in range(n_heads):
            cols = slice(h * d, (h + 1) * d)
            S = Q[:, cols] @ K[:, cols].T / np.sqrt(d)
            S[hide] = -np.inf
            A = softmax(S)
            outs.append(A @ V[:, cols])
        X = X + np.concatenate(outs, axis=1) @ b["W_O"] + b["b_O"]
        I = mine.layer_norm(X, b["gamma_2"], b["beta_2"], 1e-5)
        H = I @ b["W_1"] + b["b_1"]
        H = np.maximum(H, 0)
        X = X + H @ b["W_2"] + b["b_2"]
    Y = mine.layer_norm(X, params["gamma"], params["beta"], 1e-5)
    return Y @ params["W_out"] + params["b_out"]
"""


@pytest.mark.parametrize(
    ("right", "wrong", "line"),
    [
        ("np.sqrt(d)", "np.sqrt(T)", 13),
        ("softmax(S)", "softmax(S.T).T", 15),
        ("np.maximum(H, 0)", "np.minimum(H, 0)", 20),
    ],
)
def test_of_a_model_that_is_written_out_the_first_wrong_step_is_the_slips(right, wrong, line):
    """It calls none of the earlier exercises, but their values are known: the scores, a mask that
    says what is hidden, the hidden features."""
    material = EXERCISES["forward"].material
    program = read_program(written(WRITTEN_OUT.replace(right, wrong)))
    runs = Substitution(program, material.judge, material.right_run)
    i = runs.order[0]
    site = runs.first_unknown(runs.runs[i][0], runs.known_prints(i), runs.halfway_prints(i))
    assert runs.traced.sites[site].line == line


def test_a_gap_that_is_left_in_a_call_is_told():
    code = "def f(s):\n    rows = []\n    rows.append(...)\n    return 1 * sum(rows)"
    diagnosis = EXERCISES["softmax"].check(written(code))
    assert (diagnosis.mistake, diagnosis.lines) == ("a gap left open", (3,))


def test_an_argument_that_is_read_nowhere_is_told_beside_another_variable():
    code = (
        "def f(X, context, W_Q, W_K, W_V):\n    Q = X @ W_K\n    K = context @ W_K\n"
        "    return softmax(Q @ K.T) @ (context @ W_V)"
    )
    exercise = EXERCISES["cross_attention"]
    with mock.patch.object(exercise, "mistakes", []), mock.patch.object(exercise, "ideas", {}):
        diagnosis = exercise.check(written(code))
    assert "`W_Q` is used nowhere." in diagnosis.sentences
    assert diagnosis.lines == (2,)


class _Elsewhere:
    """A function that runs in another process, of which no code is at hand."""

    def __call__(self, x, *rest):
        return softmax(x) + 1


def test_of_a_function_without_code_no_argument_is_told_to_be_unread():
    diagnosis = EXERCISES["layer_norm"].check(_Elsewhere())
    assert diagnosis.status == "wrong"
    assert "used nowhere" not in diagnosis.sentences


@pytest.mark.parametrize(
    ("exercise", "code", "lines"),
    [
        (
            "rms_norm",
            "def f(x, gamma, eps):\n"
            "    rms = np.sqrt((x**2).sum(axis=-1, keepdims=True)) + eps\n"
            "    y = gamma * x / rms\n"
            "    return y",
            {2},
        ),
        (
            "merge_heads",
            "def f(X):\n"
            "    H, T, d = X.shape\n"
            "    merged = X.transpose(1, 2, 0).reshape(H, T * d)\n"
            "    return merged",
            {3},
        ),
        (
            "transformer_block",
            "def f(X, attend, think, norm):\n"
            "    normed = norm(X)\n"
            "    Z = X + attend(normed)\n"
            "    output = Z + think(Z)\n"
            "    return output",
            {4},
        ),
    ],
)
def test_a_right_line_is_not_blamed_because_a_right_value_can_be_brought_in_elsewhere(
    exercise, code, lines
):
    """A step that is taken away with a right one that is put in, and lengths of axes under the
    names that the task gives them, are no slips."""
    found = slips(exercise, code)
    assert found
    assert set().union(*(slip.lines for slip in found)) == lines


def test_what_is_said_of_the_result_is_not_said_of_a_line():
    code = (
        "def my_self_attention(X):\n"
        "    E = np.exp(X @ X.T)\n"
        "    A = E / E.sum(axis=0, keepdims=True)\n"
        "    return A @ E"
    )
    said = EXERCISES["self_attention"].check(written(code, "my_self_attention")).sentences
    assert "What comes back has shape" in said


# Beside a written misconception.


def told(exercise, code):
    """The verdict, with time enough."""
    unhurried = dict.fromkeys(["SECONDS_ONE", "SECONDS_BESIDE", "SECONDS_SUBSTITUTION"], 20.0)
    with (
        mock.patch.multiple(explaining, **unhurried),
        mock.patch.object(evaluation, "run_search", lambda f, *a, seconds: f(*a)),
    ):
        return EXERCISES[exercise].check(written(code))


def nexts(diagnosis):
    return [text for title, text, _ in diagnosis.ladder if title == "Next"]


def test_of_two_slips_one_that_is_a_written_misconception_alone_has_its_name():
    diagnosis = told(
        "feed_forward",
        "def f(X, W_1, b_1, W_2, b_2):\n    hidden = X @ W_1 + b_1\n    hidden = np.abs(hidden)\n"
        "    output = hidden @ W_2 - b_2\n    return output",
    )
    assert (diagnosis.mistake, diagnosis.lines) == ("absolute values instead of ReLU", (3, 4))
    assert "Look at line 3: `hidden = np.abs(hidden)`. Leave line 4 aside. " in diagnosis.sentences
    assert nexts(diagnosis)[0].startswith("Look at line 4: which sign")


def test_a_second_slip_without_a_line_of_its_own_is_told_by_its_name():
    diagnosis = told(
        "nearest_words",
        "def f(i, vectors, k):\n    lengths = np.linalg.norm(vectors, axis=1)\n"
        "    cosine = vectors @ vectors[i] / lengths ** 2\n    order = np.argsort(-cosine)\n"
        "    rows = order[:k]\n    return rows",
    )
    assert diagnosis.lines == (3, 5)
    assert nexts(diagnosis)[0].startswith("Once that is right: Look at line 5: `rows = order[:k]`.")


@pytest.mark.parametrize(
    ("exercise", "code"),
    [
        (
            "forward",
            "def f(tokens, params, blocks, n_heads):\n"
            "    X = params['W_E'][tokens] + params['R']\n"
            "    for block in blocks:\n        X = mine.transformer_block(X, block, n_heads)\n"
            "    Y = mine.layer_norm(X, params['gamma'], params['beta'], 1e-5)\n"
            "    return Y @ params['W_out'] + params['b_out']",
        ),
        (
            "advantages",
            "def f(rewards, log_p, log_p_ref, leash):\n"
            "    worth = rewards - leash * log_p - log_p_ref\n    total = worth.sum()\n"
            "    others = (total - worth) / (len(worth) - 1)\n    return worth - others",
        ),
    ],
    ids=["the first row of a table", "no effect of an argument"],
)
def test_an_edit_that_itself_makes_a_misconception_is_no_slip(exercise, code):
    assert "two slips" not in told(exercise, code).sentences


def test_a_mend_whose_value_no_right_run_has_is_no_slip_where_another_has_it():
    """The matrix as it was, no gate, axis 0 of the mean: misconceptions, but not theirs."""
    diagnosis = told(
        "train_step",
        "def f(Y, answer, W, rate):\n    r = np.eye(W.shape[1])[answer]\n"
        "    p = mine.softmax(Y @ W)\n    d_scores = p - r\n"
        "    dW = Y.T @ d_scores / W.shape[1]\n    W_new = W - dW\n"
        "    loss = -np.log((p * r).sum(axis=1)).mean()\n    return loss, W_new",
    )
    assert (diagnosis.mistake, diagnosis.lines) == ("divided by the number of words", (5, 6))
    diagnosis = told(
        "swiglu",
        "def f(X, W_gate, W_up, W_down):\n    g = X @ W_gate\n    up = X @ W_up\n"
        "    gate = 1 / (1 + np.exp(-g))\n    Y = (gate + up) @ W_down\n    return Y",
    )
    assert (diagnosis.mistake, diagnosis.lines) == ("sigmoid instead of silu", (4, 5))
    diagnosis = told(
        "layer_norm",
        "def f(x, gamma, beta, eps=1e-5):\n    mean = x.mean(axis=-1)\n"
        "    var = x.var(axis=0, keepdims=True)\n    y = (x - mean) / np.sqrt(var + eps)\n"
        "    return gamma * y + beta",
    )
    assert "which shape has `x.mean(axis=-1)`" in diagnosis.sentences
    assert nexts(diagnosis)[0].startswith("Look at line 3: over the numbers of what")


def test_of_two_slips_the_one_whose_line_stops_it_is_told_first():
    diagnosis = told(
        "softmax",
        "def f(scores):\n    most = scores.max(axis=-1, keepdims=True)\n"
        "    e = np.exp(scores + most)\n    return e / e.sum(axis=-1)",
    )
    assert diagnosis.mistake == "keepdims forgotten"
    assert "Look at line 4: which shape" in diagnosis.sentences
    assert nexts(diagnosis)[0].startswith("Look at line 3: which sign")


def test_no_value_is_told_of_a_line_that_is_not_reached():
    diagnosis = told(
        "reply",
        "def f(history, said, before, between, end, next_scores, choose, most):\n"
        "    read = history + before + said + between\n    answer = []\n"
        "    for i in range(most):\n        token = next_scores(read + answer)\n"
        "        if token == end:\n            break\n        answer.append(token)\n"
        "    longer = history + said + answer + [end]\n    return answer, longer",
    )
    assert (diagnosis.mistake, diagnosis.lines) == ("if of a whole array", (6,))


def test_a_list_that_grows_is_not_put_right_for_a_second_look():
    diagnosis = told(
        "reply",
        "def f(history, said, before, between, end, next_scores, choose, most):\n"
        "    read = history + before + said + between\n    answer = []\n"
        "    for i in range(most - 1):\n        token = choose(next_scores(answer))\n"
        "        if token == end:\n            break\n        answer.append(token)\n"
        "    longer = read + answer + [end]\n    return answer, longer",
    )
    assert diagnosis.lines == (3, 5)
    assert nexts(diagnosis) == []


def test_two_turns_that_undo_what_is_between_them_are_no_lines_of_a_known_mistake():
    diagnosis = told(
        "rotate",
        "def f(X, cos, sin):\n    half = X.shape[1] // 2\n"
        "    a, b = X[:, :half], X[:, half:]\n    new_a = a * cos + b * sin\n"
        "    new_b = b * cos - a * sin\n    return np.concatenate([new_a, new_b], axis=1)",
    )
    assert (diagnosis.mistake, diagnosis.lines) == ("wrong sign", ())


def test_a_return_inside_a_loop_is_moved_with_the_line_before_it():
    code = (
        "def f(ids, pair, new):\n    out = []\n    for i in ids:\n        out.append(i)\n"
        "        done = list(out)\n        return done"
    )
    exercise = Exercise("listed", lambda ids, pair, new: list(ids), [([1, 2, 3], (1, 2), 9)] * 2)
    (slip,) = slips(exercise, code)
    assert slip.lines == (5, 6)


def test_a_size_that_gets_its_name_is_right():
    (slip,) = slips(
        "scaled_attention",
        "def f(Q, K, V):\n    d_k = Q.shape[-1]\n    scores = Q @ K.T / d_k\n"
        "    return mine.softmax(scores) @ V",
    )
    assert slip.lines == (3,)


def test_two_steps_in_the_wrong_order_are_one_slip():
    diagnosis = told(
        "transformer_block",
        "def f(X, attend, think, norm):\n    Z = X + norm(attend(X))\n"
        "    output = Z + think(norm(X))\n    return output",
    )
    assert (diagnosis.mistake, diagnosis.lines) == ("the order of two steps", (2, 3))


def test_a_function_is_another_function_and_no_other_number():
    diagnosis = told(
        "softmax_jacobian",
        "def f(weights):\n    return np.diagonal(weights) - np.outer(weights, weights)",
    )
    assert (diagnosis.mistake, diagnosis.lines) == ("another function", (2,))
    assert "is `np.diagonal` the function that is meant there?" in diagnosis.sentences
    diagnosis = told(
        "sinusoidal_positional_encoding",
        "def f(T, D):\n    angles = np.outer(np.arange(T), 10000.0 ** (-np.arange(0, D, 2) / D))\n"
        "    R = np.zeros((T, D))\n    R[:, 0::2] = np.cos(angles)\n"
        "    R[:, 1::2] = np.sin(angles)\n    return R",
    )
    assert (diagnosis.mistake, diagnosis.lines) == ("sin and cos swapped", (4, 5))
