"""What is said of a wrong function, without the searches: what came, how many things, NaN."""

import linecache

import numpy as np
import pytest

from course_utils.diagnosis import running
from course_utils.diagnosis.builds import Step
from course_utils.diagnosis.evaluation import (
    Evaluation,
    _nan_began_alike,
    _stops_alike,
    explain_nothing,
    nan_origin,
    untouched,
    visible_names,
)
from course_utils.diagnosis.exercise import Exercise, Mistake
from course_utils.diagnosis.running import Failure, Outcome, run_here
from course_utils.exercises import EXERCISES

X = np.array([[1.0, 2.0, 4.0], [0.5, -1.0, 3.0]])


@pytest.fixture(autouse=True)
def _without_searches(monkeypatch):
    monkeypatch.setattr(Evaluation, "slips", lambda self, is_named=False: [])


def written(source):
    file = f"<evaluated {source}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    names = {"np": np, "__name__": "__main__"}
    exec(compile(source, file, "exec"), names)
    return names["f"]


def checked(exercise, body, head="def f(x):"):
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return exercise.check(written(f"{head}\n{lines}"), run_here)


def exercise(reference, *inputs, mistakes=(), **options):
    task = Exercise(
        "task", reference, [one if isinstance(one, tuple) else (one,) for one in inputs], **options
    )
    task.mistakes.extend(mistakes)
    return task


def doubled(x):
    return 2 * x


def both(x):
    return x.sum(axis=0), x.mean()


DOUBLE = exercise(doubled, X, X[:1] + 5)
BOTH = exercise(both, X)
MASK = exercise(lambda x: x > 1, X)
SHARES = exercise(lambda x: np.exp(x) / np.exp(x).sum(), X[0])


# What came is no answer of this kind.

GIVES = "Not yet. `task(x)` gives back {}; yours gave {}."
PAIR = "2 things (an array of shape (3,), something of type float64)"
KINDS = [
    (DOUBLE, "return 'a'", None, GIVES.format("an array of shape (2, 3)", "something of type str")),
    (
        BOTH,
        "return x.sum(axis=0)",
        "not all things returned",
        f"Not yet: not all things returned. `task(x)` gives back {PAIR}; yours gave an array "
        f"of shape "
        "(3,). What came is right.",
    ),
    (BOTH, "return x", None, GIVES.format(PAIR, "an array of shape (2, 3)")),
    (
        BOTH,
        "return x.sum(axis=0), x.mean(), x",
        "more returned than asked",
        f"Not yet: more returned than asked. `task(x)` gives back {PAIR}; yours gave 3 things "
        f"(an array "
        "of shape (3,), something of type float64, an array of shape (2, 3)). What is asked "
        "is among it.",
    ),
    (
        BOTH,
        "return x.sum(axis=0), None",
        "None among the things returned",
        f"Not yet: None among the things returned. `task(x)` gives back {PAIR}; yours gave 2 "
        f"things (an "
        "array of shape (3,), None). Something that is returned was never given a value, or by a "
        "function that gives none.",
    ),
    (
        DOUBLE,
        "return list('ab')",
        "letters, not bytes",
        "Not yet: letters, not bytes. `task(x)` gives back an array of shape (2, 3); yours "
        "gave a list of "
        "rows of different lengths, or of things that are not numbers. `list` of a text gives its "
        "letters, such as 'a'; of what `encode` makes of it, numbers.",
    ),
    (
        BOTH,
        "return x.mean(), x.sum(axis=0)",
        "wrong order of the things returned",
        "Not yet: wrong order of the things returned. The right things come back, in the "
        "wrong order.",
    ),
    (DOUBLE, "return x", "argument returned unchanged", "`x` comes back as it went in."),
    (
        MASK,
        "return 1.0 * (x > 1)",
        "numbers instead of truth values",
        "It holds numbers; truth values fit.",
    ),
    (
        DOUBLE,
        "return 2 * x > 0",
        "truth values instead of numbers",
        "It holds truth values; numbers fit.",
    ),
    (
        BOTH,
        "return x.sum(axis=0), 2 * x.mean() + 1",
        None,
        "Not yet. Of the 2 things it gives back, number 2: The numbers differ.",
    ),
    (
        BOTH,
        "return x.sum(axis=0)[:2], x.mean()",
        "a part is missing",
        "Of the 2 things it gives back, number 1: It has shape (2,); (3,) fits.",
    ),
    (DOUBLE, "return 2 * x ** 2 + x", None, "Not yet. The numbers differ."),
]


@pytest.mark.parametrize(("task", "body", "name", "said"), KINDS)
def test_what_came_in_the_place_of_what_is_told(task, body, name, said):
    verdict = checked(task, body)
    assert (verdict.status, verdict.mistake) == ("wrong", name)
    assert said in verdict.sentences


def test_letters_are_told_only_of_letters_and_lists():
    assert checked(DOUBLE, "return ['ab', 'c']").mistake is None
    assert checked(DOUBLE, "return 'a', 'b'").mistake is None


def test_where_it_is_right_on_some_inputs_that_is_said():
    task = exercise(doubled, X, X[:1], X * 3, traps={"a single number": (X[:1, :1],)})
    said = checked(task, "return 2 * x if x.max() < 9 else x ** 2 + 3").sentences
    begun = "Not yet. Right on the first {} the check tries. On the one below: "
    assert said.startswith(begun.format("2 inputs"))
    said = checked(task, "return 2 * x if len(x) > 1 else x ** 2 + 3").sentences
    assert said.startswith(begun.format("input"))
    said = checked(task, "return 2 * x if x.size > 1 else x ** 2 + 3").sentences
    assert "Right on ordinary inputs, but not on this one: a single number. " in said


def test_a_property_names_the_slip_only_if_it_holds_of_all_that_is_wrong():
    assert checked(DOUBLE, "return -2 * x").mistake == "wrong sign"
    assert checked(DOUBLE, "return -2 * x if len(x) > 1 else x * x").mistake is None
    factor = exercise(
        lambda x: x * 1.0, np.arange(12.0).reshape(3, 4), np.ones((2, 5)) + np.eye(2, 5)
    )
    assert checked(factor, "return x * x.shape[1]").mistake == (
        "multiplied by the number of columns of x"
    )
    assert checked(factor, "return x * 4").mistake is None


def test_a_list_is_told_by_what_the_task_calls_its_parts():
    task = exercise(lambda ids: [i + 1 for i in ids], ([1, 2],), returns="tokens")
    verdict = checked(task, "return [i + 1 for i in ids][::-1]", "def f(ids):")
    assert verdict.mistake == "tokens in reverse order"
    assert verdict.comparison[1:] == ("[3, 2]", "[2, 3]")


def test_whole_numbers_may_be_refused_and_nothing_else():
    whole = {"an array of whole numbers": (np.array([[1, 2]]),)}
    task = exercise(doubled, X, traps=whole)
    assert checked(task, "x *= 2.0\nreturn x").mistake == "argument changed"
    assert checked(task, "y = x.copy()\ny *= 2.0\nreturn y").status == "correct"
    cut = checked(task, "y = np.empty_like(x)\ny[:] = 2.0 * x + 0.25\nreturn y - 0.25")
    assert cut.status == "wrong"


def test_an_argument_that_changes_is_told_with_its_line():
    verdict = checked(DOUBLE, "y = x\ny[0] *= 2\ny[1:] *= 2\nreturn y")
    assert (verdict.mistake, verdict.lines) == ("argument changed", (3,))
    assert "`x` is different after the call" in verdict.sentences
    verdict = checked(DOUBLE, "x[0] = 0\nreturn x ** 2 + 3")
    assert "different after the call" not in verdict.sentences


def test_how_the_check_calls_is_said_where_the_signature_is_another():
    said = " The check calls it as `task(x)`."
    assert said in checked(DOUBLE, "return x", "def f(x, y):").sentences
    assert said not in checked(DOUBLE, "return x / 'a'").sentences


def test_what_stops_everything_is_told_at_once():
    verdict = DOUBLE.check(doubled, lambda f, calls: [Outcome(failure=Failure("OutOfTime"))])
    assert (verdict.status, verdict.mistake) == ("wrong", "runs too long")
    verdict = DOUBLE.check(doubled, lambda f, calls: [Outcome(2 * X, replaced="np.exp")])
    assert verdict.mistake == "a function replaced"
    verdict = DOUBLE.check(doubled, lambda f, calls: [Outcome(2 * X, kept="n")])
    assert verdict.mistake == "state kept between calls"
    assert "`n` keeps something" in verdict.sentences
    verdict = DOUBLE.check(doubled, lambda f, calls: [Outcome(2 * X, kept="")])
    assert verdict.mistake == "state kept between calls"
    assert "keeps something" not in verdict.sentences


def test_one_row_copied_is_told_only_where_the_rows_are_one():
    copied = (
        "rows = [[0] * 3] * len(x)\nfor i in range(len(x)):\n    for j in range(3):\n"
        "        rows[i][j] = 2 * x[i, j]\nreturn np.array(rows)"
    )
    verdict = checked(exercise(doubled, X), copied)
    assert (verdict.mistake, verdict.lines) == ("one row copied many times", (2,))
    apart = copied.replace("return np.array(rows)", "return np.array(rows) + x")
    assert checked(exercise(doubled, X), apart).mistake != "one row copied many times"
    one = copied.replace("2 * x", "3 * x")
    assert checked(exercise(doubled, X[:1]), one).mistake != "one row copied many times"


# Nothing, NaN, stubs.

NOTHING = [
    ("x = 1", "no `return`. What should come back stands behind a `return`."),
    ("return", "its `return` stands alone. What should come back stands behind it."),
    ("if x is 1:\n        return x", "not every way through it ends with a `return`."),
    ("return print(x)", "its `return` gives `print(x)`, and that is None."),
    (
        "y = x.sort()\n    return y",
        "`.sort` changes its array in place and gives nothing back. Return",
    ),
]


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize(("body", "said"), NOTHING)
def test_a_function_that_gives_nothing_is_told_how_it_ends(body, said):
    name, told = explain_nothing(written(f"def f(x):\n    {body}\n"), "")
    assert told.startswith("Your function gave back nothing (None): ")
    assert said in told
    assert name == (
        "in-place function gives nothing back" if "sort" in body else "nothing returned"
    )


def test_printing_is_no_returning():
    shows = written("def f(x):\n    print(x)\n")
    assert " `print` only shows a value." in explain_nothing(shows, "1")[1]
    assert "`print`" not in explain_nothing(shows, "")[1]
    assert explain_nothing(len, "")[1] == (
        "Your function gave back nothing (None). Does it end with a `return`?"
    )
    assert checked(DOUBLE, "y = 2 * x\nprint(y)").lines == (3,)


BEGAN = {
    "overflow encountered in exp": ("exp overflows", "a number grew beyond what a float can hold"),
    "overflow encountered in multiply": (None, "a number grew beyond what a float can hold"),
    "divide by zero encountered in log": ("the logarithm of 0", "the logarithm of 0 is −∞"),
    "divide by zero encountered in divide": (None, "something was divided by 0"),
    "invalid value encountered in sqrt": (
        "the root of a negative number",
        "a step had no answer: the root of a negative number",
    ),
    "invalid value encountered in power": (
        None,
        "a step had no answer: a power with a fraction, such as a root, of a negative number",
    ),
    "invalid value encountered in log": (
        "the logarithm of a negative number",
        "a step had no answer: the logarithm of a negative number",
    ),
    "invalid value encountered in multiply": ("0 · ∞", "a step had no answer: 0 · ∞"),
    "invalid value encountered in subtract": ("∞ − ∞", "a step had no answer: ∞ − ∞"),
    "invalid value encountered in divide": (None, "a step had no answer: 0/0, or ∞/∞"),
    "invalid value encountered in matmul": (
        None,
        "a step had no answer, such as 0·∞, ∞ − ∞ or 0/0",
    ),
}


@pytest.mark.parametrize("text", BEGAN)
def test_where_nan_began_is_told_by_its_step(text):
    name, meaning = BEGAN[text]
    said = f" It began at `y = e / s`: {meaning}."
    assert nan_origin(Failure("NaN", text, "y = e / s", 2)) == (name, said)


def test_nan_without_a_line_is_not_explained():
    assert nan_origin(None) == nan_origin(Failure("NaN", "overflow")) == (None, "")
    verdict = checked(SHARES, "return np.log(x - 9)")
    assert verdict.mistake == "the logarithm of a negative number"
    assert verdict.sentences.endswith(
        "`return np.log(x - 9)`: a step had no answer: the logarithm of a negative number."
    )


def test_two_nan_begin_alike_in_one_kind_of_step():
    one, other = Failure("NaN", "overflow"), Failure("NaN", "divide")
    assert _nan_began_alike(one, Failure("NaN", "overflow", "other line"))
    assert not any(
        _nan_began_alike(*pair) for pair in [(one, other), (None, one), (one, None), (None, None)]
    )


def test_two_functions_stop_alike_at_the_same_shapes():
    def failure(text="no", kind="ValueError", line="a @ b", **variables):
        return Failure(kind, text, line, 1, variables or {"a": (2, 3), "b": (2,)})

    assert _stops_alike(failure(), failure(line="c @ d", c=(2,), d=(2, 3)), [])
    assert _stops_alike(failure(), failure(), ["a"])
    assert not _stops_alike(failure(), failure(line="c @ d", c=(2,), d=(2, 3)), ["a"])
    assert not _stops_alike(failure(line="c @ b", c=(2, 3), b=(2,)), failure(), ["a", "c"])
    assert not _stops_alike(
        failure(line="a @ c", a=(2, 3), c=(2,)), failure(line="b @ a"), ["a", "b"]
    )  # another product of theirs stops
    assert not _stops_alike(failure(), failure(a=(2, 3), b=(4,)), [])
    assert not _stops_alike(failure(), failure("other"), [])
    assert not _stops_alike(failure(), failure(kind="TypeError"), [])
    assert not _stops_alike(failure(""), failure(""), [])
    assert not _stops_alike(failure(a="int"), failure(a="int"), [])
    assert not _stops_alike(failure(line="ab"), failure(line="ab"), [])
    assert not _stops_alike(None, failure(), [])
    assert not _stops_alike(failure(), None, [])


def test_a_stub_is_untouched_and_an_answer_is_not():
    gaps = [Outcome(...), Outcome((1, ...)), Outcome([...]), Outcome(failure=Failure("E"))]
    assert all(map(untouched, gaps))
    assert not any(map(untouched, [Outcome(1), Outcome((1, 2)), Outcome(None)]))
    assert checked(DOUBLE, "return ...").status == "not attempted"
    assert checked(DOUBLE, "raise NotImplementedError").status == "not attempted"
    assert checked(DOUBLE, "raise KeyError").status == "wrong"


def test_a_function_sees_its_notebook():
    assert {"f", "np"} <= set(visible_names(written("def f(x):\n    return x")))
    assert visible_names(len) == ["np"]


# Known mistakes.


def task_with(*mistakes, **options):
    return exercise(doubled, X, -X, mistakes=[Mistake(*one) for one in mistakes], **options)


def test_a_mistake_is_known_by_what_it_gives_on_all_inputs():
    task = task_with(("squared", lambda x: x * x, "Why?"), ("size", lambda x: 2 * abs(x), "Sign?"))
    verdict = checked(task, "return x ** 2")
    assert (verdict.mistake, verdict.sentences) == ("squared", "Not yet: squared. Why?")
    assert verdict.lines == (2,)
    assert checked(task, "return np.abs(x + x)").mistake == "size"
    assert checked(task, "return x * abs(x)").mistake != "squared"


def test_of_two_that_fit_the_one_that_fits_more_inputs_is_told():
    def stops_on_negative(x):
        if x[0, 0] < 0:
            raise KeyError
        return x * x

    task = task_with(("some", stops_on_negative, "?"), ("all", lambda x: x * x, "?"))
    assert checked(task, "return x ** 2").mistake == "all"
    task.mistakes.reverse()
    assert checked(task, "return x ** 2").mistake == "all"


def test_a_trap_s_mistake_is_told_only_of_its_trap():
    traps = {"large numbers": (X * 1e3,), "small numbers": (X / 1e3,)}

    def small(x):
        return 2 * x if abs(x).max() > 0.1 else x * 0

    task = task_with(("lost", small, "?", "small numbers"), traps=traps)
    assert checked(task, "return 2 * x if abs(x).max() > 0.1 else 0 * x").mistake == "lost"
    task = task_with(("lost", small, "?", "large numbers"), traps=traps)
    assert checked(task, "return 2 * x if abs(x).max() > 0.1 else 0 * x").mistake != "lost"


def test_a_name_that_speaks_of_code_is_not_told_of_other_code():
    squared = Mistake("divided", lambda x: x * x, "?", None, "", "a division")
    task = exercise(doubled, X, mistakes=[squared])
    assert checked(task, "return x ** 2").mistake != "divided"
    assert checked(task, "return x ** 3 / x").mistake == "divided"
    task = exercise(
        lambda x, y: x + y,
        (X, X),
        mistakes=[Mistake("y forgotten", lambda x, y: x * 1.0, "?", None, "y")],
    )
    assert checked(task, "return x * 1", "def f(x, y):").mistake != "y has no effect"
    assert checked(task, "return 1 * x + 0 * y", "def f(x, y):").mistake != "y forgotten"


def test_the_first_lines_that_were_printed_are_shown():
    assert (
        checked(DOUBLE, "print(' a')\nprint('b' * 200)\nreturn 2 * x").printed == f" a\n{'b' * 100}"
    )
    many = checked(DOUBLE, "for i in range(9):\n    print(i)\nreturn 2 * x").printed.splitlines()
    assert many == [*map(str, range(8)), "..."]
    eight = checked(DOUBLE, "for i in range(8):\n    print(i)\nreturn 2 * x").printed.splitlines()
    assert eight == [*map(str, range(8))]


def test_without_processes_what_runs_too_long_ends_the_check(monkeypatch):
    monkeypatch.setattr(running, "SECONDS", 0.05)
    outcomes = run_here(
        written("def f(x):\n    while x > 0:\n        pass\n    return x"), [(0,), (1,), (0,)]
    )
    assert [outcome.value for outcome in outcomes] == [0, None]
    assert outcomes[1].failure.type == "OutOfTime"


def test_a_clock_that_runs_out_beside_the_function_is_told_as_well(monkeypatch):
    def late(function, calls):
        raise running.OutOfTime
        yield

    monkeypatch.setattr(running.worker, "reports", late)
    assert [o.failure for o in run_here(doubled, [(1,)])] == [Failure("OutOfTime")]


class Found:
    """What a search found, as far as a verdict looks at it."""

    idea = None
    tells = ()
    inside = ""

    def __init__(self, line, kind=""):
        self.lines, self.kind = (line,), kind

    def where(self):
        return f"Look at line {self.lines[0]}."

    def words(self, *others):
        return None, self.next_words()

    def next_words(self):
        return f"Line {self.lines[0]} slips."


@pytest.mark.parametrize(
    ("name", "ladder"),
    [("squared, not doubled", (("Next", "Line 3 slips.", False),)), ("squared", ())],
)
def test_the_second_slip_is_told_on_next_beside_a_name_of_two(monkeypatch, name, ladder):
    monkeypatch.setattr(Evaluation, "slips", lambda self, is_named=False: [Found(2), Found(3)])
    verdict = checked(task_with((name, lambda x: x * x, "Why?")), "y = x\nreturn y ** 2")
    assert verdict.sentences == f"Not yet: {name}. Why? Look at line 2."
    assert (verdict.lines, verdict.ladder) == ((2, 3), ladder)


@pytest.mark.parametrize(
    ("name", "line", "guess"),
    [
        ("given another matrix", 5, False),
        ("given another matrix", 1, False),
        (None, 3, False),
        (None, 5, True),
    ],
)
def test_a_call_that_differs_says_more_than_a_guess_unless_it_comes_later_and_has_no_name(
    monkeypatch, name, line, guess
):
    step = Step(name, "The first call differs.", (line,))
    monkeypatch.setattr(Evaluation, "first_step", lambda *_, **__: step)
    monkeypatch.setattr(
        Evaluation, "slips", lambda self, is_named=False: [Found(3, "unknown step")]
    )
    verdict = checked(DOUBLE, "y = x\nz = y\nreturn z")
    assert ("Line 3 slips." in verdict.sentences) == guess
    assert "The first call differs." in verdict.sentences


def test_a_known_mistake_is_run_only_where_it_may_be_the_student_s():
    asked = []

    def other(x):
        asked.append(x)
        return 5 * x

    task = exercise(doubled, X, X + 1, X + 2)
    task.mistakes.append(Mistake("five times", other, "How often?"))
    assert checked(task, "return 3 * x").mistake != "five times"
    assert len(asked) == 1
    assert checked(task, "return 5 * x").mistake == "five times"
    assert len(asked) == 3


def test_a_name_without_a_value_is_told_alone():
    verdict = EXERCISES["project"].check(
        written(
            "def f(X, W_Q, W_K, W_V):\n    Q = X @ W_Q\n    K = X @ W_k\n    V = X @ W_V\n"
            "    return Q, K, V"
        )
    )
    assert (verdict.mistake, verdict.lines) == ("unknown name", (3,))
    assert verdict.sentences.startswith("Not yet: unknown name. Your function stopped at")
    assert "Did you mean `W_K`?" in verdict.sentences
    assert not [title for title, _, _ in verdict.ladder if title == "Next"]


def test_a_misconception_of_one_of_two_things_returned_comes_on_next():
    """Which token is taken shows on other inputs than the history does."""
    verdict = EXERCISES["reply"].check(
        written(
            "def f(history, said, before, between, end, next_scores, choose, most):\n"
            "    read = list(history) + list(before) + list(said) + list(between)\n"
            "    answer = []\n    while len(answer) < most:\n"
            "        token = int(np.argmax(next_scores(read + answer)))\n"
            "        if token == end:\n            break\n        answer.append(token)\n"
            "    longer = list(before) + list(said) + list(between) + answer + [end]\n"
            "    return answer, longer"
        )
    )
    assert verdict.mistake == "history missing"
    said = next(text for title, text, _ in verdict.ladder if title == "Next")
    assert said.startswith("Once that is right: The likeliest token was taken.")
