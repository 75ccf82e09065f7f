"""The step of a build that first goes wrong, in words: which call, which argument, what it is."""

import linecache
from types import SimpleNamespace

import numpy as np
import pytest

from course_utils.diagnosis import builds
from course_utils.diagnosis.builds import Run, _Beside, is_build
from course_utils.diagnosis.call_recording import record
from course_utils.exercises import EXERCISES, mine


def normal(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape).round(2)


def norm(x):
    return x - x.mean(axis=-1, keepdims=True)


def mix(a, b):
    return np.tanh(a) + b * b, a.sum()


# A build of two functions that it is given, and one whose lists are put together.

TABLES = """def f(X, W, p, blocks, norm, mix, k):
    T = norm(X[:, :3])
    for b in blocks:
        Y = norm(T @ W) + b["w"]
        M, total = mix(Y, T)
        T = T + M @ b["V"]
    return T @ W + p, k
"""
BLOCKS = [{"w": normal(4, 3), "V": normal(5, 3, 3)}, {"w": normal(6, 3), "V": normal(7, 3, 3)}]
GIVEN = (normal(1, 4, 5), normal(2, 3, 3), normal(3, 3), BLOCKS, norm, mix, 2)
LISTS = """def f(history, said, end, choose, read):
    begun = [*history, *said]
    answer = []
    while len(answer) < 3:
        token = choose(begun + answer)
        answer.append(token)
    return read([*begun, *answer, end])
"""
TOKENS = ([5, 6], [7], 9, lambda tokens: 10 + len(tokens), lambda tokens: len(tokens))


def written(source, name="f"):
    file = f"<beside {source}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    names = {"np": np, "mine": mine, "__name__": "course_utils"}
    exec(compile(source, file, "exec"), names)
    return names[name]


def step(old, new, right=TABLES, arguments=GIVEN, is_stopped=False):
    """The first step that goes wrong where `new` stands in the place of `old`."""
    assert old in right
    theirs, ours = written(right.replace(old, new, 1)), written(right)
    exercise = SimpleNamespace(reference=ours, parts=("norm", "mix", "read"), returns="tokens")
    runs = [Run(record(function, arguments)) for function in (theirs, ours)]
    return _Beside(exercise, theirs, arguments, *runs, 1e-7).step(is_stopped)


FIRST = "The first call that differs from a right run is that of "
BEFORE = " What `norm` gave before is right."
RIGHT_CALLS = "All functions that you call are given what is right, and give what is right."
ONE = "Of the 2 things that come back, look at number 1."
SLIPS = [  # what stands, what is written in its place, the name, the sentences, the line
    (
        "norm(X[:, :3])",
        "norm(X[:, 1:4])",
        None,
        FIRST.removesuffix("that of ")
        + "the first of "
        + "`norm` (line 2), in its `x`. It holds other numbers than in a right run.",
        (2,),
    ),
    (
        "norm(X[:, :3])",
        "X[:, :3]",
        "T @ W in the place of T",
        (
            f"{FIRST}`norm` in the first block (line 4), in its `x`. It is made with `T @ W` "
            "where `T` belongs."
        ),
        (4,),
    ),
    (
        "norm(T @ W)",
        "norm(T @ W.T)",
        "T @ W.T in the place of T @ W",
        (
            f"{FIRST}`norm` in the first block (line 4), in its `x`. It is made with `T @ W.T` "
            f"where `T @ W` belongs.{BEFORE}"
        ),
        (4,),
    ),
    (
        "norm(T @ W)",
        "norm(T)",
        "T in the place of the x of norm",
        (
            f"{FIRST}`norm` in the first block (line 4), in its `x`, which is `T` of line 2. It "
            f"is `T`; the x of norm belongs there.{BEFORE}"
        ),
        (2, 4),
    ),
    (
        "norm(T @ W)",
        "norm(2 * T @ W)",
        None,
        (
            f"{FIRST}`norm` in the first block (line 4), in its `x`. Its numbers are 2 times "
            f"those of a right run.{BEFORE}"
        ),
        (4,),
    ),
    (
        "norm(T @ W)",
        "norm(T @ W + p)",
        "p is added as well",
        (
            f"{FIRST}`norm` in the first block (line 4), in its `x`. In it `p` is added once too "
            f"often.{BEFORE}"
        ),
        (4,),
    ),
    (
        "norm(T @ W)",
        'norm(T @ W + b["w"])',
        "w is added as well",
        (
            f"{FIRST}`norm` in the first block (line 4), in its `x`. In it `w` is added once too "
            f"often.{BEFORE}"
        ),
        (4,),
    ),
    (
        "norm(T @ W)",
        "norm(T @ W - p)",
        "p is missing",
        (
            f"{FIRST}`norm` in the first block (line 4), in its `x`. In it `p` is missing: added, "
            f"it would be right.{BEFORE}"
        ),
        (4,),
    ),
    (
        "norm(T @ W)",
        "norm(T @ W)[:, :2]",
        None,
        "`norm` is called twice; a right run calls it 3 times.",
        (),
    ),
    (
        ' + b["w"]',
        "",
        "w is missing",
        (
            f"{FIRST}`mix` in the first block (line 5), in its `a`, which is `Y` of line 4. In it "
            f"`w` is missing: added, it would be right.{BEFORE}"
        ),
        (4, 5),
    ),
    (
        ' + b["w"]',
        ' - b["w"]',
        "w is taken away",
        (
            f"{FIRST}`mix` in the first block (line 5), in its `a`, which is `Y` of line 4. From "
            f"it `w` is taken away; it should be added.{BEFORE}"
        ),
        (4, 5),
    ),
    (
        ' + b["w"]',
        ' + blocks[0]["w"]',
        "w of the first block in the place of w",
        (
            f"{FIRST}`mix` in the second block (line 5), in its `a`, which is `Y` of line 4. It "
            f"is made with `w of the first block` where `w` belongs.{BEFORE}"
        ),
        (4, 5),
    ),
    (
        ' + b["w"]',
        ' + 3 * b["w"]',
        "w is scaled",
        (
            f"{FIRST}`mix` in the first block (line 5), in its `a`, which is `Y` of line 4. In it "
            f"stands `w` 3 times instead of once.{BEFORE}"
        ),
        (4, 5),
    ),
    (
        "mix(Y, T)",
        "mix(T, Y)",
        "T in the place of Y",
        (
            f"{FIRST}`mix` in the first block (line 5), in its `a`, which is `T` of line 2. It is "
            f"`T`; `Y` belongs there.{BEFORE}"
        ),
        (2, 5),
    ),
    (
        "mix(Y, T)",
        "mix(Y, X[:, :3])",
        "the x of norm in the place of T",
        (
            f"{FIRST}`mix` in the first block (line 5), in its `b`. It is the x of norm; `T` "
            f"belongs there.{BEFORE}"
        ),
        (5,),
    ),
    (
        "mix(Y, T)",
        "mix(Y, W)",
        "W in the place of T",
        (
            f"{FIRST}`mix` in the first block (line 5), in its `b`. It is `W`; `T` belongs "
            f"there.{BEFORE}"
        ),
        (5,),
    ),
    (
        "mix(Y, T)",
        "mix(Y, T * np.nan)",
        None,
        (
            f"{FIRST}`mix` in the first block (line 5), in its `b`. It holds numbers that are not "
            f"finite.{BEFORE}"
        ),
        (5,),
    ),
    (
        "mix(Y, T)",
        "mix(Y, np.tanh(T))",
        None,
        (
            f"{FIRST}`mix` in the first block (line 5), in its `b`. It holds other numbers than "
            f"in a right run.{BEFORE}"
        ),
        (5,),
    ),
    (
        'M @ b["V"]',
        'M @ b["V"].T',
        None,
        (
            f"{FIRST}`norm` in the second block (line 4), in its `x`. It holds other numbers than "
            f"in a right run.{BEFORE}"
        ),
        (4,),
    ),
    (
        'M @ b["V"]',
        'Y @ b["V"]',
        None,
        (
            f"{FIRST}`norm` in the second block (line 4), in its `x`. It holds other numbers than "
            f"in a right run.{BEFORE}"
        ),
        (4,),
    ),
    (
        "T = T + M",
        "T = M",
        "T @ W is missing",
        (
            f"{FIRST}`norm` in the second block (line 4), in its `x`. In it `T @ W` is missing: "
            f"added, it would be right.{BEFORE}"
        ),
        (4,),
    ),
    (
        "T = T + M",
        "T = T + T + M",
        "T @ W is added as well",
        (
            f"{FIRST}`norm` in the second block (line 4), in its `x`. In it `T @ W` is added once "
            f"too often.{BEFORE}"
        ),
        (4,),
    ),
    (
        "T = T + M",
        "T = T - M",
        None,
        (
            f"{FIRST}`norm` in the second block (line 4), in its `x`. It holds other numbers than "
            f"in a right run.{BEFORE}"
        ),
        (4,),
    ),
    (
        "T = T + M",
        "T = X[:, :3] + M",
        "the x of norm @ W in the place of T @ W",
        (
            f"{FIRST}`norm` in the second block (line 4), in its `x`. It is made with the x of "
            f"norm @ W where `T @ W` belongs.{BEFORE}"
        ),
        (4,),
    ),
    (
        " + p, k",
        ", k",
        "p is missing",
        f"{RIGHT_CALLS} {ONE} In it `p` is missing: added, it would be right.",
        (7,),
    ),
    (
        " + p, k",
        " + p, k + 1",
        None,
        f"{RIGHT_CALLS} Of the 2 things that come back, look at number 2. It is 3; 2 fits.",
        (7,),
    ),
    (
        " + p, k",
        f" + p, {'7' * 78}",
        None,
        (
            f"{RIGHT_CALLS} Of the 2 things that come back, look at number 2. "
            f"It is {'7' * 78}; 2 fits."
        ),
        (7,),
    ),
    (
        " + p, k",
        f" + p, {'7' * 79}",
        None,
        f"{RIGHT_CALLS} Of the 2 things that come back, look at number 2. ",
        (7,),
    ),
    (
        " + p, k",
        " + 2 * p, k",
        "p is added as well",
        f"{RIGHT_CALLS} {ONE} In it `p` is added once too often.",
        (7,),
    ),
    (" + p, k", " + p", None, f"{RIGHT_CALLS} What differs is what is returned.", (7,)),
    (
        " + p, k",
        " + p[0], k",
        None,
        f"{RIGHT_CALLS} {ONE} It holds other numbers than in a right run.",
        (7,),
    ),
    (
        "return T @ W + p",
        "return norm(T @ W + p)",
        "norm called too often",
        (
            "`norm` is called 4 times; a right run calls it 3 times. The call that is too many "
            f"stands in line 7. {ONE} It holds other numbers than in a right run."
        ),
        (7,),
    ),
    (
        "return T @ W + p",
        "return T @ W + p + total",
        None,
        f"{RIGHT_CALLS} {ONE} It holds other numbers than in a right run.",
        (7,),
    ),
    (
        "return T @ W + p",
        "return (T @ W + p)[:2]",
        None,
        f"{RIGHT_CALLS} {ONE} It has shape (2, 3); (4, 3) fits.",
        (7,),
    ),
    (
        "return T @ W + p",
        "return (T @ W + p).T",
        "transposed",
        f"{RIGHT_CALLS} {ONE} Its rows and its columns are exchanged.",
        (7,),
    ),
    ("return T @ W + p, k", "return None", None, "", ()),
    (
        "    for b in blocks:",
        "    for b in blocks[:1]:",
        "the x of norm in the place of T @ W",
        (
            f"`norm` is called twice; a right run calls it 3 times. {ONE} It is made with the x "
            "of norm where `T @ W` belongs."
        ),
        (),
    ),
    (
        "    for b in blocks:",
        "    for b in blocks[::-1]:",
        None,
        (
            f"{FIRST}`mix` in the second block (line 5), in its `a`, which is `Y` of line 4. It "
            f"holds other numbers than in a right run.{BEFORE}"
        ),
        (4, 5),
    ),
    (
        "    for b in blocks:",
        "    for b in [*blocks, blocks[0]]:",
        "norm called too often",
        (
            "`norm` is called 4 times; a right run calls it 3 times. The call that is too many "
            f"stands in line 4. {ONE} It holds other numbers than in a right run."
        ),
        (4,),
    ),
    ("        M, total = mix(Y, T)", "        M, total = np.tanh(Y) + T * T, 1", None, "", ()),
    (
        "        M, total = mix(Y, T)",
        "        norm(W)\n        M, total = mix(Y, T)",
        "norm called too often",
        (
            "`norm` is called 5 times; a right run calls it 3 times. The call that is too many "
            "stands in line 5."
        ),
        (5,),
    ),
    (
        "        M, total = mix(Y, T)",
        "        mix(Y, T)\n        M, total = mix(Y, T)",
        None,
        "",
        (),
    ),
    (
        "        Y = norm(T @ W)",
        "        Y = np.stack([norm(row) for row in T @ W])",
        None,
        "`norm` is called 9 times; a right run calls it 3 times.",
        (),
    ),
    (
        "M, total = mix(Y, T)",
        "M, total = mix(Y[:, None], T[:, None])\n        M = M[:, 0]",
        None,
        (
            f"{FIRST}`mix` in the first block (line 5), in its `a`. It has shape (4, 1, 3); (4, "
            f"3) fits.{BEFORE}"
        ),
        (5,),
    ),
    ("T = norm(X[:, :3])", "T = 1 / 0", None, "", ()),
    ("return T @ W + p, k", "return T @ W + p + 1 / 0", None, "", ()),
    (
        "return T @ W + p",
        "return T @ W + p * T",
        None,
        f"{RIGHT_CALLS} {ONE} It holds other numbers than in a right run.",
        (7,),
    ),
    (
        "norm(T @ W)",
        "norm(np.cos(T @ W))",
        None,
        (
            f"{FIRST}`norm` in the first block (line 4), in its `x`. It holds other numbers than "
            f"in a right run.{BEFORE}"
        ),
        (4,),
    ),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("old", "new", "name", "said", "lines"), SLIPS)
def test_a_slip_is_told_at_its_step(old, new, name, said, lines):
    found = step(old, new)
    assert (found and (found.name, found.sentences, found.lines)) == (
        (name, said, lines) if said else None
    )


FIRST_CHOICE = "the first of `choose` (line 5), in its `tokens`, which is `{}` of line {}. It is "
SECOND_CHOICE = "the second of `choose` (line 5), in its `tokens`, which is `{}` of line {}. "
READ = "that of `read` (line 7), in its `tokens`. It is "
LIST_SLIPS = [
    (
        "*history, *said",
        "*said, *history",
        "the pieces in another order",
        FIRST_CHOICE.format("begun", 2) + "`said` + `history`; `history` + `said` belongs there.",
    ),
    (
        "*history, *said",
        "*history",
        "said missing",
        FIRST_CHOICE.format("begun", 2) + "`history`; `history` + `said` belongs there.",
    ),
    (
        "choose(begun + answer)",
        "choose([])",
        "history and said missing",
        FIRST_CHOICE.format("answer", 3) + "an empty list; `history` + `said` belongs there.",
    ),
    (
        "begun + answer)",
        "begun)",
        "answer missing",
        SECOND_CHOICE.format("begun", 2)
        + "It is `history` + `said`; `history` + `said` + `answer` belongs there. "
        "What `choose` gave before is right.",
    ),
    (
        "answer = []",
        "answer = [10]",
        None,
        SECOND_CHOICE.format("answer", 3)
        + "On the input of the check: The first that differs is number 4: 10, wanted 13.",
    ),
    (
        "*answer, end",
        "*answer",
        "end missing",
        READ
        + "`history` + `said` + `answer`; `history` + `said` + `answer` + `[end]` belongs there. "
        "What `choose` gave before is right.",
    ),
    (
        "*answer, end",
        "*answer, end, end",
        "end too often",
        READ + "`history` + `said` + `answer` + `[end]` + `[end]`; "
        "`history` + `said` + `answer` + `[end]` belongs there. What `choose` gave before is"
        " right.",
    ),
    (
        "< 3",
        "< 2",
        None,
        READ.removesuffix("It is ") + "On the input of the check: Your list has 6 tokens; 7 fit. "
        "The first that differs is number 6: 9, wanted 15. What `choose` gave before is right.",
    ),
]


@pytest.mark.parametrize(("old", "new", "name", "said"), LIST_SLIPS)
def test_a_list_is_told_by_its_pieces(old, new, name, said):
    found = step(old, new, LISTS, TOKENS)
    begun = "The first call that differs from a right run is "
    assert (found.name, found.sentences) == (name, begun + said)


def test_of_a_run_that_stops_only_a_wrong_call_is_told():
    assert step("norm(T @ W)", "norm(T)", is_stopped=True).lines == (2, 4)
    assert step(" + p, k", ", k", is_stopped=True) is None
    assert step("return T @ W", "return 1 / 0 + T @ W", is_stopped=True) is None


def test_what_a_build_is():
    one = SimpleNamespace(parts=(), tries=[(1, np.ones(2))])
    assert not is_build(one)
    assert is_build(SimpleNamespace(parts=("softmax",), tries=[(1,)]))
    assert is_build(SimpleNamespace(parts=(), tries=[(1, len)]))


def test_numbers_and_names_in_words():
    assert [builds._times(n) for n in range(4)] == ["never", "once", "twice", "3 times"]
    assert [builds._ordinal(k) for k in (0, 1, 7, 8)] == ["first", "second", "eighth", "9th"]
    assert builds._list(["a"]) == "a"
    assert builds._list(iter("abc")) == "a, b and c"
    assert [builds._quoted(n) for n in ("X", "what f gives", "the x of f", "a part of X")] == [
        "`X`",
        "what f gives",
        "the x of f",
        "a part of X",
    ]
    assert builds._sum([]) == "an empty list"
    assert builds._sum(["said", "end"]) == "`said` + `[end]`"
    alike = [("A @ B", "A @ C"), ("A @ B", "C @ B"), ("A @ B", "A @ B"), ("A @ B", "C @ D")]
    assert [builds._alike(*pair) for pair in alike] == [1, 1, 2, 0]
    assert [builds._alike("A", "A @ B"), builds._alike("A", "B"), builds._alike("A", "A")] == [
        -1,
        1,
        2,
    ]


def test_what_may_be_added_to_what():
    assert builds._spreads((2, 3), (2, 3))
    assert builds._spreads((3,), (2, 3))
    assert not builds._spreads((2,), (2, 3))
    assert not builds._spreads((3,), (3, 1)[:1] + (2,))
    assert not builds._spreads((1, 3), (2, 3))
    assert not builds._spreads((), (2, 3))


def test_lists_of_tokens_and_their_pieces():
    lists = [1, 2], [], np.array([1]), [np.int64(1)], [True], [1.0], np.ones(1), (1,), 1
    assert [builds._is_tokens(value) for value in lists] == [True] * 4 + [False] * 5
    pieces = {"a": [1], "b": [1, 2], "end": [9]}
    assert builds._parted([1, 2, 9], pieces) == ["b", "end"]
    assert builds._parted([1, 1, 2], pieces) == ["a", "b"]
    assert builds._parted([], pieces) == []
    assert builds._parted([1, 3], pieces) is None
    assert builds._order_slip(["a"], ["b"]) is None
    assert builds._order_slip(["a", "a"], ["a"]) == "a too often"


def test_only_another_exercise_has_a_right_function():
    from course_utils.exercises import EXERCISES

    assert builds._reference("softmax") is EXERCISES["softmax"].reference
    assert [builds._reference(name) for name in ("catch_softmax", "nothing", "a.b", "a-b")] == [
        None
    ] * 4


def test_a_call_made_twice_in_the_place_of_another_is_told():
    source = "def f(X, W, norm):\n    A = norm(X)\n    B = norm(W)\n    return A @ B\n"
    arguments = normal(1, 3, 3), normal(2, 3, 3), norm
    twice = step("norm(W)", "norm(X)", source, arguments)
    assert twice.name == "X in the place of W"
    assert "the second of `norm` (line 3), in its `x`" in twice.sentences
    again = step("    return", "    norm(X)\n    return", source, arguments)
    assert again is None


def test_a_head_that_stands_in_the_place_of_another_is_told():
    source = "def f(S, read):\n    return read(S)\n"
    arguments = normal(1, 2, 3, 3), lambda parts: parts + 1
    found = step("read(S)", "read(np.stack([S[0], S[0]]))", source, arguments)
    assert "It is made of `S[0]`; it should hold other parts." in found.sentences
    found = step("read(S)", "read(S[::-1])", source, arguments)
    assert "other parts" not in found.sentences


def test_a_call_for_all_heads_is_held_against_the_calls_for_each():
    """It is no fault that it has one axis more."""
    right = (
        "def f(S, norm, read):\n    parts = []\n    for s in S:\n"
        "        parts.append(norm(s))\n    return read(np.array(parts))"
    )
    theirs = "def f(S, norm, read):\n    return read(norm(2 * S))"
    S = np.random.default_rng(5).normal(size=(2, 3, 3))
    arguments = S, lambda s: s - 1, lambda parts: parts + 1
    functions = written(theirs), written(right)
    exercise = SimpleNamespace(reference=functions[1], parts=("norm",), returns="numbers")
    runs = [Run(record(function, arguments)) for function in functions]
    found = _Beside(exercise, functions[0], arguments, *runs, 1e-7).step(False)
    assert "fits" not in found.sentences
    assert "Its numbers are 2 times those of a right run." in found.sentences
    runs = [Run(record(function, arguments)) for function in functions[::-1]]
    assert _Beside(exercise, functions[1], arguments, *runs, 1e-7).step(False) is not None


def test_lists_of_several_lengths_are_no_heads():
    """They are no table, and nothing stops."""
    right = "def f(S, norm):\n    return norm([[1], [2, 3]])"
    theirs = "def f(S, norm):\n    return norm([[1], [2, 4, 5]])"
    arguments = np.ones((2, 2)), len
    functions = written(theirs), written(right)
    exercise = SimpleNamespace(reference=functions[1], parts=("norm",), returns="numbers")
    runs = [Run(record(function, arguments)) for function in functions]
    found = _Beside(exercise, functions[0], arguments, *runs, 1e-7).step(False)
    assert "that of `norm` (line 2)" in found.sentences


HEADS = """def f(Q, K, mix):
    outputs = []
    for h in range(len(Q)):
        output, total = mix(Q[h], K[h])
        outputs.append(output)
    return np.stack(outputs)
"""


@pytest.mark.parametrize(
    ("new", "name", "said"),
    [
        (
            "Q[0], K[h]",
            "Q[0] in every round",
            "It is `Q[0]` in every round, and each has its own.",
        ),
        ("K[h], K[h]", "K[h] in the place of Q[h]", "It is `K[h]`; `Q[h]` belongs there."),
        ("Q[h], K[h] + Q[h]", "Q[0] is added as well", "In it `Q[0]` is added once too often."),
    ],
)
def test_one_head_of_several_is_called_by_its_counter_or_its_number(new, name, said):
    heads = normal(8, 2, 3, 3), normal(9, 2, 3, 3), mix
    found = step("Q[h], K[h]", new, HEADS, heads)
    assert (found.name, found.lines) == (name, (4,))
    assert said in found.sentences


@pytest.mark.parametrize("at_once", ["norm(Q.reshape(-1, 3)).reshape(Q.shape)", "norm(Q)"])
def test_who_calls_a_part_once_for_all_heads_is_not_told_to_call_it_again(at_once):
    right = "def f(Q, norm):\n    return np.stack([norm(q) for q in Q])\n"
    heads = normal(8, 2, 3, 3), norm
    found = step("np.stack([norm(q) for q in Q])", f"2 * {at_once}", right, heads)
    assert "called" not in found.sentences
    found = step("for q in Q", "for q in Q[:1]", right, heads)
    assert "`norm` is called once; a right run calls it twice." in found.sentences


def test_a_part_that_is_asked_the_same_again_is_told_and_chance_is_not():
    """Nine equal tokens are no list that is joined nine times."""
    code = (
        "def my_reply(history, said, before, between, end, next_scores, choose, most):\n"
        "    read = history + before + said + between\n"
        "    answer = []\n"
        "    while len(answer) < most:\n"
        "        token = choose(next_scores(read))\n"
        "        if token == end:\n"
        "            break\n"
        "        answer.append(token)\n"
        "    return answer, read + answer\n"
    )
    exercise = EXERCISES["reply"]
    said = builds.find_first_step(
        exercise, written(code, "my_reply"), exercise.tries[0], 1e-9
    ).sentences
    assert "The second time it is given what it was given the first time." in said
    assert "`answer` + `answer`" not in said


def test_a_name_for_what_comes_back_stands_alone():
    """Two changes that would mend it, too, are no slips: all that is called is right."""
    code = (
        "def my_reply(history, said, before, between, end, next_scores, choose, most):\n"
        "    read = list(history) + list(before) + list(said) + list(between)\n"
        "    answer = []\n"
        "    while len(answer) < most:\n"
        "        token = choose(next_scores(read + answer))\n"
        "        if token == end:\n"
        "            break\n"
        "        answer.append(token)\n"
        "    longer = list(history) + list(said) + answer + [end]\n"
        "    return answer, longer\n"
    )
    diagnosis = EXERCISES["reply"].check(written(code, "my_reply"))
    assert diagnosis.mistake == "before and between missing"
    assert diagnosis.lines == (9,)
    assert "two slips" not in diagnosis.sentences


GROUPED = (
    "def my_grouped_query_attention(Q, K, V, mask):\n    outputs, weights = [], []\n"
    "    for h in range(len(Q)):\n        group = h // len(K)\n"
    "        o, w = mine.masked_attention(Q[h], K[group], V[group], mask)\n"
    "        outputs.append(o)\n        weights.append(w)\n"
    "    return np.array(outputs), np.array(weights)\n"
)


@pytest.mark.parametrize("group", ["h // len(K)", "h"])
def test_a_call_before_an_error_is_laid_beside_the_one_in_its_row(group):
    """The right call that is most like it has another query: that is not what is wrong."""
    code = GROUPED.replace("h // len(K)", group)
    said = EXERCISES["grouped_query_attention"].check(written(code, "my_grouped_query_attention"))
    assert "in its `K`. It is `K[1]`; `K[0]` belongs there." in said.sentences
    assert "one head at a time" not in said.sentences


FORWARD = """def my_forward(tokens, params, blocks, n_heads):
    X = params["W_E"][tokens] + params["R"][:len(tokens)]
    mask = mine.causal_mask(len(tokens))
    for b in blocks:
        I = mine.layer_norm(X, b["gamma_1"], b["beta_1"], 1e-5)
        Q, K, V = [mine.split_heads(I @ b["W_" + n] + b["b_" + n], n_heads) for n in "QKV"]
        heads = [mine.masked_attention(q, k, v, mask)[0] for q, k, v in zip(Q, K, V)]
        X = X + mine.merge_heads(np.array(heads)) @ b["W_O"] + b["b_O"]
        I = mine.layer_norm(X, b["gamma_2"], b["beta_2"], 1e-5)
        f = b
        X = X + mine.feed_forward(I, f["W_1"], f["b_1"], f["W_2"], f["b_2"])
    Y = mine.layer_norm(X, params["gamma"], params["beta"], 1e-5)
    return Y @ params["W_out"] + params["b_out"]
"""


@pytest.mark.parametrize(
    ("slips", "lines", "said"),
    [
        (
            [(' + params["R"][:len(tokens)]', ""), ("feed_forward(I,", "feed_forward(X,")],
            {2, 11},
            "in its `X`, which is `X` of line 8. It is `X`; `I` belongs there.",
        ),
        (
            [(' + b["b_O"]', ""), ("f = b\n", "f = blocks[0]\n")],
            {8, 11},
            "that of `feed_forward` in the second block (line 11), in its `W_1`.",
        ),
    ],
    ids=["before the blocks", "in each block"],
)
def test_the_second_slip_of_a_build_is_looked_for_where_the_first_variable_is_right(
    slips, lines, said
):
    code = FORWARD
    for old, new in slips:
        assert old in code
        code = code.replace(old, new)
    exercise, function = EXERCISES["forward"], written(code, "my_forward")
    found = builds.find_first_step(exercise, function, exercise.tries[0], 1e-9)
    assert lines <= {*found.lines, *found.after_lines}
    assert found.after.startswith("Once that is right: ")
    assert said in found.after
