"""What the check accepts is right: slips planted in every solution, and arguments from the corners
of what a task allows."""

import signal

import numpy as np
import pytest
from helpers import mostly
from mutants import mutants

from course_utils.diagnosis.running import run_trusted
from course_utils.diagnosis.values import agree, arrays_of, as_arrays, tolerance_of
from course_utils.diagnosis.verdicts import solution
from course_utils.exercises import EXERCISES, mine

FUNCTIONS = {
    name: exercise for name, exercise in EXERCISES.items() if exercise.shape in ("gap", "build")
}
DRAWS = 80
QUICK = [
    name
    for name in FUNCTIONS
    if name
    not in (
        "forward",
        "multi_head_attention",
        "feed_forward_slopes",
        "grouped_query_attention",
    )
]


class Endless(BaseException):
    """A slip that does not end."""


def is_right(exercise, function, arguments, wanted):
    def stop(*_):
        raise Endless

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        outcome = run_trusted(function, arguments)
    except Endless:
        return False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    if outcome.failure or outcome.type_description or outcome.value is None:
        return False
    ours, theirs = as_arrays(outcome.value, wanted), arrays_of(wanted)
    return bool(
        ours and agree(exercise.canonicalise(ours, theirs), theirs, tolerance_of(arguments))
    )


def drawn(exercise):
    """[(arguments, what is right)] from the corners of what the task allows."""
    calls = [exercise.draw(np.random.default_rng(seed)) for seed in range(DRAWS)]
    return [(arguments, run_trusted(exercise.reference, arguments).value) for arguments in calls]


def defined(name, source):
    """The function that a source defines, beside the course's other functions."""
    names = {
        "np": np,
        "mine": mine,
        **{other: e.reference for other, e in FUNCTIONS.items() if other != name},
    }
    exec(compile(source, "<slip>", "exec"), names)
    return names[name]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_solution_is_right_on_all_that_the_task_allows(name):
    exercise, function = FUNCTIONS[name], defined(name, solution(name))
    assert [
        arguments
        for arguments, wanted in drawn(exercise)
        if not is_right(exercise, function, arguments, wanted)
    ] == []


@pytest.mark.skipif(
    not hasattr(signal, "setitimer"),
    reason="no alarm on this system ends a slip that does not end: run it on Linux or macOS",
)
@pytest.mark.parametrize("name", mostly(FUNCTIONS, QUICK))
def test_what_the_inputs_accept_is_right_on_all_that_the_task_allows(name):
    """A slip that passes every input, and differs on an argument that the task allows, is a fault
    of the inputs."""
    exercise = FUNCTIONS[name]
    wanted = [outcome.value for outcome in exercise.own_outcomes(exercise.reference)]
    tries, others, tried = list(zip(exercise.tries, wanted, strict=True)), drawn(exercise), 0
    for _, source in mutants(solution(name)):
        tried += 1
        function = defined(name, source)
        if all(is_right(exercise, function, arguments, value) for arguments, value in tries):
            assert [
                arguments
                for arguments, value in others
                if not is_right(exercise, function, arguments, value)
            ] == [], source
    assert tried > 5
