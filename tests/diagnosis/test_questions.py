"""Questions of an exam: their text, their stub, their key and their judge."""

import numpy as np
import pytest

from course_utils.diagnosis.questions import (
    SETUP,
    Choice,
    Code,
    Numbers,
    block,
    close,
    drawn,
    shown,
    shuffled,
)


def test_a_question_about_a_number():
    question = Numbers("What is `1/3`?", 1 / 3, places=2)
    assert question.text == "What is `1/3`?\n\n*One number, to 2 decimals.*"
    assert question.stub("q01") == "q01 = ..."
    assert question.solution("q01") == "q01 = 0.3333"
    assert [question.check(x)[0] for x in (0.33, 0.345, 0.32, "0.33")] == [True, True, True, True]
    assert [question.check(x)[0] for x in (0.349, 0.31, [0.33], "a", None, ...)] == [False] * 6
    assert question.check(0.33) == (True, "")
    assert question.check(1)[1] == "got 1.0, wanted 0.33"
    assert question.check("a")[1] == "got str, wanted numbers"
    assert question.check([1, 2])[1] == "got 2 numbers in shape (2,), wanted shape ()"


def test_whole_numbers_are_exact_and_tables_have_rows():
    question = Numbers("Sizes?", [2, 3])
    assert question.text.endswith("*A list of 2 numbers, exact.*")
    assert Numbers("Table?", [[1], [2], [3]]).text.endswith("*A list of 3 rows, exact.*")
    assert question.solution("q") == "q = [2, 3]"
    assert question.check([2, 3]) == (True, "")
    assert not question.check([2, 3.001])[0]


CHOICE = Choice("Which?", ("A * V", "`A @ V`", "V", "W_O"), 1, "because")


def test_a_question_answered_by_a_letter():
    assert CHOICE.text == (
        "Which?\n\n- **A** A \\* V\n- **B** `A @ V`\n- **C** V\n- **D** W\\_O\n\n"
        "*One letter, in quotes.*"
    )
    assert (CHOICE.answer, CHOICE.stub("q"), CHOICE.solution("q")) == (
        "`A @ V`",
        "q = ...",
        'q = "B"',
    )
    assert [CHOICE.check(x)[0] for x in ("B", " b ", "A", "", 1, ...)] == [True, True, *[False] * 4]
    assert CHOICE.check("B")[1] == ""
    assert CHOICE.check("x" * 99)[1] == f"got {'x' * 40!r}, wanted B"


def test_options_are_shuffled_by_the_seed_and_none_is_twice():
    rng = np.random.default_rng(0)
    choices = [shuffled(rng, "Which?", "right", ["a", "b", "c"], "why") for _ in range(30)]
    assert {choice.answer for choice in choices} == {"right"}
    assert {choice.right for choice in choices} == {0, 1, 2, 3}
    assert all(sorted(choice.options) == ["a", "b", "c", "right"] for choice in choices)
    assert choices[0].why == "why"
    with pytest.raises(ValueError, match="two that are equal"):
        shuffled(rng, "Which?", "a", ["a", "b"])


CODE = Code("Double it.", "\ndef answer(x):\n    return 2 * x  # answer\n", ((np.ones(2),), (3.0,)))


def test_a_question_answered_by_a_function():
    assert CODE.text.startswith("Double it.\n\n*A function.")
    assert CODE.stub("q01") == "def q01(x):\n    return ..."
    assert CODE.solution("q01") == "def q01(x):\n    return 2 * x  # q01"
    assert CODE.check(lambda x: x + x) == (True, "")
    assert not CODE.check(lambda x: x)[0]
    assert CODE.check(lambda x: x)[1].startswith("Not yet")
    assert CODE.check(3) == (False, "got int, wanted a function")
    assert CODE.check(...) == (False, "no answer")
    assert "\n" not in CODE.check(lambda x: 3 * x)[1]


def test_a_function_may_use_the_mathematics_of_the_course():
    names = [
        "attention",
        "decoding",
        "experts",
        "layers",
        "positions",
        "quantisation",
        "tokens",
        "np",
    ]
    for name in names:
        source = f"def answer(x):\n    return {name}.__name__"
        assert Code("?", source, ((1,),)).reference(1).endswith(name.replace("np", "numpy"))
        names_of_setup = {}
        exec(SETUP, names_of_setup)
        assert name in names_of_setup


def test_values_stand_ready_to_be_pasted():
    assert shown(np.array([1.0, -0.04, 0.5]), 1) == "[1.0, 0.0, 0.5]"
    assert shown(np.array([1.0, 2.0])) == "[1.0, 2.0]"
    assert shown(np.array([1.25, 2.0])) == "[1.25, 2.00]"
    assert shown(np.array([1, 2])) == "[1, 2]"
    assert shown([1, "a"]) == "[1, 'a']"
    text = block(X=np.array([[1.0, 2.0], [3.0, 4.5]]), n=2)
    assert text == (
        "```python\nX = np.array([[1.00, 2.00],\n              [3.00, 4.50]])\nn = 2\n```"
    )
    names = {"np": np}
    exec(text.removeprefix("```python\n").removesuffix("```"), names)
    assert names["X"].tolist() == [[1, 2], [3, 4.5]]


def test_drawn_numbers_have_three_decimals_within_their_bounds():
    rng = np.random.default_rng(1)
    numbers = [drawn(rng, 2, 5) for _ in range(300)]
    assert all(2 <= n < 5.01 and round(n, 3) == n and round(n, 2) != n for n in numbers)
    assert min(numbers) < 2.1
    assert max(numbers) > 4.9
    assert len(set(numbers)) > 250


def test_two_sides_of_a_law():
    assert close([1.0], [1 + 1e-7])
    assert close(0, 5e-7)
    assert not close(0, 1e-4)
    assert type(close(1, 1)) is bool
