"""What a student reads of a slip, and of two: where it stands, what is asked, what comes next."""

import pytest
from test_searches import nexts, told

from course_utils.diagnosis.slip_words import without_praise

MASKED = """
def f(Q, K, V, mask):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    scores = np.where(mask, scores, -np.inf)
    weights = mine.softmax(scores)
    weights = np.where(mask, weights, 0)
    return weights @ V, weights
"""
TOP_P = """
def f(probabilities, p):
    order = np.argsort(-probabilities)
    together = np.cumsum(probabilities[order])
    n = (together < p * (1 - 1e-12)).sum() + 1
    kept = np.zeros_like(probabilities)
    kept[order[:n]] = probabilities[order[:n]]
    return kept / kept.sum()
"""
NORM = """
def f(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta
"""
SPLIT = """
def f(X, n_heads):
    T, D = X.shape
    d = D // n_heads
    return X.reshape(T, n_heads, d).swapaxes(0, 1)
"""
STEP = """
def f(q, k, v, K, V):
    K = np.vstack([K, k])
    V = np.vstack([V, v])
    scores = K @ q / np.sqrt(len(q))
    w = mine.softmax(scores[None])[0]
    return w @ V, K, V
"""
EXPERTS = """
def f(X, W_g, W_1, b_1, W_2, b_2, k):
    gates = mine.top_k_gate(X @ W_g, k)
    answers = []
    for e in range(len(W_1)):
        answers.append(mine.feed_forward(X, W_1[e], b_1[e], W_2[e], b_2[e]))
    return mine.mixture_of_experts(gates, np.stack(answers, axis=1))
"""
LOOP = """
def f(Q, K, V):
    output = np.zeros((len(Q), V.shape[1]))
    for i in range(len(Q)):
        scores = K @ Q[i]
        e = np.exp(scores - scores.max())
        w = e / e.sum()
        for j in range(len(K)):
            output[i] += w[j] * V[j]
    return output
"""
CROSS = """
def f(X, context, W_Q, W_K, W_V):
    Q = X @ W_Q
    K = context @ W_K
    V = context @ W_V
    return mine.attention(Q, K, V)
"""


def of(exercise, code, *changes):
    for old, new in changes:
        assert code.count(old) == 1, old
        code = code.replace(old, new)
    return told(exercise, code.strip("\n"))


@pytest.mark.parametrize(
    ("exercise", "code", "changes", "mistake", "lines", "said"),
    [
        # what is sorted beside what is not
        (
            "top_p",
            TOP_P,
            [("= probabilities[order[:n]]", "= probabilities[:n]")],
            "another part of it",
            (6,),
            "which part is `probabilities[:n]`",
        ),
        (
            "top_p",
            TOP_P,
            [("cumsum(probabilities[order])", "cumsum(probabilities)")],
            "in another order",
            (3,),
            "in which order do the numbers of `probabilities` stand",
        ),
        # one limit left away twice
        (
            "kv_cache_step",
            STEP,
            [("w @ V", "w[:-1] @ V[:-1]")],
            "off by one",
            (6,),
            "where should `w[:-1]` begin",
        ),
        # a number that is no limit, and a table that is no product
        (
            "masked_attention",
            MASKED,
            [("np.where(mask, weights, 0)", "np.where(np.isnan(weights), 1, weights)")],
            "another number",
            (5,),
            "which number belongs in `np.where(np.isnan(weights), 1, weights)`",
        ),
        (
            "masked_attention",
            MASKED,
            [("mask, scores", "mask.T, scores")],
            "transposed, or not",
            (3,),
            "which shape has `mask.T`",
        ),
        # NaN
        (
            "masked_attention",
            MASKED,
            [("np.where(mask, weights, 0)", "np.where(weights == np.nan, 0, weights)")],
            "NaN compared with ==",
            (5,),
            "`weights == np.nan` finds no NaN",
        ),
        # a misconception is told by ordinary calls, its line too
        (
            "masked_attention",
            MASKED,
            [
                ("scores, -np.inf", "scores, 0"),
                ("np.where(mask, weights, 0)", "np.where(weights == np.nan, 0, weights)"),
            ],
            "scores set to zero",
            (3,),
            "Look at line 3: `np.where(mask, scores, 0)`.",
        ),
        # a sum that is not divided by, and brackets around a difference
        (
            "kv_cache_step",
            STEP,
            [("mine.softmax(scores[None])[0]", "np.exp(scores - scores.max())")],
            "not divided by the sum",
            (5,),
            "what must `np.exp(scores - scores.max())` add up to",
        ),
        (
            "layer_norm",
            NORM,
            [("gamma * (x - mean) / np.sqrt(var + eps)", "x - mean / np.sqrt(var + eps) * gamma")],
            "the brackets",
            (4,),
            "what is computed first in `x - mean / np.sqrt(var + eps) * gamma`",
        ),
        # the counter of a loop
        (
            "expert_layer",
            EXPERTS,
            [("W_2[e]", "W_1[e]")],
            "an argument that does not fit",
            (5,),
            "It is `W_1[e]`; `W_2[e]` belongs there.",
        ),
    ],
)
def test_one_slip(exercise, code, changes, mistake, lines, said):
    diagnosis = of(exercise, code, *changes)
    assert (diagnosis.mistake, diagnosis.lines[:1]) == (mistake, lines)
    assert said in diagnosis.sentences


@pytest.mark.parametrize(
    ("exercise", "code", "changes", "first", "then"),
    [
        # the slip that stops the function comes first, and what is said is said of it
        (
            "layer_norm",
            NORM,
            [
                ("x.mean(axis=-1, keepdims=True)", "x.mean(axis=-1)"),
                ("np.sqrt(var + eps)", "(np.sqrt(var) + eps)"),
            ],
            "Look at line 2: which shape has `x.mean(axis=-1)`",
            "Once that is right: Look at line 4: `np.sqrt(var) + eps`.",
        ),
        (
            "split_heads",
            SPLIT,
            [
                ("D // n_heads", "D / n_heads"),
                ("X.reshape(T, n_heads, d).swapaxes(0, 1)", "X.reshape(n_heads, T, d)"),
            ],
            "Look at line 3: is the operation in `D / n_heads`",
            "Once that is right: Look at line 4: `X.reshape(n_heads, T, d)`.",
        ),
        # a step that is missing is told where its name is given
        (
            "kv_cache_step",
            STEP,
            [(" / np.sqrt(len(q))", ""), ("w @ V", "w[:-1] @ V[:-1]")],
            "Look at line 4: `scores`. Leave line 6 aside.",
            "Look at line 6: where should `w[:-1]` begin",
        ),
        # two slips of a loop; what is measured of both is said of neither
        (
            "attention",
            LOOP,
            [("w = e / e.sum()", "w = e"), ("output[i] +=", "output[i] =")],
            "Look at line 6: `e`. Leave line 8 aside. ",
            "Once that is right: Look at line 8: `output[i] = w[j] * V[j]`.",
        ),
        # "X stands in your code" is nothing to say where the other slip reads it
        (
            "cross_attention",
            CROSS,
            [("Q = X", "Q = context"), ("V = context", "V = X")],
            "Look at line 4: is `X` the variable",
            "Look at line 2: is `context` the variable",
        ),
    ],
)
def test_two_slips(exercise, code, changes, first, then):
    diagnosis = of(exercise, code, *changes)
    assert f"There are two slips. {first}" in diagnosis.sentences
    assert diagnosis.sentences == diagnosis.sentences.strip()
    assert nexts(diagnosis)[0].startswith(then)


def test_above_the_first_line_there_is_nothing():
    code = "def f(Q, K, V):\n    output = mine.softmax(Q @ K.T / np.sqrt(2)) @ V\n    return output"
    said = "The value of `np.sqrt(2)` in line 2 is wrong. "
    assert said in of("scaled_attention", code).sentences


def test_a_name_says_enough_where_values_alone_tell_a_place():
    code = """
def f(x, weights, means, sds):
    z = (x[:, None] - means) / sds
    density = np.exp(-z ** 2 / 2) / np.sqrt(2 * np.pi)
    joint = density
    return joint / joint.sum(axis=1, keepdims=True)
"""
    diagnosis = of("responsibilities", code)
    assert diagnosis.mistake == "mixing weights and height forgotten"
    assert "is right. The value of" not in diagnosis.sentences


def test_what_is_true_of_a_guess_alone_is_not_said_of_the_code():
    """p counts here, though not in what the search changes it into."""
    code = """
def f(probabilities, p):
    order = np.arange(len(probabilities))
    total = 0
    kept = np.zeros(len(probabilities))
    for n in order:
        if total > p - 1e-12:
            break
        kept[n] = probabilities[n]
        total += probabilities[n]
    return kept
"""
    assert "stands in your code" not in str([of("top_p", code), *nexts(of("top_p", code))])


def test_a_loop_that_would_never_run_mends_nothing():
    """With `range(-T)` the inner line would not count, and the rest could be put in at the end."""
    code = """
def f(weights):
    T = len(weights)
    J = np.zeros((T, T))
    for i in range(T):
        for j in range(T):
            J[i, j] = -weights[i] * (1 - weights[j])
        J[i, i] = weights[i]
    return J
"""
    assert 5 not in of("softmax_jacobian", code).lines


@pytest.mark.parametrize(
    ("hint", "said"),
    [
        ("The shape is right, but two axes are swapped.", "Two axes are swapped."),
        ("The right experts are kept, but their gates are equal.", "Their gates are equal."),
        (
            "The right texts are kept, but in the order of the table.",
            "The right texts are kept, but in the order of the table.",
        ),
    ],
)
def test_of_two_slips_nothing_is_called_right_that_the_other_may_spoil(hint, said):
    assert without_praise(hint) == said


FORWARD = """
def my_forward(tokens, params, blocks, n_heads):
    def norm(x, gamma, beta):
        mean = np.mean(x, axis=-1, keepdims=True)
        var = np.mean((x - mean) ** 2, axis=-1, keepdims=True)
        return gamma * (x - mean) / np.sqrt(var + 1e-5) + beta

    def head(q, k, v):
        s = q @ k.T / np.sqrt(q.shape[-1])
        s = s - 1e9 * np.triu(np.ones(s.shape), 1)
        w = np.exp(s - s.max(axis=-1, keepdims=True))
        return (w / w.sum(axis=-1, keepdims=True)) @ v

    x = params["W_E"][tokens] + params["R"][: len(tokens)]
    for b in blocks:
        y = norm(x, b["gamma_1"], b["beta_1"])
        parts = [np.split(y @ b["W_" + n] + b["b_" + n], n_heads, axis=1) for n in "QKV"]
        x = x + np.hstack([head(*p) for p in zip(*parts)]) @ b["W_O"] + b["b_O"]
        y = norm(x, b["gamma_2"], b["beta_2"])
        x = x + np.maximum(y @ b["W_1"] + b["b_1"], 0) @ b["W_2"] + b["b_2"]
    return norm(x, params["gamma"], params["beta"]) @ params["W_out"] + params["b_out"]
"""
LOSS = """
def f(good, bad, good_ref, bad_ref, beta):
    margin = (good - bad) + (good_ref - bad_ref)
    chance = 1 / (1 + np.exp(-beta * margin))
    slope = -beta * (1 - chance) / len(good)
    return -np.log(chance).mean(), slope, -slope
"""


def test_where_a_helper_of_ones_own_is_wrong_no_line_is_told_on_next():
    found = of("forward", FORWARD, (" + 1e-5) + beta", " + 1e-5)"), (' + params["b_out"]', ""))
    assert "In line 15 `y` gets a value that no right run has" in found.sentences
    assert nexts(found) == []


def test_a_sign_or_brackets_are_one_question():
    found = of("preference_loss", LOSS)
    assert (found.mistake, found.lines) == ("the wrong sign", (2,))
    assert (
        "which parts of `margin = good - bad + (good_ref - bad_ref)` are added" in found.sentences
    )


def test_below_a_helper_it_is_said_where_the_lines_begin():
    helper = "def scores_of(Q, K):\n    return Q @ K.T / np.sqrt(K.shape[1])\n"
    code = (
        f"{helper}def f(Q, K, V, mask):\n    scores = np.where(mask, scores_of(Q, K), 0)\n"
        "    weights = mine.softmax(scores)\n    return weights @ V, weights"
    )
    assert told("masked_attention", code).sentences.endswith("(Line 1 is `def f`.)")
    assert (
        "Line 1 is"
        not in told(
            "masked_attention",
            code.removeprefix(helper).replace("scores_of(Q, K)", "Q @ K.T / np.sqrt(K.shape[1])"),
        ).sentences
    )
