"""Hidden inputs find out tables of answers and no right function; the flag finds answers that call
the course's own, and no others."""

import sys
import warnings

import numpy as np
import pytest
import test_report as reports
from attempts import read_attempts
from helpers import ROOT, run_directly
from test_exercises import FUNCTIONS, RIGHT, each_function, of_exercise

from course_utils.attention import softmax
from course_utils.diagnosis.evaluation import Evaluation
from course_utils.diagnosis.running import run_trusted
from course_utils.diagnosis.verdicts import shown_solution
from course_utils.exercises import mine

sys.path.insert(0, str(ROOT / "scripts"))
from grading import hidden, report

SEEDS = range(2)
HELD_OUT = [
    attempt for attempt in read_attempts() if not attempt.idea and attempt.exercise in FUNCTIONS
]


@pytest.fixture(autouse=True)
def _without_searches(monkeypatch):
    """Whether an answer is right needs no search for its slip, and no reading of its code."""
    monkeypatch.setattr(Evaluation, "program", None)
    monkeypatch.setattr(Evaluation, "with_example", lambda self, i, said, *_: (said, None))


def on_hidden_inputs(name, function, seed):
    """The Diagnosis of a function on hidden inputs alone."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a student's way of writing may warn
        return hidden.exercise(name, seed).check(function, run_directly)


@each_function
def test_there_are_hidden_inputs_of_the_same_kinds_drawn_by_the_seed(name):
    exercise = FUNCTIONS[name]
    assert len(hidden.inputs(name, 0)) >= 2
    for arguments in hidden.inputs(name, 0):
        assert any(
            [type(a) for a in arguments] == [type(b) for b in given] for given in exercise.inputs
        )
        shapes = [np.shape(a) for a in arguments if isinstance(a, np.ndarray)]
        assert any(
            shapes == [np.shape(b) for b in given if isinstance(b, np.ndarray)]
            for given in exercise.inputs
        )
    assert (
        repr(hidden.inputs(name, 1))
        == repr(hidden.inputs.__wrapped__(name, 1))
        != repr(hidden.inputs(name, 2))
    )


@each_function
def test_a_right_function_is_right_on_hidden_inputs(name):
    for (function,) in of_exercise(RIGHT, name):
        for seed in SEEDS:
            diagnosis = on_hidden_inputs(name, function, seed)
            assert diagnosis.status == "correct", (seed, diagnosis.message)


@each_function
def test_solution_and_reference_are_right_on_hidden_inputs(name):
    written = {"np": np, "mine": mine, "softmax": softmax}
    exec(shown_solution(FUNCTIONS[name]), written)
    for function in (FUNCTIONS[name].reference, written[f"my_{name}"]):
        assert {on_hidden_inputs(name, function, seed).status for seed in SEEDS} == {"correct"}


def test_right_attempts_of_others_are_right_on_hidden_inputs():
    assert len(HELD_OUT) > 20
    functions = [(attempt.code, attempt.exercise, attempt.answer) for attempt in HELD_OUT]
    wrong = [
        (code, seed)
        for code, name, function in functions
        for seed in SEEDS
        if on_hidden_inputs(name, function, seed).status != "correct"
    ]
    assert wrong == []


@each_function
def test_a_table_of_answers_is_found_out(name):
    exercise = FUNCTIONS[name]
    answers = [run_trusted(exercise.reference, arguments).value for arguments in exercise.tries]

    def table(*arguments):
        shapes = [np.shape(a) if isinstance(a, np.ndarray) else 0 for a in arguments]
        known = [
            [np.shape(a) if isinstance(a, np.ndarray) else 0 for a in given]
            for given in exercise.tries
        ]
        return answers[known.index(shapes)]  # what it knows of an input that looks like this one

    assert {on_hidden_inputs(name, table, seed).status for seed in SEEDS} == {"wrong"}


TABLE = (
    "from course_utils.exercises import EXERCISES\nknown = [(a[0],"
    " EXERCISES['softmax'].reference(*a)) for a in EXERCISES['softmax'].tries]\ndef"
    " my_softmax(s):\n    for scores, weights in known:\n        if np.array_equal(s, scores):"
    " return weights\n    return s * 0 + 1\n"
)


def test_the_report_says_right_on_the_course_s_inputs_wrong_on_others(tmp_path):
    status, mistake, message, flag = reports.verdict(tmp_path, TABLE + reports.CHECK)
    assert (status, mistake, flag) == ("wrong", report.BY_HEART, "")
    assert message.startswith("Right on the course's inputs, wrong on others.")


COPIED = {
    "the reference": (
        "from course_utils.exercises import EXERCISES\nmy_softmax ="
        " EXERCISES['softmax'].reference\n"
    ),
    "the course's": (
        "from course_utils.attention import softmax\ndef my_softmax(s):\n    return softmax(s)\n"
    ),
    "mine": "from course_utils.exercises import mine\nmy_softmax = mine.softmax\n",
    "in disguise": (
        "import course_utils.attention as a\nclass S:\n    def __call__(self, s): return getattr(a,"
        " 'soft' + 'max')(s.copy()) * 1.0\nmy_softmax = S()\n"
    ),
}


@pytest.fixture(scope="module")
def flagged(tmp_path_factory):
    return reports.rows_of_cases(
        tmp_path_factory.mktemp("copied"),
        {how: ("softmax", [COPIED[how] + reports.CHECK]) for how in COPIED},
    )


@pytest.mark.parametrize("how", COPIED)
def test_an_answer_that_calls_the_course_s_own_is_flagged(flagged, how):
    _, status, _, _, flag = flagged[how]
    assert status == "correct"
    assert flag.startswith("calls the course's own: attention.")


def test_solutions_are_not_flagged_whatever_earlier_functions_they_call(tmp_path):
    cells = [
        reports.SETUP,
        "from course_utils.attention import softmax\nfrom course_utils.exercises import mine",
    ]
    cells += [
        f"{shown_solution(exercise)}\ndiagnose({name!r}, my_{name})"
        for name, exercise in FUNCTIONS.items()
    ]
    rows = reports.rows_of(tmp_path, *cells)
    assert {
        name: rows[name][1:] for name in FUNCTIONS if rows[name][1] != "correct" or rows[name][4]
    } == {}


def test_the_references_of_all_exercises_are_flagged(tmp_path):
    cells = [reports.SETUP, "from course_utils.exercises import EXERCISES"]
    rows = reports.rows_of(
        tmp_path,
        *cells,
        *(f"diagnose({name!r}, EXERCISES[{name!r}].reference)" for name in FUNCTIONS),
    )
    assert [
        name for name in FUNCTIONS if not rows[name][4].startswith("calls the course's own: ")
    ] == []
