"""Builds that go wrong are led to the step where they do so: which call, which argument, what in
place of what.
"""

import linecache
import re

import numpy as np
import pytest

from course_utils.exercises import EXERCISES, mine

FORWARD = """def my_forward(tokens, params, blocks, n_heads):
    T = len(tokens)
    X = params["W_E"][tokens] + params["R"][:T]
    mask = mine.causal_mask(T)
    for b in blocks:
        I = mine.layer_norm(X, b["gamma_1"], b["beta_1"], 1e-5)
        Q = mine.split_heads(I @ b["W_Q"] + b["b_Q"], n_heads)
        K = mine.split_heads(I @ b["W_K"] + b["b_K"], n_heads)
        V = mine.split_heads(I @ b["W_V"] + b["b_V"], n_heads)
        heads = [mine.masked_attention(Q[h], K[h], V[h], mask)[0] for h in range(n_heads)]
        Z = X + mine.merge_heads(np.stack(heads)) @ b["W_O"] + b["b_O"]
        J = mine.layer_norm(Z, b["gamma_2"], b["beta_2"], 1e-5)
        X = Z + mine.feed_forward(J, b["W_1"], b["b_1"], b["W_2"], b["b_2"])
    Y = mine.layer_norm(X, params["gamma"], params["beta"], 1e-5)
    return Y @ params["W_out"] + params["b_out"]
"""
REPLY = """def my_reply(history, said, before, between, end, next_scores, choose, most):
    read = [*history, *before, *said, *between]
    answer = []
    while len(answer) < most:
        token = choose(next_scores(read + answer))
        if token == end:
            break
        answer.append(token)
    return answer, [*read, *answer, end]
"""
BLOCK = """def my_transformer_block(X, attend, think, norm):
    Z = X + attend(norm(X))
    return Z + think(norm(Z))
"""
HEADS = """def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    Q = mine.split_heads(X @ W_Q, n_heads)
    K = mine.split_heads(X @ W_K, n_heads)
    V = mine.split_heads(X @ W_V, n_heads)
    S = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    heads = [mine.softmax(S[h]) @ V[h] for h in range(n_heads)]
    return mine.merge_heads(np.stack(heads)) @ W_O
"""
EXPERTS = """def my_expert_layer(X, W_g, W_1, b_1, W_2, b_2, k):
    gates = mine.top_k_gate(X @ W_g, k)
    answers = [mine.feed_forward(X, W_1[e], b_1[e], W_2[e], b_2[e]) for e in range(len(W_1))]
    return mine.mixture_of_experts(gates, np.stack(answers, axis=1))
"""
WORD = """def my_encode_word(word, pairs):
    ids = list(word.encode())
    for k, pair in enumerate(pairs):
        ids = mine.merge_pair(ids, pair, 256 + k)
    return ids
"""
# The right code, what is written in place of what, and what must be said of it.
SLIPS = {
    "K and V swapped": (
        FORWARD,
        "Q[h], K[h], V[h]",
        "Q[h], V[h], K[h]",
        "`masked_attention`.*`V.h.`; `K.h.` belongs there",
    ),
    "the last rows of R but one": (
        FORWARD,
        'params["R"][:T]',
        'params["R"][-T - 1 : -1]',
        r"`R.\d+:\d+.` where `R.0:5.` belongs",
    ),
    "keys made with the matrix of the values": (
        FORWARD,
        'I @ b["W_K"]',
        'I @ b["W_V"]',
        "line 8.*`I @ W_V` where `I @ W_K` belongs",
    ),
    "another bias at the queries": (
        FORWARD,
        '+ b["b_Q"]',
        '+ b["b_K"]',
        "line 7.*`b_K` where `b_Q` belongs",
    ),
    "gamma and beta swapped": (
        FORWARD,
        'b["gamma_2"], b["beta_2"]',
        'b["beta_2"], b["gamma_2"]',
        "second of `layer_norm`.*`beta_2`; `gamma_2` belongs",
    ),
    "a stale norm": (
        FORWARD,
        "feed_forward(J,",
        "feed_forward(I,",
        "`feed_forward`.*`I`; `J` belongs there",
    ),
    "the mask turned round": (
        FORWARD,
        "mine.causal_mask(T)",
        "~mine.causal_mask(T)",
        "mask turned round|inverted mask|in its `mask`",
    ),
    "b_O forgotten": (
        FORWARD,
        ' @ b["W_O"] + b["b_O"]',
        ' @ b["W_O"]',
        "bias after W_O forgotten|b_O is missing",
    ),
    "b_O of the first block in all": (
        FORWARD,
        ' + b["b_O"]',
        ' + blocks[0]["b_O"]',
        "`b_O of the first block` where `b_O` belongs",
    ),
    "a tied head": (
        FORWARD,
        'Y @ params["W_out"]',
        'Y @ params["W_E"].T',
        "`Y @ W_E.T` where `Y @ W_out` belongs",
    ),
    "positions from 1": (FORWARD, "[:T]", "[1:T + 1]", "`R.1:6.` where `R.0:5.` belongs"),
    "the stream before the norm": (
        FORWARD,
        'mine.layer_norm(X, params["gamma"], params["beta"], 1e-5)',
        "X",
        "norm",
    ),
    "another eps": (
        FORWARD,
        'b["beta_1"], 1e-5',
        'b["beta_1"], 1e-3',
        "in its `eps`. It is 0.001; 1e-05 fits",
    ),
    "the stream doubled": (
        FORWARD,
        'b["beta_2"], 1e-5)\n',
        'b["beta_2"], 1e-5)\n        Z = Z + X\n',
        "`X` is added once too often",
    ),
    "the parts in another order": (
        REPLY,
        "*before, *said",
        "*said, *before",
        "line 2.*`history` \\+ `said` \\+ `before`|the opening",
    ),
    "between left out": (REPLY, ", *between]", "]", "between left out|between missing"),
    "the answer twice in the history": (
        REPLY,
        "[*read, *answer, end]",
        "[*read, *answer, *answer, end]",
        "answer too often",
    ),
    "between in front of every token": (
        REPLY,
        "next_scores(read + answer)",
        "next_scores(read + answer + between)",
        "`next_scores`.*between",
    ),
    "end behind the answer": (
        REPLY,
        "return answer, ",
        "return [*answer, end], ",
        "end in the answer|end too often|end stands twice",
    ),
    "a part scaled": (
        BLOCK,
        "Z + think(norm(Z))",
        "Z + 3 * think(norm(Z))",
        "what think gives 3 times instead of once",
    ),
    "taken away": (BLOCK, "Z + think", "Z - think", "taken away"),
    "a part added twice": (
        BLOCK,
        "Z + think(norm(Z))",
        "Z + 2 * think(norm(Z))",
        "what think gives is added once too often",
    ),
    "keys of another head": (HEADS, "@ V[h]", "@ V[0]", "(?s)`merge_heads`"),
    "keys with the matrix of the queries": (HEADS, "X @ W_K", "X @ W_Q", "W_K|queries"),
    "the first expert's bias": (EXPERTS, "b_1[e]", "b_1[0]", "`feed_forward`.*`b_1`"),
    "one expert fewer": (
        EXPERTS,
        "X @ W_g, k)",
        "X @ W_g, k - 1)",
        "`top_k_gate`.*in its `k`. It is 2; 3 fits",
    ),
    "letters dropped": (
        WORD,
        "word.encode()",
        'word.encode("ascii", "ignore")',
        "`merge_pair`.*line 2",
    ),
}


def function_of(code):
    """What the code of a notebook's cell defines."""
    file = f"<a build, {hash(code)}>"
    names = {"np": np, "mine": mine, "__name__": "__main__"}
    linecache.cache[file] = len(code), None, code.splitlines(keepends=True), file
    exec(compile(code, file, "exec"), names)
    return names[re.match(r"def (\w+)", code)[1]]


def checked(code):
    name = re.match(r"def my_(\w+)", code)[1]
    return EXERCISES[name].check(function_of(code))


@pytest.mark.parametrize("code", [FORWARD, REPLY, BLOCK, HEADS, EXPERTS, WORD])
def test_the_builds_without_a_slip_are_right(code):
    assert checked(code).status == "correct"


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_in_a_build_is_led_to_its_step(slip):
    code, old, new, said = SLIPS[slip]
    assert code.count(old) >= 1
    diagnosis = checked(code.replace(old, new, 1))
    assert diagnosis.status == "wrong"
    assert re.search(said, diagnosis.sentences), diagnosis.sentences


def test_what_is_right_before_the_step_is_said():
    code, old, new, _ = SLIPS["a stale norm"]
    said = checked(code.replace(old, new)).sentences
    assert (
        "What `causal_mask`, `layer_norm`, `split_heads`, `masked_attention` and `merge_heads` gave"
        " before is right." in said
    )


def test_the_block_is_named():
    said = checked(
        FORWARD.replace("    for b in blocks:\n", "    for k, b in enumerate(blocks):\n").replace(
            'b["gamma_2"], b', 'b["gamma_2"] + (k > 0), b'
        )
    ).sentences
    assert "in the second block" in said


def test_calls_in_another_order_are_no_slip():
    """The keys first, then the queries: only the slip itself is told."""
    lines = FORWARD.splitlines(keepends=True)
    lines[6], lines[7] = lines[7], lines[6]
    said = checked("".join(lines).replace('I @ b["W_V"]', 'X @ b["W_V"]')).sentences
    assert "line 9" in said
    assert "`X @ W_V` where `I @ W_V` belongs" in said


def test_a_function_of_the_student_between_is_looked_into():
    helper = (
        "def heads_of(I, b, x, n_heads):\n    return mine.split_heads(I @ b[f'W_{x}'] + b['b_K'],"
        " n_heads)\n"
    )
    code = (
        re.sub(
            r"mine.split_heads\(I @ b\[\"W_(\w)\"\] \+ b\[\"b_\w\"\], n_heads\)",
            r"heads_of(I, b, '\1', n_heads)",
            FORWARD,
        )
        + helper
    )
    assert "`b_K` where `b_Q` belongs" in checked(code).sentences


def test_a_call_that_stops_is_led_to_what_it_was_given():
    said = checked(
        FORWARD.replace('b["W_1"], b["b_1"], b["W_2"]', 'b["W_2"], b["b_1"], b["W_1"]')
    ).sentences
    assert "in its `W_1`. It is `W_2`; `W_1` belongs there." in said


# Two slips in one build: what is written in place of what, and what is said of the second.
TWO_SLIPS = {
    "no positions; no skip over the network": (
        FORWARD,
        [(' + params["R"][:T]', ""), ("X = Z + mine", "X = mine")],
        "`X` of line 13. In it `Z` is missing",
    ),
    "another gamma; a bias forgotten": (
        FORWARD,
        [('(Z, b["gamma_2"]', '(Z, b["gamma_1"]'), (' + params["b_out"]', "")],
        "line 15, too. .*`b_out` is missing",
    ),
    "keys and values exchanged; a stale norm": (
        FORWARD,
        [("Q[h], K[h], V[h]", "Q[h], V[h], K[h]"), ("feed_forward(J,", "feed_forward(Z,")],
        "`feed_forward`.*`Z`; `J` belongs there",
    ),
    "positions from the end; a softmax at the end": (
        FORWARD,
        [("[:T]", "[-T:]"), ('Y @ params["W_out"]', 'mine.softmax(Y @ params["W_out"])')],
        "line 15, too. What differs is what is returned",
    ),
    "no history; the end among the answer": (
        REPLY,
        [("*history, *before", "*before"), ("return answer,", "return [*answer, end],")],
        "line 9, too. .*`answer` . `.end.`; `answer` belongs there",
    ),
    "what closes the turn forgotten; the answer not kept": (
        REPLY,
        [("*said, *between]", "*said]"), ("[*read, *answer, end]", "[*read, end]")],
        "line 9, too. .*number 2",
    ),
}


@pytest.mark.parametrize("slips", TWO_SLIPS)
def test_of_two_slips_in_a_build_the_second_is_told_on_next(slips):
    code, changes, said = TWO_SLIPS[slips]
    for old, new in changes:
        assert code.count(old) == 1
        code = code.replace(old, new)
    diagnosis = checked(code)
    (after,) = (text for title, text, _ in diagnosis.ladder if title == "Next")
    assert after.startswith("Once that is right"), after
    assert re.search(said, after), after


@pytest.mark.parametrize("slip", SLIPS)
def test_what_follows_from_one_slip_is_not_told_as_a_second(slip):
    code, old, new, _ = SLIPS[slip]
    diagnosis = checked(code.replace(old, new, 1))
    told = [text for title, text, _ in diagnosis.ladder if title == "Next"]
    assert not any(text.startswith("Once that is right:") for text in told), told
