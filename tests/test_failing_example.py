"""A wrong answer is shown on the smallest input that goes wrong; lists are spoken of as lists;
names do not speak of what is not there.
"""

import linecache
import re

import numpy as np
import pytest

from course_utils.attention import softmax
from course_utils.diagnosis.evaluation import Evaluation
from course_utils.diagnosis.exercise import Exercise
from course_utils.diagnosis.failing_example import describe_arguments, find_example
from course_utils.diagnosis.lists import describe_list, is_list
from course_utils.exercises import EXERCISES, mine


def checked(name, code):
    code = f"def my_{name}{code}"
    file = f"<a slip, {hash(code)}>"
    names = {"np": np, "mine": mine, "softmax": softmax, "__name__": "__main__"}
    linecache.cache[file] = len(code), None, code.splitlines(keepends=True), file
    exec(compile(code, file, "exec"), names)
    return EXERCISES[name].check(names[f"my_{name}"])


# The smallest failing example.

THIRD_COLUMN_DOUBLED = """(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    e[..., -1] *= 2
    return e / e.sum(axis=-1, keepdims=True)
"""


def numbers_in(text):
    return [float(n) for n in re.findall(r"-?\d+\.?\d*", text)]


def test_a_message_with_numbers_shows_a_small_input_with_small_whole_numbers():
    diagnosis = checked("softmax", THIRD_COLUMN_DOUBLED)
    given, yours, wanted = diagnosis.comparison
    assert given.startswith("scores = [[")
    assert 0 < len(numbers_in(given)) <= 6
    assert all(n == round(n) for n in numbers_in(given))
    assert numbers_in(yours) != numbers_in(wanted)


def test_what_is_shown_is_what_the_functions_give():
    given, yours, wanted = checked("softmax", THIRD_COLUMN_DOUBLED).comparison
    scores = np.array(
        eval(
            re.sub(r"(?<=\d|\.)\s+(?=-?\d)", ", ", given.removeprefix("scores = ")).replace(
                "]\n", "],\n"
            )
        )
    )
    np.testing.assert_allclose(numbers_in(wanted), softmax(scores).ravel(), atol=1e-3)


def test_the_message_and_the_card_show_all_three():
    diagnosis = checked("softmax", THIRD_COLUMN_DOUBLED)
    at = [diagnosis.message.index(f"\n{word}:\n") for word in ("given", "yours", "wanted")]
    assert at == sorted(at)
    for word in ("given", "yours", "wanted"):
        assert f">{word}</div>" in diagnosis._repr_html_()


def test_the_example_is_the_same_at_each_check():
    assert (
        checked("softmax", THIRD_COLUMN_DOUBLED).message
        == checked("softmax", THIRD_COLUMN_DOUBLED).message
    )


def test_models_and_functions_are_named_and_not_printed():
    exercise = EXERCISES["forward"]
    said = describe_arguments(exercise, exercise.inputs[0])
    assert "params: W_E, R, gamma, beta, W_out, b_out" in said
    assert "blocks: 3 blocks" in said
    assert "choose: the function first_choice" in describe_arguments(
        EXERCISES["reply"], EXERCISES["reply"].inputs[0]
    )


def test_a_list_that_grows_from_call_to_call_leaves_nothing_in_an_example():
    """What came on one input alone is shown, or nothing."""
    code = """(ids, pair, new, merged=[]):
    i = 0
    while i < len(ids):
        found = tuple(ids[i:i + 2]) == tuple(pair)
        merged.append(new if found else ids[i])
        i += 1 + found
    return list(merged)
"""
    comparison = checked("merge_pair", code).comparison
    assert comparison is None or len(numbers_in(comparison[1])) <= 20


def array_in(given, name):
    """The array of this name among what is given."""
    text = re.search(rf"^{name} = (\[\[.*?\]\])", given, flags=re.DOTALL | re.MULTILINE)[1]
    return np.array(
        [[float(n) for n in row.split()] for row in re.findall(r"[^\[\]]*\d[^\[\]]*", text)]
    )


@pytest.mark.parametrize(
    "begun",
    [
        "    S = Q @ K.T / np.sqrt(K.shape[0])\n",
        "    d = K.shape[0]\n    S = Q @ K.T / np.sqrt(d)\n",
    ],
)
def test_of_two_slips_the_one_that_is_told_goes_wrong_on_what_is_shown(begun):
    code = f"(Q, K, V):\n{begun}    A = np.exp(S - S.max(axis=0))\n    A /= A.sum(axis=0)\n"
    diagnosis = checked("scaled_attention", f"{code}    return A @ V\n")
    assert "line 2" in diagnosis.sentences
    n_keys, d_k = array_in(diagnosis.comparison[0], "K").shape
    assert n_keys != d_k


def test_of_a_line_that_goes_wrong_on_no_small_input_none_is_shown(monkeypatch):
    monkeypatch.setattr(Evaluation, "showing", lambda self, slip, found: [])
    code = "(Q, K, V):\n    S = Q @ K.T / np.sqrt(K.shape[0])\n    A = np.exp(S - S.max(axis=0))\n"
    diagnosis = checked("scaled_attention", f"{code}    A /= A.sum(axis=0)\n    return A @ V\n")
    assert diagnosis.comparison is None


def test_words_of_a_call_and_what_is_shown_are_of_one_input():
    code = "(word, pairs):\n    ids = [ord(letter) for letter in word]\n    for pair in pairs:\n"
    diagnosis = checked(
        "encode_word", f"{code}        ids = mine.merge_pair(ids, pair, 256)\n    return ids\n"
    )
    assert "the second of `merge_pair`" in diagnosis.sentences
    given = dict(line.split(" = ") for line in diagnosis.comparison[0].splitlines())
    assert len(eval(given["pairs"])) > 1
    assert eval(given["word"]).isascii()


def test_a_measured_property_holds_of_what_is_shown():
    """Two equal rows sum to 1 in rows as well: they are not shown for columns that do."""
    code = "(scores):\n    e = np.exp(scores - scores.max(axis=1, keepdims=True))\n"
    diagnosis = checked("softmax", f"{code}    return e / e.sum(axis=0)  # of all\n")
    assert "Its columns sum to 1" in diagnosis.sentences
    yours = array_in(f"yours = {diagnosis.comparison[1]}", "yours")
    np.testing.assert_allclose(yours.sum(axis=0), 1, atol=2e-3)
    assert np.abs(yours.sum(axis=1) - 1).max() > 0.01


def test_an_exercise_goes_wrong_nowhere_for_its_reference():
    for name in ("softmax", "merge_pair", "layer_norm", "reply"):
        exercise = EXERCISES[name]
        assert find_example(exercise, exercise.reference, exercise.inputs[0]) is None


# Lists.


@pytest.mark.parametrize(
    ("got", "wanted", "name", "said"),
    [
        (
            [5, 5, 9, 1, 2, 3, 4],
            [5, 9, 9, 1, 2, 3],
            None,
            "Your list has 7 tokens; 6 fit. The first that differs is number 2: 5, wanted 9.",
        ),
        (
            [1],
            [],
            "more than was asked",
            "Your list has 1 token; 0 fit. What is asked for is in it, and more: 1 is too much.",
        ),
        (
            [],
            [3],
            "a part is missing",
            "Your list has 0 tokens; 1 fits. 3 should stand first.",
        ),
        (
            [1, 2],
            [1, 2, 3],
            "a part is missing",
            "Your list has 2 tokens; 3 fit. What is there is right; 3 is missing behind it.",
        ),
        (
            [2, 3],
            [1, 2, 3],
            "a part is missing",
            (
                "Your list has 2 tokens; 3 fit. Its end is right: the first 1 of what is wanted are"
                " missing."
            ),
        ),
        (
            [3, 2, 1],
            [1, 2, 3],
            "tokens in reverse order",
            (
                "The tokens are right, in reverse order. The first that differs is number 1: 3,"
                " wanted 1."
            ),
        ),
        (
            [2, 1, 3],
            [1, 2, 3],
            "tokens in another order",
            (
                "The tokens are right, in another order. The first that differs is number 1: 2,"
                " wanted 1."
            ),
        ),
        ([3, 6, 9], [1, 2, 3], None, "The first that differs is number 1: 3, wanted 1."),
    ],
)
def test_lists_are_spoken_of_as_lists(got, wanted, name, said):
    assert describe_list(got, wanted, "tokens") == (name, said)


def test_an_array_is_not_called_a_list():
    code = "(i, vectors, k):\n    return np.arange(k + 1){}\n"
    said = checked("nearest_words", code.format("")).sentences
    assert "Your array has" in said
    said = checked("nearest_words", code.format(".tolist()")).sentences
    assert "Your list has" in said


def test_a_line_is_quoted_without_its_comment():
    """A # in a text is none."""
    code = "(Q, K, V):\n    note = {'#': Q}\n    S = note['#'] + K[:, :1]  # scores # first\n"
    said = checked("attention", f"{code}    return S @ V\n").sentences
    assert "`S = note['#'] + K[:, :1]`" in said
    assert "scores" not in said


def test_what_is_a_list_of_numbers_of_things():
    assert is_list([1, 2])
    assert is_list([])
    assert is_list(np.array([1, 2]))
    assert not is_list(np.array([1.0, 2.0]))
    assert not is_list(np.array([[1, 2]]))
    assert not is_list(np.array([True]))


@pytest.mark.parametrize(
    ("name", "code"),
    [
        (
            "merge_pair",
            "(ids, pair, new):\n    return [3 * i for i in mine.merge_pair(ids, pair, new)]\n",
        ),
        (
            "encode_word",
            "(word, pairs):\n    return [i + 3 for i in mine.encode_word(word, pairs)]\n",
        ),
        ("nearest_words", "(i, vectors, k):\n    return 3 * mine.nearest_words(i, vectors, k)\n"),
        (
            "logit_lens",
            (
                "(states, gamma, eps, W_out, token):\n    return 3 * mine.logit_lens(states, gamma,"
                " eps, W_out, token)\n"
            ),
        ),
        (
            "beam_step",
            (
                "(totals, log_probs, beam_width):\n    p, t, n = mine.beam_step(totals, log_probs,"
                " beam_width)\n    return 3 * p + 3, t, n\n"
            ),
        ),
    ],
)
def test_no_ratio_and_no_shape_is_told_of_numbers_of_things(name, code):
    diagnosis = checked(name, code)
    assert diagnosis.status == "wrong"
    assert not re.search(r"shape|times|what it should be|off by|squares|1/3", diagnosis.message), (
        diagnosis.message
    )
    assert "The first that differs is number" in diagnosis.message


# What was misnamed.

MISNAMED = [
    (
        "logit_lens",
        """(states, gamma, eps, W_out, token):
    scores = mine.rms_norm(states, gamma, eps) @ W_out
    return (scores > scores[:, token]).sum(axis=1) + 1
""",
        "new axis forgotten",
        "keepdims",
    ),
    (
        "logit_lens",
        """(states, gamma, eps, W_out, token):
    scores = mine.rms_norm(states, gamma, eps) @ W_out
    return (scores >= scores[:, [token]]).sum(axis=1) + 1
""",
        "as high counted as higher, and 1 added",
        "times",
    ),
    (
        "kv_cache_step",
        """(q, k, v, K, V):
    K, V = np.vstack([K, k]), np.vstack([V, v])
    return (mine.softmax(q @ K.T / np.sqrt(len(q))) @ V).squeeze(), K, V
""",
        "an axis of length 1 lost",
        "summed",
    ),
    (
        "expert_layer",
        """(X, W_g, W_1, b_1, W_2, b_2, k):
    gates = mine.top_k_gate(X @ W_g, k)
    answers = [mine.feed_forward(X, W_1[e], b_1[e], W_2[e], b_2[e]) for e in range(len(W_1))]
    return mine.mixture_of_experts(np.stack(answers, axis=1), gates)
""",
        "shapes that do not fit together",
        "einsum",
    ),
    (
        "expert_layer",
        """(X, W_g, W_1, b_1, W_2, b_2, k):
    gates = mine.top_k_gate(X @ W_g, k)
    return sum(mine.feed_forward(gates[:, [e]] * X, W_1[e], b_1[e], W_2[e], b_2[e]) for e in range(len(W_1)))
""",  # noqa: E501
        "the gate at the input of an expert",
        None,
    ),
    (
        "merge_pair",
        """(ids, pair, new):
    merged = []
    for i in ids:
        merged = merged + i
    return merged
""",
        "no list behind a list",
        "puts a list",
    ),
    (
        "merge_pair",
        """(ids, pair, new):
    merged = []
    for i in range(len(ids) - 1):
        merged.append(new if (ids[i], ids[i + 1]) == pair else ids[i])
    return merged
""",
        "nothing skipped, and the last token lost",
        "shape",
    ),
    (
        "sinusoidal_positional_encoding",
        """(T, D):
    angles = np.arange(T)[:, None] / 100 ** (2 * np.arange(D // 2) / D)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(T, D)
""",
        "base 100 rather than 10000",
        "exponent",
    ),
    (
        "sinusoidal_positional_encoding",
        """(T, D):
    angles = np.arange(T)[:, None] / 10000 ** (np.arange(D // 2) / D)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(T, D)
""",
        "exponent j/D rather than 2j/D",
        "base",
    ),
    (
        "softmax_jacobian",
        "(w):\n    return np.diag(w) - w @ w.T\n",
        "a row turned over stays a row",
        None,
    ),
    (
        "softmax_jacobian",
        "(w):\n    return np.diag(w) - w @ w\n",
        "inner instead of outer product",
        "turned",
    ),
    (
        "top_k_gate",
        """(logits, k):
    return softmax(np.where(logits >= np.sort(logits)[-k], logits, -np.inf))
""",
        "a sorted row of the table as threshold",
        None,
    ),
    (
        "top_k_gate",
        """(logits, k):
    threshold = np.sort(logits, axis=1)[:, [-k]]
    return softmax(np.where(logits > threshold, logits, -np.inf))
""",
        "one expert too few",
        None,
    ),
    (
        "top_p",
        """(probabilities, p):
    order = np.argsort(-probabilities)
    stays = np.zeros(len(probabilities), dtype=bool)
    stays[order] = np.cumsum(probabilities[order]) - probabilities < p
    kept = probabilities * stays
    return kept / kept.sum()
""",
        "sorted sums beside unsorted probabilities",
        None,
    ),
]


@pytest.mark.parametrize(("name", "code", "mistake", "never"), MISNAMED)
def test_a_slip_is_named_by_what_it_is(name, code, mistake, never, monkeypatch):
    monkeypatch.setattr(
        Evaluation, "slips", lambda self, is_named=False: []
    )  # the name alone, without the searches
    diagnosis = checked(name, code)
    assert diagnosis.mistake is not None
    assert diagnosis.mistake.startswith(mistake), diagnosis.sentences
    assert never is None or never not in diagnosis.sentences


def test_where_no_small_input_has_the_property_its_own_words_are_said():
    """Of one row nothing can be told of the others."""
    large = np.arange(60.0).reshape(12, 5) + 1

    def first_row_wrong(x):
        return 2 * x + 3 * (np.arange(len(x)) == 0)[:, None]

    def task(**options):
        return Exercise("task", lambda x: 2 * x, [(large,)], **options)

    shown = task(draw=lambda rng: (rng.normal(size=(1, 3)),)).check(first_row_wrong)
    assert "Every number is off by the same amount: +3" in shown.sentences
    assert shown.comparison[0].startswith("x = [[")
    shown = task().check(first_row_wrong)
    assert "Only the first row is wrong" in shown.sentences
