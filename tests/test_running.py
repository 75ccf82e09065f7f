"""A student's function may do anything: it is ended in time, and the answer is a sentence. Where
there are no processes, too."""

import os
import re
import subprocess
import sys
import threading
import time

import hostile
import numpy as np
import psutil
import pytest

from course_utils.attention import softmax
from course_utils.diagnosis import running, worker
from course_utils.exercises import EXERCISES, diagnose


@pytest.fixture
def impatient(monkeypatch):
    """Of processor time: how long that takes by the clock is the machine's affair."""
    monkeypatch.setattr(running, "SECONDS", 0.5)


@pytest.fixture
def no_processes(monkeypatch):
    def refuse(*arguments, **options):
        raise OSError("no processes")

    monkeypatch.setattr(running, "_running", None)
    monkeypatch.setattr(subprocess, "Popen", refuse)


# What holds the interpreter, prints, asks, allocates, or leaves something behind.


def adds_in_c(scores):
    return sum(range(10**11))


def matches_in_c(scores):
    return re.match(r"(a+)+$", "a" * 40 + "b")


def prints_for_ever(scores):
    while True:
        print("x" * 1000)


def prints_and_swallows(scores):
    while True:
        try:  # noqa: SIM105
            print("x" * 1000)
        except:  # noqa: E722
            pass


def asks(scores):
    return input("scores? ")


def sleeps(scores):
    time.sleep(60)


def takes_all_memory(scores):
    parts = []
    while True:
        parts.append(np.ones(10**7))


def ends_its_process(scores):
    os._exit(0)


ENDED = {
    adds_in_c: "too long",
    matches_in_c: "too long",
    prints_for_ever: "prints without end",
    prints_and_swallows: "too long",
    sleeps: "too long",
    asks: "Nobody answers",
    takes_all_memory: "memory",
    ends_its_process: "ended the process",
}


@pytest.mark.parametrize("function", ENDED, ids=lambda f: f.__name__)
def test_it_is_ended_in_time_with_a_sentence(impatient, monkeypatch, function):
    start = time.monotonic()
    with monkeypatch.context() as limits:
        limits.setattr(running, "MEMORY", 1 << 29)
        if function is takes_all_memory:
            limits.setattr(running, "SECONDS", 4.0)
        if function is sleeps:  # which takes no processor time
            limits.setattr(running, "WALL", 1.0)
        diagnosis = diagnose("softmax", function)
    assert diagnosis.status == "wrong"
    assert ENDED[function] in diagnosis.message
    assert len(diagnosis.message) < 5000
    assert time.monotonic() - start < 50  # of the 60 that one of them sleeps
    assert (
        diagnose("softmax", softmax).status == "correct"
    )  # the next check has a process of its own


def test_nothing_lives_on_after_a_function_was_stopped(impatient):
    diagnose("softmax", softmax)
    process = psutil.Process(running._running[1].process.pid)
    assert diagnose("softmax", adds_in_c).status == "wrong"
    assert not process.is_running() or process.children(recursive=True) == []


# Whatever a function did, the next check finds everything as it was.


@pytest.fixture
def one_process(monkeypatch):
    """The worker where there is no fork: it calls the function itself, and puts back what that
    assigned."""
    monkeypatch.setattr(worker, "FORKS", False)
    monkeypatch.setattr(running, "_running", None)
    yield
    running._running and running._running[1].close()


def modules():
    """What is imported, without the codecs that Python itself looks up when the environment names
    no language."""
    return {
        name: module for name, module in sys.modules.items() if not name.startswith("encodings.")
    }


def leaves_no_trace(function):
    """The message about a function, after which the right one is right and nothing of it lives
    on."""
    for other in hostile.right, lambda scores: scores:  # what a check imports
        diagnose("softmax", other)
    before = np.exp, len, modules(), os.getcwd(), dict(os.environ)
    diagnosis = diagnose("softmax", function)
    assert diagnosis.status in ("wrong", "correct")
    assert "Traceback" not in diagnosis.message
    diagnosis._repr_html_().encode("utf-8", "surrogatepass")
    assert before == (np.exp, len, modules(), os.getcwd(), dict(os.environ))
    after = diagnose("softmax", hostile.right)
    assert after.status == "correct", after.message
    alive = [
        process
        for process in psutil.process_iter(["cmdline"])
        if hostile.MARK in " ".join(process.info["cmdline"] or [])
    ]
    assert alive == []
    return diagnosis.message


needs_fork = pytest.mark.skipif(
    not worker.FORKS, reason="there is no fork here: see the tests of one process"
)


@needs_fork
@pytest.mark.parametrize(
    "function",
    [*hostile.ASSIGNS, *hostile.STARTS, *hostile.STOPS, *hostile.RETURNS],
    ids=lambda f: f.__name__,
)
def test_it_leaves_no_trace(impatient, function):
    leaves_no_trace(function)


@pytest.mark.parametrize(
    "function",
    [
        *hostile.ASSIGNS,
        hostile.thread_that_spins,
        hostile.process_that_sleeps,
        hostile.writes_an_answer,
        hostile.closes_descriptors,
        hostile.calls_itself_too_deeply,
        hostile.what_runs_when_read,
    ],
    ids=lambda f: f.__name__,
)
def test_it_leaves_no_trace_in_one_process(impatient, one_process, function):
    leaves_no_trace(function)


@pytest.mark.parametrize(
    "function",
    [
        hostile.replaces_exp,
        hostile.replaces_math,
        hostile.replaces_len_and_max,
        hostile.leaves_the_folder,
        hostile.hides_numpy,
        hostile.seeds,
        hostile.prints_otherwise,
    ],
    ids=lambda f: f.__name__,
)
def test_it_leaves_no_trace_without_processes(no_processes, function):
    state = np.random.get_state()[1].tolist(), np.get_printoptions()  # noqa: NPY002
    leaves_no_trace(function)
    assert state == (np.random.get_state()[1].tolist(), np.get_printoptions())  # noqa: NPY002


SAID = {
    hostile.replaces_exp: "puts something else in the place of `np.exp`",
    hostile.keeps_a_count: "`count` keeps something from the first call",
    hostile.changes_its_argument: "`scores` is different after the call",
    hostile.writes_to_descriptors: "wrote where the check reads its answers",
    hostile.leaves: "calls `exit`",
    hostile.a_generator: "something of type generator",
}


@pytest.mark.parametrize("function", SAID, ids=lambda f: f.__name__)
def test_what_it_did_is_said(function):
    assert SAID[function] in diagnose("softmax", function).message


def test_a_right_answer_is_right_while_the_machine_is_busy():
    busy = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"])
        for _ in range(2 * (os.cpu_count() or 1))
    ]
    try:
        running._running and running._running[
            1
        ].close()  # the first call of a new process is the slowest
        assert {
            diagnose("row_sums", EXERCISES["row_sums"].reference).status for _ in range(20)
        } == {"correct"}
    finally:
        for process in busy:
            process.kill()
            process.wait()


def test_what_cannot_be_taken_along_is_said():
    lock = threading.Lock()
    assert "cannot take along" in diagnose("softmax", lambda scores: lock and scores).message


def test_the_step_in_which_nan_began_is_told():
    def gains_nan(scores):
        weights = softmax(scores)
        return weights + (scores - np.inf) * 0

    message = diagnose("softmax", gains_nan).message
    assert "Every number of it is NaN" in message
    assert "`return weights + (scores - np.inf) * 0`: a step had no answer" in message


# A search of the course's own.


def search(function, inputs, factor):
    return {
        "found": [function(x) for x in inputs],
        "table": factor * np.eye(2),
        "rest": (1, "text", None, {3}),
    }


def searches_without_end():
    while True:
        pass


def search_that_fails():
    return 1 / 0


@pytest.mark.parametrize("where", ["in a process", "here"])
def test_a_search_gives_back_plain_data_or_says_why_not(where, request, monkeypatch):
    if where == "here":
        request.getfixturevalue("no_processes")
    found = running.run_search(search, lambda x: x * x, [2, np.inf], 2.0, seconds=2.0)
    assert found["found"] == [4, np.inf]
    assert found["rest"] == (1, "text", None, {3})
    np.testing.assert_array_equal(found["table"], 2 * np.eye(2))
    assert running.run_search(searches_without_end, seconds=0.2).type == "OutOfTime"
    assert running.run_search(search_that_fails, seconds=2.0).type == "ZeroDivisionError"
    assert type(running.run_search(threading.Lock, seconds=2.0)) is not type(threading.Lock())


# In a browser there are no processes: the function runs here, and every step of it looks at the
# clock.


FUNCTIONS = [name for name, exercise in EXERCISES.items() if exercise.shape in ("gap", "build")]


def assert_same_outcomes(here, there):
    for one, other in zip(here, there, strict=True):
        assert (one.type_description, one.changed_argument, one.printed, one.replaced) == (
            other.type_description,
            other.changed_argument,
            other.printed,
            other.replaced,
        )
        failures = one.failure or running.Failure(""), other.failure or running.Failure("")
        assert len({(failure.type, failure.line, failure.number) for failure in failures}) == 1
        np.testing.assert_equal(one.value, other.value)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_a_function_does_is_the_same_without_processes(name):
    """So the names of all mistakes are the same, too: tests/test_exercises.py holds them, and a
    name follows from these outcomes."""
    exercise = EXERCISES[name]
    calls = exercise.inputs
    for function in (exercise.reference, *(mistake.function for mistake in exercise.mistakes)):
        assert_same_outcomes(running.run_here(function, calls), running.run(function, calls))


@pytest.mark.parametrize("name", ["row_sums", "softmax", "merge_pair"])
def test_a_reference_is_right_and_its_mistakes_are_named_without_processes(no_processes, name):
    assert diagnose(name, EXERCISES[name].reference).status == "correct"
    assert [diagnose(name, m.function).mistake for m in EXERCISES[name].mistakes] == [
        m.name for m in EXERCISES[name].mistakes
    ]


def on_one_line(scores):
    while True:
        pass


def on_two_lines(scores):
    n = 0
    while n < 1:
        n -= 1


def catching_errors(scores):
    while True:
        try:  # noqa: SIM105
            scores = scores + 1
        except Exception:
            pass


def in_another_function(scores):
    on_one_line(scores)


@pytest.mark.parametrize(
    "function", [on_one_line, on_two_lines, catching_errors, in_another_function]
)
def test_a_loop_without_end_is_stopped_without_processes(no_processes, monkeypatch, function):
    monkeypatch.setattr(running, "SECONDS", 0.1)
    assert "too long" in diagnose("softmax", function).message


def test_what_it_prints_and_raises_is_told_and_nothing_stays_behind(no_processes):
    def prints_and_fails(scores):
        print("here")
        return scores.no_such_thing

    message = diagnose("softmax", prints_and_fails).message
    assert "`.no_such_thing`" in message
    assert "here" in message
    assert sys.gettrace() is None or "look" not in sys.gettrace().__qualname__
