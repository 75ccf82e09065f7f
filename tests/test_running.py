"""Where Python has no threads, as in a browser, a student's function is run and stopped all the same."""

import sys
import threading
import time

import pytest

from course_utils.exercises import EXERCISES, diagnose, running


@pytest.fixture(autouse=True)
def no_threads(monkeypatch):
    def start(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    monkeypatch.setattr(running, "SECONDS", 0.3)


@pytest.mark.parametrize("name", EXERCISES)
def test_every_reference_is_right_and_every_mistake_is_named(name):
    assert diagnose(name, EXERCISES[name].reference).status == "correct"
    assert [diagnose(name, m.function).mistake for m in EXERCISES[name].mistakes] == [m.name for m in EXERCISES[name].mistakes]


def on_one_line(scores):
    while True: pass  # noqa: E701


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


@pytest.mark.parametrize("function", [on_one_line, on_two_lines, catching_errors, in_another_function])
def test_a_loop_without_end_is_stopped(function):
    start = time.monotonic()
    assert "ran for too long" in diagnose("softmax", function).message
    assert time.monotonic() - start < 5


def test_what_it_prints_and_raises_is_told_and_nothing_stays_behind():
    def prints_and_fails(scores):
        print("here")
        return scores.no_such_thing

    message = diagnose("softmax", prints_and_fails).message
    assert "AttributeError" in message
    assert "here" in message
    assert sys.gettrace() is None or "look" not in sys.gettrace().__qualname__
