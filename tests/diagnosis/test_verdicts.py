"""A verdict as text and as a card, the help below it, and how a law or an input is judged."""

import base64
import json
import linecache
import zlib

import numpy as np
import pytest

from course_utils.attention import softmax
from course_utils.diagnosis import laws, verdicts
from course_utils.diagnosis.exercise import Catch, Exercise, Mistake, Reading
from course_utils.diagnosis.running import Outcome, run_here
from course_utils.diagnosis.verdicts import Diagnosis, shown_solution
from course_utils.exercises import EXERCISES


def written(source, **names):
    file = f"<judged {source}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    names |= {"np": np, "softmax": softmax, "__name__": "__main__"}
    exec(compile(source, file, "exec"), names)
    return names["f"]


# A verdict.


def test_a_verdict_as_text_holds_its_numbers_and_what_was_printed():
    verdict = Diagnosis("wrong", "a slip", "Not yet: a slip. Why?", ("X", "[1]", "[2]"), "here")
    assert (
        repr(verdict)
        == verdict.message
        == (
            "Not yet: a slip. Why?\ngiven:\nX\nyours:\n[1]\nwanted:\n[2]\nYour function "
            "printed:\nhere"
        )
    )
    assert Diagnosis("wrong", None, "No.", ("", "[1]", "[2]")).message == (
        "No.\nyours:\n[1]\nwanted:\n[2]"
    )
    assert Diagnosis("correct", None, "Right.").message == "Right."


@pytest.mark.parametrize(
    ("status", "mistake", "sentences", "stays"),
    [
        ("wrong", "a (slip)", "Not yet: a (slip). Why is it so?", "Why is it so?"),
        ("wrong", None, "Not yet. Why is it so?", "Why is it so?"),
        ("correct", None, "Right. Kept as it is.", "Kept as it is."),
        ("not attempted", None, "Not attempted yet. Fill in.", "Fill in."),
    ],
)
def test_a_card_does_not_say_its_heading_twice(status, mistake, sentences, stays):
    html = Diagnosis(status, mistake, sentences)._repr_html_()
    assert stays in html
    assert sentences not in html


def test_help_opens_in_its_order_and_what_is_told_next_stands_before_it():
    exercise = EXERCISES["softmax"]
    verdict = verdicts.wrong(exercise, "Why?", "a slip", None, "", [3, 4], ["And then?"])
    assert (verdict.status, verdict.mistake) == ("wrong", "a slip")
    assert (verdict.sentences, verdict.lines) == ("Not yet: a slip. Why?", (3, 4))
    assert [(title, is_code) for title, _, is_code in verdict.ladder] == [
        ("Next", False),
        ("A nudge", False),
        ("A skeleton", True),
        ("A solution", True),
    ]
    assert verdict.ladder[0][1] == "And then?"
    assert verdicts.wrong(exercise, "Why?").sentences == "Not yet. Why?"
    assert exercise.check(softmax).ladder[0][0] == "One way to write it"
    bare = Exercise("bare", softmax, [(np.eye(2),)])
    assert verdicts.ladder(bare) == verdicts.after_success(bare) == ()


def test_a_stub_is_told_what_is_left():
    def said(source):
        return verdicts.not_attempted(EXERCISES["softmax"], written(source)).sentences

    asked = "Not attempted yet. {} Then run this cell again."
    fill = asked.format("Fill in `softmax(scores)`.")
    assert said("def f(x):\n    return ...") == fill
    assert said("def f(x):\n    e = ...\n    return e") == fill
    assert said("def f(x):\n    e = x\n    s = ...\n    return e / s") == asked.format(
        "`s` is still `...`. Fill in what is missing."
    )
    assert said("def f(x):\n    e = x\n    s = ...\n    t = ...\n    return e / s") == asked.format(
        "`s` and `t` are still `...`. Fill in what is missing."
    )
    catch = EXERCISES["catch_softmax"]
    assert verdicts.not_attempted(catch).sentences == asked.format(catch.task)


def test_a_solution_is_shown_as_a_notebook_can_run_it():
    assert shown_solution(EXERCISES["attention"]).startswith("def my_attention(")
    assert "mine.softmax(" in shown_solution(EXERCISES["attention"])
    assert "import numpy" not in shown_solution(EXERCISES["kv_cache_step"])
    assert "mine.attention" not in shown_solution(EXERCISES["catch_attention"])
    assert "def my_law(attention)" in shown_solution(EXERCISES["catch_attention"])
    for exercise in (e for e in EXERCISES.values() if e.shape == "catch"):
        name = f"my_{exercise.kind}"  # what its cell passes
        assert name in shown_solution(exercise), exercise.name
        assert name in exercise.skeleton, exercise.name
        assert f"my_{exercise.name}" not in shown_solution(exercise) + exercise.skeleton
    all_heads = shown_solution(EXERCISES["multi_head_attention"])
    assert " softmax(scores)" in all_heads  # the course's, which takes a stack of tables
    assert "np.stack" not in all_heads


def test_where_solutions_are_left_out_the_reference_comes_as_data(tmp_path, monkeypatch):
    packed = base64.b64encode(zlib.compress(b"def softmax")).decode()
    monkeypatch.setattr(verdicts, "EXERCISES", tmp_path)
    monkeypatch.setattr(verdicts, "REFERENCES", tmp_path / "references.json")
    verdicts._packed_references.cache_clear()
    assert verdicts.reference_source("softmax") == verdicts.solution("softmax") == ""
    (tmp_path / "references.json").write_text(json.dumps({"softmax": packed}))
    assert verdicts.reference_source("softmax") == "def softmax"
    assert verdicts.reference_source("attention") == ""
    (tmp_path / "softmax").mkdir()
    (tmp_path / "softmax" / "solution.py").write_text("def other\n\n")
    assert verdicts.reference_source("softmax") == "def other"
    verdicts._packed_references.cache_clear()


# Readings.

READING = Reading("r", "Which?", [("one", "why 1"), ("two", "why 2"), ("six", "why 6")], "B", "<b>")


def test_a_reading_shows_its_question_and_says_why():
    right = READING.check(" b")
    assert (right.status, right.mistake, right.sentences) == ("correct", None, "Right. B: why 2")
    assert repr(right) == "Which?\nA  one\nB  two\nC  six\nRight. B: why 2"
    wrong = READING.check("C")
    assert (wrong.status, wrong.mistake, wrong.sentences) == ("wrong", "six", "Not yet. C: why 6")
    asked = "one letter from A to C, in quotes"
    for answer in ("D", "", "AB", 3, None):
        verdict = READING.check(answer)
        said = f"Which? Write {asked}." if answer == "" else f"Not yet. Asked is {asked}."
        assert verdict.sentences == said
    assert repr(READING.check(...)) == f"A  one\nB  two\nC  six\nWhich? Write {asked}."
    assert f"Asked is {asked}." in READING.check("Z")._repr_html_()
    assert "why 6" in READING.check("C")._repr_html_()


# Laws and inputs.


def halves(x):
    return x / 2


def grows(x):
    return x + 1


def stops(x):
    raise KeyError("x")


DOUBLE = Exercise("double", lambda x: 2 * x, [(np.array([1.0, -2.0]),), (np.array([3.0]),)])
DOUBLE.mistakes = [
    Mistake("halved", halves, "?"),
    Mistake("grown", grows, "?"),
    Mistake("s", stops, "?"),
]
LAW = Catch("catch_double", DOUBLE, "law", ["halved", "grown", "s"], 2, task="Write a law.")
INPUT = Catch("catch_double", DOUBLE, "input", ["halved", "grown", "s"], 3)


def judged(source):
    return LAW.check(written(source), run_here)


def test_a_law_is_judged_by_what_it_catches():
    right = judged("def f(g):\n    print('tried')\n    return np.allclose(g(np.ones(2)), 2)")
    count = "Your law passes the right double and catches {} of 3 planted mistakes."
    assert (right.status, right.sentences, right.printed) == (
        "correct",
        f"Right. {count.format(2)} Not caught: grown.",
        "tried",
    )
    few = judged("def f(g):\n    return g(np.zeros(1))[0] == 0 or g is None")
    assert (few.status, few.sentences) == (
        "correct",
        f"Right. {count.format(2)} Not caught: halved.",
    )
    few = judged(
        "def f(g):\n    try:\n        return g(np.zeros(1))[0] == 0\n    except KeyError:\n  "
        "      return True"
    )
    assert (few.status, few.mistake) == ("wrong", "too few are caught")
    assert f"{count.format(1)} Not caught: halved; s. 2 are enough. All numbers" in few.sentences
    every = judged("def f(g):\n    return np.allclose(g(np.array([3.0])), 6)")
    assert every.sentences == f"Right. {count.format(3)}"


@pytest.mark.parametrize(
    ("source", "name", "words"),
    [
        ("def f(g):\n    return 'yes'", "not one True or False", "gave something of type str."),
        ("def f(g):\n    return gg(1)", "unknown name", "Nothing is called `gg` here."),
        ("def f(g):\n    return False", "the right one is refused", "False of the right double."),
        (
            "f = 3",
            None,
            "The check wants your law, a function that takes an implementation of doub",
        ),
    ],
)
def test_what_is_no_law_is_told(source, name, words):
    verdict = judged(source)
    assert (verdict.status, verdict.mistake) == ("wrong", name)
    assert words in verdict.sentences


def test_one_answer_of_a_whole_table_is_not_asked_of_a_law_that_gives_no_table():
    assert "np.allclose" not in judged("def f(g):\n    return 'yes'").sentences


def test_a_law_that_is_open_is_not_attempted():
    assert judged("f = ...").status == "not attempted"
    assert judged("def f(g):\n    x = ...\n    return g(x)").sentences.startswith(
        "Not attempted yet. Write a law."
    )
    assert INPUT.check([1.0, ...]).status == "not attempted"
    assert INPUT.check(np.array([1, ...], dtype=object)).status == "not attempted"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (len, "Asked for: the arguments of `double(x)` themselves, not a function."),
        (np.array(["a"]), "Given: an array of something else than numbers, such as text."),
        ((1, 2), "Asked for: `x` alone. Given: 2."),
        (np.ones((2, 2)), "`x` should be a row of numbers. Given: a table of numbers."),
        ([0.0], "catches 2 of 3 planted mistakes. Not caught: halved. 3 are enough. All numbers"),
    ],
)
def test_an_input_that_catches_too_little_is_told_why(value, words):
    verdict = INPUT.check(value)
    assert verdict.status == "wrong"
    assert words in verdict.sentences


def test_an_input_that_catches_all_is_right():
    assert INPUT.check([3.0]).sentences == (
        "Right. Your input passes the right double and catches 3 of 3 planted mistakes."
    )
    assert INPUT.check((np.array([3.0]),)).status == "correct"
    unfit = Catch(
        "c", DOUBLE, "input", ["grown"], 1, unfit=lambda x: "Too long." if x.size > 1 else None
    )
    assert unfit.check([3.0, 4.0]).sentences.endswith(" Too long.")
    assert unfit.check([3.0]).status == "correct"


def test_a_law_may_not_hold_the_function_itself_in_any_way():
    given = {"double": DOUBLE.reference, "attention": type("M", (), {"double": DOUBLE.reference})}
    assert laws.compares_with_itself(written("def f(g):\n    return double(1)", **given), DOUBLE)
    assert laws.compares_with_itself(
        written("def f(g):\n    return attention.double(1)", **given), DOUBLE
    )
    source = "def h():\n    return attention.double\ndef f(g):\n    return h()(1)"
    assert laws.compares_with_itself(written(source, **given), DOUBLE)
    assert laws.compares_with_itself(
        written("def f(g):\n    from a import double\n    return double(1)"), DOUBLE
    )
    assert not laws.compares_with_itself(
        written("def f(double):\n    return double(1)", **given), DOUBLE
    )
    assert not laws.compares_with_itself(len, DOUBLE)


def told(source, others=(True, False)):
    return laws.explain_false(written(source), DOUBLE, others)[0]


def test_a_law_that_is_false_of_the_right_one_is_told_what_that_gave():
    floats = "Floats are rarely equal to the last digit: np.allclose."
    begun = "Your law says False of the right double. A law holds for every right one."
    assert told("def f(g):\n    return False") == f"{begun} {floats}"
    assert told("def f(g):\n    return np.allclose(g(1), 3)").endswith("right one gave back 2.")
    source = "def f(g):\n    a, b, c, d = 1, g(2.0), 0.5, 'x'\n    e = g\n    return b == 3"
    assert told(source).endswith(
        f" The right one gave back 4. With it, your law has `c` = 0.5 and `d` = 'x'. {floats}"
    )
    assert "an array of shape (3, 6)" in told(
        "def f(g):\n    return g(np.full((3, 6), 1e7)).any() < 0"
    )
    assert "gave back" not in told("def f(g):\n    return g('a' * 99) == 1")
    assert "Floats" not in told("def f(g):\n    return np.isclose(g(1), 3)")


def test_a_law_that_is_false_of_the_right_one_is_told_what_it_says_of_wrong_ones():
    refuses = "def f(g):\n    return False"
    assert "It says False of all wrong ones, too." in told(refuses, (False, False))
    assert "of 2 of 3 wrong ones: are True and False turned round" in told(refuses, (1, 0, 1))
    assert "wrong ones" not in told(refuses, (True, False))


def test_a_value_that_came_by_its_kind_alone_is_no_verdict():
    def run(law, calls):
        return [Outcome(None, "an array of shape (9,)")]

    said = LAW.check(lambda g: True, run).sentences
    assert "A law says True or False; yours gave an array of shape (9,)." in said
